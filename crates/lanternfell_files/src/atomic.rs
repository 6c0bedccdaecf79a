//! Atomic file writes.
//!
//! [`tempfile`] creates, deletes and renames the temporary file. This module adds what `tempfile`
//! leaves to its callers: it follows links to the folder of the real file, refuses files that must
//! not be replaced before anything is written, keeps the permissions of the old file and where
//! permitted its owner, and syncs the new file to the disk before the rename.

use std::{
    fs::{File, Metadata, Permissions},
    io::{Error, ErrorKind, Result, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use crate::unfinished::Unfinished;

/// The prefix of the names of temporary files.
pub(crate) const TEMPORARY: &str = ".lanternfell-";

/// Writes a complete file. It replaces an existing file of this name.
///
/// # Errors
/// The errors of [`AtomicFile::prepare`] and [`AtomicFile::finish`], or if the disk is full. The
/// existing file then stays unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let file = AtomicFile::prepare(path)?;
    file.file().write_all(bytes)?;
    file.finish()
}

/// A file that replaces its target as a whole when it is [finished](Self::finish).
///
/// Until then the bytes are in a temporary file in the same folder. Dropping this value deletes the
/// temporary file and leaves the target unchanged. If a program exits without dropping it, it can
/// call [`remove_temporary_files`](crate::remove_temporary_files).
///
/// On Unix the new file gets the permissions, the owner and the group of the old one. Only an
/// administrator may set another owner, and other users only a group that they belong to. A symbolic
/// link keeps its target. Other hard links to the old file keep the old content.
#[derive(Debug)]
pub struct AtomicFile {
    /// The final path, with all links resolved.
    place: PathBuf,
    file: Unfinished,
}

impl AtomicFile {
    /// Creates a temporary file for the target `path`, which is not changed yet.
    ///
    /// # Errors
    /// If `path` is a folder, not a regular file, or read-only, or if its folder does not exist or
    /// cannot be written to.
    pub fn prepare(path: &Path) -> Result<Self> {
        // The rename at the end would replace a link instead of its target, and would ignore that
        // the target is read-only.
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
        let permissions = old.as_ref().map(Metadata::permissions).or_else(new_file);
        let folder = folder.unwrap_or(Path::new("."));
        let file = Unfinished::new(|| temporary_file(folder, TEMPORARY, permissions))?;
        if let Some(old) = old {
            keep_owner(file.file.as_file(), &old)?;
        }
        Ok(Self { place, file })
    }

    /// Returns the temporary file, to write to.
    pub fn file(&self) -> &File {
        self.file.file.as_file()
    }

    /// Syncs the bytes to the disk and renames the file to its target.
    ///
    /// # Errors
    /// If the system cannot sync or rename the file. The temporary file is then deleted.
    pub fn finish(self) -> Result<()> {
        self.file().sync_all()?;
        match self.file.keep(|file| file.persist(&self.place)) {
            Ok(_) => Ok(()),
            Err(failed) => Err(failed.error),
        }
    }

    /// Like [`finish`](Self::finish), but never replaces a file.
    ///
    /// Returns `false` if the target exists already; it is then unchanged. If several programs do
    /// this at the same time, only one gets `true`.
    ///
    /// # Errors
    /// If the system cannot sync or rename the file. The temporary file is then deleted.
    pub fn finish_new(self) -> Result<bool> {
        self.file().sync_all()?;
        match self.file.keep(|file| file.persist_noclobber(&self.place)) {
            Ok(_) => Ok(true),
            Err(failed) if failed.error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(failed) => Err(failed.error),
        }
    }
}

/// Creates a temporary file whose name starts with `prefix`, with the given permissions. Without
/// permissions, `tempfile` makes it readable by its owner only.
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

/// Gives a file the owner, the group and the permissions of another, as far as the system permits.
#[cfg(unix)]
fn keep_owner(file: &File, old: &Metadata) -> Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (old.uid(), old.gid())
        && fchown(file, Some(old.uid()), Some(old.gid())).is_err()
    {
        // Not permitted for the owner, but perhaps for the group.
        let _ = fchown(file, None, Some(old.gid()));
    }
    // The umask and the change of the owner may have removed some.
    file.set_permissions(old.permissions())
}

/// Other systems give a file the owner that its folder determines.
#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) -> Result<()> {
    Ok(())
}

/// The permissions of a new file, on systems that have such a mode.
#[cfg(unix)]
pub(crate) fn new_file() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    // The system subtracts the user's umask.
    Some(Permissions::from_mode(0o666))
}

/// The permissions of a new file, on systems that have such a mode.
#[cfg(not(unix))]
pub(crate) fn new_file() -> Option<Permissions> {
    None
}

/// Removes the name of the temporary file from an error message, because it means nothing to the
/// reader. `tempfile` adds the name and only gives access to the complete message.
fn without_temporary_name(error: &Error) -> Error {
    let message = error.to_string();
    let system = message.split(" at path ").next().unwrap_or(&message);
    Error::new(error.kind(), system)
}
