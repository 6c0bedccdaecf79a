//! The cells that are solved for.
//!
//! A block of cells is created when light first comes near it, and what is known of its cells is
//! kept until a wall changes there. In each call some cells are active: those that were off their
//! averages, and the neighbors of those that have moved. A set of cells is a word of bits, one for
//! each block and phase, so that the neighbors of up to 64 cells are found at once.
//!
//! ```text
//!   known    what the cell does with light is in `gain` and `stride` (plain) or `specials`
//!   open     it passes light on, or did when the block was loaded
//!   active   it is solved for in this call; empty between calls
//!   moved    it has moved in this call; empty between calls
//! ```
//!
//! `plain` is part of `known`, `moved` of `active`, and `active` of `open` and `known`.

use super::{
    block::{Around, BLOCK, HERE, ROW, SIDE, bit_of, bits, cell_of, for_neighbors, phase_of},
    ground::Ground,
    seeds::Seeds,
    shades::shade,
    special::Special,
};
use crate::{
    aligned::Aligned,
    channel::{Channel, limit},
};

/// More blocks than this are forgotten after a call; each takes some 4 KiB.
const KEPT: usize = 4096;

/// The number of a block that passes no light. It replaces blocks that do not exist, beyond the
/// border or not created yet, so that sweeps and sets of neighbors need no special case for them.
const NOBODY: u32 = 0;

/// Avoids a division by zero in a cell that receives light only from itself.
const LEAST_OTHERS: f32 = 1.0 / 1024.0;

/// Sets of cells of one phase in a block: a bit for each.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cells {
    /// Those that pass light on.
    open: u64,
    /// Those of which it is known what they do with light, and those of them that are not special.
    known: u64,
    pub(super) plain: u64,
    /// Those that are solved for in this call, and those of them that have moved.
    pub(super) active: u64,
    pub(super) moved: u64,
    /// The walls beside those; empty between calls.
    walls: u64,
}

/// The cells of one phase: lists of all, 64 for each block.
#[derive(Debug, Clone, Default)]
pub(super) struct Phase {
    /// What each passes on.
    pub(super) emission: Aligned<f32>,
    /// The weight of the average, and by what part of the others' weight its cell's own light falls
    /// short of it; both nothing but for plain cells, so that others stay as they are.
    pub(super) gain: Aligned<f32>,
    pub(super) stride: Aligned<f32>,
    /// What they are, block by block.
    pub(super) cells: Vec<Cells>,
    /// The blocks that have active cells.
    pub(super) awake: Vec<u32>,
    /// For each cell where it is among the special ones, plus one.
    special_of: Vec<u32>,
    pub(super) specials: Vec<Special>,
    free_specials: Vec<u32>,
    pub(super) active_specials: Vec<u32>,
}

/// The cells of a color that are solved for, and what is known of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Region {
    /// The number of each block, row by row; [`NOBODY`] while it has none.
    numbers: Vec<u32>,
    across: usize,
    /// Of each block, by its number: its first cell, the blocks around it, and since which change of
    /// the light from outside its light has been read.
    firsts: Vec<(usize, usize)>,
    pub(super) around: Vec<Around>,
    loaded: Vec<u32>,
    pub(super) phases: [Phase; 4],
    /// How many times the light was changed from outside.
    light: u32,
}

impl Region {
    /// Forgets everything: all cells, or the rule, have changed.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The light is not as it was left.
    pub(crate) fn light_changed(&mut self) {
        if self.light == u32::MAX {
            self.clear();
        }
        // Every block is out of date now, and is read again when a cell in or beside it wakes up.
        self.light += 1;
        // There is nothing to read for the block that does not exist: it is always up to date.
        if let Some(nobody) = self.loaded.first_mut() {
            *nobody = self.light;
        }
    }

    /// There is no light.
    pub(crate) fn darken(&mut self) {
        for phase in &mut self.phases {
            phase.emission.fill(0.0);
            for special in &mut phase.specials {
                special.light = 0.0;
            }
        }
    }

    /// A cell is no longer what it was; so neither is what its neighbors know of it.
    pub(crate) fn cell_changed(&mut self, x: usize, y: usize) {
        // The weight of a cell's average, and which of its corners are cut, follow from its
        // neighbors' transparency.
        for near_y in y.saturating_sub(1)..y + 2 {
            for near_x in x.saturating_sub(1)..x + 2 {
                self.source_changed(near_x, near_y);
            }
        }
        if let Some(block) = self.find(x, y) {
            // What it passes on has changed with it. `light` is never 0, so this block is not read.
            self.loaded[block] = 0;
        }
    }

    /// What sources ask of a cell has changed.
    pub(crate) fn source_changed(&mut self, x: usize, y: usize) {
        if let Some(block) = self.find(x, y) {
            self.phases[phase_of(x, y)].forget(block, bit_of(x, y));
        }
    }

    /// The number of a cell's block, if it has one.
    fn find(&self, x: usize, y: usize) -> Option<usize> {
        if x / SIDE >= self.across {
            return None;
        }
        let number = *self.numbers.get(y / SIDE * self.across + x / SIDE)?;
        (number != NOBODY).then_some(number as usize)
    }

    /// How many blocks have active cells, of one phase or another.
    pub(super) fn awake(&self) -> usize {
        let awake = self.phases.iter().map(|phase| phase.awake.len());
        awake.fold(0, usize::max)
    }

    /// Takes the seeds in.
    pub(super) fn begin(&mut self, ground: Ground<'_>, seeds: &Seeds) {
        if self.numbers.is_empty() {
            self.start(ground);
        }
        for &(x, y) in &seeds.cells {
            let block = self.block(x / SIDE, y / SIDE);
            self.wake(ground, phase_of(x, y), block, 1 << bit_of(x, y));
        }
    }

    /// With one block, that of [`NOBODY`].
    fn start(&mut self, ground: Ground<'_>) {
        let light = ground.light();
        self.across = light.width().div_ceil(SIDE);
        self.numbers = vec![NOBODY; self.across * light.height().div_ceil(SIDE)];
        self.light = 1;
        self.add_block((0, 0));
        self.loaded[0] = self.light;
    }

    fn add_block(&mut self, first: (usize, usize)) {
        self.firsts.push(first);
        self.around.push([NOBODY; 9]);
        self.loaded.push(0);
        self.phases.iter_mut().for_each(Phase::add_block);
    }

    /// The number of a block, which is made if there is none.
    fn block(&mut self, block_x: usize, block_y: usize) -> u32 {
        let at = block_y * self.across + block_x;
        if self.numbers[at] == NOBODY {
            self.numbers[at] = self.firsts.len() as u32;
            self.add_block((block_x * SIDE, block_y * SIDE));
        }
        self.numbers[at]
    }

    /// Takes those cells of a block in that pass light on.
    #[inline(always)]
    fn wake(&mut self, ground: Ground<'_>, phase: usize, block: u32, wanted: u64) {
        let at = block as usize;
        let Cells { open, active, .. } = self.phases[phase].cells[at];
        // Most calls end here: near light that moves, the neighbors are active already. While the
        // block is not up to date, neither is `open`.
        if self.loaded[at] != self.light || wanted & open & !active != 0 {
            self.take_in(ground, phase, at, wanted);
        }
    }

    fn take_in(&mut self, ground: Ground<'_>, phase: usize, at: usize, wanted: u64) {
        // A block that has met those around it has its own number in the middle.
        if self.around[at][HERE] == NOBODY {
            self.meet(at);
        }
        // From now on sweeps read what the blocks around pass on. While this phase has an active
        // cell here they have been read in this call.
        if self.phases[phase].cells[at].active == 0 {
            for near in self.around[at] {
                self.refresh(ground, near as usize);
            }
        }
        let first = self.firsts[at];
        self.phases[phase].wake(ground, (at, first, phase), wanted);
    }

    /// Finds the blocks around a block.
    fn meet(&mut self, at: usize) {
        if at == NOBODY as usize {
            return;
        }
        let (x, y) = (self.firsts[at].0 / SIDE, self.firsts[at].1 / SIDE);
        let down = self.numbers.len() / self.across;
        for place in 0..9 {
            // Beyond the northern or western border these wrap to numbers that are too large.
            let (x, y) = (
                (x + place % 3).wrapping_sub(1),
                (y + place / 3).wrapping_sub(1),
            );
            if x < self.across && y < down {
                self.around[at][place] = self.block(x, y);
            }
        }
    }

    /// Reads a block's light again, if it has changed from outside since.
    fn refresh(&mut self, ground: Ground<'_>, at: usize) {
        if at == NOBODY as usize || self.loaded[at] == self.light {
            return;
        }
        self.loaded[at] = self.light;
        for (n, phase) in self.phases.iter_mut().enumerate() {
            phase.load(ground, (at, self.firsts[at], n));
        }
    }

    /// Takes in the neighbors of cells that have moved for the first time in this call.
    pub(super) fn grow(&mut self, ground: Ground<'_>, phase: usize, block: u32, moved: u64) {
        self.phases[phase].cells[block as usize].moved |= moved;
        let around = self.around[block as usize];
        for_neighbors(phase, moved, |phase, place, bits| {
            if bits != 0 {
                self.wake(ground, phase, around[place], bits);
            }
        });
    }

    /// Writes such a part of the light of all that have moved.
    pub(super) fn write(&self, channel: &mut Channel, part: f32) {
        for (n, phase) in self.phases.iter().enumerate() {
            for &block in &phase.awake {
                let block = block as usize;
                // Cells that were active without moving keep the bits that they have in the grid.
                let moved = phase.cells[block].moved;
                let light = phase.light((block, self.firsts[block], n), channel, part);
                for (row, light) in light.chunks(ROW).enumerate() {
                    let moved = moved >> (row * ROW) & 0xff;
                    if moved != 0 {
                        let at = cell_of(self.firsts[block], n, row * ROW);
                        channel.put_every_second(at, moved, light);
                    }
                }
            }
        }
    }

    /// The cells beside those that have moved that pass no light on.
    pub(super) fn walls(&mut self, (width, height): (usize, usize)) -> Vec<(usize, usize)> {
        // A wall has up to eight neighbors that have moved, but is listed once: the sets collect
        // walls first, and `found` lists each set that is not empty.
        let mut found: Vec<(usize, usize)> = Vec::new();
        for n in 0..4 {
            for index in 0..self.phases[n].awake.len() {
                let block = self.phases[n].awake[index] as usize;
                let (moved, around) = (self.phases[n].cells[block].moved, self.around[block]);
                for_neighbors(n, moved, |phase, place, bits| {
                    let block = around[place] as usize;
                    let nodes = &mut self.phases[phase];
                    let walls = bits & !nodes.cells[block].open;
                    if walls != 0 && nodes.cells[block].walls == 0 {
                        found.push((phase, block));
                    }
                    nodes.cells[block].walls |= walls;
                });
            }
        }
        let mut cells = Vec::new();
        for (phase, block) in found {
            let walls = core::mem::take(&mut self.phases[phase].cells[block].walls);
            // Cells beyond the grid are not open either: whole blocks, and the rest of the last ones.
            if block != NOBODY as usize {
                let walls = bits(walls).map(|bit| cell_of(self.firsts[block], phase, bit));
                cells.extend(walls.filter(|&(x, y)| x < width && y < height));
            }
        }
        cells
    }

    /// Calls `work` with every cell that was solved for in this call.
    pub(super) fn for_each_active(&self, mut work: impl FnMut(usize, usize)) {
        for (n, phase) in self.phases.iter().enumerate() {
            for &block in &phase.awake {
                for bit in bits(phase.cells[block as usize].active) {
                    let (x, y) = cell_of(self.firsts[block as usize], n, bit);
                    work(x, y);
                }
            }
        }
    }

    /// Lets all rest. What is known stays for the next call, unless it is too much.
    pub(super) fn rest(&mut self) {
        // One of them is the block that does not exist.
        if self.firsts.len() > KEPT + 1 {
            return self.clear();
        }
        for phase in &mut self.phases {
            for &block in &phase.awake {
                phase.cells[block as usize].active = 0;
                phase.cells[block as usize].moved = 0;
            }
            phase.awake.clear();
            phase.active_specials.clear();
        }
    }
}

/// A block of a phase: its number, its first cell, and the phase.
type Place = (usize, (usize, usize), usize);

impl Phase {
    fn add_block(&mut self) {
        let cells = self.emission.len() + BLOCK;
        for numbers in [&mut self.emission, &mut self.gain, &mut self.stride] {
            numbers.resize(cells);
        }
        self.special_of.resize(cells, 0);
        self.cells.push(Cells::default());
    }

    /// What a cell does with light has to be found out again.
    fn forget(&mut self, block: usize, bit: usize) {
        let place = block * BLOCK + bit;
        self.cells[block].known &= !(1 << bit);
        self.cells[block].plain &= !(1 << bit);
        // The vector loop leaves a cell without gain and stride as it is.
        self.gain[place] = 0.0;
        self.stride[place] = 0.0;
        let special = core::mem::take(&mut self.special_of[place]);
        if special != 0 {
            self.free_specials.push(special - 1);
        }
    }

    /// Reads the light, and which cells pass it on.
    fn load(&mut self, ground: Ground<'_>, (block, first, phase): Place) {
        self.cells[block].open = 0;
        let emission = &mut self.emission[block * BLOCK..][..BLOCK];
        emission.fill(0.0);
        let (light, transparency) = (ground.light(), ground.transparency());
        let (start, end) = (first.0 + phase % 2, (first.0 + SIDE).min(light.width()));
        for (row, emission) in emission.chunks_mut(ROW).enumerate() {
            // Cells of one phase are every second one of every second row.
            let y = first.1 + 2 * row + phase / 2;
            if start >= end || y >= light.height() {
                break;
            }
            let light = light.row(y, start, end).chunks(2);
            let both = light.zip(transparency.row(y, start, end).chunks(2));
            for (column, (emission, (light, passed))) in emission.iter_mut().zip(both).enumerate() {
                *emission = passed[0] * light[0];
                self.cells[block].open |= u64::from(passed[0] > 0.0) << (row * ROW + column);
            }
        }
        // Special cells keep their light apart from what they pass on, which may be a part of it.
        for bit in bits(self.cells[block].known & !self.cells[block].plain) {
            let (x, y) = cell_of(first, phase, bit);
            let special = self.special_of[block * BLOCK + bit] as usize - 1;
            self.specials[special].light = ground.light().get(x, y);
        }
    }

    /// Takes cells in, and finds what they do with light.
    fn wake(&mut self, ground: Ground<'_>, at: Place, wanted: u64) {
        let block = at.0;
        let new = wanted & self.cells[block].open & !self.cells[block].active;
        if new == 0 {
            return;
        }
        if self.cells[block].active == 0 {
            self.awake.push(block as u32);
        }
        self.cells[block].active |= new;
        // Only now, so that cells that light never reaches cost nothing.
        for bit in bits(new & !self.cells[block].known) {
            self.know(ground, at, bit);
        }
        for bit in bits(new & !self.cells[block].plain) {
            self.active_specials
                .push(self.special_of[block * BLOCK + bit] - 1);
        }
    }

    /// Finds what a cell does with light.
    fn know(&mut self, ground: Ground<'_>, (block, first, phase): Place, bit: usize) {
        let place = block * BLOCK + bit;
        let (x, y) = cell_of(first, phase, bit);
        self.cells[block].known |= 1 << bit;
        match Special::find(ground, (x, y), place) {
            None => {
                let gain = ground.gain().get(x, y);
                self.cells[block].plain |= 1 << bit;
                self.gain[place] = gain;
                self.stride[place] = stride(gain);
            }
            Some(special) => {
                // Slots are reused, so the list does not grow with every lamp that moves.
                let slot = self.free_specials.pop().unwrap_or_else(|| {
                    self.specials.push(special);
                    self.specials.len() as u32 - 1
                });
                self.specials[slot as usize] = special;
                self.special_of[place] = slot + 1;
            }
        }
    }

    /// Such a part of the light of a block's cells that have moved.
    fn light(&self, (block, first, phase): Place, channel: &Channel, part: f32) -> [f32; BLOCK] {
        // A plain cell passes all of its light on.
        let mut light = block_of(&self.emission, block)
            .map(|light| limit(part * light, 0.0, channel.ceiling()));
        for bit in bits(self.cells[block].moved & !self.cells[block].plain) {
            let special = &self.specials[self.special_of[block * BLOCK + bit] as usize - 1];
            let at = cell_of(first, phase, bit);
            light[bit] = shade(channel, part, at, (special.light, special.constraint));
        }
        light
    }
}

/// A block's numbers of those of a phase.
#[inline(always)]
pub(super) fn block_of(numbers: &[f32], block: usize) -> &[f32; BLOCK] {
    let numbers = numbers[block * BLOCK..].first_chunk();
    numbers.expect("a phase has all cells of its blocks")
}

/// How far a cell has to go where its average, which holds such a part of its own light, is off by
/// one.
pub(super) fn stride(own: f32) -> f32 {
    1.0 / (1.0 - own).max(LEAST_OTHERS)
}
