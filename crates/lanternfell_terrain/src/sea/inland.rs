//! Rivers and lakes as they are drawn: a mesh for each, all of a terrain with one material, that of its water.

use bevy::{light::NotShadowCaster, mesh::Indices, mesh::PrimitiveTopology, prelude::*};
use lanternfell_heightmap::{
    inland_water::{LakeWater, RiverEnd, RiverWater},
    surface::Surface,
};

use super::{HeightImage, WaterExtension, WaterMaterial, WaterSurface, visibility};
use crate::{background::pause, surface::TerrainSurface, swap::Upcoming, water::Water};

/// On the surfaces of rivers and lakes, beside [`WaterSurface`].
#[derive(Component)]
pub(crate) struct Inland;

type Ground = (
    Entity,
    &'static TerrainSurface,
    &'static HeightImage,
    &'static Water,
);

/// On a terrain's entity: the meshes of its rivers and lakes that are made but not shown yet.
#[derive(Component)]
pub(crate) struct InlandMeshes {
    coming: Vec<Mesh>,
    material: Option<Handle<WaterMaterial>>,
}

impl InlandMeshes {
    /// Of this ground; `None` where it has no rivers and lakes. In a background task.
    pub(crate) async fn of(ground: &TerrainSurface) -> Option<Self> {
        let waters = ground.waters().filter(|waters| !waters.is_empty())?;
        let surface = ground.surface();
        let mut coming = Vec::new();
        for lake in waters.lakes() {
            pause().await;
            coming.push(of_lake(lake, &surface));
        }
        for river in waters.rivers().iter().rev() {
            pause().await;
            coming.push(of_river(river, &surface, ground.water_level()));
        }
        let material = None;
        Some(Self { coming, material })
    }
}

/// At most so many bytes of meshes come in one frame; one that is larger comes alone.
const BYTES: usize = 2 << 20;

/// Takes away the rivers and lakes of ground that is no more.
pub(super) fn clear(
    mut commands: Commands,
    terrains: Query<Entity, Changed<TerrainSurface>>,
    before: Query<(Entity, &WaterSurface), With<Inland>>,
) {
    for terrain in &terrains {
        for (entity, _) in before.iter().filter(|(_, of)| of.terrain == terrain) {
            commands.entity(entity).try_despawn();
        }
    }
}

/// Shows those of new ground, the largest rivers first, a little each frame.
pub(super) fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<WaterMaterial>>,
    mut terrains: Query<(Ground, &mut InlandMeshes)>,
) {
    for ((terrain, ground, image, water), mut inland) in &mut terrains {
        let inland = &mut *inland;
        let material = inland.material.get_or_insert_with(|| {
            let extension = WaterExtension::new(water, ground, None, image.0.clone());
            materials.add(extension.inland().into_material())
        });
        let mut bytes = 0;
        while bytes < BYTES
            && let Some(mesh) = inland.coming.pop()
        {
            bytes += mesh.get_vertex_buffer_size();
            commands.spawn((
                (WaterSurface { terrain }, Inland, NotShadowCaster),
                Mesh3d(meshes.add(mesh)),
                MeshMaterial3d(material.clone()),
                visibility(water),
                ChildOf(terrain),
            ));
        }
        if inland.coming.is_empty() {
            commands.entity(terrain).try_remove::<InlandMeshes>();
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
                let extension = WaterExtension::new(water, ground, None, image.0.clone());
                material.extension = extension.inland();
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

fn of_river(river: &RiverWater, surface: &Surface<'_>, sea: f32) -> Mesh {
    let ribbon = river.mesh();
    let vertices = ribbon.positions.iter().zip(&ribbon.turbulence);
    let vertices = vertices.zip(&ribbon.distances);
    let looks = |((&at, &rough), &[_, along]): ((&[f32; 3], &f32), &[f32; 2])| {
        let seen = seen(river, along, at[1] - sea, surface.scale().spacing);
        [rough, depth(surface, at), seen, 1.0]
    };
    let vertices = Vertices {
        flows: ribbon.flow.clone(),
        looks: vertices.map(looks).collect(),
    };
    vertices.into_mesh(ribbon.positions.clone(), ribbon.indices.clone())
}

/// Metres above the sea at which a river is seen whole.
const CLEAR_OF_SEA: f32 = 0.15;

/// How much of a river is seen where it lies over other water, of which one is enough: so far along it, so high above
/// the sea. It reaches two cells or more into lakes, and to the middle of a larger river; the sea comes up its bed as
/// far as that is low.
fn seen(river: &RiverWater, along: f32, above_sea: f32, cell: f32) -> f32 {
    let left = river.length() - along;
    let at_end = match river.end {
        RiverEnd::Sea => above_sea / CLEAR_OF_SEA,
        RiverEnd::Lake(_) => left / (2.0 * cell),
        RiverEnd::River(_) => left / cell,
        RiverEnd::Outlet => 1.0,
    };
    let at_begin = match river.from_lake {
        Some(_) => along / (2.0 * cell),
        None => 1.0,
    };
    at_begin.min(at_end).clamp(0.0, 1.0)
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
