//! A map as patches of triangles, as fine as each viewer needs them, and without a crack.
//!
//! A whole map is too much to draw: what is far away needs fewer triangles. But wherever fine triangles meet
//! coarse ones there must be no gap between them, and when their number changes nothing may be seen to move.
//!
//! The map is halved, again and again, into **right triangles**, each at the middle of its longest side
//! (right-triangulated irregular networks; Evans, Kirkpatrick and Townsend 2001). Two triangles that share
//! their longest side make a **diamond** and are only ever halved together; then any two neighbors share
//! whole sides:
//!
//! ```text
//!  level 0      level 1      level 2      a cut of several levels
//!  ┌─────┐      ┌─────┐      ┌──┬──┐      ┌─────┬──┬──┐
//!  │ ╲   │      │╲   ╱│      │╲ │ ╱│      │╲   ╱│╲ │ ╱│
//!  │   ╲ │      │  ╳  │      ├──┼──┤      │  ╳  ├──┼──┤
//!  └─────┘      │╱   ╲│      │╱ │ ╲│      │╱   ╲│╱ │ ╲│
//!               └─────┘      └──┴──┘      └─────┴──┴──┘
//! ```
//!
//! Each of these triangles is drawn not as one, but as a **patch** of [`SIDE`] by [`SIDE`] small ones, which are
//! halved in the same way (batched dynamic adaptive meshes; Cignoni and others 2003). Along a side that
//! two patches share both have the same vertices, whatever their levels: no skirts, no stitching, and a patch
//! knows nothing of its neighbors. The finest triangles make squares, which are cut as
//! [`Surface`](crate::surface::Surface) is.
//!
//! - [`DetailTree`] holds, for each diamond, how far the land drawn with it strays from the cells at most, and
//!   how low and high the land is there. Both hold for all that it is halved into as well.
//! - [`DetailTree::cut`] chooses the patches for some viewers: the diamond that is off by most
//!   pixels is halved first, until none is off by more than is allowed, or the memory for it is used up.
//! - [`DetailTree::triangulate`] makes the triangles of one patch.
//!
//! A cut keeps the error below a number of pixels. So a change of detail moves nothing by more than that, without
//! morphing in a vertex shader, and any material can draw the patches.
//!
//! A map's size need not fit: the vertices of a patch beyond the border stand on the border.
//!
//! With [holes](lanternfell_heightmap::HoleMask) a small triangle that is nothing but hole is not drawn, at any level, and
//! one that has some ground in it is. So ground is never missing, and a hole's outline is exact at the finest
//! level: whole squares, both their triangles. A coarser patch along an outline is off by the longest side of its
//! triangles, which are halved for that as for their heights; where memory ends first, a hole is drawn smaller than
//! it is, or not open at all.
//!
//! Cost: measuring reads each cell about twice; a cut of a few hundred patches takes about a tenth of a
//! millisecond; the tree takes about a byte for 125 cells.

mod cut;
mod error;
mod lattice;
mod numbers;
mod outline;
mod patch;
mod squares;
mod stray;
#[cfg(test)]
mod tests;
mod triangles;

pub use cut::{Cut, Lens, Viewer};
pub use error::DetailTree;
pub use patch::Patch;
pub use triangles::PatchTriangles;

/// Small triangles along the short sides of a patch: 4096 triangles, or 8192 for a square of the finest.
/// Enough to be worth a draw call, few enough to be culled well.
pub const SIDE: u32 = 64;
