//! What grows goes when its [`Vegetation`] is taken from the terrain, or the ground.

use bevy::prelude::*;
use lanternfell_terrain::TerrainSurface;

#[cfg(any(feature = "avian", feature = "rapier"))]
use crate::solids::Solids;
use crate::{
    own::OwnPlants,
    plots::{DrawnVegetation, Plots},
    sowing::{Measuring, Refused, Sowing},
    vegetation::Vegetation,
};

/// On every entity that stands on a terrain, which it names, for its vegetation.
#[derive(Component)]
pub(crate) struct GrownOn(pub(crate) Entity);

pub(crate) fn plugin(app: &mut App) {
    app.add_observer(without_vegetation)
        .add_observer(without_ground);
}

/// Spawns something that stands on a terrain and goes with its vegetation.
pub(crate) fn spawn(commands: &mut Commands, terrain: Entity, bundle: impl Bundle) -> Entity {
    let grown = commands.spawn((GrownOn(terrain), ChildOf(terrain), bundle));
    let grown = grown.id();
    commands.queue(move |world: &mut World| despawn_orphan(world, terrain, grown));
    grown
}

/// Somebody may have taken the vegetation away in the same frame.
fn despawn_orphan(world: &mut World, terrain: Entity, entity: Entity) {
    if world.get::<Vegetation>(terrain).is_none()
        && let Ok(entity) = world.get_entity_mut(entity)
    {
        entity.despawn();
    }
}

fn without_vegetation(
    remove: On<Remove, Vegetation>,
    commands: Commands,
    grown: Query<(Entity, &GrownOn)>,
) {
    clear_away(remove.entity, commands, grown);
}

/// All would hang in the air.
fn without_ground(
    remove: On<Remove, TerrainSurface>,
    commands: Commands,
    grown: Query<(Entity, &GrownOn)>,
) {
    clear_away(remove.entity, commands, grown);
}

fn clear_away(terrain: Entity, mut commands: Commands, grown: Query<(Entity, &GrownOn)>) {
    for (entity, stands) in &grown {
        if stands.0 == terrain {
            commands.entity(entity).try_despawn();
        }
    }
    let mut terrain = commands.entity(terrain);
    terrain.try_remove::<(
        Plots,
        DrawnVegetation,
        OwnPlants,
        Sowing,
        Measuring,
        Refused,
    )>();
    #[cfg(any(feature = "avian", feature = "rapier"))]
    terrain.try_remove::<Solids>();
}
