//! The [`Storage`] of native programs: a folder of files.

use std::{
    fs,
    io::{ErrorKind, Result},
    path::{Path, PathBuf},
};

use super::{Storage, name};
use crate::{atomic::TEMPORARY, quarantine, read_limited, write, write_new};

/// A [`Storage`] in a folder of the file system. Missing folders are created by the first write.
///
/// Files are [written](write()), [read](read_limited) and [quarantined](quarantine) by the
/// functions of this crate. So each write is atomic and synced to the disk, an existing file keeps
/// its permissions and links, and pipes are never read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder(PathBuf);

impl Folder {
    /// Creates a storage in this folder, which does not need to exist yet. A relative path is
    /// relative to the working directory.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    fn checked(&self, name: &str) -> Result<PathBuf> {
        name::check(name)?;
        Ok(self.path(name))
    }

    /// Like [`checked`](Self::checked), but also creates the folder of the file.
    fn with_folder(&self, name: &str) -> Result<PathBuf> {
        let path = self.checked(name)?;
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        Ok(path)
    }
}

/// The storage name of the file `path`, which is in the same folder as the file `name`.
fn sibling_name(name: &str, path: &Path) -> String {
    let file = path.file_name().unwrap_or_default();
    format!("{}{}", name::split(name).0, file.to_string_lossy())
}

impl Storage for Folder {
    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn holds(&self, name: &str) -> bool {
        self.checked(name).is_ok_and(|path| path.is_file())
    }

    fn read(&self, name: &str, most: usize) -> Result<Vec<u8>> {
        read_limited(&self.checked(name)?, most)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        write(&self.with_folder(name)?, bytes)
    }

    fn write_new(&self, name: &str, bytes: &[u8]) -> Result<String> {
        let path = write_new(&self.with_folder(name)?, bytes)?;
        Ok(sibling_name(name, &path))
    }

    fn quarantine(&self, name: &str, mark: &str) -> Result<String> {
        let path = quarantine(&self.checked(name)?, mark)?;
        Ok(sibling_name(name, &path))
    }

    fn remove(&self, name: &str) -> Result<bool> {
        match fs::remove_file(self.checked(name)?) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn list(&self, folder: &str) -> Result<Vec<String>> {
        let path = match folder {
            "" => self.0.clone(),
            folder => self.checked(folder)?,
        };
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry?;
            // A name that is not UTF-8 was not written by this storage.
            if let Ok(name) = entry.file_name().into_string()
                && entry.path().is_file()
                && !name.starts_with(TEMPORARY)
            {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }
}
