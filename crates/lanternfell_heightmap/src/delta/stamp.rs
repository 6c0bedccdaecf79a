//! Digs the bed of a channel between two of its nodes into the map.

use super::{
    ChannelNode, RiverDelta,
    channels::{length, minus},
};
use crate::Heightmap;

/// The depth of the bed of a channel with a half width of one cell. The depth is proportional to the square root of the
/// half width.
const DEPTH: f64 = 0.03;

/// The slope of the banks, in height per cell.
const BANK: f64 = 0.01;

/// The distance from the water's edge, in cells, within which banks lower the terrain.
const SHOULDER: f64 = 4.0;

/// A segment of a channel: a line whose width changes linearly from one end to the other.
pub(super) struct Banks {
    start: [f64; 2],
    way: [f64; 2],
    half_widths: [f64; 2],
}

impl Banks {
    pub(super) fn new(
        [from, to]: [&ChannelNode; 2],
        half_width: impl Fn(&ChannelNode) -> f64,
    ) -> Self {
        // Just after it branches, a channel is as wide as further downstream, not as wide as the river.
        let narrow = half_width(to);
        let start = [from.x, from.y];
        Self {
            start,
            way: minus([to.x, to.y], start),
            half_widths: [narrow.max(half_width(from).min(1.25 * narrow)), narrow],
        }
    }

    /// Lowers the cells around the segment to the bed and its banks.
    pub(super) fn dig(&self, map: &mut Heightmap) {
        let [xs, ys] = self.bounds(map);
        let width = map.width();
        for y in ys {
            for x in xs.clone() {
                let cell = &mut map.heights_mut()[y * width + x];
                *cell = cell.min(self.height([x as f64, y as f64]));
            }
        }
    }

    /// The columns and rows that the segment may change.
    fn bounds(&self, map: &Heightmap) -> [core::ops::Range<usize>; 2] {
        let around = self.half_widths[0].max(self.half_widths[1]) + SHOULDER;
        [(0, map.width()), (1, map.height())].map(|(axis, cells)| {
            let ends = [self.start[axis], self.start[axis] + self.way[axis]];
            let cell = |place: f64| place.clamp(0.0, cells as f64) as usize;
            cell(ends[0].min(ends[1]) - around)..cell(ends[0].max(ends[1]) + around + 1.0)
        })
    }

    /// The height of the bed or bank at a point; infinity if it is too far from this segment.
    fn height(&self, at: [f64; 2]) -> f32 {
        let off = minus(at, self.start);
        let squared = self.way[0] * self.way[0] + self.way[1] * self.way[1];
        let along = off[0] * self.way[0] + off[1] * self.way[1];
        let share = if squared > 0.0 {
            (along / squared).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let foot = [share * self.way[0], share * self.way[1]];
        let [first, last] = self.half_widths;
        let half = first + share * (last - first);
        let away = length(minus(off, foot));
        if away > half + SHOULDER {
            return f32::INFINITY;
        }
        let sea = f64::from(RiverDelta::SEA_LEVEL);
        let bank = sea + BANK * (away - half);
        if away >= half {
            return bank as f32;
        }
        let hollow = 1.0 - (away / half) * (away / half);
        (sea - (DEPTH * half.sqrt()).min(sea) * hollow) as f32
    }
}
