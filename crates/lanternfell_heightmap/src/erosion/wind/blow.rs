//! The wind over one line of cells: which cells are in the lee, and where sand moves.

use lanternfell_random::SplitMix64;

use super::{SLAB, WindErosion, field::Field, lines::Lines};
use crate::{Canceled, context};

/// The slope of the line behind a crest below which there is no wind: 15 degrees.
const LEE: f64 = 0.267_949_192_431_122_7;

/// The ratio of the probabilities that a slab stays on bare rock and on sand.
const BARE: f64 = 2.0 / 3.0;

/// The probability that a cell loses a slab in a step.
const TAKEN: f64 = 0.5;

/// The additional hop length in cells per slab of height above the mean: half a cell per cell width of height.
const FASTER: f32 = 0.15;

/// The longest hop, in multiples of the hop at the mean height.
const LONGEST: f32 = 20.0;

/// The rock and the sand of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Column {
    /// The height of the hard rock, in slabs.
    pub(super) ground: f32,
    /// The number of slabs of sand on it.
    pub(super) sand: u32,
}

impl Column {
    /// The height of the surface, in slabs.
    fn top(self) -> f32 {
        self.ground + self.sand as f32
    }
}

/// The parameters of the wind, in units of a line.
pub(super) struct Wind {
    seed: u64,
    /// In cells of a line.
    hop: f32,
    /// The descent of the lee's line from cell to cell, in slabs.
    lee: f32,
    eroded: u32,
    /// The chances that a slab stays where it lands: on sand, and on bare rock.
    on_sand: u32,
    on_bare: u32,
}

impl Wind {
    /// `step` is the distance between neighboring cells of a line.
    pub(super) fn new(erosion: &WindErosion, step: f64, seed: u64) -> Self {
        Self {
            seed,
            hop: (f64::from(erosion.hop) / step) as f32,
            lee: (LEE * step / SLAB) as f32,
            eroded: chance(TAKEN),
            on_sand: chance(erosion.settling),
            on_bare: chance(BARE * erosion.settling),
        }
    }

    /// Spreads an average of `slabs` slabs on each cell. A fraction of a slab becomes one or none at random.
    pub(super) fn strew(
        &self,
        slabs: f64,
        field: &mut Field,
        lines: &Lines,
        columns: &mut [Column],
    ) -> Result<(), Canceled> {
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
    ) -> Result<(), Canceled> {
        field.along(lines, columns, Vec::new, |calm, line, columns| {
            self.find_lee(columns, |along| lines.enters(line, along), calm);
            self.carry(columns, calm, rng(self.seed, step, line));
        })
    }

    /// Finds the cells of a line that are in the lee of a higher cell upwind. Where the line re-enters the map, the lee
    /// of the cells on the other side continues, relative to the rock there.
    fn find_lee(&self, columns: &[Column], enters: impl Fn(usize) -> bool, calm: &mut Vec<bool>) {
        let mut line = f32::NEG_INFINITY;
        // The first pass only finds the lee at the start of the line.
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

    /// Picks up slabs in the order of the cells, and puts each one down again.
    fn carry(&self, columns: &mut [Column], calm: &[bool], mut rng: SplitMix64) {
        let mean = columns
            .iter()
            .map(|column| f64::from(column.top()))
            .sum::<f64>();
        let mean = (mean / columns.len() as f64) as f32;
        for from in 0..columns.len() {
            let column = columns[from];
            // Draws a random word for every cell, with or without sand.
            let word = rng.word();
            if column.sand == 0 || calm[from] || word as u32 >= self.eroded {
                continue;
            }
            let hop = self.hop_from(column.top() - mean).min(columns.len());
            columns[from].sand -= 1;
            let to = self.settle(columns, calm, from, hop, (word >> 32) as u32, &mut rng);
            columns[to].sand += 1;
        }
    }

    /// The hop length in cells of a slab at this height above the mean.
    fn hop_from(&self, above: f32) -> usize {
        let hop = self.hop + FASTER * above.max(0.0);
        (hop.min(LONGEST * self.hop) + 0.5) as usize
    }

    /// The cell where a slab stays. `toss` decides after the first hop.
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

/// The number of 32-bit random numbers that count as a success.
fn chance(share: f64) -> u32 {
    (share * f64::from(u32::MAX)) as u32
}
