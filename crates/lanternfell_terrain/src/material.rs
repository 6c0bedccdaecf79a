//! A terrain's land in a material of one's own.

use std::marker::PhantomData;

use bevy::{
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};

use crate::{chunk::TerrainChunk, systems::TerrainSystems, terrain::Terrain};

/// On a [`Terrain`]'s entity: its land is drawn with this material instead of the plugin's own
/// [`LandMaterial`](crate::LandMaterial).
///
/// It stays on whatever the ground and the cameras do; another handle shows at once, and when the component is
/// removed the plugin's own material is back. A chunk has vertices with places, normals and texture
/// coordinates, which run from 0 to 1 over the whole map. [`StandardMaterial`] works as it is; for
/// a material of your own add `TerrainMaterialPlugin::<MyMaterial>::default()` beside its `MaterialPlugin`.
///
/// ```no_run
/// # use bevy::prelude::*;
/// # use lanternfell_terrain::prelude::*;
/// fn spawn(mut commands: Commands, mut materials: ResMut<Assets<StandardMaterial>>) {
///     let clay = materials.add(Color::srgb(0.7, 0.4, 0.3));
///     commands.spawn((Terrain::default(), TerrainMaterial(clay)));
/// }
/// ```
#[derive(Component, Debug, Clone, PartialEq, Eq)]
#[component(on_insert = mark, on_remove = unmark::<M>)]
pub struct TerrainMaterial<M: Material>(pub Handle<M>);

/// On a terrain's entity that has a material of its own: then the plugin's stays away.
#[derive(Component)]
pub(crate) struct OwnMaterial;

fn mark(mut world: DeferredWorld, context: HookContext) {
    world
        .commands()
        .entity(context.entity)
        .try_insert(OwnMaterial);
}

/// Takes the material off what is drawn, and lets the plugin's own come back.
fn unmark<M: Material>(mut world: DeferredWorld, context: HookContext) {
    let terrain = context.entity;
    world.commands().queue(move |world: &mut World| {
        if let Ok(mut terrain) = world.get_entity_mut(terrain) {
            terrain.remove::<OwnMaterial>();
        }
        let mut chunks = world.query_filtered::<(Entity, &TerrainChunk), With<MeshMaterial3d<M>>>();
        let drawn = chunks
            .iter(world)
            .filter(|(_, chunk)| chunk.terrain == terrain);
        let drawn: Vec<Entity> = drawn.map(|(chunk, _)| chunk).collect();
        for chunk in drawn {
            world.entity_mut(chunk).remove::<MeshMaterial3d<M>>();
        }
    });
}

/// Lets terrains be drawn with material `M`, by [`TerrainMaterial`]. Add it after `MaterialPlugin::<M>`.
#[derive(Debug)]
pub struct TerrainMaterialPlugin<M: Material>(PhantomData<M>);

impl<M: Material> Default for TerrainMaterialPlugin<M> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<M: Material> Plugin for TerrainMaterialPlugin<M> {
    fn build(&self, app: &mut App) {
        app.add_systems(
            Update,
            assign_materials::<M>.in_set(TerrainSystems::Present),
        );
    }
}

/// Gives each chunk its terrain's material, where it has another one or none.
fn assign_materials<M: Material>(
    mut commands: Commands,
    terrains: Query<Ref<TerrainMaterial<M>>, With<Terrain>>,
    chunks: Query<(Entity, Ref<TerrainChunk>)>,
) {
    if terrains.is_empty() {
        return;
    }
    for (entity, chunk) in &chunks {
        if let Ok(material) = terrains.get(chunk.terrain)
            && (material.is_changed() || chunk.is_added())
        {
            let material = MeshMaterial3d(material.0.clone());
            commands.entity(entity).try_insert(material);
        }
    }
}
