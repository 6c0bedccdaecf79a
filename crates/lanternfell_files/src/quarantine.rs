//! Free file names.
//!
//! ```text
//!    settings.ron -> settings.damaged.ron, settings.damaged-2.ron, settings.damaged-3.ron ...
//! ```
//!
//! If a program first checks that a name is free and then uses it, two programs can end up with the
//! same name. So these functions claim a name by creating an empty file, which fails if the name is
//! taken. Then they replace their own empty file with the content.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{Error, ErrorKind, Result},
    path::{Path, PathBuf},
};

use crate::write;

/// The number of names that are tried before [`no_name_left`] is returned.
pub(crate) const MOST_NAMES: u32 = 1000;

/// Writes a complete file under a free name, and returns that name.
///
/// The name is `path`. If it is taken, a number is inserted before the extension: `name-2`,
/// `name-3`, and so on.
///
/// # Errors
/// The errors of [`write()`], and [`ErrorKind::AlreadyExists`] if 1000 such names are taken.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<PathBuf> {
    let free = take_name(path, "")?;
    fill(free, |free| write(free, bytes))
}

/// Renames a file to move it out of the way, and returns its new path.
///
/// With the `mark` `damaged`, `settings.ron` becomes `settings.damaged.ron`. If that name is taken,
/// it becomes `settings.damaged-2.ron`, and so on. If `path` is a symbolic link, the link itself is
/// renamed.
///
/// # Errors
/// If the file does not exist or cannot be renamed, or if 1000 such names are taken. The file then
/// stays where it is.
pub fn quarantine(path: &Path, mark: &str) -> Result<PathBuf> {
    // Fail early if there is no such file, so that no empty file is created.
    fs::symlink_metadata(path)?;
    let free = take_name(path, &format!(".{mark}"))?;
    fill(free, |free| fs::rename(path, free))
}

/// Replaces the empty file that claims a name with the content. Deletes it if that fails.
fn fill(free: PathBuf, put: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    match put(&free) {
        Ok(()) => Ok(free),
        Err(error) => {
            // If it cannot be deleted either, an empty file stays. No data is lost.
            let _ = fs::remove_file(&free);
            Err(error)
        }
    }
}

/// Claims the first free name by creating an empty file.
fn take_name(path: &Path, mark: &str) -> Result<PathBuf> {
    for number in 1..=MOST_NAMES {
        let free = numbered(path, mark, number);
        match File::create_new(&free) {
            Ok(_) => return Ok(free),
            // On Windows the error is "access denied" if the name belongs to a folder.
            Err(error) if error.kind() == ErrorKind::AlreadyExists || free.is_dir() => {}
            Err(error) => return Err(error),
        }
    }
    Err(no_name_left())
}

pub(crate) fn no_name_left() -> Error {
    let words = "too many files have this name already";
    Error::new(ErrorKind::AlreadyExists, words)
}

/// Returns the candidate name with this number, from 1. The first one has no number.
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
