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
//! # Over a network
//!
//! A [`TerrainServer`] decides which edits are part of the terrain, and [`TerrainClient`]s show it. Both
//! are state machines without sockets and clocks: you move [packets](TerrainPacket) between them, and
//! pass the time. Packets have at most 1200 bytes, and may get lost, repeated and reordered.
//!
//! ```text
//!   client 1                    server                       client 2
//!     stroke  ── visible at once
//!        └─ send ───────────> receive    limits of author 1
//!                                 │      accepted: entry 57
//!     receive <────────────── send ────────────────────────> receive
//!     refused? taken back                                    entry 57 missing? asks for it
//! ```
//!
//! ```
//! use std::{sync::Arc, time::Duration};
//! use lanternfell_edits::{
//!     Brush, EditLimits, Edits, FlatBase, ServerLimits, Stroke, TerrainClient, TerrainServer,
//! };
//!
//! let base = Arc::new(FlatBase { height_mm: 2000 });
//! let edits = Edits::new(base.clone());
//! let mut server = TerrainServer::new(edits, "flat, 2 m", ServerLimits::default())?;
//! let mut client = TerrainClient::new(1, base, "flat, 2 m", EditLimits::default());
//!
//! // A player has connected, and the game knows that it is player 1.
//! server.connect(1, Duration::ZERO);
//! for frame in 0..60 {
//!     let now = Duration::from_millis(16 * frame);
//!     if frame == 20 {
//!         client.stroke(Stroke::along(Brush::Lower { mm: 500 }, 1024, [[0, 0]]))?;
//!     }
//!     // Your transport is between `send` and `receive`.
//!     for packet in client.send(now) {
//!         let received = server.receive(1, &packet, now)?;
//!         println!("{} rectangles changed", received.changes.len());
//!     }
//!     for (player, packet) in server.send(now) {
//!         assert_eq!(player, 1);
//!         let received = client.receive(&packet)?;
//!         for (_, refusal) in received.refused {
//!             println!("The server refused an edit: {refusal}");
//!         }
//!     }
//! }
//! assert_eq!(server.edits().delta_mm(0, 0), -500);
//! assert_eq!(client.pending(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - *Order.* The server numbers accepted edits, and the number is the time of the
//!   [entry](Entry). Clients never send times.
//! - *Limits.* [`ServerLimits`] bounds what an author may do. A [`Refusal`] names the limit and the value,
//!   and the client takes the edit back, so that no bit of it remains.
//! - *Late join.* The server compacts old entries into a checkpoint. A client compares a tree of tile
//!   hashes with what it has, receives the tiles that differ, compressed, and the entries since. After
//!   an hour of typical digging by four players this takes about 180 to 240 KiB (`tests/sync/size.rs`).
//! - *Trust.* Clients trust the server. The server trusts nothing in a packet, but does not know who sends
//!   it: the transport must.
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
//! A stroke costs about 3 ns per cell and dab. Undo of an additive stroke, or its late arrival,
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
mod modifiers;
mod noise;
mod scene;
mod state;
mod stroke;
mod sync;
mod tile;
mod weights;
mod whole;

pub use base::{BaseHeights, FlatBase, MapBase};
pub use brush::{Brush, Falloff};
pub use cells::{CellRect, Channel, TILE_CELLS, TILE_SIDE, TileAddress};
pub use edited_map::EditedMap;
pub use edits::{EditLimits, EditMemory, Edited, Edits};
pub use entry::{EditId, Entry, Operation};
pub use error::{EditError, ReadError};
pub use image::{StampError, StampImage};
pub use modifiers::{
    Bank, Earthwork, MapGrid, ModifiedTiles, Modifier, ModifierError, PathHeights, PathModifier,
    PathPoint, Pavement, Placement, PlatformModifier, Ribbon, StampBlend, StampModifier,
};
pub use state::Change;
pub use stroke::{Stroke, StrokeError};
pub use sync::{
    Allowance, Received, Refusal, ServerLimits, SyncError, TerrainClient, TerrainPacket,
    TerrainServer,
};
pub use tile::{PaintCell, Tile};

/// Compiles the code of the README as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
