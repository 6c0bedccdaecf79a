//! Sweeps over the region.
//!
//! The vector loop processes two rows of a block at a time, with eight cells each. It leaves cells
//! unchanged that are not active or not plain. Active cells that are not plain are processed
//! afterwards, one by one.
//!
//! A row of another phase takes part in the sums of the rows above and below it. Its contribution
//! is computed once.
//!
//! Cells of one phase never read each other, and a pass only writes its own phase. A pass therefore
//! has the same result for any order of blocks and any number of threads.

use fearless_simd::{Level, dispatch, f32x8, f32x16, mask32x16, prelude::*};

use super::{
    ROUNDING,
    block::{Around, BLOCK, HERE, ROW, sides_of},
    ground::Ground,
    moves,
    region::{Phase, Region, block_of, stride},
    special::Special,
};
use crate::{
    neighborhood::{Lattice, Sides},
    threads::Blocks,
};

/// The order of the phases. The first two are not neighbors along an edge, nor are the last two:
/// for four neighbors this is the red-black order.
const ORDER: [usize; 4] = [0, 3, 2, 1];

/// The parameters of a sweep, which are the same for all cells.
#[derive(Clone, Copy)]
pub(super) struct Sweep {
    pub(super) level: Level,
    pub(super) lattice: Lattice,
    pub(super) threshold: f32,
    pub(super) ceiling: f32,
    /// How far a cell moves towards, and past, its average.
    pub(super) relaxation: f32,
}

/// The results of a pass over one phase.
#[derive(Default)]
struct Came {
    /// The largest change of a cell is the maximum of these.
    change: [f32; 2 * ROW],
    /// Blocks, with those of their cells that have moved for the first time.
    moved: Vec<(u32, u64)>,
}

impl Came {
    fn note(&mut self, block: usize, moved: u64) {
        if moved != 0 {
            self.moved.push((block as u32, moved));
        }
    }

    fn join(mut self, other: Self) -> Self {
        for (change, other) in self.change.iter_mut().zip(other.change) {
            *change = change.max(other);
        }
        self.moved.extend(other.moved);
        self
    }
}

impl Sweep {
    /// Sweeps over the region once. Returns the largest change of a cell.
    pub(super) fn over(self, region: &mut Region, ground: Ground<'_>) -> f32 {
        let mut change = 0.0_f32;
        for phase in ORDER {
            // Taken out, because the pass writes them while it reads other fields of the region.
            let this = &mut region.phases[phase];
            let mut emission = core::mem::take(&mut this.emission);
            let mut specials = core::mem::take(&mut this.specials);
            let pass = Pass {
                sweep: self,
                cells: &region.phases[phase],
                // The lowest bit of a phase is the parity of the column, the other one that of the
                // row.
                others: [1, 2, 3].map(|step| &*region.phases[phase ^ step].emission),
                around: &region.around,
                phase,
                sides: self.lattice.sides(phase / 2),
            };
            let mut came = pass.over(&mut emission);
            pass.over_specials(&mut emission, &mut specials, &mut came);
            let this = &mut region.phases[phase];
            (this.emission, this.specials) = (emission, specials);
            change = came.change.into_iter().fold(change, f32::max);
            // After the pass, because new cells may add blocks, which reallocates the lists. Later
            // phases of this sweep include them already.
            for (block, moved) in came.moved {
                region.grow(ground, phase, block, moved);
            }
        }
        change
    }
}

/// A pass over one phase, a quarter of a sweep.
struct Pass<'a> {
    sweep: Sweep,
    /// The cells, except for what changes.
    cells: &'a Phase,
    /// The light that cells of the other phases pass on: those to the west and east of a cell,
    /// those above and below, and those at its corners.
    others: [&'a [f32]; 3],
    around: &'a [Around],
    phase: usize,
    /// Which of the cells at its corners are neighbors of a cell.
    sides: Sides,
}

impl Pass<'_> {
    /// Processes the plain cells, block by block.
    fn over(&self, emission: &mut [f32]) -> Came {
        let Phase {
            gain,
            stride,
            cells,
            awake,
            ..
        } = self.cells;
        let blocks = Blocks {
            size: BLOCK,
            items: emission,
            awake,
        };
        let work = |number: usize, emission: &mut [f32], came: &mut Came| {
            let emission = emission.first_chunk_mut().expect("a block");
            let block = Block {
                number,
                around: &self.around[number],
                gain: block_of(gain, number),
                stride: block_of(stride, number),
                todo: cells[number].active & cells[number].plain,
                asked: !cells[number].moved,
            };
            dispatch!(self.sweep.level, simd => self.over_block(simd, &block, emission, came));
        };
        blocks.gather(|block| cells[block].active != 0, work, Came::join)
    }

    #[inline(always)]
    fn over_block<S: Simd>(
        &self,
        simd: S,
        block: &Block<'_>,
        light: &mut [f32; BLOCK],
        came: &mut Came,
    ) {
        // Four copies of the loop, in each of which all offsets are constants.
        let moved = match self.phase {
            0 => Rows::<S, false, false>::new(simd, self, block).sweep(light, came),
            1 => Rows::<S, true, false>::new(simd, self, block).sweep(light, came),
            2 => Rows::<S, false, true>::new(simd, self, block).sweep(light, came),
            _ => Rows::<S, true, true>::new(simd, self, block).sweep(light, came),
        };
        came.note(block.number, moved);
    }

    /// The light that the neighbors of a cell pass on: west, east, north, south, and the corners.
    #[inline(always)]
    fn neighbors(&self, around: &Around, bit: usize) -> [f32; 8] {
        let [side, across, diagonal] = self.others;
        // Columns and rows are counted from the first ones of the north-western block.
        let at = |emission: &[f32], x: usize, y: usize| {
            let block = around[y / ROW * 3 + x / ROW];
            emission[block as usize * BLOCK + y % ROW * ROW + x % ROW]
        };
        let (x, y) = (bit % ROW + ROW, bit / ROW + ROW);
        let (west, north) = (x + self.phase % 2 - 1, y + self.phase / 2 - 1);
        [
            at(side, west, y),
            at(side, west + 1, y),
            at(across, x, north),
            at(across, x, north + 1),
            at(diagonal, west, north),
            at(diagonal, west + 1, north),
            at(diagonal, west, north + 1),
            at(diagonal, west + 1, north + 1),
        ]
    }

    /// Processes the cells that are not plain, one by one.
    fn over_specials(&self, emission: &mut [f32], specials: &mut [Special], came: &mut Came) {
        for &slot in &self.cells.active_specials {
            let special = &mut specials[slot as usize];
            let place = special.place as usize;
            let (block, bit) = (place / BLOCK, place % BLOCK);
            let neighbors = self.neighbors(&self.around[block], bit);
            let emission = &mut emission[place];
            let next = self
                .sweep
                .relax_special(self.sides, special, neighbors, *emission);
            if next != special.light {
                // Any lane works, because only the maximum of all lanes is used.
                came.change[0] = came.change[0].max((next - special.light).abs());
                came.note(block, 1 << bit & !self.cells.cells[block].moved);
                special.light = next;
                *emission = special.transparency * next;
            }
        }
    }
}

/// The plain cells of a block.
struct Block<'a> {
    number: usize,
    around: &'a Around,
    gain: &'a [f32; BLOCK],
    stride: &'a [f32; BLOCK],
    /// The cells that are solved for.
    todo: u64,
    /// The cells that have not moved before, for which a move must be reported.
    asked: u64,
}

/// The input for sweeping the rows of a block. `RIGHT` and `DOWN` are the parities of the column
/// and row of the phase. The compiler therefore knows the position of each neighbor.
struct Rows<'a, S: Simd, const RIGHT: bool, const DOWN: bool> {
    simd: S,
    relax: Relax<S>,
    lattice: Lattice,
    block: &'a Block<'a>,
    /// The light to the west and east of the cells: this block, and the block to the side.
    west_east: [&'a [f32; BLOCK]; 2],
    /// The light above and below the cells: this block, and the block above or below. `corners` is
    /// the light at the corners: the same blocks, each with the block to its side.
    across: [&'a [f32; BLOCK]; 2],
    corners: [[&'a [f32; BLOCK]; 2]; 2],
}

impl<'a, S: Simd, const RIGHT: bool, const DOWN: bool> Rows<'a, S, RIGHT, DOWN> {
    #[inline(always)]
    fn new(simd: S, pass: &Pass<'a>, block: &'a Block<'a>) -> Self {
        let here = block.around[HERE] as usize;
        let [side, across, diagonal] =
            sides_of(pass.phase).map(|place| block.around[place] as usize);
        let of = |n: usize, block| block_of(pass.others[n], block);
        Self {
            simd,
            relax: Relax::new(simd, pass.sweep),
            lattice: pass.sweep.lattice,
            block,
            west_east: [of(0, here), of(0, side)],
            across: [of(1, here), of(1, across)],
            corners: [[of(2, here), of(2, side)], [of(2, across), of(2, diagonal)]],
        }
    }

    /// Sweeps over the rows, and returns the cells that have moved for the first time. The loop is
    /// compiled separately for each lattice. On hexagons, the compiler then also knows the sides of
    /// the rows of this phase.
    #[inline(always)]
    fn sweep(&self, light: &mut [f32; BLOCK], came: &mut Came) -> u64 {
        let row = usize::from(DOWN);
        match self.lattice {
            square @ Lattice::Square { .. } => self.sweep_with(square.sides(row), light, came),
            Lattice::Hexagonal => self.sweep_with(Lattice::Hexagonal.sides(row), light, came),
        }
    }

    #[inline(always)]
    fn sweep_with(&self, sides: Sides, light: &mut [f32; BLOCK], came: &mut Came) -> u64 {
        let mut change = f32x16::load_array(self.simd, came.change);
        let mut moved = 0;
        // The row below one pair of rows is the row above the next pair.
        let mut above = self.across(sides, 0);
        for (pair, light) in light.as_chunks_mut().0.iter_mut().enumerate() {
            let between = self.across(sides, 2 * pair + 1);
            let below = self.across(sides, 2 * pair + 2);
            let west_east = self
                .west_east_sum(2 * pair)
                .combine(self.west_east_sum(2 * pair + 1));
            let others = [west_east, above.combine(between), between.combine(below)];
            above = below;
            // Plain cells pass on all of their light, so this is their light.
            let before = f32x16::load_array_ref(self.simd, light);
            let next = self.relax.next(before, others, self.what_they_are(pair));
            next.store_array(light);
            change = change.max((next - before).abs());
            // Skipped for two rows in which all cells have moved before.
            let bit = 2 * pair * ROW;
            if self.block.asked >> bit & 0xffff != 0 {
                moved |= next.simd_ne(before).to_bitmask() << bit;
            }
        }
        change.store_array(&mut came.change);
        moved & self.block.asked & self.block.todo
    }

    /// Gain and stride of the cells of two rows. The stride of cells that are not solved for is
    /// zero.
    #[inline(always)]
    fn what_they_are(&self, pair: usize) -> (f32x16<S>, f32x16<S>) {
        let gain = f32x16::load_array_ref(self.simd, two_rows_of(self.block.gain, pair));
        let stride = f32x16::load_array_ref(self.simd, two_rows_of(self.block.stride, pair));
        // Known cells that are not active have a stride as well, so the set decides which cells
        // move.
        let active = self.block.todo >> (2 * pair * ROW) & 0xffff;
        let active = mask32x16::from_bitmask(self.simd, active);
        (gain, active.select(stride, f32x16::splat(self.simd, 0.0)))
    }

    /// The sum of the light to the west and to the east of the cells of a row.
    #[inline(always)]
    fn west_east_sum(&self, row: usize) -> f32x8<S> {
        let [west, east] = self.sides(self.west_east, row);
        west + east
    }

    /// The contribution of a row of the other phases to the rows above and below it.
    #[inline(always)]
    fn across(&self, sides: Sides, n: usize) -> f32x8<S> {
        // The rows of the two phases interleave. For cells in odd rows, the last row of the other
        // phase is in the block below. For cells in even rows, the first one is in the block above.
        let is_outside = n == if DOWN { ROW } else { 0 };
        let row = if DOWN { n % ROW } else { (n + ROW - 1) % ROW };
        let [west, east] = self.sides(self.corners[usize::from(is_outside)], row);
        let block = self.across[usize::from(is_outside)];
        let here = f32x8::load_array_ref(self.simd, row_of(block, row));
        sides.sum(west, here, east)
    }

    /// The light to the west and to the east of a row of cells: a row of one block, and one cell of
    /// the block to its side.
    #[inline(always)]
    fn sides(&self, [block, other]: [&[f32; BLOCK]; 2], row: usize) -> [f32x8<S>; 2] {
        const LAST: usize = ROW - 1;
        let own = f32x8::load_array_ref(self.simd, row_of(block, row));
        let other = row_of(other, row);
        // The columns of the two phases interleave. One of the two neighbors has the same index in
        // its row, and the other one is one further. For the cell at the border that one is in the
        // block to the side.
        if RIGHT {
            let next = f32x8::splat(self.simd, other[0]);
            [own, own.slide::<1>(next)]
        } else {
            let last = f32x8::splat(self.simd, other[LAST]);
            [last.slide::<LAST>(own), own]
        }
    }
}

/// Relaxes sixteen cells at once.
#[derive(Clone, Copy)]
struct Relax<S: Simd> {
    threshold: f32x16<S>,
    ceiling: f32x16<S>,
    relaxation: f32x16<S>,
}

impl<S: Simd> Relax<S> {
    #[inline(always)]
    fn new(simd: S, sweep: Sweep) -> Self {
        Self {
            threshold: f32x16::splat(simd, sweep.threshold),
            ceiling: f32x16::splat(simd, sweep.ceiling),
            relaxation: f32x16::splat(simd, sweep.relaxation),
        }
    }

    /// Moves cells that are too far from their averages towards them, and past. The average
    /// contains a part of the cell's own light, which the stride compensates.
    ///
    /// The machine may return either of 0 and -0. They are equal as numbers, and are read as such.
    #[inline(always)]
    fn next(
        self,
        light: f32x16<S>,
        [west_east, above, below]: [f32x16<S>; 3],
        (gain, stride): (f32x16<S>, f32x16<S>),
    ) -> f32x16<S> {
        // The same order of additions as in the automaton, so both round alike.
        let own = west_east + light;
        let wanted = ((own + (above + below)) * gain).min(self.ceiling);
        let off = wanted - light;
        // With a stride of 0 this is the present light, and the next lines do not change it.
        let next = light + self.relaxation * off * stride;
        let next = next.max(0.0).min(self.ceiling);
        let is_far = off.abs().simd_gt(self.threshold + wanted * ROUNDING);
        is_far.select(next, light)
    }
}

impl Sweep {
    /// The next light of a cell that is not plain. A cell with a source takes the light that the
    /// automaton would give it: moving past what a source holds would only be undone.
    fn relax_special(
        self,
        sides: Sides,
        special: &Special,
        mut neighbors: [f32; 8],
        emission: f32,
    ) -> f32 {
        for (neighbor, weight) in neighbors[4..].iter_mut().zip(special.corners) {
            *neighbor *= weight;
        }
        let sum = sum(sides, neighbors, emission);
        let wanted = special.bounded(sum * special.gain, self.ceiling);
        if !moves(wanted, special.light, self.threshold) {
            special.light
        } else if special.constraint.is_some() {
            wanted
        } else {
            let stride = stride(special.gain * special.transparency);
            let next = special.light + self.relaxation * (wanted - special.light) * stride;
            special.limit(next, self.ceiling)
        }
    }
}

/// The sum of what a cell and its neighbors pass on, with the same additions in the same order as
/// in the automaton (see [`kernel`](crate::kernel)).
#[inline(always)]
fn sum(sides: Sides, neighbors: [f32; 8], own: f32) -> f32 {
    let [
        west,
        east,
        north,
        south,
        corner_0,
        corner_1,
        corner_2,
        corner_3,
    ] = neighbors;
    let own = (west + east) + own;
    let above = sides.sum(corner_0, north, corner_1);
    let below = sides.sum(corner_2, south, corner_3);
    own + (above + below)
}

/// A row of a block.
#[inline(always)]
fn row_of(block: &[f32; BLOCK], row: usize) -> &[f32; ROW] {
    &block.as_chunks().0[row]
}

/// Two rows of a block, by the number of the pair.
#[inline(always)]
fn two_rows_of(block: &[f32; BLOCK], pair: usize) -> &[f32; 2 * ROW] {
    &block.as_chunks().0[pair]
}
