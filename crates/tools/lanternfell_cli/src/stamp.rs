//! Notices that another program changed a file between two reads of it.
//!
//! A measure reads a map several times. If its files change meanwhile, for instance because `lanternfell tile` is still
//! writing them, the measure would mix the heights of two maps.

use std::{fs::Metadata, io, path::Path, time::SystemTime};

use crate::failure::Failure;

/// The length and the time of the last change of a file, and on Unix the file itself, which a rename replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) length: u64,
    modified: Option<SystemTime>,
    file: u64,
}

impl Stamp {
    /// Returns the stamp of a file with any content.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let about = std::fs::metadata(path)?;
        Ok(Self {
            length: about.len(),
            modified: about.modified().ok(),
            file: number(&about),
        })
    }

    /// Returns an error unless the file still has this stamp. Call this after reading.
    pub(crate) fn check(&self, path: &Path) -> Result<(), Failure> {
        if Self::of(path).is_ok_and(|now| now == *self) {
            return Ok(());
        }
        Err(Failure::Usage(format!(
            "{}: the file was changed while it was read; run the command again when nothing writes to it",
            path.display()
        )))
    }
}

#[cfg(unix)]
fn number(about: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(about)
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_changes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tile.r32");
        std::fs::write(&path, "heights").unwrap();
        let stamp = Stamp::of(&path).unwrap();
        assert!(stamp.check(&path).is_ok());
        lanternfell_files::write(&path, b"changed").unwrap();
        let error = stamp.check(&path).unwrap_err().to_string();
        assert!(error.contains("tile.r32: the file was changed"), "{error}");
        std::fs::remove_file(&path).unwrap();
        assert!(stamp.check(&path).is_err());
    }
}
