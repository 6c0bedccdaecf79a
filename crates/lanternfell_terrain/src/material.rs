//! A terrain's land in a material of one's own.

use std::marker::PhantomData;

use bevy::{
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};

use crate::{chunk::TerrainChunk, endless::share, systems::TerrainSystems, terrain::Terrain};

/// On a [`Terrain`]'s or an [`EndlessTerrain`](crate::EndlessTerrain)'s entity: its land is drawn with this
/// material instead of the plugin's own [`LandMaterial`](crate::LandMaterial).
///
/// It stays on whatever the ground and the cameras do; another handle shows at once, and when the component is
/// removed the plugin's own material is back. A chunk has vertices with places, normals and texture
/// coordinates, which run from 0 to 1 over the whole map; for normal maps with
/// [`tangents`](crate::TerrainDetail::tangents) too. [`StandardMaterial`] works as it is; for a material of your own add `TerrainMaterialPlugin::<MyMaterial>::default()` beside its `MaterialPlugin`.
///
/// ```no_run
/// # use bevy::prelude::*;
/// # use lanternfell_terrain::prelude::*;
/// fn spawn(mut commands: Commands, mut materials: ResMut<Assets<StandardMaterial>>) {
///     let clay = materials.add(Color::srgb(0.7, 0.4, 0.3));
///     commands.spawn((Terrain::default(), TerrainMaterial(clay)));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone)]
#[reflect(Component, Default, Clone, PartialEq)]
#[component(on_insert = mark, on_remove = unmark)]
pub struct TerrainMaterial<M: Material>(pub Handle<M>);

impl<M: Material> PartialEq for TerrainMaterial<M> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<M: Material> Eq for TerrainMaterial<M> {}

impl<M: Material> Default for TerrainMaterial<M> {
    fn default() -> Self {
        Self(Handle::default())
    }
}

/// On a terrain's entity that has a material of its own: then the plugin's stays away.
#[derive(Component)]
pub(crate) struct OwnMaterial;

fn mark(mut world: DeferredWorld, context: HookContext) {
    let terrain = context.entity;
    world.commands().entity(terrain).try_insert(OwnMaterial);
}

/// Lets the plugin's own material come back; what was drawn with this one is undressed then.
fn unmark(mut world: DeferredWorld, context: HookContext) {
    let terrain = context.entity;
    world.commands().entity(terrain).try_remove::<OwnMaterial>();
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
        app.register_type::<TerrainMaterial<M>>().add_systems(
            Update,
            (
                share::<TerrainMaterial<M>>.in_set(TerrainSystems::Swap),
                assign_materials::<M>.in_set(TerrainSystems::Present),
            ),
        );
    }
}

/// Gives each chunk its terrain's material, and takes it off those whose terrain has it no more.
fn assign_materials<M: Material>(
    mut commands: Commands,
    terrains: Query<&TerrainMaterial<M>, With<Terrain>>,
    bare: Query<Entity, (With<TerrainMaterial<M>>, Without<OwnMaterial>)>,
    chunks: Query<(Entity, &TerrainChunk, Option<&MeshMaterial3d<M>>)>,
) {
    // One of two materials was taken off, and the mark of both with it.
    for terrain in &bare {
        commands.entity(terrain).try_insert(OwnMaterial);
    }
    for (entity, chunk, dressed) in &chunks {
        match (terrains.get(chunk.terrain).ok(), dressed) {
            (Some(own), dressed) if dressed.is_none_or(|material| material.0 != own.0) => {
                let material = MeshMaterial3d(own.0.clone());
                commands.entity(entity).try_insert(material);
            }
            (None, Some(_)) => {
                commands.entity(entity).try_remove::<MeshMaterial3d<M>>();
            }
            _ => {}
        }
    }
}
