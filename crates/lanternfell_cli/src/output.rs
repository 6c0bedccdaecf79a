//! The file that a command writes: whole, or not at all.
//!
//! A temporary file in the same folder takes the bytes and is renamed at the end. So an
//! unwritable folder is found out before the work, an existing file is replaced only by a
//! complete one, and an interruption leaves nothing behind.

use std::{
    fs::Permissions,
    io::{BufWriter, Error, Write},
    path::{Path, PathBuf},
    sync::OnceLock,
};

use lanternfell_heightmap::Progress;
use tempfile::NamedTempFile;

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
    /// Where it lies, behind all links.
    place: PathBuf,
    file: NamedTempFile,
}

impl Output {
    /// Makes room for the file `path`, which is not touched yet.
    pub(crate) fn prepare(path: &Path) -> Result<Self, Failure> {
        let failed = |error| Failure::Write {
            path: path.to_owned(),
            error,
        };
        if path.is_dir() {
            return Err(failed(Error::other("it is a folder")));
        }
        // Renaming would replace a link, and pass over a file that must not be written.
        let place = path.canonicalize().unwrap_or(path.to_owned());
        let about = place.metadata();
        if about.is_ok_and(|about| about.permissions().readonly()) {
            return Err(failed(Error::other("it is read-only")));
        }
        let folder = place
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let file = builder(&place).tempfile_in(folder.unwrap_or(Path::new(".")));
        let file = file.map_err(|error| failed(without_temporary_name(&error)))?;
        let _ = UNFINISHED.set(file.path().to_owned());
        Ok(Self {
            path: path.to_owned(),
            place,
            file,
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
                file: &self.file,
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
        self.file.as_file().sync_all().map_err(failed)?;
        self.file
            .persist(&self.place)
            .map_err(|error| Failure::Write {
                path: self.path.clone(),
                error: error.error,
            })?;
        Ok(())
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
            other @ ExportError::Height { .. } => Self::Other(Failure::Export(other)),
        }
    }
}

/// A temporary file with the permissions of the file that it will replace, or of any new
/// file: on its own it would be readable by its owner only.
fn builder(path: &Path) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".lanternfell-");
    let old = path.metadata().map(|about| about.permissions()).ok();
    if let Some(permissions) = old.or_else(new_file) {
        builder.permissions(permissions);
    }
    builder
}

#[cfg(unix)]
fn new_file() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    // The system takes off what the user's mask forbids.
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn new_file() -> Option<Permissions> {
    None
}

/// The system's words without the name of the temporary file, which means nothing to
/// whoever reads them. `tempfile` adds it, and gives away only the whole message.
fn without_temporary_name(error: &Error) -> Error {
    let message = error.to_string();
    let system = message.split(" at path ").next().unwrap_or(&message);
    Error::new(error.kind(), system)
}

/// Stops writing once the work was cancelled.
struct Cancellable<'a> {
    file: &'a NamedTempFile,
    progress: &'a Progress,
}

impl Write for Cancellable<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.progress.check().map_err(Error::other)?;
        self.file.as_file().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.as_file().flush()
    }
}

/// One line on standard output about what was written, unless `quiet`.
pub(crate) fn summary(quiet: bool, line: &str) {
    if !quiet {
        // A closed pipe is no reason to fail: the file is written.
        let _ = writeln!(std::io::stdout(), "{line}");
    }
}
