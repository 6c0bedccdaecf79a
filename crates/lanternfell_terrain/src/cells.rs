//! Rectangles of cells, and which of them there should be around somebody.

mod area;
mod margins;

pub(crate) use area::CellArea;
pub(crate) use margins::Margins;
