//! A file for as long as it is needed.

use std::{fs::File, io::Result, path::Path};

use tempfile::NamedTempFile;

use crate::atomic::TEMPORARY;

/// An empty file in the system's folder for temporary ones (`TMPDIR`, where there is such a variable), which
/// nobody else may read; deleted when it is dropped.
#[derive(Debug)]
pub struct ScratchFile(NamedTempFile);

impl ScratchFile {
    /// Makes one.
    ///
    /// # Errors
    /// If the folder is not there, or can not be written in.
    pub fn new() -> Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(TEMPORARY).tempfile().map(Self)
    }

    /// What is written to, and read from.
    pub fn file(&self) -> &File {
        self.0.as_file()
    }

    /// Where it lies, for whoever ends the program before this is dropped.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}
