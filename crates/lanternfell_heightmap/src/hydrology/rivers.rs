//! Rivers as lines from source to mouth, and as masks.
//!
//! Idea: a cell is part of a river if its catchment is large enough. Upstream, a river follows the donor with the
//! largest catchment; the other donors are tributaries.
//!
//! ```text
//!    .   .             Three rivers: one from the source with the
//!     \ /  .           largest catchment to the mouth, and two that
//!      |  /            end where they join it.
//!       \/
//!       |
//! ```
//!
//! Steps: compute the Strahler orders in one pass downstream. From each mouth, walk up the main donors to the source.
//! Then do the same for the tributaries. A mask is drawn strip by strip, each with all rivers that reach into it.
//!
//! Cost: O(n) plus the length of the rivers. Memory: one byte per cell, and the lines.
//!
//! Source: the width is proportional to the square root of the discharge, Leopold and Maddock, *The hydraulic geometry
//! of stream channels*, 1953.

use serde::{Deserialize, Serialize};

use super::{Drainage, flood::CELLS_PER_STEP, grid::OUTLET, strahler::strahler};
use crate::{Canceled, GenerateError, Heightmap, ParamError, Progress, rows};

/// Where rivers start, and how wide they are drawn.
///
/// Both parameters are fractions of the map, so that a map has the same rivers at any resolution. To convert from
/// cells, set [`share`](Self::share) to `cells / size.cells()`. To convert from square meters, set it to
/// `area / (width * height * spacing^2)`.
///
/// ```
/// use lanternfell_heightmap::{FractalNoise, MapSize, Progress};
/// use lanternfell_heightmap::hydrology::{Hydrology, Rivers};
///
/// let progress = Progress::default();
/// let map = FractalNoise::default().generate(MapSize::new(128, 128)?, 7, &progress)?;
/// let water = Hydrology { sea_level: Some(FractalNoise::SEA_LEVEL), border: true };
/// let drainage = water.drain(&map, &progress)?;
/// let rivers = Rivers::default().lines(&drainage, &progress)?;
/// let longest = rivers.iter().map(|river| river.points.len()).max();
/// assert!(longest.unwrap_or(0) > 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rivers {
    /// The catchment at which a river starts, as a fraction of the map; from 0 to 1. Default: 0.001.
    pub share: f64,
    /// The width of a river that would drain the whole map, as a fraction of the map's shorter side; from 0 to 0.1.
    /// Default: 0.01. The width of other rivers is proportional to the square root of their catchment, and at least one
    /// cell.
    pub width: f64,
}

impl Default for Rivers {
    fn default() -> Self {
        Self {
            share: 0.001,
            width: 0.01,
        }
    }
}

/// A river from its source to its mouth, or to the larger river that it joins.
#[derive(Debug, Clone, PartialEq)]
pub struct River {
    /// The course from the source downstream, through the centers of cells. The last point is the outlet where the
    /// river leaves the map or the land, or a point of the river that it joins.
    pub points: Vec<RiverPoint>,
    /// The Strahler order at its end: 1 for a river without tributaries.
    pub order: u8,
    /// The index of the river that it joins, which is less than its own index; `None` if it reaches an outlet.
    pub joins: Option<u32>,
}

/// A point of a river's course.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RiverPoint {
    /// In cells, from the center of the first column.
    pub x: f32,
    /// In cells, from the center of the first row.
    pub y: f32,
    /// The number of cells that drain through this point of the river.
    pub area: u32,
}

impl River {
    /// Rounds the corners of the course. In each pass, every point except both ends moves to the weighted mean of
    /// itself (weight 1/2) and its neighbors (1/4 each).
    pub fn smooth(&mut self, passes: u32) {
        for _ in 0..passes {
            let mut before = self.points[0];
            for at in 1..self.points.len().saturating_sub(1) {
                let (here, after) = (self.points[at], self.points[at + 1]);
                let mean = |a: f32, b: f32, c: f32| 0.25 * a + 0.5 * b + 0.25 * c;
                self.points[at].x = mean(before.x, here.x, after.x);
                self.points[at].y = mean(before.y, here.y, after.y);
                before = here;
            }
        }
    }
}

/// The lower end of a river that is not traced yet.
struct Mouth {
    /// The lowest cell that belongs to the river.
    cell: usize,
    /// The outlet or the confluence.
    end: usize,
    joins: Option<u32>,
}

impl Rivers {
    /// The largest [`width`](Self::width). Each river cell draws a disc of the river's width, so ten times the width
    /// takes a hundred times the work.
    pub const MAX_WIDTH: f64 = 0.1;

    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// Names the first parameter that is out of range.
    pub fn validate(&self) -> Result<(), ParamError> {
        ParamError::check_range("rivers", "share", self.share, 0.0, 1.0)?;
        ParamError::check_range("rivers", "width", self.width, 0.0, Self::MAX_WIDTH)
    }

    /// Finds all rivers as lines. Rivers that reach an outlet come first, in descending order of catchment, followed by
    /// their tributaries.
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled.
    pub fn lines(
        &self,
        drainage: &Drainage,
        progress: &Progress,
    ) -> Result<Vec<River>, GenerateError> {
        self.validate()?;
        let areas = drainage.areas(&progress.span(0.0, 0.4))?;
        self.lines_of(drainage, &areas, &progress.span(0.4, 1.0))
    }

    /// The same as [`lines`](Self::lines), for known catchment [areas](Drainage::areas), for instance those of an
    /// [`EditableDrainage`](super::EditableDrainage).
    ///
    /// # Errors
    /// As for [`lines`](Self::lines), or if `areas` does not have an area for each cell.
    pub fn lines_of(
        &self,
        drainage: &Drainage,
        areas: &[u32],
        progress: &Progress,
    ) -> Result<Vec<River>, GenerateError> {
        self.validate()?;
        let cells = drainage.size().cells();
        let fits = areas.len() == cells;
        ParamError::check(fits, "rivers", "areas", areas.len() as f64, cells)?;
        let least = self.least_area(drainage);
        let orders = strahler(drainage, areas, least, &progress.span(0.0, 0.6))?;
        let mut mouths = mouths(drainage, &orders, progress)?;
        // A stable sort keeps the order of equally large rivers.
        mouths.sort_by_key(|mouth| core::cmp::Reverse(areas[mouth.cell]));
        let mut rivers = Vec::new();
        let mut next = 0;
        while let Some(mouth) = mouths.get(next) {
            next += 1;
            if next % 256 == 0 {
                progress.check()?;
            }
            let index = rivers.len() as u32;
            let (river, tributaries) = trace(drainage, areas, &orders, mouth, index);
            rivers.push(river);
            mouths.extend(tributaries);
        }
        progress.step(1, 1)?;
        Ok(rivers)
    }

    /// Draws all rivers as a mask: 1 in a river, 0 on land, and in between where a bank crosses a cell. Lakes are not
    /// drawn.
    ///
    /// # Errors
    /// As for [`lines`](Self::lines).
    pub fn mask(
        &self,
        drainage: &Drainage,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate()?;
        let areas = drainage.areas(&progress.span(0.0, 0.5))?;
        let least = self.least_area(drainage);
        let size = drainage.size();
        let per_root = self.width * size.shorter_side() as f64 / libm::sqrt(size.cells() as f64);
        let radius = |area: f64| 0.5 * (per_root * libm::sqrt(area)).max(1.0);
        let reach = libm::ceil(radius(size.cells() as f64)) as usize;
        let flow = &drainage.flow;
        let (width, strip_rows) = (size.width(), flow.grid.strip_rows());
        let mut mask = Heightmap::flat(size);
        // Where discs overlap, the larger coverage counts, so the drawing order does not matter.
        let draw = |index: usize, strip: &mut [f32]| {
            let first = index * strip_rows;
            let rows = first.saturating_sub(reach)..(first + strip_rows + reach).min(size.height());
            let cells = rows.start * width..rows.end * width;
            for (cell, &area) in cells.clone().zip(&areas[cells]) {
                if cell % (1 << 12) == 0 && progress.is_canceled() {
                    return;
                }
                if area >= least && flow.directions[cell] != OUTLET {
                    let place = flow.grid.place(cell);
                    stamp(strip, first, width, place, radius(area.into()));
                }
            }
        };
        let cells = width * strip_rows;
        rows::for_each_row(mask.heights_mut(), cells, &progress.span(0.5, 1.0), draw)?;
        progress.step(1, 1)?;
        Ok(mask)
    }

    /// The smallest catchment of a river in cells, at least 1.
    pub(super) fn least_area(&self, drainage: &Drainage) -> u32 {
        let cells = self.share * drainage.size().cells() as f64;
        (libm::round(cells) as u32).max(1)
    }
}

/// Draws a disc around a cell with this radius in cells, at least 1/2, and a soft rim one cell wide. Only the part
/// within a strip that starts at row `first` is drawn.
fn stamp(strip: &mut [f32], first: usize, width: usize, (x, y): (usize, usize), radius: f64) {
    let reach = libm::ceil(radius) as usize;
    let end = first + strip.len() / width;
    for row in y.saturating_sub(reach).max(first)..(y + reach + 1).min(end) {
        for column in x.saturating_sub(reach)..(x + reach + 1).min(width) {
            let (dx, dy) = (column.abs_diff(x) as f64, row.abs_diff(y) as f64);
            let inside = radius + 0.5 - libm::sqrt(dx * dx + dy * dy);
            let covered = &mut strip[(row - first) * width + column];
            *covered = covered.max(inside.clamp(0.0, 1.0) as f32);
        }
    }
}

/// The ends of rivers that reach an outlet, in cell order.
fn mouths(drainage: &Drainage, orders: &[u8], progress: &Progress) -> Result<Vec<Mouth>, Canceled> {
    let flow = &drainage.flow;
    let mouth = |cell| {
        let end = flow.receiver(cell)?;
        let joins = None;
        let reached = flow.receiver(end).is_none();
        reached.then_some(Mouth { cell, end, joins })
    };
    let mut mouths = Vec::new();
    for (first, orders) in (0..)
        .step_by(CELLS_PER_STEP)
        .zip(orders.chunks(CELLS_PER_STEP))
    {
        progress.check()?;
        let rivers = (first..).zip(orders).filter(|&(_, &order)| order > 0);
        mouths.extend(rivers.filter_map(|(cell, _)| mouth(cell)));
    }
    Ok(mouths)
}

/// Traces a river up to its source. Returns it with the mouths of its tributaries.
fn trace(
    drainage: &Drainage,
    areas: &[u32],
    orders: &[u8],
    mouth: &Mouth,
    index: u32,
) -> (River, Vec<Mouth>) {
    let point = |cell: usize, area| {
        let (x, y) = drainage.flow.grid.place(cell);
        let (x, y) = (x as f32, y as f32);
        RiverPoint { x, y, area }
    };
    let mut points = vec![point(mouth.end, areas[mouth.cell])];
    let mut tributaries = Vec::new();
    let mut next = Some(mouth.cell);
    while let Some(end) = next {
        points.push(point(end, areas[end]));
        next = None;
        drainage.flow.donors(end, |donor| {
            if orders[donor] == 0 {
                return;
            }
            // The donor with the larger catchment continues the river; of equal ones, the first.
            let smaller = match next {
                Some(main) if areas[donor] <= areas[main] => Some(donor),
                main => {
                    next = Some(donor);
                    main
                }
            };
            let joins = Some(index);
            tributaries.extend(smaller.map(|cell| Mouth { cell, end, joins }));
        });
    }
    points.reverse();
    let river = River {
        points,
        order: orders[mouth.cell],
        joins: mouth.joins,
    };
    (river, tributaries)
}
