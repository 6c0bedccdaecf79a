//! Bakes navigation meshes from walkable triangles with `rerecast`. Every point of the mesh is
//! within the limits, and terrain that is clearly within the limits is on the mesh.
//!
//! A path over a mesh is inside its polygons, however it is found, so these tests check the
//! polygons.

use glam::{UVec3, Vec3A, Vec3Swizzles};
use lanternfell_heightmap::{FractalNoise, Generator};
use lanternfell_surface::{WalkableGround, WalkableLimits};
use rerecast::{
    Aabb3d, AreaType, ConfigBuilder, ConvexVolume, HeightfieldBuilder, PolygonNavmesh, TriMesh,
};

use super::*;

/// The radius of the agent and the size of a voxel, in meters.
const RADIUS: f32 = 0.75;
const VOXEL: f32 = 0.25;
/// The margin of terrain that is baked around a window, and the distance from the window to the
/// sides of the box, in meters. The box has a border that is left out (the radius and three
/// voxels), and up to one square at the side is not rasterized.
const MARGIN: f32 = 2.0;
const BEYOND: f32 = MARGIN + 1.0 + RADIUS + 3.0 * VOXEL;
/// The side of the map and of a window, in meters.
const SIDE: f32 = 64.0;
const WINDOW: f32 = 32.0;

const LIMITS: WalkableLimits = WalkableLimits {
    max_slope: 35.0,
    water_level: Some(4.0),
    max_water_depth: 0.4,
};

fn as_rerecast(ground: &WalkableGround) -> TriMesh {
    let areas = [AreaType::NOT_WALKABLE, AreaType::DEFAULT_WALKABLE];
    let area = |&walkable: &bool| areas[usize::from(walkable)];
    TriMesh {
        vertices: ground.vertices.iter().copied().map(Vec3A::from).collect(),
        indices: ground.triangles.iter().copied().map(UVec3::from).collect(),
        area_types: ground.walkable.iter().map(area).collect(),
    }
}

/// Bakes a square window with some margin, in the same steps as `bevy_rerecast`.
fn bake(surface: &Surface<'_>, corner: Vec2) -> PolygonNavmesh {
    let (min, max) = (corner - BEYOND, corner + WINDOW + BEYOND);
    let config = ConfigBuilder {
        agent_radius: RADIUS,
        agent_height: 1.5,
        cell_size_fraction: RADIUS / VOXEL,
        cell_height_fraction: 2.0 * RADIUS / VOXEL,
        walkable_slope_angle: 0.0,
        min_region_size: 0,
        aabb: Aabb3d {
            min: Vec3::new(min.x, -1.0, min.y),
            max: Vec3::new(max.x, surface.scale().relief + 1.0, max.y),
        },
        ..ConfigBuilder::default()
    }
    .build();
    let ground = surface.walkable(corner - MARGIN, corner + WINDOW + MARGIN, &LIMITS);
    let mut mesh = as_rerecast(&ground);
    let said = mesh.area_types.clone();
    mesh.mark_walkable_triangles(config.walkable_slope_angle);
    assert_eq!(
        mesh.area_types, said,
        "at a slope of 0, no triangles are marked"
    );
    let (climb, height) = (config.walkable_climb, config.walkable_height);
    let field = HeightfieldBuilder {
        aabb: config.aabb,
        cell_size: config.cell_size,
        cell_height: config.cell_height,
    };
    let mut field = field.build().unwrap();
    field.rasterize_triangles(&mesh, climb).unwrap();
    field.filter_low_hanging_walkable_obstacles(climb);
    field.filter_ledge_spans(height, climb);
    field.filter_walkable_low_height_spans(height);
    let mut field = field.into_compact(height, climb).unwrap();
    field.erode_walkable_area(config.walkable_radius);
    let end = corner + WINDOW;
    let around = [
        (min, Vec2::new(corner.x, max.y)),
        (Vec2::new(end.x, min.y), max),
        (min, Vec2::new(max.x, corner.y)),
        (Vec2::new(min.x, end.y), max),
    ];
    // Polygons end where areas change. A single area around the whole window would have a hole.
    for ((a, b), area) in around.into_iter().zip(1..) {
        field.mark_convex_poly_area(&ConvexVolume {
            vertices: vec![a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y)],
            min_y: -1.0,
            max_y: surface.scale().relief + 1.0,
            area: AreaType(area),
        });
    }
    field.build_distance_field();
    let (border, smallest) = (config.border_size, config.min_region_area);
    field
        .build_regions(border, smallest, config.merge_region_area)
        .unwrap();
    let (error, longest) = (config.max_simplification_error, config.max_edge_len);
    let contours = field.build_contours(error, longest, config.contour_flags);
    contours
        .into_polygon_mesh(config.max_vertices_per_polygon)
        .unwrap()
}

/// Returns the corners of all polygons of a mesh that are in its window.
fn polygons(mesh: &PolygonNavmesh) -> Vec<Vec<Vec2>> {
    let corner = |index: u16| {
        let vertex = mesh.vertices[index as usize].xz().as_vec2();
        mesh.aabb.min.xz() + vertex * mesh.cell_size
    };
    let own = mesh.polygons().zip(&mesh.areas);
    let own = own.filter(|(_, area)| **area == AreaType::DEFAULT_WALKABLE);
    own.map(|(polygon, _)| polygon.map(corner).collect())
        .collect()
}

/// Returns hills with lakes between them, and slopes on both sides of the limit.
fn land(seed: u64) -> Heightmap {
    let noise = FractalNoise {
        octaves: 4,
        scale: 40.0,
        lacunarity: 2.0,
        gain: 0.45,
        ..FractalNoise::default()
    };
    let size = size(SIDE as u64 + 1, SIDE as u64 + 1);
    Generator::from(noise).generate(size, seed, &go()).unwrap()
}

/// Returns the four windows of a map.
fn windows() -> [Vec2; 4] {
    [(-1.0, -1.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 0.0)].map(|(x, z)| Vec2::new(x, z) * WINDOW)
}

#[test]
fn mesh_stays_within_limits() {
    let mut rng = random(70);
    let (mut dry, mut steep, mut wet) = (0, 0, 0);
    for seed in 0..6 {
        let map = land(seed);
        let mut holes = HoleMask::none(map.size());
        holes.set_disc(Vec2::new(20.0, 44.0), 3.5, true);
        let surface = Surface::new(&map, scale((1.0, 16.0)))
            .with_holes(&holes)
            .unwrap();
        for corners in windows()
            .iter()
            .flat_map(|&corner| polygons(&bake(&surface, corner)))
        {
            for _ in 0..200 {
                // A random point of a random triangle of the polygon, sometimes on its border.
                let fan = 1 + rng.below(corners.len() as u64 - 2) as usize;
                let (mut u, mut v) = (rng.unit() as f32, rng.unit() as f32);
                if rng.percent(30) {
                    v = 0.0;
                }
                if u + v > 1.0 {
                    (u, v) = (1.0 - u, 1.0 - v);
                }
                let from = corners[0];
                let at = from + u * (corners[fan] - from) + v * (corners[fan + 1] - from);
                let slope = surface
                    .slope(at)
                    .expect("the mesh does not cover holes or the outside");
                let depth = 4.0 - surface.height(at).unwrap();
                assert!(slope <= LIMITS.max_slope, "{seed}: {slope} degrees at {at}");
                assert!(
                    depth <= LIMITS.max_water_depth,
                    "{seed}: {depth} m deep at {at}"
                );
                dry += usize::from(depth <= 0.0);
            }
        }
        let all = surface.walkable(Vec2::NEG_INFINITY, Vec2::INFINITY, &LIMITS);
        for (corners, _) in all
            .triangles
            .iter()
            .zip(&all.walkable)
            .filter(|(_, treads)| !**treads)
        {
            let deep = corners.iter().any(|&c| all.vertices[c as usize].y < 3.6);
            wet += usize::from(deep);
            steep += usize::from(!deep);
        }
    }
    // All three kinds must occur.
    assert!(
        dry > 10_000 && steep > 500 && wet > 500,
        "{dry}, {steep}, {wet}"
    );
}

/// Whether every position within `radius` meters is walkable.
fn is_clear(surface: &Surface<'_>, at: Vec2, radius: f32) -> bool {
    let treads = |at: Vec2| {
        let slope = surface.slope(at)?;
        let depth = 4.0 - surface.height(at)?;
        Some(slope <= LIMITS.max_slope && depth <= LIMITS.max_water_depth)
    };
    let steps = -12_i16..=12;
    let mut places = steps
        .clone()
        .flat_map(|x| steps.clone().map(move |y| (x, y)));
    places.all(|(x, y)| {
        let off = Vec2::new(x.into(), y.into()) / 12.0;
        off.length() > 1.0 || treads(at + off * radius) == Some(true)
    })
}

fn contains(corners: &[Vec2], at: Vec2) -> bool {
    let next = corners.iter().cycle().skip(1);
    let turns = corners
        .iter()
        .zip(next)
        .map(|(a, b)| (b - a).perp_dot(at - a));
    let turns: Vec<f32> = turns.collect();
    turns.iter().all(|&turn| turn >= 0.0) || turns.iter().all(|&turn| turn <= 0.0)
}

#[test]
fn mesh_covers_terrain_within_limits() {
    let mut rng = random(71);
    let mut clear = 0;
    for seed in 0..4 {
        let map = land(seed);
        let surface = Surface::new(&map, scale((1.0, 16.0)));
        for corner in windows() {
            let mesh = polygons(&bake(&surface, corner));
            for _ in 0..400 {
                let mut place = || rng.unit() as f32 * WINDOW;
                let mut at = corner + Vec2::new(place(), place());
                if rng.percent(20) {
                    // On the line where two windows meet.
                    at.x = 0.0;
                }
                if is_clear(&surface, at, 2.2) {
                    clear += 1;
                    let found = mesh.iter().any(|polygon| contains(polygon, at));
                    assert!(found, "{seed}: nothing at {at}");
                }
            }
        }
    }
    assert!(clear > 200, "{clear}");
}
