//! The nearest place of a path.
//!
//! The pieces of a path are sorted into square blocks, each with all pieces that can be near its cells. A query compares
//! those of one block.

use std::collections::BTreeMap;

use super::{
    area::Bounds,
    curve::{Node, length},
};

/// A place of a path near a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Nearest {
    /// The distance from the edge of the bed. At most 0 on the bed.
    pub(super) distance: f64,
    /// The distance from the start of the path along it.
    pub(super) along: f64,
    /// The distance from the middle of the bed, and half of its width.
    pub(super) across: [f64; 2],
}

/// All pieces of a path.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pieces {
    nodes: Vec<Node>,
    /// The side of a block in meters.
    side: f64,
    /// The largest distance from the edge of the bed that a query finds.
    reach: f64,
    blocks: BTreeMap<[i64; 2], Vec<u32>>,
}

impl Pieces {
    /// `longest` is the longest piece.
    pub(super) fn new(nodes: Vec<Node>, reach: f64, longest: f64) -> Self {
        let widest = nodes
            .iter()
            .fold(0.0, |widest: f64, node| widest.max(node.half_width));
        // A piece is in about 60 blocks at most.
        let side = longest.max((widest + reach) / 2.0);
        let mut blocks = BTreeMap::<_, Vec<u32>>::new();
        for (index, area) in areas(&nodes, reach).enumerate() {
            let block = |corner: [f64; 2]| corner.map(|along| (along / side).floor() as i64);
            let (first, last) = (block(area.min), block(area.max));
            for row in first[1]..=last[1] {
                for column in first[0]..=last[0] {
                    blocks.entry([column, row]).or_default().push(index as u32);
                }
            }
        }
        Self {
            nodes,
            side,
            reach,
            blocks,
        }
    }

    /// The areas in which queries can find each piece.
    pub(super) fn areas(&self) -> impl Iterator<Item = Bounds> {
        areas(&self.nodes, self.reach)
    }

    /// Returns the place whose edge is nearest, or `None` if the path is farther away than its reach.
    pub(super) fn nearest(&self, at: [f64; 2]) -> Option<Nearest> {
        let block = at.map(|along| (along / self.side).floor() as i64);
        let mut best: Option<Nearest> = None;
        for &index in self.blocks.get(&block)? {
            let near = self.near(index as usize, at);
            // The first one wins, so that the result does not depend on the size of blocks.
            if best.is_none_or(|best| near.distance < best.distance) {
                best = Some(near);
            }
        }
        best.filter(|best| best.distance <= self.reach)
    }

    fn near(&self, index: usize, at: [f64; 2]) -> Nearest {
        let [a, b] = [self.nodes[index], self.nodes[index + 1]];
        let step = [0, 1].map(|axis| b.at[axis] - a.at[axis]);
        let square = step[0] * step[0] + step[1] * step[1];
        let dot = [0, 1].map(|axis| (at[axis] - a.at[axis]) * step[axis]);
        let share = ((dot[0] + dot[1]) / square).clamp(0.0, 1.0);
        let place = [0, 1].map(|axis| a.at[axis] + step[axis] * share);
        let half_width = a.half_width + (b.half_width - a.half_width) * share;
        let across = length(place, at);
        Nearest {
            distance: across - half_width,
            along: a.along + (b.along - a.along) * share,
            across: [across, half_width],
        }
    }
}

fn areas(nodes: &[Node], reach: f64) -> impl Iterator<Item = Bounds> {
    nodes.windows(2).map(move |pair| {
        let widest = pair[0].half_width.max(pair[1].half_width);
        Bounds::of([pair[0].at, pair[1].at]).grown(reach + widest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modifiers::{curve::Curve, path::PathPoint};
    use lanternfell_random::SeededRng;

    #[test]
    fn finds_the_nearest_of_all_pieces() {
        let mut random = SeededRng::new(5, b"modifier");
        for _ in 0..8 {
            let mut number = |most: f32| random.unit() as f32 * most;
            let points: Vec<PathPoint> = (0..7)
                .map(|_| PathPoint {
                    at: [number(100.0), 0.0, number(100.0)],
                    width: number(12.0),
                })
                .collect();
            let curve = Curve::through(&points, false, 6.0).unwrap();
            let pieces = Pieces::new(curve.nodes, 9.0, 6.0);
            for _ in 0..500 {
                let at = [number(120.0) - 10.0, number(120.0) - 10.0].map(f64::from);
                let all = (0..pieces.nodes.len() - 1).map(|index| pieces.near(index, at));
                let least = all.map(|near| near.distance).fold(f64::MAX, f64::min);
                let found = pieces.nearest(at).map(|near| near.distance);
                assert_eq!(found, (least <= 9.0).then_some(least));
            }
        }
    }
}
