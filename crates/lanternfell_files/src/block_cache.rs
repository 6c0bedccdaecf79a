//! A cache of byte blocks on disk.
//!
//! Problem: some data is generated block by block, is slow to generate, and is the same each time,
//! such as the chunks of an endless terrain. The cache keeps these blocks for the next run within a
//! given size limit. It must never return a wrong byte, even if the files were damaged in between.
//!
//! Idea: one file per block. Renaming then makes each write atomic, deleting a file drops a block,
//! two programs need no lock between them, and damage costs one block. A few large files would
//! avoid the file system's rounding (2 KiB per block on average) and the initial listing. But they
//! need a crash-safe index, a lock, and compaction.
//!
//! ```text
//!    ground/00000000c0ffee11_-3_14.block          owner, key
//!       0  "lfblocks"     8  version, u32        12  CRC-32 of all that follows
//!      16  owner, u64    24  key, 2 x i64        40  length, u64     48  the block
//! ```
//!
//! 1. [`open`](BlockCache::open) lists the folder. It reads each file's size and its modification
//!    time, which is the time of last use.
//! 2. [`get`](BlockCache::get) reads the header and compares it with the header that the file must
//!    have, including its length. Then it reads the block and verifies the checksum. A valid file
//!    gets a new modification time, so the order of use survives a restart. An invalid file is
//!    deleted.
//! 3. [`put`](BlockCache::put) deletes the least recently used blocks until there is room, writes a
//!    temporary file and renames it. The file is not synced to the disk: the checksum detects what
//!    a power cut damages.
//! 4. The cache notices the files of other programs when it lists the folder again. It does so each
//!    time it has written 1/16 of `max_bytes`.
//!
//! Cost: `open` lists the folder in O(blocks). `get` and `put` take O(bytes), plus O(log blocks) to
//! update the order. The index takes about 150 bytes of memory per block.
//!
//! Limits:
//! - The checksum detects accidental damage, not deliberate forgery.
//! - A single cache never exceeds `max_bytes`. With `n` caches (or programs) that write at the same
//!   time, the folder may exceed it by `n` times the sum of 1/16 of `max_bytes` and one block.
//! - Sizes are file sizes, without the file system's rounding.
//! - The temporary file of a killed program stays for an hour and is not counted.

mod block;
mod index;

use std::{
    fs,
    io::{Error, ErrorKind, Result},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use block::BlockName;
use index::Index;

/// The cache lists the folder again after it has written `max_bytes / LOOK_AFTER` bytes.
const LOOK_AFTER: u64 = 16;

/// The owner and the size limit of a [`BlockCache`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockCacheOptions {
    /// A number for everything that the blocks depend on except their key, for example a hash of
    /// the settings and the generator's version.
    ///
    /// Several owners may share a folder. A cache never returns the blocks of another owner.
    pub owner: u64,
    /// The maximum size of all block files in the folder in bytes, for all owners together. Each
    /// file is 48 bytes larger than its block.
    pub max_bytes: u64,
}

/// A cache of byte blocks in a folder, each with two integers as its key. It drops the least
/// recently used blocks.
///
/// ```
/// use lanternfell_files::{BlockCache, BlockCacheOptions};
///
/// # fn main() -> std::io::Result<()> {
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let options = BlockCacheOptions { owner: 7, max_bytes: 1 << 20 };
/// let cache = BlockCache::open(folder, options)?;
/// assert_eq!(cache.get([-3, 14]), None);
/// cache.put([-3, 14], b"a block")?;
/// assert_eq!(cache.get([-3, 14]).as_deref(), Some(&b"a block"[..]));
///
/// let other = BlockCache::open(folder, BlockCacheOptions { owner: 8, ..options })?;
/// assert_eq!(other.get([-3, 14]), None);
/// # Ok(())
/// # }
/// ```
///
/// Threads can share a cache by reference. They read concurrently and write one after the other.
#[derive(Debug)]
pub struct BlockCache {
    folder: PathBuf,
    options: BlockCacheOptions,
    index: Mutex<Index>,
    /// Bytes written since the folder was last listed. A thread must hold this lock to write.
    written: Mutex<u64>,
}

impl BlockCache {
    /// The size limit of a single block: 64 MiB.
    ///
    /// Larger files are treated as invalid, so no file can make [`get`](Self::get) allocate more
    /// memory than that.
    pub const MAX_BLOCK: usize = 1 << 26;

    /// Opens a cache and creates its folder if necessary. If the folder exceeds `max_bytes`, the
    /// least recently used blocks are deleted.
    ///
    /// A read-only folder can be opened too: [`get`](Self::get) returns its blocks, and
    /// [`put`](Self::put) fails.
    ///
    /// # Errors
    /// If the folder cannot be created or listed.
    pub fn open(folder: impl AsRef<Path>, options: BlockCacheOptions) -> Result<Self> {
        let folder = folder.as_ref();
        fs::create_dir_all(folder)?;
        let cache = Self {
            folder: folder.to_owned(),
            options,
            index: Mutex::new(Index::of(folder)?),
            written: Mutex::new(0),
        };
        // A file that cannot be deleted now is in the way of `put` later, which reports the error.
        let _ = cache.make_room(0);
        Ok(cache)
    }

    /// Returns the block of this key, or `None` if there is no valid one.
    pub fn get(&self, key: [i64; 2]) -> Option<Vec<u8>> {
        let name = self.name(key);
        let path = self.folder.join(name.file_name());
        match block::read(&path, name) {
            Ok(Some((file, bytes))) => {
                let used = lock(&self.index).touch(name, block::size(&bytes));
                // If this fails, the last use is only lost after a restart.
                let _ = file.set_modified(used);
                Some(bytes)
            }
            Ok(None) => {
                // Delete and remove under one lock. Otherwise another thread could put the block
                // between the two, and its entry would be removed.
                let mut index = lock(&self.index);
                if block::discard(&path).is_ok() {
                    index.remove(name);
                }
                None
            }
            // The block may exist, but it cannot be read. The next `put` replaces it.
            Err(_) => None,
        }
    }

    /// Stores a block. It replaces an older block of the same key.
    ///
    /// # Errors
    /// - [`ErrorKind::FileTooLarge`] if the block is larger than [`MAX_BLOCK`](Self::MAX_BLOCK), or
    ///   larger than `max_bytes` with its header.
    /// - The system's error if the folder is missing or read-only, or if the disk is full.
    ///
    /// The cache stays usable after an error.
    pub fn put(&self, key: [i64; 2], bytes: &[u8]) -> Result<()> {
        let (name, size) = (self.name(key), block::size(bytes));
        if bytes.len() > Self::MAX_BLOCK || size > self.options.max_bytes {
            return Err(Error::new(ErrorKind::FileTooLarge, "it is too large"));
        }
        let mut written = lock(&self.written);
        if *written > self.options.max_bytes / LOOK_AFTER {
            let seen = Index::of(&self.folder)?;
            *lock(&self.index) = seen;
            *written = 0;
        }
        self.make_room(size)?;
        let used = lock(&self.index).now();
        block::write(&self.folder, name, bytes, used)?;
        *written += size;
        lock(&self.index).insert(name, size, used);
        Ok(())
    }

    fn name(&self, key: [i64; 2]) -> BlockName {
        let owner = self.options.owner;
        BlockName { owner, key }
    }

    /// Deletes the least recently used blocks until `size` more bytes fit.
    fn make_room(&self, size: u64) -> Result<()> {
        let mut index = lock(&self.index);
        while index.bytes() + u128::from(size) > u128::from(self.options.max_bytes) {
            let Some((name, bytes)) = index.least_used() else {
                break;
            };
            if let Err(error) = block::discard(&self.folder.join(name.file_name())) {
                // Make this block the most recently used one, so that it does not block the next
                // `put`.
                index.touch(name, bytes);
                return Err(error);
            }
            index.remove(name);
        }
        Ok(())
    }
}

/// Locks a mutex, even if a thread panicked while it held the lock. The numbers may be inaccurate
/// then, as they are when other programs write to the folder.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
