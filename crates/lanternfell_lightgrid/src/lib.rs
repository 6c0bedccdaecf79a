//! Light on a grid by a cellular automaton: soft and colored, it flows round corners, is
//! caught by walls, and is readable by game rules. With line of sight, since what is seen is
//! what is lit *and* in sight. No engine, the same bits on every machine.
//!
//! ```
//! use lanternfell_lightgrid::{
//!     Cell, FieldOfView, IVec2, LightBand, LightBands, LightGrid, LightSettings, Source, Vec3,
//! };
//!
//! let mut grid = LightGrid::new(40, 20, LightSettings::default())?;
//! grid.fill(|cell| if cell.x == 20 && cell.y != 10 { Cell::WALL } else { Cell::OPEN })?;
//! grid.set_sources(&[Source::new(IVec2::new(12, 10), Vec3::new(1.0, 0.8, 0.5))])?;
//!
//! // For rules: at rest, at once. (For the eye: `grid.step(4)` each frame lets it flow.)
//! grid.settle(1e-3);
//!
//! let (guard, thief) = (IVec2::new(4, 10), IVec2::new(14, 12));
//! let mut view = FieldOfView::new();
//! grid.look(&mut view, guard, 30);
//! assert!(grid.is_seen(&view, thief, &LightBands::default(), LightBand::Dim));
//! # Ok::<(), lanternfell_lightgrid::LightError>(())
//! ```
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
//! ```text
//!    #####################
//!    #============-----::#            A lamp in a room, and the doorway that it
//!    #======+++====----::#            shines through: LightGrid::dump().
//!    #=====++*++===----::#
//!    #====++*@*+===----:::.           # wall   % dark wall   . to @ light
//!    #=====++*++===----::#%%
//!    #=====+++++===----::#
//!    #=======+====-----::#
//!    #####################
//! ```
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
//! Both read and change the same light. Either costs what changes: tiles in which nothing
//! flows are not visited, and a grid at rest costs nothing. The number of lights does not
//! matter.
//!
//! # What there is to ask
//!
//! [`light`](LightGrid::light), [`luminance`](LightGrid::luminance) and, with hysteresis,
//! its [`band`](LightGrid::band); the [`gradient`](LightGrid::gradient), the
//! [`darkest_neighbor`](LightGrid::darkest_neighbor) to hide in, and the
//! [`glow`](LightGrid::glow) that says whence light comes. [`FieldOfView`] and
//! [`line_of_sight`] are symmetric shadowcasting: who sees is seen.
//!
//! # Promises
//!
//! - Light is never negative, never NaN, and never brighter than the brightest source
//!   or ambient light has been.
//! - The same calls give the same bits, on every machine, with any number of threads, however
//!   steps are bundled and whatever the tile size.
//! - Adding a light darkens nothing (but for a *negative* light, which is what it is for).
//! - Nothing panics on data: what can not be is an error that names the field, its value and
//!   what is allowed, and the grid is as it was before.
//!
//! # Features
//!
//! `parallel` (default): several cores, by `rayon`; the bits are the same without.

mod activity;
mod bands;
mod cell;
mod channel;
mod direct;
mod dump;
mod error;
mod grid;
mod kernel;
mod line;
mod medium;
mod neighborhood;
mod plane;
mod query;
mod reach;
mod save;
mod settings;
mod shadowcast;
mod source;
mod sparse;
mod supply;
mod threads;

pub use bands::{LightBand, LightBands};
pub use cell::Cell;
pub use dump::Dump;
pub use error::LightError;
pub use glam::{IVec2, UVec2, Vec2, Vec3};
pub use grid::{LUMINANCE, LightGrid, Settled};
pub use line::line;
pub use neighborhood::Neighborhood;
pub use query::{Glow, Tile};
pub use reach::RIM;
pub use settings::{Falloff, LightSettings};
pub use shadowcast::{FieldOfView, line_of_sight};
pub use source::Source;
