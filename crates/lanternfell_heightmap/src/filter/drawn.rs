//! The exact distance of each cell to the nearest of many line segments.
//!
//! Problem: 1000 segments and a million cells make a billion distances.
//!
//! Idea: only a few segments can be the nearest to any cell of a small tile. Let `d` be the
//! distance from the center of the tile to the nearest segment, and `h` the largest distance of a
//! cell from the center. A segment that is more than `d + 2 h` from the center is not the nearest
//! to any cell of the tile.
//!
//! ```text
//!   +-----+     ______ nearest to the center, at distance d
//!   |  .  |
//!   +-----+            ______ within d + 2 h: a candidate
//!    <h>
//!                                   ______ beyond: cannot be the nearest
//! ```
//!
//! This does not help if many segments are close together and far from the tile, because all of
//! them have almost the same distance. But then they are also in almost the same direction. A
//! distance is a convex function, so for each segment it grows at least as fast as its gradient at
//! the center: `d_i(p) >= d_i + u_i (p - center)`, where `u_i` is the unit vector from segment `i`
//! to the center. If that lower bound exceeds the distance to the segment that is nearest to the
//! center at all four corners, then segment `i` is not the nearest to any cell. It is enough to
//! test the corners, because the difference is concave and therefore has its minimum at a corner.
//!
//! Steps: for each block of 128 x 16 cells, measure the distance of all segments from the center
//! and keep the candidates. Split the block into halves and repeat with the candidates until few
//! segments or few cells are left. Sort the remaining segments by distance. For a cell at distance
//! `o` from the center, visit them in that order and measure those that can be nearer than the
//! nearest so far. Stop at the first segment whose distance from the center exceeds `o` plus the
//! nearest distance so far.
//!
//! Cost: about 1/2048 of the segments plus a few more distances per cell. Cells that are closer to
//! a dense drawing than its width measure a large part of its segments. Each thread needs a few
//! numbers of scratch memory per segment.

use core::cmp::Ordering;

use crate::{MapRegion, MapSize, Progress};

/// The number of rows of a band.
pub(super) const TILE: usize = 16;

/// The number of columns of a block.
const BLOCK: usize = 8 * TILE;

/// Parts with at most this many segments or cells are not split further, because splitting would
/// cost more than it saves.
const FEW_LINES: usize = 4;
const FEW_CELLS: usize = 16;

/// A position in cells.
pub(super) type Point = (f64, f64);

/// A line segment between two positions. A segment of length 0 is a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    from: Point,
    along: Point,
    /// The reciprocal of the squared length; 0 for a point.
    scale: f64,
}

impl Segment {
    pub(super) fn new(from: Point, to: Point) -> Self {
        let along = (to.0 - from.0, to.1 - from.1);
        let square = along.0 * along.0 + along.1 * along.1;
        Self {
            from,
            along,
            scale: if square > 0.0 { 1.0 / square } else { 0.0 },
        }
    }

    /// The squared distance of `at` from the segment, and the position of the nearest point as a
    /// fraction of the segment.
    fn nearest(&self, at: Point) -> (f64, f64) {
        let (x, y) = (at.0 - self.from.0, at.1 - self.from.1);
        let share = ((x * self.along.0 + y * self.along.1) * self.scale).clamp(0.0, 1.0);
        let (dx, dy) = (x - share * self.along.0, y - share * self.along.1);
        (dx * dx + dy * dy, share)
    }

    fn candidate(&self, line: usize, middle: Point) -> Candidate {
        let (square, share) = self.nearest(middle);
        let distance = square.sqrt();
        let (x, y) = (middle.0 - self.from.0, middle.1 - self.from.1);
        let (dx, dy) = (x - share * self.along.0, y - share * self.along.1);
        // If the segment almost goes through the center, its direction is only rounding error. Then
        // use 0 as the lower bound, which is always valid.
        let (base, away) = if distance > 0.01 {
            (distance, (dx / distance, dy / distance))
        } else {
            (0.0, (0.0, 0.0))
        };
        Candidate {
            line,
            distance,
            base,
            away,
        }
    }
}

/// The point of the segments that is nearest to a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// The distance in cells.
    pub(super) distance: f64,
    /// The number of the segment plus the fraction of the way along it: 2.25 is a quarter of the
    /// way along segment 2.
    pub(super) way: f64,
}

/// A segment that can be the nearest to some cells of a part of the map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    line: usize,
    /// The distance from the center of the part.
    distance: f64,
    /// A lower bound of the distance at other positions: `base` plus the dot product of `away` and
    /// the offset from the center. `away` is the unit vector from the segment to the center.
    base: f64,
    away: Point,
}

/// The candidates of a block, of its half, of its quarter and so on.
pub(super) type Candidates = Vec<Vec<Candidate>>;

/// A rectangle of cells.
#[derive(Debug, Clone, Copy)]
struct Cells {
    left: usize,
    top: usize,
    columns: usize,
    rows: usize,
}

impl Cells {
    fn middle(self) -> Point {
        let (x, y) = self.half();
        (self.left as f64 + x, self.top as f64 + y)
    }

    /// The offset from the center to the south-eastern corner.
    fn half(self) -> Point {
        (
            0.5 * (self.columns - 1) as f64,
            0.5 * (self.rows - 1) as f64,
        )
    }

    /// Splits the rectangle along its longer side.
    fn halves(self) -> [Self; 2] {
        let (mut first, mut second) = (self, self);
        if self.columns >= self.rows {
            first.columns = self.columns / 2;
            second.left += first.columns;
            second.columns -= first.columns;
        } else {
            first.rows = self.rows / 2;
            second.top += first.rows;
            second.rows -= first.rows;
        }
        [first, second]
    }

    /// Stores the segments that can be the nearest to a cell of this rectangle in `kept`. `kept` is
    /// empty if all segments are further than `reach` from all cells.
    fn narrow(
        self,
        segments: &[Segment],
        lines: impl Iterator<Item = usize>,
        reach: f64,
        kept: &mut Vec<Candidate>,
    ) {
        let (middle, (x, y)) = (self.middle(), self.half());
        let half = (x * x + y * y).sqrt();
        kept.clear();
        kept.extend(lines.map(|line| segments[line].candidate(line, middle)));
        let Some(nearest) = kept.iter().copied().min_by(Candidate::order) else {
            return;
        };
        // The margin covers rounding errors.
        if nearest.distance > reach + half + HAIR {
            kept.clear();
            return;
        }
        let corners = [(-x, -y), (x, -y), (-x, y), (x, y)];
        let limits = corners.map(|(x, y)| {
            let corner = (middle.0 + x, middle.1 + y);
            let distance = segments[nearest.line].nearest(corner).0.sqrt() + HAIR;
            ((x, y), distance)
        });
        kept.retain(|line| {
            limits
                .iter()
                .any(|&(corner, most)| line.least(corner) <= most)
        });
    }
}

impl Candidate {
    /// The lower bound of the segment's distance at this offset from the center.
    fn least(&self, (x, y): Point) -> f64 {
        self.base + self.away.0 * x + self.away.1 * y
    }

    fn order(&self, other: &Self) -> Ordering {
        let distance = self.distance.total_cmp(&other.distance);
        distance.then(self.line.cmp(&other.line))
    }
}

/// The nearest of the segments to `at`. `lines` must be sorted by the distance from `middle`.
fn nearest(segments: &[Segment], lines: &[Candidate], middle: Point, at: Point) -> Nearest {
    let off = (at.0 - middle.0, at.1 - middle.1);
    let offset = (off.0 * off.0 + off.1 * off.1).sqrt() + HAIR;
    let (mut least, mut distance, mut way) = (f64::MAX, f64::MAX, 0.0);
    for candidate in lines {
        if candidate.distance > distance + offset {
            break;
        }
        if candidate.least(off) > distance + HAIR {
            continue;
        }
        let (square, share) = segments[candidate.line].nearest(at);
        if square < least {
            let line = candidate.line as f64;
            (least, distance, way) = (square, square.sqrt(), line + share);
        }
    }
    Nearest { distance, way }
}

/// A length in cells that is larger than the rounding error of any distance on a map.
const HAIR: f64 = 1e-6;

/// The arguments of the recursion in [`visit_band`].
struct Visit<'a, F> {
    segments: &'a [Segment],
    reach: f64,
    found: F,
}

/// At most [`TILE`] consecutive rows of a map or of a part of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Band {
    /// The first column, in cells of the whole map.
    pub(super) left: usize,
    pub(super) width: usize,
    /// The first row, in cells of the whole map.
    pub(super) top: usize,
    pub(super) rows: usize,
}

impl Band {
    /// The band that starts at row `first` of the region and has this number of cells.
    pub(super) fn of(region: MapRegion, first: usize, cells: usize) -> Self {
        let width = region.size().width();
        Self {
            left: region.x(),
            width,
            top: region.y() + first,
            rows: cells / width,
        }
    }

    /// The index of the map's cell `(x, y)` within the band.
    pub(super) fn place(&self, x: usize, y: usize) -> usize {
        (y - self.top) * self.width + x - self.left
    }
}

/// Calls `found(x, y, nearest)` for each cell of the band that has a segment within `reach`. It may
/// also call it for cells whose nearest segment is further away. Stops early if the work is
/// canceled.
pub(super) fn visit_band(
    segments: &[Segment],
    band: Band,
    reach: f64,
    candidates: &mut Candidates,
    progress: &Progress,
    found: impl FnMut(usize, usize, Nearest),
) {
    // Enough levels to split a block into single cells.
    candidates.resize((BLOCK * TILE).ilog2() as usize + 2, Vec::new());
    let mut visit = Visit {
        segments,
        reach,
        found,
    };
    let end = band.left + band.width;
    for left in (band.left..end).step_by(BLOCK) {
        if progress.is_canceled() {
            return;
        }
        let cells = Cells {
            left,
            top: band.top,
            columns: BLOCK.min(end - left),
            rows: band.rows,
        };
        if let [block, parts @ ..] = &mut candidates[..] {
            cells.narrow(segments, 0..segments.len(), reach, block);
            visit.part(cells, block, parts);
        }
    }
}

impl<F: FnMut(usize, usize, Nearest)> Visit<'_, F> {
    fn part(&mut self, cells: Cells, lines: &mut [Candidate], parts: &mut [Vec<Candidate>]) {
        if lines.is_empty() {
            return;
        }
        if lines.len() > FEW_LINES
            && cells.columns * cells.rows > FEW_CELLS
            && let [part, parts @ ..] = parts
        {
            for half in cells.halves() {
                let lines = lines.iter().map(|candidate| candidate.line);
                half.narrow(self.segments, lines, self.reach, part);
                self.part(half, part, parts);
            }
            return;
        }
        lines.sort_unstable_by(Candidate::order);
        let middle = cells.middle();
        for y in cells.top..cells.top + cells.rows {
            for x in cells.left..cells.left + cells.columns {
                let nearest = nearest(self.segments, lines, middle, (x as f64, y as f64));
                (self.found)(x, y, nearest);
            }
        }
    }
}

/// Converts fractions of the map to cells: (0, 0) is the north-western cell, (1, 1) the
/// south-eastern one.
pub(super) fn to_cells((u, v): (f64, f64), size: MapSize) -> Point {
    let (width, height) = ((size.width() - 1) as f64, (size.height() - 1) as f64);
    (u * width, v * height)
}
