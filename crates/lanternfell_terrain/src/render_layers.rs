//! What a terrain draws is on the [`RenderLayers`] of the terrain.
//!
//! Bevy does not pass render layers on to children. So each module that spawns meshes for a terrain registers their
//! marker component with [`TerrainRenderLayersPlugin`].

use std::marker::PhantomData;

use bevy::{
    camera::visibility::{RenderLayers, VisibilitySystems},
    platform::collections::HashSet,
    prelude::*,
};

use crate::region::{Regioned, TerrainRegion};

/// Puts the children of a terrain that have component `C` on the [`RenderLayers`] of the terrain.
///
/// This plugin is for code that spawns meshes on terrains. `TerrainPlugin` uses it for terrain and water, and
/// `VegetationPlugin` for plants. A child that spawns with its own `RenderLayers` keeps them until those of the
/// terrain change.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{TerrainRenderLayersPlugin, prelude::*};
///
/// /// On a house, which is a child of its terrain.
/// #[derive(Component)]
/// struct House;
///
/// App::new().add_plugins(TerrainRenderLayersPlugin::<House>::default());
/// ```
#[derive(Debug)]
pub struct TerrainRenderLayersPlugin<C: Component>(PhantomData<C>);

impl<C: Component> Default for TerrainRenderLayersPlugin<C> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<C: Component> Plugin for TerrainRenderLayersPlugin<C> {
    fn build(&self, app: &mut App) {
        app.add_systems(
            PostUpdate,
            follow_terrain::<C>
                // After everything is spawned.
                .after(TransformSystems::Propagate)
                .before(VisibilitySystems::CheckVisibility),
        );
    }
}

type Child<'a> = (Entity, &'a ChildOf, Option<&'a RenderLayers>);

fn follow_terrain<C: Component>(
    mut commands: Commands,
    changed: Query<(), Changed<RenderLayers>>,
    mut removed: RemovedComponents<RenderLayers>,
    terrains: Query<&RenderLayers>,
    added: Query<Child, Added<C>>,
    children: Query<Child, With<C>>,
) {
    for (child, of, own) in &added {
        if let (Ok(layers), None) = (terrains.get(of.parent()), own) {
            commands.entity(child).try_insert(layers.clone());
        }
    }
    let removed: HashSet<Entity> = removed.read().collect();
    if changed.is_empty() && removed.is_empty() {
        return;
    }
    for (child, of, own) in &children {
        let terrain = of.parent();
        match terrains.get(terrain) {
            Ok(_) if added.contains(child) => {}
            Ok(layers) if changed.contains(terrain) && own != Some(layers) => {
                commands.entity(child).try_insert(layers.clone());
            }
            Err(_) if removed.contains(&terrain) => {
                commands.entity(child).try_remove::<RenderLayers>();
            }
            _ => {}
        }
    }
}

/// Copies the render layers of an endless terrain to its regions. A region that has its own keeps them until those of
/// the endless terrain change.
pub(crate) fn share_with_regions(
    mut commands: Commands,
    wholes: Query<Ref<RenderLayers>, With<Regioned>>,
    mut removed: RemovedComponents<RenderLayers>,
    regions: Query<(Entity, &TerrainRegion, Option<&RenderLayers>)>,
) {
    let removed: HashSet<Entity> = removed.read().collect();
    for (entity, region, own) in &regions {
        match wholes.get(region.terrain) {
            Ok(shared) if own.is_none() || shared.is_changed() && own != Some(&shared) => {
                commands
                    .entity(entity)
                    .try_insert(RenderLayers::clone(&shared));
            }
            Err(_) if removed.contains(&region.terrain) => {
                commands.entity(entity).try_remove::<RenderLayers>();
            }
            _ => {}
        }
    }
}
