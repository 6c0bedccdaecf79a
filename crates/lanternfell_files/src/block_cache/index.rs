//! The index of a folder: which blocks it holds, and in which order they were used.
//!
//! The order is that of the files' modification times, so a listing of the folder restores it. The
//! clock may stand still or be set back, so each new time is at least one tick later than the one
//! before.

use std::{
    collections::BTreeMap,
    fs::{self, DirEntry, Metadata},
    io::Result,
    path::Path,
    time::{Duration, SystemTime},
};

use super::block::{BlockName, TEMPORARY};

/// The maximum difference between the clocks of the machines that share a folder, and the maximum
/// time that writing a block takes.
const HOUR: Duration = Duration::from_secs(3600);

/// The smallest step between two times of use. The modification times of common file systems are at
/// least this fine.
const TICK: Duration = Duration::from_micros(1);

/// The blocks of a folder.
#[derive(Debug)]
pub(super) struct Index {
    /// When each block was last used.
    used: BTreeMap<BlockName, SystemTime>,
    /// The size of each block's file, in the order of last use.
    sizes: BTreeMap<(SystemTime, BlockName), u64>,
    /// The sum of all sizes. Sparse files can exceed the range of `u64`.
    bytes: u128,
    /// The latest time in the index.
    latest: SystemTime,
}

impl Index {
    /// Lists a folder, and deletes temporary files that are no longer being written.
    ///
    /// # Errors
    /// If the folder cannot be listed.
    pub(super) fn of(folder: &Path) -> Result<Self> {
        let entries = fs::read_dir(folder)?;
        let now = SystemTime::now();
        let mut index = Self {
            used: BTreeMap::new(),
            sizes: BTreeMap::new(),
            bytes: 0,
            latest: SystemTime::UNIX_EPOCH,
        };
        for entry in entries {
            index.list(&entry?, now);
        }
        Ok(index)
    }

    fn list(&mut self, entry: &DirEntry, now: SystemTime) {
        let file = entry.file_name();
        let block = BlockName::of_file(&file);
        let temporary = file.as_encoded_bytes().starts_with(TEMPORARY.as_bytes());
        if block.is_none() && !temporary {
            return;
        }
        // Another program may have deleted it since.
        let Some(about) = entry.metadata().ok().filter(Metadata::is_file) else {
            return;
        };
        let modified = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        if let Some(name) = block {
            // A time in the future, set while the clock was wrong, must not keep the block forever.
            let is_possible = modified <= now + HOUR;
            let used = if is_possible {
                modified
            } else {
                SystemTime::UNIX_EPOCH
            };
            self.insert(name, about.len(), used);
        } else if apart(modified, now) > HOUR {
            // If it cannot be deleted, the next listing tries again.
            let _ = fs::remove_file(entry.path());
        }
    }

    /// The size of all block files in bytes.
    pub(super) fn bytes(&self) -> u128 {
        self.bytes
    }

    /// The least recently used block, and the size of its file.
    pub(super) fn least_used(&self) -> Option<(BlockName, u64)> {
        let ((_, name), bytes) = self.sizes.first_key_value()?;
        Some((*name, *bytes))
    }

    /// The current time, but later than any time in the index.
    pub(super) fn now(&mut self) -> SystemTime {
        self.latest = SystemTime::now().max(self.latest + TICK);
        self.latest
    }

    /// Marks a block as used now, and returns that time.
    pub(super) fn touch(&mut self, name: BlockName, bytes: u64) -> SystemTime {
        let now = self.now();
        self.insert(name, bytes, now);
        now
    }

    /// Adds or updates a block, the size of its file and the time of its last use.
    pub(super) fn insert(&mut self, name: BlockName, bytes: u64, used: SystemTime) {
        self.remove(name);
        self.used.insert(name, used);
        self.sizes.insert((used, name), bytes);
        self.bytes += u128::from(bytes);
        self.latest = self.latest.max(used);
    }

    /// Removes a block.
    pub(super) fn remove(&mut self, name: BlockName) {
        let used = self.used.remove(&name);
        let bytes = used.and_then(|used| self.sizes.remove(&(used, name)));
        self.bytes -= u128::from(bytes.unwrap_or(0));
    }
}

fn apart(a: SystemTime, b: SystemTime) -> Duration {
    a.duration_since(b).unwrap_or_else(|error| error.duration())
}
