//! The wind over one line of cells: what lies in a lee, and what it takes where.

use lanternfell_random::SplitMix64;

use super::{SLAB, WindErosion, field::Field, lines::Lines};
use crate::{Cancelled, context};

/// How the line falls behind a crest below which there is no wind: 15 degrees.
const LEE: f64 = 0.267_949_192_431_122_7;

/// How often a slab stays on bare ground, as a part of how often it stays on sand.
const BARE: f64 = 2.0 / 3.0;

/// How often a cell's sand is taken up in a step.
const TAKEN: f64 = 0.5;

/// Cells that a hop gets longer with each slab of height above the mean: half a cell with a cell.
const FASTER: f32 = 0.15;

/// The longest hop, in hops at the mean height.
const LONGEST: f32 = 20.0;

/// What lies on a cell.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Column {
    /// The height of the hard ground, in slabs.
    pub(super) ground: f32,
    /// Slabs of sand upon it.
    pub(super) sand: u32,
}

impl Column {
    /// The height of the surface, in slabs.
    fn top(self) -> f32 {
        self.ground + self.sand as f32
    }
}

/// The wind, in the terms of a line.
pub(super) struct Wind {
    seed: u64,
    /// Cells of a line.
    hop: f32,
    /// By how many slabs the lee's line falls from cell to cell.
    lee: f32,
    taken: u32,
    /// How often a slab stays where it fell: on sand, and on bare ground.
    on_sand: u32,
    on_bare: u32,
}

impl Wind {
    /// `step` is how far it is from cell to cell along a line.
    pub(super) fn new(erosion: &WindErosion, step: f64, seed: u64) -> Self {
        Self {
            seed,
            hop: (f64::from(erosion.hop) / step) as f32,
            lee: (LEE * step / SLAB) as f32,
            taken: chance(TAKEN),
            on_sand: chance(erosion.settling),
            on_bare: chance(BARE * erosion.settling),
        }
    }

    /// Strews so many slabs on each cell, on the average: of a slab's part there is by chance a whole
    /// one or none.
    pub(super) fn strew(
        &self,
        slabs: f64,
        field: &mut Field,
        lines: &Lines,
        columns: &mut [Column],
    ) -> Result<(), Cancelled> {
        field.along(
            lines,
            columns,
            || (),
            |(), line, columns| {
                let mut rng = rng(self.seed, u32::MAX, line);
                for column in columns {
                    let part = rng.word() as f64 / 2_f64.powi(64);
                    column.sand = (slabs + part) as u32;
                }
            },
        )
    }

    /// Blows once over every line.
    pub(super) fn blow(
        &self,
        step: u32,
        field: &mut Field,
        lines: &Lines,
        columns: &mut [Column],
    ) -> Result<(), Cancelled> {
        field.along(lines, columns, Vec::new, |calm, line, columns| {
            self.find_lee(columns, |along| lines.enters(line, along), calm);
            self.carry(columns, calm, rng(self.seed, step, line));
        })
    }

    /// Which cells of a line have no wind, since a higher one stands upwind. Where the line comes onto
    /// the map, the lee of what left at the other side goes on over the ground that is there.
    fn find_lee(&self, columns: &[Column], enters: impl Fn(usize) -> bool, calm: &mut Vec<bool>) {
        let mut line = f32::NEG_INFINITY;
        // The first time only to know how it comes in.
        for _ in 0..2 {
            calm.clear();
            let mut before = columns[columns.len() - 1];
            for (along, &column) in columns.iter().enumerate() {
                line -= self.lee;
                if enters(along) {
                    line += column.ground - before.ground;
                }
                calm.push(column.top() < line);
                line = line.max(column.top());
                before = column;
            }
        }
    }

    /// Takes slabs up, in the order of the cells, and puts each down again.
    fn carry(&self, columns: &mut [Column], calm: &[bool], mut rng: SplitMix64) {
        let mean = columns
            .iter()
            .map(|column| f64::from(column.top()))
            .sum::<f64>();
        let mean = (mean / columns.len() as f64) as f32;
        for from in 0..columns.len() {
            let column = columns[from];
            // One toss for each cell, sand or not: then each has its own.
            let word = rng.word();
            if column.sand == 0 || calm[from] || word as u32 >= self.taken {
                continue;
            }
            let hop = self.hop_from(column.top() - mean).min(columns.len());
            columns[from].sand -= 1;
            let to = self.settle(columns, calm, from, hop, (word >> 32) as u32, &mut rng);
            columns[to].sand += 1;
        }
    }

    /// How many cells a slab hops that lies so high above the mean.
    fn hop_from(&self, above: f32) -> usize {
        let hop = self.hop + FASTER * above.max(0.0);
        (hop.min(LONGEST * self.hop) + 0.5) as usize
    }

    /// Where a slab comes to lie. `toss` decides after the first hop.
    fn settle(
        &self,
        columns: &[Column],
        calm: &[bool],
        from: usize,
        hop: usize,
        mut toss: u32,
        rng: &mut SplitMix64,
    ) -> usize {
        let hop = hop.max(1);
        let mut at = from;
        loop {
            at += hop;
            if at >= columns.len() {
                at -= columns.len();
            }
            let stays = if columns[at].sand > 0 {
                self.on_sand
            } else {
                self.on_bare
            };
            if calm[at] || toss < stays {
                return at;
            }
            toss = rng.word() as u32;
        }
    }
}

/// The random numbers of a line in a step.
pub(super) fn rng(seed: u64, step: u32, line: usize) -> SplitMix64 {
    let which = u64::from(step) << 32 | (line as u64 + 1);
    SplitMix64::new(context::spread(seed, which))
}

/// How many of 2^32 tosses succeed.
fn chance(share: f64) -> u32 {
    (share * f64::from(u32::MAX)) as u32
}
