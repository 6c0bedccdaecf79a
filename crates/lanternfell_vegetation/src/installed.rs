//! Warns about plugins that are missing, because otherwise plants would silently not grow.

use bevy::{
    app::MainScheduleOrder,
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};
use lanternfell_terrain::TerrainPlugin;

/// Whether there is nothing to warn about: the plugin has been added, or the warning has been logged.
#[derive(Resource, Default)]
struct Settled(bool);

pub(crate) fn plugin(app: &mut App) {
    app.insert_resource(Settled(true));
}

/// Runs in `Plugin::finish`, when all plugins have been added.
pub(crate) fn warn_without_terrain(app: &App) {
    if !app.is_plugin_added::<TerrainPlugin>() {
        warn!("VegetationPlugin was added without TerrainPlugin: add it, or no plants grow");
    }
}

/// A hook for components that need [`VegetationPlugin`](crate::VegetationPlugin).
pub(crate) fn warn_without_plugin(mut world: DeferredWorld, added: HookContext) {
    world.commands().queue(move |world: &mut World| {
        // Worlds of scenes and of the renderer have no plugins.
        if !world.contains_resource::<MainScheduleOrder>() {
            return;
        }
        let mut settled = world.get_resource_or_init::<Settled>();
        if !std::mem::replace(&mut settled.0, true) {
            let entity = added.entity;
            warn!("{entity} got a Vegetation without VegetationPlugin: add it, or no plants grow");
        }
    });
}
