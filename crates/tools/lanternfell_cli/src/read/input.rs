//! A file that is read after its length was checked.

use std::{
    fmt::Display,
    fs::File,
    io::{Error, ErrorKind, Read, Seek, SeekFrom},
    path::Path,
};

use lanternfell_heightmap::MapSize;
use lanternfell_io::{self as io, Format, ImportError};

use crate::failure::Failure;

/// A file that is read after its length was checked.
pub(crate) struct Input<'a> {
    path: &'a Path,
    pub(super) file: File,
    /// The length in bytes.
    pub(crate) length: u64,
}

impl<'a> Input<'a> {
    /// Opens a regular file. Other files are rejected, because opening a pipe would wait for a writer.
    pub(crate) fn open(path: &'a Path) -> Result<Self, Failure> {
        let failed = |error| Failure::Read {
            path: path.to_owned(),
            error,
        };
        if !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Err(failed(Error::other("not a file")));
        }
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        Ok(Self { path, file, length })
    }

    /// Returns the first `count` bytes, or all if there are fewer, and rewinds.
    pub(super) fn header(&mut self, count: usize) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::with_capacity(count);
        let read = (&self.file).take(count as u64).read_to_end(&mut bytes);
        read.and_then(|_| self.file.rewind())
            .map_err(|error| self.failed(error))?;
        Ok(bytes)
    }

    /// Reads the whole file, but no more than `length` bytes even if it grows meanwhile.
    pub(crate) fn read(&mut self) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let read = usize::try_from(self.length)
            .map_err(|_| Error::from(ErrorKind::OutOfMemory))
            .and_then(|length| Ok(bytes.try_reserve_exact(length)?))
            .and_then(|()| (&self.file).take(self.length).read_to_end(&mut bytes));
        read.map_err(|error| self.failed(error))?;
        Ok(bytes)
    }

    /// Returns an error if the file is longer than a map of its size can be.
    ///
    /// If the size can be anywhere in the file, as in a TIFF, or a file can have several maps, the length is compared with
    /// that of the largest map.
    pub(super) fn check_length(&mut self, format: Format) -> Result<(), Failure> {
        let header = self.header(io::HEADER)?;
        let size = io::max_size(&header, format).map_err(|error| import(self.path, error))?;
        self.check_longest(size)
    }

    /// Returns an error if the file is longer than that of a map of this size can be.
    fn check_longest(&self, size: MapSize) -> Result<(), Failure> {
        if self.length <= io::max_file_size(size) {
            return Ok(());
        }
        let (width, height) = size.into();
        Err(self.wrong(format_args!(
            "the file is too long for a heightmap of {width}x{height}"
        )))
    }

    /// Reads a file that must have at least this length, and at most that of a file with a map of this size.
    pub(super) fn read_at_least(
        &mut self,
        expected: u64,
        size: MapSize,
    ) -> Result<Vec<u8>, Failure> {
        self.check_longest(size)?;
        if self.length < expected {
            return self.read_exactly(expected);
        }
        self.read()
    }

    /// Reads a file that must have exactly this length.
    pub(crate) fn read_exactly(&mut self, expected: u64) -> Result<Vec<u8>, Failure> {
        self.check_exactly(expected)?;
        self.read()
    }

    /// Returns an error unless the file has exactly this length.
    pub(crate) fn check_exactly(&self, expected: u64) -> Result<(), Failure> {
        let found = self.length;
        if found == expected {
            return Ok(());
        }
        let error = ImportError::Length { expected, found };
        Err(import(self.path, error))
    }

    /// Reads `length` bytes from an offset.
    pub(crate) fn read_part(&mut self, start: u64, length: u64) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let read = self
            .file
            .seek(SeekFrom::Start(start))
            .and_then(|_| (&self.file).take(length).read_to_end(&mut bytes));
        read.map_err(|error| self.failed(error))?;
        if bytes.len() as u64 == length {
            return Ok(bytes);
        }
        Err(self.failed(ErrorKind::UnexpectedEof.into()))
    }

    fn failed(&self, error: Error) -> Failure {
        Failure::Read {
            path: self.path.to_owned(),
            error,
        }
    }

    pub(crate) fn wrong(&self, what: impl Display) -> Failure {
        Failure::Usage(format!("{}: {what}", self.path.display()))
    }
}

pub(crate) fn import(path: &Path, error: ImportError) -> Failure {
    let path = path.to_owned();
    Failure::Import { path, error }
}
