//! A river's surface as a ribbon of triangles, five vertices across.
//!
//! ```text
//!      0   1   2   3   4        the middle three at the water's height, a little wider
//!      o───o───o───o───o        than the channel; the outer two as high too, but in the
//!      │ ╱ │ ╱ │ ╱ │ ╱ │        ground: where they would hang over a bank that falls
//!      o───o───o───o───o        off, they are sunk into it
//!      │ ╱ │ ╱ │ ╱ │ ╱ │  down
//! ```
//!
//! An edge must not hang between its vertices either. Along it the ground is straight from one side of a triangle
//! to the next, so looking at these places is enough: both ends of a piece are sunk by the most that it hangs.
//!
//! In tight bends rows would cross at the inner side; there they are made shorter.
//!
//! Cost: O(rows), each with the few triangles that it crosses.

use glam::DVec2;
use lanternfell_heightmap::MapSize;
use serde::{Deserialize, Serialize};

use super::{
    InlandWater,
    channel::{Channel, Sample, direction},
    ground::{Ground, pieces},
    hydraulics::turbulence,
    standing::Standing,
};
use crate::surface::Axis;

/// Vertices in a row.
pub(super) const ACROSS: usize = 5;

/// How far the outer vertices lie beyond the channel's edge, in cells: in the bank, whose cells are so wide.
const MARGIN: f64 = 0.75;

/// How fast water flows at each vertex of a row, as a part of its speed.
const SPEEDS: [f64; ACROSS] = [0.2, 0.85, 1.2, 0.85, 0.2];

/// How many samples to both sides a slope is taken over.
const SLOPE_REACH: usize = 3;

/// How far an outer vertex is under the ground where it was sunk, in metres: less than anybody sees, more than
/// numbers are off.
const BURIED: f64 = 0.005;

/// How often rows that cross are made shorter, by [`SHORTER`].
const SHORTENINGS: usize = 24;

const SHORTER: f64 = 0.85;

/// The triangles of a river's surface: rows of five vertices across it, from its beginning to its end, in metres.
///
/// All lists but the last have one entry for each vertex.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RibbonMesh {
    /// Where vertices lie, as those of [`Surface`](crate::surface::Surface) do: x east, y up, z south.
    pub positions: Vec<[f32; 3]>,
    /// Which way and how fast water flows, along x and z, in metres per second.
    pub flow: Vec<[f32; 2]>,
    /// How rough the water is, from 0, smooth, to 1, a fall.
    pub turbulence: Vec<f32>,
    /// For textures: how far from the middle, less than 0 on the first side, and how far from the river's
    /// beginning, along its middle; in metres.
    pub distances: Vec<[f32; 2]>,
    /// Three vertices for each triangle, counter-clockwise seen from above.
    pub indices: Vec<u32>,
}

/// A place in the middle of a river.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RiverWaterPoint {
    /// Where the water's surface is, in metres: x east, y up, z south.
    pub position: [f32; 3],
    /// Half of the channel's width, in metres.
    pub half_width: f32,
    /// How deep the water is at least, in metres; 0 at a spring.
    pub depth: f32,
    /// Which way and how fast water flows, along x and z, in metres per second.
    pub velocity: [f32; 2],
    /// How rough the water is, from 0, smooth, to 1, a fall.
    pub turbulence: f32,
}

/// From cells to metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    size: MapSize,
    half: DVec2,
    spacing: f64,
    x: Axis,
    z: Axis,
}

impl Frame {
    /// Of a map whose cells are `spacing` meters apart.
    pub(super) fn new(size: MapSize, spacing: f32) -> Self {
        let (width, height) = (size.width(), size.height());
        let half = DVec2::new((width - 1) as f64, (height - 1) as f64) * 0.5;
        Self {
            size,
            half,
            spacing: spacing.into(),
            x: Axis::new(width, spacing),
            z: Axis::new(height, spacing),
        }
    }

    /// The size of the map in cells.
    pub(super) fn size(&self) -> MapSize {
        self.size
    }

    /// Metres from one cell to the next.
    pub(super) fn spacing(&self) -> f32 {
        self.spacing as f32
    }

    /// A place so high, in metres.
    pub(super) fn position(&self, at: DVec2, height: f64) -> [f32; 3] {
        let place = self.metres(at);
        [place.x as f32, finite(height), place.y as f32]
    }

    /// The place in metres of a place in cells.
    pub(super) fn metres(&self, at: DVec2) -> DVec2 {
        (at - self.half) * self.spacing
    }

    /// The center of a cell so high, exactly where the ground's vertex is drawn.
    pub(super) fn vertex(&self, column: usize, row: usize, height: f64) -> [f32; 3] {
        [
            self.x.line(column as u32),
            finite(height),
            self.z.line(row as u32),
        ]
    }

    /// The last cell.
    pub(super) fn last(&self) -> DVec2 {
        self.half * 2.0
    }

    /// The place in cells of a place in metres.
    pub(super) fn cells(&self, x: f64, z: f64) -> DVec2 {
        DVec2::new(x, z) / self.spacing + self.half
    }
}

/// The nearest number that is finite, and not a number only where this is not.
pub(super) fn finite(metres: f64) -> f32 {
    metres.clamp(f32::MIN.into(), f32::MAX.into()) as f32
}

/// What is drawn of a channel.
pub(super) fn ribbon(
    channel: &Channel,
    settings: &InlandWater,
    frame: &Frame,
    ground: &Ground,
    standing: &Standing,
) -> (Vec<RiverWaterPoint>, RibbonMesh) {
    let samples = &channel.samples;
    let alongs = alongs(samples, frame.spacing);
    let places = rows(samples, ground);
    let mut heights: Vec<f64> = Vec::with_capacity(places.len());
    for sample in samples {
        heights.extend([sample.surface; ACROSS]);
    }
    sink(channel.spring, &places, &mut heights, ground, standing);
    let mut points = Vec::with_capacity(samples.len());
    let mut mesh = RibbonMesh::default();
    for (at, sample) in samples.iter().enumerate() {
        let slope = slope(samples, &alongs, at);
        let speed = settings.speed(sample.depth, slope);
        let way = direction(samples, at);
        let flow = |part: f64| [(way.x * speed * part) as f32, (way.y * speed * part) as f32];
        let turbulence = turbulence(slope) as f32;
        points.push(RiverWaterPoint {
            position: frame.position(sample.at, sample.surface),
            half_width: (sample.half_width * frame.spacing) as f32,
            depth: finite(sample.depth),
            velocity: flow(1.0),
            turbulence,
        });
        for vertex in at * ACROSS..(at + 1) * ACROSS {
            let across = places[vertex].distance(sample.at) * frame.spacing;
            let side = if vertex - at * ACROSS < ACROSS / 2 {
                -across
            } else {
                across
            };
            mesh.positions
                .push(frame.position(places[vertex], heights[vertex]));
            mesh.flow.push(flow(SPEEDS[vertex - at * ACROSS]));
            mesh.turbulence.push(turbulence);
            mesh.distances.push([side as f32, alongs[at] as f32]);
        }
    }
    mesh.indices = indices(&mesh.positions);
    (points, mesh)
}

/// How far each sample is from the first, in metres.
fn alongs(samples: &[Sample], spacing: f64) -> Vec<f64> {
    let mut along = 0.0;
    let mut alongs = vec![0.0];
    for pair in samples.windows(2) {
        along += pair[0].at.distance(pair[1].at) * spacing;
        alongs.push(along);
    }
    alongs
}

/// How steep the water is around a sample.
fn slope(samples: &[Sample], alongs: &[f64], at: usize) -> f64 {
    let before = at.saturating_sub(SLOPE_REACH);
    let after = (at + SLOPE_REACH).min(samples.len() - 1);
    let length = alongs[after] - alongs[before];
    let fall = samples[before].surface - samples[after].surface;
    if length > 0.0 {
        (fall / length).max(0.0)
    } else {
        0.0
    }
}

/// Where the vertices lie, in cells.
fn rows(samples: &[Sample], ground: &Ground) -> Vec<DVec2> {
    let side = |at: usize| {
        let along = direction(samples, at);
        DVec2::new(along.y, -along.x)
    };
    let sides: Vec<DVec2> = (0..samples.len()).map(side).collect();
    let full = samples.iter().map(|sample| sample.half_width + MARGIN);
    let mut lengths: Vec<[f64; 2]> = full.map(|length| [length; 2]).collect();
    let end = |lengths: &[[f64; 2]], at: usize, side: usize| {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        samples[at].at + sides[at] * (sign * lengths[at][side])
    };
    for _ in 0..SHORTENINGS {
        let mut crossed = false;
        for at in 1..samples.len() {
            let way = samples[at].at - samples[at - 1].at;
            for side in 0..2 {
                let edge = end(&lengths, at, side) - end(&lengths, at - 1, side);
                if edge.dot(way) <= 0.0 && way != DVec2::ZERO {
                    lengths[at][side] *= SHORTER;
                    lengths[at - 1][side] *= SHORTER;
                    crossed = true;
                }
            }
        }
        if !crossed {
            break;
        }
    }
    let mut places = Vec::with_capacity(ACROSS * samples.len());
    for (at, sample) in samples.iter().enumerate() {
        for part in [-1.0, -0.5, 0.0, 0.5, 1.0_f64] {
            let length = lengths[at][usize::from(part > 0.0)];
            places.push(ground.inside(sample.at - sides[at] * (part * length)));
        }
    }
    places
}

/// Sinks the edges so that they hang nowhere over the ground or water that stands: both sides, and at a spring
/// the first row.
fn sink(spring: bool, places: &[DVec2], heights: &mut [f64], ground: &Ground, standing: &Standing) {
    let rows = places.len() / ACROSS;
    let edges = (1..rows).flat_map(|row| {
        let (above, here) = ((row - 1) * ACROSS, row * ACROSS);
        [[above, here], [above + ACROSS - 1, here + ACROSS - 1]]
    });
    let first = (1..ACROSS).map(|vertex| [vertex - 1, vertex]);
    let edges: Vec<[usize; 2]> = edges.chain(first.filter(|_| spring)).collect();
    let mut sunk = vec![0.0_f64; places.len()];
    for [a, b] in edges {
        let (from, to) = (places[a], places[b]);
        pieces(from, to, |start, end, middle| {
            let facet = ground.facet(middle);
            for part in [start, end] {
                let edge = heights[a] + (heights[b] - heights[a]) * part;
                let top = standing.top(ground, &facet, from.lerp(to, part));
                for vertex in [a, b] {
                    sunk[vertex] = sunk[vertex].max(edge - top);
                }
            }
        });
    }
    for (height, sunk) in heights.iter_mut().zip(sunk) {
        // Water that stands at the same level is no bank.
        *height -= if sunk > BURIED { sunk + BURIED } else { 0.0 };
    }
}

/// The triangles between rows; those of no area are left out.
fn indices(positions: &[[f32; 3]]) -> Vec<u32> {
    let rows = positions.len() / ACROSS;
    let mut indices = Vec::with_capacity(6 * (ACROSS - 1) * rows);
    for row in 1..rows {
        for column in 1..ACROSS {
            let d = (row * ACROSS + column) as u32;
            let (a, b, c) = (d - ACROSS as u32 - 1, d - ACROSS as u32, d - 1);
            for [first, second, third] in [[a, c, b], [b, c, d]] {
                let area = doubled_area([first, second, third].map(|at| positions[at as usize]));
                if area > 0.0 {
                    indices.extend([first, second, third]);
                } else if area < 0.0 {
                    indices.extend([first, third, second]);
                }
            }
        }
    }
    indices
}

/// Twice a triangle's area seen from above, more than 0 where it is counter-clockwise.
pub(super) fn doubled_area([a, b, c]: [[f32; 3]; 3]) -> f64 {
    let [a, b, c] = [a, b, c].map(|[x, _, z]| DVec2::new(x.into(), z.into()));
    // z runs south, so that what turns right in numbers turns left to the eye.
    -(b - a).perp_dot(c - a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counter_clockwise_is_seen_from_above() {
        // North-west, south-west, north-east, as the surface's own triangles.
        let corners = [[0.0, 5.0, 0.0], [0.0, 5.0, 1.0], [1.0, 5.0, 0.0]];
        assert_eq!(doubled_area(corners), 1.0);
    }

    #[test]
    fn triangles_that_are_folded_are_turned_over() {
        let row = |z: f32| (0..ACROSS).map(move |x| [x as f32, 0.0, z]);
        let straight: Vec<[f32; 3]> = row(0.0).chain(row(1.0)).collect();
        let folded: Vec<[f32; 3]> = row(0.0).chain(row(-1.0)).collect();
        let flat: Vec<[f32; 3]> = row(0.0).chain(row(0.0)).collect();
        for (positions, triangles) in [(&straight, 8), (&folded, 8), (&flat, 0)] {
            let indices = indices(positions);
            assert_eq!(indices.len(), 3 * triangles);
            for corners in indices.as_chunks::<3>().0 {
                assert!(doubled_area(corners.map(|at| positions[at as usize])) > 0.0);
            }
        }
    }
}
