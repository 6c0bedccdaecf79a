//! Finds the squares of a map that a triangle between its cells overlaps.
//!
//! Problem: a hole is made of squares. A triangle over many squares that are all holes must be
//! distinguished from one with some ground.
//!
//! Idea: go row by row. The part of a triangle in a row of squares is convex, so it reaches from
//! its westernmost to its easternmost point and overlaps all squares between the grid lines around
//! them. Both points are where a side of the triangle enters or leaves the row. Sides run from cell
//! to cell, so everything is computed exactly in integers.
//!
//! ```text
//!   +---+---+---+---+
//!   |   |  /|\  |   |     row 0: squares 1 and 2
//!   +---+-/-+-\-+---+
//!   |   |/##|##\|   |     row 1: squares 1 and 2
//!   +---/---+---\---+
//!   |  /####|####\  |     row 2: squares 0 to 3
//!   +---+---+---+---+
//! ```

use std::ops::Range;

use glam::IVec2;

use super::lattice::bounds;

/// Returns the rows that a triangle overlaps, each with the range of columns. The map has this
/// number of squares.
pub(super) fn squares_in(
    corners: [IVec2; 3],
    squares: IVec2,
) -> impl Iterator<Item = (usize, Range<usize>)> {
    let (low, high) = bounds(corners);
    (low.y.max(0)..high.y.min(squares.y)).map(move |row| {
        let (west, east) = extent(corners, row);
        let column = |line: i32| line.clamp(0, squares.x) as usize;
        (row as usize, column(west)..column(east))
    })
}

/// Returns the column lines around the part of a triangle in a row.
fn extent(corners: [IVec2; 3], row: i32) -> (i32, i32) {
    let mut extent = (i32::MAX, i32::MIN);
    for index in 0..3 {
        let (a, b) = (corners[index], corners[(index + 1) % 3]);
        let (top, bottom) = if a.y <= b.y { (a, b) } else { (b, a) };
        let (enters, leaves) = (row.max(top.y), (row + 1).min(bottom.y));
        if enters > leaves {
            continue;
        }
        for y in [enters, leaves] {
            let (west, east) = around(top, bottom, y);
            extent = (extent.0.min(west), extent.1.max(east));
        }
    }
    extent
}

/// Returns the column lines around the point of a side on row line `y`.
fn around(top: IVec2, bottom: IVec2, y: i32) -> (i32, i32) {
    let (run, rise) = (i64::from(bottom.x - top.x), i64::from(bottom.y - top.y));
    if rise == 0 {
        return (top.x.min(bottom.x), top.x.max(bottom.x));
    }
    let along = run * i64::from(y - top.y);
    let (floor, ceiling) = (along.div_euclid(rise), -(-along).div_euclid(rise));
    (top.x + floor as i32, top.x + ceiling as i32)
}

#[cfg(test)]
mod tests {
    use glam::DVec2;
    use lanternfell_random::SeededRng;

    use super::*;

    /// Returns the area of a triangle within a square, by clipping it at the four lines of the
    /// square.
    fn area_in(corners: [IVec2; 3], column: i32, row: i32) -> f64 {
        let (low, high) = (IVec2::new(column, row), IVec2::new(column + 1, row + 1));
        let (low, high) = (low.as_dvec2(), high.as_dvec2());
        let mut polygon: Vec<DVec2> = corners.map(IVec2::as_dvec2).to_vec();
        let inside: [&dyn Fn(DVec2) -> f64; 4] = [
            &|at| at.x - low.x,
            &|at| high.x - at.x,
            &|at| at.y - low.y,
            &|at| high.y - at.y,
        ];
        for depth in inside {
            let mut clipped = Vec::new();
            for (index, &from) in polygon.iter().enumerate() {
                let to = polygon[(index + 1) % polygon.len()];
                if depth(from) >= 0.0 {
                    clipped.push(from);
                }
                if depth(from) * depth(to) < 0.0 {
                    clipped.push(from.lerp(to, depth(from) / (depth(from) - depth(to))));
                }
            }
            polygon = clipped;
        }
        let next = polygon.iter().cycle().skip(1);
        let doubled: f64 = polygon.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum();
        doubled.abs() / 2.0
    }

    #[test]
    fn finds_squares_with_common_area() {
        let mut rng = SeededRng::new(7, b"squares ");
        let squares = IVec2::new(11, 9);
        let mut checked = 0;
        while checked < 2000 {
            let mut corner = || IVec2::new(rng.below(16) as i32 - 2, rng.below(14) as i32 - 2);
            let corners = [corner(), corner(), corner()];
            if (corners[1] - corners[0]).perp_dot(corners[2] - corners[0]) == 0 {
                continue;
            }
            checked += 1;
            let mut expected = Vec::new();
            for row in 0..squares.y {
                let columns = (0..squares.x).filter(|&column| area_in(corners, column, row) > 1e-9);
                expected.extend(columns.map(|column| (column as usize, row as usize)));
            }
            let found: Vec<_> = squares_in(corners, squares)
                .flat_map(|(row, columns)| columns.map(move |column| (column, row)))
                .collect();
            assert_eq!(found, expected, "{corners:?}");
        }
    }
}
