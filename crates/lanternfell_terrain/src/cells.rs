//! Rectangles of cells, and the choice of rectangles around viewers.

mod area;
mod margins;

pub(crate) use area::CellArea;
pub(crate) use margins::Margins;
