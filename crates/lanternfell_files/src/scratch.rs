//! A temporary file that is deleted on drop.

use std::{fs::File, io::Result, path::Path};

use crate::{atomic::TEMPORARY, unfinished::Unfinished};

/// A temporary file that is deleted on drop.
///
/// It is created empty in the system's temporary folder (on Unix `TMPDIR`, if that variable is
/// set). Other users cannot read it.
#[derive(Debug)]
pub struct ScratchFile(Unfinished);

impl ScratchFile {
    /// Creates an empty temporary file.
    ///
    /// # Errors
    /// If the system's temporary folder does not exist or cannot be written to.
    pub fn new() -> Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(TEMPORARY);
        Unfinished::new(|| builder.tempfile()).map(Self)
    }

    /// Returns the open file, for reading and writing.
    pub fn file(&self) -> &File {
        self.0.file.as_file()
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.0.file.path()
    }
}
