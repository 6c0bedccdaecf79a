//! The quads over a map: children of its entity, one for each material that shows it.

use std::marker::PhantomData;

use bevy::{
    camera::visibility::RenderLayers, ecs::query::QueryData, prelude::*, sprite_render::Material2d,
};

use crate::{
    debug::{LightDebug, TileTexture},
    detail::{DetailTexture, DetailWork},
    display::LightDisplay,
    map::LightMap,
    texture::{LightTexture, with_map},
};

/// A material that shows a map.
pub(crate) trait Layer: Material2d + PartialEq {
    /// How far it lies above [`LightDisplay::z`].
    const LIFT: f32;

    /// As this map is to be shown; none when it is not.
    fn of(shown: &ShownItem) -> Option<Self>;

    /// How far it goes over the map's border, on every side, in the map's own units.
    fn margin(_: &ShownItem) -> f32 {
        0.0
    }
}

/// All that says how a map is shown.
#[derive(QueryData)]
pub(crate) struct Shown {
    pub(crate) entity: Entity,
    pub(crate) map: &'static LightMap,
    pub(crate) display: &'static LightDisplay,
    pub(crate) texture: &'static LightTexture,
    pub(crate) detail: Option<(&'static DetailTexture, &'static DetailWork)>,
    pub(crate) layers: Option<&'static RenderLayers>,
    pub(crate) debug: Option<&'static LightDebug>,
    pub(crate) tiles: Option<&'static TileTexture>,
}

/// On a map's entity: its child that shows it with this material.
#[derive(Component)]
pub(crate) struct Quad<M: Layer>(Entity, PhantomData<M>);

/// The mesh of all quads: a square of one unit.
#[derive(Resource)]
pub(crate) struct Square(Handle<Mesh>);

impl FromWorld for Square {
    fn from_world(world: &mut World) -> Self {
        let mut meshes = world.resource_mut::<Assets<Mesh>>();
        Self(meshes.add(Rectangle::from_length(1.0)))
    }
}

/// Keeps one quad over every map that is shown.
pub(crate) fn lay<M: Layer>(
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
        Without<LightMap>,
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
                    // Bevy sorts it again only when it has another mesh or material.
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

/// The mesh's square becomes the map, and what lies around it.
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

/// A material that is touched is prepared anew for the GPU, so only if it has changed.
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

/// There is no light to show any more.
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
