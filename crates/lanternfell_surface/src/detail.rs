//! Levels of detail: a map as patches of triangles, as fine as each viewer needs them, without
//! cracks.
//!
//! Problem: a whole map has too many triangles to render, and distant parts need fewer. But where
//! fine triangles meet coarse ones there must be no gap, and a change of detail must not be
//! visible.
//!
//! Idea: the map is halved repeatedly into **right triangles**. Each one is split at the middle of
//! its longest side (right-triangulated irregular networks; Evans, Kirkpatrick and Townsend 2001).
//! Two triangles that share their longest side form a **diamond** and are always halved together.
//! So neighboring triangles always share whole sides:
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
//! Each of these triangles is rendered as a **patch** of small triangles, [`SIDE`] along each short
//! side, which come from halving it in the same way (batched dynamic adaptive meshes; Cignoni and
//! others 2003). Two patches always have the same vertices along the side that they share, even if
//! their levels differ. So there are no skirts and no stitching, and a patch does not depend on its
//! neighbors. The finest triangles form squares, which are split as in
//! [`Surface`](crate::surface::Surface).
//!
//! - [`DetailTree`] stores, for each diamond, the largest height error of its triangles, and the
//!   range of heights. Both bounds also hold for everything that the diamond is halved into.
//! - [`DetailTree::cut`] chooses the patches for some viewers. It repeatedly halves the diamond
//!   with the largest screen-space error, until no error exceeds the limit or the memory budget is
//!   used up.
//! - [`DetailTree::triangulate`] returns the triangles of one patch.
//!
//! A cut keeps the error below a number of pixels, so a change of detail moves nothing by more than
//! that. No morphing in a vertex shader is needed, and any material can render the patches.
//!
//! The map can have any size. Vertices of a patch that would be outside the map are moved onto its
//! border.
//!
//! ```
//! use glam::Vec3;
//! use lanternfell_heightmap::{Hills, MapSize, Progress, Scale};
//! use lanternfell_surface::Surface;
//! use lanternfell_surface::detail::{Cut, DetailTree, Lens, Viewer};
//!
//! let progress = Progress::default();
//! let size = MapSize::new(256, 256)?;
//! let map = Hills::default().generate(size, 7, &progress)?;
//! let scale = Scale::of_size(size);
//! let tree = DetailTree::new(&map, &progress)?;
//!
//! // A screen of 1080 pixels height, with a vertical field of view of 45 degrees.
//! let lens = Lens::Perspective(1080.0 / (2.0 * (45.0_f32 / 2.0).to_radians().tan()));
//! let viewer = Viewer { eye: Vec3::new(0.0, 60.0, 0.0), lens };
//! // At most 2 pixels of error, and the memory of at most 1000 triangular patches.
//! let cut = tree.cut(&[viewer], scale, 2.0, 1000, &Cut::default());
//! let surface = Surface::new(&map, scale);
//! for patch in &cut.patches {
//!     let mesh = tree.triangulate(&surface, *patch);
//!     assert_eq!(mesh.positions.len(), mesh.normals.len());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Holes
//!
//! With [holes](lanternfell_heightmap::HoleMask), a small triangle is left out if all of it is a
//! hole. A triangle that is partly ground is rendered whole, at every level, so ground is never
//! missing. At the finest level the outline of a hole is exact: whole squares, both triangles. A
//! coarser patch at an outline counts as an error of the longest side of its triangles, and is
//! halved like any other. If the memory budget ends first, a hole is rendered smaller than it is,
//! or closed.
//!
//! # Cost
//!
//! Measuring reads each cell about twice. A cut of a few hundred patches takes about 0.1 ms. The
//! tree takes about one byte per 58 cells. [`DetailTree::update`] after a change of 64 x 64 of 4096 x
//! 4096 cells takes 0.6 ms, where a new tree takes 107 ms (on two shared cores).

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
mod update;

pub use cut::{Cut, Lens, Viewer};
pub use error::DetailTree;
pub use patch::Patch;
pub use triangles::PatchTriangles;

/// Small triangles along each short side of a patch. A patch has 4096 triangles, or 8192 if it is a
/// square of the finest level.
///
/// This is large enough to be worth a draw call and small enough for effective culling.
pub const SIDE: u32 = 64;
