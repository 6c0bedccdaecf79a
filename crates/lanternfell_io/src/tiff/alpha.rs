//! Alpha in a separate plane: where it is 0, a cell has no height.

use super::{
    super::{
        ImportError,
        cells::{Cells, Source},
    },
    bands::{self, Selected},
    directory,
    read::{self, Pixels, RowOrder},
};

/// Changes the cells that are transparent in this plane to `gap`.
pub(super) fn apply(
    file: &mut dyn Source,
    band: usize,
    order: RowOrder,
    gap: f32,
    cells: &mut dyn Cells,
) -> Result<(), ImportError> {
    let (mut view, _) = directory::open(file)?;
    bands::select_plane(&mut view, band)?;
    let (mut decoder, blocks) = read::decoder(view)?;
    let alone = Selected {
        band,
        sample: 0,
        alpha: None,
        colored: false,
    };
    let pixels = Pixels::of(&mut decoder, &alone)?;
    pixels.cut_transparent(&mut decoder, &blocks, order, (gap, cells))
}
