#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! ```text
//! Collect                   Flow                  Publish                  Present
//! positions of lamps        light spreads,        LightLevel on            one texture and
//! and blockers         ───> or settles      ───>  entities, events ──>     one quad per map
//! └──────────── in the schedule of the plugin ───────────┘                 └─ in PostUpdate ─┘
//! ```
//!
//! | component | entity | description |
//! |---|---|---|
//! | [`TorchlightMap`] | map | the cells, their light, and their placement in the world |
//! | [`LightFlow`] | map | whether light spreads in steps or is always settled |
//! | [`LightTiming`] | map | whether light is computed within the [`LightBudget`] of a frame, or completely in each run |
//! | [`LightThresholds`] | map | the luminance from which an entity counts as dim, lit or blazing |
//! | [`LightDisplay`] | map | how the light is rendered: smooth, per cell or in bands; exposure, gamma |
//! | [`TorchlightStatus`] | map | read-only: the age of the light, and the duration of a step |
//! | [`LightTexture`] | map | the light as an image, for your own materials |
//! | [`SoftShadows`] | map | renders the light at a higher resolution, with sharp and soft shadows |
//! | [`LightDebug`] | map | overlay with the values of the cells and the active tiles |
//! | [`LightSource`] | any | emits light, or darkness |
//! | [`Flicker`] | light source | animates the strength: torch, candle, faulty lamp, pulse |
//! | [`LightBlocker`] | any | replaces the cell at its position with a wall, smoke or glass |
//! | [`LightLevel`] | any | receives the light at its position |
//! | [`ShadowCaster`] | any | casts a shadow on the screen: figures, pillars |
//! | [`NormalMap`] | sprite | brightens the sides that face the light, on the screen |
//! | [`LightCell`] | source, blocker, reader, caster | sets the position in cells instead of by its transform |
//! | [`InTorchlightMap`] | source, blocker, reader, caster | restricts the entity to one map |
//!
//! - The position of an entity is that of its transform, including its parents: a torch can be a child of the player.
//!   Positions between the centers of cells are allowed, so moving lights change smoothly. Turn-based games can set
//!   positions in cells with [`LightCell`].
//! - [`LightBandChanged`] is triggered when an entity with a [`LightLevel`] changes its band, for example from dark to
//!   lit.
//! - Set permanent cells with [`TorchlightMap::set_cell`] and similar methods, or read them from Bevy's tile map with
//!   [`TorchlightMap::fill_from_tilemap`]. With the feature `ecs_tilemap`, a map can follow the tile maps of
//!   `bevy_ecs_tilemap` (`FollowsTilemaps`).
//! - Cells are squares, hexagons ([`Neighborhood`](lanternfell_lightgrid::Neighborhood)) or diamonds ([`LightLayout`]).
//!
//! The [`guide`] explains common tasks: stealth rules, appearance, turns and real time, maps that change, saving.
//!
//! Add the plugin after Bevy's own plugins. Without a renderer (`MinimalPlugins`) nothing is drawn, but light, levels
//! and events work. In 3D, and for maps that lie flat ([`LightPlane::Xz`]), no quad is drawn: sample the
//! [`LightTexture`] in a material.
//!
//! # System sets
//!
//! [`TorchlightSystems::Collect`], [`Flow`](TorchlightSystems::Flow) and [`Publish`](TorchlightSystems::Publish) run in
//! this order in [`FixedPostUpdate`], or in the schedule given to [`TorchlightPlugin::in_schedule`]. In the plugin's
//! schedule, run systems that move lamps before `Collect`, and systems that read levels after `Publish`.
//! [`Present`](TorchlightSystems::Present) runs in [`PostUpdate`].
//!
//! - Bevy runs the fixed schedules before [`Update`](bevy::app::Update). Changes that you make in `Update` therefore
//!   affect light in the next fixed tick, usually in the next frame.
//! - With [`LightTiming::InStep`], the light of a tick does not depend on the frame rate. Rules that run in
//!   [`FixedUpdate`](bevy::app::FixedUpdate) read the light of the previous tick, and give the same results on fast and
//!   slow machines.
//! - The plugin reads transforms directly, so transform propagation does not need to run first.
//!
//! # Cost
//!
//! Only tiles in which light flows are updated, and only tiles whose light changed are sent to the GPU. A map at rest
//! costs a lookup per lamp, blocker and level.
//!
//! Light that takes longer than the [`LightBudget`] of a frame (default: 2 ms) is computed in a background task, on a
//! second grid, and shown when it is complete. [`TorchlightStatus::age`] returns how old the shown light is. The second
//! grid doubles the memory of the map. Turn-based games that need the current light set [`LightTiming::InStep`].
//!
//! # Determinism
//!
//! [In step](LightTiming::InStep), and with positions given by [`LightCell`], the light is bit-identical on every
//! machine. It depends neither on random numbers nor on the wall clock nor on the order in which the world stores its
//! entities.
//!
//! [`FixedPostUpdate`]: bevy::app::FixedPostUpdate
//! [`PostUpdate`]: bevy::app::PostUpdate

mod advance;
mod blocker;
mod collect;
mod color;
mod debug;
mod detail;
mod display;
mod flicker;
mod flow;
mod frame;
pub mod guide;
mod installed;
mod layer;
mod level;
mod map;
mod material;
mod normals;
mod paint;
mod pause;
mod plugin;
mod position;
mod save;
mod source;
mod status;
mod systems;
mod texture;
mod thresholds;
mod tilemap;
#[cfg(feature = "ecs_tilemap")]
mod tiles;
mod timing;
mod upload;
mod work;

pub use blocker::LightBlocker;
pub use debug::LightDebug;
pub use detail::{DetailTexture, DirectionTexture, ShadowCaster, SoftShadows};
pub use display::{LightDisplay, LightStyle};
pub use flicker::{Flicker, FlickerKind};
pub use flow::LightFlow;
pub use frame::{LightLayout, LightPlane};
pub use lanternfell_lightgrid as lightgrid;
pub use level::{LightBandChanged, LightLevel};
pub use map::TorchlightMap;
pub use material::{LightMaterial, OverlayMaterial};
pub use normals::{NormalMap, RoundedError, rounded_normals};
pub use plugin::TorchlightPlugin;
pub use position::{InTorchlightMap, LightCell};
pub use source::LightSource;
pub use status::TorchlightStatus;
pub use systems::TorchlightSystems;
pub use texture::LightTexture;
pub use thresholds::LightThresholds;
pub use tilemap::TilemapError;
#[cfg(feature = "ecs_tilemap")]
pub use tiles::{FollowsTilemaps, LightTile};
#[cfg(feature = "ecs_ldtk")]
pub use tiles::{LdtkLight, LdtkTile};
#[cfg(feature = "ecs_tiled")]
pub use tiles::{TiledLight, TiledTileKind};
pub use timing::{LightBudget, LightTiming};

/// The plugin, its components and events, and the types of the grid.
pub mod prelude {
    pub use crate::{
        DetailTexture, DirectionTexture, Flicker, FlickerKind, InTorchlightMap, LightBandChanged,
        LightBlocker, LightBudget, LightCell, LightDebug, LightDisplay, LightFlow, LightLayout,
        LightLevel, LightPlane, LightSource, LightStyle, LightTexture, LightThresholds,
        LightTiming, NormalMap, ShadowCaster, SoftShadows, TorchlightMap, TorchlightPlugin,
        TorchlightStatus, TorchlightSystems,
    };
    pub use lanternfell_lightgrid::{
        Cell, Falloff, LightBand, LightBands, LightError, LightGrid, LightSettings, Neighborhood,
        Relief,
    };
}
