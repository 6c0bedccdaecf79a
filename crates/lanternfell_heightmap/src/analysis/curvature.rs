//! How the land bends: ridges and noses are convex, hollows and gullies concave.
//!
//! A surface of second degree through a cell's neighbors has, with `L` the spacing,
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
//!     mean    = -(D + E)                                     whatever the slope
//! ```
//!
//! All three are second derivatives of the height in 1/metre. Tools differ in sign, and
//! some show a hundredfold; here all are positive where the land is convex. Where it is
//! flat, so that there is no steepest slope, profile and plan are the mean.
//!
//! Source: Zevenbergen and Thorne, *Quantitative analysis of land surface topography*,
//! Earth Surface Processes and Landforms, 1987.

use serde::{Deserialize, Serialize};

use super::{
    gradient::finite,
    map_by_rows,
    neighborhood::{Neighborhood, around},
};
use crate::{GenerateError, GroundScale, Heightmap, Progress, Scale};

/// Along which line the land is seen to bend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum CurvatureKind {
    /// Down the steepest slope: convex where water speeds up.
    Profile,
    /// Along the contour: convex where water parts.
    Plan,
    /// The mean over all directions.
    #[default]
    Mean,
}

/// How each cell bends, in 1/metre; positive is convex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Curvature {
    /// Along which line; the mean by default.
    pub kind: CurvatureKind,
}

/// The parts D, E, F, G and H of one cell.
struct Quadric {
    bend_east: f32,
    bend_north: f32,
    twist: f32,
    east: f32,
    north: f32,
}

impl Curvature {
    /// The curvature of every cell of `map`.
    ///
    /// # Errors
    /// When the scale is out of its range, or the work was cancelled.
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

    /// The curvature of one cell, with the bits that [`of`](Self::of) gives it.
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

/// The cells of a row. Where the land bends does not depend on the unit, so first all is in heights
/// and in widths of a cell.
#[derive(Clone, Copy)]
struct Cells {
    /// From heights per square width of a cell to 1/metre.
    per_meter: f32,
    /// Widths in a height: 1 of squares.
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

    /// In 1/metre, and finite.
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
    /// That through the heights of a cell and its neighbors, row by row.
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

    /// The direction of the slope, of length 1, or 0 where it is flat.
    #[inline(always)]
    fn downhill(&self) -> (f32, f32) {
        // Divided by the larger part first: the squares of neither end of the range of
        // `f32` are in it.
        let larger = self.east.abs().max(self.north.abs());
        let larger = if larger > 0.0 { larger } else { 1.0 };
        let (x, y) = (self.east / larger, self.north / larger);
        let length = (x * x + y * y).sqrt();
        let length = if length > 0.0 { length } else { 1.0 };
        (x / length, y / length)
    }
}
