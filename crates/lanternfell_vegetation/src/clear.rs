//! Cleanup when the [`Vegetation`] component or the terrain's surface is removed.
//!
//! Each module registers the components that it adds to terrains with [`remove_with_vegetation`]. So no central list
//! can miss one. Entities from [`spawn`] are despawned as well.

use bevy::prelude::*;
use lanternfell_terrain::TerrainSurface;

use crate::vegetation::Vegetation;

/// Marks entities spawned for a terrain's vegetation. Holds the terrain.
#[derive(Component)]
struct GrownOn(Entity);

pub(crate) fn plugin(app: &mut App) {
    app.add_observer(despawn_grown::<Vegetation>)
        .add_observer(despawn_grown::<TerrainSurface>);
}

/// Registers components that are removed together with the terrain's [`Vegetation`] or surface.
pub(crate) fn remove_with_vegetation<B: Bundle>(app: &mut App) {
    app.add_observer(remove::<Vegetation, B>)
        .add_observer(remove::<TerrainSurface, B>);
}

/// Spawns a child of a terrain that is despawned together with the terrain's vegetation.
pub(crate) fn spawn(commands: &mut Commands, terrain: Entity, bundle: impl Bundle) -> Entity {
    let grown = commands.spawn((GrownOn(terrain), ChildOf(terrain), bundle));
    let grown = grown.id();
    commands.queue(move |world: &mut World| despawn_orphan(world, terrain, grown));
    grown
}

/// Despawns `entity` if an earlier command of the same frame removed the vegetation. The observers ran before the
/// entity existed, so they cannot despawn it.
fn despawn_orphan(world: &mut World, terrain: Entity, entity: Entity) {
    if world.get::<Vegetation>(terrain).is_none()
        && let Ok(entity) = world.get_entity_mut(entity)
    {
        entity.despawn();
    }
}

fn despawn_grown<C: Component>(
    gone: On<Remove, C>,
    mut commands: Commands,
    grown: Query<(Entity, &GrownOn)>,
) {
    for (entity, on) in &grown {
        if on.0 == gone.entity {
            commands.entity(entity).try_despawn();
        }
    }
}

fn remove<C: Component, B: Bundle>(gone: On<Remove, C>, mut commands: Commands) {
    commands.entity(gone.entity).try_remove::<B>();
}
