//! Lanternfell's terrain: the functions of `lanternfell_surface` that `TerrainPlugin` calls.

use std::{cell::OnceCell, collections::HashSet};

use glam::Vec3;
use lanternfell_heightmap::Progress;
use lanternfell_surface::{
    HeightPyramid, Surface,
    detail::{Cut, DetailTree, Patch},
    heightfield_columns,
};
use parry3d::{
    shape::{HeightField, HeightFieldFlags},
    utils::Array2,
};
use rayon::ThreadPoolBuilder;

use crate::{
    clock,
    edits::{
        self,
        ours::{Ours, Way},
    },
    errors,
    fly::{Flight, Frame, eyes},
    ground::{Ground, viewer},
    jobs::{Answer, Sheet, asked, cast},
    pieces::{Indices, Piece},
};

/// The default screen-space error of `TerrainPlugin` in pixels, and the weight of its patches.
const PIXELS: f32 = 0.75;
const WEIGHT: usize = 523;

/// The data for all queries in addition to the map.
struct Kept {
    tree: DetailTree,
    pyramid: HeightPyramid,
}

impl Kept {
    fn new(ground: &Ground) -> Self {
        let pyramid = HeightPyramid::of(&ground.map, &Progress::default());
        Self {
            tree: measure(ground),
            pyramid: pyramid.expect("the work is not canceled"),
        }
    }

    fn surface<'a>(&'a self, ground: &'a Ground) -> Surface<'a> {
        let surface = ground.surface().with_pyramid(&self.pyramid);
        surface.expect("the pyramid belongs to this map")
    }
}

/// Runs our jobs.
pub fn run(sheet: &Sheet, ground: &Ground) -> Vec<Answer> {
    let jobs = sheet.of("ours");
    let mut answers = Vec::new();
    let kept = OnceCell::new();
    let kept = || kept.get_or_init(|| Kept::new(ground));
    let mut flown = None;
    for job in jobs {
        answers.push(match (job.task(), &*job.words()) {
            ("view", ["1"]) => view_on(sheet, job.number, ground, 1),
            ("view", _) => view_on(sheet, job.number, ground, 0),
            ("whole", _) => {
                let make = || {
                    let tree = measure(ground);
                    whole(&tree, ground).collect::<Vec<_>>()
                };
                Answer::meshes(sheet, job.number, make)
            }
            ("select", _) => select(sheet, job.number, ground, &kept().tree),
            ("collider", _) => {
                let make = || collider(ground);
                Answer::time(job.number, clock::per_call(sheet.goal, make).0)
            }
            ("height", _) => {
                let surface = kept().surface(ground);
                asked(sheet, job, ground, |at| surface.height(at).unwrap_or(0.0))
            }
            ("normal", _) => {
                let surface = kept().surface(ground);
                let y = |at| surface.normal(at).map_or(0.0, |normal| normal.y);
                asked(sheet, job, ground, y)
            }
            ("ray", _) => {
                let surface = kept().surface(ground);
                cast(sheet, job, ground, |way| {
                    let hit = surface.cast_ray(way.origin, way.direction, f32::INFINITY);
                    hit.is_some()
                })
            }
            ("fly", [what]) => {
                let flight = flown.get_or_insert_with(|| flight(&kept().tree, ground));
                flight.answer(job.number, what)
            }
            ("dab", [_, "whole"]) => edits::dab(sheet, job, ground, Ours::new(ground, Way::Whole)),
            ("dab", _) => edits::dab(sheet, job, ground, Ours::new(ground, Way::Drag)),
            ("undo", _) => edits::undo(sheet, job, ground, Ours::new(ground, Way::Drag)),
            ("strokes", _) => edits::strokes("ours", ground, Ours::new(ground, Way::Drag)),
            ("memory", _) => {
                let kept = kept();
                let view = first_view(&kept.tree, ground);
                let extra_bytes = kept.tree.bytes() + kept.pyramid.bytes();
                errors::drawn("ours", ground, extra_bytes, &view)
            }
            ("errors", _) => {
                let kept = kept();
                let surface = kept.surface(ground);
                let height = |at| surface.height(at);
                let mut errors = errors::Errors::new("ours", ground);
                errors.heights(whole(&kept.tree, ground), height);
                errors.rays(|way| {
                    let hit = surface.cast_ray(way.origin, way.direction, f32::INFINITY);
                    hit.map(|hit| hit.distance)
                });
                errors.answer()
            }
            _ => Answer::Unknown,
        });
    }
    answers
}

fn measure(ground: &Ground) -> DetailTree {
    DetailTree::new(&ground.map, &Progress::default()).expect("the work is not canceled")
}

fn piece(tree: &DetailTree, surface: &Surface<'_>, patch: Patch) -> Piece {
    let made = tree.triangulate(surface, patch);
    Piece {
        origin: made.origin,
        positions: made.positions,
        normals: made.normals,
        uvs: made.uvs,
        indices: Indices::Short(made.indices),
    }
}

/// The heightfield that `TerrainPlugin` passes to a physics engine.
fn collider(ground: &Ground) -> HeightField {
    let (side, scale) = (ground.side(), ground.scale());
    let heights = heightfield_columns(&ground.map, (0, 0), (side - 1, side - 1));
    let size = Vec3::new(2.0 * ground.half(), scale.relief, 2.0 * ground.half());
    let heights = Array2::new(side, side, heights);
    HeightField::with_flags(heights, size, HeightFieldFlags::FIX_INTERNAL_EDGES)
}

/// The meshes for a camera, without a previous selection.
fn first_view(tree: &DetailTree, ground: &Ground) -> Vec<Piece> {
    let viewers = [viewer(ground.eye(0.0))];
    let cut = tree.cut(&viewers, ground.scale(), PIXELS, WEIGHT, &Cut::default());
    let surface = ground.surface();
    let pieces = cut
        .patches
        .iter()
        .map(|&patch| piece(tree, &surface, patch));
    pieces.collect()
}

/// Every cell.
fn whole<'a>(tree: &'a DetailTree, ground: &'a Ground) -> impl Iterator<Item = Piece> + 'a {
    let cut = tree.cut(&[], ground.scale(), 0.0, usize::MAX / 2, &Cut::default());
    let surface = ground.surface();
    let pieces = cut.patches.into_iter();
    pieces.map(move |patch| piece(tree, &surface, patch))
}

/// From the map to the meshes of the first view, on this number of threads. 0 is all.
fn view_on(sheet: &Sheet, number: usize, ground: &Ground, threads: usize) -> Answer {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.expect("threads can be spawned");
    let make = || pool.install(|| first_view(&measure(ground), ground));
    Answer::meshes(sheet, number, make)
}

/// The selection for each position of the flight, starting from the previous one.
fn select(sheet: &Sheet, number: usize, ground: &Ground, tree: &DetailTree) -> Answer {
    let eyes = eyes(ground);
    let mut before = Cut::default();
    let mut view = 0;
    let choose = || {
        let viewers = [viewer(eyes[view])];
        view = (view + 1) % eyes.len();
        let cut = tree.cut(&viewers, ground.scale(), PIXELS, WEIGHT, &before);
        before = cut.clone();
        cut
    };
    Answer::time(number, clock::per_call(sheet.goal, choose).0)
}

/// Selects patches in each frame, and creates the new ones. `TerrainPlugin` selects on the main thread, creates meshes
/// in a task, and selects again when they are shown. So it does not select in every frame, unlike this function.
fn flight(tree: &DetailTree, ground: &Ground) -> Flight {
    let (mut before, mut drawn) = (Cut::default(), HashSet::new());
    Flight::new(ground, |eye, clock| {
        let cut = tree.cut(&[viewer(eye)], ground.scale(), PIXELS, WEIGHT, &before);
        let chosen = clock.elapsed();
        let surface = ground.surface();
        let fresh = cut.patches.iter().filter(|patch| !drawn.contains(*patch));
        let made = fresh.map(|&patch| piece(tree, &surface, patch).bytes());
        let made = made.collect();
        drawn = cut.patches.iter().copied().collect();
        before = cut;
        Frame { chosen, made }
    })
}
