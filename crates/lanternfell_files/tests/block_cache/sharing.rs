//! Threads, owners and programs that use a folder at the same time.

use std::thread;

use lanternfell_files::BlockCache;
use lanternfell_random::SeededRng;

use super::{HEADER, file_name, folder, open, sizes, total};

/// The size of the largest block in these tests.
const LARGEST: usize = 3000;

/// The block of a key, the same each time.
fn content(owner: u64, key: [i64; 2]) -> Vec<u8> {
    let seed = owner * 1000 + key[0] as u64;
    let mut rng = SeededRng::new(seed, b"content ");
    let length = rng.below(LARGEST as u64 + 1);
    (0..length).map(|_| rng.below(256) as u8).collect()
}

/// Gets and puts blocks at random. Each block returned must be correct.
fn use_at_random(cache: &BlockCache, owner: u64, seed: u64) {
    let mut rng = SeededRng::new(seed, b"sharing ");
    for _ in 0..300 {
        let key = [rng.below(40) as i64, 0];
        if let Some(bytes) = cache.get(key) {
            assert!(bytes == content(owner, key), "{key:?}");
        }
        if rng.below(2) == 0 {
            cache.put(key, &content(owner, key)).expect("room");
        }
    }
}

#[test]
fn threads_share_a_cache() {
    let folder = folder();
    let cache = open(&folder, 7, 20_000);
    thread::scope(|scope| {
        for seed in 0..6 {
            let cache = &cache;
            scope.spawn(move || use_at_random(cache, 7, seed));
        }
    });
    assert!(total(folder.path()) <= 20_000);
    assert!(total(folder.path()) > 10_000, "half of the room is used");
}

#[test]
fn caches_share_a_folder() {
    let folder = folder();
    // Two owners, one of which has two open caches.
    let owners = [7, 7, 8];
    thread::scope(|scope| {
        for (seed, owner) in owners.into_iter().enumerate() {
            let cache = open(&folder, owner, 20_000);
            scope.spawn(move || use_at_random(&cache, owner, seed as u64));
        }
    });
    // The documented limit: each cache may have written this much since it last listed the folder.
    let unseen = 20_000 / 16 + (HEADER + LARGEST) as u64;
    assert!(total(folder.path()) <= 20_000 + 3 * unseen);
    open(&folder, 9, 20_000);
    assert!(total(folder.path()) <= 20_000);
    for owner in [7, 8] {
        let cache = open(&folder, owner, 20_000);
        let right = |key| {
            cache
                .get(key)
                .is_none_or(|bytes| bytes == content(owner, key))
        };
        assert!((0..40).all(|x| right([x, 0])), "{owner}");
    }
}

#[test]
fn owners_share_limit_but_no_blocks() {
    let folder = folder();
    let size = (HEADER + 1000) as u64;
    let first = open(&folder, 7, 4 * size);
    for x in 0..4 {
        first.put([x, 0], &[7; 1000]).expect("room");
    }
    let second = open(&folder, 8, 4 * size);
    for x in 0..4 {
        assert_eq!(second.get([x, 0]), None, "{x}");
    }
    assert_eq!(first.get([3, 0]), Some(vec![7; 1000]));
    second.put([5, 5], &[8; 1000]).expect("room");
    second.put([6, 6], &[8; 1000]).expect("room");
    let left: Vec<String> = sizes(folder.path()).into_keys().collect();
    let [a, b] = [[2, 0], [3, 0]].map(|key| file_name(7, key));
    let [c, d] = [[5, 5], [6, 6]].map(|key| file_name(8, key));
    assert_eq!(left, [a, b, c, d]);
    assert_eq!(first.get([0, 0]), None);
}

#[test]
fn blocks_used_by_another_cache_stay() {
    let folder = folder();
    let size = (HEADER + 1000) as u64;
    let first = open(&folder, 7, 4 * size);
    let second = open(&folder, 8, 4 * size);
    for x in 0..4 {
        first.put([x, 0], &[7; 1000]).expect("room");
    }
    assert!(first.get([0, 0]).is_some());
    // The first of these is put before `second` lists the folder again. Then it sees which blocks
    // were used.
    for x in 0..3 {
        second.put([x, 0], &[8; 1000]).expect("room");
    }
    assert!(first.get([0, 0]).is_some(), "it was used");
    assert_eq!(first.get([1, 0]), None);
    assert!(total(folder.path()) <= 4 * size);
}
