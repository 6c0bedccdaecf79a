//! A temporary file that is deleted on drop.

use std::{fs::File, io::Result, path::Path};

use tempfile::NamedTempFile;

use crate::atomic::TEMPORARY;

/// A temporary file that is deleted on drop.
///
/// It is created empty in the system's temporary folder (on Unix `TMPDIR`, if that variable is
/// set). Other users cannot read it.
#[derive(Debug)]
pub struct ScratchFile(NamedTempFile);

impl ScratchFile {
    /// Creates an empty temporary file.
    ///
    /// # Errors
    /// If the system's temporary folder does not exist or cannot be written to.
    pub fn new() -> Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(TEMPORARY).tempfile().map(Self)
    }

    /// Returns the open file, for reading and writing.
    pub fn file(&self) -> &File {
        self.0.as_file()
    }

    /// Returns the path of the file, so that a program can delete it if it exits without dropping
    /// this value.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}
