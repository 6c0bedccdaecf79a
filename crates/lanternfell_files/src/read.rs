//! Reading what others may have made.

use std::{
    fs::{self, File},
    io::{Error, ErrorKind, Read, Result},
    path::Path,
};

/// All of a file of at most `most` bytes.
///
/// # Errors
/// If it is larger: of kind [`ErrorKind::FileTooLarge`], and no memory is taken for it. If it
/// is not there, or no file: reading from a pipe would wait for a writer, perhaps for ever.
pub fn read_limited(path: &Path, most: usize) -> Result<Vec<u8>> {
    let about = fs::metadata(path)?;
    if !about.is_file() {
        return Err(Error::other("it is not a file"));
    }
    if about.len() > most as u64 {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    // One byte more tells whether it has grown since.
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
