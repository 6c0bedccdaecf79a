//! The plugin, and the order of its systems.

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
    detail::{self, DetailTexture, DirectionTexture, ShadowCaster, SoftShadows},
    display::LightDisplay,
    flicker::Flicker,
    flow::LightFlow,
    installed,
    level::{self, LightLevel},
    map::{self, TorchlightMap},
    material,
    normals::{self, NormalMap},
    paint,
    pause::{self, InPause, LastTime},
    position::{InTorchlightMap, LightCell},
    source::LightSource,
    status::TorchlightStatus,
    systems::{PresentSystems, TorchlightSystems},
    texture::{self, LightTexture},
    thresholds::LightThresholds,
    timing::{self, LightBudget, LightTiming, Spent},
    upload,
};

/// Computes and renders the light of every [`TorchlightMap`] in the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TorchlightPlugin {
    /// The schedule in which light is computed. Its [`Time`] is the clock of the light. Default: [`FixedPostUpdate`].
    pub schedule: Interned<dyn ScheduleLabel>,
    /// Whether light is also computed while the game's clock ([`Time<Virtual>`]) is paused or has zero speed, in real
    /// time. Use it for editors and photo modes, where lamps move during a pause. Flickering stops in a pause. Default:
    /// `false`.
    pub runs_while_paused: bool,
}

impl TorchlightPlugin {
    /// Creates the plugin with its systems in this schedule. The schedule's [`Time`] is the clock of the light.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
            runs_while_paused: false,
        }
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
            .register_type::<InTorchlightMap>()
            .register_type::<LightBlocker>()
            .register_type::<LightCell>()
            .register_type::<DetailTexture>()
            .register_type::<DirectionTexture>()
            .register_type::<LightDebug>()
            .register_type::<SoftShadows>()
            .register_type::<LightFlow>()
            .register_type::<LightLevel>()
            .register_type::<LightDisplay>()
            .register_type::<TorchlightMap>()
            .register_type::<TorchlightStatus>()
            .register_type::<LightSource>()
            .register_type::<LightTexture>()
            .register_type::<LightThresholds>()
            .register_type::<LightTiming>()
            .register_type::<NormalMap>()
            .register_type::<ShadowCaster>()
            .register_type::<LightBudget>()
            .init_resource::<LightBudget>()
            .init_resource::<Spent>()
            .init_resource::<LastTime>()
            .add_plugins(installed::plugin)
            .add_systems(First, timing::begin_frame)
            .add_systems(self.schedule, collect::warn_without_map);
        #[cfg(feature = "ecs_tilemap")]
        app.add_plugins(tiles::plugin);
        light_in(app, self.schedule);
        if self.runs_while_paused {
            light_in(app, InPause);
            app.add_plugins(pause::plugin);
        }
        if app.get_sub_app(RenderApp).is_some() {
            self.present(app);
        }
    }
}

/// Adds the systems that compute light to a schedule.
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
                map::follow_fields,
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
    /// Adds the systems that render light. Called only in apps with a renderer.
    fn present(&self, app: &mut App) {
        app.configure_sets(
            PostUpdate,
            TorchlightSystems::Present
                // Needed if the plugin's own schedule is `PostUpdate` too.
                .after(TorchlightSystems::Publish)
                .before(TransformSystems::Propagate)
                .before(AssetEventSystems),
        )
        .configure_sets(
            PostUpdate,
            (
                PresentSystems::Paint,
                PresentSystems::Debug,
                PresentSystems::Quads,
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
