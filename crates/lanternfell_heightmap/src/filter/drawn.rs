//! How far each cell is from drawn lines, exactly.
//!
//! Problem: a coast of 1000 points and a million cells are a thousand million distances.
//!
//! Idea: few lines can be the nearest to any cell of a small tile. If the tile's middle is
//! `d` from the nearest line, and no cell is further than `h` from the middle, then a
//! line further than `d + 2 h` from the middle is not the nearest to any of them.
//!
//! ```text
//!   +-----+     ______ nearest to the middle: d
//!   |  .  |
//!   +-----+            ______ within d + 2 h: perhaps
//!    <h>
//!                                   ______ never
//! ```
//!
//! Steps: for each tile of 32 x 32 cells, measure all lines from its middle, keep the
//! possible ones, and take the nearest of those for each cell.
//!
//! Cost: lines / 1024 + a few distances per cell; scratch of one index per line and thread.

use crate::MapSize;

/// Cells along a tile's side.
pub(super) const TILE: usize = 32;

/// A place in cells.
pub(super) type Place = (f64, f64);

/// A straight line between two places; a point where both are the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    from: Place,
    along: Place,
    /// One over its length's square; 0 for a point.
    scale: f64,
}

impl Segment {
    pub(super) fn new(from: Place, to: Place) -> Self {
        let along = (to.0 - from.0, to.1 - from.1);
        let square = along.0 * along.0 + along.1 * along.1;
        Self {
            from,
            along,
            scale: if square > 0.0 { 1.0 / square } else { 0.0 },
        }
    }

    /// The square of the distance of `at`, and the nearest point's share of the way along.
    fn nearest(&self, at: Place) -> (f64, f64) {
        let (x, y) = (at.0 - self.from.0, at.1 - self.from.1);
        let share = ((x * self.along.0 + y * self.along.1) * self.scale).clamp(0.0, 1.0);
        let (dx, dy) = (x - share * self.along.0, y - share * self.along.1);
        (dx * dx + dy * dy, share)
    }
}

/// What is nearest to a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// In cells.
    pub(super) distance: f64,
    /// Which segment, and the share of the way along it, as one number: 2.25 is a quarter
    /// along segment 2.
    pub(super) way: f64,
}

/// Calls `found(x, y, nearest)` for each cell of a band of at most [`TILE`] rows from `top`
/// on, if some segment is at most `reach` from it; perhaps also where one is further.
pub(super) fn visit_band(
    segments: &[Segment],
    (width, top, rows): (usize, usize, usize),
    reach: f64,
    candidates: &mut Vec<(f64, usize)>,
    mut found: impl FnMut(usize, usize, Nearest),
) {
    for left in (0..width).step_by(TILE) {
        let columns = TILE.min(width - left);
        let (half_x, half_y) = (0.5 * (columns - 1) as f64, 0.5 * (rows - 1) as f64);
        let half = (half_x * half_x + half_y * half_y).sqrt();
        let middle = (left as f64 + half_x, top as f64 + half_y);
        candidates.clear();
        let measured = segments
            .iter()
            .map(|segment| segment.nearest(middle).0.sqrt());
        candidates.extend(measured.zip(0..));
        let least = candidates.iter().fold(f64::MAX, |least, c| least.min(c.0));
        if least > reach + half {
            continue;
        }
        // A hair more, for what rounding may hide.
        let limit = (least + 2.0 * half) * (1.0 + 1e-9) + 1e-9;
        candidates.retain(|candidate| candidate.0 <= limit);
        for y in top..top + rows {
            for x in left..left + columns {
                found(x, y, nearest(segments, candidates, (x as f64, y as f64)));
            }
        }
    }
}

/// The nearest of the candidates; of equals the first.
fn nearest(segments: &[Segment], candidates: &[(f64, usize)], at: Place) -> Nearest {
    let (mut least, mut way) = (f64::MAX, 0.0);
    for &(_, index) in candidates {
        let (square, share) = segments[index].nearest(at);
        if square < least {
            (least, way) = (square, index as f64 + share);
        }
    }
    Nearest {
        distance: least.sqrt(),
        way,
    }
}

/// From shares of the map to cells: (0, 0) is the north-western cell, (1, 1) the
/// south-eastern one.
pub(super) fn to_cells((u, v): (f64, f64), size: MapSize) -> Place {
    let (width, height) = ((size.width() - 1) as f64, (size.height() - 1) as f64);
    (u * width, v * height)
}
