//! Bakes the navigation mesh of each tile in the background.
//!
//! ```text
//! TerrainReady ──> tiles to bake, ──> bevy_rerecast requests ──> a background ────> NavmeshReady:
//!                  nearest first       the triangles of one       task bakes it       the tile is added
//!                                                                                     to the Network
//! ```
//!
//! Two tiles per frame are requested, because their triangles are generated on the main thread.
//!
//! A tile is baked with a margin around it, because obstacles beyond the border determine how close to it a creature
//! can stand. `rerecast` does not support tiles yet, but it supports areas. The margin gets four areas, one for each
//! side, and polygons end where the area changes. All boxes are aligned to the same voxel grid and have the height of
//! the terrain, so the polygons of two tiles end exactly at their common border.
//!
//! ```text
//!     +----------------------+   the box
//!     |   +--------------+   |   triangles, up to MARGIN plus one square around the tile
//!     |   |  +--------+  |   |
//!     |   |  |  tile  |  |   |
//!     |   |  +--------+  |   |
//!     |   +--------------+   |
//!     +----------------------+
//! ```

use bevy::{math::bounding::Aabb3d, prelude::*};
use bevy_rerecast::{
    prelude::*,
    rerecast::{AreaType, ConvexVolume, TriMesh},
};
use lanternfell_terrain::{
    prelude::*,
    surface::{WalkableGround, WalkableLimits},
};

use crate::network::{Network, TILE, TILE_AREA, Tile, tile_at};

/// The size of a creature, in meters.
pub const RADIUS: f32 = 0.75;
pub const HEIGHT: f32 = 1.5;
/// The steepest slope that a creature walks on, in degrees.
const MAX_SLOPE: f32 = 38.0;
/// The deepest water that a creature wades through, in meters.
const MAX_WATER_DEPTH: f32 = 0.4;

/// Voxels per radius of a creature. With three, rasterization and simplification do not exceed the limits. A tile must
/// be a whole number of voxels wide.
const VOXELS: f32 = 3.0;
const VOXEL: f32 = RADIUS / VOXELS;
/// The margin around a tile, in meters. It is reduced by the radius, and by up to two voxels.
const MARGIN: f32 = 2.0;
/// The distance in meters from a tile to the sides of its box, for terrain with squares of up to 1 m. Outside the
/// margin there is a border of a radius and three voxels that `rerecast` ignores.
const BEYOND: f32 = MARGIN + 1.0 + RADIUS + 3.0 * VOXEL;
/// The maximum height difference between adjacent voxels, in meters. On the steepest slope the difference is half of
/// this; with a smaller limit, slopes would count as ledges.
const CLIMB: f32 = 0.9;

pub fn plugin(app: &mut App) {
    app.add_plugins(NavmeshPlugins::default())
        .set_navmesh_backend(triangles)
        .init_resource::<Network>()
        .init_resource::<Baking>()
        .add_observer(begin)
        .add_observer(take_in)
        .add_systems(Update, ask);
}

/// The number of tiles whose triangles are generated in one frame.
const TILES_PER_FRAME: usize = 2;

/// The tiles that still have to be baked.
#[derive(Resource, Default)]
pub struct Baking {
    /// The last tile comes next.
    wanted: Vec<Tile>,
    /// The handles keep the meshes alive until they are baked.
    running: Vec<(Tile, Handle<Navmesh>)>,
    /// From one meter below the terrain to one above it.
    heights: (f32, f32),
}

impl Baking {
    /// The number of tiles that are not baked yet.
    pub fn left(&self) -> usize {
        self.wanted.len() + self.running.len()
    }
}

/// Requests all tiles of a new terrain, starting at its center.
fn begin(
    ready: On<TerrainReady>,
    grounds: Query<&TerrainSurface>,
    mut baking: ResMut<Baking>,
    mut network: ResMut<Network>,
) -> Result {
    let surface = grounds.get(ready.entity)?.surface();
    let edge = surface.half_extent();
    let (low, high) = surface.map().range();
    let relief = surface.scale().relief;
    let (first, last) = (tile_at(-edge), tile_at(edge.map(f32::next_down)));
    let rows = first.1..=last.1;
    let tiles = rows.flat_map(|row| (first.0..=last.0).map(move |column| (column, row)));
    *network = Network::default();
    *baking = Baking {
        wanted: tiles.collect(),
        heights: (low * relief - 1.0, high * relief + 1.0),
        ..default()
    };
    let distance = |&(column, row): &Tile| (2 * column + 1).pow(2) + (2 * row + 1).pow(2);
    baking.wanted.sort_by_key(|tile| -distance(tile));
    Ok(())
}

/// Requests more tiles. A tile that is neither finished nor in progress has failed, and the reason is in the log.
/// Creatures walk around it.
fn ask(mut baking: ResMut<Baking>, mut generator: NavmeshGenerator) {
    // `regenerate` queues a mesh that is not in progress and returns true. Dropping its handle cancels it again.
    let mut is_under_way =
        |mesh: &Handle<Navmesh>| !generator.regenerate(mesh, NavmeshSettings::default());
    baking.running.retain(|(_, mesh)| is_under_way(mesh));
    for _ in 0..TILES_PER_FRAME {
        let Some(tile) = baking.wanted.pop() else {
            break;
        };
        let mesh = generator.generate(settings(tile, baking.heights));
        baking.running.push((tile, mesh));
    }
}

/// The settings of a tile, in a box from height `low` to `high`.
fn settings((column, row): Tile, (low, high): (f32, f32)) -> NavmeshSettings {
    let corner = Vec2::new(column as f32, row as f32) * TILE;
    let (min, max) = (corner - BEYOND, corner + TILE + BEYOND);
    let at = |flat: Vec2, y: f32| Vec3A::new(flat.x, y, flat.y);
    NavmeshSettings {
        agent_radius: RADIUS,
        agent_height: HEIGHT,
        cell_size_fraction: VOXELS,
        cell_height_fraction: 2.0 * VOXELS,
        walkable_climb: CLIMB,
        // Slope 0 marks no triangle as walkable. The backend `triangles` does this, because it knows the water depth.
        walkable_slope_angle: 0.0,
        // Keeps even the smallest regions of the margin separate.
        min_region_size: 0,
        // As coarse as possible, because creatures are snapped to the terrain.
        detail_sample_dist: 1000.0,
        aabb: Some(Aabb3d::from_min_max(at(min, low), at(max, high))),
        area_volumes: around(corner, (low, high)).into(),
        ..default()
    }
}

/// The margins west, east, north and south of a tile, as separate areas. A single area around the tile would have a
/// hole, which `rerecast` does not support.
fn around(corner: Vec2, (min_y, max_y): (f32, f32)) -> [ConvexVolume; 4] {
    let (min, max) = (corner - BEYOND, corner + TILE + BEYOND);
    let end = corner + TILE;
    let strips = [
        (1, min, Vec2::new(corner.x, max.y)),
        (2, Vec2::new(end.x, min.y), max),
        (3, min, Vec2::new(max.x, corner.y)),
        (4, Vec2::new(min.x, end.y), max),
    ];
    strips.map(|(area, a, b)| ConvexVolume {
        vertices: vec![a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y)],
        min_y,
        max_y,
        area: AreaType(area),
    })
}

/// The backend of `bevy_rerecast`: returns the triangles inside a box.
fn triangles(settings: In<NavmeshSettings>, grounds: Query<(&TerrainSurface, &Water)>) -> TriMesh {
    let (Some(area), Ok((ground, water))) = (settings.aabb, grounds.single()) else {
        return TriMesh::default();
    };
    let limits = WalkableLimits {
        max_slope: MAX_SLOPE,
        water_level: Some(water.surface_y(ground)),
        max_water_depth: MAX_WATER_DEPTH,
    };
    let inwards = BEYOND - MARGIN;
    let (min, max) = (area.min.xz() + inwards, area.max.xz() - inwards);
    to_rerecast(&ground.surface().walkable(min, max, &limits))
}

fn to_rerecast(ground: &WalkableGround) -> TriMesh {
    let area = |&walkable: &bool| {
        if walkable {
            TILE_AREA
        } else {
            AreaType::NOT_WALKABLE
        }
    };
    TriMesh {
        vertices: ground.vertices.iter().copied().map(Vec3A::from).collect(),
        indices: ground.triangles.iter().copied().map(UVec3::from).collect(),
        area_types: ground.walkable.iter().map(area).collect(),
    }
}

/// Adds a tile that has been baked.
fn take_in(
    ready: On<NavmeshReady>,
    meshes: Res<Assets<Navmesh>>,
    mut baking: ResMut<Baking>,
    mut network: ResMut<Network>,
) {
    let running = baking.running.iter();
    let place = running
        .enumerate()
        .find(|(_, (_, mesh))| mesh.id() == ready.0);
    if let Some((place, (tile, mesh))) = place
        && let Some(mesh) = meshes.get(mesh)
    {
        network.insert(*tile, &mesh.polygon);
        baking.running.swap_remove(place);
    }
}
