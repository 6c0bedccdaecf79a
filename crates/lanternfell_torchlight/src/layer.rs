//! The quads that show a map: children of its entity, one for each material.

use std::marker::PhantomData;

use bevy::{
    camera::visibility::RenderLayers, ecs::query::QueryData, prelude::*, sprite_render::Material2d,
};

use crate::{
    debug::{LightDebug, TileTexture},
    detail::{DetailTexture, DetailWork},
    display::LightDisplay,
    map::TorchlightMap,
    texture::{LightTexture, with_map},
};

/// A material on a quad that shows a map.
pub(crate) trait Layer: Material2d + PartialEq {
    /// The height of the quad above [`LightDisplay::z`].
    const LIFT: f32;

    /// The material for the current state of the map, or `None` if it is not shown.
    fn of(shown: &ShownItem) -> Option<Self>;

    /// How far the quad extends beyond the border of the map on every side, in the map's local
    /// units.
    fn margin(_: &ShownItem) -> f32 {
        0.0
    }
}

/// Everything that determines how a map is shown.
#[derive(QueryData)]
pub(crate) struct Shown {
    pub(crate) entity: Entity,
    pub(crate) map: &'static TorchlightMap,
    pub(crate) display: &'static LightDisplay,
    pub(crate) texture: &'static LightTexture,
    pub(crate) detail: Option<(&'static DetailTexture, &'static DetailWork)>,
    pub(crate) layers: Option<&'static RenderLayers>,
    pub(crate) debug: Option<&'static LightDebug>,
    pub(crate) tiles: Option<&'static TileTexture>,
}

/// On the entity of a map: the child that shows it with this material.
#[derive(Component)]
pub(crate) struct Quad<M: Layer>(Entity, PhantomData<M>);

/// The mesh of all quads: a unit square.
#[derive(Resource)]
pub(crate) struct Square(Handle<Mesh>);

impl FromWorld for Square {
    fn from_world(world: &mut World) -> Self {
        let mut meshes = world.resource_mut::<Assets<Mesh>>();
        Self(meshes.add(Rectangle::from_length(1.0)))
    }
}

/// Creates, updates and despawns the quad of each map.
pub(crate) fn update_quads<M: Layer>(
    mut commands: Commands,
    square: Res<Square>,
    mut materials: ResMut<Assets<M>>,
    maps: Query<(Shown, Option<&Quad<M>>)>,
    mut quads: Query<
        (
            &MeshMaterial2d<M>,
            &mut Transform,
            &mut RenderLayers,
            &mut Mesh2d,
        ),
        Without<TorchlightMap>,
    >,
) {
    for (shown, quad) in &maps {
        let place = place::<M>(&shown);
        let layers = shown.layers.cloned().unwrap_or_default();
        let drawn = quad.map(|quad| quad.0).filter(|&quad| quads.contains(quad));
        match (M::of(&shown), drawn) {
            (None, None) => {}
            (None, Some(quad)) => commands.entity(quad).try_despawn(),
            (Some(material), None) => {
                let material = MeshMaterial2d(materials.add(material));
                let quad = (Mesh2d(square.0.clone()), material, place, layers);
                spawn_quad::<M>(&mut commands, shown.entity, quad);
            }
            (Some(material), Some(quad)) => {
                if let Ok((shown_by, mut transform, mut drawn_by, mut mesh)) = quads.get_mut(quad) {
                    // Bevy sorts an entity again only when its mesh or material changes.
                    if transform.translation.z != place.translation.z {
                        mesh.set_changed();
                    }
                    transform.set_if_neq(place);
                    drawn_by.set_if_neq(layers);
                    update(&mut materials, &shown_by.0, material);
                }
            }
        }
    }
}

/// The transform that scales the unit square to the map and its margin.
fn place<M: Layer>(shown: &ShownItem) -> Transform {
    let size = shown.map.extent() + 2.0 * M::margin(shown);
    Transform::from_xyz(0.0, 0.0, shown.display.sane_z() + M::LIFT).with_scale(size.extend(1.0))
}

fn spawn_quad<M: Layer>(commands: &mut Commands, map: Entity, quad: impl Bundle) {
    with_map(commands, map, move |mut entity| {
        let quad = entity.world_scope(|world| world.spawn((quad, ChildOf(map))).id());
        entity.insert(Quad::<M>(quad, PhantomData));
    });
}

/// Writes the material only if it has changed, because each write prepares it again for the GPU.
fn update<M: Layer>(materials: &mut Assets<M>, handle: &Handle<M>, wanted: M) {
    if materials
        .get(handle)
        .is_some_and(|before| *before == wanted)
    {
        return;
    }
    if let Some(mut material) = materials.get_mut(handle) {
        *material = wanted;
    }
}

/// Despawns the quad of a map that has no light texture anymore.
pub(crate) fn take_up<M: Layer>(
    remove: On<Remove, LightTexture>,
    quads: Query<&Quad<M>>,
    mut commands: Commands,
) {
    if let Ok(quad) = quads.get(remove.entity) {
        commands.entity(quad.0).try_despawn();
        commands.entity(remove.entity).try_remove::<Quad<M>>();
    }
}
