//! The whole world in large cells, for steps that depend on all of it.
//!
//! Problem: eroding a part needs the large valleys of the world, and a filter after the erosion needs the range of a
//! map that is never generated as a whole.
//!
//! Idea: for every step after the first erosion, compute a coarse map of at most 1024 cells per side. Where steps are
//! [exact](CoarseWorld::is_exact), the coarse map contains the means of the world's cells, from the prepass. From there
//! on the recipe is run on the coarse map, with lengths in cells scaled down. The guides for eroding parts are stored:
//!
//! ```text
//!   exact:      "base" -> "uplift"                          generated in parts, exact bits
//!                            | mean of cells
//!   coarse:                  v "uplift"  -> StreamPowerErosion -> Warp -> ... "valleys"
//!                                              | guide
//!   approximate:          "uplift" in a part ->v StreamPowerErosion -> Warp -> ...
//! ```
//!
//! Cost: that of generating a map of the coarse size, once per process. Memory: one coarse map per step and two per
//! erosion.

use std::collections::BTreeMap;

use super::{
    TileError, TilePrepass,
    evaluator::{index, making},
};
use crate::{
    Blend, Filter, FilterContext, Heightmap, MapSize, Progress, Recipe, Scale,
    erosion::guide::Guide,
    filter::ratio,
    recipe::{Operation, Plan, run::seed},
};

/// The minimum number of cells along each side of a coarse map.
const LEAST_CELLS: usize = 4;

/// The world in large cells.
pub(super) struct CoarseWorld {
    ratio: usize,
    size: MapSize,
    /// For each step, whether its parts have the bits of the whole.
    exact: Vec<bool>,
    /// The map of each step that is not exact, once it is made.
    maps: Vec<Option<Heightmap>>,
    /// The guide of a filter, by the index of its step and its index within the step.
    guides: BTreeMap<(usize, usize), Guide>,
}

impl CoarseWorld {
    /// Creates the coarse world of a recipe, without any maps.
    pub(super) fn begin(recipe: &Recipe, plan: &Plan) -> Self {
        let ratio = ratio(recipe.size);
        let cells = |side: usize| side.div_ceil(ratio).max(2) as u64;
        let (width, height) = (cells(recipe.size.width()), cells(recipe.size.height()));
        let size = MapSize::new(width, height)
            .expect("the size is at least 2x2 and no larger than the world");
        Self {
            ratio,
            size,
            exact: exact_steps(recipe, plan),
            maps: vec![None; recipe.steps.len()],
            guides: BTreeMap::new(),
        }
    }

    /// The number of world cells along the side of a coarse cell.
    pub(super) fn ratio(&self) -> usize {
        self.ratio
    }

    /// Whether the world is too small for a coarse map: at most 1024 cells per side, or narrower than a few coarse
    /// cells.
    pub(super) fn is_too_small(&self) -> bool {
        self.ratio == 1 || self.size.shorter_side() < LEAST_CELLS
    }

    pub(super) fn size(&self) -> MapSize {
        self.size
    }

    /// Whether the parts of a step have the bits of the whole.
    pub(super) fn is_exact(&self, step: usize) -> bool {
        self.exact[step]
    }

    pub(super) fn guide(&self, step: usize, place: usize) -> Option<&Guide> {
        self.guides.get(&(step, place))
    }

    /// The coarse map of a step. If the step is exact, it comes from the prepass.
    pub(super) fn map(
        &self,
        recipe: &Recipe,
        prepass: &TilePrepass,
        name: &str,
    ) -> Result<Heightmap, TileError> {
        let step = index(&recipe.steps, name);
        let made = self.maps[step].clone();
        let map = made.or_else(|| prepass.map(name, None, self.size));
        map.ok_or_else(|| TileError::misfit(name))
    }

    /// Stores the coarse map of a step.
    pub(super) fn keep(&mut self, step: usize, map: Heightmap) {
        self.maps[step] = Some(map);
    }

    /// The scale of the coarse cells.
    fn scale(&self, recipe: &Recipe) -> Scale {
        let Scale { spacing, relief } = recipe.scale();
        Scale {
            spacing: spacing * self.ratio as f32,
            relief,
        }
    }

    /// Applies a filter of a step to the coarse map. `range` is the range of the world's heights before the filter.
    pub(super) fn filter(
        &mut self,
        recipe: &Recipe,
        (step, place): (usize, usize),
        range: (f32, f32),
        map: &mut Heightmap,
        progress: &Progress,
    ) -> Result<(), TileError> {
        let crate::recipe::Step { name, operation } = &recipe.steps[step];
        let Operation::Filter { by, salt, .. } = operation else {
            return Err(TileError::misfit(name));
        };
        let context = FilterContext {
            scale: self.scale(recipe),
            ..FilterContext::new(self.size, seed(recipe.seed, name, *salt))
        };
        let guide = by[place]
            .apply_coarsely(map, self.ratio, &context.nth(place), range, progress)
            .map_err(|error| making(name, error))?;
        if let Some(guide) = guide {
            self.guides.insert((step, place), guide);
        }
        Ok(())
    }

    /// Makes the coarse map of a step that is neither a filter nor exact.
    pub(super) fn operate(
        &self,
        recipe: &Recipe,
        prepass: &TilePrepass,
        step: usize,
        progress: &Progress,
    ) -> Result<Heightmap, TileError> {
        let crate::recipe::Step { name, operation } = &recipe.steps[step];
        let look = |name: &str| self.map(recipe, prepass, name);
        match operation {
            Operation::Blend {
                ground,
                layer,
                how,
                weight,
                mask,
            } => {
                let mut map = look(ground)?;
                let mask = mask.as_deref().map(look).transpose()?;
                how.apply_validated(&mut map, &look(layer)?, *weight, mask.as_ref(), progress)?;
                Ok(map)
            }
            Operation::Select { of, by } => by
                .of(&look(of)?, self.scale(recipe), progress)
                .map_err(|error| making(name, error)),
            _ => Err(TileError::misfit(name)),
        }
    }

    /// Applies the mask of a step: blends the filtered map onto the unfiltered one.
    pub(super) fn masked(
        &self,
        recipe: &Recipe,
        prepass: &TilePrepass,
        (of, mask): (&str, Option<&str>),
        filtered: Heightmap,
        progress: &Progress,
    ) -> Result<Heightmap, TileError> {
        let Some(mask) = mask else {
            return Ok(filtered);
        };
        let mut map = self.map(recipe, prepass, of)?;
        let mask = self.map(recipe, prepass, mask)?;
        Blend::Mix.apply_validated(&mut map, &filtered, 1.0, Some(&mask), progress)?;
        Ok(map)
    }
}

/// Whether filtering parts gives the bits of the filtered whole, if the input has them.
pub(super) fn is_exact(recipe: &Recipe, filter: &Filter) -> bool {
    filter.locality(recipe.size, recipe.scale()).is_exact()
}

/// For each step, whether its parts have the bits of the whole.
fn exact_steps(recipe: &Recipe, plan: &Plan) -> Vec<bool> {
    let mut exact = vec![true; recipe.steps.len()];
    for &step in &plan.order {
        let operation = &recipe.steps[step].operation;
        let mut inputs = operation.inputs().into_iter();
        let alone = match operation {
            Operation::Filter { by, .. } => by.iter().all(|filter| is_exact(recipe, filter)),
            _ => true,
        };
        exact[step] = alone && inputs.all(|input| exact[index(&recipe.steps, input)]);
    }
    exact
}
