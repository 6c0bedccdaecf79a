//! How much light falls on one who goes a way, or on a line of fire.
//!
//! # The problem
//!
//! A rule does not ask for the light of one cell alone: may a guard notice whoever crosses this
//! yard, and where best? Is there a lit cell between the two? How much of this way is dark?
//!
//! # The idea
//!
//! One walk over the cells, whichever they are (a way's, a room's, a [`line`](crate::line)'s, on
//! hexagons a [`hexagonal::line`](crate::hexagonal::line())'s), that keeps the few numbers that such
//! rules compare.
//!
//! # Cost
//!
//! That of reading the light of each cell once.

use glam::IVec2;

use crate::{
    bands::{LightBand, LightBands},
    error::LightError,
    grid::LightGrid,
};

/// The light along a way: what [`LightGrid::exposure`] finds.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Exposure {
    /// The brightest cell, and of equally bright ones the first; none on a way without cells.
    pub brightest: Option<IVec2>,
    /// The luminance there, from 0.
    pub greatest: f32,
    /// The luminance of all cells together, each as often as the way comes by.
    pub sum: f32,
    /// How many of the cells are in each band, from hidden to blazing; words as for
    /// [`LightGrid::band`] of something new.
    pub bands: [u32; 4],
}

impl Exposure {
    /// How many cells the way has, each as often as it comes by.
    pub fn cells(&self) -> u32 {
        self.bands.iter().sum()
    }

    /// The mean luminance; 0 for a way without cells.
    pub fn mean(&self) -> f32 {
        self.sum / self.cells().max(1) as f32
    }

    /// How many cells are in this band or a brighter one.
    pub fn at_least(&self, least: LightBand) -> u32 {
        self.bands[least as usize..].iter().sum()
    }

    /// Which share of the cells is in this band or a brighter one, from 0 to 1; 0 for a way
    /// without cells.
    pub fn share(&self, least: LightBand) -> f32 {
        self.at_least(least) as f32 / self.cells().max(1) as f32
    }
}

impl LightGrid {
    /// The light along a way: of these cells, in any order, each as often as it comes.
    ///
    /// # Errors
    ///
    /// [`LightError::Outside`] at the first cell outside of the grid; thresholds that do not rise
    /// or a hysteresis out of its range, by [`LightBands::validate`].
    ///
    /// ```
    /// use lanternfell_lightgrid::{
    ///     IVec2, LightBand, LightBands, LightGrid, LightSettings, Source, Vec3, line,
    /// };
    ///
    /// let mut grid = LightGrid::new(40, 20, LightSettings::default())?;
    /// grid.set_sources(&[Source::new(IVec2::new(20, 8), Vec3::ONE)])?;
    /// grid.settle(1e-3);
    ///
    /// // Straight across the yard, past the lamp.
    /// let across = line(IVec2::new(2, 10), IVec2::new(37, 10));
    /// let exposure = grid.exposure(across, &LightBands::default())?;
    /// assert_eq!(exposure.brightest, Some(IVec2::new(20, 10)));
    /// assert_eq!(exposure.cells(), 36);
    /// assert!(exposure.share(LightBand::Lit) < 0.5);
    /// # Ok::<(), lanternfell_lightgrid::LightError>(())
    /// ```
    pub fn exposure(
        &self,
        cells: impl IntoIterator<Item = IVec2>,
        bands: &LightBands,
    ) -> Result<Exposure, LightError> {
        bands.validate()?;
        let mut exposure = Exposure::default();
        let mut sum = 0.0_f64;
        for cell in cells {
            self.scene.index_or_error(cell)?;
            let luminance = self.luminance(cell);
            if exposure.brightest.is_none() || luminance > exposure.greatest {
                (exposure.brightest, exposure.greatest) = (Some(cell), luminance);
            }
            sum += f64::from(luminance);
            let band = bands.band(luminance, None) as usize;
            exposure.bands[band] = exposure.bands[band].saturating_add(1);
        }
        exposure.sum = sum as f32;
        Ok(exposure)
    }
}
