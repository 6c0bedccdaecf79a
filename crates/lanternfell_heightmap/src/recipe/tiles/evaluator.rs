//! Generates one region of a step's map.
//!
//! Problem: many steps can use the same step, and each needs a different region of it. Running it again for each use
//! would double the work with every level of the recipe.
//!
//! Idea: walk the plan twice. The backward pass starts at the wanted step and finds, for each step, the smallest region
//! that contains everything its users need. The forward pass runs each step once in its region, as for the whole map,
//! and every user cuts out its part.
//!
//! ```text
//!   +-----------+
//!   | +----+    |    a base map, in the region that contains those of its two users:
//!   | |mask|    |    a filter with its margin, and the mask of that filter
//!   | +----+    |
//!   +-----------+
//! ```
//!
//! Cost: each step is run once, however often it is used. A map is dropped after its last use, so the number of maps at
//! once is about [`Recipe::peak_map_count`], each of the size of the region and its margin.

use std::borrow::Cow;

use super::{TileError, TilePrepass, coarse::CoarseWorld};
use crate::{
    Blend, Filter, FilterContext, GenerateError, Heightmap, MapRegion, MapSize, Progress, Recipe,
    RecipeError,
    evaluate::Parts,
    filter::{Known, Locality},
    recipe::{Operation, Plan, Step, run::seed},
};

/// Generates regions of a recipe's steps.
pub(super) struct TileEvaluator<'a> {
    recipe: &'a Recipe,
    plan: &'a Plan,
    prepass: &'a TilePrepass,
    coarse: &'a CoarseWorld,
    /// The position of the world on an endless plane, if it is part of one.
    plane: Option<(i64, i64)>,
    /// Only used for cancellation.
    progress: Progress,
}

impl<'a> TileEvaluator<'a> {
    pub(super) fn new(
        recipe: &'a Recipe,
        plan: &'a Plan,
        prepass: &'a TilePrepass,
        coarse: &'a CoarseWorld,
        progress: &Progress,
    ) -> Self {
        Self {
            recipe,
            plan,
            prepass,
            coarse,
            plane: None,
            progress: progress.span(0.0, 0.0),
        }
    }

    /// The same for a world that is part of an endless plane, where it starts at `origin`.
    pub(super) fn on_plane(self, origin: (i64, i64)) -> Self {
        Self {
            plane: Some(origin),
            ..self
        }
    }

    /// Generates this region of the map of a step.
    pub(super) fn make(&self, name: &str, region: MapRegion) -> Result<Heightmap, TileError> {
        let steps = &self.recipe.steps;
        let wanted = index(steps, name);
        let mut maps = self.needed(wanted, region);
        for &step in &self.plan.order {
            let Some(region) = maps.regions[step] else {
                continue;
            };
            let map = self.operate(&steps[step], region, &mut maps)?;
            if step == wanted {
                return Ok(map);
            }
            maps.kept[step] = Some(map);
        }
        unreachable!("the plan's order contains every requested step")
    }

    /// Generates this region of a filter step's map as it is before the filter at index `place`. The mask is ignored.
    pub(super) fn make_before(
        &self,
        name: &str,
        place: usize,
        region: MapRegion,
    ) -> Result<Heightmap, TileError> {
        let step = &self.recipe.steps[index(&self.recipe.steps, name)];
        let Operation::Filter { of, by, salt, .. } = &step.operation else {
            return Err(TileError::misfit(name));
        };
        let regions = self.regions(&by[..place], region);
        let map = self.make(of, regions[0])?;
        self.filter((name, *salt), &by[..place], map, &regions)
    }

    /// The regions of all steps that are needed for this region of the step `wanted`.
    fn needed(&self, wanted: usize, region: MapRegion) -> RegionMaps<'_> {
        let Recipe { steps, size, .. } = self.recipe;
        let mut regions = vec![None; steps.len()];
        let mut uses = vec![0; steps.len()];
        regions[wanted] = Some(region);
        for &step in self.plan.order.iter().rev() {
            let Some(region) = regions[step] else {
                continue;
            };
            let operation = &steps[step].operation;
            for (place, input) in operation.inputs().into_iter().enumerate() {
                // Only the main input is read beyond the cell itself. Masks and layers are not.
                let needed = match operation {
                    Operation::Filter { by, .. } if place == 0 => self.regions(by, region)[0],
                    Operation::Select { by, .. } => region.grown(by.reach(), *size),
                    _ => region,
                };
                let input = index(steps, input);
                let known = regions[input].unwrap_or(needed);
                regions[input] = Some(both(known, needed, *size));
                uses[input] += 1;
            }
        }
        RegionMaps {
            steps,
            regions,
            kept: vec![None; steps.len()],
            uses,
        }
    }

    /// Runs a step in this region.
    fn operate(
        &self,
        Step { name, operation }: &Step,
        region: MapRegion,
        maps: &mut RegionMaps<'_>,
    ) -> Result<Heightmap, TileError> {
        let recipe = self.recipe;
        match operation {
            Operation::Generate { by, salt } => {
                let seed = seed(recipe.seed, name, *salt);
                let (world, progress) = (recipe.size, &self.progress);
                let part = match by.parts() {
                    Parts::Pointwise(generator) => match self.plane {
                        None => generator.part(region, world, seed, progress),
                        Some((x, y)) => {
                            let origin = (x + region.x() as i64, y + region.y() as i64);
                            generator.plane_part(origin, region.size(), world, seed, progress)
                        }
                    },
                    Parts::Stretched(generator) => {
                        let known = self.prepass.normalization(name);
                        let known = known.ok_or_else(|| TileError::misfit(name))?;
                        generator.part(region, world, seed, known, progress)
                    }
                    // Rejected before any part is generated.
                    Parts::Whole(_) => return Err(TileError::misfit(name)),
                };
                part.map_err(|error| making(name, error))
            }
            Operation::Flat { height } => Ok(Heightmap::constant(region.size(), *height)),
            Operation::Image { .. } => Err(TileError::misfit(name)),
            Operation::Blend {
                ground,
                layer,
                how,
                weight,
                mask,
            } => {
                let mut map = maps.take(ground, region);
                let over = maps.look(layer, region);
                let by = mask.as_deref().map(|mask| maps.look(mask, region));
                how.apply_validated(&mut map, &over, *weight, by.as_deref(), &self.progress)?;
                drop((over, by));
                maps.release(layer);
                mask.iter().for_each(|mask| maps.release(mask));
                Ok(map)
            }
            Operation::Filter { of, by, mask, salt } => {
                let regions = self.regions(by, region);
                let Some(mask) = mask else {
                    let map = maps.take(of, regions[0]);
                    return self.filter((name, *salt), by, map, &regions);
                };
                let map = maps.look(of, regions[0]).into_owned();
                let filtered = self.filter((name, *salt), by, map, &regions)?;
                let mut map = maps.take(of, region);
                let share = maps.look(mask, region);
                Blend::Mix.apply_validated(
                    &mut map,
                    &filtered,
                    1.0,
                    Some(&share),
                    &self.progress,
                )?;
                drop(share);
                maps.release(mask);
                Ok(map)
            }
            Operation::Select { of, by } => {
                let larger = region.grown(by.reach(), recipe.size);
                let map = maps.look(of, larger);
                let mask = by
                    .of(&map, recipe.scale(), &self.progress)
                    .map_err(|error| making(name, error))?;
                drop(map);
                maps.release(of);
                Ok(cut(mask, larger, region))
            }
        }
    }

    /// For each of these consecutive filters the region that it needs as input, and finally `region` itself.
    fn regions(&self, filters: &[Filter], region: MapRegion) -> Vec<MapRegion> {
        let Recipe { size, .. } = *self.recipe;
        let mut regions = vec![region];
        for filter in filters.iter().rev() {
            let after = regions[regions.len() - 1];
            regions.push(match filter.locality(size, self.recipe.scale()) {
                Locality::Exact { reach, .. } => after.grown(reach, size),
                Locality::Near { reach, guided } => {
                    let step = if guided { self.coarse.ratio() } else { 1 };
                    after.grown(reach, size).aligned(step, size)
                }
                // `Whole` is rejected before any part is generated.
                Locality::Placed | Locality::Stretched | Locality::Whole(_) => after,
            });
        }
        regions.reverse();
        regions
    }

    /// Applies these filters of a step to a map of the first region. The result has the last region.
    fn filter(
        &self,
        (name, salt): (&str, Option<u64>),
        filters: &[Filter],
        mut map: Heightmap,
        regions: &[MapRegion],
    ) -> Result<Heightmap, TileError> {
        let context = FilterContext {
            scale: self.recipe.scale(),
            seed: seed(self.recipe.seed, name, salt),
            region: regions[0],
            world: self.recipe.size,
            origin: self.plane.unwrap_or((0, 0)),
        };
        let step = index(&self.recipe.steps, name);
        for (place, filter) in filters.iter().enumerate() {
            let context = FilterContext {
                region: regions[place],
                ..context.nth(place)
            };
            let known = Known {
                range: self.range(name, place, filter)?,
                guide: self.coarse.guide(step, place),
            };
            let wanted = regions[regions.len() - 1];
            if *filter == Filter::Normalize
                && self.coarse.is_exact(step)
                && !lies_in(&map, regions[place], wanted, known.range)
            {
                return Err(TileError::misfit(name));
            }
            filter
                .apply_part(&mut map, &context, known, &self.progress)
                .map_err(|error| making(name, error))?;
            map = cut(map, regions[place], regions[place + 1]);
        }
        Ok(map)
    }

    /// The range from the prepass for a filter of a step; any range if the filter does not need it.
    fn range(&self, name: &str, place: usize, filter: &Filter) -> Result<(f32, f32), TileError> {
        let locality = filter.locality(self.recipe.size, self.recipe.scale());
        if !locality.needs_range() || self.plane.is_some() {
            return Ok((0.0, 1.0));
        }
        let range = self.prepass.range(name, place);
        range.ok_or_else(|| TileError::misfit(name))
    }
}

/// The regions that exist already.
struct RegionMaps<'a> {
    steps: &'a [Step],
    /// For each step the region that contains everything its users need.
    regions: Vec<Option<MapRegion>>,
    /// The map of that region, from when it is made until its last use.
    kept: Vec<Option<Heightmap>>,
    /// The number of remaining uses of each step.
    uses: Vec<usize>,
}

impl RegionMaps<'_> {
    const PLANNED: &'static str = "the plan runs the inputs before the step, and keeps their maps";

    /// A part of a step's map.
    fn look(&self, name: &str, part: MapRegion) -> Cow<'_, Heightmap> {
        let index = index(self.steps, name);
        let map = self.kept[index].as_ref().expect(Self::PLANNED);
        let whole = self.regions[index].expect(Self::PLANNED);
        if whole == part {
            Cow::Borrowed(map)
        } else {
            Cow::Owned(crop(map, whole, part))
        }
    }

    /// Returns a part to modify. Copies it only if the step has other uses. Removes one use.
    fn take(&mut self, name: &str, part: MapRegion) -> Heightmap {
        let index = index(self.steps, name);
        if self.uses[index] > 1 {
            self.uses[index] -= 1;
            return self.look(name, part).into_owned();
        }
        let map = self.kept[index].take().expect(Self::PLANNED);
        cut(map, self.regions[index].expect(Self::PLANNED), part)
    }

    /// Removes one use of the step.
    fn release(&mut self, name: &str) {
        let index = index(self.steps, name);
        self.uses[index] -= 1;
        if self.uses[index] == 0 {
            self.kept[index] = None;
        }
    }
}

pub(super) fn index(steps: &[Step], name: &str) -> usize {
    let found = steps.iter().position(|step| step.name == name);
    found.expect("the plan has checked the references between steps")
}

/// The smallest region that contains both.
fn both(a: MapRegion, b: MapRegion, world: MapSize) -> MapRegion {
    let (x, y) = (a.x().min(b.x()), a.y().min(b.y()));
    let right = |region: MapRegion| region.x() + region.size().width();
    let bottom = |region: MapRegion| region.y() + region.size().height();
    let width = right(a).max(right(b)) - x;
    let height = bottom(a).max(bottom(b)) - y;
    let size = MapSize::of_world(width as u64, height as u64).ok();
    let both = size.and_then(|size| MapRegion::new(x, y, size, world));
    both.expect("the size is between those of the regions and that of the world")
}

/// Whether all heights in a region of a larger region's map are within the range.
fn lies_in(map: &Heightmap, larger: MapRegion, region: MapRegion, (low, high): (f32, f32)) -> bool {
    let (x, y) = (region.x() - larger.x(), region.y() - larger.y());
    let mut rows =
        (y..y + region.size().height()).map(|y| &map.row(y)[x..][..region.size().width()]);
    rows.all(|row| row.iter().all(|z| (low..=high).contains(z)))
}

/// The part of the larger region's map that is in the smaller region.
fn cut(map: Heightmap, larger: MapRegion, region: MapRegion) -> Heightmap {
    if larger == region {
        return map;
    }
    crop(&map, larger, region)
}

fn crop(map: &Heightmap, larger: MapRegion, region: MapRegion) -> Heightmap {
    let (x, y) = (region.x() - larger.x(), region.y() - larger.y());
    map.cropped((x, y), region.size())
        .expect("the larger region contains the smaller one")
}

pub(super) fn making(step: &str, error: GenerateError) -> TileError {
    RecipeError::making(step, error).into()
}
