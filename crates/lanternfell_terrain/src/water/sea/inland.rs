//! Rendering of rivers and lakes. Each part of the terrain has one mesh (or more) for its rivers and lakes. All meshes
//! of a terrain share one water material.
//!
//! A terrain has hundreds of rivers, most of them short. One mesh per river would cost more draw calls than all terrain
//! patches, and a single mesh for all of them could not be culled.

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

/// Marks the meshes of rivers and lakes, in addition to [`WaterSurface`].
#[derive(Component)]
pub(crate) struct Inland;

type Ground = (
    Entity,
    &'static TerrainSurface,
    &'static HeightImage,
    Option<&'static Water>,
);

/// The meshes of rivers and lakes that are built but not yet spawned. On the terrain's entity.
#[derive(Component)]
pub(crate) struct InlandMeshes {
    coming: Vec<Mesh>,
    material: Option<Handle<WaterMaterial>>,
}

impl InlandMeshes {
    /// Builds the meshes for a terrain. `None` if it has no rivers or lakes. Runs in a background task.
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

/// The maximum number of bytes of meshes that are spawned in one frame, and the limit up to which bodies of water are
/// merged into one mesh. A larger mesh is spawned alone.
const BYTES: usize = 2 << 20;

/// Despawns the rivers and lakes of terrain that is replaced.
pub(super) fn despawn(terrain: &mut EntityWorldMut) {
    let children = terrain.get::<Children>();
    let children = children.map_or_else(Vec::new, |children| children.to_vec());
    terrain.world_scope(|world| {
        for child in children {
            if world.get::<Inland>(child).is_some() {
                world.despawn(child);
            }
        }
    });
}

/// Spawns the meshes of new terrain, some each frame.
pub(super) fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<WaterMaterial>>,
    mut terrains: Query<(Ground, &mut InlandMeshes)>,
) {
    for ((terrain, ground, image, water), mut inland) in &mut terrains {
        let inland = &mut *inland;
        let material = inland.material.get_or_insert_with(|| {
            let water = water.copied().unwrap_or_default();
            let extension = WaterExtension::new(&water, ground, None, image.0.clone());
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

/// Updates the material when the terrain's [`Water`] changes or is removed.
pub(super) fn update(
    mut materials: ResMut<Assets<WaterMaterial>>,
    changed: Query<Entity, WaterChanged>,
    mut removed: RemovedComponents<Water>,
    terrains: Query<Ground, Without<Upcoming>>,
    surfaces: Query<(&WaterSurface, &MeshMaterial3d<WaterMaterial>), With<Inland>>,
) {
    let entities = changed.iter().chain(removed.read());
    for (terrain, ground, image, water) in entities.filter_map(|entity| terrains.get(entity).ok()) {
        // All meshes of a terrain share one material.
        let own = surfaces.iter().find(|(of, _)| of.terrain == terrain);
        if let Some((_, material)) = own
            && let Some(mut material) = materials.get_mut(&material.0)
        {
            let water = water.copied().unwrap_or_default();
            let extension = WaterExtension::new(&water, ground, None, image.0.clone());
            material.extension = extension.inland();
        }
    }
}

/// The number of parts along each side of the terrain.
const SIDE: usize = 8;

/// The geometry of rivers and lakes, grouped by the part of the terrain that contains their center.
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

/// The geometry of some rivers and lakes.
#[derive(Default)]
struct Vertices {
    positions: Vec<[f32; 3]>,
    /// Meters across the river and along it: `in.uv` in `water.wgsl`.
    places: Vec<[f32; 2]>,
    /// Velocity in meters per second, along x and z: `in.uv_b`.
    flows: Vec<[f32; 2]>,
    /// Turbulence, depth in meters, opacity, and the speed of the foam in meters per second: `in.color`. The foam speed
    /// is constant along a river; otherwise foam would be stretched where the river gets faster.
    looks: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

impl Vertices {
    /// Size in bytes of a position, a normal, texture coordinates, a velocity and a look.
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

/// Height above the sea in meters from which on a river is fully opaque.
const CLEAR_OF_SEA: f32 = 0.15;

/// The opacity of a river, so that it fades out where it overlaps other water. It fades over the last two cells before
/// a lake, over the last cell before a larger river, and over `CLEAR_OF_SEA` meters of height above the sea, which
/// reaches up the river as far as its bed is low enough.
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
