//! Plants and stones from seeds: where they stand, and what they look like.
//!
//! - [`scatter`]: rules say on what ground a kind stands, how densely and how far from others; every
//!   square cell of the plane is made alone, in any order, and fits its neighbors.
//! - [`grow`]: meshes of trees, bushes, ferns, flowers, grass, stones and driftwood, at three levels of detail.
//! - [`raster`]: pictures of those meshes, drawn on the CPU, for the farthest level.
//!
//! All of it is a function of seeds: the same bits on every machine.

pub mod grow;
pub mod raster;
pub mod scatter;

mod hash;

/// The README's code is run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
