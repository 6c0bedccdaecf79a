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

use tiff::ColorType;

use super::{
    super::{
        ImportError,
        cells::{Cells, Source},
    },
    blocks::Blocks,
    decoded, directory,
    patched::Patched,
    read::{self, Bytes, RowOrder, damaged},
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
    let (mut decoder, blocks) = read::decoder(file)?;
    if decoder.colortype().map_err(damaged)? != ColorType::Gray(1) {
        return Err(malformed("its mask does not have one bit per cell"));
    }
    cut(&mut decoder, &blocks, order, (gap, cells))?;
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

/// Sets the excluded cells to `gap`, strip by strip or tile by tile. All cells of a missing strip are excluded.
fn cut(
    decoder: &mut Bytes<'_>,
    blocks: &Blocks,
    order: RowOrder,
    (gap, cells): (f32, &mut dyn Cells),
) -> Result<(), ImportError> {
    let image = (order.size, 1);
    decoded::check_claim(decoder, blocks, image)?;
    decoded::rows(decoder, blocks, image, &mut |cut| {
        let first = order.cell(cut.column, cut.row);
        cells.change(first, cut.count, &mut |heights| {
            for (x, height) in heights.iter_mut().enumerate() {
                let byte = cut.bytes.map_or(0, |bits| bits[x / 8]);
                let has_height = byte & (0x80 >> (x % 8)) != 0;
                *height = if has_height { *height } else { gap };
            }
        })
    })
}

fn malformed(what: &str) -> ImportError {
    ImportError::malformed(format_args!("this kind of TIFF is not supported: {what}"))
}
