//! Stream power erosion of a part of a world.
//!
//! Problem: the depth of a river depends on its whole catchment, but a part of the world does not contain the upstream
//! terrain.
//!
//! Idea: the coarse levels of the world (module `pyramid`) are small, and are evolved once for the whole world. The
//! finer levels are evolved for the part alone. They start from the state of the last whole level: its terrain, and the
//! rivers that cross the sides of the part:
//!
//! ```text
//!   the world's coarse level             the part at the next finer level
//!    . . . . . . .
//!    .   \ +---+ .                        +------+
//!    .    \|   | .         ->           -->\     |   a river flows in with its catchment
//!    .     \ \ | .                        | \_   |
//!    .     |\_\|_.                        |   \__|_  and flows out where the coarse terrain
//!    .     +---+ .                        +------+   is low; the sides keep the coarse heights
//! ```
//!
//! The random factors are hashes of the position in the world, and the levels are means of the same world cells. So the
//! rivers of the part run where those of the whole map do, except for the influence of terrain outside the part. To
//! reduce it, the part is evolved with a margin of [`StreamPowerErosion::MARGIN`] cells, which is cut off.
//!
//! Cost: that of the finest levels of the part with its margin.

use super::{
    Level, StreamPowerErosion, Unit,
    landscape::{Beyond, Landscape},
    passes,
};
use crate::{
    FilterContext, GenerateError, Heightmap, MapRegion, MapSize, Progress, SeededRng,
    hydrology::Grid,
};

/// The rivers of the coarse map of a world.
pub(crate) struct RiverGuide {
    /// The number of world cells along the side of a coarse cell: a power of two, at least 2.
    ratio: usize,
    unit: Unit,
    land: Landscape,
    /// The number of levels that are already evolved.
    levels: usize,
    /// The random seeds of the finer levels, starting with the coarsest.
    luck: Vec<u32>,
}

impl StreamPowerErosion {
    /// The width of the margin that a part needs on each side, in cells.
    pub(crate) const MARGIN: usize = 160;

    /// Erodes the coarse map of a world whose lowest and highest heights are `range`. Returns `None` if there is
    /// nothing to erode.
    pub(crate) fn guide(
        &self,
        coarse: &mut Heightmap,
        ratio: usize,
        range: (f32, f32),
        seed: u64,
        progress: &Progress,
    ) -> Result<Option<RiverGuide>, GenerateError> {
        self.validate()?;
        let Some(unit) = self.unit(range) else {
            return Ok(None);
        };
        let share = |z: f32| unit.share(z).clamp(0.0, 1.0);
        let pyramid = Level::pyramid(coarse, share, &progress.span(0.0, 0.1))?;
        let (levels, sea) = (pyramid.len(), self.sea(&unit));
        let mut rng = SeededRng::new(seed, b"fluvial ");
        let land = self.evolve(pyramid, sea, &mut rng, &progress.span(0.1, 1.0))?;
        self.put_back(&land.heights, &unit, coarse, progress)?;
        Ok(Some(RiverGuide {
            ratio,
            unit,
            land,
            levels,
            luck: (0..ratio.ilog2()).map(|_| rng.word() as u32).collect(),
        }))
    }

    /// Erodes a part of the world. The part starts at the corner of a coarse cell.
    pub(crate) fn erode_part(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        guide: &RiverGuide,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let unit = &guide.unit;
        let number = guide.ratio.ilog2() as usize;
        let share = |z: f32| unit.share(z).clamp(0.0, 1.0);
        let mut finest = Level::finest(map, share, number, &progress.span(0.0, 0.05))?;
        let mut land = guide.cut(context.region);
        let shorter_side = context.world.shorter_side();
        for (number, &luck) in guide.luck.iter().enumerate() {
            let Some(level) = finest.pop() else { break };
            let ratio = 1 << finest.len();
            let (x, y) = (context.region.x() / ratio, context.region.y() / ratio);
            let shorter_side = shorter_side.div_ceil(ratio);
            let law = self.law(shorter_side, self.sea(unit), (x, y), luck);
            let part = progress.span(0.05, 1.0);
            // Each level costs four times as much as the previous one.
            let part = part.span(
                0.25_f32.powi(finest.len() as i32 + 1),
                0.25_f32.powi(finest.len() as i32),
            );
            land = Landscape::finer(level, &land, &law, &part.span(0.0, 0.1))?;
            let passes = passes(guide.levels + number);
            for pass in 0..passes {
                land.pass(&law, false, &part.span(0.1, 1.0).part(pass, passes))?;
            }
        }
        self.put_back(&land.heights, unit, map, progress)
    }
}

impl RiverGuide {
    /// The part of the coarse landscape within a region of the world.
    fn cut(&self, region: MapRegion) -> Landscape {
        let world = Grid::new(self.land.level.size);
        let (left, top) = (region.x() / self.ratio, region.y() / self.ratio);
        let cells = |start: usize, length: usize| (start + length).div_ceil(self.ratio);
        let right = cells(region.x(), region.size().width());
        let bottom = cells(region.y(), region.size().height());
        let size = MapSize::new((right - left) as u64, (bottom - top) as u64).expect(
            "a region with its margin has some cells of the coarse map, and no more than that",
        );
        let inside = |cell: usize| {
            let (x, y) = world.place(cell);
            let within = (left..right).contains(&x) && (top..bottom).contains(&y);
            within.then(|| (y - top) * size.width() + x - left)
        };
        let crop = |cells: &[f32]| {
            let rows = (top..bottom).flat_map(|y| &cells[y * world.width..][left..right]);
            rows.copied().collect::<Vec<f32>>()
        };
        let level = Level {
            size,
            given: crop(&self.land.level.given),
        };
        let mouths = self.land.mouths.iter();
        let mouths = mouths.filter_map(|&(cell, height)| Some((inside(cell)?, height)));
        let beyond = Beyond {
            sides: [
                top > 0,
                right < world.width,
                bottom < world.height,
                left > 0,
            ],
            edges: Vec::new(),
            inflows: self.inflows((left..right, top..bottom), inside),
        };
        Landscape::still(level, crop(&self.land.heights), mouths.collect(), beyond)
    }

    /// The rivers that flow into a region of the coarse map: the cells where they enter, and their catchments.
    fn inflows(
        &self,
        (columns, rows): (core::ops::Range<usize>, core::ops::Range<usize>),
        inside: impl Fn(usize) -> Option<usize>,
    ) -> Vec<(usize, u32)> {
        let Landscape { flow, areas, .. } = &self.land;
        let width = flow.grid.width;
        let around = |at: &core::ops::Range<usize>, most: usize| {
            at.start.saturating_sub(1)..(at.end + 1).min(most)
        };
        let mut inflows = Vec::new();
        for y in around(&rows, flow.grid.height) {
            for x in around(&columns, width) {
                let cell = y * width + x;
                if inside(cell).is_none()
                    && let Some(entry) = flow.receiver(cell).and_then(&inside)
                {
                    inflows.push((entry, areas[cell]));
                }
            }
        }
        inflows
    }
}

impl Beyond {
    /// The surroundings of the part for the next finer level.
    pub(super) fn finer(
        &self,
        level: &Level,
        coarse: &Landscape,
        heights: &[f32],
        sea: f32,
    ) -> Self {
        let (width, height) = (level.size.width(), level.size.height());
        let [north, east, south, west] = self.sides;
        let at_edge = |x: usize, y: usize| {
            north && y == 0 || south && y + 1 == height || west && x == 0 || east && x + 1 == width
        };
        let places = level.border().into_iter();
        let edges = places.filter(|&cell| at_edge(cell % width, cell / width));
        let edges = edges.filter(|&cell| level.given[cell] > sea);
        let coarse_width = coarse.level.size.width();
        let entry = |&(cell, area): &(usize, u32)| {
            let (x, y) = (2 * (cell % coarse_width), 2 * (cell / coarse_width));
            let finer = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| (x + dx, y + dy));
            let finer = finer.into_iter().filter(|&(x, y)| {
                x < width && y < height && !at_edge(x, y) && level.given[y * width + x] > sea
            });
            let finer = finer.map(|(x, y)| y * width + x);
            let lowest = finer.min_by(|&a, &b| heights[a].total_cmp(&heights[b]));
            lowest.map(|cell| (cell, area.saturating_mul(4)))
        };
        Self {
            sides: self.sides,
            edges: edges.map(|cell| (cell, heights[cell])).collect(),
            inflows: self.inflows.iter().filter_map(entry).collect(),
        }
    }
}
