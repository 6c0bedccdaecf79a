//! Parts of a recipe's map, made alone: tiles of a world that no memory holds.
//!
//! A tile is made as the whole map is, from the window of each step that it needs; a filter
//! that looks further than a cell gets a larger window, whose rim is cut off afterwards. What a
//! window can not know (how low and high a whole step gets) is [surveyed](Recipe::survey) once,
//! and small enough to be kept beside the tiles. A tile has the bits of that part of the whole
//! map.
//!
//! ```text
//!   survey:  every generator row by row, then every Normalise tile by tile
//!   tile:    +--------------+
//!            | rim  +----+  |   the window that a filter of that reach needs
//!            |      |tile|  |
//!            |      +----+  |
//!            +--------------+
//! ```
//!
//! Not everything can be made so: a fluid's surface and all erosion depend on the whole map.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Operation, Recipe, RecipeError, Step, run::seed};
use crate::{
    Blend, Cancelled, Filter, GenerateError, Heightmap, MapSize, Progress, Site, Window,
    sums::Levels,
};

/// How low and high the steps of a recipe get on the whole map: whoever has it can make any part
/// of the map alone.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Survey {
    generators: Vec<Surveyed>,
    normalised: Vec<Normalised>,
}

/// A generator's sums.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Surveyed {
    step: String,
    levels: Levels,
}

/// What [`Filter::Normalise`] finds, at this place among its step's filters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Normalised {
    step: String,
    place: usize,
    range: (f32, f32),
}

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
    /// The survey is not of this recipe.
    #[error("the survey knows nothing of step `{step}`: it is not of this recipe")]
    Survey {
        /// The step.
        step: String,
    },
    /// The window does not lie in the map.
    #[error("the window does not lie in the recipe's map")]
    Outside,
}

impl From<Cancelled> for TileError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Recipe(cancelled.into())
    }
}

/// The side of the windows that are looked at in a survey.
const LOOK: usize = 1024;

impl Recipe {
    /// Checks the recipe, and that parts of its map can be made alone.
    ///
    /// # Errors
    /// Names the first step that can not.
    pub fn validate_tiles(&self) -> Result<(), TileError> {
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
        Ok(())
    }

    /// Finds out how low and high the steps get on the whole map, in the memory of a few tiles;
    /// it takes about as long as making the map once, and again for each
    /// [`Filter::Normalise`].
    ///
    /// # Errors
    /// As [`validate_tiles`](Self::validate_tiles), or when the work was cancelled.
    pub fn survey(&self, progress: &Progress) -> Result<Survey, TileError> {
        self.validate_tiles()?;
        let order = self.plan()?.order;
        let mut survey = Survey::default();
        for (number, &step) in order.iter().enumerate() {
            let progress = progress.part(number, order.len());
            let Step { name, operation } = &self.steps[step];
            match operation {
                Operation::Generate { by, salt } => {
                    let seed = seed(self.seed, name, *salt);
                    let levels = by
                        .survey(self.size, seed, &progress)
                        .map_err(|error| RecipeError::making(name, error))?;
                    let step = name.clone();
                    let surveyed = levels.map(|levels| Surveyed { step, levels });
                    survey.generators.extend(surveyed);
                }
                Operation::Filter { by, .. } => {
                    let normalises = |place: &usize| by[*place] == Filter::Normalise;
                    for place in (0..by.len()).filter(normalises) {
                        let range = self.range_before(&survey, name, place, &progress)?;
                        let step = name.clone();
                        survey.normalised.push(Normalised { step, place, range });
                    }
                }
                _ => {}
            }
            progress.step(1, 1)?;
        }
        Ok(survey)
    }

    /// How low and high the whole map is before the filter at that place.
    fn range_before(
        &self,
        survey: &Survey,
        step: &str,
        place: usize,
        progress: &Progress,
    ) -> Result<(f32, f32), TileError> {
        let windows = windows(self.size, LOOK);
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for (done, &window) in windows.iter().enumerate() {
            let mut bench = Bench::new(self, survey, progress);
            let map = bench.filtered(step, place, window)?;
            let (lowest, highest) = map.range();
            (low, high) = (low.min(lowest), high.max(highest));
            progress.step(done + 1, windows.len())?;
        }
        Ok((low, high))
    }

    /// The part of [`generate`](Self::generate)'s map that lies in the window, by the recipe's
    /// survey.
    ///
    /// # Errors
    /// As [`validate_tiles`](Self::validate_tiles); when the survey is of another recipe or the
    /// window of a larger map; or when the work was cancelled.
    pub fn tile(
        &self,
        survey: &Survey,
        window: Window,
        progress: &Progress,
    ) -> Result<Heightmap, TileError> {
        self.validate_tiles()?;
        Window::new(window.x(), window.y(), window.size(), self.size).ok_or(TileError::Outside)?;
        let map = Bench::new(self, survey, progress).make(self.result_name(), window)?;
        progress.step(1, 1)?;
        Ok(map)
    }
}

/// Why an operation needs the whole map; `None` if it does not.
fn whole_only(operation: &Operation) -> Option<&'static str> {
    match operation {
        Operation::Generate { by, .. } => by.whole_only(),
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

/// Where one window is made.
struct Bench<'a> {
    recipe: &'a Recipe,
    survey: &'a Survey,
    /// Only to be cancelled by.
    progress: Progress,
}

impl<'a> Bench<'a> {
    fn new(recipe: &'a Recipe, survey: &'a Survey, progress: &Progress) -> Self {
        Self {
            recipe,
            survey,
            progress: progress.span(0.0, 0.0),
        }
    }

    /// The window of a step's map.
    fn make(&mut self, name: &str, window: Window) -> Result<Heightmap, TileError> {
        let recipe = self.recipe;
        let step = recipe.step(name).ok_or_else(|| self.unknown(name))?;
        match &step.operation {
            Operation::Generate { by, salt } => {
                let levels = self
                    .survey
                    .generators
                    .iter()
                    .find(|known| known.step == name);
                let levels = levels.map(|known| &known.levels);
                if levels.is_none() && by.is_stretched() {
                    return Err(self.unknown(name));
                }
                let seed = seed(recipe.seed, name, *salt);
                by.generate_in(window, recipe.size, seed, levels, &self.progress)
                    .map_err(|error| making(name, error))
            }
            Operation::Flat { height } => Ok(Heightmap::constant(window.size(), *height)),
            Operation::Image { .. } => Err(self.unknown(name)),
            Operation::Blend {
                ground,
                layer,
                how,
                weight,
                mask,
            } => {
                let mut map = self.make(ground, window)?;
                let layer = self.make(layer, window)?;
                let mask = self.make_mask(mask.as_deref(), window)?;
                how.lay(&mut map, &layer, *weight, mask.as_ref(), &self.progress)?;
                Ok(map)
            }
            Operation::Filter { of, by, mask, .. } => {
                let filtered = self.filtered(name, by.len(), window)?;
                let Some(mask) = self.make_mask(mask.as_deref(), window)? else {
                    return Ok(filtered);
                };
                let mut map = self.make(of, window)?;
                Blend::Mix.lay(&mut map, &filtered, 1.0, Some(&mask), &self.progress)?;
                Ok(map)
            }
            Operation::Select { of, by } => {
                let larger = window.grown(by.reach(), recipe.size);
                let map = self.make(of, larger)?;
                let mask = by
                    .of(&map, recipe.scale(), &self.progress)
                    .map_err(|error| making(name, error))?;
                Ok(cut(mask, larger, window))
            }
        }
    }

    fn make_mask(
        &mut self,
        mask: Option<&str>,
        window: Window,
    ) -> Result<Option<Heightmap>, TileError> {
        mask.map(|mask| self.make(mask, window)).transpose()
    }

    /// The window of a step of filters, after so many of them, whatever its mask.
    fn filtered(
        &mut self,
        name: &str,
        count: usize,
        window: Window,
    ) -> Result<Heightmap, TileError> {
        let recipe = self.recipe;
        let Some(Operation::Filter { of, by, salt, .. }) = recipe.step(name).map(|s| &s.operation)
        else {
            return Err(self.unknown(name));
        };
        let filters = &by[..count];
        let reach = filters.iter().map(|filter| filter.reach().unwrap_or(0));
        let larger = window.grown(reach.sum(), recipe.size);
        let mut map = self.make(of, larger)?;
        let site = Site {
            scale: recipe.scale(),
            seed: seed(recipe.seed, name, *salt),
            window: larger,
            world: recipe.size,
        };
        for (place, filter) in filters.iter().enumerate() {
            if *filter == Filter::Normalise {
                map.stretch(self.range(name, place)?, &self.progress)?;
            } else {
                filter
                    .apply(&mut map, &site.nth(place), &self.progress)
                    .map_err(|error| making(name, error))?;
            }
        }
        Ok(cut(map, larger, window))
    }

    fn range(&self, step: &str, place: usize) -> Result<(f32, f32), TileError> {
        let mut known = self.survey.normalised.iter();
        let found = known.find(|known| known.step == step && known.place == place);
        found
            .map(|known| known.range)
            .ok_or_else(|| self.unknown(step))
    }

    fn unknown(&self, step: &str) -> TileError {
        TileError::Survey {
            step: step.to_owned(),
        }
    }
}

/// The part of the larger window's map that lies in the smaller one.
fn cut(map: Heightmap, larger: Window, window: Window) -> Heightmap {
    if larger == window {
        return map;
    }
    let (x, y) = (window.x() - larger.x(), window.y() - larger.y());
    map.cropped((x, y), window.size())
        .expect("the larger window holds the smaller one")
}

fn making(step: &str, error: GenerateError) -> TileError {
    RecipeError::making(step, error).into()
}
