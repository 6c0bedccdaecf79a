//! The whole world in large cells, for steps that all of it decides.
//!
//! Problem: erosion of a part needs the large valleys of the world, and a filter behind erosion
//! the range of a map that nobody has.
//!
//! Idea: a map of at most 1024 cells a side of every step behind the first erosion. Where steps are
//! [exact](CoarseWorld::is_exact) it is the mean of the world's cells, from the prepass; from
//! there on the recipe is run on it, with lengths in cells made shorter, and what guides the parts
//! through erosion is kept:
//!
//! ```text
//!   exact:      "base" -> "uplift"                          made in parts, to the bit
//!                            | mean of cells
//!   coarse:                  v "uplift"  -> StreamPowerErosion -> Warp -> ... "valleys"
//!                                              | guide
//!   nearly:               "uplift" in a part ->v StreamPowerErosion -> Warp -> ...
//! ```
//!
//! Cost: that of making a map of the coarse size, once for each process; and its memory, for every
//! step and twice for each erosion.

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

/// A coarse map has so many cells along each side at least.
const LEAST_CELLS: usize = 4;

/// The world in large cells.
pub(super) struct CoarseWorld {
    ratio: usize,
    size: MapSize,
    /// Of each step whether its parts have the bits of the whole.
    exact: Vec<bool>,
    /// Of each step that is not exact its map, once it is made.
    maps: Vec<Option<Heightmap>>,
    /// What guides a filter, by its step and its place.
    guides: BTreeMap<(usize, usize), Guide>,
}

impl CoarseWorld {
    /// Of a recipe of which nothing is made yet.
    pub(super) fn begin(recipe: &Recipe, plan: &Plan) -> Self {
        let ratio = ratio(recipe.size);
        let cells = |side: usize| side.div_ceil(ratio).max(2) as u64;
        let (width, height) = (cells(recipe.size.width()), cells(recipe.size.height()));
        let size = MapSize::new(width, height).expect("no larger than the world, and two at least");
        Self {
            ratio,
            size,
            exact: exact_steps(recipe, plan),
            maps: vec![None; recipe.steps.len()],
            guides: BTreeMap::new(),
        }
    }

    /// The cells of the world along one of its.
    pub(super) fn ratio(&self) -> usize {
        self.ratio
    }

    /// Whether the world is not worth a coarse map: a million cells or, if it is narrow, some more.
    pub(super) fn is_too_small(&self) -> bool {
        self.ratio == 1 || self.size.shorter_side() < LEAST_CELLS
    }

    pub(super) fn size(&self) -> MapSize {
        self.size
    }

    /// Whether a step's parts have the bits of the whole.
    pub(super) fn is_exact(&self, step: usize) -> bool {
        self.exact[step]
    }

    pub(super) fn guide(&self, step: usize, place: usize) -> Option<&Guide> {
        self.guides.get(&(step, place))
    }

    /// The map of a step, which the prepass has if the step is exact.
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

    /// What a step was found to be.
    pub(super) fn keep(&mut self, step: usize, map: Heightmap) {
        self.maps[step] = Some(map);
    }

    /// The scale of its cells.
    fn scale(&self, recipe: &Recipe) -> Scale {
        let Scale { spacing, relief } = recipe.scale();
        Scale {
            spacing: spacing * self.ratio as f32,
            relief,
        }
    }

    /// Changes the coarse map as that filter of a step does, before which its world's heights are in
    /// that range.
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

    /// Makes the map of a step that is no filter, nor exact.
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
                how.lay(&mut map, &look(layer)?, *weight, mask.as_ref(), progress)?;
                Ok(map)
            }
            Operation::Select { of, by } => by
                .of(&look(of)?, self.scale(recipe), progress)
                .map_err(|error| making(name, error)),
            _ => Err(TileError::misfit(name)),
        }
    }

    /// The filtered map of a step where its mask lets it.
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
        Blend::Mix.lay(&mut map, &filtered, 1.0, Some(&mask), progress)?;
        Ok(map)
    }
}

/// Whether a filter's parts have the bits of the whole if what they are made from has.
pub(super) fn is_exact(recipe: &Recipe, filter: &Filter) -> bool {
    filter.locality(recipe.size, recipe.scale()).is_exact()
}

/// Of each step whether its parts have the bits of the whole.
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
