//! From the land to where creatures can go: a navigation mesh for each tile, baked in the background.
//!
//! ```text
//! TerrainReady ──> tiles to bake, ──> bevy_rerecast asks for ──> its task bakes, ──> NavmeshReady:
//!                  nearest first        the triangles of one       off the main        the Network has
//!                                                                  thread              one tile more
//! ```
//!
//! Two tiles are asked for each frame, since their triangles are made on the main thread.
//!
//! A tile is baked with some ground around it, since what lies beyond decides how near to its border one
//! can stand. `rerecast` has no tiles yet, but areas: that ground gets four of its own, one for each side,
//! and polygons end where the area changes. All boxes lie on one grid of voxels and are as high as the land, so
//! that what two tiles have on their common border is in one line.
//!
//! ```text
//!     +----------------------+   the box
//!     |   +--------------+   |   triangles, to MARGIN and a square around the tile
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

/// Of a creature, in metres.
pub const RADIUS: f32 = 0.75;
pub const HEIGHT: f32 = 1.5;
/// The steepest ground that a creature walks on, in degrees.
const MAX_SLOPE: f32 = 38.0;
/// The deepest water that it wades through, in metres.
const MAX_WATER_DEPTH: f32 = 0.4;

/// Voxels to a creature's radius: with three, nothing is left of what rasterizing and simplifying add
/// beyond the limits. A tile is a whole number of voxels wide.
const VOXELS: f32 = 3.0;
const VOXEL: f32 = RADIUS / VOXELS;
/// Metres of ground around a tile. The radius, and up to two voxels, are taken off from it again.
const MARGIN: f32 = 2.0;
/// Metres from a tile to the sides of its box, on land of squares up to a metre: beyond the ground around it
/// lies the border that `rerecast` leaves out, of a radius and three voxels.
const BEYOND: f32 = MARGIN + 1.0 + RADIUS + 3.0 * VOXEL;
/// Metres that the voxels around one may differ by. On the steepest slope it is half of this; with less
/// than that slopes would be taken for ledges.
const CLIMB: f32 = 0.9;

pub fn plugin(app: &mut App) {
    app.add_plugins(NavmeshPlugins::default())
        .set_navmesh_backend(triangles)
        .init_resource::<Network>()
        .init_resource::<Baking>()
        .add_observer(begin)
        .add_observer(take_in)
        .add_systems(Update, ask.after(TerrainSystems::Build));
}

/// The triangles of so many tiles are made in one frame.
const TILES_PER_FRAME: usize = 2;

/// What is still to be baked.
#[derive(Resource, Default)]
pub struct Baking {
    /// The last is the next.
    wanted: Vec<Tile>,
    /// Without its handle a mesh would not be made.
    running: Vec<(Tile, Handle<Navmesh>)>,
    /// From a metre below the land to one above it.
    heights: (f32, f32),
}

impl Baking {
    /// How many tiles are not there yet.
    pub fn left(&self) -> usize {
        self.wanted.len() + self.running.len()
    }
}

/// New land: all tiles are wanted, those in its middle first.
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

/// Asks for more tiles. One that is neither there nor under way any more has failed, and the log says
/// why: creatures go round it.
fn ask(mut baking: ResMut<Baking>, mut generator: NavmeshGenerator) {
    // Asked for anew, a mesh that is not under way is queued; without its handle it is not made.
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

/// Of a tile in boxes from `low` to `high`.
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
        // Marks no triangle as walkable: which are is said by `triangles`, that knows of water.
        walkable_slope_angle: 0.0,
        // Of the ground around a tile no piece is too small to be kept apart.
        min_region_size: 0,
        // As coarse as can be: creatures stand on the ground itself.
        detail_sample_dist: 1000.0,
        aabb: Some(Aabb3d::from_min_max(at(min, low), at(max, high))),
        area_volumes: around(corner, (low, high)).into(),
        ..default()
    }
}

/// The ground to the west, east, north and south of a tile, each an area of its own: one around all of it
/// would have a hole, and that `rerecast` can not make polygons of.
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

/// What `bevy_rerecast` asks for: the triangles of a box.
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

/// A tile is baked.
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
