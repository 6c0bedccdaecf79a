//! Decodes the strips or tiles of the first image one by one, row by row.

use tiff::decoder::ChunkType;

use super::{
    super::ImportError,
    blocks::Blocks,
    read::{Bytes, damaged},
};
use lanternfell_heightmap::MapSize;

/// Cells of a row that are stored together.
pub(super) struct Cut<'a> {
    /// The first cell, and its row in the file.
    pub(super) column: usize,
    pub(super) row: usize,
    /// The number of cells.
    pub(super) count: usize,
    /// Their samples, or `None` if the strip or tile is missing.
    pub(super) bytes: Option<&'a [u8]>,
}

/// Calls `take` for each row of each strip or tile. `bits` is the size of a cell.
pub(super) fn rows(
    decoder: &mut Bytes<'_>,
    blocks: &Blocks,
    (size, bits): (MapSize, usize),
    take: &mut dyn FnMut(Cut<'_>) -> Result<(), ImportError>,
) -> Result<(), ImportError> {
    // A strip may declare far more rows than the map has left. Only those are read.
    let (wide, tall) = decoder.chunk_dimensions();
    let tall = match decoder.get_chunk_type() {
        ChunkType::Strip => tall.min(size.height() as u32),
        ChunkType::Tile => tall,
    };
    let (wide, tall) = (wide as usize, tall as usize);
    let (across, down) = (size.width().div_ceil(wide), size.height().div_ceil(tall));
    // All pieces of a strip or tile, then those of the next one, because they are decompressed in this order.
    let pieces = blocks.pieces.max(1);
    let order = (0..down).step_by(pieces).flat_map(|first| {
        let rows = first..down.min(first + pieces);
        (0..across).flat_map(move |column| rows.clone().map(move |row| (column, row)))
    });
    let mut buffer = Vec::new();
    for (column, row) in order {
        let index = row * across + column;
        let is_missing = blocks.is_missing(row / pieces * across + column);
        let (column, row) = (column * wide, row * tall);
        let count = wide.min(size.width() - column);
        if !is_missing {
            let layout = decoder.image_chunk_buffer_layout(index as u32);
            buffer.resize(layout.map_err(damaged)?.len, 0);
            let read = decoder.read_chunk_bytes(index as u32, &mut buffer);
            read.map_err(damaged)?;
        }
        let mut rows = buffer.chunks_exact((count * bits).div_ceil(8));
        for row in (row..size.height()).take(tall) {
            let bytes = if is_missing { None } else { rows.next() };
            if bytes.is_none() && !is_missing {
                break;
            }
            take(Cut {
                column,
                row,
                count,
                bytes,
            })?;
        }
    }
    Ok(())
}

/// Returns an error if the file cannot hold the cells of the image, whose size is `bits` each.
pub(super) fn check_claim(
    decoder: &Bytes<'_>,
    blocks: &Blocks,
    (size, bits): (MapSize, usize),
) -> Result<(), ImportError> {
    let (wide, tall) = decoder.chunk_dimensions();
    let tall = match decoder.get_chunk_type() {
        ChunkType::Strip => tall.min(size.height() as u32),
        ChunkType::Tile => tall,
    };
    let chunk = u64::from(wide) * u64::from(tall);
    let most = chunk.max(size.cells() as u64);
    blocks.check_claim(most.saturating_mul(bits as u64) / 8)
}
