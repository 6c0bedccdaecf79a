//! A file in memory.

use std::io::{Error, ErrorKind, Write};

/// A growing in-memory file. If memory runs out, writing returns an error instead of aborting the WebAssembly module.
#[derive(Default)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let room = self.0.try_reserve(bytes.len());
        room.map_err(|_| Error::new(ErrorKind::OutOfMemory, "the file does not fit into memory"))?;
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
