//! A terrain's land in a material of one's own.

use std::{any::TypeId, marker::PhantomData};

use bevy::{
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};

use crate::{
    ground::Terrain,
    land::chunk::TerrainChunk,
    systems::TerrainSystems,
    window::{TerrainWindow, share},
};

/// On a [`Terrain`]'s or an [`EndlessTerrain`](crate::EndlessTerrain)'s entity: its land is drawn with this
/// material instead of the plugin's own [`LandMaterial`](crate::LandMaterial).
///
/// It stays on whatever the ground and the cameras do; another handle shows at once, and when the component is
/// removed the plugin's own material is back. A chunk has vertices with places, normals and texture
/// coordinates, which run from 0 to 1 over the whole map; for normal maps with
/// [`tangents`](crate::TerrainDetail::tangents) too. [`StandardMaterial`] works as it is; for
/// a material of your own add `TerrainMaterialPlugin::<MyMaterial>::default()` beside its `MaterialPlugin`: without it
/// the land stays as it is, and a warning says so. Land has one material: one of another type takes the place of the one
/// before, which is removed, and a warning says so, too. [The guide](crate::guide::materials) has shaders, too.
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

/// On a terrain's entity that has a material of its own: then the plugin's stays away.
#[derive(Component, Clone, Copy)]
pub(crate) struct OwnMaterial {
    /// Its type.
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

    /// Of two materials the newest is drawn.
    fn put_on(self, terrain: &mut EntityWorldMut) {
        let before = terrain.get::<Self>().copied();
        terrain.insert(self);
        let Some(before) = before.filter(|before| before.of != self.of) else {
            return;
        };
        // What windows have is the whole's, of which it was said.
        if !terrain.contains::<TerrainWindow>() {
            let (terrain, new, old) = (terrain.id(), self.name, before.name);
            warn!("{terrain} is drawn with its {new} now: its {old} is taken off");
        }
        (before.take_off)(terrain);
    }
}

/// There once a [`TerrainMaterialPlugin`] of that material is.
#[derive(Resource)]
struct HasPlugin<M: Material>(PhantomData<M>);

fn mark<M: Material>(mut world: DeferredWorld, context: HookContext) {
    let terrain = context.entity;
    if world.contains_resource::<HasPlugin<M>>() {
        mark_as::<M>(&mut world.commands(), terrain);
    } else {
        // Without the plugin's own the land would have none, and not be seen.
        let name = ShortName::of::<M>();
        warn!("{terrain} is not drawn with its {name}: TerrainMaterialPlugin::<{name}> is missing");
    }
}

/// Unless it is taken off before anybody comes to it.
fn mark_as<M: Material>(commands: &mut Commands, terrain: Entity) {
    if let Ok(mut terrain) = commands.get_entity(terrain) {
        terrain.queue_silenced(|mut terrain: EntityWorldMut| {
            if terrain.contains::<TerrainMaterial<M>>() {
                OwnMaterial::of::<M>().put_on(&mut terrain);
            }
        });
    }
}

/// Lets the plugin's own material come back; what was drawn with this one is undressed then.
fn unmark<M: Material>(mut world: DeferredWorld, context: HookContext) {
    let terrain = context.entity;
    let is_own = |own: &OwnMaterial| own.of == TypeId::of::<M>();
    // Another may have taken its place.
    if world.get::<OwnMaterial>(terrain).is_some_and(is_own) {
        world.commands().entity(terrain).try_remove::<OwnMaterial>();
    }
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
        app.insert_resource(HasPlugin::<M>(PhantomData))
            .register_type::<TerrainMaterial<M>>()
            .add_systems(
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
    // It was there before the plugin.
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
