#![doc = include_str!("../README.md")]
//!
//! # The algorithm
//!
//! Each cell `i` has a light `u` and a *transparency* `t`, the share of light that it passes on. In
//! each step, the new light of a cell is the weighted average of the light that the cell itself and
//! its neighbors `j` pass on. Then the share `decay` is lost:
//!
//! ```text
//!    u'(i) = (1 - decay) * sum(w_j t_j u_j) / sum(w_j (1 - (1 - t_j) albedo_j))
//! ```
//!
//! The cell of a lamp is held at the strength of the lamp. Walls (`t = 0`) receive light, so they
//! are visible, but pass none on. Light spreads around corners and through doors. When a lamp goes
//! out, the light fades over several steps.
//!
//! The denominator decides what happens to light that meets a wall. With `albedo` 1 a wall counts
//! in neither sum and reflects all light. With `albedo` 0 it counts in the denominator only and
//! absorbs all light. Transparency and albedo are separate for red, green and blue, which allows
//! stained glass and red walls.
//!
//! Source: the article "Light propagation with CA" (2011). Decay, albedo, color and partial
//! transparency are additions.
//!
//! # Two ways to run it
//!
//! - [`LightGrid::step`] advances the automaton: light visibly spreads and fades.
//! - [`LightGrid::settle`] computes the state in which the steps would end. It makes several passes
//!   over the cells whose light is not settled yet, called *sweeps*. At a radius of 12 it needs
//!   about thirty sweeps, where the automaton takes a thousand steps. Use it for turn-based rules
//!   such as "is this cell lit?".
//!
//! Both read and change the same light, and you can mix them. Their cost depends on how much light
//! changes, not on the size of the map or the number of lamps. A step skips tiles without changes,
//! and the solver skips single cells. A grid at rest costs nothing.
//!
//! If all lamps have the same color (in any strengths), settling colored light costs little more
//! than settling gray light. This requires that:
//!
//! - cells treat all colors alike; if there have been colored cells, replace all cells with
//!   [`set_cells`](LightGrid::set_cells) or [`fill`](LightGrid::fill) to make this true again,
//! - light fades, by at least 1/4096 per step,
//! - there is no ambient light.
//!
//! It applies from the start. After steps, lamps of other colors, ambient light or loading a saved
//! grid, it applies again after some more settling.
//!
//! # Queries
//!
//! - [`light`](LightGrid::light), [`luminance`](LightGrid::luminance) and [`band`](LightGrid::band)
//!   return the light of a cell: as a color, as a number, and as a named level with hysteresis.
//! - [`gradient`](LightGrid::gradient) is the direction in which light increases,
//!   [`darkest_neighbor`](LightGrid::darkest_neighbor) a place to hide, and
//!   [`glow`](LightGrid::glow) finds where the light of a cell comes from.
//! - [`FieldOfView`] and [`line_of_sight`] use symmetric shadowcasting: if A sees B, then B sees A.
//! - [`exposure`](LightGrid::exposure) sums the light along a path, and
//!   [`darkest_path`](LightGrid::darkest_path) finds the path that stays in the shadows.
//! - [`contributions`](LightGrid::contributions) returns the part of each source in the light of a
//!   cell, and [`what_if`](LightGrid::what_if) tests how the light would be without a lamp or with
//!   a door open.
//!
//! Related types:
//!
//! - [`Relief`] adds heights: hills cast shadows, and slopes that face a lamp are brighter.
//! - [`LightWorker`] computes the light on another thread while you keep reading and changing the
//!   grid.
//! - [`HighResLight`] computes the light for rendering, in smaller cells, with soft shadows of
//!   lamps that have a size.
//! - [`hexagonal`] describes the layout of hexagonal grids. Most of the above works on them without
//!   changes.
//!
//! # Guarantees
//!
//! - **Range.** Light is never negative, never NaN, and never brighter than the brightest source or
//!   ambient light so far.
//! - **Errors.** Invalid input never panics. Methods return an error that names the field, its
//!   value and what is allowed, and leave the grid unchanged.
//! - **Determinism.** The same calls produce the same bits on every machine, with any number of
//!   threads, any division of the steps into calls, and any tile size. One exception: if lamps of
//!   one color are joined by lamps of another color, settled light may depend on the tile size, by
//!   less than the tolerance.
//! - **Monotonicity.** Adding a source never darkens a cell, unless its light is negative.
//! - **Conservation.** Without decay, and with walls of albedo 1, steps do not lose light: the sum
//!   over all cells of the light, times the transparency of the cell, times the weighted
//!   transparency of its neighborhood (including itself) is constant. The border reflects light.
//!   There are two exceptions: rounding, and a cutoff. A step sets light below 1/65536 to zero, so
//!   that light does not spread forever and tiles come to rest. With decay, the cutoff makes steps
//!   end at most 1/65536 divided by the decay below the light of [`LightGrid::settle`], which has
//!   no cutoff.

mod activity;
mod aligned;
mod area;
mod axial;
mod bands;
mod cell;
mod channel;
mod color;
mod contributions;
mod darkest_path;
mod direct;
mod dump;
mod edits;
mod emitters;
mod error;
mod exposure;
mod fine;
mod flow;
mod grid;
pub mod hexagonal;
mod kernel;
mod limits;
mod line;
mod medium;
mod neighborhood;
mod plane;
mod query;
mod reach;
mod relief;
mod save;
mod scene;
mod settings;
mod settle;
mod shadowcast;
mod source;
mod sparse;
mod threads;
mod what_if;
mod worker;

pub use bands::{LightBand, LightBands};
pub use cell::Cell;
pub use color::LUMINANCE;
pub use contributions::Contributions;
pub use darkest_path::{DarkPath, Diagonals, PathError, PathOptions};
pub use dump::LightDump;
pub use error::LightError;
pub use exposure::Exposure;
pub use fine::{Disc, HighResLamp, HighResLight};
pub use flow::Settled;
pub use glam::{IVec2, UVec2, Vec2, Vec3};
pub use grid::LightGrid;
pub use line::line;
pub use neighborhood::Neighborhood;
pub use query::{Glow, Tile};
pub use reach::RADIUS_CUTOFF;
pub use relief::Relief;
pub use settings::{Falloff, LightSettings};
pub use shadowcast::{FieldOfView, line_of_sight};
pub use source::Source;
pub use what_if::WhatIf;
pub use worker::LightWorker;
