//! The surface of a river as a ribbon of triangles, with five vertices across.
//!
//! ```text
//!      0   1   2   3   4        the middle three are at the water level; the row is a
//!      o───o───o───o───o        little wider than the channel, so the outer two are in
//!      │ ╱ │ ╱ │ ╱ │ ╱ │        the banks; where a bank falls off, the outer two are
//!      o───o───o───o───o        lowered into the ground
//!      │ ╱ │ ╱ │ ╱ │ ╱ │  down
//! ```
//!
//! An edge must not hang in the air between its vertices either. Within one triangle of the ground,
//! the height under the edge is linear, so only the points where the edge crosses sides of
//! triangles need to be checked. Both ends of the edge are lowered by the largest gap.
//!
//! In tight bends, neighboring rows would cross on the inner side. There they are shortened.
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

/// Vertices per row.
pub(super) const ACROSS: usize = 5;

/// The distance of the outer vertices from the channel's edge in cells, so that they are in the
/// bank.
const MARGIN: f64 = 0.75;

/// The flow speed at each vertex of a row, as a fraction of the river's speed.
const SPEEDS: [f64; ACROSS] = [0.2, 0.85, 1.2, 0.85, 0.2];

/// The number of samples on both sides over which a slope is measured.
const SLOPE_REACH: usize = 3;

/// The depth in meters of a lowered outer vertex below the ground: invisible, but more than
/// rounding errors.
const BURIED: f64 = 0.005;

/// The maximum number of passes that shorten crossing rows by [`SHORTER`].
const SHORTENINGS: usize = 24;

const SHORTER: f64 = 0.85;

/// The triangles of a river's surface: rows of five vertices across it, from its start to its end.
///
/// All lists except `indices` have one entry per vertex.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RibbonMesh {
    /// The vertex positions in meters, in the frame of [`Surface`](crate::surface::Surface): x
    /// east, y up, z south.
    pub positions: Vec<[f32; 3]>,
    /// The flow velocity along x and z, in meters per second.
    pub flow: Vec<[f32; 2]>,
    /// The turbulence, from 0 (smooth) to 1 (a waterfall).
    pub turbulence: Vec<f32>,
    /// Texture coordinates in meters: the distance from the centerline (negative on the left,
    /// looking downstream), and the distance from the river's start along the centerline.
    pub distances: Vec<[f32; 2]>,
    /// Three vertex indices for each triangle, counterclockwise seen from above.
    pub indices: Vec<u32>,
}

/// A point on the centerline of a river.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RiverWaterPoint {
    /// The position of the water's surface in meters: x east, y up, z south.
    pub position: [f32; 3],
    /// Half the width of the channel, in meters.
    pub half_width: f32,
    /// A lower bound of the depth of the water here, in meters. It is 0 at a spring.
    pub depth: f32,
    /// The flow velocity along x and z, in meters per second.
    pub velocity: [f32; 2],
    /// The turbulence, from 0 (smooth) to 1 (a waterfall).
    pub turbulence: f32,
}

/// Converts between cells and meters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    size: MapSize,
    half: DVec2,
    spacing: f64,
    x: Axis,
    z: Axis,
}

impl Frame {
    /// Creates the frame of a map whose cells are `spacing` meters apart.
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

    /// Returns the size of the map in cells.
    pub(super) fn size(&self) -> MapSize {
        self.size
    }

    /// Returns the distance between two cells in meters.
    pub(super) fn spacing(&self) -> f32 {
        self.spacing as f32
    }

    /// Returns the position in meters of a position in cells with this height.
    pub(super) fn position(&self, at: DVec2, height: f64) -> [f32; 3] {
        let place = self.meters(at);
        [place.x as f32, finite(height), place.y as f32]
    }

    /// Converts a position in cells to meters.
    pub(super) fn meters(&self, at: DVec2) -> DVec2 {
        (at - self.half) * self.spacing
    }

    /// Returns the center of a cell with this height, bit-identical to the vertex of the terrain.
    pub(super) fn vertex(&self, column: usize, row: usize, height: f64) -> [f32; 3] {
        [
            self.x.line(column as u32),
            finite(height),
            self.z.line(row as u32),
        ]
    }

    /// Returns the position of the last cell.
    pub(super) fn last(&self) -> DVec2 {
        self.half * 2.0
    }

    /// Converts a position in meters to cells.
    pub(super) fn cells(&self, x: f64, z: f64) -> DVec2 {
        DVec2::new(x, z) / self.spacing + self.half
    }
}

/// Clamps a number to the finite range of `f32`. NaN stays NaN.
pub(super) fn finite(meters: f64) -> f32 {
    meters.clamp(f32::MIN.into(), f32::MAX.into()) as f32
}

/// Returns the centerline and the mesh of a channel.
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

/// Returns the distance of each sample from the first one along the river, in meters.
fn alongs(samples: &[Sample], spacing: f64) -> Vec<f64> {
    let mut along = 0.0;
    let mut alongs = vec![0.0];
    for pair in samples.windows(2) {
        along += pair[0].at.distance(pair[1].at) * spacing;
        alongs.push(along);
    }
    alongs
}

/// Returns the slope of the water around a sample.
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

/// Returns the vertex positions in cells.
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

/// Lowers the edges so that they do not hang over the ground or over standing water. The edges are
/// both sides, and at a spring also the first row.
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
        // The edge may touch standing water at the same level: then it is not lowered.
        *height -= if sunk > BURIED { sunk + BURIED } else { 0.0 };
    }
}

/// Returns the triangles between rows, without those of zero area.
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

/// Returns twice the area of a triangle seen from above, positive if it is counterclockwise.
pub(super) fn doubled_area([a, b, c]: [[f32; 3]; 3]) -> f64 {
    let [a, b, c] = [a, b, c].map(|[x, _, z]| DVec2::new(x.into(), z.into()));
    // z points south, so a clockwise turn in coordinates is counterclockwise seen from above.
    -(b - a).perp_dot(c - a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counterclockwise_area_is_positive() {
        // North-west, south-west, north-east, like the surface's triangles.
        let corners = [[0.0, 5.0, 0.0], [0.0, 5.0, 1.0], [1.0, 5.0, 0.0]];
        assert_eq!(doubled_area(corners), 1.0);
    }

    #[test]
    fn folded_triangles_are_flipped() {
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
