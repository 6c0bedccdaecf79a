//! The nearest places of a path.
//!
//! The pieces of a path are sorted into square blocks, each with all pieces that can be near its cells. A query compares
//! those of one block.
//!
//! Where a path turns back, as on a serpentine, several parts of it are near. Each part whose pieces before and after are
//! farther away is found.

use std::collections::BTreeMap;

use super::{
    area::Bounds,
    curve::{Division, Node, length},
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

/// The pieces of a path that are near a map.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pieces {
    nodes: Vec<Node>,
    /// The side of a block in meters.
    side: f64,
    /// The largest distance from the edge of the bed that a query finds.
    reach: f64,
    /// By column and row. Each has the indices of its pieces, in ascending order.
    blocks: BTreeMap<[i64; 2], Vec<u32>>,
}

impl Pieces {
    pub(super) fn new(nodes: Vec<Node>, reach: f64, by: Division) -> Self {
        let half_widths = nodes.iter().map(|node| node.half_width);
        let widest = half_widths.fold(0.0, f64::max);
        // A piece near the map is in about 40 blocks at most.
        let side = by.longest.max((widest + reach) / 2.0);
        let mut pieces = Self {
            nodes,
            side,
            reach,
            blocks: BTreeMap::new(),
        };
        for (index, area) in areas(&pieces.nodes, reach).enumerate() {
            if !area.meets(by.within) {
                continue;
            }
            // Long pieces only touch the map with a part of their rectangle.
            let min = [0, 1].map(|axis| area.min[axis].max(by.within.min[axis]));
            let max = [0, 1].map(|axis| area.max[axis].min(by.within.max[axis]));
            let (first, last) = (block(min, side), block(max, side));
            for row in first[1]..=last[1] {
                for column in first[0]..=last[0] {
                    let block = pieces.blocks.entry([column, row]).or_default();
                    block.push(index as u32);
                }
            }
        }
        pieces
    }

    /// The areas in which queries can find each piece.
    pub(super) fn areas(&self) -> impl Iterator<Item = Bounds> {
        areas(&self.nodes, self.reach)
    }

    /// Returns all parts of the path that are nearer than what is before and after them along it, in the order of their
    /// distance. It is empty if the path is farther away than its reach.
    pub(super) fn nearest(&self, at: [f64; 2]) -> Vec<Nearest> {
        let Some(block) = self.blocks.get(&block(at, self.side)) else {
            return Vec::new();
        };
        let mut found: Vec<Nearest> = Vec::new();
        // The last piece, and whether the path comes nearer there.
        let mut last: Option<(u32, Nearest)> = None;
        let mut comes_nearer = true;
        for &index in block {
            let near = self.near(index as usize, at);
            match last {
                Some((before, piece)) if before + 1 == index => {
                    let is_nearer = near.distance < piece.distance;
                    if comes_nearer && !is_nearer {
                        found.push(piece);
                    }
                    comes_nearer = is_nearer;
                }
                // The path was outside of the block.
                _ => {
                    found.extend(last.filter(|_| comes_nearer).map(|(_, piece)| piece));
                    comes_nearer = true;
                }
            }
            last = Some((index, near));
        }
        found.extend(last.filter(|_| comes_nearer).map(|(_, piece)| piece));
        found.retain(|near| near.distance <= self.reach);
        found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        found
    }

    fn near(&self, index: usize, at: [f64; 2]) -> Nearest {
        let [a, b] = [self.nodes[index], self.nodes[index + 1]];
        let step = [0, 1].map(|axis| b.at[axis] - a.at[axis]);
        let square = step[0] * step[0] + step[1] * step[1];
        let dot = [0, 1].map(|axis| (at[axis] - a.at[axis]) * step[axis]);
        let share = match square > 0.0 {
            true => ((dot[0] + dot[1]) / square).clamp(0.0, 1.0),
            false => 0.0,
        };
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

fn block(at: [f64; 2], side: f64) -> [i64; 2] {
    at.map(|along| (along / side).floor() as i64)
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
            let by = Division {
                longest: 6.0,
                within: Bounds {
                    min: [-20.0; 2],
                    max: [120.0; 2],
                },
                most: 1000,
            };
            let curve = Curve::through(&points, false, by).unwrap();
            let pieces = Pieces::new(curve.nodes, 9.0, by);
            for _ in 0..500 {
                let at = [number(120.0) - 10.0, number(120.0) - 10.0].map(f64::from);
                let all = (0..pieces.nodes.len() - 1).map(|index| pieces.near(index, at));
                let least = all.map(|near| near.distance).fold(f64::MAX, f64::min);
                let found = pieces.nearest(at).first().map(|near| near.distance);
                assert_eq!(found, (least <= 9.0).then_some(least));
            }
        }
    }

    #[test]
    fn finds_both_arms_of_a_serpentine() {
        let line = [[0.0, 0.0], [40.0, 0.0], [40.0, 10.0], [0.0, 10.0]];
        let points = line.map(|[x, z]| PathPoint {
            at: [x, 0.0, z],
            width: 2.0,
        });
        let by = Division {
            longest: 3.0,
            within: Bounds {
                min: [-9.0; 2],
                max: [60.0; 2],
            },
            most: 1000,
        };
        let curve = Curve::through(&points, false, by).unwrap();
        let pieces = Pieces::new(curve.nodes, 9.0, by);
        let near = pieces.nearest([10.0, 4.0]);
        assert_eq!(near.len(), 2, "{near:?}");
        assert!((near[0].along - 10.0).abs() < 3.0 && near[1].along > 60.0);
    }
}
