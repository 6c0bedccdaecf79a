//! Names that no file has yet.
//!
//! ```text
//!    settings.ron -> settings.damaged.ron, settings.damaged-2.ron, settings.damaged-3.ron ...
//! ```
//!
//! To look whether a name is free and then to use it would let two programs use the same. So a
//! name is taken by making an empty file there, which fails if anything has it; what belongs
//! there then replaces our own empty file.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{Error, ErrorKind, Result},
    path::{Path, PathBuf},
};

use crate::write;

/// No more names are tried; whoever has as many files of one name has another problem.
pub(crate) const MOST_NAMES: u32 = 1000;

/// Writes a file whole under the name `path`, or, if that is taken, `name-2`, `name-3` and so
/// on before its extension. Returns which name it has got.
///
/// # Errors
/// As for [`write()`]; and if a thousand such names are taken.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<PathBuf> {
    let free = take_name(path, "")?;
    fill(free, |free| write(free, bytes))
}

/// Renames a file out of the way: `settings.ron` becomes `settings.damaged.ron` if the `mark`
/// is `damaged`; or, if that is taken, `settings.damaged-2.ron`, and so on. Returns where it
/// lies now. Of a link the link is renamed.
///
/// # Errors
/// If it is not there, can not be renamed, or a thousand such names are taken. It lies where
/// it did then.
pub fn quarantine(path: &Path, mark: &str) -> Result<PathBuf> {
    // Or else an empty file would come and go for nothing.
    fs::symlink_metadata(path)?;
    let free = take_name(path, &format!(".{mark}"))?;
    fill(free, |free| fs::rename(path, free))
}

/// Puts something in the place of the empty file that keeps its name free.
fn fill(free: PathBuf, put: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    match put(&free) {
        Ok(()) => Ok(free),
        Err(error) => {
            // If it can not be deleted, an empty file is left: nothing is lost by that.
            let _ = fs::remove_file(&free);
            Err(error)
        }
    }
}

/// Makes an empty file with the first free name.
fn take_name(path: &Path, mark: &str) -> Result<PathBuf> {
    for number in 1..=MOST_NAMES {
        let free = numbered(path, mark, number);
        match File::create_new(&free) {
            Ok(_) => return Ok(free),
            // Windows says of a folder of that name that it is denied.
            Err(error) if error.kind() == ErrorKind::AlreadyExists || free.is_dir() => {}
            Err(error) => return Err(error),
        }
    }
    Err(no_name_left())
}

pub(crate) fn no_name_left() -> Error {
    let words = "there are too many files of its name";
    Error::new(ErrorKind::AlreadyExists, words)
}

/// The name that is tried as this one, from 1.
pub(crate) fn numbered(path: &Path, mark: &str, number: u32) -> PathBuf {
    let mut name = OsString::from(path.file_stem().unwrap_or_default());
    name.push(mark);
    if number > 1 {
        name.push(format!("-{number}"));
    }
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
