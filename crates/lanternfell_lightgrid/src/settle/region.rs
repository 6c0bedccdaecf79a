//! The cells that are solved for.
//!
//! Cells that pass light on are nodes, which know their neighbors. A node is made when light first
//! comes near its cell, and stays while no wall changes there; in each call some of them are
//! active: those that were off their averages, and the neighbors of those that have moved.
//!
//! Nodes are kept by phase, because those of one phase change at a time and read only the others,
//! and by blocks of 16 x 16 cells, so that neighbors are near each other in memory. Of each block
//! and phase there are 64, and a word of bits tells which are active.

use glam::Vec4;

use super::{
    ground::Ground,
    node::{NOBODY, Node, PHASE_STEPS, PLAIN, STEPS, Special},
    seeds::Seeds,
};
use crate::{channel::Channel, medium::Medium};

/// Cells along a block's side.
const SIDE: usize = 16;

/// The nodes of a block in one phase: as many as a word has bits.
pub(super) const BLOCK: usize = SIDE * SIDE / 4;

/// More blocks than this are forgotten after a call; each takes some 20 KiB.
const KEPT: usize = 2048;

/// The nodes of one phase.
#[derive(Debug, Clone, Default)]
pub(super) struct Phase {
    /// What each passes on.
    pub(super) emission: Vec<Vec4>,
    pub(super) nodes: Vec<Node>,
    /// Since which change of the light from outside each has been read.
    loaded: Vec<u32>,
    /// Whether its neighbors are known.
    linked: Vec<bool>,
    pub(super) specials: Vec<Special>,
    free_specials: Vec<u32>,
    /// The nodes of each block that are active, a bit each, and in which call they are.
    pub(super) active: Vec<u64>,
    active_in: Vec<u32>,
    /// The blocks that have active nodes, and those of these nodes that are special.
    pub(super) awake: Vec<u32>,
    pub(super) active_specials: Vec<u32>,
}

/// The cells that are solved for, and what is known of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Region {
    /// The number of each block of cells, row by row; [`NOBODY`] while it has none.
    blocks: Vec<u32>,
    blocks_across: usize,
    /// From one row to the next, by the indices of planes.
    stride: usize,
    pub(super) phases: [Phase; 4],
    /// How many calls there were.
    call: u32,
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
        self.light = self.light.saturating_add(1);
    }

    /// A cell is no longer what it was; so neither is what its neighbors know of it.
    pub(crate) fn cell_changed(&mut self, x: usize, y: usize) {
        for near_y in y.saturating_sub(1)..y + 2 {
            for near_x in x.saturating_sub(1)..x + 2 {
                self.source_changed(near_x, near_y);
            }
        }
        if let Some((phase, at)) = self.find(x, y) {
            self.phases[phase].loaded[at] = 0;
        }
    }

    /// What sources ask of a cell has changed.
    pub(crate) fn source_changed(&mut self, x: usize, y: usize) {
        if let Some((phase, at)) = self.find(x, y) {
            self.phases[phase].linked[at] = false;
        }
    }

    /// The phase and the place of a cell's node, if there is one.
    fn find(&self, x: usize, y: usize) -> Option<(usize, usize)> {
        if x / SIDE >= self.blocks_across {
            return None;
        }
        let block = *self.blocks.get(self.block_of(x, y))?;
        (block != NOBODY).then(|| (phase_of(x, y), place_in(block, x, y)))
    }

    fn block_of(&self, x: usize, y: usize) -> usize {
        y / SIDE * self.blocks_across + x / SIDE
    }

    /// Whether there is nothing to do.
    pub(super) fn is_empty(&self) -> bool {
        self.phases.iter().all(|phase| phase.awake.is_empty())
    }

    /// The number of this call.
    pub(super) fn call(&self) -> u32 {
        self.call
    }

    /// Takes the seeds in.
    pub(super) fn begin(&mut self, ground: &Ground<'_>, seeds: &Seeds) {
        if self.call.max(self.light) == u32::MAX {
            self.clear();
        }
        if self.blocks.is_empty() {
            self.start(ground);
        }
        self.call += 1;
        for phase in &mut self.phases {
            phase.awake.clear();
            phase.active_specials.clear();
        }
        for &(x, y) in &seeds.cells {
            let place = self.node(ground, x, y);
            self.activate(ground, phase_of(x, y), place);
        }
    }

    /// With one block, that of [`NOBODY`].
    fn start(&mut self, ground: &Ground<'_>) {
        let light = ground.channels[0].light();
        self.stride = light.stride();
        self.blocks_across = light.width().div_ceil(SIDE);
        self.blocks = vec![NOBODY; self.blocks_across * light.height().div_ceil(SIDE)];
        self.light = 1;
        self.phases.iter_mut().for_each(Phase::add_block);
    }

    /// The place of a cell's node among those of its phase.
    fn place(&mut self, x: usize, y: usize) -> usize {
        let block = self.block_of(x, y);
        let block = &mut self.blocks[block];
        if *block == NOBODY {
            *block = self.phases[0].active.len() as u32;
            self.phases.iter_mut().for_each(Phase::add_block);
        }
        place_in(*block, x, y)
    }

    /// The same, with its light as it is.
    fn node(&mut self, ground: &Ground<'_>, x: usize, y: usize) -> u32 {
        let place = self.place(x, y);
        let phase = &mut self.phases[phase_of(x, y)];
        phase.nodes[place].index = ((y + 1) * self.stride + x + 1) as u32;
        phase.refresh(ground, place, self.light);
        place as u32
    }

    /// Takes a node in, with what it needs to know of its neighbors.
    fn activate(&mut self, ground: &Ground<'_>, phase: usize, place: u32) {
        let nodes = &mut self.phases[phase];
        let at = place as usize;
        if !nodes.activate(at, self.call) {
            return;
        }
        if nodes.linked[at] {
            let neighbors = nodes.nodes[at].neighbors;
            for (&place, step) in neighbors.iter().zip(PHASE_STEPS) {
                self.phases[phase ^ step].refresh(ground, place as usize, self.light);
            }
        } else {
            self.link(ground, phase, at);
        }
        let nodes = &mut self.phases[phase];
        if nodes.nodes[at].special != PLAIN {
            nodes.active_specials.push(place);
        }
    }

    /// Finds what a node does with light, and its neighbors.
    fn link(&mut self, ground: &Ground<'_>, phase: usize, at: usize) {
        let index = self.phases[phase].nodes[at].index as usize;
        let (x, y) = cell_of(index, self.stride);
        let mut neighbors = [NOBODY; 8];
        for (neighbor, (dx, dy)) in neighbors.iter_mut().zip(STEPS) {
            if ground.is_open(index.wrapping_add_signed(dy * self.stride as isize + dx)) {
                let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                *neighbor = self.node(ground, x, y);
            }
        }
        for (neighbor, weights) in neighbors[4..].iter_mut().zip(ground.corners(x, y)) {
            if weights == Vec4::ZERO {
                *neighbor = NOBODY;
            }
        }
        let special = Special::find(ground, index, (x, y));
        let nodes = &mut self.phases[phase];
        nodes.nodes[at].gain = ground.gain(index);
        nodes.nodes[at].neighbors = neighbors;
        nodes.set_special(at, special);
        nodes.load(ground, at);
        nodes.linked[at] = true;
    }

    /// Takes in the neighbors of nodes that have moved for the first time in this call.
    pub(super) fn grow(&mut self, ground: &Ground<'_>, phase: usize, moved: &[u32]) {
        for &place in moved {
            let node = &mut self.phases[phase].nodes[place as usize];
            node.moved = self.call;
            let neighbors = node.neighbors;
            for (place, step) in neighbors.into_iter().zip(PHASE_STEPS) {
                if place != NOBODY {
                    self.activate(ground, phase ^ step, place);
                }
            }
        }
    }

    /// Writes the light of all that have moved, and returns the walls beside them.
    pub(super) fn end(
        &mut self,
        media: &[Medium],
        channels: &mut [Channel],
    ) -> Vec<(usize, usize)> {
        let mut lit = Vec::new();
        for phase in &self.phases {
            for at in phase.active() {
                let node = &phase.nodes[at];
                if node.moved == self.call {
                    let (x, y) = cell_of(node.index as usize, self.stride);
                    let light = phase.light(at);
                    for (color, channel) in channels.iter_mut().enumerate() {
                        channel.put(x, y, light[color]);
                    }
                    if node.neighbors.contains(&NOBODY) {
                        lit.push((x, y));
                    }
                }
            }
        }
        let walls = self.walls_beside(&Ground { media, channels }, &lit);
        if self.phases[0].active.len() > KEPT {
            self.clear();
        }
        walls
    }

    /// The neighbors of these cells that pass no light on, each once.
    fn walls_beside(&mut self, ground: &Ground<'_>, lit: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let light = ground.channels[0].light();
        let mut walls = Vec::new();
        for &(x, y) in lit {
            for (dx, dy) in STEPS {
                let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                if x >= light.width() || y >= light.height() || ground.is_open(light.index(x, y)) {
                    continue;
                }
                let place = self.place(x, y);
                let node = &mut self.phases[phase_of(x, y)].nodes[place];
                if node.moved != self.call {
                    node.moved = self.call;
                    walls.push((x, y));
                }
            }
        }
        walls
    }

    /// Calls `work` with every cell that was solved for in this call.
    pub(super) fn for_each_active(&self, mut work: impl FnMut(usize, usize)) {
        for phase in &self.phases {
            for at in phase.active() {
                let (x, y) = cell_of(phase.nodes[at].index as usize, self.stride);
                work(x, y);
            }
        }
    }
}

/// The phase of a cell: column and row parity.
fn phase_of(x: usize, y: usize) -> usize {
    x % 2 + 2 * (y % 2)
}

/// The place of a cell's node, if its block has this number.
fn place_in(block: u32, x: usize, y: usize) -> usize {
    block as usize * BLOCK + y % SIDE / 2 * (SIDE / 2) + x % SIDE / 2
}

/// The cell with this index in planes.
fn cell_of(index: usize, stride: usize) -> (usize, usize) {
    (index % stride - 1, index / stride - 1)
}

impl Phase {
    fn add_block(&mut self) {
        let nodes = self.nodes.len() + BLOCK;
        self.nodes.resize(nodes, Node::default());
        self.emission.resize(nodes, Vec4::ZERO);
        self.loaded.resize(nodes, 0);
        self.linked.resize(nodes, false);
        self.active.push(0);
        self.active_in.push(0);
        if self.specials.is_empty() {
            // At the place of those that are plain.
            self.specials.push(Special::default());
        }
    }

    /// Takes a node in; whether it was not yet.
    fn activate(&mut self, at: usize, call: u32) -> bool {
        let (block, bit) = (at / BLOCK, 1 << (at % BLOCK));
        if self.active_in[block] != call {
            self.active_in[block] = call;
            self.active[block] = 0;
            self.awake.push(block as u32);
        }
        let is_new = self.active[block] & bit == 0;
        self.active[block] |= bit;
        is_new
    }

    /// Reads a node's light again, if it has changed from outside since.
    fn refresh(&mut self, ground: &Ground<'_>, at: usize, light: u32) {
        if self.loaded[at] != light {
            self.loaded[at] = light;
            self.load(ground, at);
        }
    }

    fn load(&mut self, ground: &Ground<'_>, at: usize) {
        let node = &self.nodes[at];
        let light = ground.light(node.index as usize);
        self.specials[node.special as usize].light = light;
        self.emission[at] = ground.transparency(node.index as usize) * light;
    }

    fn set_special(&mut self, at: usize, special: Option<Special>) {
        let place = &mut self.nodes[at].special;
        let Some(special) = special else {
            if *place != PLAIN {
                self.free_specials.push(*place);
            }
            *place = PLAIN;
            return;
        };
        if *place == PLAIN {
            *place = self.free_specials.pop().unwrap_or_else(|| {
                self.specials.push(special);
                self.specials.len() as u32 - 1
            });
        }
        self.specials[*place as usize] = special;
    }

    /// The light of a node.
    fn light(&self, at: usize) -> Vec4 {
        match self.nodes[at].special {
            PLAIN => self.emission[at],
            special => self.specials[special as usize].light,
        }
    }

    /// The nodes that are active, in some order that is always the same.
    fn active(&self) -> impl Iterator<Item = usize> {
        self.awake.iter().flat_map(|&block| {
            let block = block as usize;
            bits(self.active[block]).map(move |bit| block * BLOCK + bit)
        })
    }
}

/// The places of the bits that are set.
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        bit
    })
}
