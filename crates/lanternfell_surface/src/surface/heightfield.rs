//! Heights for a physics engine's heightfield, without exactly flat edges.
//!
//! Problem: `parry` (0.27 to 0.30) loses the contact of a capsule whose lowest point is within
//! rounding of an edge between two exactly coplanar triangles. It clamps the contact normal to the
//! normals of both triangles, and drops a contact with a changed normal if its point is inside
//! neither triangle. The body then falls through the ground. If the triangles are not coplanar,
//! such a small change does not count.
//!
//! Idea: move the vertices around such edges by a few units in the last place of a height. Each
//! vertex gets one of three offsets, so that the four vertices around an edge are no longer
//! coplanar.
//!
//! ```text
//!   0 1 2 0 1      The offset is number (column - row) modulo 3. Of the four vertices around an
//!   2 0 1 2 0      edge along a row, a column or a diagonal, the two ends have different numbers,
//!   1 2 0 1 2      and the other two vertices share the third number.
//! ```
//!
//! The largest move is 2.4e-7 of the relief: 0.02 mm at a relief of 100 m.
//!
//! Limits: this does not help every capsule on exactly planar slopes, whose normals are rounded
//! themselves.

use std::ops::Range;

use lanternfell_heightmap::Heightmap;

use super::NumbersError;

/// Returns heights for the heightfield collider of the physics engine Parry, column by column.
///
/// The part of the map goes from cell `first` to cell `last`, each a column and a row, both included.
/// The heights are those of the map, so scale the collider by the relief. Parry splits squares like
/// [`Surface`](super::Surface), so bodies collide with the rendered surface.
///
/// Where triangles are exactly coplanar, Parry (0.27 to 0.30) lets capsules fall between them.
/// Their corners are moved by at most 2.4e-7 of the relief to avoid that.
///
/// # Panics
/// If `last` is outside the map or before `first`.
pub fn heightfield_columns(
    map: &Heightmap,
    first: (usize, usize),
    last: (usize, usize),
) -> Vec<f32> {
    bent(map, first, last, 0)
}

/// Updates the result of [`heightfield_columns`] for a whole map after heights in these columns and
/// rows have changed. Ranges are cut to the map. The result has the bits of a new one.
///
/// # Errors
/// If the number of heights is not that of the map's cells. Then nothing is changed.
pub fn update_heightfield_columns(
    heights: &mut [f32],
    map: &Heightmap,
    columns: Range<usize>,
    rows: Range<usize>,
) -> Result<(), NumbersError> {
    let (width, height) = (map.width(), map.height());
    if heights.len() != map.size().cells() {
        return Err(NumbersError::Count {
            what: "heightfield",
            size: map.size(),
            found: heights.len(),
        });
    }
    let (columns, rows) = (
        columns.start..columns.end.min(width),
        rows.start..rows.end.min(height),
    );
    if columns.is_empty() || rows.is_empty() {
        return Ok(());
    }
    let wider = |range: &Range<usize>, end: usize| {
        range.start.saturating_sub(REACH)..(range.end + REACH).min(end)
    };
    // These heights can change, and they depend on those further out.
    let (columns, rows) = (wider(&columns, width), wider(&rows, height));
    let (outer, outer_rows) = (wider(&columns, width), wider(&rows, height));
    let first = (outer.start, outer_rows.start);
    let phase = first.0 + 2 * first.1;
    let new = bent(map, first, (outer.end - 1, outer_rows.end - 1), phase);
    for column in columns {
        let new = &new[(column - first.0) * outer_rows.len()..][..outer_rows.len()];
        heights[column * height..][rows.clone()]
            .copy_from_slice(&new[rows.start - first.1..rows.end - first.1]);
    }
    Ok(())
}

/// The heights of a part of a map, with moved vertices. `phase` is the number of the first vertex.
fn bent(map: &Heightmap, first: (usize, usize), last: (usize, usize), phase: usize) -> Vec<f32> {
    let rows = last.1 - first.1 + 1;
    let mut heights = vec![0.0; (last.0 - first.0 + 1) * rows];
    // A few rows at a time, so that their cells stay in the cache while columns are filled.
    for block in (0..rows).step_by(16) {
        let block = block..rows.min(block + 16);
        for (column, heights) in heights.chunks_mut(rows).enumerate() {
            for row in block.clone() {
                heights[row] = map.get(first.0 + column, first.1 + row);
            }
        }
    }
    bend(&mut heights, rows, phase);
    heights
}

/// One unit in the last place of heights from 0.5 to 1.
const UNIT: f32 = f32::EPSILON / 2.0;
/// The offsets of vertices. For any of the three, twice that offset minus the other two is not 0.
const MOVES: [f32; 3] = [-2.0 * UNIT, 0.0, 4.0 * UNIT];

/// How far apart two vertices of an [`Edge`] can be. A height changes where others move within
/// this distance.
const REACH: usize = 2;

/// Moves the vertices around edges between coplanar triangles. The heights are in column order,
/// with `rows` per column.
fn bend(heights: &mut [f32], rows: usize, phase: usize) {
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
            *height += MOVES[(phase + column + 2 * row) % 3];
        }
    }
}

/// The ends of an edge, and the other corners of the triangles on both sides. Each is a column and
/// a row.
struct Edge {
    ends: [(usize, usize); 2],
    corners: [(usize, usize); 2],
}

/// The edges that start at a cell: along its row, its column, and the diagonal of its square.
/// Squares are split from the corner at the low column and high row to the one at the high column
/// and low row.
fn edges(x: usize, y: usize) -> [Edge; 3] {
    // There is nothing before the first column or row. The wrapped number is out of range.
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

/// Marks the four vertices of an edge if both triangles exist and are coplanar, that is, form a
/// parallelogram.
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
    use lanternfell_heightmap::{MapSize, SeededRng};

    const ROWS: usize = 7;

    #[test]
    fn part_of_map_is_in_column_order() {
        let size = MapSize::new(5, 4).unwrap();
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
    fn no_triangles_stay_coplanar_and_moves_are_small() {
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
            bend(&mut bent, ROWS, 0);
            // Edges at the border have only one triangle.
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
    fn uneven_heights_are_not_moved() {
        let height = |at: usize| ((at * at * 7919) % 1009) as f32 / 1009.0;
        let rough: Vec<f32> = (0..6 * ROWS).map(height).collect();
        let mut bent = rough.clone();
        bend(&mut bent, ROWS, 0);
        assert_eq!(bent, rough);
    }

    /// Compares with the heights of the whole map, after random changes that leave much of it coplanar.
    #[test]
    fn update_equals_new_heights() {
        let mut rng = SeededRng::new(4, b"columns ");
        for (width, height) in [(2, 2), (9, 3), (31, 40)] {
            let mut map = Heightmap::flat(MapSize::new(width, height).unwrap());
            let new = |map: &Heightmap| {
                heightfield_columns(map, (0, 0), (map.width() - 1, map.height() - 1))
            };
            let mut heights = new(&map);
            for _ in 0..60 {
                let mut range = |cells: u64| {
                    let start = rng.below(cells);
                    start as usize..(start + 1 + rng.below((cells - start).min(6))) as usize
                };
                let (columns, rows) = (range(width), range(height));
                let level = rng.below(3) as f32 * 0.125;
                for row in rows.clone() {
                    for column in columns.clone() {
                        map.set(column, row, level).unwrap();
                    }
                }
                update_heightfield_columns(&mut heights, &map, columns, rows).unwrap();
                assert_eq!(heights, new(&map), "{width} x {height}");
            }
            let before = heights.clone();
            assert!(update_heightfield_columns(&mut heights[1..], &map, 0..1, 0..1).is_err());
            let outside = width as usize..90;
            update_heightfield_columns(&mut heights, &map, outside, 0..1).unwrap();
            assert_eq!(heights, before);
        }
    }
}
