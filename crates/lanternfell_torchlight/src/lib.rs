#![doc = include_str!("../README.md")]
//!
//! # How it goes
//!
//! ```text
//! Collect                   Flow                  Publish                  Present
//! where lamps and           the light goes on,    LightLevel on            one texture and
//! blockers stand now  ───>  or comes to rest ──>  entities, messages ──>   one quad for each map
//! └──────────── in the schedule that the plugin was given ───────┘        └─ in PostUpdate ─┘
//! ```
//!
//! | component | on | what it does |
//! |---|---|---|
//! | [`LightMap`] | a map | the cells and their light, and where they lie in the world |
//! | [`LightFlow`] | a map | flows in steps, or is always settled |
//! | [`LightTiming`] | a map | within the [`LightBudget`] of a frame, or exactly in step |
//! | [`LightThresholds`] | a map | from which luminance on something is dim, lit, blazing |
//! | [`LightDisplay`] | a map | how it is shown: smooth, in cells, in bands; exposure, gamma |
//! | [`LightTexture`] | a map | the light as an image, for materials of your own |
//! | [`LightDetail`] | a map | on screen, finer than the map's cells: crisp and soft shadows |
//! | [`ShadowCaster`] | anything | is in the light's way on screen: figures, pillars |
//! | [`NormalMap`] | a sprite | on screen, is brighter on the sides that face the light |
//! | [`LightDebug`] | a map | numbers in the cells, outlines of the tiles at work |
//! | [`LightSource`] | anything | gives light, or darkness |
//! | [`Flicker`] | a source | torch, candle, faulty lamp, pulse |
//! | [`LightBlocker`] | anything | is a wall, smoke or glass where it stands |
//! | [`LightLevel`] | anything | is told how lit it is |
//! | [`LightCell`] | any of these three | stands in this cell, whatever its transform says |
//! | [`InLightMap`] | any of these three | stands in this map only |
//!
//! - Where something stands says its transform, between cells too: light moves smoothly.
//!   Turn based games may say it in cells, with [`LightCell`].
//! - [`LightBandChanged`] is written when an entity with a [`LightLevel`] comes out of the
//!   dark or goes into it.
//! - What lies on the map's grid for good is set through [`LightMap::set_cell`] and its
//!   like, or read from Bevy's own tile map by [`LightMap::fill_from_tilemap`]; with the feature
//!   `ecs_tilemap` a map follows those of `bevy_ecs_tilemap` (`FollowsTilemaps`).
//! - Cells are squares, hexagons ([`Neighborhood`](lanternfell_lightgrid::Neighborhood)) or diamonds ([`LightLayout`]).
//! - Nothing here asks a random number generator or the wall clock, or depends on the order
//!   in which the world keeps its entities. With places given by [`LightCell`], and
//!   [in step](LightTiming::InStep), the light has the same bits on every machine.
//!
//! How to do what most games do, page by page, is told by the [`guide`]: rules by light, looks, turns and real time,
//! maps that change, saving.
//!
//! Add the plugin after Bevy's own plugins. Without a renderer (`MinimalPlugins`) nothing
//! is drawn, but light, levels and messages are all there. In 3D, or with a map that lies
//! flat ([`LightPlane::Xz`]), no quad is drawn: take the [`LightTexture`] into a material.
//!
//! # System sets
//!
//! [`TorchlightSystems::Collect`], [`Flow`](TorchlightSystems::Flow) and
//! [`Publish`](TorchlightSystems::Publish) run in this order in [`FixedPostUpdate`], or in
//! the schedule given by [`TorchlightPlugin::in_schedule`];
//! [`Present`](TorchlightSystems::Present) runs in [`PostUpdate`]. A system of yours in the
//! same schedule that reads fresh levels runs after `Publish`; one that moves lamps runs
//! before `Collect`. Nothing depends on transform propagation having run.
//!
//! # What it costs
//!
//! Only the tiles in which light flows are worked on, and only those whose light changed
//! are sent to the GPU. A map at rest costs a glance at every lamp, blocker and level, once
//! for each map.
//!
//! Light that takes longer than the [`LightBudget`] of a frame, 2 ms if nothing else is said, is
//! worked out in the background, on a grid of its own, and shown when it is whole:
//! [`LightMap::age`] says how old it is then. A map takes twice the memory for that. Games in
//! turns, that want the light of this very moment whatever it takes, set
//! [`LightTiming::InStep`].
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
pub use detail::{DetailTexture, DirectionTexture, LightDetail, ShadowCaster};
pub use display::{LightDisplay, LightStyle};
pub use flicker::{Flicker, FlickerKind};
pub use flow::LightFlow;
pub use frame::{LightLayout, LightPlane};
pub use lanternfell_lightgrid as lightgrid;
pub use level::{LightBandChanged, LightLevel};
pub use map::LightMap;
pub use material::{LightMaterial, OverlayMaterial};
pub use normals::{NormalMap, RoundedError, rounded_normals};
pub use plugin::TorchlightPlugin;
pub use position::{InLightMap, LightCell};
pub use source::LightSource;
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

/// What most apps need: the plugin, its components and messages, and what grids are made of.
pub mod prelude {
    pub use crate::{
        DetailTexture, DirectionTexture, Flicker, FlickerKind, InLightMap, LightBandChanged,
        LightBlocker, LightBudget, LightCell, LightDebug, LightDetail, LightDisplay, LightFlow,
        LightLayout, LightLevel, LightMap, LightPlane, LightSource, LightStyle, LightTexture,
        LightThresholds, LightTiming, NormalMap, ShadowCaster, TorchlightPlugin, TorchlightSystems,
    };
    pub use lanternfell_lightgrid::{
        Cell, Falloff, LightBand, LightBands, LightError, LightGrid, LightSettings, Neighborhood,
        Relief,
    };
}
