//! Hydraulic erosion of a part of a world.
//!
//! Problem: the map of the world is too large to erode, and the erosion of a part depends on the whole world.
//!
//! Idea: the coarse maps of the world, on which droplets make the large valleys, are small and are eroded as a whole
//! (module `guide`). A part is halved down to that resolution, as the whole map would be (module `coarse`). There it
//! takes over the change of the coarse map, and is then refined again:
//!
//! ```text
//!   part of the world    half     quarter = a region of the world's coarse map
//!         |     --halve-->  --halve-->  |
//!         |                             |  change of the coarse map
//!         '<--- rain <--- rain <--------'
//! ```
//!
//! Droplets start at the same points as on the whole map, because the regions and their random numbers belong to the
//! world (`regions`). Only effects from outside the part differ: droplets that cross its border, the changes that these
//! cause for later droplets, and mud from further upstream. Therefore a part is eroded with a margin of
//! [`HydraulicErosion::MARGIN`] cells, which is cut off.
//!
//! Cost: that of a map with the size of the part and its margin.

use super::{Brushes, HydraulicErosion, coarse::Halves, ground::Ground, regions::Place, steepness};
use crate::{
    FilterContext, GenerateError, Heightmap, MapSize, Progress,
    erosion::{grains::Grains, guide::Change},
};

/// A part of a world at one resolution.
#[derive(Clone, Copy)]
struct Part<'a> {
    change: &'a Change,
    /// The size of a grain in heights.
    grain: f64,
    /// The number of world cells along the side of one of the part's cells.
    ratio: usize,
    /// The column and row of the world at which the part starts.
    origin: (usize, usize),
    /// The tangent of a slope of one grain per cell.
    steepness: f64,
    seed: u64,
}

impl HydraulicErosion {
    /// The width of the margin that a part needs on each side, in cells.
    pub(crate) const MARGIN: usize = 160;

    /// Erodes a part of a world whose lowest and highest heights are `range`. The part starts at the corner of a coarse
    /// cell.
    pub(crate) fn erode_part(
        &self,
        map: &mut Heightmap,
        range: (f32, f32),
        context: &FilterContext,
        change: &Change,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let Some(grains) = Grains::between(range) else {
            return Ok(progress.step(1, 1)?);
        };
        let mut ground = padded(map, change.ratio, |height| grains.count(height));
        let part = Part {
            change,
            grain: grains.size(),
            ratio: 1,
            origin: (context.region.x(), context.region.y()),
            steepness: steepness(&grains, context),
            seed: context.seed,
        };
        let world = (context.world.width(), context.world.height());
        match self.brushes() {
            Brushes::Two => self.rain_part::<2>(&mut ground, part, world, progress),
            Brushes::Four => self.rain_part::<4>(&mut ground, part, world, progress),
            Brushes::Eight => self.rain_part::<8>(&mut ground, part, world, progress),
            Brushes::Sixteen => self.rain_part::<16>(&mut ground, part, world, progress),
        }?;
        let width = map.width();
        grains.put_back(|y| &ground.row(y)[..width], map);
        progress.step(1, 1).ok();
        Ok(())
    }

    /// Erodes the part at half its size first if the whole map is large. Stops at the resolution of the coarse map.
    fn rain_part<const WIDTH: usize>(
        &self,
        ground: &mut Ground,
        part: Part<'_>,
        world: (usize, usize),
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let cells = |side: usize| side.next_multiple_of(part.change.ratio) / part.ratio;
        let place = Place {
            world: (cells(world.0), cells(world.1)),
            origin: (part.origin.0 / part.ratio, part.origin.1 / part.ratio),
        };
        let is_large = place.world.0.max(place.world.1) > self.coarsest as usize;
        if let Some(halves) = Halves::of(ground.size).filter(|_| is_large) {
            let before = halves.halve(ground, &progress.span(0.0, 0.01))?;
            let mut after = before.clone();
            let coarse = Part {
                ratio: 2 * part.ratio,
                steepness: part.steepness / 2.0,
                ..part
            };
            if coarse.ratio == part.change.ratio {
                coarse.take_over(&mut after);
            } else {
                self.rain_part::<WIDTH>(&mut after, coarse, world, &progress.span(0.01, 0.25))?;
            }
            halves.follow(ground, &before, &after, &progress.span(0.25, 0.26))?;
        }
        let progress = progress.span(0.26, 1.0);
        self.rain_on::<WIDTH>(ground, place, part.steepness, part.seed, &progress)?;
        Ok(())
    }
}

impl Part<'_> {
    /// Applies the change of the coarse map to the part, which has the same resolution.
    fn take_over(&self, ground: &mut Ground) {
        let top = ground.cells.iter().copied().fold(0.0, f32::max);
        let (left, north) = (self.origin.0 / self.ratio, self.origin.1 / self.ratio);
        let (columns, rows) = (self.change.after.width(), self.change.after.height());
        let width = ground.size.width();
        for (y, row) in ground.cells.chunks_exact_mut(width).enumerate() {
            for (x, grains) in row.iter_mut().enumerate() {
                let (x, y) = ((left + x).min(columns - 1), (north + y).min(rows - 1));
                let changed = f64::from(*grains) + self.change.of(x, y) / self.grain;
                *grains = changed.round().clamp(0.0, f64::from(top)) as f32;
            }
        }
    }
}

/// Converts the map to grains, and extends it to multiples of `step`. Beyond the east and south of the world, the
/// outermost cells are repeated.
fn padded(map: &Heightmap, step: usize, count: impl Fn(f32) -> f32) -> Ground {
    let [width, height] = [map.width(), map.height()].map(|side| side.next_multiple_of(step));
    let size = MapSize::new(width as u64, height as u64)
        .expect("a part is much smaller than the largest map");
    let mut cells = Vec::with_capacity(size.cells());
    for y in 0..height {
        let row = map.row(y.min(map.height() - 1));
        let last = row[map.width() - 1];
        cells.extend(row.iter().map(|&height| count(height)));
        cells.resize((y + 1) * width, count(last));
    }
    Ground { size, cells }
}
