//! Pictures of heightmaps, drawn on the CPU: no GPU, no window, the same bytes anywhere.
//!
//! - [`PerspectiveView`]: the land standing in its water (or, from inland, on a plinth) under
//!   a sky, by ray casting.
//! - [`TopView`]: the map from above, one pixel per cell, in one of three [`Palette`]s.
//!   [`Look`]: whether a natural view shows meadows or a desert, and from where there is snow.
//! - [`ShadedReliefView`]: the map from above as an atlas shows it: tints, shade, contours with
//!   their heights. [`legend`]: colors and their names.
//!
//! ```text
//!            sky ────────────────── sun
//!   eye ·                         /
//!         ` ·                    /  second ray: in the sun, or in a shadow?
//!             ` ·   first ray   /
//!                 ` ·   __     /
//!   sea ~~~~~~~~~~~~~~ /  `·--´~~~~~~~~~~~  third ray: what the water mirrors
//!                 ____/       \____
//! ```
//!
//! Every ray meets the exact surface (see `height_field.rs`). What it finds gets its
//! colors from height, slope and noise (`material.rs`), from the water above it
//! (`water.rs`) and from the air in between (`sky.rs`).
//!
//! From above no ray is needed: rows of cells at a time, with shadows and the sky's openness by
//! sweeps over the whole map (`above.rs`).
//!
//! A perspective picture of 1280 x 720 pixels takes about two seconds on two cores, and hardly more
//! on a larger map. Memory: the picture, and a third of the map.
//!
//! ```
//! use lanternfell_heightmap::{Hills, MapSize, Progress, Recipe};
//! use lanternfell_render::PerspectiveView;
//!
//! let island = Hills { island: true, ..Hills::default() };
//! let recipe = Recipe::new(MapSize::new(128, 128)?, 7, island);
//! let map = recipe.generate(&Progress::default())?;
//! let view = PerspectiveView {
//!     width: 64,
//!     height: 36,
//!     sea_level: recipe.water_level(),
//!     ..PerspectiveView::default()
//! };
//! let picture = view.draw(&map, &Progress::default())?;
//! assert_eq!(picture.bytes().len(), 3 * 64 * 36); // `lanternfell_io::write_picture` makes a PNG of it
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod above;
mod camera;
mod error;
mod exp;
mod height_field;
mod labels;
mod legend;
mod lettering;
mod lines;
mod look;
mod material;
mod noise;
mod openness;
mod patch;
mod pedestal;
mod perspective;
mod row_noise;
mod scene;
mod shaded_relief;
mod shadows;
mod sky;
mod surf;
mod tone;
mod top;
mod water;

pub use error::RenderError;
pub use legend::legend;
pub use look::Look;
pub use perspective::PerspectiveView;
pub use shaded_relief::ShadedReliefView;
pub use top::{Palette, TopView};

/// The README's code is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
