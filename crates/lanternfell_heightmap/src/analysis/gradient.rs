//! The slope to the east and to the south, from the eight neighbors of a cell.
//!
//! ```text
//!     nw  n  ne     east  = ((ne - nw) + 2 (e - w) + (se - sw)) / 8 cells
//!      w  .  e      south = ((sw - nw) + 2 (s - n) + (se - ne)) / 8 cells
//!     sw  s  se
//! ```
//!
//! Cells may be wider than high, and their width may differ from row to row, as for cells in degrees. The neighbors to
//! the north and south are then assumed to be exactly north and south.
//!
//! Source: Horn, *Hill shading and the reflectance map*, Proceedings of the IEEE, 1981. Differences are computed before
//! the sum, because differences of neighboring heights are exact.

use super::{height_rows::HeightRows, neighborhood::Neighborhood};
use crate::GroundScale;

/// The gradient of one row of cells at a time: rise over run, without a unit.
#[derive(Debug)]
pub(super) struct Gradient {
    window: Neighborhood,
    /// The rise to the east.
    pub(super) east: Vec<f32>,
    /// The rise to the south.
    pub(super) south: Vec<f32>,
    ground: GroundScale,
    /// The vertical exaggeration.
    steeper: f64,
}

impl Gradient {
    /// The largest slope. Steeper ones are clamped to it, so that squares stay finite.
    const STEEPEST: f32 = 1e18;

    /// Creates the gradient for maps of this width and scale.
    pub(super) fn new(width: usize, ground: GroundScale) -> Self {
        Self {
            window: Neighborhood::new(width),
            east: vec![0.0; width],
            south: vec![0.0; width],
            ground,
            steeper: 1.0,
        }
    }

    /// Sets the vertical exaggeration.
    pub(super) fn steeper(self, steeper: f64) -> Self {
        Self { steeper, ..self }
    }

    /// The factors that convert sums of height differences in this row to slopes to the east and to the south.
    fn factors(&self, y: usize) -> [f32; 2] {
        self.ground.spacing(y).map(|spacing| {
            let factor = finite(f64::from(self.ground.relief()) / spacing / 8.0);
            finite(f64::from(factor) * self.steeper)
        })
    }

    /// Computes `east` and `south` for row `y` of `map`.
    pub(super) fn load(&mut self, map: &(impl HeightRows + ?Sized), y: usize) {
        self.window.load(map, y);
        let [east_factor, south_factor] = self.factors(y);
        let width = self.east.len();
        let (west, middle, east) = (0..width, 1..width + 1, 2..width + 2);
        let (north, here, south) = (&self.window.north, &self.window.here, &self.window.south);
        let (nw, n, ne) = (
            &north[west.clone()],
            &north[middle.clone()],
            &north[east.clone()],
        );
        let (w, e) = (&here[west.clone()], &here[east.clone()]);
        let (sw, s, se) = (&south[west], &south[middle], &south[east]);
        let limit = |slope: f32| slope.clamp(-Self::STEEPEST, Self::STEEPEST);
        let (to_east, to_south) = (&mut self.east[..width], &mut self.south[..width]);
        for x in 0..width {
            let rise = (ne[x] - nw[x]) + 2.0 * (e[x] - w[x]) + (se[x] - sw[x]);
            to_east[x] = limit(rise * east_factor);
            let rise = (sw[x] - nw[x]) + 2.0 * (s[x] - n[x]) + (se[x] - ne[x]);
            to_south[x] = limit(rise * south_factor);
        }
    }

    /// The slopes to the east and to the south of each cell of the row.
    pub(super) fn cells(&self) -> impl Iterator<Item = (f32, f32)> {
        self.east.iter().copied().zip(self.south.iter().copied())
    }
}

/// Converts a positive factor to a finite `f32`. A scale may have cells of a millionth of a millimeter.
pub(super) fn finite(factor: f64) -> f32 {
    factor.min(1e30) as f32
}
