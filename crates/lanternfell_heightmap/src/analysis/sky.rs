//! Sky view: the part of the sky that is visible from each cell. Valleys and the feet of cliffs see less of it,
//! regardless of the direction of the sun.
//!
//! Problem: the horizon of a cell in some direction may be the next cell, or a mountain at the other end of the map.
//! Searching it separately for every cell costs O(n) per cell.
//!
//! Idea: the cells of a line share the search. Along a line, keep the upper convex hull of the terrain behind. Only its
//! corners can be on the horizon of later cells. A cell first removes the last corners that are below the line from it
//! to the corner before. The remaining last corner is its horizon. Then the cell itself becomes a corner:
//!
//! ```text
//!          hull                           b is below the line from c to a: it will
//!        a.                               never be on a horizon again
//!       /  `-..b__                        _.c
//!      /          `-._           a.__..--'
//!     / terrain       \     c      `.b __
//! ```
//!
//! Each cell is removed once, so a line costs O(1) per cell, for horizons at any distance.
//!
//! Steps, for half of the directions (the other half are the same lines in reverse):
//!
//! 1. Cover the map with parallel lines, one cell apart along the axis that they cross at the steeper angle. Heights on
//!    a line are interpolated between two cells, so it never jumps from one cell to the next.
//! 2. Walk each line both ways. For each sample, sum the sky above both horizons.
//! 3. Each cell is between the samples of two lines, and interpolates between them.
//!
//! Under a uniform sky and with a horizon at the angle `a`, a level surface receives `cos^2 a` of the light (Max 1988).
//! The result is the mean of this over all directions.
//!
//! Cost: O(directions) per cell. Memory: that of the map, in addition to the result.
//!
//! Sources: Timonen and Westerholm, *Scalable height field self-shadowing*, Computer Graphics Forum, 2010; Max,
//! *Horizon mapping*, The Visual Computer, 1988.

use core::f64::consts::TAU;

use serde::{Deserialize, Serialize};

use crate::{
    Canceled, GenerateError, Heightmap, ParamError, Progress, Scale, analysis::SweepLines, rows,
};

/// The fraction of skylight that a level surface receives at each cell, from 0 to 1. It is 1 on peaks and plains.
/// Ambient occlusion is one minus this value.
///
/// The terrain does not continue beyond the border of the map; there is only sky.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SkyView {
    /// The number of directions in which horizons are searched: an even number from 4 to 64. Default: 16. No direction
    /// is along rows or columns.
    pub directions: u32,
}

impl Default for SkyView {
    fn default() -> Self {
        Self { directions: 16 }
    }
}

/// The number of rows or lines that are processed together, so that access across rows finds several values per cache
/// line.
const BAND: usize = 16;

impl SkyView {
    /// Checks the number of directions.
    pub fn validate(&self) -> Result<(), ParamError> {
        ParamError::check(
            (4..=64).contains(&self.directions) && self.directions.is_multiple_of(2),
            "sky view",
            "directions",
            self.directions.into(),
            "an even number from 4 to 64",
        )
    }

    /// Computes the sky view of every cell of `map`.
    ///
    /// # Errors
    /// If the number of directions or the scale is out of range, or the work is canceled.
    pub fn of(
        &self,
        map: &Heightmap,
        scale: Scale,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let rise = self.rise(scale)?;
        Ok(self.of_steep(map, rise, progress)?)
    }

    /// Computes the sky view of some cells of `map`: those that are true in `cells`, row by row. The others are 0.
    ///
    /// Only the lines through these cells are searched, so a few cells close to each other cost much less than all.
    ///
    /// # Errors
    /// As for [`of`](Self::of).
    ///
    /// # Panics
    /// If `cells` does not have as many values as the map has cells.
    pub fn of_cells(
        &self,
        map: &Heightmap,
        cells: &[bool],
        scale: Scale,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        assert_eq!(cells.len(), map.size().cells(), "number of cells");
        let rise = self.rise(scale)?;
        Ok(self.search(map, Some(cells), rise, progress)?)
    }

    /// Checks all values. Returns how many cells high a height of 1 is.
    fn rise(&self, scale: Scale) -> Result<f64, ParamError> {
        self.validate()?;
        scale.validate()?;
        Ok(f64::from(scale.relief) / f64::from(scale.spacing))
    }

    /// The same as [`of`](Self::of) for a map on which a height of 1 is `rise` cells high. The number of directions is
    /// not checked.
    ///
    /// # Errors
    /// If the work is canceled.
    pub fn of_steep(
        &self,
        map: &Heightmap,
        rise: f64,
        progress: &Progress,
    ) -> Result<Heightmap, Canceled> {
        self.search(map, None, rise, progress)
    }

    fn search(
        &self,
        map: &Heightmap,
        cells: Option<&[bool]>,
        rise: f64,
        progress: &Progress,
    ) -> Result<Heightmap, Canceled> {
        let mut sky = Heightmap::flat(map.size());
        let pairs = self.directions / 2;
        let mut samples: Vec<Line> = Vec::new();
        for pair in 0..pairs {
            let progress = progress.part(pair as usize, pairs as usize);
            let angle = (f64::from(pair) + 0.5) * TAU / f64::from(self.directions);
            let lines = SweepLines::new(map.size(), angle);
            // Converts heights to units of the distance between samples.
            let factor = rise / lines.sample_distance;
            lines.prepare(&mut samples, cells);
            lines.walk(
                map,
                factor.min(1e30),
                &mut samples,
                &progress.span(0.0, 0.8),
            )?;
            let share = 1.0 / self.directions as f32;
            let rest = progress.span(0.8, 1.0);
            lines.gather(&samples, share, cells, &mut sky, &rest)?;
        }
        Ok(sky)
    }
}

/// The result for the samples of a line.
#[derive(Debug, Default)]
struct Line {
    /// The first step of the line on the map.
    start: usize,
    /// For each step from there on, the sum of the sky in both directions.
    sky: Vec<f32>,
}

impl SweepLines {
    /// Prepares the lines next to the given cells with their lengths, and reuses their memory. The other lines are
    /// empty.
    fn prepare(&self, lines: &mut Vec<Line>, cells: Option<&[bool]>) {
        let needed = cells.map(|cells| self.next_to(cells));
        lines.resize_with(self.count, Line::default);
        for (k, line) in lines.iter_mut().enumerate() {
            let steps = match &needed {
                Some(needed) if !needed[k] => 0..0,
                _ => self.steps(k),
            };
            line.start = steps.start;
            line.sky.clear();
            line.sky.resize(steps.len(), 0.0);
        }
    }

    /// For each line whether it is next to one of the given cells.
    fn next_to(&self, cells: &[bool]) -> Vec<bool> {
        let mut needed = vec![false; self.count];
        let width = if self.down { self.breadth } else { self.length };
        for (y, row) in cells.chunks_exact(width).enumerate() {
            for (x, _) in row.iter().enumerate().filter(|(_, is_given)| **is_given) {
                let (i, cell) = if self.down { (y, x) } else { (x, y) };
                let after = self.after(cell, i);
                needed[after] = true;
                needed[after - 1] = true;
            }
        }
        needed
    }

    /// The line after a cell at step `i`.
    fn after(&self, cell: usize, i: usize) -> usize {
        (cell as i32 + self.shift[i]) as usize
    }

    /// Computes the sky above both horizons for each step of each line.
    fn walk(
        &self,
        map: &Heightmap,
        factor: f64,
        lines: &mut [Line],
        progress: &Progress,
    ) -> Result<(), Canceled> {
        let scratch = || (vec![Vec::new(); BAND], Vec::new());
        rows::for_each_row_with(
            lines,
            BAND,
            progress,
            scratch,
            |(heights, hull), band, lines| {
                let heights = &mut heights[..lines.len()];
                self.read(map, factor, band * BAND, lines, heights);
                for (heights, line) in heights.iter().zip(lines) {
                    walk(heights.iter().zip(&mut line.sky), hull);
                    walk(heights.iter().zip(&mut line.sky).rev(), hull);
                }
            },
        )
    }

    /// Samples the heights along the lines, starting with line `first`.
    fn read(
        &self,
        map: &Heightmap,
        factor: f64,
        first: usize,
        lines: &[Line],
        heights: &mut [Vec<f64>],
    ) {
        let (cells, width) = (map.heights(), map.width());
        // The index offsets from one cell to the next, along and across.
        let (along, across) = if self.down { (width, 1) } else { (1, width) };
        let sample = |k: usize, i: usize| {
            let cell = k as i32 - self.shift[i];
            let near = cell.max(0) as usize;
            let far = ((cell + 1) as usize).min(self.breadth - 1);
            let near = f64::from(cells[i * along + near * across]);
            let far = f64::from(cells[i * along + far * across]);
            (near + (far - near) * f64::from(self.part[i])) * factor
        };
        for (heights, line) in heights.iter_mut().zip(lines) {
            heights.clear();
            heights.resize(line.sky.len(), 0.0);
        }
        // A few rows at a time, because the lines read adjacent cells.
        let start = lines.iter().map(|line| line.start).min().unwrap_or(0);
        let end = lines
            .iter()
            .map(|line| line.start + line.sky.len())
            .max()
            .unwrap_or(0);
        for from in (start..end).step_by(BAND) {
            for (j, (heights, line)) in heights.iter_mut().zip(lines).enumerate() {
                let steps = from.max(line.start)..(from + BAND).min(line.start + heights.len());
                for i in steps {
                    heights[i - line.start] = sample(first + j, i);
                }
            }
        }
    }

    /// Adds the interpolated samples of the two lines next to each of the given cells, times `share`.
    fn gather(
        &self,
        lines: &[Line],
        share: f32,
        cells: Option<&[bool]>,
        sky: &mut Heightmap,
        progress: &Progress,
    ) -> Result<(), Canceled> {
        let width = sky.width();
        let seen = |k: usize, i: usize| lines[k].sky[i - lines[k].start];
        let add = |sky: &mut f32, cell: usize, i: usize| {
            // The line after the cell, and the one before.
            let k = self.after(cell, i);
            let (after, before) = (seen(k, i), seen(k - 1, i));
            let seen = after + (before - after) * self.part[i];
            // Rounding must not exceed the whole sky.
            *sky = (*sky + share * seen).min(1.0);
        };
        rows::for_each_row(sky.heights_mut(), BAND * width, progress, |band, rows| {
            let first = band * BAND;
            let is_given = |x, y| cells.is_none_or(|cells| cells[y * width + x]);
            if self.down {
                for x in 0..width {
                    for (j, row) in rows.chunks_exact_mut(width).enumerate() {
                        if is_given(x, first + j) {
                            add(&mut row[x], x, first + j);
                        }
                    }
                }
            } else {
                for (j, row) in rows.chunks_exact_mut(width).enumerate() {
                    for (x, cell) in row.iter_mut().enumerate() {
                        if is_given(x, first + j) {
                            add(cell, first + j, x);
                        }
                    }
                }
            }
        })
    }
}

/// A sample that may be on the horizon of later ones.
#[derive(Clone, Copy)]
struct Corner {
    step: f64,
    height: f64,
}

/// Walks along a line, and adds to each sample the sky above the horizon behind it. Heights are in units of the
/// distance between samples.
fn walk<'a>(steps: impl Iterator<Item = (&'a f64, &'a mut f32)>, hull: &mut Vec<Corner>) {
    // The last corner is kept separately, so that it does not have to be read back after each step.
    hull.clear();
    let mut last: Option<Corner> = None;
    for (step, (&height, sky)) in steps.enumerate() {
        let step = step as f64;
        let here = Corner { step, height };
        let Some(mut corner) = last.replace(here) else {
            *sky += 1.0;
            continue;
        };
        while let Some(&before) = hull.last()
            && hides(before, corner, here)
        {
            corner = before;
            hull.pop();
        }
        hull.push(corner);
        // The squared cosine of the angle of the horizon.
        let (run, rise) = (step - corner.step, (corner.height - height).max(0.0));
        *sky += (run * run / (run * run + rise * rise)) as f32;
    }
}

/// Whether `before` is at least as high as `last`, as seen from `here`. Uses no divisions.
fn hides(before: Corner, last: Corner, here: Corner) -> bool {
    let (to_before, to_last) = (here.step - before.step, here.step - last.step);
    (before.height - here.height) * to_last >= (last.height - here.height) * to_before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_cells_have_the_bits_of_all() {
        let mut rng = crate::SeededRng::new(6, b"sky     ");
        for (width, height) in [(2, 2), (90, 70), (33, 120)] {
            let size = crate::MapSize::new(width, height).unwrap();
            let map = Heightmap::from_fn(size, |_, _| rng.unit() as f32).unwrap();
            let scale = Scale {
                spacing: 2.0,
                relief: 9.0,
            };
            let sky = SkyView { directions: 8 };
            let progress = Progress::default();
            let all = sky.of(&map, scale, &progress).unwrap();
            for percent in [0, 1, 30, 100] {
                let cells: Vec<bool> = (0..size.cells()).map(|_| rng.percent(percent)).collect();
                let some = sky.of_cells(&map, &cells, scale, &progress).unwrap();
                for (index, is_given) in cells.into_iter().enumerate() {
                    let expected = if is_given { all.heights()[index] } else { 0.0 };
                    assert_eq!(some.heights()[index], expected);
                }
            }
        }
    }

    #[test]
    fn walk_finds_highest_horizon() {
        let mut rng = crate::SeededRng::new(5, b"sky     ");
        for _ in 0..200 {
            let count = 1 + rng.below(60) as usize;
            let heights: Vec<f64> = (0..count).map(|_| 3.0 * rng.unit()).collect();
            let mut sky = vec![0.0; count];
            walk(heights.iter().zip(sky.iter_mut()), &mut Vec::new());
            for i in 0..count {
                let steepest = (0..i).fold(0.0_f64, |steepest, j| {
                    steepest.max((heights[j] - heights[i]) / (i - j) as f64)
                });
                let expected = 1.0 / (1.0 + steepest * steepest);
                assert!(
                    (f64::from(sky[i]) - expected).abs() < 1e-6,
                    "cell {i} of {heights:?}"
                );
            }
        }
    }
}
