//! The cells that are solved for.
//!
//! A block of cells is made when light first comes near it, and what is known of its cells stays
//! while no wall changes there. In each call some of them are active: those that were off their
//! averages, and the neighbors of those that have moved. Sets of cells are words of bits, one for
//! each block and phase, so that neighbors are found for up to 64 cells at once.

use glam::Vec4;

use super::{
    block::{Around, BLOCK, HERE, ROW, SIDE, bit_of, bits, cell_of, for_neighbors, phase_of},
    ground::Ground,
    seeds::Seeds,
    special::Special,
};
use crate::channel::Channel;

/// More blocks than this are forgotten after a call; each takes some 13 KiB.
const KEPT: usize = 4096;

/// A region with so many blocks awake is worth the work of several threads.
pub(super) const LARGE: usize = 64;

/// The number of a block that passes no light, in place of those that there are not.
const NOBODY: u32 = 0;

/// Keeps the division from 0/0 in a cell that hears only itself.
const LEAST_OTHERS: f32 = 1.0 / 1024.0;

/// Three colors and nothing.
pub(super) type Lanes = [f32; 4];

/// The cells of one phase: lists of all, 64 for each block, and a word for each block.
#[derive(Debug, Clone, Default)]
pub(super) struct Phase {
    /// What each passes on.
    pub(super) emission: Vec<Lanes>,
    /// The weight of the average, and by what part of the others' weight its cell's own light falls
    /// short of it; both nothing but for plain cells, so that others stay as they are.
    pub(super) gain: Vec<Lanes>,
    pub(super) stride: Vec<Lanes>,
    /// Those that pass light on.
    open: Vec<u64>,
    /// Those of which it is known what they do with light, and those of them that are not special.
    known: Vec<u64>,
    pub(super) plain: Vec<u64>,
    /// Those that are solved for in this call, and those of them that have moved.
    pub(super) active: Vec<u64>,
    pub(super) moved: Vec<u64>,
    /// The walls beside those; empty between calls.
    walls: Vec<u64>,
    /// The blocks that have active cells.
    pub(super) awake: Vec<u32>,
    /// For each cell where it is among the special ones, plus one.
    special_of: Vec<u32>,
    pub(super) specials: Vec<Special>,
    free_specials: Vec<u32>,
    pub(super) active_specials: Vec<u32>,
}

/// The cells that are solved for, and what is known of them.
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
        self.light += 1;
    }

    /// There is no light.
    pub(crate) fn darken(&mut self) {
        for phase in &mut self.phases {
            phase.emission.fill(Lanes::default());
            for special in &mut phase.specials {
                special.light = Vec4::ZERO;
            }
        }
    }

    /// A cell is no longer what it was; so neither is what its neighbors know of it.
    pub(crate) fn cell_changed(&mut self, x: usize, y: usize) {
        for near_y in y.saturating_sub(1)..y + 2 {
            for near_x in x.saturating_sub(1)..x + 2 {
                self.source_changed(near_x, near_y);
            }
        }
        if let Some(block) = self.find(x, y) {
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

    /// Whether there is nothing to do.
    pub(super) fn is_empty(&self) -> bool {
        self.phases.iter().all(|phase| phase.awake.is_empty())
    }

    /// Whether it is worth the work of several threads.
    pub(super) fn is_large(&self) -> bool {
        self.phases.iter().any(|phase| phase.awake.len() >= LARGE)
    }

    /// Takes the seeds in.
    pub(super) fn begin(&mut self, ground: &Ground<'_>, seeds: &Seeds) {
        if self.numbers.is_empty() {
            self.start(ground);
        }
        for &(x, y) in &seeds.cells {
            let block = self.block(x / SIDE, y / SIDE);
            self.wake(ground, phase_of(x, y), block, 1 << bit_of(x, y));
        }
    }

    /// With one block, that of [`NOBODY`].
    fn start(&mut self, ground: &Ground<'_>) {
        let light = ground.channels[0].light();
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
    fn wake(&mut self, ground: &Ground<'_>, phase: usize, block: u32, wanted: u64) {
        let at = block as usize;
        if self.around[at][HERE] == NOBODY {
            self.meet(at);
        }
        if wanted & !self.phases[phase].active[at] == 0 {
            return;
        }
        if self.phases[phase].active[at] == 0 {
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
    fn refresh(&mut self, ground: &Ground<'_>, at: usize) {
        if at == NOBODY as usize || self.loaded[at] == self.light {
            return;
        }
        self.loaded[at] = self.light;
        for (n, phase) in self.phases.iter_mut().enumerate() {
            phase.load(ground, (at, self.firsts[at], n));
        }
    }

    /// Takes in the neighbors of cells that have moved for the first time in this call.
    pub(super) fn grow(&mut self, ground: &Ground<'_>, phase: usize, block: u32, moved: u64) {
        self.phases[phase].moved[block as usize] |= moved;
        let around = self.around[block as usize];
        for_neighbors(phase, moved, |phase, place, bits| {
            if bits != 0 {
                self.wake(ground, phase, around[place], bits);
            }
        });
    }

    /// Writes the light of all that have moved, and returns the walls beside them.
    pub(super) fn end(&mut self, channels: &mut [Channel]) -> Vec<(usize, usize)> {
        for (n, phase) in self.phases.iter().enumerate() {
            for &block in &phase.awake {
                let block = block as usize;
                for bit in bits(phase.moved[block]) {
                    let (x, y) = cell_of(self.firsts[block], n, bit);
                    let light = phase.light(block * BLOCK + bit);
                    for (channel, light) in channels.iter_mut().zip(light) {
                        channel.put(x, y, light);
                    }
                }
            }
        }
        let light = channels[0].light();
        self.walls((light.width(), light.height()))
    }

    /// The cells beside those that have moved that pass no light on.
    fn walls(&mut self, (width, height): (usize, usize)) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for n in 0..4 {
            for index in 0..self.phases[n].awake.len() {
                let block = self.phases[n].awake[index] as usize;
                let (moved, around) = (self.phases[n].moved[block], self.around[block]);
                for_neighbors(n, moved, |phase, place, bits| {
                    let block = around[place] as usize;
                    let nodes = &mut self.phases[phase];
                    let walls = bits & !nodes.open[block];
                    if walls != 0 && nodes.walls[block] == 0 {
                        found.push((phase, block));
                    }
                    nodes.walls[block] |= walls;
                });
            }
        }
        let mut cells = Vec::new();
        for (phase, block) in found {
            let walls = core::mem::take(&mut self.phases[phase].walls[block]);
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
                for bit in bits(phase.active[block as usize]) {
                    let (x, y) = cell_of(self.firsts[block as usize], n, bit);
                    work(x, y);
                }
            }
        }
    }

    /// Lets all rest. What is known stays for the next call, unless it is too much.
    pub(super) fn rest(&mut self) {
        if self.firsts.len() > KEPT {
            return self.clear();
        }
        for phase in &mut self.phases {
            for &block in &phase.awake {
                phase.active[block as usize] = 0;
                phase.moved[block as usize] = 0;
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
        for lanes in [&mut self.emission, &mut self.gain, &mut self.stride] {
            lanes.resize(cells, Lanes::default());
        }
        self.special_of.resize(cells, 0);
        let words = [
            &mut self.open,
            &mut self.known,
            &mut self.plain,
            &mut self.active,
            &mut self.moved,
            &mut self.walls,
        ];
        words.into_iter().for_each(|words| words.push(0));
    }

    /// What a cell does with light has to be found out again.
    fn forget(&mut self, block: usize, bit: usize) {
        let place = block * BLOCK + bit;
        self.known[block] &= !(1 << bit);
        self.plain[block] &= !(1 << bit);
        self.gain[place] = Lanes::default();
        self.stride[place] = Lanes::default();
        let special = core::mem::take(&mut self.special_of[place]);
        if special != 0 {
            self.free_specials.push(special - 1);
        }
    }

    /// Reads the light, and which cells pass it on.
    fn load(&mut self, ground: &Ground<'_>, (block, first, phase): Place) {
        self.open[block] = 0;
        self.emission[block * BLOCK..][..BLOCK].fill(Lanes::default());
        for (color, channel) in ground.channels.iter().enumerate() {
            let (light, transparency) = (channel.light(), ground.medium(color).transparency());
            let (start, end) = (first.0 + phase % 2, (first.0 + SIDE).min(light.width()));
            for row in 0..ROW {
                let (at, y) = (row * ROW, first.1 + 2 * row + phase / 2);
                if start >= end || y >= light.height() {
                    break;
                }
                let light = light.row(y, start, end).chunks(2);
                let both = light.zip(transparency.row(y, start, end).chunks(2));
                let lanes = &mut self.emission[block * BLOCK + at..][..ROW];
                for (column, (lanes, (light, passed))) in lanes.iter_mut().zip(both).enumerate() {
                    lanes[color] = passed[0] * light[0];
                    self.open[block] |= u64::from(passed[0] > 0.0) << (at + column);
                }
            }
        }
        for bit in bits(self.known[block] & !self.plain[block]) {
            let (x, y) = cell_of(first, phase, bit);
            let special = self.special_of[block * BLOCK + bit] as usize - 1;
            self.specials[special].light = ground.light(ground.index(x, y));
        }
    }

    /// Takes cells in, and finds what they do with light.
    fn wake(&mut self, ground: &Ground<'_>, at: Place, wanted: u64) {
        let block = at.0;
        let new = wanted & self.open[block] & !self.active[block];
        if new == 0 {
            return;
        }
        if self.active[block] == 0 {
            self.awake.push(block as u32);
        }
        self.active[block] |= new;
        for bit in bits(new & !self.known[block]) {
            self.know(ground, at, bit);
        }
        for bit in bits(new & !self.plain[block]) {
            self.active_specials
                .push(self.special_of[block * BLOCK + bit] - 1);
        }
    }

    /// Finds what a cell does with light.
    fn know(&mut self, ground: &Ground<'_>, (block, first, phase): Place, bit: usize) {
        let place = block * BLOCK + bit;
        let (x, y) = cell_of(first, phase, bit);
        self.known[block] |= 1 << bit;
        match Special::find(ground, (x, y), place) {
            None => {
                let gain = ground.gain(ground.index(x, y));
                self.plain[block] |= 1 << bit;
                self.gain[place] = gain.to_array();
                self.stride[place] = stride(gain).to_array();
            }
            Some(special) => {
                let slot = self.free_specials.pop().unwrap_or_else(|| {
                    self.specials.push(special);
                    self.specials.len() as u32 - 1
                });
                self.specials[slot as usize] = special;
                self.special_of[place] = slot + 1;
            }
        }
    }

    /// The light of a cell.
    fn light(&self, place: usize) -> Lanes {
        match self.special_of[place] {
            0 => self.emission[place],
            special => self.specials[special as usize - 1].light.to_array(),
        }
    }
}

/// How far a cell has to go where its average, which holds such a part of its own light, is off by
/// one.
pub(super) fn stride(own: Vec4) -> Vec4 {
    Vec4::ONE / (Vec4::ONE - own).max(Vec4::splat(LEAST_OTHERS))
}
