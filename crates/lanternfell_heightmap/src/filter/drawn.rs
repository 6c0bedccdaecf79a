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
//! Steps: for each block of 128 x 16 cells, measure all lines from its middle and keep the
//! possible ones; for each tile of 16 x 16 cells in it do the same with those, and sort
//! them by distance. A cell `o` from the tile's middle looks at them in that order, until
//! one is further from the middle than `o` and the nearest so far together.
//!
//! Cost: a 2048th of the lines and a few more distances per cell; scratch of two numbers
//! for each line and thread.

use crate::MapSize;

/// Cells along a tile's side, and the rows of a band.
pub(super) const TILE: usize = 16;

/// Columns of a block.
const BLOCK: usize = 8 * TILE;

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

/// Lines that may be the nearest to some cell: their distance from the middle of the
/// cells, and their index.
pub(super) type Candidates = Vec<(f64, usize)>;

/// A rectangle of cells.
#[derive(Debug, Clone, Copy)]
struct Cells {
    middle: Place,
    /// How far the corners are from the middle.
    half: f64,
}

impl Cells {
    fn new((left, top): (usize, usize), (columns, rows): (usize, usize)) -> Self {
        let (x, y) = (0.5 * (columns - 1) as f64, 0.5 * (rows - 1) as f64);
        Self {
            middle: (left as f64 + x, top as f64 + y),
            half: (x * x + y * y).sqrt(),
        }
    }

    /// Keeps those of the lines that may be the nearest to a cell here; none when all are
    /// further than `reach` from all cells.
    fn narrow(
        self,
        segments: &[Segment],
        lines: impl Iterator<Item = usize>,
        reach: f64,
        kept: &mut Candidates,
    ) {
        kept.clear();
        kept.extend(lines.map(|line| (segments[line].nearest(self.middle).0.sqrt(), line)));
        let least = kept.iter().fold(f64::MAX, |least, line| least.min(line.0));
        // A hair more, for what rounding may hide.
        let limit = if least > reach + self.half + HAIR {
            -1.0
        } else {
            least + 2.0 * self.half + HAIR
        };
        kept.retain(|line| line.0 <= limit);
    }

    /// The nearest of the lines, which are sorted by their distance from the middle.
    fn nearest(self, segments: &[Segment], lines: &Candidates, at: Place) -> Nearest {
        let (dx, dy) = (at.0 - self.middle.0, at.1 - self.middle.1);
        let offset = (dx * dx + dy * dy).sqrt() + HAIR;
        let (mut least, mut distance, mut way) = (f64::MAX, f64::MAX, 0.0);
        for &(from_middle, line) in lines {
            if from_middle > distance + offset {
                break;
            }
            let (square, share) = segments[line].nearest(at);
            if square < least {
                (least, distance, way) = (square, square.sqrt(), line as f64 + share);
            }
        }
        Nearest { distance, way }
    }
}

/// More than the rounding of any distance on a map, in cells.
const HAIR: f64 = 1e-6;

/// Calls `found(x, y, nearest)` for each cell of a band of at most [`TILE`] rows from `top`
/// on, if some segment is at most `reach` from it; perhaps also where one is further.
pub(super) fn visit_band(
    segments: &[Segment],
    (width, top, rows): (usize, usize, usize),
    reach: f64,
    [some, few]: &mut [Candidates; 2],
    mut found: impl FnMut(usize, usize, Nearest),
) {
    for block in (0..width).step_by(BLOCK) {
        let end = width.min(block + BLOCK);
        let cells = Cells::new((block, top), (end - block, rows));
        cells.narrow(segments, 0..segments.len(), reach, some);
        for left in (block..end).step_by(TILE) {
            let right = end.min(left + TILE);
            let cells = Cells::new((left, top), (right - left, rows));
            cells.narrow(segments, some.iter().map(|line| line.1), reach, few);
            if few.is_empty() {
                continue;
            }
            few.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for y in top..top + rows {
                for x in left..right {
                    found(x, y, cells.nearest(segments, few, (x as f64, y as f64)));
                }
            }
        }
    }
}

/// From shares of the map to cells: (0, 0) is the north-western cell, (1, 1) the
/// south-eastern one.
pub(super) fn to_cells((u, v): (f64, f64), size: MapSize) -> Place {
    let (width, height) = ((size.width() - 1) as f64, (size.height() - 1) as f64);
    (u * width, v * height)
}
