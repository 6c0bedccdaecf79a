//! Warns if there is a light or a map in an app without the plugin, which would otherwise silently do nothing.

use bevy::{
    app::MainScheduleOrder,
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};

/// Whether there is nothing to warn about: the plugin has been added, or the warning has been logged.
#[derive(Resource, Default)]
struct Settled(bool);

pub(crate) fn plugin(app: &mut App) {
    app.insert_resource(Settled(true));
}

/// A hook for components that need [`TorchlightPlugin`](crate::TorchlightPlugin).
pub(crate) fn warn_without_plugin(mut world: DeferredWorld, added: HookContext) {
    world.commands().queue(move |world: &mut World| {
        // Worlds of scenes and of the renderer have no plugins.
        if !world.contains_resource::<MainScheduleOrder>() {
            return;
        }
        let mut settled = world.get_resource_or_init::<Settled>();
        if !std::mem::replace(&mut settled.0, true) {
            let entity = added.entity;
            warn!(
                "{entity} got a LightSource or TorchlightMap without TorchlightPlugin: add it, or there is no light"
            );
        }
    });
}
