//! Rivers and lakes as they are drawn: a mesh for each, all of a terrain with one material, that of its water.

use bevy::{light::NotShadowCaster, mesh::Indices, mesh::PrimitiveTopology, prelude::*};
use lanternfell_heightmap::{
    inland_water::{LakeWater, RiverEnd, RiverWater},
    surface::Surface,
};

use super::{HeightImage, WaterExtension, WaterMaterial, WaterSurface, visibility};
use crate::{surface::TerrainSurface, swap::Upcoming, water::Water};

/// On the surfaces of rivers and lakes, beside [`WaterSurface`].
#[derive(Component)]
pub(crate) struct Inland;

type Ground = (
    Entity,
    &'static TerrainSurface,
    &'static HeightImage,
    &'static Water,
);

/// Gives new ground its rivers and lakes, and takes away the old ground's.
pub(super) fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<WaterMaterial>>,
    terrains: Query<Ground, Changed<TerrainSurface>>,
    before: Query<(Entity, &WaterSurface), With<Inland>>,
) {
    for (terrain, ground, image, water) in &terrains {
        for (entity, _) in before.iter().filter(|(_, of)| of.terrain == terrain) {
            commands.entity(entity).try_despawn();
        }
        let Some(waters) = ground.waters().filter(|waters| !waters.is_empty()) else {
            continue;
        };
        let extension = WaterExtension::new(water, ground, None, image.0.clone());
        let material = materials.add(extension.inland().into_material());
        let surface = ground.surface();
        let rivers = waters
            .rivers()
            .iter()
            .map(|river| of_river(river, &surface));
        let lakes = waters.lakes().iter().map(|lake| of_lake(lake, &surface));
        for mesh in rivers.chain(lakes) {
            commands.spawn((
                (WaterSurface { terrain }, Inland, NotShadowCaster),
                Mesh3d(meshes.add(mesh)),
                MeshMaterial3d(material.clone()),
                visibility(water),
                ChildOf(terrain),
            ));
        }
    }
}

type WaterChanged = Or<(Changed<Water>, Changed<HeightImage>)>;

/// Keeps them in step with the terrain's [`Water`].
pub(super) fn update(
    mut materials: ResMut<Assets<WaterMaterial>>,
    terrains: Query<Ground, (WaterChanged, Without<Upcoming>)>,
    mut surfaces: Query<
        (
            &WaterSurface,
            &MeshMaterial3d<WaterMaterial>,
            &mut Visibility,
        ),
        With<Inland>,
    >,
) {
    for (terrain, ground, image, water) in &terrains {
        let mut last = None;
        let own = surfaces.iter_mut().filter(|(of, ..)| of.terrain == terrain);
        for (_, material, mut shown) in own {
            shown.set_if_neq(visibility(water));
            if last.replace(material.0.id()) == Some(material.0.id()) {
                continue;
            }
            if let Some(mut material) = materials.get_mut(&material.0) {
                let refracts = material.extension.refracts;
                let extension = WaterExtension::new(water, ground, None, image.0.clone());
                material.extension = extension.inland();
                material.extension.refracts = refracts;
            }
        }
    }
}

/// What the shader knows of a vertex beside its place: in `water.wgsl`, `in.uv_b` and `in.color`.
#[derive(Default)]
struct Vertices {
    /// Metres per second, along x and z.
    flows: Vec<[f32; 2]>,
    /// How rough it is, how deep in metres, how much of it is seen, and nothing.
    looks: Vec<[f32; 4]>,
}

impl Vertices {
    fn into_mesh(self, positions: Vec<[f32; 3]>, indices: Vec<u32>) -> Mesh {
        let normals = vec![Vec3::Y; positions.len()];
        Mesh::new(PrimitiveTopology::TriangleList, default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, vec![Vec2::ZERO; positions.len()])
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_1, self.flows)
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.looks)
            .with_inserted_indices(Indices::U32(indices))
    }
}

fn depth(surface: &Surface<'_>, [x, y, z]: [f32; 3]) -> f32 {
    let ground = surface.height(Vec2::new(x, z));
    ground.map_or(0.0, |ground| (y - ground).max(0.0))
}

fn of_river(river: &RiverWater, surface: &Surface<'_>) -> Mesh {
    let ribbon = river.mesh();
    // Where it lies over other water it fades: one of both is enough.
    let fade = 2.0 * surface.scale().spacing;
    let begins_in_water = river.from_lake.is_some();
    let ends_in_water = river.end != RiverEnd::Outlet;
    let length = river.length();
    let seen = |along: f32| {
        let from_begin = if begins_in_water { along / fade } else { 1.0 };
        let to_end = if ends_in_water {
            (length - along) / fade
        } else {
            1.0
        };
        from_begin.min(to_end).clamp(0.0, 1.0)
    };
    let rows = ribbon.positions.iter().zip(&ribbon.turbulence);
    let rows = rows.zip(&ribbon.distances);
    let vertices = Vertices {
        flows: ribbon.flow.clone(),
        looks: rows
            .map(|((&at, &rough), &[_, along])| [rough, depth(surface, at), seen(along), 1.0])
            .collect(),
    };
    vertices.into_mesh(ribbon.positions.clone(), ribbon.indices.clone())
}

fn of_lake(lake: &LakeWater, surface: &Surface<'_>) -> Mesh {
    let sheet = lake.mesh();
    let looks = |&at: &[f32; 3]| [0.0, depth(surface, at), 1.0, 1.0];
    let vertices = Vertices {
        flows: vec![[0.0; 2]; sheet.positions.len()],
        looks: sheet.positions.iter().map(looks).collect(),
    };
    vertices.into_mesh(sheet.positions.clone(), sheet.indices.clone())
}
