//! Editing of terrain at run time: a log of brush strokes over an untouched base.
//!
//! Problem: players and editors dig, paint and build on a terrain, want to undo it, and share it
//! over a network, and everyone must end up with the same terrain, bit for bit.
//!
//! Idea: the terrain is the base plus all [strokes](Stroke) of a log, applied in an order that does
//! not depend on when they arrive. Everything is an integer: positions in 1/256 of a cell, heights
//! in millimeters. Only the tiles that strokes touch are stored, as differences from the base.
//!
//! ```text
//!   log    time 1  author 1   raise            base   _/\__      heights, never changed
//!          time 2  author 2   flatten          delta  _|‾|_      tiles of 64 x 64 cells
//!          time 3  author 1   undo time 1
//!          time 3  author 2   paint            holes, paint, plants: other tiles
//! ```
//!
//! ```
//! use std::sync::Arc;
//! use lanternfell_edits::{Brush, CellRect, EditLimits, Edits, FlatBase, Stroke};
//!
//! let mut edits = Edits::new(Arc::new(FlatBase { height_mm: 2000 }));
//! // Cells are 256 units apart.
//! let hill = Stroke::along(Brush::Raise { mm: 500 }, 8 * 256, [[0, 0]]);
//! let road = Stroke::along(Brush::Flatten { mm: Some(2100) }, 3 * 256, [[0, 0], [5120, 0]]);
//! edits.stroke(1, hill)?;
//! let made = edits.stroke(2, road)?;
//! assert_eq!(edits.heights_mm(CellRect::new(0, 0, 1, 1)), [2100]);
//! println!("{} rectangles changed", made.changes.len());
//!
//! // Another copy of the log gets the entries in any order.
//! let mut copy = Edits::new(Arc::new(FlatBase { height_mm: 2000 }));
//! for entry in edits.entries().rev() {
//!     copy.insert(entry.clone())?;
//! }
//! assert!(copy.tiles().eq(edits.tiles()));
//!
//! // The stroke of author 2 stays.
//! edits.undo(1)?;
//! edits.undo(2)?;
//! assert_eq!(edits.tiles().count(), 0);
//! edits.redo(2)?;
//!
//! let bytes = edits.to_bytes();
//! let base = Arc::new(FlatBase { height_mm: 2000 });
//! let read = Edits::from_bytes(&bytes, base, EditLimits::default())?;
//! assert!(read.tiles().eq(edits.tiles()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is exact
//!
//! - The same entries over the same base give the same tiles, on every machine and with any limits.
//!   The order in which they arrive does not matter.
//! - The order of [additive](Brush) strokes does not matter. All other strokes follow the order of
//!   the log: by time, then author, then number.
//! - Undoing a stroke gives the terrain that the log has without it. When all strokes are undone, no
//!   tile is left.
//! - Nothing is rescaled or clamped. Heights are integers modulo 2^32, so a height that leaves the
//!   range of 2147 km above or below zero wraps around.
//!
//! # Cost
//!
//! A stroke costs about 6 ns per cell and dab. Undo of an additive stroke, or its late arrival,
//! costs as much as the stroke, if no later stroke reads its tiles. Otherwise the blocks of 8 x 8
//! cells that depend on it are computed again from a checkpoint: those of the stroke, of later strokes
//! that compute cells from them, and so on. The worst case is an old stroke below thousands of large
//! strokes that smooth or clone: then most of them are applied again. [`Edits::compact`] bounds that,
//! because compacted strokes cannot be undone.
//! `tests/edits/measures.rs` prints times and memory.

mod apply;
mod base;
mod blocks;
mod brush;
mod cells;
mod checkpoints;
mod edited_map;
mod edits;
mod entry;
mod erode;
mod error;
mod image;
mod log;
mod noise;
mod scene;
mod state;
mod stroke;
mod tile;
mod weights;

pub use base::{BaseHeights, FlatBase, MapBase};
pub use brush::{Brush, Falloff};
pub use cells::{CellRect, Channel, TILE_CELLS, TILE_SIDE, TileAddress};
pub use edited_map::EditedMap;
pub use edits::{EditLimits, EditMemory, Edited, Edits};
pub use entry::{EditId, Entry, Operation};
pub use error::{EditError, ReadError};
pub use image::{StampError, StampImage};
pub use state::Change;
pub use stroke::{Stroke, StrokeError};
pub use tile::{PaintCell, Tile};

/// Compiles the code of the README as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
