//! The surface of a lake as triangles: two for each square of the map that it touches.
//!
//! Cost: O(squares of the map). Memory: 12 bytes per vertex.

use serde::{Deserialize, Serialize};

use super::{
    ground::Ground,
    ribbon::{Frame, finite},
    standing::{Basin, Standing},
};

/// A lake, which fills a hollow up to the lowest point of its rim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LakeWater {
    /// The height of its surface, in meters.
    pub level: f32,
    /// The number of cells that it covers.
    pub cells: u32,
    /// Its area in square meters.
    pub area: f32,
    /// The depth at its deepest cell in meters, before river beds were carved.
    pub depth: f32,
    pub(super) mesh: LakeMesh,
}

/// The triangles of a lake's surface, in meters.
///
/// They follow the shore to within one cell and end in the ground.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LakeMesh {
    /// The vertex positions, in the frame of [`Surface`](crate::surface::Surface): x east, y up, z
    /// south.
    pub positions: Vec<[f32; 3]>,
    /// Three vertex indices for each triangle, counterclockwise seen from above.
    pub indices: Vec<u32>,
}

impl LakeWater {
    fn new(basin: Basin, spacing: f64) -> Self {
        Self {
            level: finite(basin.level),
            cells: basin.cells,
            area: finite(f64::from(basin.cells) * spacing * spacing),
            depth: finite(basin.depth),
            mesh: LakeMesh::default(),
        }
    }

    /// Returns the mesh of its surface.
    pub fn mesh(&self) -> &LakeMesh {
        &self.mesh
    }
}

/// Returns all lakes and the squares that they cover, in the order of cells. Each square is given
/// by its north-west cell and its lake.
pub(super) fn lakes(
    standing: &Standing,
    ground: &Ground,
    frame: &Frame,
    spacing: f64,
) -> (Vec<LakeWater>, Vec<(usize, u32)>) {
    let basins = standing.basins.iter();
    let mut lakes: Vec<LakeWater> = basins
        .map(|&basin| LakeWater::new(basin, spacing))
        .collect();
    let mut squares = Vec::new();
    // For the current row and the next, the lake of each cell's vertex and its index in that lake's
    // mesh. A cell may have vertices in two lakes, so the entry includes the lake.
    let none = (u32::MAX, 0);
    let (mut north, mut south) = (vec![none; ground.width], vec![none; ground.width]);
    for row in 0..if lakes.is_empty() {
        0
    } else {
        ground.height - 1
    } {
        for column in 0..ground.width - 1 {
            let nw = row * ground.width + column;
            let Some(lake) = standing.lake_over(nw, ground.width) else {
                continue;
            };
            squares.push((nw, lake));
            let mesh = &mut lakes[lake as usize].mesh;
            let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, down)| {
                let line = if down == 0 { &mut north } else { &mut south };
                let known = &mut line[column + right];
                if known.0 != lake {
                    *known = (lake, mesh.positions.len() as u32);
                    let cell = nw + right + down * ground.width;
                    let height = standing.sheet(lake, cell, ground);
                    mesh.positions
                        .push(frame.vertex(column + right, row + down, height));
                }
                known.1
            });
            let [nw, ne, sw, se] = corners;
            mesh.indices.extend([nw, sw, ne, se, ne, sw]);
        }
        core::mem::swap(&mut north, &mut south);
        south.fill(none);
    }
    (lakes, squares)
}
