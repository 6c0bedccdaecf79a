//! A folder of files as a home.

use std::{
    fs,
    io::{ErrorKind, Result},
    path::{Path, PathBuf},
};

use super::{Storage, name};
use crate::{atomic::TEMPORARY, quarantine, read_limited, write, write_new};

/// A folder and those within it, which are made when something is written there first.
///
/// Files are [written](write()), [read](read_limited) and [put aside](quarantine) as everywhere
/// in this crate: whole, forced to the disk, with the permissions and links of the old file;
/// never from a pipe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder(PathBuf);

impl Folder {
    /// This folder, which need not be there yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    fn checked(&self, name: &str) -> Result<PathBuf> {
        name::check(name)?;
        Ok(self.path(name))
    }

    /// The same for a file that will be written.
    fn with_folder(&self, name: &str) -> Result<PathBuf> {
        let path = self.checked(name)?;
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        Ok(path)
    }
}

/// The name of the file that lies beside the one of this name.
fn beside(name: &str, path: &Path) -> String {
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
        Ok(beside(name, &path))
    }

    fn quarantine(&self, name: &str, mark: &str) -> Result<String> {
        let path = quarantine(&self.checked(name)?, mark)?;
        Ok(beside(name, &path))
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
            // What is no text was not named here.
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
