//! Rendering a terrain with a custom material.

use std::{any::TypeId, marker::PhantomData};

use bevy::{
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};

use crate::{
    ground::Terrain,
    land::chunk::TerrainChunk,
    region::{TerrainRegion, share},
    systems::TerrainSystems,
};

/// Renders a [`Terrain`] or an [`EndlessTerrain`](crate::EndlessTerrain) with a custom material instead of the default
/// [`DefaultTerrainMaterial`](crate::DefaultTerrainMaterial).
///
/// Insert it on the entity of the terrain:
///
/// ```no_run
/// # use bevy::prelude::*;
/// # use lanternfell_terrain::prelude::*;
/// fn spawn(mut commands: Commands, mut materials: ResMut<Assets<StandardMaterial>>) {
///     let clay = materials.add(Color::srgb(0.7, 0.4, 0.3));
///     commands.spawn((Terrain::default(), TerrainMaterial(clay)));
/// }
/// ```
///
/// [`StandardMaterial`] works out of the box. For a material type of your own, add
/// `TerrainMaterialPlugin::<MyMaterial>::default()` in addition to `MaterialPlugin::<MyMaterial>`. Without it the
/// terrain keeps its current material and a warning is logged. [The guide](crate::guide::materials) shows how to write
/// a shader.
///
/// Chunk meshes have positions, normals and texture coordinates, which run from 0 to 1 over the whole map. Normal maps
/// also need tangents: enable [`TerrainDetail::tangents`](crate::TerrainDetail::tangents).
///
/// A new handle is applied in the same frame. The material is kept when the terrain is regenerated. Removing the
/// component restores the default material. A terrain has one material: inserting a `TerrainMaterial` of another type
/// removes the previous one and logs a warning.
#[derive(Component, Reflect, Debug, Clone)]
#[reflect(Component, Default, Clone, PartialEq)]
#[component(on_insert = mark::<M>, on_remove = unmark::<M>)]
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

/// Marks a terrain that has a [`TerrainMaterial`], so the default material is not assigned to its chunks.
#[derive(Component, Clone, Copy)]
pub(crate) struct OwnMaterial {
    /// The type of the material.
    of: TypeId,
    name: ShortName<'static>,
    take_off: fn(&mut EntityWorldMut),
}

impl OwnMaterial {
    fn of<M: Material>() -> Self {
        Self {
            of: TypeId::of::<M>(),
            name: ShortName::of::<M>(),
            take_off: |terrain| {
                terrain.remove::<TerrainMaterial<M>>();
            },
        }
    }

    /// Inserts the marker. If the terrain had a [`TerrainMaterial`] of another type, removes that one.
    fn put_on(self, terrain: &mut EntityWorldMut) {
        let before = terrain.get::<Self>().copied();
        terrain.insert(self);
        let Some(before) = before.filter(|before| before.of != self.of) else {
            return;
        };
        // Regions copy their material from the endless terrain, for which the warning was logged already.
        if !terrain.contains::<TerrainRegion>() {
            let (terrain, new, old) = (terrain.id(), self.name, before.name);
            warn!("{terrain} can have only one TerrainMaterial: {new} replaces {old}");
        }
        (before.take_off)(terrain);
    }
}

/// Present once the [`TerrainMaterialPlugin`] of this material has been added.
#[derive(Resource)]
struct HasPlugin<M: Material>(PhantomData<M>);

fn mark<M: Material>(mut world: DeferredWorld, context: HookContext) {
    let terrain = context.entity;
    if world.contains_resource::<HasPlugin<M>>() {
        mark_as::<M>(&mut world.commands(), terrain);
    } else {
        // Without the plugin no system would assign this material. The marker would only take the default material off
        // the chunks, and the terrain would be invisible.
        let name = ShortName::of::<M>();
        warn!(
            "{terrain} is not drawn with its TerrainMaterial<{name}>: add TerrainMaterialPlugin::<{name}>"
        );
    }
}

/// Marks the terrain when the commands are applied, unless the component has been removed by then.
fn mark_as<M: Material>(commands: &mut Commands, terrain: Entity) {
    if let Ok(mut terrain) = commands.get_entity(terrain) {
        terrain.queue_silenced(|mut terrain: EntityWorldMut| {
            if terrain.contains::<TerrainMaterial<M>>() {
                OwnMaterial::of::<M>().put_on(&mut terrain);
            }
        });
    }
}

/// Removes the marker, so the default material comes back. `assign_materials` takes this material off the chunks.
fn unmark<M: Material>(mut world: DeferredWorld, context: HookContext) {
    let terrain = context.entity;
    let is_own = |own: &OwnMaterial| own.of == TypeId::of::<M>();
    // A material of another type may have replaced this one.
    if world.get::<OwnMaterial>(terrain).is_some_and(is_own) {
        world.commands().entity(terrain).try_remove::<OwnMaterial>();
    }
}

/// Lets [`TerrainMaterial`] render terrains with material `M`.
///
/// Add it after `MaterialPlugin::<M>`.
#[derive(Debug)]
pub struct TerrainMaterialPlugin<M: Material>(PhantomData<M>);

impl<M: Material> Default for TerrainMaterialPlugin<M> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<M: Material> Plugin for TerrainMaterialPlugin<M> {
    fn build(&self, app: &mut App) {
        app.insert_resource(HasPlugin::<M>(PhantomData))
            .register_type::<TerrainMaterial<M>>()
            .add_systems(
                PostUpdate,
                (
                    share::<TerrainMaterial<M>>.in_set(TerrainSystems::Swap),
                    assign_materials::<M>.in_set(TerrainSystems::Present),
                ),
            );
    }
}

/// Assigns the material to the chunks of each terrain, and removes it where the terrain no longer has it.
fn assign_materials<M: Material>(
    mut commands: Commands,
    terrains: Query<&TerrainMaterial<M>, With<Terrain>>,
    bare: Query<Entity, (With<TerrainMaterial<M>>, Without<OwnMaterial>)>,
    chunks: Query<(Entity, &TerrainChunk, Option<&MeshMaterial3d<M>>)>,
) {
    // These components were inserted before the plugin was added.
    for terrain in &bare {
        mark_as::<M>(&mut commands, terrain);
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
