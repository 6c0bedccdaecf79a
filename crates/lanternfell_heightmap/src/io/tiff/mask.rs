//! The mask that a TIFF may have: a second picture that tells which cells have a height.
//!
//! ```text
//! directory 1   the heights
//! directory 2   NewSubfileType 4: a bit for each cell, 1 where it has a height
//! ```
//!
//! `tiff` decodes no picture that calls itself a mask. So a copy of the file is made in which it
//! is the first, and its numbers are gray: then it is one like any other.
//!
//! Source: Adobe, *TIFF revision 6.0*, 1992, `NewSubfileType`; GDAL, *GeoTIFF driver*, "Internal
//! nodata masks".

use std::io::Cursor;

use tiff::{
    ColorType,
    decoder::{ChunkType, Decoder},
};

use super::{
    super::{ImportError, check_claim},
    directory::{self, Reader},
    read::damaged,
};
use crate::MapSize;

const SUBFILE_TYPE: u16 = 254;
const INTERPRETATION: u16 = 262;

/// The bit of a subfile type that says "mask", and the one that says "smaller copy".
const MASK: u64 = 4;
const REDUCED: u64 = 1;

/// The interpretation that 0 is black.
const BLACK_IS_ZERO: u64 = 1;

/// No file of one map has more pictures: a few smaller copies, each with a mask.
const MOST_DIRECTORIES: usize = 64;

/// Which cells have a height, row by row; `None` when the file has no mask, so that all have.
pub(super) fn mask(bytes: &[u8], size: MapSize) -> Result<Option<Vec<bool>>, ImportError> {
    let Some(copy) = as_first_picture(bytes) else {
        return Ok(None);
    };
    let copy = super::decodable(&copy)?.unwrap_or(copy);
    if directory::size(&copy)? != size {
        return Err(malformed("its mask has another size than the map"));
    }
    let mut decoder = Decoder::new(Cursor::new(&copy[..])).map_err(damaged)?;
    if decoder.colortype().map_err(damaged)? != ColorType::Gray(1) {
        return Err(malformed("its mask is not of one bit for each cell"));
    }
    decode(&mut decoder, size, copy.len()).map(Some)
}

/// A copy of the file in which the mask is the first picture, and gray.
fn as_first_picture(bytes: &[u8]) -> Option<Vec<u8>> {
    let reader = Reader::of(bytes)?;
    let mut at = reader.next_directory(reader.first_directory()?)?;
    for _ in 0..MOST_DIRECTORIES {
        if at == 0 {
            return None;
        }
        let kind = reader.short_or_long(at, SUBFILE_TYPE);
        if let Some((_, kind)) = kind
            && kind & (MASK | REDUCED) == MASK
        {
            let (place, _) = reader.short_or_long(at, INTERPRETATION)?;
            let mut copy = bytes.to_vec();
            reader.write(&mut copy, place, 2, BLACK_IS_ZERO);
            reader.write_first_directory(&mut copy, at);
            return Some(copy);
        }
        at = reader.next_directory(at)?;
    }
    None
}

fn decode(
    decoder: &mut Decoder<Cursor<&[u8]>>,
    size: MapSize,
    found: usize,
) -> Result<Vec<bool>, ImportError> {
    let (wide, tall) = decoder.chunk_dimensions();
    let tall = match decoder.get_chunk_type() {
        ChunkType::Strip => tall.min(size.height() as u32),
        ChunkType::Tile => tall,
    };
    let chunk = u64::from(wide) * u64::from(tall);
    check_claim(chunk.max(size.cells() as u64) / 8, found)?;
    let (wide, tall) = (wide as usize, tall as usize);
    let across = size.width().div_ceil(wide);
    let mut cells = vec![false; size.cells()];
    let mut buffer = Vec::new();
    for index in 0..across * size.height().div_ceil(tall) {
        let (column, row) = (index % across * wide, index / across * tall);
        let layout = decoder.image_chunk_buffer_layout(index as u32);
        buffer.resize(layout.map_err(damaged)?.len, 0);
        let read = decoder.read_chunk_bytes(index as u32, &mut buffer);
        read.map_err(damaged)?;
        let columns = wide.min(size.width() - column);
        let rows = buffer.chunks_exact(columns.div_ceil(8));
        for (y, bits) in (row..size.height()).zip(rows.take(tall)) {
            let cells = &mut cells[y * size.width() + column..][..columns];
            for (x, cell) in cells.iter_mut().enumerate() {
                *cell = bits[x / 8] & (0x80 >> (x % 8)) != 0;
            }
        }
    }
    Ok(cells)
}

fn malformed(what: &str) -> ImportError {
    ImportError::malformed(format_args!("a TIFF of this kind is not read: {what}"))
}
