//! Folders that are too large, contain other files, were left by a killed program, or are
//! read-only.

use std::{
    fs::{self, File},
    io::ErrorKind,
    path::Path,
    time::{Duration, SystemTime},
};

use lanternfell_files::{BlockCache, BlockCacheOptions};

use super::{HEADER, file_name, folder, open, sizes, total};

const OPTIONS: BlockCacheOptions = BlockCacheOptions {
    owner: 7,
    max_bytes: 10_000,
};

/// Sets the modification time of a file to `seconds` ago.
fn age(path: &Path, seconds: u64) {
    let file = File::options().write(true).open(path).expect("a file");
    let then = SystemTime::now() - Duration::from_secs(seconds);
    file.set_modified(then).expect("a time");
}

#[test]
fn size_limit_holds_after_every_put() {
    let folder = folder();
    let cache = open(&folder, 7, 10_000);
    for number in 0..300 {
        let bytes = vec![number as u8; number * 37 % 3000];
        cache.put([number as i64, 0], &bytes).expect("room");
        assert!(total(folder.path()) <= 10_000, "{number}");
        assert_eq!(cache.get([number as i64, 0]), Some(bytes), "{number}");
    }
    assert!(total(folder.path()) > 7000, "most of the room is used");
}

#[test]
fn open_shrinks_folder_to_limit() {
    let folder = folder();
    let cache = open(&folder, 7, 10_000);
    for number in 0..8 {
        cache.put([number, 0], &[1; 1000]).expect("room");
    }
    // These two were used last.
    assert!(cache.get([2, 0]).is_some() && cache.get([0, 0]).is_some());
    let size = (HEADER + 1000) as u64;
    let smaller = open(&folder, 8, 3 * size);
    let left: Vec<String> = sizes(folder.path()).into_keys().collect();
    assert_eq!(left, [[0, 0], [2, 0], [7, 0]].map(|key| file_name(7, key)));
    smaller.put([0, 0], &[2; 1000]).expect("room");
    assert_eq!(cache.get([7, 0]), None);
    assert_eq!(total(folder.path()), 3 * size);
}

#[test]
fn refuses_blocks_over_limit() {
    let folder = folder();
    let cache = open(&folder, 7, 1000);
    cache.put([0, 0], b"small").expect("room");
    let error = cache.put([1, 0], &[0; 1000]).expect_err("with its header");
    assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    assert_eq!(cache.get([0, 0]).as_deref(), Some(&b"small"[..]));
    let wide = open(&folder, 7, u64::MAX);
    let error = wide.put([1, 0], &vec![0; BlockCache::MAX_BLOCK + 1]);
    assert_eq!(error.expect_err("no block").kind(), ErrorKind::FileTooLarge);
    let none = open(&folder, 7, 0);
    assert_eq!(sizes(folder.path()).len(), 0);
    assert_eq!(none.get([0, 0]), None);
    none.put([0, 0], b"").expect_err("no room");
}

#[test]
fn other_files_are_left_alone() {
    let folder = folder();
    let names = [
        "letter.txt",
        ".lanternfell-abc",
        "0000000000000007_0_0.block.bak",
        "0000000000000007_+0_0.block",
        "0000000000000007_00_0.block",
        "0000000000000007_0.block",
        "0000000000000007_0_0_0.block",
        "7_0_0.block",
        "000000000000000A_0_0.block",
        "0000000000000007_0_9223372036854775808.block",
    ];
    for name in names {
        fs::write(folder.path().join(name), [0; 5000]).expect("a file");
        age(&folder.path().join(name), 1_000_000);
    }
    let cache = BlockCache::open(folder.path(), OPTIONS).expect("a cache");
    for number in 0..20 {
        cache.put([number, 1], &[1; 1000]).expect("room");
    }
    for name in names {
        assert!(folder.path().join(name).exists(), "{name}");
    }
    assert_eq!(sizes(folder.path()).len(), names.len() + 9);
}

#[test]
fn open_deletes_abandoned_temporary_files() {
    let folder = folder();
    let [old, new, ahead] = ["old", "new", "ahead"]
        .map(|name| folder.path().join(format!(".lanternfell-block-{name}")));
    for path in [&old, &new, &ahead] {
        fs::write(path, "half").expect("a file");
    }
    age(&old, 3700);
    let file = File::options().write(true).open(&ahead).expect("a file");
    let then = SystemTime::now() + Duration::from_secs(1_000_000);
    file.set_modified(then).expect("a time");
    drop(file);
    BlockCache::open(folder.path(), OPTIONS).expect("a cache");
    let left: Vec<String> = sizes(folder.path()).into_keys().collect();
    assert_eq!(
        left,
        [".lanternfell-block-new"],
        "somebody may be writing it"
    );
}

#[test]
fn future_time_keeps_no_block_forever() {
    let folder = folder();
    let cache = open(&folder, 7, 10_000);
    cache.put([0, 0], &[1; 1000]).expect("room");
    let path = folder.path().join(file_name(7, [0, 0]));
    let file = File::options().write(true).open(&path).expect("a file");
    let then = SystemTime::now() + Duration::from_secs(1_000_000);
    file.set_modified(then).expect("a time");
    drop(file);
    let cache = open(&folder, 7, 10_000);
    for number in 1..=9 {
        cache.put([number, 0], &[1; 1000]).expect("room");
    }
    assert!(!path.exists());
    assert_eq!(sizes(folder.path()).len(), 9);
}

#[test]
fn open_creates_folder() {
    let folder = folder();
    let within = folder.path().join("a").join("b");
    let cache = BlockCache::open(&within, OPTIONS).expect("a cache");
    cache.put([0, 0], b"bytes").expect("room");
    assert_eq!(sizes(&within).len(), 1);
}

#[test]
fn open_refuses_files() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "").expect("a file");
    for path in [file.join("within"), file] {
        BlockCache::open(&path, OPTIONS).expect_err("it is a file");
    }
}

#[test]
fn put_fails_while_folder_is_missing() {
    let folder = folder();
    let within = folder.path().join("within");
    let cache = BlockCache::open(&within, OPTIONS).expect("a cache");
    cache.put([0, 0], b"bytes").expect("room");
    fs::remove_dir_all(&within).expect("it");
    assert_eq!(cache.get([0, 0]), None);
    for _ in 0..100 {
        let error = cache
            .put([0, 0], &[1; 1000])
            .expect_err("there is no folder");
        assert_eq!(error.kind(), ErrorKind::NotFound);
    }
    // The cache continues once the folder exists again.
    fs::create_dir(&within).expect("a folder");
    cache.put([0, 0], b"bytes").expect("room");
    assert_eq!(cache.get([0, 0]).as_deref(), Some(&b"bytes"[..]));
}

#[cfg(target_os = "linux")]
#[test]
fn unwritable_folder_is_empty_cache() {
    let cache = BlockCache::open("/proc/self", OPTIONS).expect("it can be listed");
    assert_eq!(cache.get([0, 0]), None);
    cache.put([0, 0], b"bytes").expect_err("not even root can");
    assert_eq!(cache.get([0, 0]), None);
}

#[cfg(unix)]
#[test]
fn read_only_folder_returns_its_blocks() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    open(&folder, 7, 10_000)
        .put([0, 0], b"bytes")
        .expect("room");
    let path = folder.path().join(file_name(7, [0, 0]));
    let allow = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
    };
    allow(&path, 0o444);
    allow(folder.path(), 0o555);
    // Root can write anyway, other users cannot.
    let all_powerful = File::create(folder.path().join("x")).is_ok();
    // The second limit leaves no room for another block, and nothing can be deleted.
    for max_bytes in [10_000, 60]
        .into_iter()
        .take(if all_powerful { 1 } else { 2 })
    {
        let cache = open(&folder, 7, max_bytes);
        assert_eq!(cache.get([0, 0]).as_deref(), Some(&b"bytes"[..]));
        assert_eq!(cache.put([1, 0], b"bytes").is_ok(), all_powerful);
    }
    allow(folder.path(), 0o755);
}
