//! Measures what parts of a map need to know about the whole.
//!
//! Steps, in the order of the plan: for each generator that is stretched, measure its range row by row. For each filter
//! that needs it, measure the range of the map before the filter. Before the first erosion this is exact: the whole map
//! is generated in regions, one after the other. The same pass computes the mean of the cells of each
//! [coarse](super::coarse) cell. After erosion, generating the whole map is not possible, so only regions around the
//! lowest and highest cells of the coarse map are generated:
//!
//! ```text
//!     coarse map      . : - = + * # = - .
//!                     |             |         regions around these two cells, and around
//!                   lowest       highest      the next extremes that are far from them
//! ```
//!
//! So a `Normalize` after erosion can be inexact, if peaks outside these regions are higher.
//!
//! If a [prepass](TilePrepass) exists, the same walk is repeated without measuring anything. It makes the coarse maps
//! and guides, which are not stored.

use super::{
    TileError, TilePrepass,
    coarse::{self, CoarseWorld},
    evaluator::{TileEvaluator, index},
};
use crate::{
    Filter, Heightmap, MapRegion, MapSize, Progress, Recipe, RecipeError,
    evaluate::Parts,
    recipe::{Operation, Plan, Step, run::seed},
};

/// The side of the regions in which the whole map is generated: a multiple of the size of every coarse cell.
const LOOK: usize = 1024;

/// The side of the regions around the extremes in coarse cells, and its minimum and maximum in cells of the map.
const LOOK_CLOSELY: usize = 8;
const CLOSE_SIDES: (usize, usize) = (64, 512);

/// The number of lowest and of highest cells whose surroundings are generated, and the minimum distance between them in
/// coarse cells.
const PLACES: usize = 6;
const APART: usize = 12;

/// The fraction of the measured range by which heights after erosion may exceed it.
const SLACK: f32 = 1.0 / 16.0;

/// A walk along the plan.
pub(super) struct Survey<'a> {
    recipe: &'a Recipe,
    plan: &'a Plan,
    pub(super) prepass: TilePrepass,
    pub(super) coarse: CoarseWorld,
    /// Whether it measures. If not, the prepass has the results.
    looks: bool,
}

impl<'a> Survey<'a> {
    /// Measures everything that parts of the map need.
    pub(super) fn make(
        recipe: &'a Recipe,
        plan: &'a Plan,
        progress: &Progress,
    ) -> Result<Self, TileError> {
        let prepass = TilePrepass::begin(recipe);
        Self::walk(recipe, plan, prepass, true, progress)
    }

    /// Repeats the walk to make the coarse maps again.
    pub(super) fn again(
        recipe: &'a Recipe,
        plan: &'a Plan,
        prepass: TilePrepass,
        progress: &Progress,
    ) -> Result<Self, TileError> {
        Self::walk(recipe, plan, prepass, false, progress)
    }

    fn walk(
        recipe: &'a Recipe,
        plan: &'a Plan,
        prepass: TilePrepass,
        looks: bool,
        progress: &Progress,
    ) -> Result<Self, TileError> {
        let coarse = CoarseWorld::begin(recipe, plan);
        let mut survey = Self {
            recipe,
            plan,
            prepass,
            coarse,
            looks,
        };
        if survey.is_made_whole() {
            return Ok(survey);
        }
        for (number, &step) in plan.order.iter().enumerate() {
            let progress = progress.part(number, plan.order.len());
            survey.step(step, &progress)?;
            progress.step(1, 1)?;
        }
        Ok(survey)
    }

    /// Whether the result is not exact, but the world is small enough to be generated as a whole.
    pub(super) fn is_made_whole(&self) -> bool {
        let result = index(&self.recipe.steps, self.recipe.result_name());
        !self.coarse.is_exact(result) && self.coarse.is_too_small()
    }

    fn evaluator(&self, progress: &Progress) -> TileEvaluator<'_> {
        TileEvaluator::new(
            self.recipe,
            self.plan,
            &self.prepass,
            &self.coarse,
            progress,
        )
    }

    fn step(&mut self, step: usize, progress: &Progress) -> Result<(), TileError> {
        let recipe = self.recipe;
        let Step { name, operation } = &recipe.steps[step];
        match operation {
            Operation::Generate { by, salt } => {
                if let Parts::Stretched(generator) = by.parts()
                    && self.looks
                {
                    let seed = seed(recipe.seed, name, *salt);
                    let normalization = generator
                        .prepass(recipe.size, seed, progress)
                        .map_err(|error| RecipeError::making(name, error))?;
                    self.prepass.add_normalization(name, normalization);
                }
            }
            Operation::Filter { of, by, mask, .. } => {
                self.filters(step, (of, by, mask.as_deref()), progress)?;
            }
            Operation::Blend { .. } | Operation::Select { .. } => {
                if !self.coarse.is_exact(step) {
                    for (done, input) in operation.inputs().into_iter().enumerate() {
                        self.reduce(input, &progress.part(done, 4))?;
                    }
                    let (prepass, coarse) = (&self.prepass, &self.coarse);
                    let map = coarse.operate(recipe, prepass, step, &progress.part(3, 4))?;
                    self.coarse.keep(step, map);
                }
            }
            Operation::Flat { .. } | Operation::Image { .. } => {}
        }
        Ok(())
    }

    /// Makes the coarse map of an exact step, if it does not exist yet.
    fn reduce(&mut self, name: &str, progress: &Progress) -> Result<(), TileError> {
        let (size, step) = (self.coarse.size(), index(&self.recipe.steps, name));
        let known = self.prepass.map(name, None, size).is_some();
        if !self.looks || known || !self.coarse.is_exact(step) {
            return Ok(());
        }
        let mut means = Means::new(self.coarse.ratio(), size);
        let evaluator = self.evaluator(progress);
        self.look(
            |region| evaluator.make(name, region),
            &mut |region, map| means.add(region, map),
            progress,
        )?;
        self.prepass.add_map(name, None, &means.finish()?);
        Ok(())
    }

    /// Processes the filters of a step, one after the other.
    fn filters(
        &mut self,
        step: usize,
        (of, by, mask): (&str, &[Filter], Option<&str>),
        progress: &Progress,
    ) -> Result<(), TileError> {
        let recipe = self.recipe;
        let is_exact = self.coarse.is_exact(step);
        let mut exact = self.coarse.is_exact(index(&recipe.steps, of));
        if !is_exact && (!exact || mask.is_some()) {
            let inputs = [Some(of), mask];
            for (done, input) in inputs.into_iter().flatten().enumerate() {
                self.reduce(input, &progress.span(0.0, 0.3).part(done, 2))?;
            }
        }
        let mut bounds = None;
        let mut map = match exact {
            true => None,
            false => Some(self.coarse.map(recipe, &self.prepass, of)?),
        };
        for (place, filter) in by.iter().enumerate() {
            let progress = progress.span(0.3, 1.0).part(place, by.len());
            let exactly = coarse::is_exact(recipe, filter);
            if exact {
                // The coarse map starts from the last exact map of the step.
                let begins = !exactly;
                self.look_before(step, place, begins, &progress.span(0.0, 0.7))?;
                if begins {
                    map = self.begun(step, place)?;
                    exact = false;
                }
            } else if let Some(map) = &map {
                self.guess_before(step, place, map, bounds, &progress.span(0.0, 0.7))?;
            }
            if let Some(map) = &mut map {
                let range = self.prepass.range(&recipe.steps[step].name, place);
                let range = range.unwrap_or((0.0, 1.0));
                bounds = filter.bounds(range, bounds);
                let progress = progress.span(0.7, 1.0);
                self.coarse
                    .filter(recipe, (step, place), range, map, &progress)?;
            }
        }
        if is_exact {
            return Ok(());
        }
        // If only the mask is not exact, a step of exact filters does not have a coarse map yet.
        let filtered = match map {
            Some(map) => map,
            None => self.filtered(step, (of, by), progress)?,
        };
        let masked = self
            .coarse
            .masked(recipe, &self.prepass, (of, mask), filtered, progress)?;
        self.coarse.keep(step, masked);
        Ok(())
    }

    /// The coarse map of exact filters on an exact step with an inexact mask.
    fn filtered(
        &mut self,
        step: usize,
        (of, by): (&str, &[Filter]),
        progress: &Progress,
    ) -> Result<Heightmap, TileError> {
        let recipe = self.recipe;
        let mut map = self.coarse.map(recipe, &self.prepass, of)?;
        for place in 0..by.len() {
            let range = self.prepass.range(&recipe.steps[step].name, place);
            let range = range.unwrap_or((0.0, 1.0));
            self.coarse
                .filter(recipe, (step, place), range, &mut map, progress)?;
        }
        Ok(map)
    }

    /// The coarse map before the first filter of a step that is not exact.
    fn begun(&self, step: usize, place: usize) -> Result<Option<Heightmap>, TileError> {
        let name = &self.recipe.steps[step].name;
        let map = self.prepass.map(name, Some(place), self.coarse.size());
        map.map(Some).ok_or_else(|| TileError::misfit(name))
    }

    /// Generates the whole map before a filter of a step in regions, if its range must be known.
    fn look_before(
        &mut self,
        step: usize,
        place: usize,
        begins: bool,
        progress: &Progress,
    ) -> Result<(), TileError> {
        let recipe = self.recipe;
        let Step { name, operation } = &recipe.steps[step];
        let Operation::Filter { by, .. } = operation else {
            return Ok(());
        };
        let locality = by[place].locality(recipe.size, recipe.scale());
        if !self.looks || !locality.needs_range() {
            return Ok(());
        }
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        let mut means = Means::new(self.coarse.ratio(), self.coarse.size());
        let evaluator = self.evaluator(progress);
        let make = |region| evaluator.make_before(name, place, region);
        let range = if let Filter::Stretch(stretch) = &by[place] {
            let (width, height) = (recipe.size.width() as u64, recipe.size.height() as u64);
            stretch.extremes_in_parts(width * height, |show| {
                self.look(make, &mut |_, map| show(map), progress)
            })?
        } else {
            let mut note = |region: MapRegion, map: &Heightmap| {
                let (lowest, highest) = map.range();
                (low, high) = (low.min(lowest), high.max(highest));
                if begins {
                    means.add(region, map);
                }
            };
            self.look(make, &mut note, progress)?;
            (low, high)
        };
        self.prepass.add_range(name, place, range);
        if begins {
            self.prepass.add_map(name, Some(place), &means.finish()?);
        }
        Ok(())
    }

    /// Estimates the range of the map before a filter of a step, if it must be known and no bounds are known. Generates
    /// regions around the lowest and highest cells of the coarse map.
    fn guess_before(
        &mut self,
        step: usize,
        place: usize,
        coarse: &Heightmap,
        bounds: Option<(f32, f32)>,
        progress: &Progress,
    ) -> Result<(), TileError> {
        let recipe = self.recipe;
        let Step { name, operation } = &recipe.steps[step];
        let Operation::Filter { by, .. } = operation else {
            return Ok(());
        };
        let filter = &by[place];
        if !self.looks || !filter.locality(recipe.size, recipe.scale()).needs_range() {
            return Ok(());
        }
        let stretched = |error| RecipeError::making(name, error);
        let range = match (filter, bounds) {
            (Filter::Stretch(_), _) => filter
                .stretches(coarse, progress)
                .map_err(stretched)?
                .unwrap_or((0.0, 1.0)),
            // Both use the height of the highest peak itself, so the range is not widened.
            (Filter::Normalize | Filter::GlacialErosion(_), _) => {
                self.guess(name, place, coarse, progress)?
            }
            (_, Some(bounds)) => widened(bounds),
            (_, None) => widened(self.guess(name, place, coarse, progress)?),
        };
        self.prepass.add_range(name, place, range);
        Ok(())
    }

    /// The range of a few regions.
    fn guess(
        &self,
        name: &str,
        place: usize,
        coarse: &Heightmap,
        progress: &Progress,
    ) -> Result<(f32, f32), TileError> {
        let evaluator = self.evaluator(progress);
        let (mut low, mut high) = coarse.range();
        let places = extreme_places(coarse);
        for (done, &at) in places.iter().enumerate() {
            let region = around(at, self.coarse.ratio(), self.recipe.size);
            let (lowest, highest) = evaluator.make_before(name, place, region)?.range();
            (low, high) = (low.min(lowest), high.max(highest));
            progress.step(done + 1, places.len())?;
        }
        Ok((low, high))
    }

    /// Generates the whole map in regions, one after the other.
    fn look(
        &self,
        make: impl Fn(MapRegion) -> Result<Heightmap, TileError>,
        note: &mut dyn FnMut(MapRegion, &Heightmap),
        progress: &Progress,
    ) -> Result<(), TileError> {
        let regions = regions(self.recipe.size, LOOK);
        for (done, &region) in regions.iter().enumerate() {
            note(region, &make(region)?);
            progress.step(done + 1, regions.len())?;
        }
        Ok(())
    }
}

fn widened((low, high): (f32, f32)) -> (f32, f32) {
    let more = SLACK * (high - low);
    (low - more, high + more)
}

/// The highest and lowest cells of a coarse map, more than [`APART`] cells from each other.
fn extreme_places(map: &Heightmap) -> Vec<(usize, usize)> {
    let mut places: Vec<(usize, usize)> = Vec::new();
    for sign in [1.0, -1.0] {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for _ in 0..PLACES {
            let (mut best, mut at) = (f32::NEG_INFINITY, None);
            for y in 0..map.height() {
                for (x, &z) in map.row(y).iter().enumerate() {
                    let far = |&(u, v): &(usize, usize)| x.abs_diff(u).max(y.abs_diff(v)) > APART;
                    if sign * z > best && found.iter().all(far) {
                        (best, at) = (sign * z, Some((x, y)));
                    }
                }
            }
            found.extend(at);
        }
        places.extend(found);
    }
    places
}

/// A region around a coarse cell.
fn around((x, y): (usize, usize), ratio: usize, world: MapSize) -> MapRegion {
    let side = (LOOK_CLOSELY * ratio).clamp(CLOSE_SIDES.0, CLOSE_SIDES.1);
    let along = |at: usize, world: usize| {
        let length = side.min(world);
        let start = (at * ratio + ratio / 2).saturating_sub(length / 2);
        (start.min(world - length), length as u64)
    };
    let (left, width) = along(x, world.width());
    let (top, height) = along(y, world.height());
    let size = MapSize::new(width, height).ok();
    let region = size.and_then(|size| MapRegion::new(left, top, size, world));
    region.expect("the region is within the world")
}

/// Computes the mean of the world's cells in each coarse cell.
struct Means {
    ratio: usize,
    size: MapSize,
    sums: Vec<f64>,
    counts: Vec<u32>,
}

impl Means {
    fn new(ratio: usize, size: MapSize) -> Self {
        Self {
            ratio,
            size,
            sums: vec![0.0; size.cells()],
            counts: vec![0; size.cells()],
        }
    }

    fn add(&mut self, region: MapRegion, map: &Heightmap) {
        for y in 0..map.height() {
            let row = ((region.y() + y) / self.ratio) * self.size.width();
            for (x, &z) in (region.x()..).zip(map.row(y)) {
                self.sums[row + x / self.ratio] += f64::from(z);
                self.counts[row + x / self.ratio] += 1;
            }
        }
    }

    fn finish(self) -> Result<Heightmap, TileError> {
        let means = self.sums.iter().zip(&self.counts);
        // If the world has only a single row of coarse cells, the coarse map repeats it as a second row.
        let width = self.size.width();
        let mean = |(cell, (&sum, &count)): (usize, (&f64, &u32))| match count {
            0 => self.sums[cell % width] / f64::from(self.counts[cell % width].max(1)),
            _ => sum / f64::from(count),
        };
        let heights = means.enumerate().map(|cell| mean(cell) as f32).collect();
        let map = Heightmap::from_heights(self.size, heights);
        Ok(map.expect("there is one finite mean per cell"))
    }
}

/// Divides the world into regions of this side. A remainder that is narrower than half a region is added to the last
/// region.
fn regions(world: MapSize, side: usize) -> Vec<MapRegion> {
    let cuts = |length: usize| {
        let number = ((length + side / 2) / side).max(1);
        (0..number).map(move |i| {
            let end = if i + 1 == number {
                length
            } else {
                (i + 1) * side
            };
            (i * side, end)
        })
    };
    let mut regions = Vec::new();
    for (top, bottom) in cuts(world.height()) {
        for (left, right) in cuts(world.width()) {
            let size = MapSize::new((right - left) as u64, (bottom - top) as u64);
            let region = size
                .ok()
                .and_then(|size| MapRegion::new(left, top, size, world));
            regions.extend(region);
        }
    }
    regions
}
