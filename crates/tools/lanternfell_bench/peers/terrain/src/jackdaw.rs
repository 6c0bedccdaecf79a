//! `jackdaw_terrain`: nested rings around the camera. The crate has the functions. Its runtime calls them from a system
//! on the main thread, one ring per frame, and this module does the same. The callback that reports whether a place has
//! terrain always returns `true`, which is less work than the regions of its runtime.

use glam::{IVec2, Vec2, Vec3};
use jackdaw_terrain::{
    ClipmapLevel, Heightmap, REBUILD_BUDGET, SurfaceMeshData, build_clipmap_indices,
    build_clipmap_mesh_data, clipmap_levels, plan_rebuilds,
};

use crate::{
    clock,
    edits::{self, jackdaw::Jackdaw},
    errors,
    fly::{Flight, Frame, eyes},
    ground::Ground,
    jobs::{Answer, Sheet, asked, cast},
    pieces::{Indices, Piece},
};

/// Cells per side of the windows in which every cell is rendered.
const WINDOW: u32 = 64;

pub fn map(ground: &Ground) -> Heightmap {
    let extent = Vec2::splat(2.0 * ground.half());
    let mut map = Heightmap::new(0, extent, ground.scale().relief);
    map.resolution = ground.side() as u32;
    map.heights = ground.meters();
    map
}

/// Runs the jobs of this crate.
pub fn run(sheet: &Sheet, ground: &Ground) -> Vec<Answer> {
    let jobs = sheet.of("jackdaw");
    if jobs.is_empty() {
        return Vec::new();
    }
    let map = map(ground);
    let mut flown = None;
    let answer = |job: &crate::jobs::Job| match (job.task(), &*job.words()) {
        ("view", _) => Answer::meshes(sheet, job.number, || first_view(&map, ground)),
        ("whole", _) => Answer::meshes(sheet, job.number, || whole(&map).collect::<Vec<_>>()),
        ("select", _) => select(sheet, job.number, &map, ground),
        ("height", _) => asked(sheet, job, ground, |at| {
            map.height_at_local(at).unwrap_or(0.0)
        }),
        ("ray", _) => {
            let bounds = map.height_bounds();
            cast(sheet, job, ground, |way| {
                let hit = map.raycast_within(way.origin, way.direction, bounds);
                hit.is_some()
            })
        }
        ("fly", [what]) => {
            let flight = flown.get_or_insert_with(|| flight(&map, ground));
            flight.answer(job.number, what)
        }
        ("dab", _) => edits::dab(sheet, job, ground, Jackdaw::new(ground)),
        ("undo", _) => edits::undo(sheet, job, ground, Jackdaw::new(ground)),
        ("strokes", _) => edits::strokes("jackdaw_terrain", ground, Jackdaw::new(ground)),
        ("memory", _) => errors::drawn("jackdaw_terrain", ground, 0, &first_view(&map, ground)),
        ("errors", _) => {
            let mut errors = errors::Errors::new("jackdaw_terrain", ground);
            errors.heights(whole(&map), |at| map.height_at_local(at));
            let bounds = map.height_bounds();
            errors.rays(|way| {
                let hit = map.raycast_within(way.origin, way.direction, bounds);
                hit.map(|hit| hit.distance)
            });
            errors.answer()
        }
        _ => Answer::Unknown,
    };
    jobs.into_iter().map(answer).collect()
}

fn everywhere(_: i32, _: i32) -> bool {
    true
}

fn piece(data: SurfaceMeshData) -> Piece {
    Piece {
        origin: Vec3::ZERO,
        positions: data.positions,
        normals: data.normals,
        uvs: data.uvs,
        indices: Indices::Long(data.indices),
    }
}

/// The levels for a camera position.
fn levels(map: &Heightmap, eye: Vec3) -> Vec<ClipmapLevel> {
    let viewer = map.world_to_grid(Vec2::new(eye.x, eye.z));
    clipmap_levels(map.resolution, viewer)
}

fn first_view(map: &Heightmap, ground: &Ground) -> Vec<Piece> {
    let levels = levels(map, ground.eye(0.0));
    let make = |level| piece(build_clipmap_mesh_data(map, level, everywhere));
    levels.iter().map(make).collect()
}

/// Every cell, in windows of the finest level.
fn whole(map: &Heightmap) -> impl Iterator<Item = Piece> + '_ {
    let windows = (map.resolution - 1).div_ceil(WINDOW) as i32;
    let places = (0..windows).flat_map(move |z| (0..windows).map(move |x| IVec2::new(x, z)));
    places.map(|place| {
        let level = ClipmapLevel {
            level: 0,
            step: 1,
            origin: place * WINDOW as i32,
            cells: WINDOW,
            hole: None,
            snap_outer: false,
        };
        piece(build_clipmap_mesh_data(map, &level, everywhere))
    })
}

/// The rebuild plan for each position of the flight, relative to the current rings.
fn select(sheet: &Sheet, number: usize, map: &Heightmap, ground: &Ground) -> Answer {
    let eyes = eyes(ground);
    let mut standing: Vec<Option<ClipmapLevel>> = Vec::new();
    let mut view = 0;
    let choose = || {
        let levels = levels(map, eyes[view]);
        view = (view + 1) % eyes.len();
        let forced = vec![false; levels.len()];
        let plan = plan_rebuilds(&levels, &standing, &forced, REBUILD_BUDGET);
        standing.resize(levels.len(), None);
        for (stands, planned) in standing.iter_mut().zip(&plan) {
            *stands = planned.or(*stands);
        }
        plan
    };
    Answer::time(number, clock::per_call(sheet.goal, choose).0)
}

/// Rebuilds in each frame the rings that the camera has left. If only the hole of a ring changes, only its indices are
/// rebuilt, but the renderer still gets the whole mesh.
fn flight(map: &Heightmap, ground: &Ground) -> Flight {
    let mut standing: Vec<Option<(ClipmapLevel, Piece)>> = Vec::new();
    Flight::new(ground, |eye, clock| {
        let levels = levels(map, eye);
        let stands: Vec<_> = standing
            .iter()
            .map(|ring| ring.as_ref().map(|(level, _)| *level))
            .collect();
        let forced = vec![false; levels.len()];
        let plan = plan_rebuilds(&levels, &stands, &forced, REBUILD_BUDGET);
        let chosen = clock.elapsed();
        standing.resize_with(levels.len(), || None);
        let mut made = Vec::new();
        for (ring, level) in standing.iter_mut().zip(plan) {
            let Some(level) = level else {
                continue;
            };
            let fresh = match ring.take() {
                Some((before, mut piece)) if before.same_lattice(&level) => {
                    let indices = build_clipmap_indices(map.resolution, &level, everywhere);
                    piece.indices = Indices::Long(indices);
                    piece
                }
                _ => piece(build_clipmap_mesh_data(map, &level, everywhere)),
            };
            made.push(fresh.bytes());
            *ring = Some((level, fresh));
        }
        Frame { chosen, made }
    })
}
