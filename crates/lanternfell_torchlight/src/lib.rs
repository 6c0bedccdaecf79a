//! `TorchlightPlugin`: soft, colored light on grids for Bevy, which the game's rules can read.
//!
//! Spawn one [`LightMap`] over the game's grid and put a [`LightSource`] on whatever gives
//! light. Light flows from cell to cell, round corners, is caught by walls and colored by
//! glass. The numbers that darken the screen are the numbers that rules read: a guard's
//! [`LightLevel`] is what the player sees of him.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((DefaultPlugins, TorchlightPlugin::default()))
//!         .add_systems(Startup, setup)
//!         .run();
//! }
//!
//! fn setup(mut commands: Commands) -> Result {
//!     commands.spawn(Camera2d);
//!     // Darkness over 40 x 20 cells of 32 units each, with a wall in the middle.
//!     let mut grid = LightGrid::new(40, 20, LightSettings::default())?;
//!     grid.set_cell(IVec2::new(20, 10), Cell::WALL)?;
//!     commands.spawn(LightMap::new(grid).with_cell_size(32.0));
//!     // A torch.
//!     commands.spawn((LightSource::default(), Flicker::torch(7), Transform::default()));
//!     Ok(())
//! }
//! ```
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
//! | [`LightThresholds`] | a map | from which luminance on something is dim, lit, blazing |
//! | [`LightDisplay`] | a map | how it is shown: smooth, in cells, in bands; exposure, gamma |
//! | [`LightTexture`] | a map | the light as an image, for materials of your own |
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
//!   like, or read from Bevy's own tile map by [`LightMap::fill_from_tilemap`].
//! - Nothing here asks a random number generator or the wall clock, or depends on the order
//!   in which the world keeps its entities. With places given by [`LightCell`] the light has
//!   the same bits on every machine.
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

mod blocker;
mod collect;
mod debug;
mod display;
mod flicker;
mod flow;
mod layer;
mod level;
mod map;
mod material;
mod position;
mod source;
mod texture;
mod tilemap;
mod upload;

use bevy::{
    app::FixedPostUpdate,
    asset::AssetEventSystems,
    ecs::{
        intern::Interned,
        schedule::{ScheduleConfigs, ScheduleLabel},
        system::ScheduleSystem,
    },
    prelude::*,
    render::RenderApp,
    sprite_render::Mesh2dRenderPlugin,
};

pub use blocker::LightBlocker;
pub use debug::LightDebug;
pub use display::{LightDisplay, LightStyle};
pub use flicker::{Flicker, FlickerKind};
pub use flow::LightFlow;
pub use lanternfell_lightgrid as lightgrid;
pub use level::{LightBandChanged, LightLevel, LightThresholds};
pub use map::{LightMap, LightPlane};
pub use material::{LightMaterial, OverlayMaterial};
pub use position::{InLightMap, LightCell};
pub use source::LightSource;
pub use texture::LightTexture;
pub use tilemap::TilemapError;

/// What most apps need: the plugin, its components and messages, and what grids are made of.
pub mod prelude {
    pub use crate::{
        Flicker, FlickerKind, InLightMap, LightBandChanged, LightBlocker, LightCell, LightDebug,
        LightDisplay, LightFlow, LightLevel, LightMap, LightPlane, LightSource, LightStyle,
        LightTexture, LightThresholds, TorchlightPlugin, TorchlightSystems,
    };
    pub use lanternfell_lightgrid::{
        Cell, Falloff, LightBand, LightBands, LightGrid, LightSettings, Neighborhood,
    };
}

/// Lights every [`LightMap`] in the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TorchlightPlugin {
    /// Where light is collected, flows and is published; [`FixedPostUpdate`] by default.
    pub schedule: Interned<dyn ScheduleLabel>,
}

impl TorchlightPlugin {
    /// The plugin with its work in this schedule, whose [`Time`] is then the light's clock.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

impl Default for TorchlightPlugin {
    fn default() -> Self {
        Self::in_schedule(FixedPostUpdate)
    }
}

/// The plugin's steps, in the order in which they run.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TorchlightSystems {
    /// In the plugin's schedule: finds where sources and blockers stand.
    Collect,
    /// In the plugin's schedule: the light goes on.
    Flow,
    /// In the plugin's schedule: writes [`LightLevel`]s and [`LightBandChanged`].
    Publish,
    /// In [`PostUpdate`]: textures and quads.
    Present,
}

/// The steps of [`TorchlightSystems::Present`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum PresentSystems {
    /// Textures of the light.
    Paint,
    /// Textures of what the light is doing.
    Debug,
    /// The quads over the maps.
    Lay,
}

impl Plugin for TorchlightPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<Flicker>()
            .register_type::<InLightMap>()
            .register_type::<LightBlocker>()
            .register_type::<LightCell>()
            .register_type::<LightDebug>()
            .register_type::<LightFlow>()
            .register_type::<LightLevel>()
            .register_type::<LightDisplay>()
            .register_type::<LightMap>()
            .register_type::<LightSource>()
            .register_type::<LightTexture>()
            .register_type::<LightThresholds>()
            .add_message::<LightBandChanged>()
            .configure_sets(
                self.schedule,
                (
                    TorchlightSystems::Collect,
                    TorchlightSystems::Flow,
                    TorchlightSystems::Publish,
                )
                    .chain(),
            )
            .add_systems(self.schedule, self.systems());
        if app.get_sub_app(RenderApp).is_some() {
            self.present(app);
        }
    }
}

impl TorchlightPlugin {
    fn systems(&self) -> ScheduleConfigs<ScheduleSystem> {
        (
            (collect::collect_blockers, collect::collect_sources)
                .chain()
                .in_set(TorchlightSystems::Collect),
            flow::flow.in_set(TorchlightSystems::Flow),
            level::publish.in_set(TorchlightSystems::Publish),
        )
            .into_configs()
    }

    /// What there is to see; only in an app that draws.
    fn present(&self, app: &mut App) {
        app.configure_sets(
            PostUpdate,
            TorchlightSystems::Present
                // In case the plugin's own schedule is this one.
                .after(TorchlightSystems::Publish)
                .before(TransformSystems::Propagate)
                .before(AssetEventSystems),
        )
        .configure_sets(
            PostUpdate,
            (
                PresentSystems::Paint,
                PresentSystems::Debug,
                PresentSystems::Lay,
            )
                .chain()
                .in_set(TorchlightSystems::Present),
        )
        .add_plugins((texture::plugin, upload::plugin));
        if app.is_plugin_added::<Mesh2dRenderPlugin>() {
            app.add_plugins((layer::plugin, debug::plugin));
        }
    }
}
