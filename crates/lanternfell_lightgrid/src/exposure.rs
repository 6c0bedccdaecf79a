//! The amount of light along a path, a line of fire or a set of cells.
//!
//! # The problem
//!
//! Many rules need more than the light of one cell. Can a guard notice a character that crosses
//! this yard, and where? Is there a lit cell between the two? How much of this path is dark?
//!
//! # The idea
//!
//! One pass over the cells collects the few numbers that such rules compare. The cells can come
//! from any source: a path, a room, a [`line`](crate::line), or a
//! [`hexagonal::line`](crate::hexagonal::line()).
//!
//! # Cost
//!
//! Each cell is read once.

use glam::IVec2;

use crate::{
    bands::{LightBand, LightBands},
    error::LightError,
    grid::LightGrid,
};

/// The light along a path, as returned by [`LightGrid::exposure`].
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Exposure {
    /// The brightest cell; the first of several equally bright ones. `None` if there are no cells.
    pub brightest: Option<IVec2>,
    /// The luminance of the brightest cell. 0 if there are no cells.
    pub greatest: f32,
    /// The sum of the luminance of all cells. A cell that occurs several times counts each time.
    pub sum: f32,
    /// The number of cells in each band, from hidden to blazing. The bands are without hysteresis.
    pub bands: [u32; 4],
}

impl Exposure {
    /// The number of cells. A cell that occurs several times counts each time.
    pub fn cells(&self) -> u32 {
        self.bands.iter().sum()
    }

    /// The mean luminance, or 0 if there are no cells.
    pub fn mean(&self) -> f32 {
        self.sum / self.cells().max(1) as f32
    }

    /// The number of cells in this band or a brighter one.
    pub fn at_least(&self, least: LightBand) -> u32 {
        self.bands[least as usize..].iter().sum()
    }

    /// The share of cells in this band or a brighter one, from 0 to 1. 0 if there are no cells.
    pub fn share(&self, least: LightBand) -> f32 {
        self.at_least(least) as f32 / self.cells().max(1) as f32
    }
}

impl LightGrid {
    /// Collects the light of the given cells, such as those of a path, in any order. A cell that
    /// occurs several times counts each time.
    ///
    /// # Errors
    ///
    /// - [`LightError::Outside`] with the first cell outside of the grid
    /// - [`LightError::Range`] if [`LightBands::validate`] rejects `bands`
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
