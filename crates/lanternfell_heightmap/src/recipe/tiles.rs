//! Parts of a recipe's map, made alone: tiles of a world that no memory holds.
//!
//! A tile is made [as the whole map is](evaluator), from the window of each step that it needs; a
//! filter that looks further than a cell gets a larger window, whose rim is cut off afterwards.
//! What a window can not know (how low and high a whole step gets) is
//! [measured](Recipe::prepass) once, and small enough to be kept beside the tiles. A tile has the
//! bits of that part of the whole map.
//!
//! ```text
//!   prepass: every generator row by row, then every Normalize tile by tile
//!   tile:    +--------------+
//!            | rim  +----+  |   the window that a filter of that reach needs
//!            |      |tile|  |
//!            |      +----+  |
//!            +--------------+
//! ```
//!
//! Not everything can be made so: a fluid's surface and all erosion depend on the whole map.

mod evaluator;
mod prepass;

use thiserror::Error;

use super::{Operation, Plan, Recipe, RecipeError, Step, run::seed};
use crate::{Cancelled, Filter, Heightmap, MapSize, Progress, Window, generator::Parts};
use evaluator::TileEvaluator;
pub use prepass::TilePrepass;

/// Why a part of a map was not made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TileError {
    /// The recipe can not be used at all.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A step needs the whole map.
    #[error("step `{step}` can not be made in tiles: {why}")]
    Whole {
        /// The step.
        step: String,
        /// Why it does.
        why: String,
    },
    /// The prepass is of a recipe of another map.
    #[error("the prepass is of another recipe")]
    Foreign,
    /// The prepass lacks a step, or a step's heights lie beyond its range.
    #[error("the prepass does not fit step `{step}`: it is damaged")]
    Prepass {
        /// The step.
        step: String,
    },
    /// The window does not lie in the map.
    #[error("the window does not lie in the recipe's map")]
    Outside,
}

impl TileError {
    fn misfit(step: &str) -> Self {
        Self::Prepass {
            step: step.to_owned(),
        }
    }
}

impl From<Cancelled> for TileError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Recipe(cancelled.into())
    }
}

/// The side of the windows that are looked at in a prepass.
const LOOK: usize = 1024;

impl Recipe {
    /// Checks the recipe, and that parts of its map can be made alone.
    ///
    /// # Errors
    /// Names the first step that can not.
    pub fn validate_tiles(&self) -> Result<(), TileError> {
        self.plan_tiles().map(|_| ())
    }

    /// [`validate_tiles`](Self::validate_tiles), and the order in which the steps are made.
    fn plan_tiles(&self) -> Result<Plan, TileError> {
        let plan = self.plan()?;
        for &step in &plan.order {
            let Step { name, operation } = &self.steps[step];
            if let Some(why) = whole_only(operation) {
                let step = name.clone();
                return Err(TileError::Whole {
                    step,
                    why: why.to_owned(),
                });
            }
        }
        Ok(plan)
    }

    /// Finds out how low and high the steps get on the whole map, in the memory of a few tiles;
    /// it takes about as long as making the map once, and again for each
    /// [`Filter::Normalize`].
    ///
    /// # Errors
    /// As [`validate_tiles`](Self::validate_tiles), or when the work was cancelled.
    pub fn prepass(&self, progress: &Progress) -> Result<TilePrepass, TileError> {
        let plan = self.plan_tiles()?;
        let mut prepass = TilePrepass::begin(self);
        for (number, &step) in plan.order.iter().enumerate() {
            let progress = progress.part(number, plan.order.len());
            let Step { name, operation } = &self.steps[step];
            match operation {
                Operation::Generate { by, salt } => {
                    if let Parts::Stretched(generator) = by.parts() {
                        let seed = seed(self.seed, name, *salt);
                        let normalization = generator
                            .prepass(self.size, seed, &progress)
                            .map_err(|error| RecipeError::making(name, error))?;
                        prepass.add_normalization(name, normalization);
                    }
                }
                Operation::Filter { by, .. } => {
                    let normalizes = |place: &usize| by[*place] == Filter::Normalize;
                    for place in (0..by.len()).filter(normalizes) {
                        let evaluator = TileEvaluator::new(self, &plan, &prepass, &progress);
                        let range = self.range_before(&evaluator, (name, place), &progress)?;
                        prepass.add_range(name, place, range);
                    }
                }
                Operation::Flat { .. }
                | Operation::Image { .. }
                | Operation::Blend { .. }
                | Operation::Select { .. } => {}
            }
            progress.step(1, 1)?;
        }
        Ok(prepass)
    }

    /// How low and high the whole map is before the filter at that place of a step.
    fn range_before(
        &self,
        evaluator: &TileEvaluator<'_>,
        (step, place): (&str, usize),
        progress: &Progress,
    ) -> Result<(f32, f32), TileError> {
        let windows = windows(self.size, LOOK);
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for (done, &window) in windows.iter().enumerate() {
            let map = evaluator.make_before(step, place, window)?;
            let (lowest, highest) = map.range();
            (low, high) = (low.min(lowest), high.max(highest));
            progress.step(done + 1, windows.len())?;
        }
        Ok((low, high))
    }

    /// The part of [`generate`](Self::generate)'s map that lies in the window, by the recipe's
    /// prepass.
    ///
    /// # Errors
    /// As [`validate_tiles`](Self::validate_tiles); when the prepass is of another recipe (of
    /// another size or seed too) or damaged; when the window is of a larger map; or when the
    /// work was cancelled.
    pub fn tile(
        &self,
        prepass: &TilePrepass,
        window: Window,
        progress: &Progress,
    ) -> Result<Heightmap, TileError> {
        let plan = self.plan_tiles()?;
        if !prepass.is_of(self) {
            return Err(TileError::Foreign);
        }
        Window::new(window.x(), window.y(), window.size(), self.size).ok_or(TileError::Outside)?;
        let evaluator = TileEvaluator::new(self, &plan, prepass, progress);
        let map = evaluator.make(self.result_name(), window)?;
        progress.step(1, 1)?;
        Ok(map)
    }
}

/// Why an operation needs the whole map; `None` if it does not.
fn whole_only(operation: &Operation) -> Option<&'static str> {
    match operation {
        Operation::Generate { by, .. } => match by.parts() {
            Parts::Whole(why) => Some(why),
            Parts::Pointwise(_) | Parts::Stretched(_) => None,
        },
        Operation::Image { .. } => Some("images are fitted as a whole"),
        Operation::Filter { by, .. } => by.iter().find_map(|filter| filter.reach().err()),
        Operation::Select { .. } | Operation::Flat { .. } | Operation::Blend { .. } => None,
    }
}

/// The world cut into windows of about that side, none narrower than two cells.
fn windows(world: MapSize, side: usize) -> Vec<Window> {
    let cuts = |length: usize| {
        let number = length.div_ceil(side);
        (0..number).map(move |i| (i * length / number, (i + 1) * length / number))
    };
    let mut windows = Vec::new();
    for (top, bottom) in cuts(world.height()) {
        for (left, right) in cuts(world.width()) {
            let size = MapSize::new((right - left) as u64, (bottom - top) as u64);
            let window = size
                .ok()
                .and_then(|size| Window::new(left, top, size, world));
            windows.extend(window);
        }
    }
    windows
}
