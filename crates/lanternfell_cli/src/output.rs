//! The file that a command writes: whole, or not at all.
//!
//! [`lanternfell_files`] sees to that; here writing can be cancelled, and what is not finished
//! can be deleted by whoever ends the program.

use std::{
    fs::File,
    io::{BufWriter, Error, Write},
    path::{Path, PathBuf},
    sync::OnceLock,
};

use lanternfell_files::Draft;
use lanternfell_heightmap::Progress;

use crate::failure::Failure;

/// The temporary file, for whoever ends the program before [`Output`] is dropped.
static UNFINISHED: OnceLock<PathBuf> = OnceLock::new();

/// Deletes what is not finished yet.
pub(crate) fn abandon() {
    if let Some(path) = UNFINISHED.get() {
        // Nothing can be done about a failure, and the program ends now.
        let _ = std::fs::remove_file(path);
    }
}

/// A file on its way to its place.
pub(crate) struct Output {
    /// As the user names it.
    path: PathBuf,
    draft: Draft,
}

impl Output {
    /// Makes room for the file `path`, which is not touched yet.
    pub(crate) fn prepare(path: &Path) -> Result<Self, Failure> {
        let draft = Draft::prepare(path).map_err(|error| Failure::Write {
            path: path.to_owned(),
            error,
        })?;
        let _ = UNFINISHED.set(draft.temporary_path().to_owned());
        Ok(Self {
            path: path.to_owned(),
            draft,
        })
    }

    /// Writes the file by `write` and moves it to its place.
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
        // Also when all was written: whoever pressed Ctrl-C wants no file.
        progress.check()?;
        match written {
            Ok(()) => {}
            Err(WriteError::Io(error)) => return Err(failed(error)),
            Err(WriteError::Other(failure)) => return Err(failure),
        }
        self.draft.finish().map_err(failed)
    }
}

/// Why writing stopped.
pub(crate) enum WriteError {
    /// The system could not.
    Io(Error),
    /// The content can not be written in this format.
    Other(Failure),
}

impl From<Error> for WriteError {
    fn from(error: Error) -> Self {
        Self::Io(error)
    }
}

impl From<lanternfell_heightmap::io::ExportError> for WriteError {
    fn from(error: lanternfell_heightmap::io::ExportError) -> Self {
        use lanternfell_heightmap::io::ExportError;
        match error {
            ExportError::Write(error) => Self::Io(error),
            ExportError::Cancelled(_) => Self::Other(Failure::Cancelled),
            other => Self::Other(Failure::Export(other)),
        }
    }
}

/// Stops writing once the work was cancelled.
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

/// One line on standard output about what was written, unless `quiet`.
pub(crate) fn summary(quiet: bool, line: &str) {
    if !quiet {
        // A closed pipe is no reason to fail: the file is written.
        let _ = writeln!(std::io::stdout(), "{line}");
    }
}
