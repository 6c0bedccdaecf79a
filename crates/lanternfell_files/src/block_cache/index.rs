//! Which blocks a folder holds, and in which order they were used.
//!
//! The order is that of times, and times are those of the files: so a listing of the folder is all
//! that is needed to have it again. Since a clock may stand still or be set back, each time is
//! at least a little later than the one before.

use std::{
    collections::BTreeMap,
    fs::{self, DirEntry, Metadata},
    io::Result,
    path::Path,
    time::{Duration, SystemTime},
};

use super::block::{BlockName, TEMPORARY};

/// Clocks that set times of files differ by less, and no block takes so long to write.
const HOUR: Duration = Duration::from_secs(3600);

/// As fine as any system's times of files that are worth the name.
const TICK: Duration = Duration::from_micros(1);

/// The blocks of a folder.
#[derive(Debug)]
pub(super) struct Index {
    /// When each was used.
    used: BTreeMap<BlockName, SystemTime>,
    /// How large each one's file is.
    sizes: BTreeMap<(SystemTime, BlockName), u64>,
    /// All of them together: more than a `u64` where somebody has made files of nothing but holes.
    bytes: u128,
    latest: SystemTime,
}

impl Index {
    /// Lists a folder, and deletes temporary files that nobody writes any more.
    ///
    /// # Errors
    /// If it can not be listed.
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
            // A clock that was wrong once must not keep it for ever.
            let is_possible = modified <= now + HOUR;
            let used = if is_possible {
                modified
            } else {
                SystemTime::UNIX_EPOCH
            };
            self.insert(name, about.len(), used);
        } else if apart(modified, now) > HOUR {
            // If it can not be deleted, the next look tries again.
            let _ = fs::remove_file(entry.path());
        }
    }

    /// All blocks' files together.
    pub(super) fn bytes(&self) -> u128 {
        self.bytes
    }

    /// What to drop next, and how large its file is.
    pub(super) fn least_used(&self) -> Option<(BlockName, u64)> {
        let ((_, name), bytes) = self.sizes.first_key_value()?;
        Some((*name, *bytes))
    }

    /// The time of now, later than any before.
    pub(super) fn now(&mut self) -> SystemTime {
        self.latest = SystemTime::now().max(self.latest + TICK);
        self.latest
    }

    /// A block is there, and was used now. Returns when that is.
    pub(super) fn touch(&mut self, name: BlockName, bytes: u64) -> SystemTime {
        let now = self.now();
        self.insert(name, bytes, now);
        now
    }

    /// A block is there, and how large its file is.
    pub(super) fn insert(&mut self, name: BlockName, bytes: u64, used: SystemTime) {
        self.remove(name);
        self.used.insert(name, used);
        self.sizes.insert((used, name), bytes);
        self.bytes += u128::from(bytes);
        self.latest = self.latest.max(used);
    }

    /// A block is gone.
    pub(super) fn remove(&mut self, name: BlockName) {
        let used = self.used.remove(&name);
        let bytes = used.and_then(|used| self.sizes.remove(&(used, name)));
        self.bytes -= u128::from(bytes.unwrap_or(0));
    }
}

fn apart(a: SystemTime, b: SystemTime) -> Duration {
    a.duration_since(b).unwrap_or_else(|error| error.duration())
}
