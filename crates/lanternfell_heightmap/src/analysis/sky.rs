//! How much of the sky each cell sees: valleys and the feet of cliffs are in the shade of
//! half of it, whatever the sun does.
//!
//! Problem: the horizon of a cell, in some direction, may be the next cell or a mountain
//! at the other end of the map. Walking there from every cell costs O(n) per cell.
//!
//! Idea: the cells of a line share their walks. Along a line, keep the upper convex hull
//! of what lies behind: only its corners can be seen on the horizon by anyone further on.
//! A cell first drops the last corners that stand below the line from it to the one
//! before; the corner that is left is its horizon, and then it is a corner itself:
//!
//! ```text
//!          hull                           b is below the line from c to a: it will
//!        a.                               never again be on a horizon
//!       /  `-..b__                        _.c
//!      /          `-._           a.__..--'
//!     / ground        \     c      `.b __
//! ```
//!
//! Each cell is dropped once, so a line costs O(1) per cell, however far its horizons.
//!
//! Steps, for half of the directions (the other half are the same lines walked back):
//! 1. Lines side by side through the whole map, one cell apart along the rows or the
//!    columns, whichever they cross more squarely. A line's heights are read between two
//!    cells, and so it never jumps from one to the next.
//! 2. Walk each line both ways: per sample, the sky above both horizons.
//! 3. A cell lies between the samples of two lines: it gets the mean by nearness.
//!
//! Under an even sky and above a horizon of the angle `a`, level ground gets `cos^2 a` of
//! the light (Max 1988); the sky's share is the mean of this over all directions.
//!
//! Cost: O(directions) per cell, and beside the result as much memory again as the map.
//!
//! Source: Timonen and Westerholm, *Scalable height field self-shadowing*, Computer
//! Graphics Forum, 2010; Max, *Horizon mapping*, The Visual Computer, 1988.

use core::f64::consts::TAU;

use serde::{Deserialize, Serialize};

use crate::{
    Cancelled, GenerateError, Heightmap, ParamError, Progress, Scale, analysis::SweepLines, rows,
};

/// The share of the sky that level ground would see from each cell, from 0 to 1: 1 on
/// peaks and plains. One minus it is the ambient occlusion.
///
/// Beyond the map's border there is nothing to see but sky.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SkyView {
    /// In how many directions horizons are looked for: an even number from 4 to 64; 16 by
    /// default. None of them runs along rows or columns.
    pub directions: u32,
}

impl Default for SkyView {
    fn default() -> Self {
        Self { directions: 16 }
    }
}

/// Rows or lines that are worked on together, so that those who jump from row to row
/// find several values in a line of the processor's cache.
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

    /// The share of the sky that every cell of `map` sees.
    ///
    /// # Errors
    /// When the number of directions or the scale is out of its range, or the work was
    /// cancelled.
    pub fn of(
        &self,
        map: &Heightmap,
        scale: Scale,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate()?;
        scale.validate()?;
        let rise = f64::from(scale.relief) / f64::from(scale.spacing);
        Ok(self.of_steep(map, rise, progress)?)
    }

    /// [`of`](Self::of) a map on which a height of 1 rises by `rise` cells.
    ///
    /// # Errors
    /// When the work was cancelled.
    pub fn of_steep(
        &self,
        map: &Heightmap,
        rise: f64,
        progress: &Progress,
    ) -> Result<Heightmap, Cancelled> {
        let mut sky = Heightmap::flat(map.size());
        let pairs = self.directions / 2;
        let mut samples: Vec<Line> = Vec::new();
        for pair in 0..pairs {
            let progress = progress.part(pair as usize, pairs as usize);
            let angle = (f64::from(pair) + 0.5) * TAU / f64::from(self.directions);
            let lines = SweepLines::new(map.size(), angle);
            // From a difference of heights to one in units of the way between samples.
            let factor = rise / lines.sample_distance;
            lines.prepare(&mut samples);
            lines.walk(
                map,
                factor.min(1e30),
                &mut samples,
                &progress.span(0.0, 0.8),
            )?;
            let share = 1.0 / self.directions as f32;
            lines.gather(&samples, share, &mut sky, &progress.span(0.8, 1.0))?;
        }
        Ok(sky)
    }
}

/// What a line's samples see.
#[derive(Debug, Default)]
struct Line {
    /// Its first step on the map.
    start: usize,
    /// From there on, twice the mean sky in its two directions.
    sky: Vec<f32>,
}

impl SweepLines {
    /// Makes one line of the right length of each number; reuses the memory of others.
    fn prepare(&self, lines: &mut Vec<Line>) {
        lines.resize_with(self.count, Line::default);
        for (k, line) in lines.iter_mut().enumerate() {
            let steps = self.steps(k);
            line.start = steps.start;
            line.sky.clear();
            line.sky.resize(steps.len(), 0.0);
        }
    }

    /// Fills in the sky above both horizons, for each step of each line.
    fn walk(
        &self,
        map: &Heightmap,
        factor: f64,
        lines: &mut [Line],
        progress: &Progress,
    ) -> Result<(), Cancelled> {
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

    /// Reads the heights along the lines from number `first` on.
    fn read(
        &self,
        map: &Heightmap,
        factor: f64,
        first: usize,
        lines: &[Line],
        heights: &mut [Vec<f64>],
    ) {
        let (cells, width) = (map.heights(), map.width());
        // From one cell to the next, along and across.
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
        // Down the columns, some rows at a time: the lines read neighbors.
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

    /// Adds to each cell its share of the samples of the two lines beside it.
    fn gather(
        &self,
        lines: &[Line],
        share: f32,
        sky: &mut Heightmap,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let width = sky.width();
        let seen = |k: usize, i: usize| lines[k].sky[i - lines[k].start];
        let add = |sky: &mut f32, cell: usize, i: usize| {
            // The line after the cell, and the one before.
            let k = (cell as i32 + self.shift[i]) as usize;
            let (after, before) = (seen(k, i), seen(k - 1, i));
            let seen = after + (before - after) * self.part[i];
            // Rounding must not show more than the whole sky.
            *sky = (*sky + share * seen).min(1.0);
        };
        rows::for_each_row(sky.heights_mut(), BAND * width, progress, |band, rows| {
            let first = band * BAND;
            if self.down {
                for x in 0..width {
                    for (j, row) in rows.chunks_exact_mut(width).enumerate() {
                        add(&mut row[x], x, first + j);
                    }
                }
            } else {
                for (j, row) in rows.chunks_exact_mut(width).enumerate() {
                    for (x, cell) in row.iter_mut().enumerate() {
                        add(cell, first + j, x);
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

/// Walks a line, and adds to each sample the sky above the horizon behind it. Heights are
/// in units of the way from sample to sample.
fn walk<'a>(steps: impl Iterator<Item = (&'a f64, &'a mut f32)>, hull: &mut Vec<Corner>) {
    // The last corner is kept apart, so that it need not be read back after each step.
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
        // The square of the cosine of the horizon's angle.
        let (run, rise) = (step - corner.step, (corner.height - height).max(0.0));
        *sky += (run * run / (run * run + rise * rise)) as f32;
    }
}

/// Whether from `here` the corner `before` stands as high as `last`, or higher. No
/// divisions.
fn hides(before: Corner, last: Corner, here: Corner) -> bool {
    let (to_before, to_last) = (here.step - before.step, here.step - last.step);
    (before.height - here.height) * to_last >= (last.height - here.height) * to_before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_finds_the_highest_of_all_behind() {
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
