//! Procedural terrain and torchlight for the Bevy engine.
//!
//! This crate re-exports the plugins, each of which is a crate of its own, and adds what connects them:
//!
//! | module | plugin | adds |
//! |---|---|---|
//! | [`terrain`] | [`TerrainPlugin`](terrain::TerrainPlugin) | heightmaps as meshes, water, colliders and queries |
//! | [`vegetation`] | [`VegetationPlugin`](vegetation::VegetationPlugin) | trees, grass and stones on terrain |
//! | [`sky`] | [`SkyPlugin`](sky::SkyPlugin) | sun, moon, stars, clouds, fog and rain |
//! | [`outdoors`] | [`OutdoorsPlugin`](outdoors::OutdoorsPlugin) | the sky's colors and wind on water and plants |
//! | [`torchlight`] | [`TorchlightPlugin`](torchlight::TorchlightPlugin) | light on grids, which game rules can read |
//! | [`terrain_torchlight`] | [`TerrainTorchlightPlugin`](terrain_torchlight::TerrainTorchlightPlugin) | torchlight on terrain |
//!
//! [`TerrainPlugins`] contains all of them except `TorchlightPlugin`. [`headless`] renders any app off screen.
//! [`heightmap`], [`surface`], [`io`] and [`lightgrid`] are the libraries below, which do not need Bevy.
//!
//! The shortest complete app is `examples/minimal_terrain.rs`:
//!
//! ```no_run
#![doc = include_str!("../examples/minimal_terrain.rs")]
//! ```

pub mod outdoors;
mod plugins;
pub mod terrain_torchlight;

pub use lanternfell_headless as headless;
pub use lanternfell_sky as sky;
pub use lanternfell_terrain as terrain;
pub use lanternfell_terrain::{heightmap, io, surface};
pub use lanternfell_torchlight as torchlight;
pub use lanternfell_torchlight::lightgrid;
pub use lanternfell_vegetation as vegetation;
pub use plugins::TerrainPlugins;

/// The types that most apps use. Import everything with `use lanternfell::prelude::*`.
///
/// It leaves out names that are common words, such as [`heightmap::Filter`] and [`lightgrid::Cell`]: import these from their
/// modules.
pub mod prelude {
    pub use crate::{
        TerrainPlugins,
        headless::OrHeadless,
        outdoors::{OutdoorsPlugin, WindWaves},
        terrain_torchlight::{
            TerrainTorchlight, TerrainTorchlightPlugin, TerrainTorchlightSettings,
        },
    };
    pub use lanternfell_sky::prelude::{
        CelestialLight, CurrentWeather, Ephemeris, HandTorch, SkyColors, SkyFog, SkyPlugin,
        SkySettings, TimeOfDay, TorchMode, Weather,
    };
    pub use lanternfell_terrain::prelude::{
        BodyVelocity, Buoyancy, BuoyancyForce, CoverHit, DefaultTerrainMaterial, DrawnDetail,
        EndlessSource, EndlessTerrain, Faults, Fluid, FractalNoise, GroundKind, Heightmap, Hills,
        HoldRegion, InlandWater, LayerPictures, LayerQuality, LayerTexture, LayerZones, MapSize,
        NeedsTerrainCover, PaintStroke, Recipe, RidgedMultifractal, RiverDelta, SnapToGround,
        Terrain, TerrainChunk, TerrainCollider, TerrainCover, TerrainDetail, TerrainError,
        TerrainFailed, TerrainFile, TerrainHit, TerrainLayer, TerrainLayers, TerrainLight,
        TerrainMap, TerrainMaterial, TerrainMaterialPlugin, TerrainPaint, TerrainPlugin,
        TerrainProgress, TerrainQuery, TerrainReady, TerrainRegion, TerrainSample, TerrainSource,
        TerrainSurface, TerrainSystems, TerrainTiles, TerrainViewer, Water, WaterHit, WaterQuery,
        Waves, Worley,
    };
    pub use lanternfell_torchlight::prelude::{
        DetailTexture, DirectionTexture, Falloff, Flicker, FlickerKind, InTorchlightMap, LightBand,
        LightBandChanged, LightBands, LightBlocker, LightBudget, LightCell, LightDebug,
        LightDisplay, LightError, LightFlow, LightGrid, LightLayout, LightLevel, LightPlane,
        LightSettings, LightSource, LightStyle, LightTexture, LightThresholds, LightTiming,
        Neighborhood, NormalMap, ShadowCaster, SoftShadows, TorchlightMap, TorchlightPlugin,
        TorchlightSystems,
    };
    pub use lanternfell_vegetation::prelude::{
        Clumping, DensityMap, Exclusion, GrassPresser, Plant, PlantInstance, PlantKind, PlantLook,
        ScatterRule, SoftRange, Vegetation, VegetationPlugin, Wind,
    };
}
