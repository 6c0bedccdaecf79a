//! Rectangles of cells, and the choice of rectangles around viewers.

mod area;
mod margins;

pub(crate) use area::CellArea;
pub(crate) use margins::Margins;

/// The column or row of the map that a texel shows. The first and last texels show the first and last cells.
pub(crate) fn texel_cell(texel: u32, texels: u32, cells: usize) -> usize {
    (u64::from(texel) * (cells as u64 - 1) / (u64::from(texels) - 1)) as usize
}
