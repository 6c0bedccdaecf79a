//! Glacial erosion of a part of a world.
//!
//! Problem: the depth of a glacier depends on all snow that feeds it, and on the largest glacier of the world. A part
//! of the world contains neither. The coarse map of the world alone is not enough, because its valleys run elsewhere.
//! Copying its troughs was off by 0.03 to 0.1 of the range.
//!
//! Idea: as with rivers, ice flows on the terrain of the part, and only the inflow over its sides comes from the coarse
//! map. Troughs of glaciers outside the part that are wide enough to reach into it also come from the coarse map:
//!
//! ```text
//!   the world's coarse map            the part
//!    . . . . . . .
//!    .   \ +---+ .                     +------+ |
//!    .    \|   | .         ->        -->\     | | a trough outside the part
//!    .     \ \ |\.                     | \_   | |   is wide enough to reach it
//!    .     |\_\| |                     |   \__|_
//!    .     +---+ |                     +------+    ice flows in with its catchment
//! ```
//!
//! The drainage that guides the ice leaves over the sides of the part, where the water level is at least that of the
//! coarse map. So lakes that extend beyond the part overflow where they do on the whole map. On coarse cells, ice melts
//! over the same width as on fine cells.
//!
//! The result differs from the whole map in the amount of ice of the largest glacier, and where glaciers flow in
//! through another valley than on the coarse map. Therefore a part has a margin of [`GlacialErosion::MARGIN`] cells,
//! which is cut off.
//!
//! Cost: that of the part with its margin.

use std::ops::Range;

use super::{GlacialErosion, Snow, cut, most};
use crate::{
    Canceled, FilterContext, GenerateError, Heightmap, MapRegion, MapSize, Progress,
    envelope::{self, Envelope},
    hydrology::{Drainage, Hydrology},
};

/// The glaciers of the coarse map of a world.
pub(crate) struct IceGuide {
    /// The number of world cells along the side of a coarse cell: a power of two, at least 2.
    ratio: usize,
    /// The maximum height of the world.
    highest: f32,
    drainage: Drainage,
    /// The ice that leaves each coarse cell. The unit is the snow of a coarse cell at the maximum height.
    ice: Vec<f64>,
    /// The heights of the beds; infinite where there is no glacier.
    beds: Vec<f32>,
}

impl GlacialErosion {
    /// The width of the margin that a part needs on each side, in cells.
    pub(crate) const MARGIN: usize = 160;

    /// Erodes the coarse map of a world with this maximum height. Returns `None` if there is nothing to erode. The
    /// context is that of the coarse map.
    pub(crate) fn guide(
        &self,
        coarse: &mut Heightmap,
        ratio: usize,
        highest: f32,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<Option<IceGuide>, GenerateError> {
        self.validate()?;
        context.scale.validate()?;
        if self.depth == 0.0 {
            return Ok(None);
        }
        let drainage = Hydrology::default().drain_like_flood(coarse, &progress.span(0.0, 0.6))?;
        let snow = Snow {
            line: self.equilibrium_line,
            highest,
            narrowest: 1.0 / ratio as f64,
        };
        let ice = snow.gather(coarse, &drainage, &[], &progress.span(0.6, 0.7))?;
        let depths = self.depths(most(&ice), ice.len() as f64, context.scale);
        let beds = depths.beds(coarse, &ice);
        let (width, bend) = (coarse.width(), self.bend(context.scale));
        let troughs = envelope::lower(beds.clone(), width, bend, &progress.span(0.7, 0.9))?;
        cut(coarse, |x, y| troughs.at(x, y), &progress.span(0.9, 1.0));
        Ok(Some(IceGuide {
            ratio,
            highest,
            drainage,
            ice,
            beds,
        }))
    }

    /// Erodes a part of the world. The part starts at the corner of a coarse cell.
    pub(crate) fn erode_part(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        guide: &IceGuide,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let part = Part::new(guide, context.region);
        let dammed = part.dammed(map);
        let drainage = Hydrology::default().drain_like_flood(&dammed, &progress.span(0.0, 0.6))?;
        drop(dammed);
        let snow = Snow {
            line: self.equilibrium_line,
            highest: guide.highest,
            narrowest: 1.0,
        };
        let inflows = part.inflows(&drainage);
        let ice = snow.gather(map, &drainage, &inflows, &progress.span(0.6, 0.7))?;
        let world = context.world.width() as f64 * context.world.height() as f64;
        let depths = self.depths(most(&guide.ice) * part.area(), world, context.scale);
        let beds = depths.beds(map, &ice);
        drop(ice);
        let (width, bend) = (map.width(), self.bend(context.scale));
        let beyond = part.beyond(map, bend, &progress.span(0.7, 0.75))?;
        let troughs = envelope::lower(beds, width, bend, &progress.span(0.75, 0.95))?;
        let beyond = |x, y| beyond.as_ref().map_or(f32::INFINITY, |far| far.at(x, y));
        let trough = |x, y| troughs.at(x, y).min(beyond(x, y));
        cut(map, trough, &progress.span(0.95, 1.0));
        Ok(())
    }
}

/// A part of the world, and the range of its coarse cells.
struct Part<'a> {
    guide: &'a IceGuide,
    coarse: MapSize,
    region: MapRegion,
    columns: Range<usize>,
    rows: Range<usize>,
}

impl<'a> Part<'a> {
    fn new(guide: &'a IceGuide, region: MapRegion) -> Self {
        let coarse =
            |cells: Range<usize>| cells.start / guide.ratio..cells.end.div_ceil(guide.ratio);
        Self {
            guide,
            coarse: guide.drainage.size(),
            region,
            columns: coarse(region.columns()),
            rows: coarse(region.rows()),
        }
    }

    /// The number of world cells in a coarse cell.
    fn area(&self) -> f64 {
        (self.guide.ratio * self.guide.ratio) as f64
    }

    fn has(&self, (x, y): (usize, usize)) -> bool {
        self.columns.contains(&x) && self.rows.contains(&y)
    }

    /// Whether the cell is on a side of the part beyond which the world continues.
    fn at_side(&self, (x, y): (usize, usize)) -> bool {
        let size = self.region.size();
        x == 0 && self.columns.start > 0
            || y == 0 && self.rows.start > 0
            || x + 1 == size.width() && self.columns.end < self.coarse.width()
            || y + 1 == size.height() && self.rows.end < self.coarse.height()
    }

    /// The heights of the part, with its sides raised to the water level of the coarse map.
    fn dammed(&self, map: &Heightmap) -> Heightmap {
        let mut dammed = map.clone();
        let (width, height) = (map.width(), map.height());
        let (ratio, water) = (self.guide.ratio, self.guide.drainage.filled());
        for y in 0..height {
            let inner = if y == 0 || y + 1 == height {
                1
            } else {
                width - 1
            };
            for x in (0..width).step_by(inner) {
                if self.at_side((x, y)) {
                    let at = ((self.region.x() + x) / ratio, (self.region.y() + y) / ratio);
                    let height = &mut dammed.heights_mut()[y * width + x];
                    *height = height.max(water.get(at.0, at.1));
                }
            }
        }
        dammed
    }

    /// The ice that flows into the part from its surroundings. It enters at the lowest cell of the coarse cell that it
    /// flows to.
    fn inflows(&self, drainage: &Drainage) -> Vec<(usize, f64)> {
        let around =
            |at: &Range<usize>, most: usize| at.start.saturating_sub(1)..(at.end + 1).min(most);
        let mut inflows = Vec::new();
        for y in around(&self.rows, self.coarse.height()) {
            for x in around(&self.columns, self.coarse.width()) {
                let ice = self.guide.ice[y * self.coarse.width() + x];
                if ice > 0.0
                    && !self.has((x, y))
                    && let Some(entry) = self.guide.drainage.receiver(x, y)
                    && self.has(entry)
                {
                    let lowest = self.lowest(entry, drainage.filled());
                    inflows.extend(lowest.map(|cell| (cell, ice * self.area())));
                }
            }
        }
        inflows
    }

    /// The lowest fine cell of a coarse cell, excluding the sides of the part. Of equal cells, the first.
    fn lowest(&self, (column, row): (usize, usize), water: &Heightmap) -> Option<usize> {
        let cells = |at: usize, first: usize, count: usize| {
            let start = at * self.guide.ratio - first;
            start..(start + self.guide.ratio).min(count)
        };
        let (width, height) = (water.width(), water.height());
        let columns = cells(column, self.region.x(), width);
        let rows = cells(row, self.region.y(), height);
        let places = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
        let inside = places.filter(|&place| !self.at_side(place));
        let lowest = inside.min_by(|a, b| water.get(a.0, a.1).total_cmp(&water.get(b.0, b.1)))?;
        Some(lowest.1 * width + lowest.0)
    }

    /// The troughs outside the part that can reach into it. `None` if there are no such beds.
    fn beyond(
        &self,
        map: &Heightmap,
        bend: f64,
        progress: &Progress,
    ) -> Result<Option<Beyond>, Canceled> {
        let IceGuide { ratio, beds, .. } = self.guide;
        let width = self.coarse.width();
        let bend = bend * self.area();
        let lowest = beds.iter().copied().fold(f32::INFINITY, f32::min);
        let depth = f64::from(map.range().1) - f64::from(lowest);
        // At least one more, for the interpolation between coarse cells.
        let reach = libm::sqrt((depth / bend).max(0.0)).min(width.max(self.coarse.height()) as f64);
        let reach = reach as usize + 2;
        let wider = |at: &Range<usize>, most: usize| {
            at.start.saturating_sub(reach)..at.end.saturating_add(reach).min(most)
        };
        let columns = wider(&self.columns, width);
        let rows = wider(&self.rows, self.coarse.height());
        let places = rows
            .clone()
            .flat_map(|y| columns.clone().map(move |x| (x, y)));
        let far = |(x, y)| match self.has((x, y)) {
            true => f32::INFINITY,
            false => beds[y * width + x],
        };
        let far: Vec<f32> = places.map(far).collect();
        if far.iter().all(|bed| !bed.is_finite()) {
            return Ok(None);
        }
        let envelope = envelope::lower(far, columns.len(), bend, progress)?;
        let size = self.region.size();
        Ok(Some(Beyond {
            envelope,
            bend,
            columns: between(self.region.x(), size.width(), *ratio, columns),
            rows: between(self.region.y(), size.height(), *ratio, rows),
        }))
    }
}

/// The lower envelope of the troughs outside a part, known at the centers of coarse cells.
struct Beyond {
    envelope: Envelope,
    /// In heights per square coarse cell.
    bend: f64,
    /// For each column of the part, the coarse columns on both sides, and the distance from the first one.
    columns: Vec<(usize, usize, f64)>,
    rows: Vec<(usize, usize, f64)>,
}

impl Beyond {
    /// Interpolates between four coarse cells. A parabola is lower than its chord by an amount that does not depend on
    /// its vertex, so that amount is subtracted.
    fn at(&self, x: usize, y: usize) -> f32 {
        let (west, east, across) = self.columns[x];
        let (north, south, down) = self.rows[y];
        let at = |x: usize, y: usize| f64::from(self.envelope.at(x, y));
        let mix = |share: f64, a: f64, b: f64| a + share * (b - a);
        let upper = mix(across, at(west, north), at(east, north));
        let lower = mix(across, at(west, south), at(east, south));
        let sag = across * (1.0 - across) + down * (1.0 - down);
        (mix(down, upper, lower) - self.bend * sag) as f32
    }
}

/// For each of `count` cells of an axis, starting at `first`: the two coarse cells between whose centers it is,
/// relative to the start of `coarse`, and its position from 0 to 1 between them.
fn between(
    first: usize,
    count: usize,
    ratio: usize,
    coarse: Range<usize>,
) -> Vec<(usize, usize, f64)> {
    let last = coarse.len() - 1;
    let place = |at: usize| {
        let place = (at as f64 + 0.5) / ratio as f64 - 0.5 - coarse.start as f64;
        let place = place.clamp(0.0, last as f64);
        let cell = place as usize;
        (cell, (cell + 1).min(last), place - cell as f64)
    };
    (first..first + count).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATIO: usize = 4;

    fn size(width: u64, height: u64) -> MapSize {
        MapSize::new(width, height).unwrap()
    }

    /// The guide of a world of 20 x 12 coarse cells that descends to the east, without any ice.
    fn guide() -> IceGuide {
        let size = size(20, 12);
        let heights = (0..size.cells()).map(|cell| 1.0 - 0.01 * (cell % 20) as f32);
        let map = Heightmap::from_heights(size, heights.collect()).unwrap();
        let drainage = Hydrology::default().drain_like_flood(&map, &Progress::default());
        IceGuide {
            ratio: RATIO,
            highest: 1.0,
            drainage: drainage.unwrap(),
            ice: vec![0.0; size.cells()],
            beds: vec![f32::INFINITY; size.cells()],
        }
    }

    /// Covers columns 6 to 13 and rows 4 to 8 of the coarse cells.
    fn region() -> MapRegion {
        MapRegion::new(24, 16, size(32, 20), size(80, 48)).unwrap()
    }

    #[test]
    fn trough_outside_part_continues_as_parabola() {
        let ground = Heightmap::constant(region().size(), 1.0);
        let bend = 0.002;
        for (x, y) in [(2, 6), (9, 1), (15, 10), (19, 0)] {
            let mut guide = guide();
            guide.beds[y * 20 + x] = 0.3;
            let part = Part::new(&guide, region());
            let beyond = part.beyond(&ground, bend, &Progress::default()).unwrap();
            let beyond = beyond.expect("there is a bed");
            // The center of a coarse cell, in world cells.
            let middle = |at: usize| RATIO as f64 * (at as f64 + 0.5) - 0.5;
            for (u, v) in (0..32).flat_map(|u| (0..20).map(move |v| (u, v))) {
                let (east, south) = (24.0 + u as f64 - middle(x), 16.0 + v as f64 - middle(y));
                let expected = 0.3 + bend * (east * east + south * south);
                let found = f64::from(beyond.at(u, v));
                assert!(
                    (found - expected).abs() < 1e-5,
                    "{u}, {v} of {x}, {y}: {found}"
                );
            }
        }
    }

    #[test]
    fn ignores_coarse_beds_inside_part() {
        let mut guide = guide();
        guide.beds[6 * 20 + 9] = 0.3;
        let ground = Heightmap::constant(region().size(), 1.0);
        let part = Part::new(&guide, region());
        let beyond = part.beyond(&ground, 0.002, &Progress::default()).unwrap();
        assert!(beyond.is_none());
    }

    #[test]
    fn ice_enters_at_lowest_cell_of_coarse_receiver() {
        let mut guide = guide();
        // One glacier to the west of the part, which flows in, and one to the east, which has left it.
        guide.ice[6 * 20 + 5] = 3.0;
        guide.ice[6 * 20 + 14] = 5.0;
        let part = Part::new(&guide, region());
        let mut ground = Heightmap::constant(region().size(), 1.0);
        ground.heights_mut()[10 * 32..10 * 32 + 4].fill(0.8);
        let drainage = Hydrology::default().drain_like_flood(&ground, &Progress::default());
        let behind_the_side = 10 * 32 + 1;
        assert_eq!(part.inflows(&drainage.unwrap()), [(behind_the_side, 48.0)]);
    }

    #[test]
    fn sides_have_coarse_water_level() {
        let guide = guide();
        let part = Part::new(&guide, region());
        let dammed = part.dammed(&Heightmap::flat(region().size()));
        assert_eq!((dammed.get(0, 7), dammed.get(31, 7)), (0.94, 0.87));
        assert_eq!((dammed.get(5, 0), dammed.get(5, 19)), (0.93, 0.93));
        assert_eq!(dammed.get(1, 1), 0.0);
        let corner = MapRegion::new(0, 0, size(32, 20), size(80, 48)).unwrap();
        let dammed = Part::new(&guide, corner).dammed(&Heightmap::flat(corner.size()));
        assert_eq!(
            (dammed.get(0, 7), dammed.get(5, 0)),
            (0.0, 0.0),
            "the world's border"
        );
    }
}
