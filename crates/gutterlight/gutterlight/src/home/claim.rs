//! Detects that the game is already running with the same files.
//!
//! Two games that save in turn would replace each other's suspended game. The first one therefore locks a file, and
//! the second one finds it locked. The system releases the lock when the process ends, however it ends, so the file
//! can stay.
//!
//! Limits: nothing is detected in a browser, nor where the lock file cannot be created or the file system has no
//! locks.

#[cfg(not(target_arch = "wasm32"))]
use std::fs::{self, File, OpenOptions, TryLockError};

use super::Home;

/// The lock file.
#[cfg(not(target_arch = "wasm32"))]
const LOCK: &str = "running.lock";

/// The exclusive use of a [`Home`] by this process, until it is dropped.
#[derive(Debug)]
pub struct Claim {
    /// The locked file, if files can be locked there.
    #[cfg(not(target_arch = "wasm32"))]
    _lock: Option<File>,
}

impl Home {
    /// Claims the files for this process. Returns `None` if another game that is running has them.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn claim(&self) -> Option<Claim> {
        let path = self.data.path(LOCK);
        let _ = path.parent().map_or(Ok(()), fs::create_dir_all);
        let created = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path);
        // In a read-only folder, the file may be left from earlier.
        let Ok(file) = created.or_else(|_| File::open(&path)) else {
            return Some(Claim { _lock: None });
        };
        match file.try_lock() {
            Ok(()) => Some(Claim { _lock: Some(file) }),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Error(_)) => Some(Claim { _lock: None }),
        }
    }

    /// Claims the files. Always succeeds: pages of a browser do not know of each other.
    #[cfg(target_arch = "wasm32")]
    pub fn claim(&self) -> Option<Claim> {
        Some(Claim {})
    }
}
