//! The ground under the water, while beds are cut into it: its heights in metres, and its triangles.
//!
//! Places are in cells, from the center of the first one. Between cells the ground is what is drawn: the
//! triangles of [`Surface`](crate::surface::Surface), cut from south-west to north-east.

use glam::DVec2;

use lanternfell_heightmap::{Heightmap, Scale};

/// Heights that can be changed.
#[derive(Debug, Clone)]
pub(super) struct Ground {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) heights: Vec<f32>,
    relief: f64,
}

/// A triangle of the ground: the cells at its corners.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    /// Column and row of its square's north-western cell.
    pub(super) square: (usize, usize),
    /// Its own corner, that in the north-east and that in the south-west.
    pub(super) cells: [usize; 3],
    south_east: bool,
}

impl Ground {
    pub(super) fn of(map: &Heightmap, scale: Scale) -> Self {
        Self {
            width: map.width(),
            height: map.height(),
            heights: map.heights().to_vec(),
            relief: scale.relief.into(),
        }
    }

    /// The height of a cell, in metres.
    pub(super) fn metres(&self, cell: usize) -> f64 {
        f64::from(self.heights[cell]) * self.relief
    }

    /// The height of a map's cell in metres, by this ground's relief.
    pub(super) fn metres_of(&self, height: f32) -> f64 {
        f64::from(height) * self.relief
    }

    /// Makes a cell this high, or lower by what an `f32` can not tell.
    ///
    /// Metres are never NaN: they are sums and products of `f64`, and no map in `f32` is high enough for these to
    /// become infinite.
    pub(super) fn set(&mut self, cell: usize, metres: f64) {
        debug_assert!(!metres.is_nan());
        let height = (metres / self.relief).clamp(f32::MIN.into(), f32::MAX.into()) as f32;
        let rounded_up = self.metres_of(height) > metres && height > f32::MIN;
        self.heights[cell] = if rounded_up {
            height.next_down()
        } else {
            height
        };
    }

    /// The nearest place that is on the map.
    pub(super) fn inside(&self, at: DVec2) -> DVec2 {
        let last = DVec2::new((self.width - 1) as f64, (self.height - 1) as f64);
        at.clamp(DVec2::ZERO, last)
    }

    /// The triangle there, or the nearest.
    pub(super) fn facet(&self, at: DVec2) -> Facet {
        // Casts saturate.
        let column = (at.x as usize).min(self.width - 2);
        let row = (at.y as usize).min(self.height - 2);
        let nw = row * self.width + column;
        let south_east = at.x - column as f64 + (at.y - row as f64) > 1.0;
        let own = if south_east { nw + self.width + 1 } else { nw };
        Facet {
            square: (column, row),
            cells: [own, nw + 1, nw + self.width],
            south_east,
        }
    }

    /// The height at that place, in metres.
    pub(super) fn at(&self, at: DVec2) -> f64 {
        self.facet(at).mix(at, |cell| self.metres(cell))
    }
}

impl Facet {
    /// How much each corner counts there.
    pub(super) fn weights(&self, at: DVec2) -> [f64; 3] {
        let part = at - DVec2::new(self.square.0 as f64, self.square.1 as f64);
        let [ne, sw] = if self.south_east {
            [1.0 - part.y, 1.0 - part.x]
        } else {
            [part.x, part.y]
        };
        [1.0 - ne - sw, ne, sw]
    }

    /// What corners have, mixed at that place.
    pub(super) fn mix(&self, at: DVec2, value: impl Fn(usize) -> f64) -> f64 {
        let weights = self.weights(at);
        let parts = self.cells.iter().zip(weights);
        parts.map(|(&cell, weight)| value(cell) * weight).sum()
    }
}

/// Cuts the way between two places where it crosses the sides of triangles: calls `each` with the part
/// of the way at which a piece begins, that at which it ends, and its middle. On a piece the ground is
/// straight.
pub(super) fn pieces(from: DVec2, to: DVec2, mut each: impl FnMut(f64, f64, DVec2)) {
    let mut cuts = vec![0.0, 1.0];
    for [a, b] in [
        [from.x, to.x],
        [from.y, to.y],
        [from.x + from.y, to.x + to.y],
    ] {
        let (low, high) = (a.min(b), a.max(b));
        let mut line = libm::floor(low) + 1.0;
        while line < high {
            cuts.push((line - a) / (b - a));
            line += 1.0;
        }
    }
    cuts.sort_unstable_by(f64::total_cmp);
    for pair in cuts.windows(2) {
        let (start, end) = (pair[0].clamp(0.0, 1.0), pair[1].clamp(0.0, 1.0));
        each(start, end, from.lerp(to, 0.5 * (start + end)));
    }
}
