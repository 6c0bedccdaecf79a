//! The tree of a delta's channels: where they branch, the flow of each, and the distance to the sea.
//!
//! The mouths are placed one after the other. Of several random candidates, the one furthest from all earlier mouths is
//! chosen. It is joined to the node with the lowest cost,
//!
//! ```text
//!   cost = new channel (1 + turn) + directness * (path from the apex to the node)
//! ```
//!
//! where `turn` is `1 - cos` of the angle between the new channel and the old one, because water does not turn back.
//! The result is a few large channels that share their upper course, and not a star.

use serde::{Deserialize, Serialize};

use super::{RiverDelta, arm::Arm};
use crate::{MapSize, ParamError, SeededRng};

/// A point on a channel.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChannelNode {
    /// Cells from the western border of the map.
    pub x: f64,
    /// Cells from the northern border of the map.
    pub y: f64,
    /// The index of the next node upstream, which is less than the index of this node. `None` at the source of the
    /// river.
    pub upstream: Option<u32>,
    /// The fraction of the river's flow at this point, from 0 to 1.
    pub flow: f64,
    /// The distance along the channels to the furthest mouth, in cells.
    pub to_sea: f64,
}

/// The draws of a [`RiverDelta`], from [`RiverDelta::draw`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RiverDeltaDraws {
    /// For each column, the row of the coast before the delta existed.
    pub coast: Vec<f64>,
    /// The channels: a tree whose root is the source of the river.
    pub channels: Vec<ChannelNode>,
}

/// The row of the apex as a fraction of the map's height.
const APEX: f64 = 0.12;

/// The number of candidates per mouth.
const CANDIDATES: usize = 12;

/// The number of mouths at the rim of the fan. The others may be anywhere in its outer part.
const OUTERMOST: usize = 3;

/// The inner fraction of the fan, from the apex, that has no mouths.
const INNER: f64 = 0.35;

impl RiverDelta {
    /// Draws the old coast and the channels of a seed.
    ///
    /// The purpose of the random stream is `delta`. The draws are all uniform, in this order: phases and amplitudes of
    /// the three waves of the coast; two phases of the lobes of the fan; for each mouth the angles and distances of its
    /// twelve candidates, its weight from 0.3 to 1.3, and the waves of its channel (see `arm`).
    ///
    /// Parameters out of range are clamped to their range.
    pub fn draw(&self, size: MapSize, seed: u64) -> RiverDeltaDraws {
        let mut rng = SeededRng::new(seed, b"delta   ");
        let apex = [
            0.5 * (size.width() - 1) as f64,
            APEX * (size.height() - 1) as f64,
        ];
        let coast = coast(&mut rng, size, apex[1]);
        let mut tree = Tree::new(apex, self.step());
        let fan = Fan::new(self, apex, &mut rng);
        let mut mouths = Vec::new();
        for number in 0..self.mouths.clamp(1, 1000) as usize {
            let mouth = fan.mouth(number, &mouths, &mut rng);
            mouths.push(mouth);
            tree.join(mouth, self, &mut rng);
        }
        RiverDeltaDraws {
            coast,
            channels: tree.channels(),
        }
    }

    /// The distance between nodes in cells.
    pub(super) fn step(&self) -> f64 {
        (self.length.clamp(4.0, 16_384.0) / 150.0).max(1.0)
    }
}

/// The old coast: waves along the row `middle`, slightly inland of it.
fn coast(rng: &mut SeededRng, size: MapSize, middle: f64) -> Vec<f64> {
    let width = size.width() as f64;
    let waves = [1.3, 3.1, 7.7].map(|count| {
        let turns = count * core::f64::consts::TAU / width;
        (
            turns,
            rng.between(0.0, core::f64::consts::TAU),
            rng.between(0.1, 0.3) / count,
        )
    });
    let row = |x: usize| {
        let wave = |(turns, phase, height)| height * libm::sin(turns * x as f64 + phase);
        middle * (0.7 + waves.into_iter().map(wave).sum::<f64>())
    };
    (0..size.width()).map(row).collect()
}

/// The area of the mouths: a fan with lobes, longest to the south.
struct Fan {
    apex: [f64; 2],
    length: f64,
    spread: f64,
    phases: [f64; 2],
}

impl Fan {
    fn new(delta: &RiverDelta, apex: [f64; 2], rng: &mut SeededRng) -> Self {
        Self {
            apex,
            length: delta.length.clamp(4.0, 16_384.0),
            spread: delta.spread.clamp(0.0, 240.0).to_radians(),
            phases: [(); 2].map(|()| rng.between(0.0, core::f64::consts::TAU)),
        }
    }

    fn rim(&self, angle: f64) -> f64 {
        let lobe = |count: f64, phase| 1.0 + libm::sin(count * angle + phase);
        let lobes = 1.0 - 0.14 * lobe(3.0, self.phases[0]) - 0.05 * lobe(7.0, self.phases[1]);
        self.length * lobes * (0.62 + 0.38 * libm::cos(angle))
    }

    /// The next mouth: the candidate that is furthest from all other mouths.
    fn mouth(&self, number: usize, others: &[[f64; 2]], rng: &mut SeededRng) -> [f64; 2] {
        let mut best = (-1.0, self.apex);
        for _ in 0..CANDIDATES {
            let angle = (rng.unit() - 0.5) * self.spread;
            // The square root makes candidates uniform by area instead of crowding them at the
            // apex. The draw happens even when it is unused, so that all mouths take equally many
            // numbers.
            let out = INNER + (1.0 - INNER) * rng.unit().sqrt();
            let out = if number < OUTERMOST { 1.0 } else { out };
            let way = self.rim(angle) * out;
            let place = [
                self.apex[0] + way * libm::sin(angle),
                self.apex[1] + way * libm::cos(angle),
            ];
            let room = others
                .iter()
                .map(|&other| distance(place, other))
                // Without other mouths every candidate has the same room, and the first one wins.
                .fold(self.length, f64::min);
            if room > best.0 {
                best = (room, place);
            }
        }
        best.1
    }
}

/// The channels while they grow.
struct Tree {
    nodes: Vec<Node>,
    /// The index of the node at the apex. No channel branches above it.
    apex: usize,
    step: f64,
}

#[derive(Clone, Copy)]
struct Node {
    at: [f64; 2],
    /// The direction of the flow as a unit vector.
    heading: [f64; 2],
    upstream: Option<usize>,
    from_apex: f64,
    /// The weight of the water that leaves at this node, if it is a mouth.
    leaves: f64,
}

impl Tree {
    /// The river from the northern border to the apex.
    fn new([x, y]: [f64; 2], step: f64) -> Self {
        let steps = (y / step).ceil().max(1.0) as usize;
        let node = |number: usize| Node {
            at: [x, y * number as f64 / steps as f64],
            heading: [0.0, 1.0],
            upstream: number.checked_sub(1),
            from_apex: 0.0,
            leaves: 0.0,
        };
        Self {
            nodes: (0..=steps).map(node).collect(),
            apex: steps,
            step,
        }
    }

    /// Adds a channel to a new mouth.
    fn join(&mut self, mouth: [f64; 2], delta: &RiverDelta, rng: &mut SeededRng) {
        let from = self.cheapest(mouth, delta.directness.clamp(0.0, 1.0));
        let start = self.nodes[from];
        let outwards = minus(mouth, self.nodes[self.apex].at);
        let arm = Arm::new(start.at, start.heading, mouth, outwards);
        let winding = delta.winding.clamp(0.0, 3.0);
        let mut last = from;
        let weight = rng.between(0.3, 1.3);
        for at in arm.path(self.step, winding, rng) {
            let way = minus(at, self.nodes[last].at);
            let length = length(way);
            // A repeated point has no heading; dividing by its length would give NaN.
            if length == 0.0 {
                continue;
            }
            self.nodes.push(Node {
                at,
                heading: way.map(|part| part / length),
                upstream: Some(last),
                from_apex: self.nodes[last].from_apex + length,
                leaves: 0.0,
            });
            last = self.nodes.len() - 1;
        }
        self.nodes[last].leaves += weight;
    }

    /// The node from which a channel to the mouth costs the least.
    fn cheapest(&self, mouth: [f64; 2], directness: f64) -> usize {
        let price = |node: &Node| {
            let way = minus(mouth, node.at);
            let length = length(way);
            let cosine = (way[0] * node.heading[0] + way[1] * node.heading[1]) / length.max(1e-9);
            length * (2.0 - cosine) + directness * node.from_apex
        };
        let mut best = (f64::INFINITY, self.apex);
        // No channel leaves the river above its apex.
        for (number, node) in self.nodes.iter().enumerate().skip(self.apex) {
            let price = price(node);
            if price < best.0 {
                best = (price, number);
            }
        }
        best.1
    }

    /// The nodes, with what flows through each and how far it is to the sea.
    fn channels(&self) -> Vec<ChannelNode> {
        let mut flows: Vec<f64> = self.nodes.iter().map(|node| node.leaves).collect();
        let mut to_sea = vec![0.0_f64; flows.len()];
        // A node is always pushed after its upstream node. In reverse order each node is complete
        // before it is added to the one above.
        for (number, node) in self.nodes.iter().enumerate().rev() {
            if let Some(upstream) = node.upstream {
                flows[upstream] += flows[number];
                let way = distance(node.at, self.nodes[upstream].at);
                to_sea[upstream] = to_sea[upstream].max(to_sea[number] + way);
            }
        }
        // Every mouth weighs at least 0.3, so this is never 0.
        let river = flows[0];
        let node = |(number, node): (usize, &Node)| ChannelNode {
            x: node.at[0],
            y: node.at[1],
            upstream: node.upstream.map(|upstream| upstream as u32),
            flow: flows[number] / river,
            to_sea: to_sea[number],
        };
        self.nodes.iter().enumerate().map(node).collect()
    }
}

impl RiverDeltaDraws {
    /// Checks that the draws match a map of this size and form a tree.
    pub(super) fn validate(&self, size: MapSize) -> Result<(), ParamError> {
        let check = |fine, name, value, allowed: &str| {
            ParamError::check(fine, "delta draws", name, value, allowed)
        };
        let columns = self.coast.len();
        check(
            columns == size.width(),
            "coast",
            columns as f64,
            "the map's number of columns",
        )?;
        for &row in &self.coast {
            check(row.is_finite(), "coast", row, "finite")?;
        }
        for (number, node) in self.channels.iter().enumerate() {
            for (name, place) in [("x", node.x), ("y", node.y)] {
                check(place.abs() <= 1e6, name, place, "from -1000000 to 1000000")?;
            }
            check(
                (0.0..=1.0).contains(&node.flow),
                "flow",
                node.flow,
                "from 0 to 1",
            )?;
            check(
                (0.0..=1e9).contains(&node.to_sea),
                "to_sea",
                node.to_sea,
                "from 0 to 1000000000",
            )?;
            let upstream = node.upstream.map_or(-1.0, f64::from);
            let allowed = format!("less than {number}, the index of the node");
            check(upstream < number as f64, "upstream", upstream, &allowed)?;
        }
        Ok(())
    }

    /// For each cell, the top of the highest parabola there, as a negative height for the lower envelope; infinity if
    /// there is none.
    pub(super) fn tops(&self, delta: &RiverDelta, size: MapSize) -> Vec<f32> {
        let (width, height) = (size.width(), size.height());
        let mut tops = vec![f32::INFINITY; size.cells()];
        for (y, row) in tops.chunks_exact_mut(width).enumerate() {
            for (top, &coast) in row.iter_mut().zip(&self.coast) {
                if (y as f64) < coast {
                    let inland = (coast - y as f64) / coast;
                    *top = -(0.25 + 0.75 * inland) as f32;
                }
            }
        }
        let furthest = self
            .channels
            .iter()
            .map(|node| node.to_sea)
            .fold(0.0, f64::max)
            .max(1e-9);
        for node in &self.channels {
            let Some(upstream) = node
                .upstream
                .map(|upstream| &self.channels[upstream as usize])
            else {
                continue;
            };
            let top = -top(node, furthest, delta.reach) as f32;
            let way = minus([node.x, node.y], [upstream.x, upstream.y]);
            // Steps of half a cell or less, so that rounding never skips a cell of the line.
            let cells = (2.0 * length(way)).ceil().clamp(1.0, 1e5) as usize;
            for part in 0..cells {
                let share = part as f64 / cells as f64;
                let [x, y] =
                    [upstream.x + share * way[0], upstream.y + share * way[1]].map(libm::round);
                if (0.0..width as f64).contains(&x) && (0.0..height as f64).contains(&y) {
                    let cell = &mut tops[y as usize * width + x as usize];
                    // Tops are negative heights: the lowest value is the highest parabola.
                    *cell = cell.min(top);
                }
            }
        }
        tops
    }
}

/// The height of the parabola over a node; a height of 1 extends as far as `reach`. Near a mouth it extends no further
/// than the mouth, so that the plain ends where the channel does.
fn top(node: &ChannelNode, furthest: f64, reach: f64) -> f64 {
    let age = libm::pow(node.to_sea / furthest, 0.8);
    let fed = 0.4 + 0.6 * libm::pow(node.flow, 0.25);
    let mouth = node.to_sea / reach;
    (age * fed).min(0.8 * mouth * mouth)
}

pub(super) fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    length(minus(a, b))
}
