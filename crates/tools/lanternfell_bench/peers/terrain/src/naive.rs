//! An implementation without a library: one mesh of all cells, direct array access, and the mesh as collider.

use glam::{Vec2, Vec3};
use parry3d::shape::{TriMesh, TriMeshFlags};

use crate::{
    clock,
    edits::{self, naive::Naive},
    errors,
    ground::Ground,
    jobs::{Answer, Job, Sheet, asked},
    pieces::{Indices, Piece},
};

/// Runs the jobs of this implementation.
pub fn run(sheet: &Sheet, ground: &Ground) -> Vec<Answer> {
    let jobs = sheet.of("naive");
    let answer = |job: &Job| match job.task() {
        "whole" => Answer::meshes(sheet, job.number, || [mesh(ground)]),
        "height" => {
            let meters = ground.meters();
            asked(sheet, job, ground, |at| bilinear(&meters, ground, at))
        }
        "collider" => {
            let make = || trimesh(&mesh(ground));
            Answer::time(job.number, clock::per_call(sheet.goal, make).0)
        }
        "dab" => edits::dab(sheet, job, ground, Naive::new(ground)),
        "memory" => errors::drawn("a single mesh", ground, 0, &[mesh(ground)]),
        _ => Answer::Unknown,
    };
    jobs.into_iter().map(answer).collect()
}

/// Every cell in one mesh. Normals are computed from differences of neighboring cells.
fn mesh(ground: &Ground) -> Piece {
    let (side, scale, half) = (ground.side(), ground.scale(), ground.half());
    let meters = ground.meters();
    let height = |column: usize, row: usize| meters[row * side + column];
    let cells = || (0..side).flat_map(|row| (0..side).map(move |column| (column, row)));
    let place = |cell: usize| cell as f32 * scale.spacing - half;
    let position = |(column, row)| [place(column), height(column, row), place(row)];
    let normal = |(column, row): (usize, usize)| {
        let (west, east) = (column.saturating_sub(1), (column + 1).min(side - 1));
        let (north, south) = (row.saturating_sub(1), (row + 1).min(side - 1));
        let rise =
            |low: f32, high: f32, cells: usize| (low - high) / (cells as f32 * scale.spacing);
        let x = rise(height(west, row), height(east, row), east - west);
        let z = rise(height(column, north), height(column, south), south - north);
        Vec3::new(x, 1.0, z).normalize().to_array()
    };
    let uv = |(column, row)| {
        let part = |cell: usize| cell as f32 / (side - 1) as f32;
        [part(column), part(row)]
    };
    let squares = (0..side - 1).flat_map(|row| (0..side - 1).map(move |column| (column, row)));
    let indices = squares.flat_map(|(column, row)| {
        let corner = (row * side + column) as u32;
        let below = corner + side as u32;
        [corner, below, corner + 1, corner + 1, below, below + 1]
    });
    Piece {
        origin: Vec3::ZERO,
        positions: cells().map(position).collect(),
        normals: cells().map(normal).collect(),
        uvs: cells().map(uv).collect(),
        indices: Indices::Long(indices.collect()),
    }
}

/// The bilinear interpolation of the four surrounding cells.
fn bilinear(meters: &[f32], ground: &Ground, at: Vec2) -> f32 {
    let side = ground.side();
    let cell = (at + ground.half()) / ground.scale().spacing;
    let low = cell
        .floor()
        .clamp(Vec2::ZERO, Vec2::splat((side - 2) as f32));
    let part = cell - low;
    let corner = low.y as usize * side + low.x as usize;
    let mix = |a: f32, b: f32, part: f32| a + (b - a) * part;
    let north = mix(meters[corner], meters[corner + 1], part.x);
    let south = mix(meters[corner + side], meters[corner + side + 1], part.x);
    mix(north, south, part.y)
}

/// Handles internal edges in the same way as a heightfield.
fn trimesh(piece: &Piece) -> TriMesh {
    let vertices = piece.positions.iter().map(|&position| position.into());
    let mut triangles = Vec::with_capacity(piece.triangles());
    piece.each_triple(|triple| triangles.push(triple));
    TriMesh::with_flags(
        vertices.collect(),
        triangles,
        TriMeshFlags::FIX_INTERNAL_EDGES,
    )
    .expect("every triangle has three corners")
}
