//! Generates, filters, erodes, blends and analyzes heightmaps.
//!
//! A [`Heightmap`] is a rectangle of heights, usually from 0 (lowest) to 1 (highest). A [`Generator`] makes one
//! from a few parameters and a seed. A [`Recipe`] combines generators, blends, [filters](filter), [`erosion`] and
//! masks in named steps, and can be saved to a file. An [`ElevationModel`] places a map in the world: its heights in
//! meters, the size of its cells, and its georeference.
//!
//! Three other crates build on this one: `lanternfell_surface` (queries, levels of detail, ground layers, rivers and
//! lakes), `lanternfell_io` (file formats and folders of tiles) and `lanternfell_render` (a CPU renderer).
//!
//! ```
//! use lanternfell_heightmap::{Hills, MapSize, Progress, Recipe};
//!
//! let island = Hills { island: true, ..Hills::default() };
//! let recipe = Recipe::new(MapSize::new(128, 128)?, 7, island);
//! let map = recipe.generate(&Progress::default())?;
//! assert_eq!(map.get(0, 0), 0.0); // the corner lies in the sea
//! assert_eq!(map.range(), (0.0, 1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The generators
//!
//! | generator | idea | source |
//! |---|---|---|
//! | [`Faults`] | a random line lifts one half of the map, a thousand times | Shankel, *Fault Formation*, Game Programming Gems, 2000 |
//! | [`Fluid`] | noise settles like the surface of a viscous fluid | Woodhouse, *Terrain Generation Using Fluid Simulation*, 2003 |
//! | [`FractalNoise`] | octaves of simplex noise over a sea at middle height | Leib, *Fractal simplex noise*, 2016 |
//! | [`Hills`] | hundreds of overlapping paraboloids | Nystrom, *Hill Algorithm*, 2001 |
//! | [`RidgedMultifractal`] | crests that grow finer crests, above smooth valleys | Musgrave, *Texturing and Modeling*, 2003 |
//! | [`Worley`] | distances to scattered points: cells, cracks, craters | Worley, *A Cellular Texture Basis Function*, 1996 |
//! | [`RiverDelta`] | a river that branches to the sea, and the land that it has built | Gastner and Newman, *The spatial structure of networks*, 2006 |
//!
//! The parameters of each, with their ranges and defaults, are [described](parameter) by data:
//! command lines and panels ask for them.
//!
//! Each is split into **the draws**, seeded random numbers in a documented order, and
//! **the evaluation**, a pure function of those draws. Both are public: a test, a paper or
//! another program can hand over its own draws. All have one shape:
//!
//! | method | gives |
//! |---|---|
//! | `validate(size)` | a [`ParamError`] that names what is out of its range |
//! | `draw(size, seed)` | lines, hills, octaves, a surface: what the seed decides |
//! | `evaluate(size, &draws, &progress)` | their map, or a [`GenerateError`] |
//! | `generate(size, seed, &progress)` | all three, one after the other |
//!
//! [`Recipe::heights_at`] returns the heights of single cells without making the map.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `parallel` (default) | every core, with `rayon`. The bits are the same without it. |
//! | `noise` (default) | the noises of the `noise` crate as sources of [`FractalNoise`] |
//! | `bevy_reflect` | Bevy's reflection of [`Recipe`], for scenes |
//!
//! # What holds everywhere
//!
//! - The same seed gives the same bits on every machine, with any number of threads, in
//!   debug and release builds: see [`SeededRng`].
//! - Nothing panics on data. Parameters are checked before any work, and a
//!   [`ParamError`] names the parameter, its value and what is allowed.
//! - Long work reports its [`Progress`] and can be cancelled by it.
//! - A generator takes less than 2.5 times the memory of the map it makes, and besides
//!   that its draws: at most 64 bytes for each fault line (96 where it is a ramp), 24 for
//!   each hill. Filters and erosion say what they take; of a recipe's steps,
//!   [`Recipe::maps_at_once`] tells how many maps there are at most.

pub mod analysis;
pub mod climate;
pub mod erosion;
pub mod filter;
pub mod hydrology;
pub mod parameter;
pub mod rows;

mod blend;
mod context;
mod cover;
mod delta;
mod elevation_model;
mod envelope;
mod error;
mod evaluate;
mod faults;
mod fluid;
mod fractal_noise;
mod frame;
mod generator;
mod heightmap;
mod hills;
mod hole_mask;
mod least_squares;
mod map_size;
mod period;
mod picture;
mod preset;
mod progress;
mod range;
mod recipe;
mod ridged;
mod sums;
mod text;
mod units;
mod window;
mod worley;

pub use blend::{Blend, BlendError};
pub use context::{FilterContext, Scale};
pub use cover::Cover;
pub use delta::{ChannelNode, RiverDelta, RiverDeltaDraws};
pub use elevation_model::ElevationModel;
pub use error::{
    Cancelled, FilterError, GenerateError, HeightmapError, ParamError, SetError, SyntaxError,
};
pub use faults::{FaultErosion, FaultLine, Faults, LineDistribution, Profile};
pub use filter::Filter;
pub use fluid::{Fluid, FluidWaves};
pub use fractal_noise::{
    FractalNoise, FractalNoiseDraws, Mask, OctaveDraws, Variant, simplex_noise,
};
pub use frame::{
    CoordinateSystem, Elevation, GeoReference, GroundScale, LengthUnit, MapFrame, Scenery,
};
pub use generator::Generator;
pub use heightmap::Heightmap;
pub use hills::{Hill, Hills};
pub use hole_mask::{HoleMask, HoleMaskError};
pub use lanternfell_random::SeededRng;
pub use map_size::{MapSize, SizeError};
pub use parameter::{Parameter, Parameters};
pub use picture::Picture;
pub use preset::Preset;
pub use progress::Progress;
pub use recipe::{
    Band, BlockPosition, BlockStore, MemoryBlocks, Operation, Plane, Recipe, RecipeError,
    Selection, Step, TileError, TilePrepass, Tiles,
};
pub use ridged::RidgedMultifractal;
pub use text::read_ron;
pub use window::Window;
pub use worley::{Metric, Worley, WorleyFeature};

/// The README's code is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
