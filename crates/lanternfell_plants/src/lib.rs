//! Procedural plants and stones: where they grow, and their meshes.
//!
//! - [`scatter`]: places instances by rules: terrain layers, slope, height, density and distances. Each square cell of
//!   the plane can be computed alone and in any order, and fits its neighbors.
//! - [`grow`]: generates meshes of trees, bushes, ferns, flowers, grass, stones and driftwood at three levels of
//!   detail.
//! - [`raster`]: renders images of these meshes on the CPU, for the far level of detail.
//!
//! All results are pure functions of seeds and inputs, with the same bits on every machine. The crate needs no engine.

pub mod grow;
pub mod raster;
pub mod scatter;

mod hash;

/// Compiles the code blocks in the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
