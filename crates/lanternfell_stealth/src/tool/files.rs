//! What is read, and what is written: whole, or not at all.
//!
//! A temporary file in the same folder takes the bytes and is renamed at the end. So an
//! existing file is replaced only by a complete one.

use std::{
    fs::{self, Permissions},
    io::{Error, Write},
    path::Path,
};

use lanternfell_stealth::save::MAX_BYTES;

use crate::failure::Failure;

/// All of a file that the game wrote; of a larger one only as much as says so.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |error| Failure::Read {
        path: path.to_owned(),
        error,
    };
    let about = fs::metadata(path).map_err(failed)?;
    if !about.is_file() {
        // Reading from a pipe would wait for a writer, perhaps for ever.
        return Err(failed(Error::other("it is not a file")));
    }
    if about.len() > MAX_BYTES as u64 {
        return Err(failed(Error::other("it is too large")));
    }
    fs::read(path).map_err(failed)
}

/// Writes a file, in the place of an old one if there is one.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error| Failure::Write {
        path: path.to_owned(),
        error,
    };
    if path.is_dir() {
        return Err(failed(Error::other("it is a folder")));
    }
    // Renaming would replace a link, and pass over a file that must not be written.
    let place = path.canonicalize().unwrap_or(path.to_owned());
    let about = place.metadata().ok();
    if about.is_some_and(|about| about.permissions().readonly()) {
        return Err(failed(Error::other("it is read-only")));
    }
    let folder = place
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let file = builder(&place).tempfile_in(folder.unwrap_or(Path::new(".")));
    let mut file = file.map_err(|error| failed(without_temporary_name(&error)))?;
    file.write_all(bytes).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(&place)
        .map(drop)
        .map_err(|error| failed(error.error))
}

/// Makes a folder, unless it is there.
pub(crate) fn make_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| Failure::Write {
        path: path.to_owned(),
        error,
    })
}

/// A temporary file with the permissions of the file that it will replace, or of any new
/// file: on its own it would be readable by its owner only.
fn builder(path: &Path) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".gutterlight-");
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
