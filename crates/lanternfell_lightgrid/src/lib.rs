#![doc = include_str!("../README.md")]
//!
//! # The idea
//!
//! Every cell has a *transparency* `t` (how much light it passes on) and a *light* `u`. In
//! each step every cell takes the average over itself and its neighbors `j`, with weights
//! `w`, of the light that they pass on; then a part `decay` of it is lost:
//!
//! ```text
//!    u'(i) = (1 - decay) * sum(w_j t_j u_j) / sum(w_j (1 - (1 - t_j) albedo_j))
//! ```
//!
//! and a lamp's cell is held at the lamp's strength. So a wall receives light, and can be
//! seen, but passes none on; light seeps round corners and through doors; and when the lamp
//! goes out, darkness falls over several steps.
//!
//! What stands below the line matters. With `albedo` 1 walls are left out of both sums and
//! throw all light back; with 0 they count below the line and swallow it. The three colors
//! have transparency and albedo each, so there are stained glass and red walls.
//!
//! The rule is that of the article "Light propagation with CA" (2011), with decay, albedo,
//! color and partial transparency added.
//!
//! # Two ways to run it
//!
//! - [`LightGrid::step`] does literal steps: light visibly flows and fades.
//! - [`LightGrid::settle`] goes to where the steps would end, in some thirty sweeps (at a radius of 12) where the
//!   automaton takes a thousand steps: for rules that ask "is he lit?" once a turn.
//!
//! Both read and change the same light. Either costs what changes, whatever the size of the map:
//! steps do not visit tiles in which nothing flows, settling not even cells, and a grid at rest
//! costs nothing. The number of lights does not matter. Where all lamps have one color, in whatever strengths, settling
//! costs little more than in gray light, if cells treat all colors alike, light fades, and there is no ambient light; from the
//! beginning, and a while after steps, other lamps, ambient light or loading. (Where there have been colored cells, after
//! [`LightGrid::set_cells`] or [`fill`](LightGrid::fill).)
//!
//! # What there is to ask
//!
//! [`light`](LightGrid::light), [`luminance`](LightGrid::luminance) and, with hysteresis,
//! its [`band`](LightGrid::band); the [`gradient`](LightGrid::gradient), the
//! [`darkest_neighbor`](LightGrid::darkest_neighbor) to hide in, and the
//! [`glow`](LightGrid::glow) that says whence light comes. [`FieldOfView`] and
//! [`line_of_sight`] are symmetric shadowcasting: who sees is seen.
//! [`exposure`](LightGrid::exposure) sums the light along a way up, and
//! [`darkest_way`](LightGrid::darkest_way) finds the one that keeps to the shadows.
//! [`contributions`](LightGrid::contributions) says who lights a cell, and
//! [`what_if`](LightGrid::what_if) how it would be with a lamp out or a door open.
//! A [`Relief`] puts land under the cells: hills hide what lies behind them, and slopes catch light.
//! A [`LightWorker`] works the light out on another thread while all this is asked.
//! A [`FineLight`] has it for a screen, in finer cells, with soft shadows of lamps that have a size.
//! On maps of hexagons all of this is the same; [`hexagonal`] says how their cells are counted.
//!
//! # Promises
//!
//! - Light is never negative, never NaN, and never brighter than the brightest source
//!   or ambient light has been.
//! - Without decay, and with walls that throw all light back, steps lose none of it (a cell counts by
//!   what it passes, times what it and those around it do; the border throws light back), but for
//!   rounding and for one thing: in a step, light below 1/65536 is none, so that it does not creep
//!   on for ever and tiles come to rest. With decay, steps end at most 1/65536 divided by the decay
//!   below where [`LightGrid::settle`] does, which leaves faint light alone.
//! - The same calls give the same bits, on every machine, with any number of threads, however
//!   steps are bundled and whatever the tile size. (But settled light where lamps of one color have been joined by others:
//!   that may depend on the tile size, by less than the tolerance.)
//! - Adding a light darkens nothing (but for a *negative* light, which is what it is for).
//! - Nothing panics on data: what can not be is an error that names the field, its value and
//!   what is allowed, and the grid is as it was before.

mod activity;
mod aligned;
mod area;
mod axial;
mod bands;
mod cell;
mod channel;
mod color;
mod contributions;
mod darkest_way;
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
pub use darkest_way::{Diagonals, Walk, Way, WayError};
pub use dump::Dump;
pub use error::LightError;
pub use exposure::Exposure;
pub use fine::{Disc, FineLamp, FineLight};
pub use flow::Settled;
pub use glam::{IVec2, UVec2, Vec2, Vec3};
pub use grid::LightGrid;
pub use line::line;
pub use neighborhood::Neighborhood;
pub use query::{Glow, Tile};
pub use reach::RIM;
pub use relief::Relief;
pub use settings::{Falloff, LightSettings};
pub use shadowcast::{FieldOfView, line_of_sight};
pub use source::Source;
pub use what_if::WhatIf;
pub use worker::LightWorker;
