//! Blocks of bytes on disk, so that they need not be made again.
//!
//! Problem: what is made piece by piece, takes long and comes out the same each time (the ground
//! of an endless world) should be kept for the next time; in no more than a given space, and
//! whatever has happened to the files since, a wrong byte must never come out.
//!
//! Idea: a file for each block. A block is then written whole or not at all by renaming, dropped
//! by deleting, and two programs need no lock between them; damage costs one block. A few large
//! files would save the system's rounding (2 KiB of each block, on average) and the listing
//! at the beginning, but need an index that is itself kept safe, a lock, and time to close gaps.
//!
//! ```text
//!    ground/00000000c0ffee11_-3_14.block          owner, key
//!       0  "lfblocks"     8  version, u32        12  CRC-32 of all that follows
//!      16  owner, u64    24  key, 2 x i64        40  length, u64     48  the block
//! ```
//!
//! 1. [`open`](BlockCache::open) lists the folder: how large each file is and when it was
//!    modified, which is when it was used.
//! 2. [`get`](BlockCache::get) reads the header, then no more than the file can hold if that is
//!    right, and compares all of it with what must be there. The file's time is set anew: so the
//!    order of use outlives the program. What does not fit is deleted.
//! 3. [`put`](BlockCache::put) deletes what has not been used for longest until there is room,
//!    writes a temporary file and renames it. It is not forced to the disk: what a power cut
//!    leaves of it is found out by the checksum.
//! 4. What other programs put into the folder is seen when a sixteenth of the bound has been
//!    written since the last look.
//!
//! Cost: `open` a listing, O(blocks); `get` and `put` O(bytes), and O(log blocks) for the order.
//! In memory about 150 bytes a block.
//!
//! Limits: the checksum guards against accidents, not against forgers. With `n` programs (or
//! caches) writing at once the folder may hold `n` sixteenths of the bound, and a block for each, more
//! than the bound; with one it never does. Sizes are those of files, without what the system
//! rounds them up by. What a killed program was writing lies there for an hour, not counted.

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

/// This part of the bound is written before the folder is looked at again.
const LOOK_AFTER: u64 = 16;

/// Whose blocks, and how many of them are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockCacheOptions {
    /// Stands for all that a block depends on but its key (a hash of the settings and of the
    /// version of what makes it). Blocks of other owners may lie in the same folder, and are never
    /// given out for these.
    pub owner: u64,
    /// The bytes of all files in the folder together, whoever owns them; 48 more for each block
    /// than it has itself.
    pub max_bytes: u64,
}

/// Blocks of bytes in a folder, each under two numbers; the least recently used are dropped.
///
/// Threads share one by reference. They read at once and write one after the other.
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
#[derive(Debug)]
pub struct BlockCache {
    folder: PathBuf,
    options: BlockCacheOptions,
    index: Mutex<Index>,
    /// Bytes since the last look at the folder. Whoever holds it is the one who writes.
    written: Mutex<u64>,
}

impl BlockCache {
    /// The largest block: 64 MiB. What is larger is none, so that no file makes its reader take
    /// more memory than that.
    pub const MAX_BLOCK: usize = 1 << 26;

    /// Opens a folder, which is made if it is not there, and drops what is too much in it.
    ///
    /// A folder that can only be read is opened too: its blocks are there, and
    /// [`put`](Self::put) fails.
    ///
    /// # Errors
    /// If the folder can not be made, or not be listed.
    pub fn open(folder: impl AsRef<Path>, options: BlockCacheOptions) -> Result<Self> {
        let folder = folder.as_ref();
        fs::create_dir_all(folder)?;
        let cache = Self {
            folder: folder.to_owned(),
            options,
            index: Mutex::new(Index::of(folder)?),
            written: Mutex::new(0),
        };
        // What can not be deleted now will be in the way of `put`, which tells.
        let _ = cache.make_room(0);
        Ok(cache)
    }

    /// The block, if it is there and is what was put there.
    pub fn get(&self, key: [i64; 2]) -> Option<Vec<u8>> {
        let name = self.name(key);
        let path = self.folder.join(name.file_name());
        match block::read(&path, name) {
            Ok(Some((file, bytes))) => {
                let used = lock(&self.index).touch(name, block::size(&bytes));
                // Where that is refused, a restart forgets that it was used.
                let _ = file.set_modified(used);
                Some(bytes)
            }
            Ok(None) => {
                // Both under the lock: or else it could be taken off the list just after another
                // thread has put it there again.
                let mut index = lock(&self.index);
                if block::discard(&path).is_ok() {
                    index.remove(name);
                }
                None
            }
            // It may be there, but it is not to be had. The next `put` replaces it.
            Err(_) => None,
        }
    }

    /// Keeps a block, in the place of an old one if there is one.
    ///
    /// # Errors
    /// If it is larger than [`MAX_BLOCK`](Self::MAX_BLOCK) or than all that may be kept
    /// ([`ErrorKind::FileTooLarge`]), or if the folder is gone, can not be written in, or the disk
    /// is full. The cache is as good as before then.
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

    /// Deletes what was used least recently until so much more may be written.
    fn make_room(&self, size: u64) -> Result<()> {
        let mut index = lock(&self.index);
        while index.bytes() + u128::from(size) > u128::from(self.options.max_bytes) {
            let Some((name, bytes)) = index.least_used() else {
                break;
            };
            if let Err(error) = block::discard(&self.folder.join(name.file_name())) {
                // It comes last now, and is not in the way of the next one that is put.
                index.touch(name, bytes);
                return Err(error);
            }
            index.remove(name);
        }
        Ok(())
    }
}

/// A thread that panicked has left numbers that are no worse than a folder that others write to.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
