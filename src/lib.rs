//! Procedural terrain and torchlight for the Bevy engine.
//!
//! This crate re-exports the plugins, each of which is a separate crate, and adds what connects them:
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
//! [`heightmap`], [`surface`], [`io`] and [`lightgrid`] are the underlying libraries, which do not need Bevy.
//!
//! # Conventions of all plugins
//!
//! - **Remove a component to switch a feature off.** A terrain has a sea and a collider by default. Remove
//!   [`Water`](terrain::Water) or [`TerrainCollider`](terrain::TerrainCollider) for a terrain without one. The
//!   plugin spawns the sky: switch its parts off in [`SkySettings`](sky::SkySettings).
//! - **Settings and results are different types.** You write components and resources with public fields, such as
//!   [`Terrain`](terrain::Terrain). You only read what the plugins compute, such as
//!   [`TerrainSurface`](terrain::TerrainSurface) or [`LightLevel`](torchlight::LightLevel).
//! - **Changes in `Update` take effect in the same frame.** The plugins apply them in `PostUpdate`, before transform
//!   propagation and rendering. Long work starts in the background. Torchlight is different: by default, it is computed
//!   in `FixedPostUpdate`, and applies these changes in the next fixed tick.
//! - **Invalid values do not panic.** Constructors return errors. Most numbers in components and resources are clamped
//!   to their documented range. If a plugin cannot use a value, it logs a warning, and the last valid value stays in
//!   effect. If it cannot use the source of a terrain, it triggers [`TerrainFailed`](terrain::TerrainFailed).
//!
//! # Save and load
//!
//! Save what your app sets, not what the plugins spawn or compute: they do this again after loading.
//!
//! | to save | use |
//! |---|---|
//! | the terrain | [`terrain::guide::saving`]: the recipe as text, or the path of its file |
//! | [`Vegetation`](vegetation::Vegetation), [`TerrainLayers`](terrain::TerrainLayers), [`TerrainEdits`](terrain::TerrainEdits), [`Water`](terrain::Water), [`WindWaves`](outdoors::WindWaves) | all are reflected: a scene (`DynamicWorld`), or your own format |
//! | [`TimeOfDay`](sky::TimeOfDay), [`Weather`](sky::Weather), [`CurrentWeather`](sky::CurrentWeather) | reflected resources: the same |
//! | torchlight | [`torchlight::guide::saving`]: with serde, or in a scene |
//!
//! The feature `serialize` implements serde's traits for all settings without asset handles, such as
//! [`Water`](terrain::Water), [`TimeOfDay`](sky::TimeOfDay) and [`Wind`](vegetation::Wind). Those of torchlight, and
//! recipes, always implement them. Fields missing from the text have their default, and unknown fields are an error.
//!
//! In a scene, extract only the entities that your app has spawned. Otherwise the meshes, lights and colliders of the
//! plugins are loaded in addition to those that they spawn.
//!
//! # Example
//!
//! The shortest complete app is `examples/minimal_terrain.rs`:
//!
//! ```no_run
#![doc = include_str!("../examples/minimal_terrain.rs")]
//! ```

pub mod guide;
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
/// It leaves out names that are common words, such as [`heightmap::Filter`] and [`lightgrid::Cell`]: import these
/// from their modules.
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
        HoldRegion, InlandWater, LayerImages, LayerQuality, LayerTexture, LayerZones, MapSize,
        NeedsTerrainCover, Recipe, RidgedMultifractal, RiverDelta, SnapToGround, Terrain,
        TerrainChunk, TerrainCollider, TerrainCover, TerrainDetail, TerrainEdits, TerrainError,
        TerrainFailed, TerrainFile, TerrainHit, TerrainLayer, TerrainLayers, TerrainLight,
        TerrainMap, TerrainMaterial, TerrainMaterialPlugin, TerrainPlugin, TerrainProgress,
        TerrainQuery, TerrainReady, TerrainRegion, TerrainSample, TerrainSource, TerrainSurface,
        TerrainSystems, TerrainTiles, TerrainViewer, Water, WaterHit, WaterQuery, Waves, Worley,
    };
    pub use lanternfell_torchlight::prelude::{
        DetailTexture, DirectionTexture, Falloff, Flicker, FlickerKind, InTorchlightMap, LightBand,
        LightBandChanged, LightBands, LightBlocker, LightBudget, LightCell, LightDebug,
        LightDisplay, LightError, LightFlow, LightGrid, LightLayout, LightLevel, LightPlane,
        LightSettings, LightSource, LightStyle, LightTexture, LightThresholds, LightTiming,
        Neighborhood, NormalMap, ShadowCaster, SoftShadows, TorchlightMap, TorchlightPlugin,
        TorchlightStatus, TorchlightSystems,
    };
    pub use lanternfell_vegetation::prelude::{
        Clumping, DensityMap, Exclusion, GrassPresser, Plant, PlantInstance, PlantKind, PlantLook,
        ScatterRule, SoftRange, Vegetation, VegetationPlugin, Wind,
    };
}
