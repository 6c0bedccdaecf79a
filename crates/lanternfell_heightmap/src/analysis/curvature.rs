//! Curvature: ridges and spurs are convex, hollows and gullies are concave.
//!
//! The quadratic surface through a cell and its neighbors has these coefficients, where `L` is the spacing:
//!
//! ```text
//!     nw  n  ne    D = ((w + e) / 2 - c) / L^2      G = (e - w) / 2L    the slope to the east
//!      w  c  e     E = ((n + s) / 2 - c) / L^2      H = (n - s) / 2L    and to the north
//!     sw  s  se    F = (ne - nw + sw - se) / 4 L^2
//! ```
//!
//! ```text
//!     profile = -2 (D G^2 + E H^2 + F G H) / (G^2 + H^2)     along the steepest slope
//!     plan    = -2 (D H^2 + E G^2 - F G H) / (G^2 + H^2)     along the contour
//!     mean    = -(D + E)                                     over all directions
//! ```
//!
//! All three are second derivatives of the height in 1/meter. Other tools differ in sign, and some multiply by 100.
//! Here convex terrain is positive. Where the terrain is level, so that there is no steepest slope, profile and plan
//! curvature equal the mean.
//!
//! Source: Zevenbergen and Thorne, *Quantitative analysis of land surface topography*, Earth Surface Processes and
//! Landforms, 1987.

use serde::{Deserialize, Serialize};

use super::{
    gradient::finite,
    map_by_rows,
    neighborhood::{Neighborhood, around},
};
use crate::{GenerateError, GroundScale, Heightmap, Progress, Scale};

/// The direction in which curvature is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum CurvatureKind {
    /// Along the steepest slope: convex where flow accelerates.
    Profile,
    /// Along the contour: convex where flow diverges.
    Plan,
    /// The mean over all directions.
    #[default]
    Mean,
}

/// The curvature of each cell in 1/meter; positive where the terrain is convex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Curvature {
    /// The direction of the curvature. Default: the mean.
    pub kind: CurvatureKind,
}

/// The coefficients D, E, F, G and H of one cell.
struct Quadric {
    bend_east: f32,
    bend_north: f32,
    twist: f32,
    east: f32,
    north: f32,
}

impl Curvature {
    /// Computes the curvature of every cell of `map`.
    ///
    /// # Errors
    /// If the scale is out of range, or the work is canceled.
    pub fn of(
        &self,
        map: &Heightmap,
        scale: impl Into<GroundScale>,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let scale = scale.into();
        scale.validate()?;
        let window = || Neighborhood::new(map.width());
        let curvature = map_by_rows(map.size(), progress, window, |window, y, row| {
            window.load(map, y);
            let cells = Cells::of(scale, y);
            match self.kind {
                CurvatureKind::Profile => fill(window, cells, row, Quadric::profile),
                CurvatureKind::Plan => fill(window, cells, row, Quadric::plan),
                CurvatureKind::Mean => fill(window, cells, row, Quadric::mean),
            }
        })?;
        Ok(curvature)
    }

    /// Computes the curvature of one cell, with the same bits as [`of`](Self::of). The scale is not checked.
    #[inline]
    pub fn of_cell(&self, map: &Heightmap, scale: Scale, (x, y): (usize, usize)) -> f32 {
        let cells = Cells::of(scale.into(), y);
        let quadric = Quadric::of(around(map, x, y), cells.flat);
        let bend = match self.kind {
            CurvatureKind::Profile => quadric.profile(),
            CurvatureKind::Plan => quadric.plan(),
            CurvatureKind::Mean => quadric.mean(),
        };
        cells.curvature(bend)
    }
}

/// The conversion for the cells of a row. The formulas are first evaluated in heights and cell widths.
#[derive(Clone, Copy)]
struct Cells {
    /// Converts heights per squared cell width to 1/meter.
    per_meter: f32,
    /// The ratio of the width to the height of a cell: 1 for squares.
    flat: f32,
}

impl Cells {
    fn of(scale: GroundScale, y: usize) -> Self {
        let [across, down] = scale.spacing(y);
        Self {
            per_meter: finite(f64::from(scale.relief()) / (across * across)),
            flat: finite(across / down),
        }
    }

    /// Converts to 1/meter, clamped to finite values.
    #[inline(always)]
    fn curvature(self, bend: f32) -> f32 {
        (bend * self.per_meter).clamp(f32::MIN, f32::MAX)
    }
}

#[inline(always)]
fn fill(window: &Neighborhood, cells: Cells, row: &mut [f32], bend: impl Fn(&Quadric) -> f32) {
    let width = row.len();
    let (north, here, south) = (&window.north, &window.here, &window.south);
    let (nw, n, ne) = (&north[..width], &north[1..=width], &north[2..]);
    let (w, c, e) = (&here[..width], &here[1..=width], &here[2..]);
    let (sw, s, se) = (&south[..width], &south[1..=width], &south[2..]);
    let (ne, e, se) = (&ne[..width], &e[..width], &se[..width]);
    for (x, cell) in row.iter_mut().enumerate() {
        let heights = [
            [nw[x], n[x], ne[x]],
            [w[x], c[x], e[x]],
            [sw[x], s[x], se[x]],
        ];
        *cell = cells.curvature(bend(&Quadric::of(heights, cells.flat)));
    }
}

impl Quadric {
    /// The quadric through the heights of a cell and its neighbors, row by row.
    #[inline(always)]
    fn of([[nw, n, ne], [w, c, e], [sw, s, se]]: [[f32; 3]; 3], flat: f32) -> Self {
        Self {
            bend_east: 0.5 * ((w - c) + (e - c)),
            bend_north: 0.5 * ((n - c) + (s - c)) * (flat * flat),
            twist: 0.25 * ((ne - nw) - (se - sw)) * flat,
            east: 0.5 * (e - w),
            north: 0.5 * (n - s) * flat,
        }
    }

    #[inline(always)]
    fn mean(&self) -> f32 {
        -(self.bend_east + self.bend_north)
    }

    #[inline(always)]
    fn profile(&self) -> f32 {
        let (x, y) = self.downhill();
        let bend = self.bend_east * (x * x) + self.bend_north * (y * y) + self.twist * (x * y);
        if x == y && x == 0.0 {
            self.mean()
        } else {
            -2.0 * bend
        }
    }

    #[inline(always)]
    fn plan(&self) -> f32 {
        let (x, y) = self.downhill();
        let bend = self.bend_east * (y * y) + self.bend_north * (x * x) - self.twist * (x * y);
        if x == y && x == 0.0 {
            self.mean()
        } else {
            -2.0 * bend
        }
    }

    /// The direction of the slope as a unit vector, or 0 where the terrain is level.
    #[inline(always)]
    fn downhill(&self) -> (f32, f32) {
        // Divided by the larger component first, because the squares of very large and very small `f32` values are out
        // of range.
        let larger = self.east.abs().max(self.north.abs());
        let larger = if larger > 0.0 { larger } else { 1.0 };
        let (x, y) = (self.east / larger, self.north / larger);
        let length = (x * x + y * y).sqrt();
        let length = if length > 0.0 { length } else { 1.0 };
        (x / length, y / length)
    }
}
