//! Beds: the ground is cut where rivers run, and banks raised where it is too low to hold them.
//!
//! ```text
//!    ground ──.                    .──         each cell is shaped by the river whose edge
//!              `·.   water     _.-´            is nearest: in the channel by a parabola,
//!                 `·.________.·´  bank         beyond it by a bank that slopes up to
//!                     `-..-´                   the ground and fades out
//! ```
//!
//! How much: in the channel down to the water's level, which is that of the cells it runs through, and its depth
//! below; on banks never more than [`BANK_CUT`] depths. Banks are raised by at most [`LEVEE`] depths. Nothing is
//! changed further from a channel than its own half width and [`REACH`] cells.
//!
//! A map's cells may be coarser than the channel; so at the end each triangle under a river's middle is pressed
//! down by what it is still too high.
//!
//! Cost: O(samples) times the cells around each. Memory: 12 bytes a cell.

use glam::DVec2;

use super::{
    channel::{Channel, Sample},
    ground::{Ground, pieces},
    standing::Standing,
};
use lanternfell_heightmap::{Cancelled, Progress};

/// How far a bank reaches beyond the channel and its half width, in cells.
pub(super) const REACH: f64 = 2.0;

/// By how many depths a bank is cut at most.
pub(super) const BANK_CUT: f64 = 2.0;

/// By how many depths a bank is raised at most.
pub(super) const LEVEE: f64 = 1.5;

/// How far beyond the channel a raised bank keeps its height, in cells: so far that the triangles at the
/// water's edge are held by it.
const CREST: f64 = 1.2;

/// By which part of the depth a raised bank stands above the water.
const CREST_HEIGHT: f64 = 0.1;

/// How much deeper than the water must be a bed is cut: between cells the ground of a parabola is higher.
const DEEPER: f64 = 1.25;

/// No river is near.
const NOWHERE: u32 = u32::MAX;

/// Which channel is nearest to a cell.
#[derive(Debug, Clone, Copy)]
struct Near {
    /// From the channel's edge, in cells; less than 0 within it.
    beyond: f32,
    /// The number of the sample before, counted over all channels.
    sample: u32,
    /// Which part of the way to the next one.
    part: f32,
}

/// Cuts the beds of all channels. `bank_slope` is a tangent, `spacing` in metres.
pub(super) fn carve(
    ground: &mut Ground,
    channels: &[Channel],
    standing: &Standing,
    (bank_slope, spacing): (f64, f64),
    progress: &Progress,
) -> Result<(), Cancelled> {
    let nowhere = Near {
        beyond: f32::INFINITY,
        sample: NOWHERE,
        part: 0.0,
    };
    let mut near = vec![nowhere; ground.heights.len()];
    let mut touched = Vec::new();
    let mut first = 0;
    for (done, channel) in channels.iter().enumerate() {
        progress.span(0.0, 0.7).step(done, channels.len())?;
        for (at, pair) in channel.samples.windows(2).enumerate() {
            reach(pair, first + at as u32, ground, &mut near, &mut touched);
        }
        first += channel.samples.len() as u32;
    }
    let samples: Vec<Sample> = channels
        .iter()
        .flat_map(|channel| channel.samples.iter().copied())
        .collect();
    for &cell in &touched {
        let near = near[cell];
        let (from, to) = (
            samples[near.sample as usize],
            samples[near.sample as usize + 1],
        );
        let here = between(&from, &to, near.part.into());
        let standing_there = standing.lake(cell).is_some() || ground.metres(cell) <= standing.sea;
        let shape = Shape {
            here,
            bank_slope,
            spacing,
            standing_there,
        };
        let height = shape.of(ground.metres(cell), near.beyond.into());
        if height != ground.metres(cell) {
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

/// Notes the cells to which the way between two samples is nearer than any before.
fn reach(
    pair: &[Sample],
    number: u32,
    ground: &Ground,
    near: &mut [Near],
    touched: &mut Vec<usize>,
) {
    let (from, to) = (pair[0], pair[1]);
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
            if beyond < half_width + REACH && (beyond as f32) < near[cell].beyond {
                if near[cell].sample == NOWHERE {
                    touched.push(cell);
                }
                near[cell] = Near {
                    beyond: beyond as f32,
                    sample: number,
                    part: part as f32,
                };
            }
        }
    }
}

/// How the ground lies at a river.
struct Shape {
    /// The nearest place in its middle.
    here: Sample,
    bank_slope: f64,
    spacing: f64,
    /// Whether the cell is under water that stands.
    standing_there: bool,
}

impl Shape {
    /// How high a cell becomes that is `ground` high, so many cells beyond the channel's edge.
    fn of(&self, ground: f64, beyond: f64) -> f64 {
        let Sample {
            surface,
            depth,
            half_width,
            ..
        } = self.here;
        if beyond <= 0.0 {
            let part = 1.0 + beyond / half_width;
            return ground.min(surface - DEEPER * depth * (1.0 - part * part));
        }
        let rise = |cells: f64| self.bank_slope * self.spacing * cells;
        let fade = 1.0 - smooth(beyond / (half_width + REACH));
        let above = ground - surface - rise(beyond);
        let height = ground - above.clamp(0.0, BANK_CUT * depth) * fade;
        if self.standing_there {
            return height;
        }
        let crest = surface + CREST_HEIGHT * depth - rise((beyond - CREST).max(0.0));
        height + (crest - height).clamp(0.0, LEVEE * depth) * fade
    }
}

/// From 0 to 1, without corners.
fn smooth(part: f64) -> f64 {
    let part = part.clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// Lowers the triangles under the way between two samples to the bed.
fn press(pair: &[Sample], ground: &mut Ground) {
    let (from, to) = (&pair[0], &pair[1]);
    let [a, b] = [from, to].map(|sample| ground.inside(sample.at));
    pieces(a, b, |start, end, middle| {
        let facet = ground.facet(middle);
        let excess = [start, end].map(|part| {
            let bed = between(from, to, part);
            let at = a.lerp(b, part);
            facet.mix(at, |cell| ground.metres(cell)) - (bed.surface - bed.depth)
        });
        let excess = excess[0].max(excess[1]);
        if excess > 0.0 {
            // Along a side of two triangles the third corner has no part in it.
            let under = facet.cells.into_iter().zip(facet.weights(middle));
            for (cell, _) in under.filter(|&(_, weight)| weight > 1e-6) {
                ground.set(cell, ground.metres(cell) - excess);
            }
        }
    });
}
