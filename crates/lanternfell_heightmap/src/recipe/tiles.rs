//! Parts of a recipe's map, made alone: tiles of a world that no memory holds.
//!
//! A tile is made [as the whole map is](evaluator), from the window of each step that it needs; a
//! filter that looks further than a cell gets a larger window, whose rim is cut off afterwards.
//! What a window can not know (how low and high a whole step gets) is
//! [found out](Recipe::prepass) once, and small enough to be kept beside the tiles.
//!
//! ```text
//!   prepass: every generator row by row, then every filter that needs it window by window
//!   tile:    +--------------+
//!            | rim  +----+  |   the window that a filter of that reach needs
//!            |      |tile|  |
//!            |      +----+  |
//!            +--------------+
//! ```
//!
//! Without erosion a tile has the bits of that part of the whole map. Erosion depends on the
//! whole map: it is led by a [coarse map of the world](coarse), and what two parts of the world
//! make of the same cells is [blended](blocks), so that tiles fit to the last bit; see `TILES.md`
//! beside this crate for how near they come to the whole map. Whichever tiles are asked for, in
//! whatever order and on whatever machine, a cell's bits depend on the recipe alone.
//!
//! Not everything can be made so: a fluid's surface, sand in the wind, images. A recipe that has
//! [holes](Recipe::holes) is refused, since a tile is a map without any.

mod blocks;
mod coarse;
mod evaluator;
mod plane;
mod prepass;
mod survey;

use thiserror::Error;

use super::{Operation, Plan, Recipe, RecipeError, Step};
use crate::{Cancelled, Heightmap, Progress, Window, evaluate::Parts, filter::Locality};
pub use blocks::{BlockPosition, BlockStore, MemoryBlocks, Tiles};
pub use plane::Plane;
pub use prepass::TilePrepass;
use survey::Survey;

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
    /// The recipe has holes, which tiles have not.
    #[error(
        "the holes of step `{step}` can not be made in parts of a map: leave `holes` out, or make that step the \
         result of a recipe of its own"
    )]
    Holes {
        /// The step that tells them.
        step: String,
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
    /// The window does not lie in the map, or is no map of a plane.
    #[error("the window does not lie in the recipe's map")]
    Outside,
    /// A step can not be made without a map's borders, or its highest and lowest ground.
    #[error("step `{step}` can not be made without end: {why}")]
    Bounded {
        /// The step.
        step: String,
        /// Why it can not.
        why: String,
    },
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

impl Recipe {
    /// Checks the recipe, and that parts of its map can be made alone.
    ///
    /// # Errors
    /// Names the first step that can not, or that of the [holes](Self::holes), which tiles have not.
    pub fn validate_tiles(&self) -> Result<(), TileError> {
        self.plan_tiles().map(|_| ())
    }

    /// [`validate_tiles`](Self::validate_tiles), and the order in which the steps are made.
    pub(super) fn plan_tiles(&self) -> Result<Plan, TileError> {
        let plan = self.plan()?;
        self.refuse_holes()?;
        for &step in &plan.order {
            let Step { name, operation } = &self.steps[step];
            if let Some(why) = self.whole_only(operation) {
                let step = name.clone();
                return Err(TileError::Whole {
                    step,
                    why: why.to_owned(),
                });
            }
        }
        Ok(plan)
    }

    /// A part of a map has no holes, and leaving them out without a word would be wrong.
    fn refuse_holes(&self) -> Result<(), TileError> {
        match self.holes.clone() {
            None => Ok(()),
            Some(step) => Err(TileError::Holes { step }),
        }
    }

    /// Finds out what parts of the map have to know of the whole: how low and high the steps get, and
    /// for erosion what the world is like in the large.
    ///
    /// It takes the memory of a few tiles, and about as long as making the map once, and again for
    /// each filter that needs the range of the map before it (as
    /// [`Filter::Normalize`](crate::Filter::Normalize) does) up to the first erosion.
    ///
    /// # Errors
    /// As [`validate_tiles`](Self::validate_tiles), or when the work was cancelled.
    pub fn prepass(&self, progress: &Progress) -> Result<TilePrepass, TileError> {
        let plan = self.plan_tiles()?;
        Ok(Survey::make(self, &plan, progress)?.prepass)
    }

    /// Makes ready to make tiles, by the recipe's prepass: for one of a recipe with erosion the coarse
    /// map of its world is eroded, which takes some seconds, or all of the world if it has no more
    /// than 1024 cells a side.
    ///
    /// # Errors
    /// As [`validate_tiles`](Self::validate_tiles); when the prepass is of another recipe (of
    /// another size or seed too) or damaged; or when the work was cancelled.
    pub fn tiles<'a>(
        &'a self,
        prepass: &TilePrepass,
        progress: &Progress,
    ) -> Result<Tiles<'a>, TileError> {
        let plan = self.plan_tiles()?;
        if !prepass.is_of(self) {
            return Err(TileError::Foreign);
        }
        Tiles::new(self, plan, prepass.clone(), progress)
    }

    /// The part of the map that lies in the window, by the recipe's prepass: that of
    /// [`generate`](Self::generate), to the bit or, with erosion, nearly. Who makes many tiles of a
    /// recipe with erosion calls [`tiles`](Self::tiles) once instead.
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
        let tiles = self.tiles(prepass, &progress.span(0.0, 0.5))?;
        let map = tiles.tile(window, &MemoryBlocks::default(), &progress.span(0.5, 1.0))?;
        progress.step(1, 1)?;
        Ok(map)
    }

    /// Why an operation needs the whole map; `None` if it does not.
    fn whole_only(&self, operation: &Operation) -> Option<&'static str> {
        match operation {
            Operation::Generate { by, .. } => match by.parts() {
                Parts::Whole(why) => Some(why),
                Parts::Stretched(_) if !self.size.is_of_map() => {
                    Some("lines and hills lie in a world of at most 16384 cells a side")
                }
                Parts::Pointwise(_) | Parts::Stretched(_) => None,
            },
            Operation::Image { .. } => Some("images are fitted as a whole"),
            Operation::Filter { by, .. } => {
                by.iter()
                    .find_map(|filter| match filter.locality(self.size, self.scale()) {
                        Locality::Whole(why) => Some(why),
                        Locality::Exact { .. }
                        | Locality::Placed
                        | Locality::Stretched
                        | Locality::Near { .. } => None,
                    })
            }
            Operation::Select { .. } | Operation::Flat { .. } | Operation::Blend { .. } => None,
        }
    }
}
