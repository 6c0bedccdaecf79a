//! The terrain while beds are carved into it: its heights in meters, and its triangles.
//!
//! Positions are in cells, from the center of the first cell. Between cells, the ground consists of
//! the triangles of [`Surface`](crate::surface::Surface), which are split from south-west to
//! north-east.

use glam::DVec2;

use lanternfell_heightmap::{Heightmap, Scale};

/// A heightmap whose heights can be changed.
#[derive(Debug, Clone)]
pub(super) struct Ground {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) heights: Vec<f32>,
    relief: f64,
}

/// A triangle of the ground.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    /// The column and row of its square's north-west cell.
    pub(super) square: (usize, usize),
    /// The cells at its corners: its own corner, the north-east one and the south-west one.
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

    /// Returns the height of a cell in meters.
    pub(super) fn meters(&self, cell: usize) -> f64 {
        f64::from(self.heights[cell]) * self.relief
    }

    /// Converts a height of the map to meters.
    pub(super) fn meters_of(&self, height: f32) -> f64 {
        f64::from(height) * self.relief
    }

    /// Sets the height of a cell in meters. It is rounded down to an `f32`.
    ///
    /// It is never NaN: it results from sums and products in `f64`, which cannot overflow for
    /// heights in the range of `f32`.
    pub(super) fn set(&mut self, cell: usize, meters: f64) {
        debug_assert!(!meters.is_nan());
        let height = (meters / self.relief).clamp(f32::MIN.into(), f32::MAX.into()) as f32;
        let rounded_up = self.meters_of(height) > meters && height > f32::MIN;
        self.heights[cell] = if rounded_up {
            height.next_down()
        } else {
            height
        };
    }

    /// Returns the nearest position on the map.
    pub(super) fn inside(&self, at: DVec2) -> DVec2 {
        let last = DVec2::new((self.width - 1) as f64, (self.height - 1) as f64);
        at.clamp(DVec2::ZERO, last)
    }

    /// Returns the triangle at a position, or the nearest one.
    pub(super) fn facet(&self, at: DVec2) -> Facet {
        // `as` saturates.
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

    /// Returns the height at a position in meters.
    pub(super) fn at(&self, at: DVec2) -> f64 {
        self.facet(at).mix(at, |cell| self.meters(cell))
    }
}

impl Facet {
    /// Returns the weight of each corner at a position.
    pub(super) fn weights(&self, at: DVec2) -> [f64; 3] {
        let part = at - DVec2::new(self.square.0 as f64, self.square.1 as f64);
        let [ne, sw] = if self.south_east {
            [1.0 - part.y, 1.0 - part.x]
        } else {
            [part.x, part.y]
        };
        [1.0 - ne - sw, ne, sw]
    }

    /// Returns the weighted mean of a value of the corners at a position.
    pub(super) fn mix(&self, at: DVec2, value: impl Fn(usize) -> f64) -> f64 {
        let weights = self.weights(at);
        let parts = self.cells.iter().zip(weights);
        parts.map(|(&cell, weight)| value(cell) * weight).sum()
    }
}

/// Splits a segment where it crosses the sides of triangles.
///
/// Calls `each` with the start and the end of each piece, as fractions of the segment, and the
/// position of its middle. On a piece, the ground is linear.
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
