//! Which layer of ground lies where: grass, sand, rock, snow, by rules.
//!
//! Problem: a ground has up to sixteen layers, and each knows where it lies by itself: sand near the sea, rock
//! where it is steep, snow from some height on. A shader that asks all of them at every pixel is slow, and what
//! grows on the ground must ask the same on the CPU.
//!
//! Idea: each rule says how much it wants a place, from 0 on; the two that want it most get it. What they are, and
//! how much the second has of it, is one texel of a *control map*, by which the shader mixes two textures
//! instead of sixteen:
//!
//! ```text
//!   heights ─> slope, curvature ─┐
//!           ─> coast, rivers     ├─> rule 0: 0.0 ┐
//!           ─> climate: moisture │   rule 1: 0.9 ├─> first 1, second 2, share 0.25
//!   noise ───────────────────────┘   rule 2: 0.3 ┘
//! ```
//!
//! Beside it goes what shading wants of the whole map where its triangles are coarse: the normal, how much of
//! the sky is seen, and how wet the ground is.
//!
//! Steps: the map is thinned to as many cells as texels may be; the parts that any rule asks for are computed, the
//! climate on few cells, for it is smooth; then row by row each texel by itself, on every core.
//!
//! Cost: O(rules) per texel, and what the parts cost that are asked for. Memory: 6 bytes per texel, and 4 for each
//! part.
//!
//! Source: two layers and a share of each cell as in `Terrain3D`'s control map; the rules are those of every terrain
//! tool since World Machine.

mod control;
mod parts;
mod rule;
mod stroke;

pub use control::{ControlMap, ControlMapBuilder};
pub use parts::biomes_of;
pub use rule::{BesideWater, Fray, LayerError, LayerNoise, LayerRule, LayerRules};
pub use stroke::LayerStroke;
