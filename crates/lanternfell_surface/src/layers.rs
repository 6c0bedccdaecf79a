//! Ground layers: which part of the terrain is grass, sand, rock or snow, by rules.
//!
//! Problem: a terrain has up to sixteen ground layers, each with its own rule: sand near the sea,
//! rock on steep slopes, snow above some height. A shader that evaluates all rules for each pixel
//! is slow, and vegetation needs the same result on the CPU.
//!
//! Idea: each rule computes a weight for each position. The two layers with the largest weights
//! win. Their numbers and the share of the second are stored as one texel of a *control map*. So
//! the shader blends two textures instead of sixteen:
//!
//! ```text
//!   heights ─> slope, curvature ─┐
//!           ─> coast, rivers     ├─> rule 0: 0.0 ┐
//!           ─> climate: moisture │   rule 1: 0.9 ├─> first 1, second 2, share 0.25
//!   noise ───────────────────────┘   rule 2: 0.3 ┘
//! ```
//!
//! The control map also stores what shading needs from the full-resolution map where the rendered
//! triangles are coarse: the normal, the visible share of the sky, and the moisture.
//!
//! Steps:
//! 1. Reduce the map to at most one cell per texel.
//! 2. Compute the inputs that any rule uses. The climate is smooth, so few cells suffice.
//! 3. Compute the texels row by row, on every core.
//!
//! Cost: O(rules) per texel, plus the cost of the inputs in use. Memory: 6 bytes per texel, and 4
//! bytes per texel for each input.
//!
//! Source: the two layers and one share per cell follow the control map of `Terrain3D`. The rules
//! are common in terrain tools since World Machine.

mod control;
mod line;
mod local;
mod parts;
mod relief;
mod row;
mod rule;
mod sky;
mod texels;
mod update;

pub use control::{ControlMap, ControlMapBuilder};
pub use parts::biomes_of;
pub use rule::{Fray, LayerError, LayerNoise, LayerRule, LayerRules, NearWater};
pub use update::{ChangedRows, ControlInputs};
