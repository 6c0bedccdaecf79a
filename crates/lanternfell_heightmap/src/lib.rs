//! Heightmaps: made by four small algorithms, filtered, eroded, blended, measured, read and
//! written.
//!
//! A [`Heightmap`] is a rectangle of heights, usually between 0 (the lowest) and 1
//! (the highest). A [`Generator`] makes one from a few parameters and a seed; a
//! [`Recipe`] names steps, each made from others: generators, blends, [filters](filter),
//! [`erosion`], masks; and can be kept in a file.
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
//! # The four generators
//!
//! | generator | idea | source |
//! |---|---|---|
//! | [`Faults`] | a random line lifts one half of the map, a thousand times | Shankel, *Fault Formation*, Game Programming Gems, 2000 |
//! | [`Fluid`] | noise settles like the surface of a viscous fluid | Woodhouse, *Terrain Generation Using Fluid Simulation*, 2003 |
//! | [`FractalNoise`] | octaves of simplex noise over a sea at middle height | Leib, *Fractal simplex noise*, 2016 |
//! | [`Hills`] | hundreds of overlapping paraboloids | Nystrom, *Hill Algorithm*, 2001 |
//!
//! Each is split into **the draws**, seeded random numbers in a documented order, and
//! **the evaluation**, a pure function of those draws. Both are public: a test, a paper or
//! another program can hand over its own draws.
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
pub mod io;
pub mod render;
pub mod surface;
pub mod triangulation;

mod blend;
mod context;
mod cover;
mod error;
mod faults;
mod fluid;
mod fractal_noise;
mod generator;
mod heightmap;
mod hills;
mod preset;
mod progress;
mod range;
mod recipe;
mod rows;
mod sums;
mod units;
mod window;

pub use blend::{Blend, BlendError};
pub use context::{FilterContext, Scale};
pub use cover::Cover;
pub use error::{Cancelled, GenerateError, ParamError, SetError, SizeError};
pub use faults::{FaultErosion, FaultLine, Faults, LineDistribution, Profile};
pub use filter::Filter;
pub use fluid::{Fluid, FluidWaves};
pub use fractal_noise::{FractalNoise, FractalNoiseDraws, Mask, OctaveDraws, Variant};
pub use generator::Generator;
pub use heightmap::{Heightmap, MapSize};
pub use hills::{Hill, Hills};
pub use lanternfell_random::SeededRng;
pub use preset::Preset;
pub use progress::Progress;
pub use recipe::{Band, Operation, Recipe, RecipeError, Selection, Step, TileError, TilePrepass};
pub use window::Window;
