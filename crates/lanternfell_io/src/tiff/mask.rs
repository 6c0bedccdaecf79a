//! The mask of a TIFF: a second image that marks the cells that have a height.
//!
//! ```text
//! directory 1   the heights
//! directory 2   NewSubfileType 4: a bit for each cell, 1 if it has a height
//! ```
//!
//! The `tiff` crate does not decode images that are marked as masks. The file is therefore patched so that the mask is
//! the first image, with a gray color type.
//!
//! Source: Adobe, *TIFF revision 6.0*, 1992, `NewSubfileType`; GDAL, *GeoTIFF driver*, "Internal nodata masks".

use tiff::{
    ColorType,
    decoder::{ChunkType, Decoder},
};

use super::{
    super::{
        ImportError,
        cells::{Cells, Source},
        check_claim,
    },
    directory,
    patched::Patched,
    read::{Bytes, RowOrder, damaged},
};

const SUBFILE_TYPE: u16 = 254;
const INTERPRETATION: u16 = 262;

/// The bits of a subfile type for a mask, and for a reduced copy.
const MASK: u64 = 4;
const REDUCED: u64 = 1;

/// The photometric interpretation in which 0 is black.
const BLACK_IS_ZERO: u64 = 1;

/// The maximum number of images in a file. A map has a few reduced copies, each with a mask.
const MOST_DIRECTORIES: usize = 64;

/// Sets each cell that the file's mask excludes to `gap`. Returns whether the file has a mask.
pub(super) fn apply(
    file: &mut dyn Source,
    order: RowOrder,
    gap: f32,
    cells: &mut dyn Cells,
) -> Result<bool, ImportError> {
    let Some(mut file) = Patched::of(file) else {
        return Ok(false);
    };
    if make_first_picture(&mut file).is_none() {
        return Ok(false);
    }
    if directory::size(&mut file)? != order.size {
        return Err(malformed("its mask and its map have different sizes"));
    }
    super::make_decodable(&mut file)?;
    let found = usize::try_from(file.claimable()).unwrap_or(usize::MAX);
    file.go_to_beginning();
    let mut decoder = Decoder::new(file).map_err(damaged)?;
    if decoder.colortype().map_err(damaged)? != ColorType::Gray(1) {
        return Err(malformed("its mask does not have one bit per cell"));
    }
    cut(&mut decoder, found, order, gap, cells)?;
    Ok(true)
}

/// Makes the mask the first image of the file, and gray. Returns `None` if there is no mask.
fn make_first_picture(file: &mut Patched<'_>) -> Option<()> {
    let first = file.first_directory()?;
    let mut at = file.next_directory(first)?;
    for _ in 0..MOST_DIRECTORIES {
        if at == 0 {
            return None;
        }
        let kind = file.short_or_long(at, SUBFILE_TYPE);
        if let Some((_, kind)) = kind
            && kind & (MASK | REDUCED) == MASK
        {
            let (place, _) = file.short_or_long(at, INTERPRETATION)?;
            file.write(place, 2, BLACK_IS_ZERO);
            file.write_first_directory(at);
            return Some(());
        }
        at = file.next_directory(at)?;
    }
    None
}

/// Sets the excluded cells to `gap`, strip by strip or tile by tile.
fn cut(
    decoder: &mut Bytes<'_>,
    found: usize,
    order: RowOrder,
    gap: f32,
    cells: &mut dyn Cells,
) -> Result<(), ImportError> {
    let size = order.size;
    let (wide, tall) = decoder.chunk_dimensions();
    let tall = match decoder.get_chunk_type() {
        ChunkType::Strip => tall.min(size.height() as u32),
        ChunkType::Tile => tall,
    };
    let chunk = u64::from(wide) * u64::from(tall);
    check_claim(chunk.max(size.cells() as u64) / 8, found)?;
    let (wide, tall) = (wide as usize, tall as usize);
    let across = size.width().div_ceil(wide);
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
            cells.change(order.cell(column, y), columns, &mut |heights| {
                for (x, height) in heights.iter_mut().enumerate() {
                    let has_height = bits[x / 8] & (0x80 >> (x % 8)) != 0;
                    *height = if has_height { *height } else { gap };
                }
            })?;
        }
    }
    Ok(())
}

fn malformed(what: &str) -> ImportError {
    ImportError::malformed(format_args!("this kind of TIFF is not supported: {what}"))
}
