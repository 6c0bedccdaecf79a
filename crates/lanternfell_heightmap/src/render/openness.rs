//! How much of the sky each place sees: valleys are darker than ridges.
//!
//! In each of eight directions, how high does the ground rise above the horizon, seen
//! from here? Steps grow by a fixed ratio, since far ground must be larger to matter.
//! With horizon angles `a`, the light of an even sky is the mean of `cos^2 a`.
//!
//! Computed once on a grid of at most 1024 points a side and read bilinearly, so that the
//! cost does not grow with the map: about 90 height samples a point.
//!
//! Source: horizon-based occlusion, Max, *Horizon mapping*, The Visual Computer, 1988.

use glam::DVec2;

use super::height_field::HeightField;
use crate::{Cancelled, Progress, rows};

/// The share of the sky that is seen, over the map.
pub(super) struct Openness {
    width: usize,
    height: usize,
    seen: Vec<f32>,
    /// Columns of the grid per column of the map.
    scale: DVec2,
}

/// More would cost more than it shows: openness is smooth.
const LONGEST_SIDE: f64 = 1024.0;

const DIRECTIONS: usize = 8;

/// Distances of the steps in cells of the grid: eleven, to about a sixth of a 512 map.
const FIRST_STEP: f64 = 1.3;
const STEP_RATIO: f64 = 1.55;
const STEPS: usize = 11;

impl Openness {
    pub(super) fn new(ground: &HeightField, progress: &Progress) -> Result<Self, Cancelled> {
        let patches = ground.half() * 2.0 / ground.cell;
        let coarse = (patches.max_element() / LONGEST_SIDE).max(1.0);
        let (width, height) = (side(patches.x, coarse), side(patches.y, coarse));
        let cells = patches / DVec2::new((width - 1) as f64, (height - 1) as f64);
        let mut seen = vec![0.0; width * height];
        rows::for_each_row(&mut seen, width, progress, |z, row| {
            for (x, seen) in row.iter_mut().enumerate() {
                *seen = sky_share(ground, DVec2::new(x as f64, z as f64) * cells, coarse);
            }
        })?;
        let scale = 1.0 / cells;
        Ok(Self {
            width,
            height,
            seen,
            scale,
        })
    }

    /// The share of the sky seen at column and row `cell` of the map, from 0 to 1.
    pub(super) fn at(&self, cell: DVec2) -> f32 {
        let at = cell * self.scale;
        let x = at.x.clamp(0.0, (self.width - 1) as f64);
        let z = at.y.clamp(0.0, (self.height - 1) as f64);
        let (column, row) = (x as usize, z as usize);
        let (u, v) = ((x - column as f64) as f32, (z - row as f64) as f32);
        let get = |x: usize, z: usize| {
            self.seen[z.min(self.height - 1) * self.width + x.min(self.width - 1)]
        };
        let north = get(column, row) * (1.0 - u) + get(column + 1, row) * u;
        let south = get(column, row + 1) * (1.0 - u) + get(column + 1, row + 1) * u;
        north * (1.0 - v) + south * v
    }
}

/// Points along a side of `patches` cells, one per `coarse` cells.
fn side(patches: f64, coarse: f64) -> usize {
    libm::ceil(patches / coarse) as usize + 1
}

fn sky_share(ground: &HeightField, cell: DVec2, coarse: f64) -> f32 {
    let here = ground.height(cell);
    let mut sum = 0.0;
    for direction in 0..DIRECTIONS {
        let angle = direction as f64 * (core::f64::consts::TAU / DIRECTIONS as f64) + 0.2;
        let towards = DVec2::new(libm::cos(angle), libm::sin(angle));
        let mut steepest = 0.0_f64;
        let mut step = FIRST_STEP * coarse;
        for _ in 0..STEPS {
            let rise = ground.height(cell + towards * step) - here;
            steepest = steepest.max(rise / (step * ground.cell));
            step *= STEP_RATIO;
        }
        // cos^2 of the horizon's angle, from its tangent.
        sum += 1.0 / (1.0 + steepest * steepest);
    }
    (sum / DIRECTIONS as f64) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Heightmap, MapSize};

    #[test]
    fn a_plain_sees_all_of_the_sky_and_a_pit_less_than_a_peak() {
        let size = MapSize::new(33, 20).unwrap();
        let progress = Progress::default();
        let flat = Heightmap::flat(size);
        let open = Openness::new(&HeightField::new(&flat, 0.2), &progress).unwrap();
        assert_eq!(open.at(DVec2::new(10.3, 7.9)), 1.0);
        let mut rough = flat;
        rough.heights_mut()[10 * 33 + 8] = 1.0;
        rough.heights_mut()[10 * 33 + 24] = -1.0;
        let open = Openness::new(&HeightField::new(&rough, 0.2), &progress).unwrap();
        assert_eq!(open.at(DVec2::new(8.0, 10.0)), 1.0);
        assert!(open.at(DVec2::new(24.0, 10.0)) < 0.5);
        assert!(open.at(DVec2::new(9.0, 10.0)) < 0.95);
    }
}
