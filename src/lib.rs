//! Lanternfell: procedural islands for the Bevy engine.
//!
//! This crate gathers the plugins and gives them one [`prelude`]:
//!
//! - [`terrain`]: [`TerrainPlugin`](terrain::TerrainPlugin) makes heightmaps and from them
//!   meshes, a sea, a collider and queries.
//! - [`vegetation`]: [`VegetationPlugin`](vegetation::VegetationPlugin) lets trees, grass and stones stand on them.
//! - [`sky`]: [`SkyPlugin`](sky::SkyPlugin) lights them by the hour and the weather: sun, moon, stars, clouds, fog, rain.
//! - [`OutdoorsPlugin`](outdoors::OutdoorsPlugin) is where they meet: the sea mirrors the sky, plants and waves feel its
//!   wind.
//! - [`torchlight`]: [`TorchlightPlugin`](torchlight::TorchlightPlugin) lets light flow over grids, which rules can read;
//!   with [`LightOverLandPlugin`](light_over_land::LightOverLandPlugin) over land, whose hills hide what lies behind them.
//! - [`heightmap`]: the library underneath, which needs no engine.
//! - [`headless`]: lets an app draw off screen, for pictures and for machines without a
//!   display.
//!
//! The shortest complete app is `examples/minimal_terrain.rs`:
//!
//! ```no_run
#![doc = include_str!("../examples/minimal_terrain.rs")]
//! ```

pub mod light_over_land;
pub mod outdoors;

pub use lanternfell_headless as headless;
pub use lanternfell_sky as sky;
pub use lanternfell_terrain as terrain;
pub use lanternfell_terrain::{heightmap, io, surface};
pub use lanternfell_torchlight as torchlight;
pub use lanternfell_torchlight::lightgrid;
pub use lanternfell_vegetation as vegetation;

/// What most apps need.
pub mod prelude {
    pub use crate::{
        headless::OrHeadless,
        light_over_land::{LandLight, LightOverLand, LightOverLandPlugin},
        outdoors::{OutdoorsPlugin, WindWaves},
    };
    pub use lanternfell_sky::prelude::*;
    pub use lanternfell_terrain::prelude::*;
    pub use lanternfell_torchlight::prelude::*;
    pub use lanternfell_vegetation::prelude::*;
}
