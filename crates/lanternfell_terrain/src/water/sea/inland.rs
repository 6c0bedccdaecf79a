//! Rivers and lakes as they are drawn: a mesh for those of each part of the land, all of a terrain with one material,
//! that of its water.
//!
//! Land has hundreds of rivers, most of them short. Each drawn by itself would cost more than all of its patches; in
//! one mesh all would be drawn wherever one looks.

use std::collections::BTreeMap;

use bevy::{light::NotShadowCaster, mesh::Indices, mesh::PrimitiveTopology, prelude::*};
use lanternfell_surface::{
    Surface,
    inland_water::{LakeWater, RiverEnd, RiverWater},
};
use lanternfell_tasks::pause;

use super::{HeightImage, WaterExtension, WaterMaterial, WaterSurface};

use crate::{
    ground::{TerrainSurface, Upcoming},
    water::Water,
};

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
        let mut parts = Parts::of(&surface);
        for lake in waters.lakes() {
            pause().await;
            parts.add(of_lake(lake, &surface));
        }
        for river in waters.rivers() {
            pause().await;
            parts.add(of_river(river, &surface, ground.water_level()));
        }
        let mut coming = Vec::new();
        for vertices in parts.meshes.into_values().flatten() {
            pause().await;
            coming.push(vertices.into_mesh());
        }
        let material = None;
        Some(Self { coming, material })
    }
}

/// At most so many bytes of meshes come in one frame; one that is larger comes alone. No more are put together.
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

/// Shows those of new ground, a little each frame.
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
    surfaces: Query<(&WaterSurface, &MeshMaterial3d<WaterMaterial>), With<Inland>>,
) {
    for (terrain, ground, image, water) in &terrains {
        // All of a terrain have one.
        let own = surfaces.iter().find(|(of, _)| of.terrain == terrain);
        if let Some((_, material)) = own
            && let Some(mut material) = materials.get_mut(&material.0)
        {
            let extension = WaterExtension::new(water, ground, None, image.0.clone());
            material.extension = extension.inland();
        }
    }
}

/// Parts of the land along each side.
const SIDE: usize = 8;

/// What is drawn of rivers and lakes, by the part of the land in which their middle lies.
struct Parts {
    half: Vec2,
    meshes: BTreeMap<usize, Vec<Vertices>>,
}

impl Parts {
    fn of(surface: &Surface<'_>) -> Self {
        Self {
            half: surface.half_extent(),
            meshes: BTreeMap::new(),
        }
    }

    fn add(&mut self, body: Vertices) {
        let meshes = self.meshes.entry(self.part(body.middle())).or_default();
        match meshes.last_mut() {
            // A mesh is uploaded in one frame, so it is kept below that frame's budget.
            Some(mesh) if mesh.bytes() + body.bytes() <= BYTES => mesh.append(body),
            _ => meshes.push(body),
        }
    }

    fn part(&self, at: Vec2) -> usize {
        let place = (at / self.half + 1.0) * (0.5 * SIDE as f32);
        let [column, row] = place.to_array().map(|part| (part as usize).min(SIDE - 1));
        row * SIDE + column
    }
}

/// What is drawn of some rivers and lakes.
#[derive(Default)]
struct Vertices {
    positions: Vec<[f32; 3]>,
    /// Metres across the river and along it: in `water.wgsl`, `in.uv`.
    places: Vec<[f32; 2]>,
    /// Metres per second, along x and z: `in.uv_b`.
    flows: Vec<[f32; 2]>,
    /// How rough it is, how deep in metres, how much of it is seen, and how fast its foam is taken along, in metres
    /// per second: `in.color`. All along a river alike, or foam would be drawn out where it gets faster.
    looks: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

impl Vertices {
    /// A position, a normal, a place, a flow and looks, of 4 bytes each.
    const VERTEX: usize = 4 * (3 + 3 + 2 + 2 + 4);

    fn bytes(&self) -> usize {
        self.positions.len() * Self::VERTEX
    }

    fn middle(&self) -> Vec2 {
        let places = self.positions.iter().map(|&[x, _, z]| Vec2::new(x, z));
        let bounds = places.map(|at| (at, at));
        let bounds = bounds.reduce(|(low, high), (at, _)| (low.min(at), high.max(at)));
        bounds.map_or(Vec2::ZERO, |(low, high)| low.midpoint(high))
    }

    fn append(&mut self, other: Self) {
        let first = self.positions.len() as u32;
        self.positions.extend(other.positions);
        self.places.extend(other.places);
        self.flows.extend(other.flows);
        self.looks.extend(other.looks);
        let indices = other.indices.into_iter();
        self.indices.extend(indices.map(|index| first + index));
    }

    fn into_mesh(self) -> Mesh {
        let count = self.positions.len();
        Mesh::new(PrimitiveTopology::TriangleList, default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![Vec3::Y; count])
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, self.places)
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_1, self.flows)
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.looks)
            .with_inserted_indices(Indices::U32(self.indices))
    }
}

fn depth(surface: &Surface<'_>, [x, y, z]: [f32; 3]) -> f32 {
    let ground = surface.height(Vec2::new(x, z));
    ground.map_or(0.0, |ground| (y - ground).max(0.0))
}

fn of_river(river: &RiverWater, surface: &Surface<'_>, sea: f32) -> Vertices {
    let ribbon = river.mesh();
    let speeds = river.points.iter();
    let speeds = speeds.map(|point| Vec2::from(point.velocity).length());
    let speed = speeds.sum::<f32>() / river.points.len().max(1) as f32;
    let looks = |(vertex, &at): (usize, &[f32; 3])| {
        let [_, along] = ribbon.distances[vertex];
        let seen = seen(river, along, at[1] - sea, surface.scale().spacing);
        [ribbon.turbulence[vertex], depth(surface, at), seen, speed]
    };
    Vertices {
        places: ribbon.distances.clone(),
        flows: ribbon.flow.clone(),
        looks: ribbon.positions.iter().enumerate().map(looks).collect(),
        positions: ribbon.positions.clone(),
        indices: ribbon.indices.clone(),
    }
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

fn of_lake(lake: &LakeWater, surface: &Surface<'_>) -> Vertices {
    let sheet = lake.mesh();
    let looks = |&at: &[f32; 3]| [0.0, depth(surface, at), 1.0, 0.0];
    Vertices {
        places: vec![[0.0; 2]; sheet.positions.len()],
        flows: vec![[0.0; 2]; sheet.positions.len()],
        looks: sheet.positions.iter().map(looks).collect(),
        positions: sheet.positions.clone(),
        indices: sheet.indices.clone(),
    }
}
