//! The shadows of the whole map, computed in one sweep.
//!
//! Problem: a shadow ray from every cell to the sun takes as many steps as there are cells on its
//! way.
//!
//! Idea: the cells on a line toward the sun share their rays. Walk along the line away from the sun
//! and carry the height up to which the terrain passed so far casts its shadow. From step to step
//! this height sinks with the slope of the sun's rays, and higher terrain raises it:
//!
//! ```text
//!   sun        ground    /\ ` - _            shadow(i) = max(shadow(i-1), height(i-1)) - drop
//!    \                  /  \      ` - _ shadow
//!                ______/    \___________`-_____
//!       walk  ------------------------------>
//! ```
//!
//! Steps, for strips of neighboring lines:
//! 1. Lay lines through the whole map toward the sun (see `sweep.rs`). Their heights are
//!    interpolated between two cells.
//! 2. A cell is between two lines. Its shadow height is interpolated between theirs.
//! 3. Terrain at the shadow height is fully lit. It is fully dark from one step's drop below on. So
//!    on level ground the edge of a shadow is as wide as a step, and not jagged.
//!
//! Cost: O(1) per cell, independent of the length of the shadows. Memory: one byte per cell.
//!
//! The shadow height is exact for the heights where lines cross rows, or columns if the lines cross
//! these at a steeper angle. Between them the terrain is taken as a straight line. Beyond the
//! border the map is extended by one cell.
//!
//! Source: the sweep of Timonen and Westerholm, *Scalable height field self-shadowing*, Computer
//! Graphics Forum, 2010. For a single direction its hull is a single height.

use core::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use fearless_simd::{Level, dispatch};
use glam::DVec3;

use crate::height_field::HeightField;
use lanternfell_heightmap::{Canceled, Heightmap, Progress, analysis::SweepLines, rows};

/// The share of the sunlight that reaches each cell.
pub(super) struct Shadows {
    width: usize,
    /// 255 in the sun, 0 in a shadow.
    lit: Vec<u8>,
}

/// Lines that are processed together.
const STRIP: usize = 256;
/// Steps that are read, processed and written together. When they go from row to row, several
/// values are in each cache line.
const BLOCK: usize = 16;

/// Lower than any terrain. Heights and drops are clamped to a much smaller range, so that all sums
/// are finite.
const NONE: f32 = -1e30;
const HIGHEST: f32 = 1e9;

impl Shadows {
    /// The shadows of a sun in the direction `sun`, a unit vector. `sea` is the height of the sea
    /// on the map. Terrain below it is lit like the water above it.
    pub(super) fn new(
        ground: &HeightField,
        sun: DVec3,
        sea: f32,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let map = ground.map;
        // Atomic, since strips of lines cross the rows at an angle. Each cell is written once.
        let lit = (0..map.heights().len()).map(|_| AtomicU8::new(0));
        let lit: Vec<AtomicU8> = lit.collect();
        let sweep = Sweep::new(ground, sun, sea);
        let mut strips = vec![(); sweep.lines.count.div_ceil(STRIP)];
        let scratch = Scratch::default;
        rows::for_each_row_with(&mut strips, 1, progress, scratch, |scratch, strip, _| {
            sweep.walk((strip * STRIP) as i32, map, scratch, &lit);
        })?;
        Ok(Self {
            width: map.width(),
            lit: lit.into_iter().map(AtomicU8::into_inner).collect(),
        })
    }

    /// The share of the sunlight in row `y`, from 0 to 1.
    pub(super) fn row(&self, y: usize, lit: &mut [f32]) {
        let cells = &self.lit[y * self.width..][..self.width];
        for (lit, &cell) in lit.iter_mut().zip(cells) {
            *lit = f32::from(cell) * (1.0 / 255.0);
        }
    }
}

/// The lines of one direction.
struct Sweep {
    lines: SweepLines,
    /// Whether the sun is at the start of the lines.
    forward: bool,
    /// How far a ray sinks per step, in heights.
    drop: f32,
    sea: f32,
}

/// The working memory of a thread.
#[derive(Default)]
struct Scratch {
    /// The heights of a block, step by step.
    heights: Vec<f32>,
    lit: Vec<u8>,
    /// The shadow height of each line at the previous step.
    shadow: Vec<f32>,
}

/// A range of steps of a strip.
struct Block {
    steps: Range<usize>,
    /// The first cell across that is read, and the number of cells.
    from: i32,
    across: usize,
}

impl Sweep {
    fn new(ground: &HeightField, sun: DVec3, sea: f32) -> Self {
        let lines = SweepLines::new(ground.map.size(), libm::atan2(sun.z, sun.x));
        let level = libm::hypot(sun.x, sun.z).max(1e-12);
        let run = lines.sample_distance * ground.cell / ground.rise;
        let drop = (run * sun.y / level).clamp(1e-9, f64::from(HIGHEST)) as f32;
        let forward = if lines.down { sun.z < 0.0 } else { sun.x < 0.0 };
        Self {
            lines,
            forward,
            drop,
            sea: sea.clamp(-HIGHEST, HIGHEST),
        }
    }

    /// Walks all steps of the strip that starts at line `first`.
    fn walk(&self, first: i32, map: &Heightmap, scratch: &mut Scratch, lit: &[AtomicU8]) {
        // The first line of the strip also needs its predecessor.
        let lines = STRIP.min(self.lines.count - first as usize) + 1;
        scratch.shadow.clear();
        scratch.shadow.resize(lines, NONE);
        let blocks = self.lines.length.div_ceil(BLOCK);
        for block in self.in_order(blocks) {
            let block = self.block(first, lines, block * BLOCK);
            if block.across == 0 {
                continue;
            }
            self.read(map, &block, scratch);
            for step in self.in_order(block.steps.len()) {
                self.step(first, &block, step, scratch);
            }
            self.write(first, &block, &scratch.lit, lit);
        }
    }

    /// The numbers below `count`, starting at the sun's side.
    fn in_order(&self, count: usize) -> impl Iterator<Item = usize> + use<> {
        let forward = self.forward;
        (0..count).map(move |number| if forward { number } else { count - 1 - number })
    }

    /// The block that starts at step `start`. It has no cells where the strip is outside the map.
    fn block(&self, first: i32, lines: usize, start: usize) -> Block {
        let steps = start..(start + BLOCK).min(self.lines.length);
        let shifts = &self.lines.shift[steps.clone()];
        let (a, b) = (shifts[0], shifts[shifts.len() - 1]);
        let from = first - 1 - a.max(b);
        // One cell more than lines, since lines are between cells.
        let across = lines + 1 + a.abs_diff(b) as usize;
        let is_outside = from + across as i32 <= 0 || from > self.lines.breadth as i32;
        Block {
            steps,
            from,
            across: if is_outside { 0 } else { across },
        }
    }

    /// One step of the lines that are on the map there, or less than a cell outside it.
    fn step(&self, first: i32, block: &Block, step: usize, scratch: &mut Scratch) {
        let number = block.steps.start + step;
        let cell = first - 1 - self.lines.shift[number];
        let lines = scratch.shadow.len() as i32;
        let start = (-1 - cell).clamp(0, lines) as usize;
        let end = (self.lines.breadth as i32 - cell).clamp(0, lines) as usize;
        if start >= end {
            return;
        }
        let place = step * block.across + (cell - block.from) as usize + start;
        let count = end - start;
        let heights = &scratch.heights[place..][..count + 1];
        let lit = &mut scratch.lit[place..][..count];
        let shadow = &mut scratch.shadow[start..end];
        let part = self.lines.part[number];
        dispatch!(Level::new(), _simd => {
            self.shade(part, heights, shadow, lit);
            self.advance(part, heights, shadow);
        });
    }

    /// The light on the cells next to lines whose shadow heights at the previous step are `shadow`.
    /// The cell at place `j` is between the lines `j - 1` and `j`.
    #[inline(always)]
    fn shade(&self, part: f32, heights: &[f32], shadow: &[f32], lit: &mut [u8]) {
        let per_drop = 255.0 / self.drop;
        let pairs = shadow.iter().zip(&shadow[1..]);
        for (((before, after), &height), lit) in pairs.zip(&heights[1..]).zip(&mut lit[1..]) {
            let over = after + (before - after) * part - self.drop;
            let above = (height.max(self.sea) - over) * per_drop + 255.0;
            *lit = (above.clamp(0.0, 255.0) + 0.5) as u8;
        }
    }

    /// Lowers the shadow heights of the lines by a step and raises them to the terrain there.
    #[inline(always)]
    fn advance(&self, part: f32, heights: &[f32], shadow: &mut [f32]) {
        for ((shadow, near), far) in shadow.iter_mut().zip(heights).zip(&heights[1..]) {
            let ground = near + (far - near) * part;
            *shadow = higher(*shadow - self.drop, ground);
        }
    }

    /// Reads the heights of a block. Outside the map, those of its border.
    fn read(&self, map: &Heightmap, block: &Block, scratch: &mut Scratch) {
        let (across, steps) = (block.across, block.steps.len());
        scratch.heights.resize(steps * across, 0.0);
        scratch.lit.resize(steps * across, 0);
        let held = |height: f32| height.clamp(-HIGHEST, HIGHEST);
        let last = self.lines.breadth as i32 - 1;
        let cells = (0..across as i32).map(|place| (block.from + place).clamp(0, last) as usize);
        if self.lines.down {
            // The block may extend beyond the map on both sides.
            let before = (-block.from).clamp(0, across as i32) as usize;
            let start = block.from.max(0) as usize;
            let inside = (across - before).min(self.lines.breadth.saturating_sub(start));
            for (step, heights) in scratch.heights.chunks_exact_mut(across).enumerate() {
                let row = map.row(block.steps.start + step);
                let (west, rest) = heights.split_at_mut(before);
                let (within, east) = rest.split_at_mut(inside);
                west.fill(held(row[0]));
                let row_within = within.iter_mut().zip(&row[start.min(row.len())..]);
                row_within.for_each(|(height, &cell)| *height = held(cell));
                east.fill(held(row[last as usize]));
            }
        } else {
            for (place, cell) in cells.enumerate() {
                let row = &map.row(cell)[block.steps.clone()];
                let heights = scratch.heights[place..].iter_mut().step_by(across);
                heights
                    .zip(row)
                    .for_each(|(height, &cell)| *height = held(cell));
            }
        }
    }

    /// Writes the cells of a block that are directly before the lines of this strip.
    fn write(&self, first: i32, block: &Block, from: &[u8], lit: &[AtomicU8]) {
        let (breadth, across) = (self.lines.breadth, block.across);
        let shifts = &self.lines.shift[block.steps.clone()];
        let cells = |shift: i32| {
            let end = (first + STRIP as i32 - shift).clamp(0, breadth as i32);
            ((first - shift).max(0) as usize).min(end as usize)..end as usize
        };
        let place = |cell: usize| (cell as i32 - block.from) as usize;
        if self.lines.down {
            for (step, &shift) in shifts.iter().enumerate() {
                let cells = cells(shift);
                let from = &from[step * across + place(cells.start)..];
                let row = &lit[(block.steps.start + step) * breadth..][cells];
                row.iter()
                    .zip(from)
                    .for_each(|(lit, &from)| lit.store(from, Relaxed));
            }
        } else {
            let all = shifts.iter().map(|&shift| cells(shift));
            let all = all.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
            for cell in all.unwrap_or_default() {
                let row = &lit[cell * self.lines.length..][block.steps.clone()];
                for (step, (lit, &shift)) in row.iter().zip(shifts).enumerate() {
                    if cells(shift).contains(&cell) {
                        lit.store(from[step * across + place(cell)], Relaxed);
                    }
                }
            }
        }
    }
}

/// The higher value. Compiles to one instruction, unlike `f32::max`.
#[inline(always)]
fn higher(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{camera, patch::Ray};
    use lanternfell_heightmap::{MapSize, SeededRng};

    /// The reference: a ray from every cell toward the sun, starting slightly above the ground.
    fn by_rays(ground: &HeightField, sun: DVec3, off: f64) -> Vec<bool> {
        let (width, height) = (ground.map.width(), ground.map.height());
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let sees = |(x, y): (usize, usize)| {
            let at = glam::DVec2::new(x as f64, y as f64) * ground.cell - ground.half();
            let up = f64::from(ground.map.get(x, y)) * ground.rise + off * ground.cell;
            let origin = DVec3::new(at.x, up, at.y);
            ground
                .trace(
                    &Ray {
                        origin,
                        direction: sun,
                    },
                    3.0,
                )
                .is_none()
        };
        cells.map(sees).collect()
    }

    fn swept(ground: &HeightField, sun: DVec3) -> Vec<f32> {
        let shadows = Shadows::new(ground, sun, -1e6, &Progress::default()).unwrap();
        let mut lit = vec![0.0; ground.map.heights().len()];
        for (y, row) in lit.chunks_exact_mut(ground.map.width()).enumerate() {
            shadows.row(y, row);
        }
        lit
    }

    /// Hills a few cells wide and high, and one tower. The terrain is level toward the border,
    /// beyond which only the sweep extends it by a cell.
    fn hills(rng: &mut SeededRng, width: u64, height: u64) -> Heightmap {
        let waves: Vec<[f64; 4]> = (0..8)
            .map(|_| {
                [
                    rng.between(-0.5, 0.5),
                    rng.between(-0.5, 0.5),
                    rng.between(0.0, 6.0),
                    rng.unit(),
                ]
            })
            .collect();
        let size = MapSize::new(width, height).unwrap();
        Heightmap::from_fn(size, |x, y| {
            let wave = |[a, b, phase, strength]: &[f64; 4]| {
                strength * libm::sin(a * x as f64 + b * y as f64 + phase)
            };
            let tower = f64::from(u8::from(
                x == width as usize / 3 && y == height as usize / 2,
            ));
            let (east, south) = (width as usize - 1 - x, height as usize - 1 - y);
            let inside = (x.min(y).min(east).min(south) as f64 / 6.0).min(1.0);
            let hills = (0.25 * waves.iter().map(wave).sum::<f64>()).max(0.0);
            // In heights of the map, which is `max(width, height)` cells long.
            let cells = 20.0 / width.max(height) as f64;
            (cells * inside * (hills + tower)) as f32
        })
        .unwrap()
    }

    #[test]
    fn shadows_match_rays() {
        let mut rng = SeededRng::new(11, b"shadows ");
        for round in 0..60 {
            let (width, height) = (2 + rng.below(400), 2 + rng.below(400));
            let map = hills(&mut rng, width, height);
            let ground = HeightField::new(&map, rng.between(0.05, 0.5));
            let azimuth = rng.between(0.0, 360.0_f64).to_radians();
            let sun = camera::towards(azimuth, rng.between(5.0, 80.0_f64).to_radians());
            let lit = swept(&ground, sun);
            // The 50% light level must be between terrain that sees the sun from just above it, and
            // terrain that does not see it from 1.5 cells above.
            let (low, high) = (by_rays(&ground, sun, 0.02), by_rays(&ground, sun, 1.5));
            let wrong = lit
                .iter()
                .zip(low.iter().zip(&high))
                .filter(|(lit, (low, high))| (**lit < 0.5 && **low) || (**lit > 0.5 && !**high));
            let (wrong, all) = (wrong.count(), lit.len());
            assert!(
                wrong * 100 <= all,
                "round {round}, {width}x{height}: {wrong} of {all}"
            );
        }
    }

    #[test]
    fn shadow_length_is_right_in_every_direction() {
        let size = MapSize::new(301, 301).unwrap();
        let map =
            Heightmap::from_fn(size, |x, y| f32::from(u8::from(x == 150 && y == 150))).unwrap();
        let ground = HeightField::bare(&map, 0.2);
        // 0.2 of the side is 60 cells.
        for step in 0..72 {
            let azimuth = f64::from(step * 5).to_radians();
            let lit = swept(&ground, camera::towards(azimuth, 45.0_f64.to_radians()));
            let (east, south) = (-libm::sin(azimuth), libm::cos(azimuth));
            for away in 2..80 {
                let x = libm::round(150.0 + east * f64::from(away)) as usize;
                let y = libm::round(150.0 + south * f64::from(away)) as usize;
                // The tower is a pyramid two cells wide.
                if away < 20 {
                    assert!(lit[y * 301 + x] < 0.95, "{step} {away}");
                } else if away > 62 {
                    assert_eq!(lit[y * 301 + x], 1.0, "{step} {away}");
                }
            }
        }
    }

    #[test]
    fn light_is_in_range_for_any_heights() {
        let extreme = [f32::MIN, f32::MAX, 0.5, -7.0, 1e-40, 3.0];
        let size = MapSize::new(2, 3).unwrap();
        let extreme = Heightmap::from_heights(size, extreme.to_vec()).unwrap();
        let flat = Heightmap::flat(MapSize::new(300, 5).unwrap());
        for azimuth in [0.0, 45.0, 90.0, 135.0, 200.0, 315.0] {
            for elevation in [1.0, 45.0, 90.0_f64] {
                let sun = camera::towards(f64::to_radians(azimuth), elevation.to_radians());
                assert!(
                    swept(&HeightField::bare(&flat, 0.2), sun)
                        .iter()
                        .all(|&lit| lit == 1.0)
                );
                let lit = swept(&HeightField::bare(&extreme, 0.2), sun);
                assert!(lit.iter().all(|lit| (0.0..=1.0).contains(lit)));
            }
        }
    }
}
