//! A file that is written whole or not at all.
//!
//! [`tempfile`] makes the temporary file, deletes it and renames it. What it leaves to its
//! callers is here: to lie in the folder of the file itself, behind all links; to refuse what
//! must not be replaced before anything is written; to have the permissions of the old file;
//! and to be forced to the disk before it is renamed.

use std::{
    fs::{File, Permissions},
    io::{Error, ErrorKind, Result, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

/// What the names of temporary files begin with.
pub(crate) const TEMPORARY: &str = ".lanternfell-";

/// Writes a file whole, in the place of an old one if there is one.
///
/// # Errors
/// As for [`AtomicFile::prepare`] and [`AtomicFile::finish`], and if the disk is full. What was
/// there before is there still.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let file = AtomicFile::prepare(path)?;
    file.file().write_all(bytes)?;
    file.finish()
}

/// A file on its way to its place: a temporary one beside it, which is deleted if it is dropped
/// before it is [finished](Self::finish).
#[derive(Debug)]
pub struct AtomicFile {
    /// Where it will lie, behind all links.
    place: PathBuf,
    file: NamedTempFile,
}

impl AtomicFile {
    /// Makes room for the file `path`, which is not touched yet.
    ///
    /// # Errors
    /// If `path` is a folder, or anything else that is no file, or is read-only; or if its
    /// folder is not there, or can not be written in.
    pub fn prepare(path: &Path) -> Result<Self> {
        // Renaming would replace a link, and pass over a file that must not be written.
        let place = path.canonicalize().unwrap_or(path.to_owned());
        let old = place.metadata().ok();
        if let Some(old) = &old {
            if old.is_dir() {
                return Err(Error::other("it is a folder"));
            }
            if !old.is_file() {
                return Err(Error::other("it is not a file"));
            }
            if old.permissions().readonly() {
                return Err(Error::other("it is read-only"));
            }
        }
        let folder = place
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let permissions = old.map(|old| old.permissions()).or_else(new_file);
        let folder = folder.unwrap_or(Path::new("."));
        let file = temporary_file(folder, TEMPORARY, permissions)?;
        Ok(Self { place, file })
    }

    /// What the bytes are written to.
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Where they lie until then, for whoever ends the program before this is dropped.
    pub fn temporary_path(&self) -> &Path {
        self.file.path()
    }

    /// Forces the bytes to the disk and moves the file to its place.
    ///
    /// # Errors
    /// If the system can not do so. The temporary file is deleted then.
    pub fn finish(self) -> Result<()> {
        self.file().sync_all()?;
        match self.file.persist(&self.place) {
            Ok(_) => Ok(()),
            Err(failed) => Err(failed.error),
        }
    }

    /// As [`finish`](Self::finish), but replaces nothing: `false` if anything has that name
    /// already, and is left as it is. Of several programs that do so at once, one gets `true`.
    ///
    /// # Errors
    /// If the system can not do so. The temporary file is deleted then.
    pub fn finish_new(self) -> Result<bool> {
        self.file().sync_all()?;
        match self.file.persist_noclobber(&self.place) {
            Ok(_) => Ok(true),
            Err(failed) if failed.error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(failed) => Err(failed.error),
        }
    }
}

/// A temporary file with the permissions of the file that it will replace, or of any new file:
/// on its own it would be readable by its owner only. Its name begins with `prefix`.
pub(crate) fn temporary_file(
    folder: &Path,
    prefix: &str,
    permissions: Option<Permissions>,
) -> Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    if let Some(permissions) = permissions {
        builder.permissions(permissions);
    }
    let file = builder.tempfile_in(folder);
    file.map_err(|error| without_temporary_name(&error))
}

/// What any new file is given, where that can be asked for.
#[cfg(unix)]
pub(crate) fn new_file() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    // The system takes off what the user's mask forbids.
    Some(Permissions::from_mode(0o666))
}

/// What any new file is given, where that can be asked for.
#[cfg(not(unix))]
pub(crate) fn new_file() -> Option<Permissions> {
    None
}

/// The system's words without the name of the temporary file, which means nothing to whoever
/// reads them. `tempfile` adds it, and gives away only the whole message.
fn without_temporary_name(error: &Error) -> Error {
    let message = error.to_string();
    let system = message.split(" at path ").next().unwrap_or(&message);
    Error::new(error.kind(), system)
}
