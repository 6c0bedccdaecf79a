//! Sweeps over the region.
//!
//! Rows of eight cells of a block, all of which are active or stay as they are, are gone over as 32
//! numbers, by the widest vectors that there are; all other cells one by one.

use fearless_simd::{Level, dispatch};
use glam::Vec4;

use super::{
    ROUNDING,
    block::{Around, BLOCK, HERE, ROW, bits, sides_of},
    ground::Ground,
    region::{LARGE, Lanes, Phase, Region, stride},
    special::Special,
};
use crate::{
    neighborhood::{Lattice, Sides, for_each_kind},
    threads::map_blocks,
};

/// The order of the phases. The first two and the last two are not neighbors along an edge: for
/// four neighbors this is the red-black order.
const ORDER: [usize; 4] = [0, 3, 2, 1];

/// The numbers of a row of a block.
const WIDE: usize = 4 * ROW;

/// What is the same for all cells.
#[derive(Clone, Copy)]
pub(super) struct Sweep {
    pub(super) lattice: Lattice,
    pub(super) threshold: f32,
    pub(super) ceiling: Lanes,
    /// How far a cell goes towards, and past, its average.
    pub(super) relaxation: f32,
}

/// What came of a block.
struct Moved {
    block: u32,
    /// Those that have moved for the first time.
    first: u64,
    /// By how much any has moved, at most.
    change: f32,
}

impl Sweep {
    /// Goes over the region once; by how much a cell has moved, at most.
    pub(super) fn over(self, region: &mut Region, ground: &Ground<'_>) -> f32 {
        let mut change = 0.0_f32;
        for phase in ORDER {
            let mut cells = core::mem::take(&mut region.phases[phase]);
            let pass = Pass {
                sweep: self,
                others: [1, 2, 3].map(|step| region.phases[phase ^ step].emission.as_slice()),
                around: &region.around,
                phase,
                sides: self.lattice.sides(phase / 2),
            };
            let mut moved = pass.over(&mut cells);
            moved.extend(pass.over_specials(&mut cells));
            region.phases[phase] = cells;
            for moved in moved {
                change = change.max(moved.change);
                if moved.first != 0 {
                    region.grow(ground, phase, moved.block, moved.first);
                }
            }
        }
        change
    }
}

/// A quarter of a sweep.
struct Pass<'a> {
    sweep: Sweep,
    /// What cells of the other phases pass on: of those beside a cell, of those above and below, and
    /// at its corners.
    others: [&'a [Lanes]; 3],
    around: &'a [Around],
    phase: usize,
    /// Which of the cells at its corners a cell hears.
    sides: Sides,
}

impl Pass<'_> {
    /// The plain cells, block by block.
    fn over(&self, cells: &mut Phase) -> Vec<Moved> {
        let Phase {
            emission,
            gain,
            stride,
            plain,
            active,
            moved,
            awake,
            ..
        } = cells;
        let work = |block: usize, emission: &mut [Lanes]| {
            let block = Block {
                number: block,
                around: &self.around[block],
                gain: &gain[block * BLOCK..][..BLOCK],
                stride: &stride[block * BLOCK..][..BLOCK],
                active: active[block],
                plain: plain[block],
                moved: moved[block],
            };
            dispatch!(Level::new(), _simd => self.over_block(block, emission))
        };
        map_blocks(emission, (BLOCK, awake, LARGE), work)
    }

    #[inline(always)]
    fn over_block(&self, block: Block<'_>, emission: &mut [Lanes]) -> Moved {
        let todo = block.active & block.plain;
        let wide = block.wide_rows();
        let (mut first, mut change) = (0, Vec4::ZERO);
        if wide != 0 {
            let mut most = [0.0; WIDE];
            for_each_kind!(self.sides, sides => {
                first = self.over_rows(sides, &block, wide, emission, &mut most);
            });
            for lanes in most.as_chunks::<4>().0 {
                change = change.max(Vec4::from_array(*lanes));
            }
        }
        for bit in bits(todo & !wide) {
            let light = Vec4::from_array(emission[bit]);
            let next = self.alone(&block, bit, light);
            change = change.max((next - light).abs());
            emission[bit] = next.to_array();
            first |= u64::from(next != light) << bit;
        }
        Moved {
            block: block.number as u32,
            first: first & todo & !block.moved,
            change: change.max_element(),
        }
    }

    /// Goes over those rows of a block that have bits; which of their cells have moved, if it matters.
    #[inline(always)]
    fn over_rows(
        &self,
        sides: Sides,
        block: &Block<'_>,
        wide: u64,
        emission: &mut [Lanes],
        change: &mut [f32; WIDE],
    ) -> u64 {
        let mut moved = 0;
        let mut halo = Halo::new(self, block.around);
        let ceiling: [f32; WIDE] = core::array::from_fn(|n| self.sweep.ceiling[n % 4]);
        let asked = block.active & !block.moved;
        for row in (0..ROW).filter(|row| wide >> (row * ROW) & 1 != 0) {
            let cells = row * ROW..(row + 1) * ROW;
            halo.go_to(row);
            let light = wide_mut(&mut emission[cells.clone()]);
            let (gain, stride) = (&block.gain[cells.clone()], &block.stride[cells]);
            let before = *light;
            let parts = (wide_of(gain), wide_of(stride), &ceiling);
            self.sweep
                .relax(sides, halo.neighbors(row), parts, light, change);
            if asked >> (row * ROW) & 0xff != 0 {
                for column in 0..ROW {
                    let lanes = 4 * column..4 * column + 4;
                    let moves = light[lanes.clone()] != before[lanes];
                    moved |= u64::from(moves) << (row * ROW + column);
                }
            }
        }
        moved
    }

    /// The next light of a plain cell.
    #[inline(always)]
    fn alone(&self, block: &Block<'_>, bit: usize, light: Vec4) -> Vec4 {
        let neighbors = self.neighbors(block.around, bit).map(Vec4::from_array);
        let ceiling = Vec4::from_array(self.sweep.ceiling);
        let gain = Vec4::from_array(block.gain[bit]);
        let wanted = (sum(self.sides, neighbors, light) * gain).min(ceiling);
        let next = self
            .sweep
            .towards(wanted, light, Vec4::from_array(block.stride[bit]));
        let next = next.max(Vec4::ZERO).min(ceiling);
        self.sweep.moved(wanted, light, next)
    }

    /// What the neighbors of a cell pass on: west, east, north, south, and the corners.
    #[inline(always)]
    fn neighbors(&self, around: &Around, bit: usize) -> [Lanes; 8] {
        let [beside, across, diagonal] = self.others;
        // Columns and rows are counted from those of the block before.
        let at = |emission: &[Lanes], x: usize, y: usize| {
            let block = around[y / ROW * 3 + x / ROW];
            emission[block as usize * BLOCK + y % ROW * ROW + x % ROW]
        };
        let (x, y) = (bit % ROW + ROW, bit / ROW + ROW);
        let (west, north) = (x + self.phase % 2 - 1, y + self.phase / 2 - 1);
        [
            at(beside, west, y),
            at(beside, west + 1, y),
            at(across, x, north),
            at(across, x, north + 1),
            at(diagonal, west, north),
            at(diagonal, west + 1, north),
            at(diagonal, west, north + 1),
            at(diagonal, west + 1, north + 1),
        ]
    }

    /// The cells that are not plain, one by one.
    fn over_specials(&self, cells: &mut Phase) -> Vec<Moved> {
        let mut moved = Vec::new();
        for &slot in &cells.active_specials {
            let special = &mut cells.specials[slot as usize];
            let place = special.place as usize;
            let (block, bit) = (place / BLOCK, place % BLOCK);
            let neighbors = self.neighbors(&self.around[block], bit);
            let emission = &mut cells.emission[place];
            let next = self
                .sweep
                .relax_special(self.sides, special, neighbors, *emission);
            if next != special.light {
                let change = (next - special.light).abs().max_element();
                special.light = next;
                *emission = (special.transparency * next).to_array();
                moved.push(Moved {
                    block: block as u32,
                    first: 1 << bit & !cells.moved[block],
                    change,
                });
            }
        }
        moved
    }
}

/// What the plain cells of a block are.
#[derive(Clone, Copy)]
struct Block<'a> {
    number: usize,
    around: &'a Around,
    gain: &'a [Lanes],
    stride: &'a [Lanes],
    active: u64,
    plain: u64,
    moved: u64,
}

impl Block<'_> {
    /// The rows in which all cells are gone over at once: no cell in them would move that is not
    /// active, and some are.
    #[inline(always)]
    fn wide_rows(&self) -> u64 {
        let (todo, still) = (self.active & self.plain, self.active | !self.plain);
        let rows = (0..ROW).map(|row| 0xff << (row * ROW));
        let wide = rows.filter(|bits| still & bits == *bits && (todo & bits).count_ones() > 2);
        wide.fold(0, |all, bits| all | bits)
    }
}

/// A row of neighbors, with one more of the block beside, to the west or to the east.
type Wider = [f32; WIDE + 4];

/// What the neighbors of a row of a block pass on: those beside its cells, and those at the corners,
/// above and below.
struct Halo<'a> {
    others: [&'a [Lanes]; 3],
    /// The numbers of the block, and of those beside, above or below, and diagonal to it.
    blocks: [usize; 4],
    right: usize,
    down: usize,
    beside: Wider,
    above: Wider,
    below: Wider,
}

impl<'a> Halo<'a> {
    #[inline(always)]
    fn new(pass: &Pass<'a>, around: &Around) -> Self {
        let [beside, across, diagonal] = sides_of(pass.phase).map(|place| around[place] as usize);
        Self {
            others: pass.others,
            blocks: [around[HERE] as usize, beside, across, diagonal],
            right: pass.phase % 2,
            down: pass.phase / 2,
            beside: [0.0; WIDE + 4],
            above: [0.0; WIDE + 4],
            below: [0.0; WIDE + 4],
        }
    }

    #[inline(always)]
    fn go_to(&mut self, row: usize) {
        let [here, side, ..] = self.blocks;
        let right = self.right;
        fill(&mut self.beside, self.others[0], (here, side, row), right);
        let [above, below] = [self.place(row), self.place(row + 1)];
        fill(&mut self.above, self.others[2], above, right);
        fill(&mut self.below, self.others[2], below, right);
    }

    /// The numbers of the block and of that beside it that have the `n`th of the rows between the
    /// rows, and which of their rows that is.
    #[inline(always)]
    fn place(&self, n: usize) -> (usize, usize, usize) {
        let [here, side, across, diagonal] = self.blocks;
        let row = (n + self.down + ROW - 1) % ROW;
        if n == (if self.down == 0 { 0 } else { ROW }) {
            (across, diagonal, row)
        } else {
            (here, side, row)
        }
    }

    /// In the order of [`Pass::neighbors`].
    #[inline(always)]
    fn neighbors(&self, row: usize) -> [&[f32; WIDE]; 8] {
        let across = |n: usize| {
            let (block, _, row) = self.place(n);
            wide_of(&self.others[1][block * BLOCK + row * ROW..][..ROW])
        };
        [
            part_of(&self.beside, 0),
            part_of(&self.beside, 4),
            across(row),
            across(row + 1),
            part_of(&self.above, 0),
            part_of(&self.above, 4),
            part_of(&self.below, 0),
            part_of(&self.below, 4),
        ]
    }
}

/// A row of one block with the nearest cell of the block beside it.
#[inline(always)]
fn fill(
    row: &mut Wider,
    emission: &[Lanes],
    (block, side, at): (usize, usize, usize),
    right: usize,
) {
    let own = wide_of(&emission[block * BLOCK + at * ROW..][..ROW]);
    let other = &emission[side * BLOCK + at * ROW + (1 - right) * (ROW - 1)];
    if right == 0 {
        row[..4].copy_from_slice(other);
        row[4..].copy_from_slice(own);
    } else {
        row[..WIDE].copy_from_slice(own);
        row[WIDE..].copy_from_slice(other);
    }
}

#[inline(always)]
fn wide_of(row: &[Lanes]) -> &[f32; WIDE] {
    row.as_flattened().try_into().expect("a row of a block")
}

#[inline(always)]
fn wide_mut(row: &mut [Lanes]) -> &mut [f32; WIDE] {
    row.as_flattened_mut().try_into().expect("a row of a block")
}

#[inline(always)]
fn part_of(row: &[f32; WIDE + 4], first: usize) -> &[f32; WIDE] {
    row[first..first + WIDE].try_into().expect("within the row")
}

impl Sweep {
    /// Moves plain cells in the colors in which they are too far from their averages to be left alone:
    /// towards them, and past. The average holds a part of the cell's own light, by which it falls
    /// short.
    #[inline(always)]
    fn relax(
        self,
        sides: Sides,
        neighbors: [&[f32; WIDE]; 8],
        (gain, stride, ceiling): (&[f32; WIDE], &[f32; WIDE], &[f32; WIDE]),
        light: &mut [f32; WIDE],
        change: &mut [f32; WIDE],
    ) {
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
        for n in 0..WIDE {
            let own = (west[n] + east[n]) + light[n];
            let above = sides.sum(corner_0[n], north[n], corner_1[n]);
            let below = sides.sum(corner_2[n], south[n], corner_3[n]);
            let wanted = least((own + (above + below)) * gain[n], ceiling[n]);
            let off = wanted - light[n];
            let next = light[n] + self.relaxation * off * stride[n];
            let next = least(if next < 0.0 { 0.0 } else { next }, ceiling[n]);
            let is_far = off.abs() > self.threshold + ROUNDING * wanted;
            let next = if is_far { next } else { light[n] };
            let by = (next - light[n]).abs();
            change[n] = if by > change[n] { by } else { change[n] };
            light[n] = next;
        }
    }

    /// The same for a cell that is not plain. Where a source is it takes what the automaton gives it:
    /// going past what a source holds would only be undone.
    fn relax_special(
        self,
        sides: Sides,
        special: &Special,
        neighbors: [Lanes; 8],
        emission: Lanes,
    ) -> Vec4 {
        let mut neighbors = neighbors.map(Vec4::from_array);
        for (neighbor, weights) in neighbors[4..].iter_mut().zip(special.corners) {
            *neighbor *= weights;
        }
        let ceiling = Vec4::from_array(self.ceiling);
        let sum = sum(sides, neighbors, Vec4::from_array(emission));
        let wanted = special.bounded(sum * special.gain, ceiling);
        let stride = stride(special.gain * special.transparency);
        let next = special.limit(self.towards(wanted, special.light, stride), ceiling);
        let constrained = special.constrained.cmpgt(Vec4::ZERO);
        let next = Vec4::select(constrained, wanted, next);
        self.moved(wanted, special.light, next)
    }

    #[inline(always)]
    fn towards(self, wanted: Vec4, light: Vec4, stride: Vec4) -> Vec4 {
        light + self.relaxation * (wanted - light) * stride
    }

    /// The next light in the colors in which a cell is too far from what is wanted to be left alone.
    #[inline(always)]
    fn moved(self, wanted: Vec4, light: Vec4, next: Vec4) -> Vec4 {
        let near = Vec4::splat(self.threshold) + ROUNDING * wanted;
        Vec4::select((wanted - light).abs().cmpgt(near), next, light)
    }
}

#[inline(always)]
fn least(light: f32, ceiling: f32) -> f32 {
    if light > ceiling { ceiling } else { light }
}

/// What a cell and its neighbors pass on, by the same additions in the same order as the
/// automaton's (see [`kernel`](crate::kernel)).
#[inline(always)]
fn sum(sides: Sides, neighbors: [Vec4; 8], own: Vec4) -> Vec4 {
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
