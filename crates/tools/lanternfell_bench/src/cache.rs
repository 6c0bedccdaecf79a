//! Blocks kept on disk by `lanternfell_files`, beside files that are read and written as they are.
//!
//! All lie in the system's folder for temporary files, and in the system's memory: what is measured is
//! what the cache itself costs, not the disk. Each row has files of its own, which take turns.

use std::{fs, io, path::Path};

use lanternfell_files::{BlockCache, BlockCacheOptions};
use tempfile::TempDir;

use crate::{
    bench::Bench,
    map::{Kind, Map},
    race::Race,
    stopwatch::Stopwatch,
};

/// The bytes of a block: 256 x 256 heights.
const BLOCK: usize = 256 << 10;

/// Blocks that take turns.
const BLOCKS: i64 = 64;

/// Blocks in a folder that is opened; and where small maps are enough.
const LISTED: [i64; 2] = [10_000, 500];

/// What they hold, where only their number matters.
const SMALL: &[u8] = b"a block";

/// Measures all of it.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    bench.report.heading("A cache of blocks")?;
    let listed = LISTED[usize::from(bench.plan.quick)];
    let block: Vec<u8> = (0..BLOCK).map(|byte| (byte * 31 % 251) as u8).collect();
    let folders = [(); 5].map(|()| tempfile::tempdir());
    let [read, write, full, plain, many] = folders;
    let (read, write, full, plain, many) = (read?, write?, full?, plain?, many?);
    let plain = plain.path();
    fill(&read, BLOCKS, &block)?;
    fill(&many, listed, SMALL)?;
    for key in 0..BLOCKS {
        fs::write(plain.join(key.to_string()), &block)?;
    }

    // No peer in another process is given it.
    let map = Map::new(Kind::Open, 16);
    let mut race = Race::new("Blocks of 256 KiB", &map);
    race.contest("read one");
    race.ours("BlockCache::get", None, gets(open(&read, u64::MAX)?));
    race.other("fs::read", None, reads(plain));
    race.contest("write one");
    race.ours(
        "BlockCache::put",
        None,
        puts(open(&write, u64::MAX)?, &block),
    );
    // With their headers there is no room for half of those that take turns.
    let bound = BLOCKS as u64 / 2 * BLOCK as u64;
    let drops = puts(open(&full, bound)?, &block);
    race.ours("BlockCache::put, another one dropped", None, drops);
    race.other("fs::write", None, writes(plain, &block));
    race.other(
        "forced to the disk: lanternfell_files::write",
        None,
        forced(plain, &block),
    );
    race.contest(format!("open a folder of {listed} blocks"));
    race.ours("BlockCache::open", None, opens(&many));
    race.other(
        "fs::read_dir, and each one's size and time",
        None,
        lists(many.path()),
    );
    bench.run(&mut race)
}

fn open(folder: &TempDir, max_bytes: u64) -> io::Result<BlockCache> {
    let options = BlockCacheOptions {
        owner: 7,
        max_bytes,
    };
    BlockCache::open(folder.path(), options)
}

fn fill(folder: &TempDir, blocks: i64, block: &[u8]) -> io::Result<()> {
    let cache = open(folder, u64::MAX)?;
    (0..blocks).try_for_each(|key| cache.put([key, 0], block))
}

/// Calls with one key after the other, round and round.
fn each_key(mut call: impl FnMut(i64, &mut Stopwatch)) -> impl FnMut(&mut Stopwatch) {
    let mut key = 0;
    move |watch| {
        while watch.goes_on() {
            call(key, watch);
            key = (key + 1) % BLOCKS;
        }
    }
}

fn gets(cache: BlockCache) -> impl FnMut(&mut Stopwatch) {
    each_key(move |key, watch| {
        let found = watch.time(|| cache.get([key, 0]));
        assert!(found.is_some(), "it was put there");
    })
}

fn reads(folder: &Path) -> impl FnMut(&mut Stopwatch) {
    each_key(move |key, watch| {
        let path = folder.join(key.to_string());
        watch.time(|| fs::read(&path)).expect("it was written");
    })
}

fn puts(cache: BlockCache, block: &[u8]) -> impl FnMut(&mut Stopwatch) {
    each_key(move |key, watch| {
        watch.time(|| cache.put([key, 0], block)).expect("room");
    })
}

fn writes(folder: &Path, block: &[u8]) -> impl FnMut(&mut Stopwatch) {
    each_key(move |key, watch| {
        let path = folder.join(key.to_string());
        watch.time(|| fs::write(&path, block)).expect("room");
    })
}

fn forced(folder: &Path, block: &[u8]) -> impl FnMut(&mut Stopwatch) {
    each_key(move |key, watch| {
        let path = folder.join(key.to_string());
        let written = watch.time(|| lanternfell_files::write(&path, block));
        written.expect("room");
    })
}

fn opens(folder: &TempDir) -> impl FnMut(&mut Stopwatch) {
    each_key(move |_, watch| {
        watch.time(|| open(folder, u64::MAX)).expect("a folder");
    })
}

fn lists(folder: &Path) -> impl FnMut(&mut Stopwatch) {
    let list = move || {
        let files = fs::read_dir(folder)?.map(|entry| {
            let about = entry?.metadata()?;
            Ok((about.len(), about.modified()?))
        });
        files.collect::<io::Result<Vec<_>>>()
    };
    each_key(move |_, watch| {
        watch.time(list).expect("a folder");
    })
}
