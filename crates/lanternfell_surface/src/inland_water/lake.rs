//! A lake's surface as triangles: two for each square of the map that it touches.
//!
//! Cost: O(squares of the map), and 12 bytes a vertex.

use serde::{Deserialize, Serialize};

use super::{
    ground::Ground,
    ribbon::{Frame, finite},
    standing::{Basin, Standing},
};

/// Water that stands in a hollow, up to its lowest rim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LakeWater {
    /// The height of its surface, in metres.
    pub level: f32,
    /// How many cells of the map it covers.
    pub cells: u32,
    /// How large it is, in square metres.
    pub area: f32,
    /// How deep it is at its deepest cell, in metres, before any river's bed was cut.
    pub depth: f32,
    pub(super) mesh: LakeMesh,
}

/// The triangles of a lake's surface, in metres.
///
/// They follow the shore to within a cell and end in the ground.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LakeMesh {
    /// Where vertices lie, as those of [`Surface`](crate::surface::Surface) do: x east, y up, z south.
    pub positions: Vec<[f32; 3]>,
    /// Three vertices for each triangle, counter-clockwise seen from above.
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

    /// Its surface, to be drawn.
    pub fn mesh(&self) -> &LakeMesh {
        &self.mesh
    }
}

/// All lakes, and the squares that each covers: the square's north-western cell and the lake, in the order of
/// cells.
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
    // Where a vertex is, in the mesh of the lake that the square's are of: of this row and the next. A vertex
    // may be of two lakes, so it is noted by lake too.
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
