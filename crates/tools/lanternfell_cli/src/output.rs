//! The output file of a command, which is written completely or not at all.
//!
//! [`lanternfell_files`] writes to a temporary file and renames it. This module adds cancellation.

use std::{
    fs::File,
    io::{BufWriter, Error, Write},
    path::{Path, PathBuf},
};

use lanternfell_files::{AtomicFile, ScratchFile};
use lanternfell_heightmap::Progress;

use crate::failure::Failure;

/// Creates a temporary file for data that does not fit into memory.
pub(crate) fn scratch() -> Result<ScratchFile, Failure> {
    ScratchFile::new().map_err(|error| Failure::Write {
        path: std::env::temp_dir(),
        error,
    })
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
