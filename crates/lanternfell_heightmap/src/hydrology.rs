//! Hydrology: drainage, catchments, discharge, rivers and lakes.
//!
//! Everything here is computed from the drainage: the neighbor to which the rain on each cell flows.
//!
//! ```text
//!   terrain         flood             flow              rivers, lakes
//!   7 8 9 8         7 8 9 8         <- .  ^  \         source
//!   6 3 7 7   ->    6 6 7 7   ->    ^  ^  <- ^    ->     `--.__ lake
//!   6 4 5 8         6 6 6 8         ^  ^  <- <-                `~~~~--. mouth
//! ```
//!
//! - [`Hydrology`] defines where water leaves the map: over the border or into the sea. It [fills](Hydrology::fill) or
//!   [breaches](Hydrology::breach) depressions, and computes the drainage.
//! - [`Drainage`] has the water level of each cell, and the neighbor that the cell drains to. Catchment
//!   [areas](Drainage::areas), discharge, rivers and lakes are computed from it.
//! - [`EditableDrainage`] follows edits of a map, and recomputes only what they change.
//! - [`FlowRouting`] selects D8 or D-infinity for [catchments](Drainage::catchments) as fractions of cells.
//! - [`Rivers`] are lines from source to mouth, and can be drawn as masks.
//! - [`Network`] describes all rivers of a map statistically, by the laws of Horton and Hack.
//! - [`Lakes`] are regions of cells.
//!
//! On lakes and flats, water flows away from higher terrain and toward the outlet.
//!
//! Two tie-breaking rules make all results unique, on every machine and with any number of threads. Of equally steep
//! directions, the first one clockwise from the east is chosen. Of equally high shores, a flood starts at the first one,
//! in the order of rows and columns.
//!
//! # How it works
//!
//! Neither rule needs a single order for the whole map, so most steps run on every core. Water levels are found basin
//! by basin (module `basins`), paths across each flat separately (`flats`), sums strip by strip (`gather`), and sloped
//! water surfaces from the level ones (`rise`). A flood (`flood`) on one thread is only used where its order is needed:
//! for breaches, for sloped water on lakes that are hundreds of cells wide, and for heights so close to 0 that an `f32`
//! cannot represent their slope or that differ in the sign of 0.
//!
//! # Memory
//!
//! In addition to the map, per cell: 5 bytes for the drainage. While it is computed or depressions are filled, 6 bytes,
//! or 9 with as many pits as in white noise. 5 to 10 bytes while depressions are breached, 8 to 10 while they are
//! filled with a slope, and 5 to 9 while areas, rivers or lakes are found. An [`EditableDrainage`] keeps 17 bytes.

mod accumulation;
mod basins;
mod dinf;
mod editable;
mod fill;
mod flats;
mod flood;
mod flow;
mod gather;
mod grid;
mod lakes;
mod network;
mod queue;
mod rise;
mod rivers;
mod spill;
mod strahler;

use serde::{Deserialize, Serialize};

use self::{flats::Crossing, flood::Water};
use crate::{GenerateError, Heightmap, ParamError, Progress};

pub use accumulation::Drainage;
pub use dinf::FlowRouting;
pub use editable::EditableDrainage;
pub use lakes::{Lake, Lakes};
pub use network::{HackLaw, Network, StreamOrder};
pub use rivers::{River, RiverPoint, Rivers};

pub(crate) use flow::{Flow, Luck};
pub(crate) use gather::Order;
pub(crate) use grid::{DISTANCES, Grid};
pub(crate) use rise::slope;

/// Where water leaves a map.
///
/// ```
/// use lanternfell_heightmap::{Hills, MapSize, Progress, hydrology::Hydrology};
///
/// let size = MapSize::new(64, 64)?;
/// let progress = Progress::default();
/// let hills = Hills { radius_max: 12.0, ..Hills::default() };
/// let map = hills.generate(size, 7, &progress)?;
/// let drainage = Hydrology::default().drain(&map, &progress)?;
/// let areas = drainage.areas(&progress)?;
/// let left: u32 = drainage.outlets().map(|(x, y)| areas[y * 64 + x]).sum();
/// assert_eq!(left, 64 * 64); // all rain leaves the map
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hydrology {
    /// The height of the sea; `None`, the default, if there is no sea. Cells at or below it are outlets, even if they
    /// are not connected to an ocean.
    pub sea_level: Option<f32>,
    /// Whether water leaves over the border, so that all border cells are outlets. Default: `true`.
    ///
    /// A map with neither sea nor border outlets has one outlet: its lowest cell, or the first of several lowest cells.
    pub border: bool,
}

impl Default for Hydrology {
    fn default() -> Self {
        Self {
            sea_level: None,
            border: true,
        }
    }
}

impl Hydrology {
    /// Checks that the sea level is finite.
    ///
    /// # Errors
    /// If it is not.
    pub fn validate(&self) -> Result<(), ParamError> {
        let level = self.sea_level.unwrap_or(0.0);
        let value = ParamError::shortest(level);
        ParamError::check(level.is_finite(), "hydrology", "sea_level", value, "finite")
    }

    /// Fills every depression up to its lowest rim. The resulting lakes are level; [`drain`](Self::drain) still finds
    /// paths across them.
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled. The map is unchanged then.
    pub fn fill(&self, map: &mut Heightmap, progress: &Progress) -> Result<(), GenerateError> {
        self.flood_map(map, Water::Level, progress)
    }

    /// Fills every depression with a sloped surface, so that each cell except outlets has a lower neighbor.
    ///
    /// The surface rises by the smallest `f32` step from cell to cell away from the outlet, so the slope is never lost
    /// in rounding. Cells outside the depressions do not change.
    ///
    /// # Errors
    /// As for [`fill`](Self::fill).
    pub fn fill_sloped(
        &self,
        map: &mut Heightmap,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.flood_map(map, Water::Sloped, progress)
    }

    /// Drains every depression by cutting a channel from its deepest point through its lowest rim.
    ///
    /// The channel is level and one cell wide, so no path downstream leads up. Outlets are also lowered if they are
    /// higher than what drains to them.
    ///
    /// # Errors
    /// As for [`fill`](Self::fill).
    pub fn breach(&self, map: &mut Heightmap, progress: &Progress) -> Result<(), GenerateError> {
        self.validate()?;
        Ok(fill::breach(self, map, progress)?)
    }

    /// Computes the direction in which water leaves each cell. The map does not change.
    ///
    /// # Errors
    /// As for [`fill`](Self::fill).
    pub fn drain(&self, map: &Heightmap, progress: &Progress) -> Result<Drainage, GenerateError> {
        self.validate()?;
        Ok(Drainage::find(self, map, Crossing::Gradients, progress)?)
    }

    /// The same as [`drain`](Self::drain), except that water crosses lakes and flats on the paths of a flood: the
    /// shortest ones to a single cell of the shore. Erosion uses it, so that its results never change.
    pub(crate) fn drain_like_flood(
        &self,
        map: &Heightmap,
        progress: &Progress,
    ) -> Result<Drainage, GenerateError> {
        self.validate()?;
        Ok(Drainage::find(self, map, Crossing::Flood, progress)?)
    }

    fn flood_map(
        &self,
        map: &mut Heightmap,
        water: Water,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.validate()?;
        let levels = fill::levels(self, map, water, progress)?;
        map.heights_mut().copy_from_slice(&levels);
        Ok(())
    }
}
