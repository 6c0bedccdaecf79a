//! The plugin: which systems run when.

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

use crate::{
    advance,
    blocker::LightBlocker,
    collect,
    debug::{self, LightDebug},
    display::LightDisplay,
    flicker::Flicker,
    flow::LightFlow,
    level::{self, LightBandChanged, LightLevel},
    map::LightMap,
    material,
    position::{InLightMap, LightCell},
    source::LightSource,
    systems::{PresentSystems, TorchlightSystems},
    texture::{self, LightTexture},
    thresholds::LightThresholds,
    upload,
};

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
            advance::advance.in_set(TorchlightSystems::Flow),
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
            app.add_plugins((material::plugin, debug::plugin));
        }
    }
}
