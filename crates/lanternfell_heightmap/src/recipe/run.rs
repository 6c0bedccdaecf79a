//! Runs the steps in the order of the plan.

use lanternfell_random::Fnv1a;

use super::{Operation, Plan, Recipe, RecipeError, Step};
use crate::{
    Blend, Filter, FilterContext, Heightmap, Progress, context::spread, filter::Resampling,
};

/// Returns the image with this name, or a message why it cannot.
type Images<'a> = dyn Fn(&str) -> Result<Heightmap, String> + 'a;

/// The fraction of a masked filter's work after which only blending remains.
const FILTERED: f32 = 0.9;

/// Generates the map, and that of the holes if it is planned.
pub(super) fn run(
    recipe: &Recipe,
    plan: &Plan,
    images: &Images<'_>,
    progress: &Progress,
) -> Result<(Heightmap, Option<Heightmap>), RecipeError> {
    let mut maps = StepMaps {
        steps: &recipe.steps,
        kept: vec![None; recipe.steps.len()],
        uses: plan.uses(&recipe.steps),
    };
    let work = |&step: &usize| recipe.steps[step].operation.work();
    let total: f32 = plan.order.iter().map(work).sum();
    let mut done = 0.0;
    for index in &plan.order {
        let start = done;
        done += work(index);
        let progress = progress.span(start / total, done / total);
        let map = make(recipe, &recipe.steps[*index], &mut maps, images, &progress)?;
        maps.kept[*index] = Some(map);
    }
    progress.step(1, 1)?;
    let map = maps.take_at(plan.result);
    Ok((map, plan.holes.map(|holes| maps.take_at(holes))))
}

/// The maps that exist already.
struct StepMaps<'a> {
    steps: &'a [Step],
    /// The map of each step, from when it is made until its last use.
    kept: Vec<Option<Heightmap>>,
    /// The number of remaining uses of each step.
    uses: Vec<usize>,
}

impl StepMaps<'_> {
    const PLANNED: &'static str =
        "the plan runs the inputs before the step, and keeps their maps until then";

    fn index(&self, name: &str) -> usize {
        let found = self.steps.iter().position(|step| step.name == name);
        found.expect(Self::PLANNED)
    }

    fn look(&self, name: &str) -> &Heightmap {
        self.kept[self.index(name)].as_ref().expect(Self::PLANNED)
    }

    /// Returns a map to modify. Copies it only if it has other uses.
    fn take(&mut self, name: &str) -> Heightmap {
        self.take_at(self.index(name))
    }

    /// [`take`](Self::take) by the index of the step.
    fn take_at(&mut self, index: usize) -> Heightmap {
        if self.uses[index] > 1 {
            self.uses[index] -= 1;
            return self.kept[index].clone().expect(Self::PLANNED);
        }
        self.kept[index].take().expect(Self::PLANNED)
    }

    /// Removes one use of the step.
    fn release(&mut self, name: Option<&str>) {
        let Some(name) = name else { return };
        let index = self.index(name);
        self.uses[index] -= 1;
        if self.uses[index] == 0 {
            self.kept[index] = None;
        }
    }
}

fn make(
    recipe: &Recipe,
    Step { name, operation }: &Step,
    maps: &mut StepMaps<'_>,
    images: &Images<'_>,
    progress: &Progress,
) -> Result<Heightmap, RecipeError> {
    let failed = |error| RecipeError::making(name, error);
    let seed = |salt| seed(recipe.seed, name, salt);
    match operation {
        Operation::Generate { by, salt } => by
            .generate(recipe.size, seed(*salt), progress)
            .map_err(failed),
        Operation::Flat { height } => Ok(Heightmap::constant(recipe.size, *height)),
        Operation::Image { name: image } => {
            let map = images(image).map_err(|why| RecipeError::Image {
                step: name.clone(),
                image: image.clone(),
                why,
            })?;
            if map.size() == recipe.size {
                return Ok(map);
            }
            Ok(map.resampled(recipe.size, Resampling::Bilinear, progress)?)
        }
        Operation::Blend {
            ground,
            layer,
            how,
            weight,
            mask,
        } => {
            let mut map = maps.take(ground);
            let by = mask.as_deref().map(|mask| maps.look(mask));
            how.apply_validated(&mut map, maps.look(layer), *weight, by, progress)?;
            maps.release(Some(layer));
            maps.release(mask.as_deref());
            Ok(map)
        }
        Operation::Filter { of, by, mask, salt } => {
            let context = FilterContext {
                scale: recipe.scale(),
                ..FilterContext::new(recipe.size, seed(*salt))
            };
            let Some(mask) = mask else {
                let mut map = maps.take(of);
                Filter::apply_all(by, &mut map, &context, progress).map_err(failed)?;
                return Ok(map);
            };
            let mut filtered = maps.look(of).clone();
            let filtering = progress.span(0.0, FILTERED);
            Filter::apply_all(by, &mut filtered, &context, &filtering).map_err(failed)?;
            let mut map = maps.take(of);
            let progress = progress.span(FILTERED, 1.0);
            Blend::Mix.apply_validated(
                &mut map,
                &filtered,
                1.0,
                Some(maps.look(mask)),
                &progress,
            )?;
            maps.release(Some(mask));
            Ok(map)
        }
        Operation::Select { of, by } => {
            let mask = by.of(maps.look(of), recipe.scale(), progress);
            let mask = mask.map_err(failed)?;
            maps.release(Some(of));
            Ok(mask)
        }
    }
}

/// The seed of a step, derived from its salt or else from its name.
pub(super) fn seed(seed: u64, name: &str, salt: Option<u64>) -> u64 {
    spread(seed, salt.unwrap_or_else(|| hash(name)))
}

/// The hash of a text.
pub(super) fn hash(name: &str) -> u64 {
    Fnv1a::of_bytes(name.bytes())
}
