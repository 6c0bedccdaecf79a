//! Tests of `BlockCache`: it returns what was put in or nothing, and the folder stays within its
//! size limit.

mod damage;
mod folders;
mod model;
mod sharing;

use std::{collections::BTreeMap, fs, path::Path};

use lanternfell_files::{BlockCache, BlockCacheOptions};
use tempfile::TempDir;

/// The size of the header of a block file in bytes.
const HEADER: usize = 48;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn open(folder: &TempDir, owner: u64, max_bytes: u64) -> BlockCache {
    let options = BlockCacheOptions { owner, max_bytes };
    BlockCache::open(folder.path(), options).expect("a cache")
}

/// The documented name of a block's file.
fn file_name(owner: u64, [x, y]: [i64; 2]) -> String {
    format!("{owner:016x}_{x}_{y}.block")
}

/// The names of everything in a folder, including temporary files, with their sizes.
fn sizes(folder: &Path) -> BTreeMap<String, u64> {
    let entries = fs::read_dir(folder).expect("the folder");
    let sized = entries.map(|entry| {
        let entry = entry.expect("an entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, entry.metadata().expect("it").len())
    });
    sized.collect()
}

fn total(folder: &Path) -> u64 {
    sizes(folder).into_values().sum()
}

#[test]
fn blocks_round_trip() {
    let folder = folder();
    let cache = open(&folder, 7, 1 << 20);
    let blocks: [([i64; 2], Vec<u8>); 4] = [
        ([0, 0], vec![]),
        ([-1, 1], vec![0; 1000]),
        ([i64::MIN, i64::MAX], (0..=255).collect()),
        ([i64::MAX, i64::MIN], vec![255; 1 << 17]),
    ];
    for (key, bytes) in &blocks {
        assert_eq!(cache.get(*key), None, "{key:?}");
        cache.put(*key, bytes).expect("room");
    }
    for cache in [cache, open(&folder, 7, 1 << 20)] {
        for (key, bytes) in &blocks {
            assert_eq!(cache.get(*key).as_ref(), Some(bytes), "{key:?}");
        }
    }
    let names: Vec<String> = sizes(folder.path()).into_keys().collect();
    let mut expected = blocks.map(|(key, _)| file_name(7, key));
    expected.sort();
    assert_eq!(names, expected);
}

#[test]
fn put_replaces_block() {
    let folder = folder();
    let cache = open(&folder, 7, 1000);
    for bytes in [&b"first"[..], b"", b"the third is longer"] {
        cache.put([1, 2], bytes).expect("room");
        assert_eq!(cache.get([1, 2]).as_deref(), Some(bytes));
        assert_eq!(total(folder.path()), (HEADER + bytes.len()) as u64);
    }
}

#[test]
fn header_is_as_documented() {
    let folder = folder();
    open(&folder, 0xC0FF_EE11, 1000)
        .put([-3, 14], b"a block")
        .expect("room");
    let path = folder.path().join("00000000c0ffee11_-3_14.block");
    let file = fs::read(path).expect("a file");
    let (header, block) = file.split_at(HEADER);
    assert_eq!(block, b"a block");
    assert_eq!(&header[..8], b"lfblocks");
    assert_eq!(header[8..12], 1_u32.to_le_bytes());
    assert_eq!(header[12..16], crc32fast::hash(&file[16..]).to_le_bytes());
    assert_eq!(header[16..24], 0xC0FF_EE11_u64.to_le_bytes());
    assert_eq!(header[24..32], (-3_i64).to_le_bytes());
    assert_eq!(header[32..40], 14_i64.to_le_bytes());
    assert_eq!(header[40..], 7_u64.to_le_bytes());
}
