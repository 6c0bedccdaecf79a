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
//! But lines drawn close together are all about as far from cells far off. From there they
//! lie in about one direction too, and for each the distance grows at least as fast as it
//! does at the middle (a distance is convex): `d_i(p) >= d_i + u_i (p - middle)`, where
//! `u_i` points from line `i` to the middle. Where that is more than the distance of the
//! line that is nearest to the middle, at all four corners, line `i` is not the nearest to
//! any cell: the difference is concave, so it is least at a corner.
//!
//! Steps: for each block of 128 x 16 cells, measure all lines from its middle and keep the
//! possible ones; halve it, and do the same with those, until few lines or few cells are
//! left. Sort the lines by distance. A cell `o` from the middle looks at them in that
//! order, until one is further from the middle than `o` and the nearest so far together,
//! and measures those that may be nearer.
//!
//! Cost: a 2048th of the lines and some more distances per cell; within about the width of
//! a dense drawing, a large part of its lines. Scratch of a few numbers for each line and
//! thread.

use core::cmp::Ordering;

use crate::{MapSize, Progress, Window};

/// The rows of a band.
pub(super) const TILE: usize = 16;

/// Columns of a block.
const BLOCK: usize = 8 * TILE;

/// A part is not halved with so few lines or cells: that would cost more than it saves.
const FEW_LINES: usize = 4;
const FEW_CELLS: usize = 16;

/// A place in cells.
pub(super) type Point = (f64, f64);

/// A straight line between two places; a point where both are the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    from: Point,
    along: Point,
    /// One over its length's square; 0 for a point.
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

    /// The square of the distance of `at`, and the nearest point's share of the way along.
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
        // Of a line nearly through the middle the direction is rounding, and nothing is said
        // about other places.
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

/// What is nearest to a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// In cells.
    pub(super) distance: f64,
    /// Which segment, and the share of the way along it, as one number: 2.25 is a quarter
    /// along segment 2.
    pub(super) way: f64,
}

/// A line that may be the nearest to some cell of a part of the map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    line: usize,
    /// From the middle of the part.
    distance: f64,
    /// At other places it is at least this far away, and so much further for each cell in
    /// the direction that leads from it to the middle.
    base: f64,
    away: Point,
}

/// Those of a block, of its half, of its quarter and so on.
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

    /// From the middle to a corner.
    fn half(self) -> Point {
        (
            0.5 * (self.columns - 1) as f64,
            0.5 * (self.rows - 1) as f64,
        )
    }

    /// The two halves of the longer side.
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

    /// Keeps those of the lines that may be the nearest to a cell here; none when all are
    /// further than `reach` from all cells.
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
        // A hair more, for what rounding may hide.
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
    /// The least distance of the line at a place so far from the middle.
    fn least(&self, (x, y): Point) -> f64 {
        self.base + self.away.0 * x + self.away.1 * y
    }

    fn order(&self, other: &Self) -> Ordering {
        let distance = self.distance.total_cmp(&other.distance);
        distance.then(self.line.cmp(&other.line))
    }
}

/// The nearest of the lines, which are sorted by their distance from the middle.
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

/// More than the rounding of any distance on a map, in cells.
const HAIR: f64 = 1e-6;

/// What is to be visited.
struct Visit<'a, F> {
    segments: &'a [Segment],
    reach: f64,
    found: F,
}

/// Some rows of a map, at most [`TILE`], or of a part of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Band {
    /// The map's column that it begins with.
    pub(super) left: usize,
    pub(super) width: usize,
    /// The map's row that it begins with.
    pub(super) top: usize,
    pub(super) rows: usize,
}

impl Band {
    /// The rows of a part of a map from this one of it on, so many cells all in all.
    pub(super) fn of(window: Window, first: usize, cells: usize) -> Self {
        let width = window.size().width();
        Self {
            left: window.x(),
            width,
            top: window.y() + first,
            rows: cells / width,
        }
    }

    /// Where a cell of the map stands in it.
    pub(super) fn place(&self, x: usize, y: usize) -> usize {
        (y - self.top) * self.width + x - self.left
    }
}

/// Calls `found(x, y, nearest)` for each cell of a band, if some segment is at most `reach` from
/// it; perhaps also where one is further. Stops early when cancelled.
pub(super) fn visit_band(
    segments: &[Segment],
    band: Band,
    reach: f64,
    candidates: &mut Candidates,
    progress: &Progress,
    found: impl FnMut(usize, usize, Nearest),
) {
    // Enough for a block that is halved down to single cells.
    candidates.resize((BLOCK * TILE).ilog2() as usize + 2, Vec::new());
    let mut visit = Visit {
        segments,
        reach,
        found,
    };
    let end = band.left + band.width;
    for left in (band.left..end).step_by(BLOCK) {
        if progress.is_cancelled() {
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

/// From shares of the map to cells: (0, 0) is the north-western cell, (1, 1) the
/// south-eastern one.
pub(super) fn to_cells((u, v): (f64, f64), size: MapSize) -> Point {
    let (width, height) = ((size.width() - 1) as f64, (size.height() - 1) as f64);
    (u * width, v * height)
}
