//! Tiles: parts of a recipe's map, for worlds that do not fit into memory.
//!
//! A tile is generated [like the whole map](evaluator), but only within the region that each step needs. Filters that
//! read around a cell get a larger region, whose margin is cut off afterwards. What a region cannot contain, such as
//! the range of a whole step, is [measured once](Recipe::prepass), and is small enough to be stored with the tiles.
//!
//! ```text
//!   prepass: every generator row by row, then every filter that needs it region by region
//!   tile:    +--------------+
//!            |margin+----+  |   the region that a filter with this reach needs
//!            |      |tile|  |
//!            |      +----+  |
//!            +--------------+
//! ```
//!
//! Without erosion, a tile has the bits of that part of the whole map. Erosion depends on the whole map, so it is
//! guided by a [coarse map of the world](coarse). Where two blocks of the world contain the same cells, their results
//! are [blended](blocks), so that tiles match to the last bit. `TILES.md` in this crate shows how close they are to the
//! whole map. The bits of a cell depend only on the recipe, and not on which tiles are generated, in which order or on
//! which machine.
//!
//! Some steps cannot be generated in tiles, for example fluids, sand dunes and images. Recipes with
//! [holes](Recipe::holes) are also rejected, because a tile cannot contain holes.

mod blocks;
mod coarse;
mod evaluator;
mod plane;
mod prepass;
mod survey;

use thiserror::Error;

use super::{Operation, Plan, Recipe, RecipeError, Step};
use crate::{Canceled, Heightmap, MapRegion, Progress, evaluate::Parts, filter::Locality};
pub use blocks::{BlockPosition, BlockStore, MemoryBlocks, Tiles};
pub use plane::Plane;
pub use prepass::TilePrepass;
use survey::Survey;

/// Why a part of a map was not generated.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TileError {
    /// The recipe cannot be used at all.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A step needs the whole map.
    #[error("step `{step}` cannot be generated in tiles: {why}")]
    Whole {
        /// The name of the step.
        step: String,
        /// The reason.
        why: String,
    },
    /// The recipe has holes, which tiles do not support.
    #[error(
        "the holes of step `{step}` cannot be generated in tiles: remove `holes`, or make that step the result of \
         a separate recipe"
    )]
    Holes {
        /// The step that defines the holes.
        step: String,
    },
    /// The prepass belongs to a recipe of another map.
    #[error("the prepass belongs to another recipe")]
    Foreign,
    /// The prepass lacks a step, or heights of a step are outside its range.
    #[error("the prepass does not match step `{step}`: it is damaged")]
    Prepass {
        /// The name of the step.
        step: String,
    },
    /// The region is not within the map, or a part of a plane is too far away or too large.
    #[error("the region is outside the recipe's map")]
    Outside,
    /// A step cannot be generated on an endless plane, because it needs the borders or the range of a map.
    #[error("step `{step}` cannot be generated on an endless plane: {why}")]
    Bounded {
        /// The name of the step.
        step: String,
        /// The reason.
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

impl From<Canceled> for TileError {
    fn from(canceled: Canceled) -> Self {
        Self::Recipe(canceled.into())
    }
}

impl Recipe {
    /// Checks the recipe, and that its map can be generated in tiles.
    ///
    /// # Errors
    /// Names the first step that cannot be generated in tiles, or the step of the [holes](Self::holes).
    pub fn validate_tiles(&self) -> Result<(), TileError> {
        self.plan_tiles().map(|_| ())
    }

    /// [`validate_tiles`](Self::validate_tiles), and returns the order in which to run the steps.
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

    /// Parts of a map cannot have holes. Ignoring them silently would be wrong.
    fn refuse_holes(&self) -> Result<(), TileError> {
        match self.holes.clone() {
            None => Ok(()),
            Some(step) => Err(TileError::Holes { step }),
        }
    }

    /// Measures what parts of the map need to know about the whole: the ranges of steps, and for erosion the large
    /// features of the world.
    ///
    /// The prepass costs nothing for most recipes. With fault lines, hills, erosion, or a filter that needs the range
    /// of the map, such as [`Filter::Normalize`](crate::Filter::Normalize), it needs the memory of a few tiles. It then
    /// takes about as long as generating the map once, plus once for each such filter up to the first erosion.
    ///
    /// # Errors
    /// As for [`validate_tiles`](Self::validate_tiles), or if the work is canceled.
    pub fn prepass(&self, progress: &Progress) -> Result<TilePrepass, TileError> {
        let plan = self.plan_tiles()?;
        Ok(Survey::make(self, &plan, progress)?.prepass)
    }

    /// Prepares to generate many tiles, using the recipe's prepass.
    ///
    /// If the recipe has erosion, this erodes the coarse map of the world, which takes some seconds. A world of at most
    /// 1024 cells per side is generated completely.
    ///
    /// # Errors
    /// As for [`validate_tiles`](Self::validate_tiles). Also if the prepass belongs to another recipe (including
    /// another size or seed) or is damaged, or if the work is canceled.
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

    /// Generates the part of the map in this region, using the recipe's prepass.
    ///
    /// The heights are those of [`generate`](Self::generate): the same bits, or nearly the same heights if the recipe
    /// has erosion. To generate many tiles of a recipe with erosion, call [`tiles`](Self::tiles) once instead.
    ///
    /// ```
    /// use lanternfell_heightmap::{FractalNoise, MapRegion, MapSize, Progress, Recipe};
    ///
    /// let progress = Progress::default();
    /// let world = MapSize::of_world(65_536, 65_536)?;
    /// let recipe = Recipe::new(world, 7, FractalNoise::default());
    /// let prepass = recipe.prepass(&progress)?;
    /// let region = MapRegion::new(40_000, 1_000, MapSize::new(256, 256)?, world).expect("in the world");
    /// let tile = recipe.tile(&prepass, region, &progress)?;
    /// assert_eq!(tile.size(), region.size());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`validate_tiles`](Self::validate_tiles). Also if the prepass belongs to another recipe (including
    /// another size or seed) or is damaged, if the region is not within the map, or if the work is canceled.
    pub fn tile(
        &self,
        prepass: &TilePrepass,
        region: MapRegion,
        progress: &Progress,
    ) -> Result<Heightmap, TileError> {
        let tiles = self.tiles(prepass, &progress.span(0.0, 0.5))?;
        let map = tiles.tile(region, &MemoryBlocks::default(), &progress.span(0.5, 1.0))?;
        progress.step(1, 1)?;
        Ok(map)
    }

    /// Why an operation needs the whole map; `None` if it does not.
    fn whole_only(&self, operation: &Operation) -> Option<&'static str> {
        match operation {
            Operation::Generate { by, .. } => match by.parts() {
                Parts::Whole(why) => Some(why),
                Parts::Stretched(_) if !self.size.is_of_map() => {
                    Some("fault lines and hills support at most 16384 cells per side")
                }
                Parts::Pointwise(_) | Parts::Stretched(_) => None,
            },
            Operation::Image { .. } => Some("images are resampled as a whole"),
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
