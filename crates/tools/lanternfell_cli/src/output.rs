//! The output file of a command, which is written completely or not at all.
//!
//! [`lanternfell_files`] writes to a temporary file and renames it. This module adds cancellation, and removes
//! temporary files when the program ends early.

use std::{
    fs::File,
    io::{BufWriter, Error, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError, TryLockError},
};

use lanternfell_files::{AtomicFile, ScratchFile};
use lanternfell_heightmap::Progress;

use crate::failure::Failure;

/// The temporary files, to be removed if the program ends before [`Output`] is dropped.
static UNFINISHED: Mutex<Unfinished> = Mutex::new(Unfinished(Vec::new()));

/// Paths of temporary files: of a map, its sidecar, and so on.
struct Unfinished(Vec<PathBuf>);

impl Unfinished {
    /// Adds a file, and forgets files that were renamed or removed.
    fn note(&mut self, path: &Path) {
        self.0.retain(|path| path.exists());
        self.0.push(path.to_owned());
    }

    fn delete(&mut self) {
        for path in self.0.drain(..) {
            // Ignore errors: the program ends now.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Removes all temporary files.
pub(crate) fn abandon() {
    let unfinished = UNFINISHED.lock();
    unfinished.unwrap_or_else(PoisonError::into_inner).delete();
}

/// Removes all temporary files without waiting for a lock. If another thread holds it, that thread continues, but the
/// program ends.
pub(crate) fn abandon_at_once() {
    match UNFINISHED.try_lock() {
        Ok(mut unfinished) => unfinished.delete(),
        Err(TryLockError::Poisoned(unfinished)) => unfinished.into_inner().delete(),
        Err(TryLockError::WouldBlock) => {}
    }
}

/// Creates a temporary file for data that does not fit into memory.
pub(crate) fn scratch() -> Result<ScratchFile, Failure> {
    let file = ScratchFile::new().map_err(|error| Failure::Write {
        path: std::env::temp_dir(),
        error,
    })?;
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    unfinished.note(file.path());
    Ok(file)
}

/// A file that is being written.
pub(crate) struct Output {
    /// The path as the user gave it.
    path: PathBuf,
    draft: AtomicFile,
}

impl Output {
    /// Creates the temporary file for `path`. An existing file is not touched yet.
    pub(crate) fn prepare(path: &Path) -> Result<Self, Failure> {
        let draft = AtomicFile::prepare(path).map_err(|error| Failure::Write {
            path: path.to_owned(),
            error,
        })?;
        let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        unfinished.note(draft.temporary_path());
        Ok(Self {
            path: path.to_owned(),
            draft,
        })
    }

    /// Calls `write` to write the file, and moves it to its path.
    pub(crate) fn finish<E: Into<WriteError>>(
        self,
        progress: &Progress,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<(), Failure> {
        let failed = |error| Failure::Write {
            path: self.path.clone(),
            error,
        };
        let mut out = BufWriter::with_capacity(
            1 << 16,
            Cancellable {
                file: self.draft.file(),
                progress,
            },
        );
        let written = write(&mut out).map_err(Into::into);
        let written = written.and_then(|()| out.flush().map_err(WriteError::Io));
        drop(out);
        // Check also after everything was written: after Ctrl-C, the user does not want the file.
        progress.check()?;
        written.map_err(|error| error.into_failure(&self.path))?;
        self.draft.finish().map_err(failed)
    }
}

/// Why writing stopped.
pub(crate) enum WriteError {
    /// The system could not write.
    Io(Error),
    /// The content cannot be written in this format.
    Other(Failure),
}

impl WriteError {
    /// Returns the error of the file with this name.
    pub(crate) fn into_failure(self, path: &Path) -> Failure {
        let path = path.to_owned();
        match self {
            Self::Io(error) => Failure::Write { path, error },
            Self::Other(failure) => failure,
        }
    }
}

impl From<Error> for WriteError {
    fn from(error: Error) -> Self {
        Self::Io(error)
    }
}

impl From<lanternfell_io::ExportError> for WriteError {
    fn from(error: lanternfell_io::ExportError) -> Self {
        use lanternfell_io::ExportError;
        match error {
            ExportError::Write(error) => Self::Io(error),
            ExportError::Canceled(_) => Self::Other(Failure::Canceled),
            other => Self::Other(Failure::Export(other)),
        }
    }
}

/// Stops writing after a cancellation.
struct Cancellable<'a> {
    file: &'a File,
    progress: &'a Progress,
}

impl Write for Cancellable<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.progress.check().map_err(Error::other)?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deletes_unfinished_files_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut unfinished = Unfinished(Vec::new());
        for name in ["finished", "map", "sidecar"] {
            std::fs::write(path(name), "").unwrap();
            unfinished.note(&path(name));
        }
        std::fs::rename(path("finished"), path("a.r16")).unwrap();
        std::fs::write(path("last"), "").unwrap();
        unfinished.note(&path("last"));
        assert_eq!(unfinished.0.len(), 3);
        unfinished.delete();
        let left = folder.path().read_dir().unwrap();
        let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["a.r16"]);
    }
}
