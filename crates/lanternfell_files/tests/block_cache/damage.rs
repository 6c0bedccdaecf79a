//! Damaged cache files: no wrong byte is returned, and invalid files are deleted.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use lanternfell_files::BlockCache;
use lanternfell_random::SeededRng;

use super::{HEADER, file_name, folder, open, sizes};

const OWNER: u64 = 7;
const OTHER: u64 = 8;
const KEYS: [[i64; 2]; 5] = [[0, 0], [1, 0], [0, 1], [-1, 0], [1 << 40, -5]];
const ROUNDS: usize = 500;

/// The block of a key. No two are equal, and one is empty.
fn content(key: [i64; 2]) -> Vec<u8> {
    let place = KEYS.iter().position(|of| *of == key).expect("a key");
    let mut rng = SeededRng::new(place as u64, b"content ");
    (0..place * 700).map(|_| rng.below(256) as u8).collect()
}

fn below(rng: &mut SeededRng, bound: usize) -> usize {
    rng.below(bound as u64) as usize
}

/// Damages the file of a block in one of ten ways.
fn damage(kind: usize, path: &Path, folder: &Path, rng: &mut SeededRng) {
    let mut bytes = fs::read(path).expect("a file");
    match kind {
        0 => bytes.truncate(below(rng, bytes.len())),
        1 => bytes.clear(),
        2 => {
            for _ in 0..=below(rng, 8) {
                let place = below(rng, bytes.len());
                bytes[place] ^= 1 << below(rng, 8);
            }
        }
        3 => {
            let place = below(rng, bytes.len());
            let to = (place + 1 + below(rng, 64)).min(bytes.len());
            bytes[place..to].fill(below(rng, 256) as u8);
        }
        4 => bytes.extend((0..=below(rng, 5000)).map(|byte| byte as u8)),
        // Another block of the same owner.
        5 => bytes = fs::read(any_file(folder, OWNER, rng)).expect("a file"),
        // Any block of another owner.
        6 => bytes = fs::read(any_file(folder, OTHER, rng)).expect("a file"),
        // Another version of the header, with everything else valid.
        7 => bytes[8..12].copy_from_slice(&(rng.word() as u32 | 2).to_le_bytes()),
        // Random bytes.
        8 => bytes = (0..below(rng, 300)).map(|_| rng.below(256) as u8).collect(),
        // A wrong length in the header.
        _ => bytes[40..HEADER].copy_from_slice(&rng.word().to_le_bytes()),
    }
    fs::write(path, bytes).expect("damage");
}

fn any_file(folder: &Path, owner: u64, rng: &mut SeededRng) -> PathBuf {
    folder.join(file_name(owner, KEYS[below(rng, KEYS.len())]))
}

fn fill(cache: &BlockCache) {
    for key in KEYS {
        cache.put(key, &content(key)).expect("room");
    }
}

#[test]
fn damage_never_returns_wrong_bytes() {
    let folder = folder();
    let cache = open(&folder, OWNER, 1 << 20);
    fill(&open(&folder, OTHER, 1 << 20));
    let mut rng = SeededRng::new(1, b"damage  ");
    let mut refused = 0;
    for round in 0..ROUNDS {
        fill(&cache);
        let key = KEYS[below(&mut rng, KEYS.len())];
        let path = folder.path().join(file_name(OWNER, key));
        let whole = fs::read(&path).expect("a file");
        damage(round % 10, &path, folder.path(), &mut rng);
        let is_whole = fs::read(&path).expect("a file") == whole;
        let (found, expected) = (cache.get(key), is_whole.then(|| content(key)));
        assert_eq!(found, expected, "round {round}");
        assert_eq!(path.exists(), is_whole, "round {round}");
        refused += usize::from(!is_whole);
        for other in KEYS.into_iter().filter(|other| *other != key) {
            assert_eq!(cache.get(other), Some(content(other)), "round {round}");
        }
    }
    // Some rounds change nothing, for example if a block is replaced by itself.
    assert!(refused > ROUNDS * 9 / 10, "{refused}");
}

#[test]
fn swapped_files_are_invalid() {
    let folder = folder();
    let cache = open(&folder, OWNER, 1 << 20);
    fill(&cache);
    let [a, b, aside] =
        [KEYS[1], KEYS[2], [9, 9]].map(|key| folder.path().join(file_name(OWNER, key)));
    fs::rename(&a, &aside).expect("a file");
    fs::rename(&b, &a).expect("a file");
    fs::rename(&aside, &b).expect("a file");
    assert_eq!([KEYS[1], KEYS[2]].map(|key| cache.get(key)), [None, None]);
    assert_eq!(sizes(folder.path()).len(), KEYS.len() - 2);
}

#[test]
fn huge_files_take_no_memory() {
    let folder = folder();
    let cache = open(&folder, OWNER, u64::MAX);
    let key = KEYS[3];
    let path = folder.path().join(file_name(OWNER, key));
    // A valid header for a huge length: a reader that trusts it would allocate that much.
    for length in [1_u64 << 30, 1 << 40, (1 << 43) - 1] {
        cache.put(key, &content(key)).expect("room");
        let mut bytes = fs::read(&path).expect("a file");
        bytes[40..HEADER].copy_from_slice(&length.to_le_bytes());
        fs::write(&path, bytes).expect("a header");
        let file = File::options().write(true).open(&path).expect("a file");
        // A sparse file takes no room on the disk.
        file.set_len(length + HEADER as u64).expect("a sparse file");
        drop(file);
        assert_eq!(cache.get(key), None, "{length}");
        assert!(!path.exists(), "{length}");
    }
}

#[test]
fn folder_in_place_of_block_is_replaced_if_empty() {
    let folder = folder();
    let cache = open(&folder, OWNER, 1 << 20);
    let key = KEYS[2];
    let path = folder.path().join(file_name(OWNER, key));
    for asked_first in [true, false] {
        fs::create_dir(&path).expect("a folder");
        if asked_first {
            assert_eq!(cache.get(key), None);
        }
        cache.put(key, &content(key)).expect("it was empty");
        assert_eq!(cache.get(key), Some(content(key)));
        fs::remove_file(&path).expect("it");
    }
    // A folder with content belongs to someone else and must not be deleted.
    fs::create_dir(&path).expect("a folder");
    fs::write(path.join("letter"), "dear").expect("a file");
    assert_eq!(cache.get(key), None);
    cache
        .put(key, &content(key))
        .expect_err("something is there");
    assert_eq!(fs::read(path.join("letter")).expect("it"), b"dear");
    cache.put(KEYS[1], &content(KEYS[1])).expect("room");
    assert_eq!(sizes(folder.path()).len(), 2, "no temporary file");
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_invalid() {
    let folder = folder();
    let cache = open(&folder, OWNER, 1 << 20);
    let key = KEYS[2];
    let path = folder.path().join(file_name(OWNER, key));
    let letter = folder.path().join("letter");
    fs::write(&letter, "dear").expect("a file");
    for asked_first in [true, false] {
        std::os::unix::fs::symlink(&letter, &path).expect("a link");
        if asked_first {
            assert_eq!(cache.get(key), None);
        }
        cache.put(key, &content(key)).expect("room");
        assert_eq!(cache.get(key), Some(content(key)));
        assert_eq!(fs::read(&letter).expect("it"), b"dear");
        fs::remove_file(&path).expect("it");
    }
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("mkfifo").success());
    assert_eq!(cache.get(key), None);
    assert!(!path.exists());
}
