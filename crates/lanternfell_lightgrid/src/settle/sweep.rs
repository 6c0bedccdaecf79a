//! Sweeps over the region.

use glam::Vec4;

use super::{
    ROUNDING,
    ground::Ground,
    node::{Node, PLAIN, Special},
    region::{BLOCK, Phase, Region, bits},
};
use crate::threads::map_blocks;

/// The order of the phases. The first two and the last two are not neighbors along an edge: for
/// four neighbors this is the red-black order.
const ORDER: [usize; 4] = [0, 3, 2, 1];

/// Keeps the division from 0/0 in a cell that hears only itself.
const LEAST_OTHERS: f32 = 1.0 / 1024.0;

/// What is the same for all cells.
#[derive(Clone, Copy)]
pub(super) struct Sweep {
    /// The weight of a corner, where that of an edge is 1.
    pub(super) corner: f32,
    pub(super) threshold: f32,
    pub(super) ceiling: Vec4,
}

/// What came of a block of cells.
#[derive(Default)]
struct Moved {
    /// By how much any has moved, at most.
    change: Vec4,
    /// Those that have moved for the first time.
    first: Vec<u32>,
}

impl Sweep {
    /// Goes over the region once; by how much a cell has moved, at most.
    pub(super) fn over(self, region: &mut Region, ground: &Ground<'_>, relaxation: f32) -> f32 {
        let mut change = Vec4::ZERO;
        for phase in ORDER {
            let mut nodes = core::mem::take(&mut region.phases[phase]);
            let pass = Pass {
                sweep: self,
                others: [1, 2, 3].map(|step| region.phases[phase ^ step].emission.as_slice()),
                relaxation,
                call: region.call(),
            };
            let mut moved = Vec::new();
            for block in pass.over(&mut nodes) {
                change = change.max(block.change);
                moved.extend(block.first);
            }
            region.phases[phase] = nodes;
            region.grow(ground, phase, &moved);
        }
        change.max_element()
    }
}

/// A quarter of a sweep.
struct Pass<'a> {
    sweep: Sweep,
    /// What the nodes of the other phases pass on: of those beside a node, of those above and below,
    /// and at its corners.
    others: [&'a [Vec4]; 3],
    relaxation: f32,
    call: u32,
}

impl Pass<'_> {
    fn over(&self, phase: &mut Phase) -> Vec<Moved> {
        let (nodes, active) = (&phase.nodes, &phase.active);
        let emission = &mut phase.emission;
        let mut moved = map_blocks(emission, BLOCK, &phase.awake, |block, emission| {
            let nodes = &nodes[block * BLOCK..];
            self.over_block(block, active[block], nodes, emission)
        });
        moved.push(self.over_specials(phase));
        moved
    }

    /// The plain ones among the cells of a block.
    fn over_block(
        &self,
        block: usize,
        active: u64,
        nodes: &[Node],
        emission: &mut [Vec4],
    ) -> Moved {
        let mut moved = Moved::default();
        for n in bits(active) {
            let (node, light) = (&nodes[n], &mut emission[n]);
            if node.special != PLAIN {
                continue;
            }
            let average = self.average(node, *light, [Vec4::ONE; 4]);
            let wanted = average.min(self.sweep.ceiling);
            let next = self.towards(wanted, *light, node.gain);
            let next = next.max(Vec4::ZERO).min(self.sweep.ceiling);
            if self.step(&mut moved, wanted, light, next) && node.moved != self.call {
                moved.first.push((block * BLOCK + n) as u32);
            }
        }
        moved
    }

    /// The others, one by one.
    fn over_specials(&self, phase: &mut Phase) -> Moved {
        let mut moved = Moved::default();
        for &place in &phase.active_specials {
            let node = &phase.nodes[place as usize];
            let emission = &mut phase.emission[place as usize];
            let special = &mut phase.specials[node.special as usize];
            let (wanted, next) = self.wanted_and_next(node, *emission, special);
            if self.step(&mut moved, wanted, &mut special.light, next) {
                *emission = special.transparency * special.light;
                if node.moved != self.call {
                    moved.first.push(place);
                }
            }
        }
        moved
    }

    /// Where a source is a cell takes what the automaton gives it: going past what a source holds
    /// would only be undone.
    fn wanted_and_next(&self, node: &Node, emission: Vec4, special: &Special) -> (Vec4, Vec4) {
        let ceiling = self.sweep.ceiling;
        let wanted = special.bounded(self.average(node, emission, special.corners), ceiling);
        let own = node.gain * special.transparency;
        let next = special.limit(self.towards(wanted, special.light, own), ceiling);
        let constrained = special.constrained.cmpgt(Vec4::ZERO);
        (wanted, Vec4::select(constrained, wanted, next))
    }

    /// The average over a cell and its neighbors, by the same additions in the same order as the
    /// automaton's (see [`kernel`](crate::kernel)).
    #[inline(always)]
    fn average(&self, node: &Node, emission: Vec4, corners: [Vec4; 4]) -> Vec4 {
        let [beside, across, diagonal] = self.others;
        let [
            west,
            east,
            north,
            south,
            corner_0,
            corner_1,
            corner_2,
            corner_3,
        ] = node.neighbors;
        let beside = |place: u32| beside[place as usize];
        let across = |place: u32| across[place as usize];
        let diagonal = |place: u32| diagonal[place as usize];
        let own = (beside(west) + beside(east)) + emission;
        let above = corners[0] * diagonal(corner_0) + corners[1] * diagonal(corner_1);
        let below = corners[2] * diagonal(corner_2) + corners[3] * diagonal(corner_3);
        let corner = self.sweep.corner;
        let sum = own + ((across(north) + corner * above) + (across(south) + corner * below));
        sum * node.gain
    }

    /// From the light towards, and past, what is wanted. The average holds a part of the cell's
    /// `own` light, by which it falls short.
    #[inline(always)]
    fn towards(&self, wanted: Vec4, light: Vec4, own: Vec4) -> Vec4 {
        let others = (Vec4::ONE - own).max(Vec4::splat(LEAST_OTHERS));
        light + self.relaxation * (wanted - light) / others
    }

    /// Moves a cell in the colors in which it is too far from what is wanted to be left alone;
    /// whether it was in any.
    #[inline(always)]
    fn step(&self, moved: &mut Moved, wanted: Vec4, light: &mut Vec4, next: Vec4) -> bool {
        let near = Vec4::splat(self.sweep.threshold) + ROUNDING * wanted;
        let far = (wanted - *light).abs().cmpgt(near);
        let next = Vec4::select(far, next, *light);
        moved.change = moved.change.max((next - *light).abs());
        *light = next;
        far.any()
    }
}
