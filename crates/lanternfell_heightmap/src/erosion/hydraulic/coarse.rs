//! The map at half its size: large valleys first.
//!
//! Problem: a droplet lives for so many cells. On a large map its gullies are fine lines, and
//! no valley is as wide as the mountains ask for.
//!
//! Idea: erode a map of half the size first, and add what changed there to the map itself,
//! smoothly; then the droplets find valleys to run in. And the smaller map the same way:
//!
//! ```text
//!   2048  --halve-->  1024  --halve-->  512   droplets
//!     ^                 ^                |
//!     |                 +---- change ----+    droplets
//!     +----- change ----+                     droplets
//! ```
//!
//! A coarse cell is the mean of four, and lies in the middle between them; its change is
//! spread bilinearly. Cost: a third of the work on the map more, and two thirds of its
//! memory.

use crate::{Cancelled, Heightmap, MapSize, Progress, rows};

/// The map at half its size, its last column or row on its own when their number is odd.
/// `None` when a side is shorter than four cells.
pub(super) fn halve(map: &Heightmap, progress: &Progress) -> Result<Option<Heightmap>, Cancelled> {
    let half = |side: usize| side.div_ceil(2) as u64;
    let size = match MapSize::new(half(map.width()), half(map.height())) {
        Ok(size) if map.size().shorter_side() >= 4 => size,
        _ => return Ok(None),
    };
    let mut coarse = Heightmap::flat(size);
    let (last_column, last_row) = (map.width() - 1, map.height() - 1);
    rows::for_each_row(coarse.heights_mut(), size.width(), progress, |y, row| {
        let (north, south) = (map.row(2 * y), map.row((2 * y + 1).min(last_row)));
        for (x, mean) in row.iter_mut().enumerate() {
            let (west, east) = (2 * x, (2 * x + 1).min(last_column));
            let sum = f64::from(north[west]) + f64::from(north[east]);
            let sum = sum + (f64::from(south[west]) + f64::from(south[east]));
            *mean = (0.25 * sum) as f32;
        }
    })?;
    Ok(Some(coarse))
}

/// Adds to the map what changed on its half from `before` to `after`. No height leaves the
/// map's range.
pub(super) fn follow(
    map: &mut Heightmap,
    before: &Heightmap,
    after: &Heightmap,
    progress: &Progress,
) -> Result<(), Cancelled> {
    let (low, high) = map.range();
    let width = map.width();
    let (columns, rows) = (before.width(), before.height());
    rows::for_each_row(map.heights_mut(), width, progress, |y, row| {
        let (north, south) = around(y, rows);
        let change = |x: usize, y: usize| f64::from(after.get(x, y)) - f64::from(before.get(x, y));
        let column = |x: usize| 0.75 * change(x, north) + 0.25 * change(x, south);
        for (x, height) in row.iter_mut().enumerate() {
            let (near, far) = around(x, columns);
            let sum = f64::from(*height) + (0.75 * column(near) + 0.25 * column(far));
            *height = (sum as f32).clamp(low, high);
        }
    })
}

/// The coarse cell that a cell lies in, and the nearest beside that, of so many.
fn around(cell: usize, cells: usize) -> (usize, usize) {
    let near = cell / 2;
    let far = if cell.is_multiple_of(2) {
        near.saturating_sub(1)
    } else {
        (near + 1).min(cells - 1)
    };
    (near, far)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(width: u64, heights: &[f32]) -> Heightmap {
        let size = MapSize::new(width, heights.len() as u64 / width).unwrap();
        Heightmap::from_heights(size, heights.to_vec()).unwrap()
    }

    #[test]
    fn a_coarse_cell_is_the_mean_of_four() {
        let progress = Progress::default();
        let fine: Vec<f32> = (0..20).map(|k| (k * k) as f32).collect();
        let coarse = halve(&map(5, &fine), &progress).unwrap().unwrap();
        assert_eq!((coarse.width(), coarse.height()), (3, 2));
        assert_eq!(coarse.row(0), [15.5, 31.5, 48.5]);
        assert_eq!(coarse.row(1)[2], (14.0 * 14.0 + 19.0 * 19.0) / 2.0);
        assert_eq!(halve(&map(3, &[0.0; 12]), &progress), Ok(None));
        let huge = map(4, &[f32::MAX; 16]);
        let coarse = halve(&huge, &progress).unwrap().unwrap();
        assert_eq!(coarse.range(), (f32::MAX, f32::MAX));
    }

    #[test]
    fn changes_are_spread_between_coarse_cells_and_stay_in_range() {
        let progress = Progress::default();
        let mut fine = map(4, &[[0.0, 1.0]; 8].concat());
        let before = map(2, &[0.5; 4]);
        let after = map(2, &[0.5, 0.9, 0.5, 0.9]);
        follow(&mut fine, &before, &after, &progress).unwrap();
        for (height, exact) in fine.row(2).iter().zip([0.0, 1.0, 0.3, 1.0]) {
            assert!((height - exact).abs() < 1e-6, "{:?}", fine.row(2));
        }
    }
}
