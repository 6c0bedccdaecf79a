//! Removes what belongs to a terrain's vegetation when the [`Vegetation`] component or the terrain's surface goes.
//!
//! Each module declares what it puts on a terrain with [`remove_with_vegetation`], so no central list can miss a component.
//! Entities that [`spawn`] creates are despawned as well.

use bevy::prelude::*;
use lanternfell_terrain::TerrainSurface;

use crate::vegetation::Vegetation;

/// On every entity that was spawned for a terrain's vegetation. Holds the terrain.
#[derive(Component)]
struct GrownOn(Entity);

pub(crate) fn plugin(app: &mut App) {
    app.add_observer(despawn_grown::<Vegetation>)
        .add_observer(despawn_grown::<TerrainSurface>);
}

/// Registers components that leave a terrain together with its [`Vegetation`] or its surface.
pub(crate) fn remove_with_vegetation<B: Bundle>(app: &mut App) {
    app.add_observer(remove::<Vegetation, B>)
        .add_observer(remove::<TerrainSurface, B>);
}

/// Spawns a child of a terrain that is despawned with the terrain's vegetation.
pub(crate) fn spawn(commands: &mut Commands, terrain: Entity, bundle: impl Bundle) -> Entity {
    let grown = commands.spawn((GrownOn(terrain), ChildOf(terrain), bundle));
    let grown = grown.id();
    commands.queue(move |world: &mut World| despawn_orphan(world, terrain, grown));
    grown
}

/// An earlier command of the same frame may have removed the vegetation. The observers ran before this entity existed,
/// so nothing else would despawn it.
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
