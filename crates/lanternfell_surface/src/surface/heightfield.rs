//! The heights for a physics engine's heightfield: ground that is nowhere exactly flat.
//!
//! Problem: `parry` (0.27 to 0.30) loses the contact of a capsule whose lowest point lies within rounding of an
//! edge between two triangles in exactly one plane: the normal is held to those of both triangles, and a contact
//! whose normal was changed is given up where its point is inside neither. The body falls through the ground.
//! Where triangles are not in one plane, so small a change is none.
//!
//! Idea: the vertices around such edges are moved by some units in the last place of a height: by one of three
//! distances in turn, so that the four of an edge are in one plane no more.
//!
//! ```text
//!   0 1 2 0 1      Which of the three: the column less the row, modulo 3. Of the four vertices around
//!   2 0 1 2 0      an edge, along a row, a column or a diagonal, the two ends have two of them and the
//!   1 2 0 1 2      others the third, or the other way round.
//! ```
//!
//! It does not help all capsules on slopes that are exactly planes, whose normals are rounded themselves.
//!
//! That is 2.4e-7 of the relief at most: 0.02 mm of 100 m.

use lanternfell_heightmap::Heightmap;

/// The heights of the cells from `first` to `last`, both a column and a row and both included, as the heightfields of
/// the physics engine Parry want them: column by column. Parry cuts squares as [`Surface`](super::Surface) does, so
/// that what bodies meet is the drawn surface, within two units in the last place of the relief: where triangles lie
/// in exactly one plane, Parry (0.27 to 0.30) lets capsules fall between them, and their corners are moved so far.
///
/// # Panics
/// If `last` is not on the map, or before `first`.
pub fn heightfield_columns(
    map: &Heightmap,
    first: (usize, usize),
    last: (usize, usize),
) -> Vec<f32> {
    let rows = last.1 - first.1 + 1;
    let mut heights = Vec::with_capacity((last.0 - first.0 + 1) * rows);
    for column in first.0..=last.0 {
        heights.extend((first.1..=last.1).map(|row| map.get(column, row)));
    }
    bend(&mut heights, rows);
    heights
}

/// A unit in the last place of heights from a half to 1.
const UNIT: f32 = f32::EPSILON / 2.0;
/// What vertices are moved by. Of any of the three twice the one less both others is not 0.
const MOVES: [f32; 3] = [-2.0 * UNIT, 0.0, 4.0 * UNIT];

/// Moves the vertices around edges between triangles in one plane. The heights come column by column, `rows` to
/// each.
fn bend(heights: &mut [f32], rows: usize) {
    let columns = heights.len() / rows;
    let mut flat = vec![false; heights.len()];
    for column in 0..columns {
        for row in 0..rows {
            for edge in edges(column, row) {
                mark_flat(heights, rows, edge, &mut flat);
            }
        }
    }
    for (at, height) in heights.iter_mut().enumerate() {
        if flat[at] {
            let (column, row) = (at / rows, at % rows);
            *height += MOVES[(column + 2 * row) % 3];
        }
    }
}

/// The ends of an edge, and the other corners of the triangles on both sides; each a column and a row.
struct Edge {
    ends: [(usize, usize); 2],
    corners: [(usize, usize); 2],
}

/// Those that begin at a cell: along its row, its column, and the diagonal of its square. Squares are cut
/// from the corner at a low column and a high row to that at a high column and a low row.
fn edges(x: usize, y: usize) -> [Edge; 3] {
    // Before the first there is none: so large a number is no column or row.
    let (west, north) = (x.wrapping_sub(1), y.wrapping_sub(1));
    [
        Edge {
            ends: [(x, y), (x + 1, y)],
            corners: [(x, y + 1), (x + 1, north)],
        },
        Edge {
            ends: [(x, y), (x, y + 1)],
            corners: [(x + 1, y), (west, y + 1)],
        },
        Edge {
            ends: [(x + 1, y), (x, y + 1)],
            corners: [(x, y), (x + 1, y + 1)],
        },
    ]
}

/// Marks the four vertices if both triangles are there, and in one plane: then they are a parallelogram.
fn mark_flat(heights: &[f32], rows: usize, edge: Edge, flat: &mut [bool]) {
    let columns = heights.len() / rows;
    let all = [edge.ends[0], edge.ends[1], edge.corners[0], edge.corners[1]];
    if all.iter().any(|(x, y)| *x >= columns || *y >= rows) {
        return;
    }
    let places = all.map(|(x, y)| x * rows + y);
    let [a, b, c, d] = places.map(|at| f64::from(heights[at]));
    if a + b == c + d {
        for at in places {
            flat[at] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: usize = 7;

    #[test]
    fn a_part_of_a_map_comes_column_by_column() {
        let size = lanternfell_heightmap::MapSize::new(5, 4).unwrap();
        let heights = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4];
        let heights = heights.map(|height| height as f32 / 10.0);
        let map = Heightmap::from_heights(size, heights.to_vec()).unwrap();
        let part = heightfield_columns(&map, (1, 1), (2, 3));
        assert_eq!(part, [0.2, 0.8, 0.2, 0.6, 0.9, 0.3]);
    }

    fn flat_edges(heights: &[f32]) -> usize {
        let mut count = 0;
        for column in 0..heights.len() / ROWS {
            for row in 0..ROWS {
                for edge in edges(column, row) {
                    let mut flat = vec![false; heights.len()];
                    mark_flat(heights, ROWS, edge, &mut flat);
                    count += usize::from(flat.contains(&true));
                }
            }
        }
        count
    }

    #[test]
    fn no_two_triangles_stay_in_one_plane_and_nothing_moves_far() {
        let slopes = [
            (0.0, 0.0),
            (0.03125, 0.0),
            (0.0, -0.0625),
            (0.015625, 0.03125),
        ];
        for (along, across) in slopes {
            let height = |at: usize| 0.5 + along * (at / ROWS) as f32 + across * (at % ROWS) as f32;
            let plane: Vec<f32> = (0..6 * ROWS).map(height).collect();
            let mut bent = plane.clone();
            bend(&mut bent, ROWS);
            // Those at the border have a triangle on one side alone.
            assert_eq!(
                flat_edges(&plane),
                5 * (ROWS - 2) + 4 * (ROWS - 1) + 5 * (ROWS - 1)
            );
            assert_eq!(flat_edges(&bent), 0);
            let most = plane.iter().zip(&bent).map(|(a, b)| (a - b).abs());
            assert!(most.fold(0.0, f32::max) <= 2.4e-7);
        }
    }

    #[test]
    fn what_is_not_flat_is_not_moved() {
        let height = |at: usize| ((at * at * 7919) % 1009) as f32 / 1009.0;
        let rough: Vec<f32> = (0..6 * ROWS).map(height).collect();
        let mut bent = rough.clone();
        bend(&mut bent, ROWS);
        assert_eq!(bent, rough);
    }
}
