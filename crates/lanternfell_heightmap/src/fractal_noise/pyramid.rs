//! Computes long wavelengths on coarser grids.
//!
//! Problem: an octave with a wavelength of 243 cells hardly changes from one cell to the next,
//! yet costs as much as one of 3 cells.
//!
//! Idea: evaluate it at every eighth cell only, and interpolate the cells between. A pyramid of
//! increasingly coarse grids holds each octave where its wavelength has just enough samples. Each
//! grid is upsampled to the next finer one halfway between cells, first along the row and then
//! across. The filter is the Lagrange polynomial through the four cells on either side.
//!
//! ```text
//!   level 3  o               o               o     243 cells
//!   level 2  o       .       o       .       o     + 81
//!   level 1  o   .   o   .   o   .   o   .   o     + 27
//!   level 0  o . o . o . o . o . o . o . o . o     + 9 + 3: at every cell
//! ```
//!
//! Steps, for one row of a level: rows of the next coarser level, upsampled to this level's
//! width, are cached in a ring of eight, because the next rows need most of them again. A row
//! that coincides with a coarser one copies it. A row between two coarser rows needs all eight.
//! Then the octaves of this level are added.
//!
//! Cost: 11 additions and multiplications per cell for all long waves together; one evaluation of
//! simplex noise takes about 70. Memory: eight rows per level. The first row of a block costs as
//! much as eight, so a block should have at least sixteen rows.
//!
//! Limits: simplex noise has three continuous derivatives, so the error of a wave sampled at `n`
//! steps falls with `n^4`. From ten steps on it is at most [`ERROR`] `/ n^4` of the amplitude.
//! The weight of an octave determines how high in the pyramid it may go.
//!
//! Levels are aligned to the origin of the plane, so a cell's height never depends on the map
//! around it.
//!
//! Sources: Burt and Adelson, *The Laplacian Pyramid as a Compact Image Code*, 1983; Lagrange's
//! weights in Abramowitz and Stegun, *Handbook of Mathematical Functions*, 25.2.

use core::array;

use fearless_simd::{Level, dispatch};

use super::source::{Noise, Octave};

/// The largest interpolation error of noise from -1 to 1, times the fourth power of the
/// wavelength in cells. Measured over 60 noises: 41.3 at 10 cells per wave, 40.3 at 13.5, 35.7 at
/// 40. Shorter waves do not follow this law.
const ERROR: f64 = 42.0;
const LEAST_STEPS: f64 = 10.0;

/// The coarsest grid: every sixteenth cell. Coarser ones save nothing more.
const COARSEST: usize = 4;

/// Lagrange weights halfway between the fourth and fifth of eight cells: the weight of both, of
/// their neighbors, and so on outward.
const WEIGHTS: [f32; 4] = [
    1225.0 / 2048.0,
    -245.0 / 2048.0,
    49.0 / 2048.0,
    -5.0 / 2048.0,
];
/// The number of cells on either side.
const REACH: usize = WEIGHTS.len();

/// A weighted sum of octaves.
pub(super) struct Pyramid {
    /// The octaves of each level, the coarsest octave first; wavelengths in cells of the level.
    levels: Vec<Vec<Octave>>,
}

impl Pyramid {
    /// A sum in which the error of each octave is at most `tolerance`, in the unit of the
    /// weights.
    pub(super) fn new(octaves: impl IntoIterator<Item = Octave>, tolerance: f64) -> Self {
        let mut levels = vec![Vec::new()];
        for octave in octaves {
            let level = level_of(&octave, tolerance);
            levels.resize_with(levels.len().max(level + 1), Vec::new);
            levels[level].push(octave.seen_from(level));
        }
        Self { levels }
    }

    /// The number of levels above that of the cells.
    pub(super) fn height(&self) -> usize {
        self.levels.len() - 1
    }

    /// Fills the cells of row `y` with the sum.
    ///
    /// Consecutive rows are fastest; any order gives the same bits. The octaves of level 0 are
    /// evaluated at positions offset by `shift`, in cells east and south of each cell.
    pub(super) fn fill(
        &self,
        y: i64,
        row: &mut [f32],
        shift: Option<[&[f32]; 2]>,
        rings: &mut Rings,
        noise: &impl Noise,
    ) {
        let first = rings.x;
        self.fill_from_coarser(0, y, row, &mut rings.rings[..self.height()], noise);
        noise.add(&self.levels[0], (first, y), row, shift);
    }

    /// Fills a row of `level` with the sum of the coarser levels.
    fn fill_from_coarser(
        &self,
        level: usize,
        y: i64,
        row: &mut [f32],
        rings: &mut [Ring],
        noise: &impl Noise,
    ) {
        let Some((ring, coarser)) = rings.split_first_mut() else {
            row.fill(0.0);
            return;
        };
        // Euclidean, so that rows north of the origin pair up the same way as rows south of it.
        let above = y.div_euclid(2);
        let between = y.rem_euclid(2) == 1;
        let reach = REACH as i64;
        // Eight consecutive rows at most. They map to eight distinct slots of the ring, so none
        // evicts another.
        let needed = if between {
            above + 1 - reach..=above + reach
        } else {
            above..=above
        };
        for above in needed {
            if ring.holds(above) {
                continue;
            }
            let mut coarse = core::mem::take(&mut ring.coarse);
            self.fill_from_coarser(level + 1, above, &mut coarse, coarser, noise);
            let first = (ring.coarse_x, above);
            noise.add(&self.levels[level + 1], first, &mut coarse, None);
            ring.coarse = coarse;
            ring.take(above);
        }
        ring.fill(above, between, row);
    }
}

/// The coarsest level at which an octave may be evaluated, given its wavelength and weight.
fn level_of(octave: &Octave, tolerance: f64) -> usize {
    let is_fine = |level: &usize| {
        let steps = octave.seen_from(*level).wavelength;
        let error = f64::from(octave.weight) * ERROR / (steps * steps * steps * steps);
        steps >= LEAST_STEPS && error <= tolerance
    };
    // The steps halve from level to level, so once a level is too coarse all higher ones are.
    (1..=COARSEST).take_while(is_fine).last().unwrap_or(0)
}

/// The rows that the levels cache from one row to the next, for one pyramid at a time.
pub(super) struct Rings {
    x: i64,
    /// The first ring belongs to level 0.
    rings: Vec<Ring>,
}

impl Rings {
    /// Creates rings for rows `width` cells wide, from column `x` on, and for pyramids with `height` levels above the
    /// cells.
    pub(super) fn new(x: i64, width: usize, height: usize) -> Self {
        let mut columns = Columns { x, width };
        let rings = (0..height).map(|_| {
            let coarse = columns.coarser();
            let ring = Ring::new(columns, coarse);
            columns = coarse;
            ring
        });
        Self {
            x,
            rings: rings.collect(),
        }
    }

    /// Invalidates all cached rows, for use with another pyramid.
    pub(super) fn clear(&mut self) {
        for ring in &mut self.rings {
            ring.held = [None; 2 * REACH];
        }
    }
}

/// A range of columns of a level, starting at column `x`.
#[derive(Clone, Copy)]
struct Columns {
    x: i64,
    width: usize,
}

impl Columns {
    /// The columns that the next coarser level must provide for these.
    fn coarser(self) -> Self {
        let last = self.x + self.width as i64 - 1;
        let (first, last) = (self.x.div_euclid(2), last.div_euclid(2));
        Self {
            x: first + 1 - REACH as i64,
            width: (last - first) as usize + 2 * REACH,
        }
    }
}

/// Rows of the next coarser level, as wide as those of this level.
struct Ring {
    /// The offset of this level's first cell in a row of the ring: 0 or 1.
    skipped: usize,
    /// Row `y` of the coarser level is at `y mod 8`.
    rows: [Vec<f32>; 2 * REACH],
    held: [Option<i64>; 2 * REACH],
    /// A row of the coarser level, and its first column.
    coarse: Vec<f32>,
    coarse_x: i64,
}

impl Ring {
    fn new(columns: Columns, coarse: Columns) -> Self {
        // The number of coarse cells with a full stencil. Each becomes two cells of the upsampled
        // row.
        let between = coarse.width + 1 - 2 * REACH;
        Self {
            skipped: columns.x.rem_euclid(2) as usize,
            rows: array::from_fn(|_| vec![0.0; 2 * between]),
            held: [None; 2 * REACH],
            coarse: vec![0.0; coarse.width],
            coarse_x: coarse.x,
        }
    }

    fn slot(y: i64) -> usize {
        y.rem_euclid(2 * REACH as i64) as usize
    }

    fn holds(&self, y: i64) -> bool {
        self.held[Self::slot(y)] == Some(y)
    }

    /// Upsamples the coarse row and stores it as row `y`.
    fn take(&mut self, y: i64) {
        let slot = Self::slot(y);
        self.held[slot] = Some(y);
        let (coarse, row) = (&self.coarse, &mut self.rows[slot]);
        dispatch!(Level::new(), _simd => widen(coarse, row));
    }

    /// Fills `row` with the coarser row at `y`, or interpolates halfway between it and the next.
    fn fill(&self, y: i64, between: bool, row: &mut [f32]) {
        let width = row.len();
        let held = |y: i64| &self.rows[Self::slot(y)][self.skipped..][..width];
        if between {
            let from = y + 1 - REACH as i64;
            let rows = array::from_fn(|k| held(from + k as i64));
            dispatch!(Level::new(), _simd => fill_between(rows, row));
        } else {
            row.copy_from_slice(held(y));
        }
    }
}

/// Upsamples a row: every cell, followed by the value halfway to the next.
///
/// Inlined, so that it is compiled once for each vector width. The bits are the same.
#[inline(always)]
fn widen(coarse: &[f32], row: &mut [f32]) {
    let pairs = row.as_chunks_mut::<2>().0;
    let count = pairs.len();
    let cells = array::from_fn(|k| &coarse[k..][..count]);
    for (x, pair) in pairs.iter_mut().enumerate() {
        // `cells[k]` is the row shifted by `k`, so index `x` of all eight is one stencil and no
        // bounds are checked.
        *pair = [cells[REACH - 1][x], halfway(cells, x)];
    }
}

/// Interpolates halfway between the fourth and fifth of eight rows.
#[inline(always)]
fn fill_between(rows: [&[f32]; 2 * REACH], row: &mut [f32]) {
    let count = row.len();
    let rows = array::from_fn(|k| &rows[k][..count]);
    for (x, z) in row.iter_mut().enumerate() {
        *z = halfway(rows, x);
    }
}

#[inline(always)]
fn halfway(z: [&[f32]; 2 * REACH], x: usize) -> f32 {
    let pair = |k: usize| WEIGHTS[k] * (z[REACH - 1 - k][x] + z[REACH + k][x]);
    // The smallest first, so that the largest is rounded least.
    ((pair(3) + pair(2)) + pair(1)) + pair(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OctaveDraws, fractal_noise::source::Simplex};

    fn octave(wavelength: f64, weight: f32) -> Octave {
        let draws = OctaveDraws {
            offset: [31.25, 77.5],
            hash: 5,
        };
        Octave {
            draws,
            wavelength,
            weight,
        }
    }

    fn rows(
        pyramid: &Pyramid,
        x: i64,
        width: usize,
        ys: impl Iterator<Item = i64>,
    ) -> Vec<Vec<f32>> {
        let mut rings = Rings::new(x, width, pyramid.height());
        let mut row = vec![0.0; width];
        let mut fill = |y| {
            pyramid.fill(y, &mut row, None, &mut rings, &Simplex);
            row.clone()
        };
        ys.map(&mut fill).collect()
    }

    #[test]
    fn level_depends_on_wavelength_and_weight() {
        let level =
            |wavelength, weight, tolerance| level_of(&octave(wavelength, weight), tolerance);
        assert_eq!(level(1e6, 1.0, 0.0), 0, "exact");
        assert_eq!(level(1e6, 1.0, 1e-4), COARSEST);
        // 25.46 cells per wave have an error of 1e-4.
        assert_eq!(level(50.8, 1.0, 1e-4), 0);
        assert_eq!(level(51.0, 1.0, 1e-4), 1);
        assert_eq!(level(203.0, 1.0, 1e-4), 2);
        assert_eq!(level(204.0, 1.0, 1e-4), 3);
        assert_eq!(level(50.8, 0.9, 1e-4), 1);
        assert_eq!(level(19.9, 1e-9, 1e-4), 0, "too short for any weight");
        assert_eq!(level(20.0, 1e-9, 1e-4), 1);
    }

    /// Every level's error is within the documented bound, and not far below it.
    #[test]
    fn error_falls_with_the_fourth_power_of_the_wavelength() {
        for (hash, steps) in (0..).zip([10.0, 11.3, 12.2, 13.5, 16.0, 27.0, 41.0]) {
            for level in 1..=COARSEST {
                let wave = Octave {
                    draws: OctaveDraws {
                        hash: 1000 * hash + level as u32,
                        ..octave(1.0, 1.0).draws
                    },
                    ..octave(steps * f64::from(1 << level), 1.0)
                };
                let bound = ERROR / f64::powi(steps, 4);
                let found = Pyramid::new([wave], bound * 1.001);
                assert_eq!(found.height(), level, "{steps} steps, level {level}");
                let exact = Pyramid::new([wave], 0.0);
                let area = |p| rows(p, -600, 1200, -300..300);
                let errors = area(&found).into_iter().flatten();
                let errors = errors.zip(area(&exact).into_iter().flatten());
                let most = errors.fold(0.0_f32, |most, (a, b)| most.max((a - b).abs()));
                let words = format!("{steps} steps, level {level}: {most}, bound {bound}");
                assert!(f64::from(most) < bound + 1e-6, "{words}");
                assert!(f64::from(most) > 0.2 * bound, "{words}");
            }
        }
    }

    #[test]
    fn rings_can_be_shared_by_pyramids() {
        let [tall, low] = [81.0, 40.0].map(|length| Pyramid::new([octave(length, 0.3)], 1e-3));
        assert!(tall.height() > low.height());
        let mut rings = Rings::new(3, 50, tall.height());
        for pyramid in [&tall, &low, &tall] {
            rings.clear();
            let mut row = vec![0.0; 50];
            for (y, expected) in (5..9).zip(rows(pyramid, 3, 50, 5..9)) {
                pyramid.fill(y, &mut row, None, &mut rings, &Simplex);
                assert_eq!(row, expected, "{} levels, row {y}", pyramid.height());
            }
        }
    }

    #[test]
    fn order_and_part_of_rows_do_not_change_bits() {
        let octaves = [243.0, 81.0, 27.0, 9.0].map(|length| octave(length, 0.25));
        let pyramid = Pyramid::new(octaves, 5e-3);
        assert_eq!(pyramid.levels.len(), 5, "all levels");
        let whole = rows(&pyramid, -70, 300, -40..60);
        let part = |y: i64, x: i64, width| &whole[(y + 40) as usize][(x + 70) as usize..][..width];
        let jumps = (0..300).map(|k| (k * 37) % 100 - 40);
        for (y, row) in jumps.clone().zip(rows(&pyramid, -70, 300, jumps)) {
            assert_eq!(row, part(y, -70, 300), "row {y}");
        }
        for (x, width) in [
            (-70, 1),
            (-69, 2),
            (-1, 3),
            (0, 1),
            (1, 128),
            (100, 130),
            (229, 1),
        ] {
            for (y, row) in (-40..60).zip(rows(&pyramid, x, width, -40..60)) {
                assert_eq!(row, part(y, x, width), "row {y} from {x}, {width} cells");
            }
        }
    }

    #[test]
    fn vector_width_does_not_change_bits() {
        let coarse: Vec<f32> = (0..97).map(|k| (k * k % 89) as f32 / 7.0).collect();
        let mut ring = Ring::new(Columns { x: 0, width: 180 }, Columns { x: -3, width: 97 });
        let mut narrow = vec![0.0; 180];
        for y in 0..8 {
            ring.coarse
                .iter_mut()
                .zip(&coarse)
                .for_each(|(to, z)| *to = z * (y as f32 - 3.3));
            ring.take(y);
            widen(&ring.coarse, &mut narrow);
            assert_eq!(ring.rows[y as usize], narrow, "row {y}");
        }
        let mut wide = vec![0.0; 180];
        ring.fill(3, true, &mut wide);
        fill_between(array::from_fn(|k| ring.rows[k].as_slice()), &mut narrow);
        assert_eq!(wide, narrow);
    }

    /// Lagrange weights are exact for polynomials of degree 7.
    #[test]
    fn weights_are_exact_for_polynomials_of_degree_7() {
        for power in 0..8 {
            let at = |x: f64| ((x - 3.0) / 4.0).powi(power) as f32;
            let cells: [f32; 8] = array::from_fn(|x| at(x as f64));
            let found = halfway(array::from_fn(|k| &cells[k..=k]), 0);
            assert!((found - at(3.5)).abs() < 1e-6, "x^{power}: {found}");
        }
    }
}
