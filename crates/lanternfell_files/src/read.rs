//! Reading files of unknown origin.

use std::{
    fs::{self, File},
    io::{Error, ErrorKind, Read, Result},
    path::Path,
};

/// Reads a complete file of at most `most` bytes.
///
/// # Errors
/// - [`ErrorKind::FileTooLarge`] if the file is larger than `most`. No memory is allocated for it.
/// - If the file does not exist, cannot be read, or is not a regular file. A pipe, for example,
///   could block forever.
pub fn read_limited(path: &Path, most: usize) -> Result<Vec<u8>> {
    let about = fs::metadata(path)?;
    if !about.is_file() {
        return Err(Error::other("it is not a file"));
    }
    if about.len() > most as u64 {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    // One more byte, to detect a file that has grown since the check.
    File::open(path)?
        .take(most as u64 + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() > most {
        return Err(too_large());
    }
    Ok(bytes)
}

pub(crate) fn too_large() -> Error {
    Error::new(ErrorKind::FileTooLarge, "it is too large")
}
