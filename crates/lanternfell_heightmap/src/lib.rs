//! Generates, filters, erodes, blends and analyzes heightmaps.
//!
//! A [`Heightmap`] is a grid of heights, usually from 0 (lowest) to 1 (highest), with row 0 in the north and column 0
//! in the west. A [`Generator`] makes one from a few parameters and a seed. A [`Recipe`] combines generators, blends,
//! [filters](filter), [`erosion`] and masks in named steps, and can be saved to a file. An [`ElevationModel`] places a
//! map in the world: its heights in meters, the size of its cells, and its georeference.
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
//! assert_eq!(map.get(0, 0), 0.0); // the corner is in the sea
//! assert_eq!(map.range(), (0.0, 1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The generators
//!
//! | generator | idea | source |
//! |---|---|---|
//! | [`Faults`] | a thousand random lines, each of which raises one half of the map | Shankel, *Fault Formation*, Game Programming Gems, 2000 |
//! | [`Fluid`] | noise that settles like the surface of a viscous fluid | Woodhouse, *Terrain Generation Using Fluid Simulation*, 2003 |
//! | [`FractalNoise`] | octaves of simplex noise, with the sea at middle height | Leib, *Fractal simplex noise*, 2016 |
//! | [`Hills`] | hundreds of overlapping paraboloids | Nystrom, *Hill Algorithm*, 2001 |
//! | [`RidgedMultifractal`] | ridges with ever finer ridges on them, above smooth valleys | Musgrave, *Texturing and Modeling*, 2003 |
//! | [`Worley`] | distances to scattered points: cells, cracks, craters | Worley, *A Cellular Texture Basis Function*, 1996 |
//! | [`RiverDelta`] | a river that branches into channels on the delta that it has built | Gastner and Newman, *The spatial structure of networks*, 2006 |
//!
//! The [`parameter`] module describes the parameters of each generator as data, with ranges and defaults. Command lines
//! and panels are built from it.
//!
//! Generation has two stages. **The draws** are seeded random numbers in a documented order. **The evaluation** is a
//! pure function of those draws. Both are public, so a test or another program can supply its own draws. Every
//! generator has these methods:
//!
//! | method | returns |
//! |---|---|
//! | `validate(size)` | `Ok`, or a [`ParamError`] that names the first parameter out of range |
//! | `draw(size, seed)` | what the seed decides: lines, hills, octaves or a surface |
//! | `evaluate(size, &draws, &progress)` | the map of these draws, or a [`GenerateError`] |
//! | `generate(size, seed, &progress)` | the map of this seed: all three methods in turn |
//!
//! [`Recipe::heights_at`] returns the heights of single cells without making the whole map.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `parallel` (default) | work on every core, with `rayon`. The results are bit-identical without it. |
//! | `noise` (default) | the noise functions of the `noise` crate as sources of [`FractalNoise`] |
//! | `bevy_reflect` | Bevy's reflection of [`Recipe`], for scenes |
//!
//! # Guarantees
//!
//! - The same seed gives the same bits on every machine, with any number of threads, in debug and release builds: see
//!   [`SeededRng`].
//! - Invalid data does not cause panics. Parameters are checked before any work starts, and a [`ParamError`] names the
//!   parameter, its value and the allowed values.
//! - Long operations report their [`Progress`] and can be canceled through it.
//! - A generator uses less than 2.5 times the memory of its map, plus its draws: at most 64 bytes per fault line (96 if
//!   it is a ramp) and 24 per hill. Filters and erosion document their own memory use. [`Recipe::peak_map_count`]
//!   returns the largest number of maps that a recipe holds at once.

pub mod analysis;
pub mod climate;
pub mod erosion;
pub mod filter;
pub mod hydrology;
pub mod parameter;
pub mod rows;

mod blend;
mod context;
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
mod land_cover;
mod least_squares;
mod map_region;
mod map_size;
mod period;
mod preset;
mod progress;
mod range;
mod recipe;
mod rgb_image;
mod ridged;
mod sea;
mod sums;
mod text;
mod units;
mod worley;

pub use blend::{Blend, BlendError};
pub use context::{FilterContext, Scale};
pub use delta::{ChannelNode, RiverDelta, RiverDeltaDraws};
pub use elevation_model::ElevationModel;
pub use error::{
    Canceled, FilterError, GenerateError, HeightmapError, ParamError, SetError, SyntaxError,
};
pub use faults::{FaultErosion, FaultLine, Faults, LineDistribution, Profile};
pub use filter::Filter;
pub use fluid::{Fluid, FluidWaves};
pub use fractal_noise::{
    FractalNoise, FractalNoiseDraws, Mask, OctaveDraws, Variant, simplex_noise, simplex_noise_row,
};
pub use frame::{
    CoordinateSystem, Elevation, GeoReference, GroundScale, LengthUnit, MapFrame, Scenery,
};
pub use generator::Generator;
pub use heightmap::Heightmap;
pub use hills::{Hill, Hills};
pub use hole_mask::{HoleMask, HoleMaskError};
pub use land_cover::LandCover;
pub use lanternfell_random::SeededRng;
pub use map_region::MapRegion;
pub use map_size::{MapSize, SizeError};
pub use parameter::{Parameter, Parameters};
pub use preset::Preset;
pub use progress::Progress;
pub use recipe::{
    Band, BlockPosition, BlockStore, MemoryBlocks, Operation, Plane, Recipe, RecipeError,
    Selection, Step, TileError, TilePrepass, Tiles,
};
pub use rgb_image::RgbImage;
pub use ridged::RidgedMultifractal;
pub use sea::{is_land, stretched_sea_level};
pub use text::read_ron;
pub use worley::{Metric, Worley, WorleyFeature};

/// Compiles the code in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
