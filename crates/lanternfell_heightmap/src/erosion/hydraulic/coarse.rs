//! Erosion of a large map at half its size first, for large valleys.
//!
//! Problem: a droplet runs for a limited number of cells. On a large map its gullies are fine lines, and no valley is
//! wide enough for the mountains.
//!
//! Idea: erode a map of half the size first, and apply its change smoothly to the full map. Then run droplets in the
//! new valleys. Treat the smaller map in the same way:
//!
//! ```text
//!   2048  --halve-->  1024  --halve-->  512   droplets
//!     ^                 ^                |
//!     |                 +---- change ----+    droplets
//!     +----- change ----+                     droplets
//! ```
//!
//! A coarse cell is the weighted mean of the heights around it, with the weights of [`Axis`]. Its loss or gain is
//! applied to the same cells with the same weights. As with the brush of a droplet, high cells lose the most, and no
//! cell is lowered below the lowest coarse cell in the neighborhood. Low cells gain the most, and no cell is raised
//! above the highest coarse cell:
//!
//! ```text
//!        /\             .-.
//!     __/  \__   ->   _/   \_       a coarse cell sinks: the spike shrinks, the plain stays
//! ```
//!
//! There is always enough material to take. The height of a coarse cell above the lowest coarse cell is a mean of
//! heights in which lower cells count as negative. Without those cells the mean is at least as large. For the same
//! reason there is always enough room to deposit. So exactly the amount that moved on the coarse map moves here, and no
//! height leaves the range of the map.
//!
//! Cost: a third of the work on the full map, and as much memory as the map.

use super::{axis::Axis, ground::Ground};
use crate::{
    Canceled, MapSize, Progress,
    range::{higher, lower},
    rows,
};

/// A map and the one of half its size.
pub(super) struct Halves {
    columns: Axis,
    rows: Axis,
    coarse: MapSize,
}

/// The change of the cells around a coarse cell.
#[derive(Debug, Clone, Copy, Default)]
struct Pull {
    /// The fraction of its distance to `toward` that each height moves. If negative, heights above `toward` move down;
    /// otherwise, heights below it move up.
    share: f32,
    toward: f32,
}

impl Pull {
    /// The change of this height.
    fn change(self, height: f32) -> f64 {
        let way = f64::from(self.toward - height);
        let share = f64::from(self.share);
        if share < 0.0 {
            -share * way.min(0.0)
        } else {
            share * way.max(0.0)
        }
    }
}

impl Halves {
    /// Returns `None` if a side of the map is shorter than four cells.
    pub(super) fn of(size: MapSize) -> Option<Self> {
        let (width, height) = (size.width(), size.height());
        let coarse = MapSize::new((width / 2) as u64, (height / 2) as u64).ok()?;
        Some(Self {
            columns: Axis::new(width, coarse.width()),
            rows: Axis::new(height, coarse.height()),
            coarse,
        })
    }

    /// The width of a coarse cell in fine cells: 2, or slightly more along a side with an odd number of cells. The
    /// smaller one of both axes.
    pub(super) fn ratio(&self) -> f64 {
        self.columns.ratio().min(self.rows.ratio())
    }

    /// The number of fine cells per coarse cell.
    pub(super) fn area(&self) -> f64 {
        self.columns.ratio() * self.rows.ratio()
    }

    /// The map at half its size.
    pub(super) fn halve(&self, ground: &Ground, progress: &Progress) -> Result<Ground, Canceled> {
        let mut cells = vec![0.0; self.coarse.cells()];
        rows::for_each_row(&mut cells, self.coarse.width(), progress, |y, row| {
            for (x, mean) in row.iter_mut().enumerate() {
                let sum = self.sum_around(ground, (x, y), f64::from);
                *mean = (sum / self.area()).round() as f32;
            }
        })?;
        Ok(Ground {
            size: self.coarse,
            cells,
        })
    }

    /// Changes the map in the same way as its half changed from `before` to `after`.
    pub(super) fn follow(
        &self,
        ground: &mut Ground,
        before: &Ground,
        after: &Ground,
        progress: &Progress,
    ) -> Result<(), Canceled> {
        let width = self.coarse.width();
        let mut pulls = vec![Pull::default(); self.coarse.cells()];
        rows::for_each_row(&mut pulls, width, &progress.span(0.0, 0.5), |y, row| {
            for (x, pull) in row.iter_mut().enumerate() {
                *pull = self.pull(ground, (x, y), before.row(y)[x], after);
            }
        })?;
        let pull = |x: usize, y: usize| pulls[y * width + x];
        let top = ground.cells.iter().copied().fold(0.0, higher);
        let (width, progress) = (ground.size.width(), progress.span(0.5, 1.0));
        rows::for_each_row(&mut ground.cells, width, &progress, |y, row| {
            // The rounding errors so far, in grains.
            let mut rest = 0.0;
            for (x, height) in row.iter_mut().enumerate() {
                let mut change = 0.0;
                for (v, down) in self.rows.shares_of(y) {
                    for (u, across) in self.columns.shares_of(x) {
                        change += down * across * pull(u, v).change(*height);
                    }
                }
                if change != 0.0 {
                    let exact = f64::from(*height) + change + rest;
                    let rounded = exact.round().clamp(0.0, f64::from(top));
                    rest = exact - rounded;
                    *height = rounded as f32;
                }
            }
        })
    }

    /// The weighted sum of a function of the heights around a coarse cell.
    fn sum_around(&self, ground: &Ground, (x, y): (usize, usize), of: impl Fn(f32) -> f64) -> f64 {
        let mut sum = 0.0;
        for (v, down) in self.rows.sharers(y) {
            let row = ground.row(v);
            for (u, across) in self.columns.sharers(x) {
                sum += down * across * of(row[u]);
            }
        }
        sum
    }

    /// The change of the cells around a coarse cell whose height was `before`.
    fn pull(&self, ground: &Ground, (x, y): (usize, usize), before: f32, after: &Ground) -> Pull {
        let now = after.row(y)[x];
        let (width, height) = (self.coarse.width(), self.coarse.height());
        let rows = y.saturating_sub(1)..(y + 2).min(height);
        let columns = x.saturating_sub(1)..(x + 2).min(width);
        let around = rows.flat_map(|y| &after.row(y)[columns.clone()]).copied();
        let toward = around.fold(now, if now < before { lower } else { higher });
        let all = |share: f32| {
            let pull = Pull { share, toward };
            self.sum_around(ground, (x, y), |height| pull.change(height))
        };
        let whole = (f64::from(now) - f64::from(before)) * self.area();
        let share = if now < before {
            -(whole / all(-1.0)).min(1.0)
        } else if now > before {
            (whole / all(1.0)).min(1.0)
        } else {
            0.0
        };
        Pull {
            share: share as f32,
            toward,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeededRng;

    fn ground(width: u64, cells: Vec<f32>) -> Ground {
        let size = MapSize::new(width, cells.len() as u64 / width).unwrap();
        Ground { size, cells }
    }

    fn sum(ground: &Ground) -> f64 {
        ground.cells.iter().map(|&grains| f64::from(grains)).sum()
    }

    #[test]
    fn coarse_cell_is_weighted_mean() {
        let progress = Progress::default();
        let fine = ground(8, [0.0, 0.0, 16.0, 16.0, 0.0, 0.0, 0.0, 0.0].repeat(6));
        let halves = Halves::of(fine.size).unwrap();
        let coarse = halves.halve(&fine, &progress).unwrap();
        assert_eq!((coarse.size.width(), coarse.size.height()), (4, 3));
        assert_eq!(coarse.row(1), [2.0, 12.0, 2.0, 0.0]);
        assert!(Halves::of(MapSize::new(3, 40).unwrap()).is_none());
    }

    #[test]
    fn sinking_cell_lowers_spike_and_keeps_plain() {
        let progress = Progress::default();
        let mut cells = vec![1000.0; 64];
        cells[8 * 3 + 3] = 17_000.0;
        let mut fine = ground(8, cells);
        let halves = Halves::of(fine.size).unwrap();
        let before = halves.halve(&fine, &progress).unwrap();
        let mut after = before.clone();
        after.cells[5] = 1100.0;
        halves
            .follow(&mut fine, &before, &after, &progress)
            .unwrap();
        assert!(fine.cells[27] < 12_000.0, "{}", fine.cells[27]);
        let plain = (0..64).filter(|&k| k != 27).map(|k| fine.cells[k]);
        assert!(plain.into_iter().all(|grains| grains == 1000.0));
    }

    /// With random changes of the coarse map, also for odd sizes.
    #[test]
    fn moves_amount_of_coarse_map_within_range() {
        let progress = Progress::default();
        let mut rng = SeededRng::new(8, b"test    ");
        for round in 0..300 {
            let (width, height) = (4 + rng.below(30), 4 + rng.below(30));
            let top = 1 << 24;
            let rough = rng.below(3);
            let height_of = |rng: &mut SeededRng| match rough {
                0 => rng.below(top + 1) as f32,
                1 => (rng.below(20) / 19 * top) as f32,
                _ => (top / 2 + rng.below(1000)) as f32,
            };
            let cells = (0..width * height).map(|_| height_of(&mut rng)).collect();
            let mut fine = ground(width, cells);
            let whole = sum(&fine);
            let highest = fine.cells.iter().copied().fold(0.0, f32::max);
            let lowest = fine.cells.iter().copied().fold(f32::MAX, f32::min);
            let halves = Halves::of(fine.size).unwrap();
            let before = halves.halve(&fine, &progress).unwrap();
            let mut after = before.clone();
            for grains in &mut after.cells {
                if rng.below(3) > 0 {
                    let other = *rng.pick(&before.cells).unwrap();
                    *grains += ((other - *grains) * rng.unit() as f32).trunc();
                }
            }
            halves
                .follow(&mut fine, &before, &after, &progress)
                .unwrap();
            let moved = (sum(&after) - sum(&before)) * halves.area();
            let off = sum(&fine) - whole - moved;
            let allowed = 1e-7 * whole + height as f64;
            assert!(
                off.abs() < allowed,
                "{width} x {height}, {round}: {off} of {allowed}"
            );
            let range = lowest..=highest;
            assert!(fine.cells.iter().all(|grains| range.contains(grains)));
        }
    }
}
