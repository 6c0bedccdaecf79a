//! Packed files as plain numbers, for those who look at a map in bands of rows.
//!
//! A PNG can only be read from its beginning to its end, and what measures a map looks at it several
//! times, and at several places at once. So it is unpacked once, a row at a time, into a temporary file of
//! plain numbers: no more of it is in memory than a row, and on the disk it takes a byte or two for each cell.
//!
//! Not unpacked so, but read whole, are TIFF, whose rows may stand anywhere in the file and have to be
//! filled, masked or turned over together; OpenEXR, whose blocks may stand in any order; and
//! text, PGM's and ESRI's.

use std::{
    io::{BufReader, BufWriter, Write},
    path::Path,
};

use lanternfell_files::ScratchFile;
use lanternfell_heightmap::{Progress, io::PngRows};

use crate::{
    args::MapArgs,
    failure::Failure,
    output,
    read::{self, Plain},
};

/// An unpacked file, which is deleted when this is dropped.
pub(crate) struct Unpacked {
    pub(crate) file: ScratchFile,
    pub(crate) plain: Plain,
}

impl Unpacked {
    /// A PNG's numbers; `None` if it is another file, or its numbers grow downwards: those are turned round
    /// as a whole.
    pub(crate) fn png(
        path: &Path,
        arguments: &MapArgs,
        progress: &Progress,
    ) -> Result<Option<Self>, Failure> {
        let Some((file, length)) = read::png(path, arguments)? else {
            return Ok(None);
        };
        let wrong = |error| read::import(path, error);
        let mut rows = PngRows::open(BufReader::new(file), length).map_err(wrong)?;
        let size = rows.size();
        let frame = read::frame_of_png(rows.sidecar(), size, path)?;
        if frame.is_some_and(|frame| frame.elevation.relief < 0.0) {
            return Ok(None);
        }
        let raw = rows.numbers();
        let file = output::scratch()?;
        let failed = |error| Failure::Write {
            path: file.path().to_owned(),
            error,
        };
        let mut out = BufWriter::with_capacity(1 << 16, file.file());
        let mut done = 0;
        while let Some(row) = rows.next_row().map_err(wrong)? {
            out.write_all(row).map_err(failed)?;
            done += 1;
            progress.step(done, size.height())?;
        }
        out.into_inner()
            .map_err(|error| failed(error.into_error()))?;
        let plain = Plain { size, raw, frame };
        Ok(Some(Self { file, plain }))
    }
}
