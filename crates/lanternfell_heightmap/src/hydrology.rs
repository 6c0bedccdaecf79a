//! Water on land: where it stands, where it runs, and how much of it.
//!
//! Everything here follows from one question: which way does the rain that falls on a
//! cell leave the map?
//!
//! ```text
//!   ground          flood             flow              rivers, lakes
//!   7 8 9 8         7 8 9 8         <- .  ^  \         source
//!   6 3 7 7   ->    6 6 7 7   ->    ^  ^  <- ^    ->     `--.__ lake
//!   6 4 5 8         6 6 6 8         ^  ^  <- <-                `~~~~--. mouth
//! ```
//!
//! - [`Hydrology`] says where water leaves the map: over the border, into the sea. It
//!   [fills](Hydrology::fill) or [breaches](Hydrology::breach) hollows, and finds the
//!   drainage.
//! - [`Drainage`]: for each cell how high water stands and which neighbor it runs to. From
//!   it come catchment [areas](Drainage::areas), discharge, rivers and lakes.
//! - [`Rivers`] are found as lines from source to mouth and drawn as masks.
//! - [`Network`] tells what all rivers together are like, by the laws of Horton and Hack.
//! - [`Lakes`] are found as regions.
//!
//! Two rules make all of it unique, the same on every machine and with any number of
//! threads: of equally steep ways the first, clockwise from the east; of equally high
//! shores the one first flooded, in the order of rows and columns.
//!
//! Neither rule needs one order for the whole map: how high water stands is found basin by basin (the
//! module `basins`), ways across each flat alone (`flats`) and sums strip by strip (`gather`), all of it on
//! every core, and how water slopes from cell to cell from what it would be level (`rise`). A flood (`flood`), by
//! one thread, is left for what needs its order: breaches, lakes of hundreds of cells across where water is to
//! slope, and heights so near to 0 that an `f32` does not tell how they fall.
//!
//! Memory beside the map, per cell: 5 bytes for the drainage, 6 while it is made or hollows are filled, and
//! 9 where pits are as many as in white noise; 5 to 10 while hollows are breached, 8 to 10 while they are filled
//! by a slope; and
//! 5 to 9 while areas, rivers or lakes are found.

mod accumulation;
mod basins;
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

use self::flood::Water;
use crate::{GenerateError, Heightmap, ParamError, Progress};

pub use accumulation::Drainage;
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
/// assert_eq!(left, 64 * 64); // all the rain finds its way
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hydrology {
    /// The height of the sea; `None`, the default, where there is none. Cells at or below
    /// it are outlets, wherever they lie.
    pub sea_level: Option<f32>,
    /// Whether water leaves over the border, whose cells then are outlets; `true` by
    /// default.
    ///
    /// A map with neither sea nor border to leave by has one outlet: its lowest cell, the
    /// first of several.
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
    /// Checks that the sea level is a finite number.
    ///
    /// # Errors
    /// When it is not.
    pub fn validate(&self) -> Result<(), ParamError> {
        let level = self.sea_level.unwrap_or(0.0);
        let value = ParamError::shortest(level);
        ParamError::check(level.is_finite(), "hydrology", "sea_level", value, "finite")
    }

    /// Fills every hollow up to its lowest rim: level lakes, through which water finds no
    /// way but [`drain`](Self::drain) does.
    ///
    /// # Errors
    /// When a parameter is out of its range, or the work was cancelled; the map is as it
    /// was.
    pub fn fill(&self, map: &mut Heightmap, progress: &Progress) -> Result<(), GenerateError> {
        self.flood_map(map, Water::Level, progress)
    }

    /// Fills every hollow, and so that each cell that is not an outlet has a lower
    /// neighbor: water rises by the least step of an `f32` from cell to cell away from
    /// the outlet. It takes no height to get lost in rounding, and no other cells change.
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

    /// Empties every hollow: cuts a channel from its deepest point through its lowest rim,
    /// one cell wide and level, so that no way downstream leads up. Outlets are cut too
    /// where they lie higher than what drains to them.
    ///
    /// # Errors
    /// As for [`fill`](Self::fill).
    pub fn breach(&self, map: &mut Heightmap, progress: &Progress) -> Result<(), GenerateError> {
        self.validate()?;
        Ok(fill::breach(self, map, progress)?)
    }

    /// Finds which way water leaves each cell. The map stays as it is.
    ///
    /// # Errors
    /// As for [`fill`](Self::fill).
    pub fn drain(&self, map: &Heightmap, progress: &Progress) -> Result<Drainage, GenerateError> {
        self.validate()?;
        Ok(Drainage::find(self, map, progress)?)
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
