//! The cells that are solved for.
//!
//! A block of cells is created when light first comes near it, and the known properties of its
//! cells are kept until a wall changes there. In each call some cells are active: those that
//! differed from their averages, and the neighbors of those that have moved. A set of cells is a
//! word of bits for each block and phase, so that the neighbors of up to 64 cells are found at
//! once.
//!
//! ```text
//!   known    the properties of the cell are in `gain` and `stride` (plain) or `specials`
//!   open     the cell passes light on, or did when the block was loaded
//!   active   the cell is solved for in this call; empty between calls
//!   moved    the cell has moved in this call; empty between calls
//! ```
//!
//! `plain` is a subset of `known`, `moved` of `active`, and `active` of `open` and `known`.

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

/// With more blocks than this, the region is cleared after a call. Each block takes about 4 KiB.
const KEPT: usize = 4096;

/// The number of a block that passes no light on. It replaces blocks that do not exist, because
/// they are beyond the border or not created yet, so that sweeps and sets of neighbors need no
/// special case for them.
const NULL_BLOCK: u32 = 0;

/// Avoids a division by zero for a cell that receives light only from itself.
const LEAST_OTHERS: f32 = 1.0 / 1024.0;

/// Sets of cells of one phase in a block, with one bit for each cell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cells {
    /// Cells that pass light on.
    open: u64,
    /// Cells whose properties are known, and those of them that are not special.
    known: u64,
    pub(super) plain: u64,
    /// Cells that are solved for in this call, and those of them that have moved.
    pub(super) active: u64,
    pub(super) moved: u64,
    /// Walls next to cells that have moved. Empty between calls.
    walls: u64,
}

/// The cells of one phase: lists with 64 entries for each block.
#[derive(Debug, Clone, Default)]
pub(super) struct Phase {
    /// The light that each cell passes on.
    pub(super) emission: Aligned<f32>,
    /// The gain of the average, and the stride: the factor that compensates for the cell's own
    /// light in its average. Both are zero except for plain cells, so that the vector loop leaves
    /// other cells unchanged.
    pub(super) gain: Aligned<f32>,
    pub(super) stride: Aligned<f32>,
    /// The sets of cells of each block.
    pub(super) cells: Vec<Cells>,
    /// The blocks with active cells.
    pub(super) awake: Vec<u32>,
    /// For each cell, its index in `specials` plus one; 0 if it is not special.
    special_of: Vec<u32>,
    pub(super) specials: Vec<Special>,
    free_specials: Vec<u32>,
    pub(super) active_specials: Vec<u32>,
}

/// The cells of a color that are solved for, and their known properties.
#[derive(Debug, Clone, Default)]
pub(crate) struct Region {
    /// The number of each block, row by row; [`NULL_BLOCK`] if it does not exist.
    numbers: Vec<u32>,
    across: usize,
    /// For each block number: its first cell, the blocks around it, and the value of `self.light`
    /// when its light was last read.
    firsts: Vec<(usize, usize)>,
    pub(super) around: Vec<Around>,
    loaded: Vec<u32>,
    pub(super) phases: [Phase; 4],
    /// Counts the changes of the light from outside. Never 0 when there are blocks.
    light: u32,
}

impl Region {
    /// Forgets everything, after a change of all cells or of the rule.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Records that the light was changed from outside.
    pub(crate) fn light_changed(&mut self) {
        if self.light == u32::MAX {
            self.clear();
        }
        // Every block is outdated now. It is read again when a cell in it or next to it wakes up.
        self.light += 1;
        // The block that does not exist has nothing to read. It is always up to date.
        if let Some(null_block) = self.loaded.first_mut() {
            *null_block = self.light;
        }
    }

    /// Records that all light was removed.
    pub(crate) fn darken(&mut self) {
        for phase in &mut self.phases {
            phase.emission.fill(0.0);
            for special in &mut phase.specials {
                special.light = 0.0;
            }
        }
    }

    /// Records that the properties of a cell have changed, which also affects its neighbors.
    pub(crate) fn cell_changed(&mut self, x: usize, y: usize) {
        // The gain of a cell, and which of its diagonal steps are left out, depend on the
        // transparency of its neighbors.
        for near_y in y.saturating_sub(1)..y + 2 {
            for near_x in x.saturating_sub(1)..x + 2 {
                self.source_changed(near_x, near_y);
            }
        }
        if let Some(block) = self.find(x, y) {
            // The light that it passes on has changed as well. `light` is never 0, so this marks
            // the block as outdated.
            self.loaded[block] = 0;
        }
    }

    /// Records that the constraint of sources on a cell has changed.
    pub(crate) fn source_changed(&mut self, x: usize, y: usize) {
        if let Some(block) = self.find(x, y) {
            self.phases[phase_of(x, y)].forget(block, bit_of(x, y));
        }
    }

    /// The number of the block that contains a cell, if it exists.
    fn find(&self, x: usize, y: usize) -> Option<usize> {
        if x / SIDE >= self.across {
            return None;
        }
        let number = *self.numbers.get(y / SIDE * self.across + x / SIDE)?;
        (number != NULL_BLOCK).then_some(number as usize)
    }

    /// The maximum over the phases of the number of blocks with active cells.
    pub(super) fn awake(&self) -> usize {
        let awake = self.phases.iter().map(|phase| phase.awake.len());
        awake.fold(0, usize::max)
    }

    /// Activates the seeds.
    pub(super) fn begin(&mut self, ground: Ground<'_>, seeds: &Seeds) {
        if self.numbers.is_empty() {
            self.start(ground);
        }
        for &(x, y) in &seeds.cells {
            let block = self.block(x / SIDE, y / SIDE);
            self.wake(ground, phase_of(x, y), block, 1 << bit_of(x, y));
        }
    }

    /// Creates the first block, that of [`NULL_BLOCK`].
    fn start(&mut self, ground: Ground<'_>) {
        let light = ground.light();
        self.across = light.width().div_ceil(SIDE);
        self.numbers = vec![NULL_BLOCK; self.across * light.height().div_ceil(SIDE)];
        self.light = 1;
        self.add_block((0, 0));
        self.loaded[0] = self.light;
    }

    fn add_block(&mut self, first: (usize, usize)) {
        self.firsts.push(first);
        self.around.push([NULL_BLOCK; 9]);
        self.loaded.push(0);
        self.phases.iter_mut().for_each(Phase::add_block);
    }

    /// The number of a block. Creates it if necessary.
    fn block(&mut self, block_x: usize, block_y: usize) -> u32 {
        let at = block_y * self.across + block_x;
        if self.numbers[at] == NULL_BLOCK {
            self.numbers[at] = self.firsts.len() as u32;
            self.add_block((block_x * SIDE, block_y * SIDE));
        }
        self.numbers[at]
    }

    /// Activates those cells of a block that pass light on.
    #[inline(always)]
    fn wake(&mut self, ground: Ground<'_>, phase: usize, block: u32, wanted: u64) {
        let at = block as usize;
        let Cells { open, active, .. } = self.phases[phase].cells[at];
        // Most calls end here: near moving light, the neighbors are active already. `open` is
        // outdated if the block is.
        if self.loaded[at] != self.light || wanted & open & !active != 0 {
            self.take_in(ground, phase, at, wanted);
        }
    }

    fn take_in(&mut self, ground: Ground<'_>, phase: usize, at: usize, wanted: u64) {
        // A block whose surroundings are known has its own number in the center.
        if self.around[at][HERE] == NULL_BLOCK {
            self.meet(at);
        }
        // From now on sweeps read the light of the blocks around. If this phase already has an
        // active cell here, they have been read in this call.
        if self.phases[phase].cells[at].active == 0 {
            for near in self.around[at] {
                self.refresh(ground, near as usize);
            }
        }
        let first = self.firsts[at];
        self.phases[phase].wake(ground, (at, first, phase), wanted);
    }

    /// Finds the blocks around a block, and creates them if necessary.
    fn meet(&mut self, at: usize) {
        if at == NULL_BLOCK as usize {
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

    /// Reads the light of a block again if it was changed from outside.
    fn refresh(&mut self, ground: Ground<'_>, at: usize) {
        if at == NULL_BLOCK as usize || self.loaded[at] == self.light {
            return;
        }
        self.loaded[at] = self.light;
        for (n, phase) in self.phases.iter_mut().enumerate() {
            phase.load(ground, (at, self.firsts[at], n));
        }
    }

    /// Activates the neighbors of cells that have moved for the first time in this call.
    pub(super) fn grow(&mut self, ground: Ground<'_>, phase: usize, block: u32, moved: u64) {
        self.phases[phase].cells[block as usize].moved |= moved;
        let around = self.around[block as usize];
        for_neighbors(phase, moved, |phase, place, bits| {
            if bits != 0 {
                self.wake(ground, phase, around[place], bits);
            }
        });
    }

    /// Writes the light of all cells that have moved, multiplied by `part`, to a channel.
    pub(super) fn write(&self, channel: &mut Channel, part: f32) {
        for (n, phase) in self.phases.iter().enumerate() {
            for &block in &phase.awake {
                let block = block as usize;
                // Active cells that have not moved keep their bits in the grid.
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

    /// The cells that pass no light on and are next to cells that have moved.
    pub(super) fn walls(&mut self, (width, height): (usize, usize)) -> Vec<(usize, usize)> {
        // A wall may be next to up to eight cells that have moved, but must be listed once. The
        // sets collect the walls, and `found` lists each set that is not empty.
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
            // Cells beyond the grid are not open either: whole blocks, and the rest of the last
            // blocks.
            if block != NULL_BLOCK as usize {
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

    /// Ends a call: no cells are active. The known properties are kept, unless there are too many
    /// blocks.
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

/// A block of one phase: its number, its first cell, and the phase.
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

    /// Forgets the properties of a cell.
    fn forget(&mut self, block: usize, bit: usize) {
        let place = block * BLOCK + bit;
        self.cells[block].known &= !(1 << bit);
        self.cells[block].plain &= !(1 << bit);
        // Without gain and stride, the vector loop leaves the cell unchanged.
        self.gain[place] = 0.0;
        self.stride[place] = 0.0;
        let special = core::mem::take(&mut self.special_of[place]);
        if special != 0 {
            self.free_specials.push(special - 1);
        }
    }

    /// Reads the light of a block, and which of its cells pass it on.
    fn load(&mut self, ground: Ground<'_>, (block, first, phase): Place) {
        self.cells[block].open = 0;
        let emission = &mut self.emission[block * BLOCK..][..BLOCK];
        emission.fill(0.0);
        let (light, transparency) = (ground.light(), ground.transparency());
        let (start, end) = (first.0 + phase % 2, (first.0 + SIDE).min(light.width()));
        for (row, emission) in emission.chunks_mut(ROW).enumerate() {
            // The cells of one phase are every second cell of every second row.
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
        // Special cells store their light separately, because they may pass on only a part of it.
        for bit in bits(self.cells[block].known & !self.cells[block].plain) {
            let (x, y) = cell_of(first, phase, bit);
            let special = self.special_of[block * BLOCK + bit] as usize - 1;
            self.specials[special].light = ground.light().get(x, y);
        }
    }

    /// Activates cells, and finds their properties.
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
        // Not earlier, so that cells that light never reaches cost nothing.
        for bit in bits(new & !self.cells[block].known) {
            self.know(ground, at, bit);
        }
        for bit in bits(new & !self.cells[block].plain) {
            self.active_specials
                .push(self.special_of[block * BLOCK + bit] - 1);
        }
    }

    /// Finds the properties of a cell.
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
                // Slots are reused, so that the list does not grow with every lamp that moves.
                let slot = self.free_specials.pop().unwrap_or_else(|| {
                    self.specials.push(special);
                    self.specials.len() as u32 - 1
                });
                self.specials[slot as usize] = special;
                self.special_of[place] = slot + 1;
            }
        }
    }

    /// The light of the cells of a block, multiplied by `part`. Only valid for cells that have
    /// moved.
    fn light(&self, (block, first, phase): Place, channel: &Channel, part: f32) -> [f32; BLOCK] {
        // A plain cell passes on all of its light.
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

/// The values of a block in a list of one phase.
#[inline(always)]
pub(super) fn block_of(numbers: &[f32], block: usize) -> &[f32; BLOCK] {
    let numbers = numbers[block * BLOCK..].first_chunk();
    numbers.expect("a phase has all cells of its blocks")
}

/// The distance that a cell must move per unit of difference from its average, if the average
/// contains its own light with the weight `own`.
pub(super) fn stride(own: f32) -> f32 {
    1.0 / (1.0 - own).max(LEAST_OTHERS)
}
