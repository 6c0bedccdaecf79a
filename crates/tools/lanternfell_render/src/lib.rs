//! Renders heightmaps on the CPU, without a GPU or a window, and with the same bytes on every machine.
//!
//! - [`PerspectiveView`] shows the terrain in the sea, or on a plinth, under a sky. It uses ray casting.
//! - [`TopView`] shows the map from above, one pixel per cell, in one of three [`Palette`]s. [`Look`] selects temperate
//!   or desert cover and sets the snow line of natural views.
//! - [`ShadedReliefView`] shows the map from above with hypsometric tints, hillshade and labeled contours. [`legend`]
//!   draws the legend of a map.
//!
//! ```text
//!            sky ────────────────── sun
//!   eye ·                         /
//!         ` ·                    /  second ray: toward the sun, for shadows
//!             ` ·   first ray   /
//!                 ` ·   __     /
//!   sea ~~~~~~~~~~~~~~ /  `·--´~~~~~~~~~~~  third ray: reflected by the water
//!                 ____/       \____
//! ```
//!
//! Every ray is intersected with the exact surface (`height_field.rs`). The color at the hit depends on height, slope
//! and noise (`material.rs`), on the water above it (`water.rs`) and on the air in between (`sky.rs`).
//!
//! The view from above needs no rays. It processes whole rows of cells, and computes shadows and sky visibility with
//! sweeps over the map (`above.rs`).
//!
//! A perspective view of 1280 x 720 pixels takes about two seconds on two cores. The size of the map hardly changes
//! that. Memory: the image, and a third of the map.
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
//! let image = view.draw(&map, &Progress::default())?;
//! assert_eq!(image.bytes().len(), 3 * 64 * 36); // `lanternfell_io::write_image` writes it as a PNG file.
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
mod sea_bed;
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

/// Compiles the code in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
