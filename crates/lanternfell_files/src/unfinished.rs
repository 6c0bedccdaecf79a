//! The temporary files of this process.
//!
//! A temporary file is deleted when its [`NamedTempFile`] is dropped. A program that ends early, because of a signal or
//! because memory ran out, drops nothing, so the paths are also kept in a list.

use std::{
    fs,
    io::Result,
    mem,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError, TryLockError},
    thread,
    time::Duration,
};

use tempfile::NamedTempFile;

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The number of milliseconds to wait for the list.
const PATIENCE: u32 = 100;

/// Deletes the temporary files of all [`AtomicFile`](crate::AtomicFile)s and [`ScratchFile`](crate::ScratchFile)s of
/// this process that are not finished or dropped.
///
/// Call this just before a program exits without dropping them, for instance after Ctrl-C. Threads that create or finish
/// such a file afterwards wait forever, so that no other file can appear.
///
/// It needs no memory, and at most a tenth of a second: if another thread does not release the list within this time,
/// for instance because it ran out of memory there, the files stay.
pub fn remove_temporary_files() {
    for _ in 0..PATIENCE {
        match UNFINISHED.try_lock() {
            Ok(list) => return remove_all(list),
            Err(TryLockError::Poisoned(list)) => return remove_all(list.into_inner()),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
        }
    }
}

fn remove_all(mut list: MutexGuard<'_, Vec<PathBuf>>) {
    for path in list.drain(..) {
        // Ignore errors: the program ends now.
        let _ = fs::remove_file(path);
    }
    // Never unlock it.
    mem::forget(list);
}

/// A temporary file that is in the list until it is dropped.
#[derive(Debug)]
pub(crate) struct Unfinished {
    // Dropped first, which deletes the file.
    pub(crate) file: NamedTempFile,
    _listed: Listed,
}

impl Unfinished {
    /// Creates a file with `create`.
    pub(crate) fn new(create: impl FnOnce() -> Result<NamedTempFile>) -> Result<Self> {
        // The lock is held, so that no file is ever outside of the list.
        let mut list = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        let file = create()?;
        list.push(file.path().to_owned());
        let _listed = Listed(file.path().to_owned());
        Ok(Self { file, _listed })
    }

    /// Calls `keep` to rename the file.
    pub(crate) fn keep<T>(self, keep: impl FnOnce(NamedTempFile) -> T) -> T {
        // The path stays in the list until the file is renamed.
        let Self { file, _listed } = self;
        keep(file)
    }
}

/// A path in the list.
#[derive(Debug)]
struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        let mut list = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = list.iter().position(|path| *path == self.0) {
            list.swap_remove(index);
        }
    }
}
