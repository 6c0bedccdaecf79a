//! Carves river beds into the ground, and raises banks where the ground is too low to hold the
//! water.
//!
//! ```text
//!    ground ──.                    .──         each cell is shaped by the river whose edge
//!              `·.   water     _.-´            is nearest: in the channel by a parabola,
//!                 `·.________.·´  bank         beyond it by a bank that slopes up to
//!                     `-..-´                   the ground and fades out
//! ```
//!
//! In the channel, the ground is cut to the depth of the water below its level. Banks are cut by
//! at most [`BANK_CUT`] depths and raised by at most [`LEVEE`] depths. Nothing changes further
//! from a channel than its half width plus [`REACH`] cells.
//!
//! The cells of a map may be coarser than the channel. At the end, each triangle under a
//! centerline is therefore lowered by the amount that it is still too high.
//!
//! Cost: O(samples) times the cells around each. Memory: 12 bytes per cell.

use glam::DVec2;

use super::{
    channel::{Channel, Sample},
    ground::{Ground, pieces},
    standing::Standing,
};
use lanternfell_heightmap::{Canceled, Progress};

/// How far a bank extends beyond the channel plus its half width, in cells.
pub(super) const REACH: f64 = 2.0;

/// The most that a bank is cut, in depths.
pub(super) const BANK_CUT: f64 = 2.0;

/// The most that a bank is raised, in depths.
pub(super) const LEVEE: f64 = 1.5;

/// How far beyond the channel a raised bank keeps its height, in cells. It must be enough for the
/// triangles at the waterline to be held up by it.
const CREST: f64 = 1.2;

/// The height of a raised bank above the water, as a share of the depth.
const CREST_HEIGHT: f64 = 0.1;

/// How much deeper than the water a bed is cut: triangles between cells are higher than the
/// parabola through them.
const DEEPER: f64 = 1.25;

/// The nearest channel of a cell.
#[derive(Debug, Clone, Copy)]
struct Near {
    /// The distance from the channel's edge, in cells; negative inside the channel.
    beyond: f32,
    /// The number of the sample upstream, counted over all channels.
    sample: u32,
    /// The fraction of the way to the next sample.
    part: f32,
}

/// The nearest channel of each cell that is close to a river.
///
/// Few cells are, so most pages of `numbers` are never touched.
struct Nearest {
    /// For each cell of the map, its position in `cells` counted from 1, or 0.
    numbers: Vec<u32>,
    /// The cells in the order in which they were found.
    cells: Vec<(usize, Near)>,
}

impl Nearest {
    /// Records this channel if it is nearer than all others.
    fn offer(&mut self, cell: usize, near: Near) {
        let number = &mut self.numbers[cell];
        if *number == 0 {
            self.cells.push((cell, near));
            *number = self.cells.len() as u32;
            return;
        }
        let (_, nearest) = &mut self.cells[*number as usize - 1];
        // Strict, so that of equal segments the first one stays.
        if near.beyond < nearest.beyond {
            *nearest = near;
        }
    }
}

/// Carves the beds of all channels. `bank_slope` is a tangent, `spacing` is in meters.
pub(super) fn carve(
    ground: &mut Ground,
    channels: &[Channel],
    standing: &Standing,
    (bank_slope, spacing): (f64, f64),
    progress: &Progress,
) -> Result<(), Canceled> {
    let mut nearest = Nearest {
        numbers: vec![0; ground.heights.len()],
        cells: Vec::new(),
    };
    let mut first = 0;
    // First find the nearest channel of every cell, then shape each cell once from its original
    // height. Shaping river by river would let a later one carve the banks of an earlier one.
    for (done, channel) in channels.iter().enumerate() {
        progress.span(0.0, 0.7).step(done, channels.len())?;
        for (at, pair) in channel.samples.windows(2).enumerate() {
            reach(pair, first + at as u32, ground, &mut nearest);
        }
        first += channel.samples.len() as u32;
    }
    let samples: Vec<Sample> = channels
        .iter()
        .flat_map(|channel| channel.samples.iter().copied())
        .collect();
    for (cell, near) in nearest.cells {
        // A recorded sample is always the first of a pair, so the next one belongs to the same
        // channel.
        let (from, to) = (
            samples[near.sample as usize],
            samples[near.sample as usize + 1],
        );
        let here = between(&from, &to, near.part.into());
        let standing_there = standing.lake(cell).is_some() || ground.meters(cell) <= standing.sea;
        let shape = Shape {
            here,
            bank_slope,
            spacing,
            standing_there,
        };
        let height = shape.of(ground.meters(cell), near.beyond.into());
        if height != ground.meters(cell) {
            ground.set(cell, height);
        }
    }
    for (done, channel) in channels.iter().enumerate() {
        progress.span(0.7, 1.0).step(done, channels.len())?;
        for pair in channel.samples.windows(2) {
            press(pair, ground);
        }
    }
    progress.step(1, 1)
}

fn between(from: &Sample, to: &Sample, part: f64) -> Sample {
    let mix = |from: f64, to: f64| from + (to - from) * part;
    Sample {
        at: from.at.lerp(to.at, part),
        surface: mix(from.surface, to.surface),
        depth: mix(from.depth, to.depth),
        half_width: mix(from.half_width, to.half_width),
    }
}

/// Records this segment for the cells to which it is nearer than all earlier segments.
fn reach(pair: &[Sample], number: u32, ground: &Ground, nearest: &mut Nearest) {
    let (from, to) = (pair[0], pair[1]);
    // A cell counts up to `half_width + REACH` from the edge, and the edge is another
    // `half_width` from the centerline.
    let most = 2.0 * from.half_width.max(to.half_width) + REACH;
    let low = ground.inside(from.at.min(to.at) - most);
    let high = ground.inside(from.at.max(to.at) + most);
    let way = to.at - from.at;
    let length_squared = way.length_squared();
    for row in libm::ceil(low.y) as usize..=high.y as usize {
        for column in libm::ceil(low.x) as usize..=high.x as usize {
            let offset = DVec2::new(column as f64, row as f64) - from.at;
            let part = if length_squared > 0.0 {
                (offset.dot(way) / length_squared).clamp(0.0, 1.0)
            } else {
                0.0
            };
            let half_width = from.half_width + (to.half_width - from.half_width) * part;
            let beyond = (offset - way * part).length() - half_width;
            let cell = row * ground.width + column;
            // The nearest edge wins, not the nearest centerline: otherwise a brook would cut into
            // the bed of a wide river.
            if beyond < half_width + REACH {
                let near = Near {
                    beyond: beyond as f32,
                    sample: number,
                    part: part as f32,
                };
                nearest.offer(cell, near);
            }
        }
    }
}

/// The cross section of the ground at a river.
struct Shape {
    /// The nearest point on its centerline.
    here: Sample,
    bank_slope: f64,
    spacing: f64,
    /// Whether the cell is under a lake or the sea.
    standing_there: bool,
}

impl Shape {
    /// The new height of a cell of height `ground`, at `beyond` cells from the channel's edge.
    fn of(&self, ground: f64, beyond: f64) -> f64 {
        let Sample {
            surface,
            depth,
            half_width,
            ..
        } = self.here;
        if beyond <= 0.0 {
            // 0 on the centerline and 1 at the edge, where the depth is 0. There the bank
            // continues at the same height.
            let part = 1.0 + beyond / half_width;
            return ground.min(surface - DEEPER * depth * (1.0 - part * part));
        }
        let rise = |cells: f64| self.bank_slope * self.spacing * cells;
        // 1 at the edge and 0 where the bank ends, both with slope 0. The carved ground meets the
        // rest without a crease.
        let fade = 1.0 - smooth(beyond / (half_width + REACH));
        let above = ground - surface - rise(beyond);
        let height = ground - above.clamp(0.0, BANK_CUT * depth) * fade;
        // A levee in a lake or in the sea would cut the river off from it.
        if self.standing_there {
            return height;
        }
        // After the cut, so that a bank that was cut down to the water still gets a crest.
        let crest = surface + CREST_HEIGHT * depth - rise((beyond - CREST).max(0.0));
        height + (crest - height).clamp(0.0, LEVEE * depth) * fade
    }
}

/// Smoothstep from 0 to 1.
fn smooth(part: f64) -> f64 {
    let part = part.clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// Lowers the triangles under the segment between two samples to the bed.
fn press(pair: &[Sample], ground: &mut Ground) {
    let (from, to) = (&pair[0], &pair[1]);
    let [a, b] = [from, to].map(|sample| ground.inside(sample.at));
    pieces(a, b, |start, end, middle| {
        let facet = ground.facet(middle);
        // On one triangle, ground and bed are both linear along the segment. The largest excess
        // is therefore at one end of the piece.
        let excess = [start, end].map(|part| {
            let bed = between(from, to, part);
            let at = a.lerp(b, part);
            facet.mix(at, |cell| ground.meters(cell)) - (bed.surface - bed.depth)
        });
        let excess = excess[0].max(excess[1]);
        // Lowering all corners by the excess lowers the whole triangle by it. Cells only ever go
        // down, so pieces that were pressed before stay low enough.
        if excess > 0.0 {
            // Along a side of two triangles the third corner has no part in it.
            let under = facet.cells.into_iter().zip(facet.weights(middle));
            for (cell, _) in under.filter(|&(_, weight)| weight > 1e-6) {
                ground.set(cell, ground.meters(cell) - excess);
            }
        }
    });
}
