//! The plugin: which systems run when.

use bevy::{
    app::FixedPostUpdate,
    asset::AssetEventSystems,
    ecs::{intern::Interned, schedule::ScheduleLabel},
    prelude::*,
    render::RenderApp,
    sprite_render::Mesh2dRenderPlugin,
};

#[cfg(feature = "ecs_tilemap")]
use crate::tiles;
use crate::{
    advance,
    blocker::LightBlocker,
    collect,
    debug::{self, LightDebug},
    detail::{self, DetailTexture, DirectionTexture, LightDetail, ShadowCaster},
    display::LightDisplay,
    flicker::Flicker,
    flow::LightFlow,
    level::{self, LightBandChanged, LightLevel},
    map::LightMap,
    material,
    normals::{self, NormalMap},
    paint,
    pause::{self, InPause, LastTime},
    position::{InLightMap, LightCell},
    source::LightSource,
    systems::{PresentSystems, TorchlightSystems},
    texture::{self, LightTexture},
    thresholds::LightThresholds,
    timing::{self, LightBudget, LightTiming, Spent},
    upload,
};

/// Lights every [`LightMap`] in the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TorchlightPlugin {
    /// Where light is collected, flows and is published; [`FixedPostUpdate`] by default.
    pub schedule: Interned<dyn ScheduleLabel>,
    /// Whether light goes on, on the real clock, while the game's clock ([`Time<Virtual>`]) is paused or
    /// has no speed: for editors and photographs, where lamps are moved in a pause. Flames stand still.
    /// False by default.
    pub in_pause: bool,
}

impl TorchlightPlugin {
    /// The plugin with its work in this schedule, whose [`Time`] is then the light's clock.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
            in_pause: false,
        }
    }

    /// The plugin going on [in a pause](Self::in_pause).
    #[must_use]
    pub fn going_on_in_pause(mut self) -> Self {
        self.in_pause = true;
        self
    }
}

impl Default for TorchlightPlugin {
    fn default() -> Self {
        Self::in_schedule(FixedPostUpdate)
    }
}

impl Plugin for TorchlightPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<Flicker>()
            .register_type::<InLightMap>()
            .register_type::<LightBlocker>()
            .register_type::<LightCell>()
            .register_type::<DetailTexture>()
            .register_type::<DirectionTexture>()
            .register_type::<LightDebug>()
            .register_type::<LightDetail>()
            .register_type::<LightFlow>()
            .register_type::<LightLevel>()
            .register_type::<LightDisplay>()
            .register_type::<LightMap>()
            .register_type::<LightSource>()
            .register_type::<LightTexture>()
            .register_type::<LightThresholds>()
            .register_type::<LightTiming>()
            .register_type::<NormalMap>()
            .register_type::<ShadowCaster>()
            .register_type::<LightBudget>()
            .init_resource::<LightBudget>()
            .init_resource::<Spent>()
            .add_message::<LightBandChanged>()
            .init_resource::<LastTime>()
            .add_systems(First, timing::begin_frame);
        #[cfg(feature = "ecs_tilemap")]
        app.add_plugins(tiles::plugin);
        light_in(app, self.schedule);
        if self.in_pause {
            light_in(app, InPause);
            app.add_plugins(pause::plugin);
        }
        if app.get_sub_app(RenderApp).is_some() {
            self.present(app);
        }
    }
}

/// Light is collected, flows and is published in this schedule.
fn light_in(app: &mut App, schedule: impl ScheduleLabel) {
    let schedule = schedule.intern();
    let sets = (
        TorchlightSystems::Collect,
        TorchlightSystems::Flow,
        TorchlightSystems::Publish,
    );
    app.configure_sets(schedule, sets.chain()).add_systems(
        schedule,
        (
            (
                collect::collect_blockers,
                collect::collect_sources,
                collect::collect_casters,
            )
                .chain()
                .in_set(TorchlightSystems::Collect),
            advance::advance.in_set(TorchlightSystems::Flow),
            level::publish.in_set(TorchlightSystems::Publish),
        ),
    );
    #[cfg(feature = "ecs_tilemap")]
    tiles::follow_in(app, schedule);
}

impl TorchlightPlugin {
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
        .add_plugins((
            texture::plugin,
            detail::plugin,
            paint::plugin,
            upload::plugin,
        ));
        if app.is_plugin_added::<Mesh2dRenderPlugin>() {
            app.add_plugins((material::plugin, debug::plugin, normals::plugin));
        }
    }
}
