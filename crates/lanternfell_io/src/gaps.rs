//! Fills cells without a height by interpolation.
//!
//! Problem: a gap in an elevation model must be filled without a visible step at its border, for
//! any shape and size. The time must not grow with its width.
//!
//! Idea: pull-push. The pull phase builds maps of half, a quarter, ... of the size, whose cells
//! are the mean of the known ones among four, until nothing is unknown. The push phase
//! interpolates each unknown cell bilinearly from the four nearest cells of the coarser map. A
//! narrow gap is therefore filled from nearby, and the middle of a wide one from far away. The
//! remaining edges of the coarse cells are then relaxed: each filled cell moves to the mean of
//! its neighbors.
//!
//! ```text
//!   8 7 ? ? 3 2   pull   7.5   ?   2.5    push   8 7 6 4 3 2
//! ```
//!
//! No filled cell is lower than the lowest or higher than the highest known one. Cost: a few
//! passes over the map, and a third more of its memory twice.
//!
//! Source: Gortler, Grzeszczuk, Szeliski and Cohen, *The Lumigraph*, SIGGRAPH 1996, section 3.6.

use crate::ImportError;
use lanternfell_heightmap::MapSize;

/// The number of relaxation passes.
const RELAXATIONS: usize = 16;

/// A map, some of whose cells are known.
struct Level {
    width: usize,
    height: usize,
    /// NaN where nothing is known.
    cells: Vec<f32>,
}

/// Fills the cells that are gaps; an error when there is nothing else.
pub(super) fn interpolate(
    heights: &mut [f32],
    size: MapSize,
    is_gap: impl Fn(f32) -> bool,
) -> Result<(), ImportError> {
    let gaps: Vec<usize> = (0..heights.len())
        .filter(|&cell| is_gap(heights[cell]))
        .collect();
    if gaps.is_empty() {
        return Ok(());
    }
    if gaps.len() == heights.len() {
        return Err(ImportError::Malformed(
            "no cell has a height: there is nothing to interpolate from".to_owned(),
        ));
    }
    // One marker for all kinds of gaps, so that the levels only test for NaN.
    for &cell in &gaps {
        heights[cell] = f32::NAN;
    }
    let finest = Level {
        width: size.width(),
        height: size.height(),
        cells: heights.to_vec(),
    };
    let filled = finest.fill();
    for &cell in &gaps {
        heights[cell] = filled.cells[cell];
    }
    relax(heights, size, &gaps);
    Ok(())
}

impl Level {
    /// The same map without unknown cells.
    fn fill(self) -> Self {
        if !self.cells.iter().any(|z| z.is_nan()) {
            return self;
        }
        // Recursion ends: each level halves both sides, and the coarsest cell knows at least one
        // height. The depth is at most 14.
        let coarse = self.half().fill();
        let mut cells = self.cells;
        for (y, row) in cells.chunks_mut(self.width).enumerate() {
            for (x, z) in row.iter_mut().enumerate().filter(|(_, z)| z.is_nan()) {
                // The coarse map is complete here, so the result is never NaN.
                *z = coarse.between(x, y);
            }
        }
        Self { cells, ..self }
    }

    /// A map of half the size: means of what is known of four cells.
    fn half(&self) -> Self {
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        let mut cells = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                let (mut sum, mut count) = (0.0, 0.0);
                for row in 2 * y..(2 * y + 2).min(self.height) {
                    let columns = 2 * x..(2 * x + 2).min(self.width);
                    for &z in &self.cells[row * self.width..][columns] {
                        if !z.is_nan() {
                            sum += f64::from(z);
                            count += 1.0;
                        }
                    }
                }
                // 0 / 0 is NaN: still unknown.
                cells.push((sum / count) as f32);
            }
        }
        Self {
            width,
            height,
            cells,
        }
    }

    /// What lies at the cell `(x, y)` of the finer map: three quarters of the cell that it is in
    /// and a quarter of the next, along both axes.
    fn between(&self, x: usize, y: usize) -> f32 {
        let two = |at: usize, cells: usize| {
            // An even cell is in the western half of its coarse cell and leans to the one before,
            // an odd cell to the one after. Clamped at the border.
            let next = if at.is_multiple_of(2) {
                (at / 2).saturating_sub(1)
            } else {
                at / 2 + 1
            };
            (at / 2, next.min(cells - 1))
        };
        let ((x, beside), (y, across)) = (two(x, self.width), two(y, self.height));
        let get = |x: usize, y: usize| f64::from(self.cells[y * self.width + x]);
        let near = 0.75 * get(x, y) + 0.25 * get(beside, y);
        let far = 0.75 * get(x, across) + 0.25 * get(beside, across);
        (0.75 * near + 0.25 * far) as f32
    }
}

/// Moves each filled cell to the mean of its four neighbors, one after the other, some times.
fn relax(heights: &mut [f32], size: MapSize, gaps: &[usize]) {
    let width = size.width();
    for _ in 0..RELAXATIONS {
        // In place (Gauss-Seidel), which converges about twice as fast as with a copy. The order
        // of `gaps` is fixed, so the bits are too.
        for &cell in gaps {
            let (x, y) = (cell % width, cell / width);
            let beside = [
                (x > 0).then(|| cell - 1),
                (x + 1 < width).then_some(cell + 1),
                (y > 0).then(|| cell - width),
                (y + 1 < size.height()).then_some(cell + width),
            ];
            let mut sum = 0.0;
            let mut count = 0.0;
            for z in beside.into_iter().flatten().map(|cell| heights[cell]) {
                sum += f64::from(z);
                count += 1.0;
            }
            heights[cell] = (sum / count) as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(width: u64, heights: &[f32]) -> Vec<f32> {
        let size = MapSize::new(width, heights.len() as u64 / width).unwrap();
        let mut heights = heights.to_vec();
        interpolate(&mut heights, size, f32::is_nan).unwrap();
        heights
    }

    #[test]
    fn a_hole_in_a_plane_becomes_the_plane() {
        for side in [9, 24, 65] {
            let plane = |cell: usize| 3.0 * (cell % side) as f32 - 2.0 * (cell / side) as f32;
            let mut heights: Vec<f32> = (0..side * side).map(plane).collect();
            let hole = side / 3..side / 2;
            for y in hole.clone() {
                for x in hole.clone() {
                    heights[y * side + x] = f32::NAN;
                }
            }
            let found = filled(side as u64, &heights);
            // By a part of a cell's step, and much less than the hole's own.
            let worst = found
                .iter()
                .enumerate()
                .map(|(cell, z)| (z - plane(cell)).abs());
            let worst = worst.fold(0.0, f32::max);
            assert!(worst < 0.5, "{side}: {worst}");
        }
    }

    #[test]
    fn nothing_goes_beyond_what_is_known_and_all_is_filled() {
        let mut heights = vec![f32::NAN; 40 * 30];
        for (cell, z) in [(3, -7.0), (700, 12.5), (1199, 3.0)] {
            heights[cell] = z;
        }
        let found = filled(40, &heights);
        assert!(found.iter().all(|z| (-7.0..=12.5).contains(z)));
        assert_eq!((found[3], found[700], found[1199]), (-7.0, 12.5, 3.0));
        let size = MapSize::new(2, 2).unwrap();
        assert!(interpolate(&mut [f32::NAN; 4], size, f32::is_nan).is_err());
    }
}
