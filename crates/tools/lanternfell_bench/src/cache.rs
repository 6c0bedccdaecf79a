//! The block cache of `lanternfell_files`, compared with plain files.
//!
//! All files are in the system's temporary folder and fit in its page cache, so this measures the overhead of the cache
//! and not the disk. Each entry cycles through its own files.

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

/// The number of blocks in a cycle.
const BLOCKS: i64 = 64;

/// The number of blocks in a folder that is opened, normally and for quick runs.
const LISTED: [i64; 2] = [10_000, 500];

/// The content of blocks if only their number matters.
const SMALL: &[u8] = b"a block";

/// Runs the section.
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

    // A placeholder: no peer in another process uses the map.
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
    // With their headers, not even half of the blocks fit.
    let bound = BLOCKS as u64 / 2 * BLOCK as u64;
    let drops = puts(open(&full, bound)?, &block);
    race.ours("BlockCache::put, with eviction", None, drops);
    race.other("fs::write", None, writes(plain, &block));
    race.other(
        "lanternfell_files::write, flushed to disk",
        None,
        forced(plain, &block),
    );
    race.contest(format!("open a folder of {listed} blocks"));
    race.ours("BlockCache::open", None, opens(&many));
    race.other(
        "fs::read_dir with size and time of each file",
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

/// Calls with one key after the other, repeatedly.
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
        assert!(found.is_some(), "the block was put into the cache");
    })
}

fn reads(folder: &Path) -> impl FnMut(&mut Stopwatch) {
    each_key(move |key, watch| {
        let path = folder.join(key.to_string());
        watch
            .time(|| fs::read(&path))
            .expect("the file was written");
    })
}

fn puts(cache: BlockCache, block: &[u8]) -> impl FnMut(&mut Stopwatch) {
    each_key(move |key, watch| {
        watch
            .time(|| cache.put([key, 0], block))
            .expect("there is enough space");
    })
}

fn writes(folder: &Path, block: &[u8]) -> impl FnMut(&mut Stopwatch) {
    each_key(move |key, watch| {
        let path = folder.join(key.to_string());
        watch
            .time(|| fs::write(&path, block))
            .expect("there is enough space");
    })
}

fn forced(folder: &Path, block: &[u8]) -> impl FnMut(&mut Stopwatch) {
    each_key(move |key, watch| {
        let path = folder.join(key.to_string());
        let written = watch.time(|| lanternfell_files::write(&path, block));
        written.expect("there is enough space");
    })
}

fn opens(folder: &TempDir) -> impl FnMut(&mut Stopwatch) {
    each_key(move |_, watch| {
        watch
            .time(|| open(folder, u64::MAX))
            .expect("the folder exists");
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
        watch.time(list).expect("the folder exists");
    })
}
