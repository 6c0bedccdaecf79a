//! Smoothing: four methods that make each height more similar to its neighbors.
//!
//! | method | use | cost per cell |
//! |---|---|---|
//! | [`Gaussian`](Smooth::Gaussian) | rounds terrain evenly, without traces of the grid | grows with sigma up to 5 cells, then constant |
//! | [`Box`](Smooth::Box) | the mean of a square: local averages | constant |
//! | [`Median`](Smooth::Median) | removes spikes and pits, keeps cliffs | grows with the radius |
//! | [`Conservative`](Smooth::Conservative) | removes single spikes and pits, changes nothing else | constant |
//!
//! Beyond the border, the map is extended by its outermost cells, except in `Conservative`, which uses only existing
//! cells. Every new height is within the range of the map. The result of a mirrored map is the mirrored result, and a
//! flat map does not change.
//!
//! Sources: see the modules. THREE.Terrain has these four methods for 3 x 3 cells.

mod conservative;
mod gaussian;
mod mean;
mod median;
mod recursive;

use super::{
    apply::Apply,
    part::{FURTHEST, Known, Locality},
};
use crate::{
    Canceled, FilterContext, GenerateError, Heightmap, MapSize, ParamError, Parameter, Parameters,
    Progress, Scale,
    erosion::guide::Guide,
    parameter::{self, variants},
};

pub(super) use gaussian::blur;
use gaussian::{is_narrow, reach};

variants! {
    /// The method of smoothing; in a recipe, for example, `Smooth(Gaussian(2.5))`.
    #[derive(Copy)]
    pub enum Smooth: "smooth" {
        /// The mean of all cells up to this distance along both axes.
        Box[box: u32 = 2, in 0..=1024, unit "cells", slider 0..=50] = "box";
        /// The mean weighted by a Gaussian of this standard deviation. The error is less than 0.00002 of the map's
        /// range.
        Gaussian[gaussian: f64 = 2.0, in 0.0..=1024.0, unit "cells", slider 0.0..=50.0] = "gaussian";
        /// The median of all cells up to this distance along both axes.
        Median[median: u32 = 2, in 0..=64, unit "cells", slider 0..=16] = "median";
        /// Clamps each height to the range of its eight neighbors, which is first scaled by this factor around its
        /// middle. With 1, a spike is cut down to its highest neighbor. With 2, a small spike stays.
        Conservative[conservative: f64 = 1.0, in 0.0..=100.0, slider 0.0..=4.0] = "conservative";
    }
}

impl Default for Smooth {
    /// A Gaussian with a standard deviation of two cells.
    fn default() -> Self {
        Self::Gaussian(2.0)
    }
}

impl Smooth {
    /// The parameters of all methods. Each method has only one of them.
    pub const PARAMETERS: &'static [Parameter] =
        &parameter::of_each::<{ Self::DESCRIBED.len() }>(Self::DESCRIBED);

    /// Filters a part of a map whose lowest and highest heights are `range`.
    pub(super) fn apply_within(
        self,
        map: &mut Heightmap,
        range: (f32, f32),
        progress: &Progress,
    ) -> Result<(), Canceled> {
        match self {
            Self::Box(0) | Self::Median(0) => progress.step(1, 1),
            Self::Box(radius) => mean::apply(map, radius as usize, range, progress),
            Self::Gaussian(sigma) => blur(map, sigma, range, progress),
            Self::Median(radius) => median::apply(map, radius as usize, progress),
            Self::Conservative(slack) => conservative::apply(map, slack as f32, progress),
        }
    }
}

impl Apply for Smooth {
    fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let (range, progress) = match self {
            Self::Box(_) | Self::Gaussian(_) => (
                map.range_with(&progress.span(0.0, 0.1))?,
                progress.span(0.1, 1.0),
            ),
            // These two clamp to the neighbors and do not need the range.
            Self::Median(_) | Self::Conservative(_) => ((0.0, 0.0), progress.span(0.0, 1.0)),
        };
        Ok(self.apply_within(map, range, &progress)?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        match *self {
            Self::Box(radius) => Locality::within(radius as usize),
            Self::Gaussian(sigma) => locality(sigma),
            Self::Median(radius) => Locality::exact(radius as usize),
            Self::Conservative(_) => Locality::exact(1),
        }
    }

    fn apply_part(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        known: Known<'_>,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        Ok(self.apply_within(map, known.range, progress)?)
    }

    fn apply_coarsely(
        &self,
        map: &mut Heightmap,
        ratio: usize,
        context: &FilterContext,
        range: (f32, f32),
        progress: &Progress,
    ) -> Result<Option<Guide>, GenerateError> {
        let times = ratio as f64;
        let cells = |radius: u32| (f64::from(radius) / times).round() as u32;
        let coarser = match *self {
            Self::Box(radius) => Self::Box(cells(radius)),
            Self::Gaussian(sigma) => Self::Gaussian(sigma / times),
            Self::Median(radius) => Self::Median(cells(radius)),
            // A coarse map does not show single spikes.
            Self::Conservative(_) => return Ok(None),
        };
        let known = Known { range, guide: None };
        coarser.apply_part(map, context, known, progress)?;
        Ok(None)
    }

    fn bounds(&self, range: (f32, f32), before: Option<(f32, f32)>) -> Option<(f32, f32)> {
        before.or(Some(range))
    }

    fn work(&self) -> f32 {
        3.0
    }
}

/// Which part of a map a cell of its Gaussian blur depends on.
pub(super) fn locality(sigma: f64) -> Locality {
    let reach = reach(sigma);
    match reach {
        0..=FURTHEST if is_narrow(sigma) => Locality::within(reach),
        0..=FURTHEST => Locality::Near {
            reach,
            guided: false,
        },
        _ => Locality::Whole("its kernel reaches further than 1024 cells"),
    }
}

/// The row `y + offset`, or the outermost row on that side.
fn row_near(map: &Heightmap, y: usize, offset: isize) -> &[f32] {
    let last = map.height() - 1;
    map.row(y.saturating_add_signed(offset).min(last))
}

/// Copies the row to `wide` and extends it at both ends by `reach` copies of the outermost cell.
pub(super) fn widen<T: Copy>(row: &[T], reach: usize, wide: &mut Vec<T>) {
    let (first, last) = (row[0], row[row.len() - 1]);
    wide.clear();
    wide.extend(core::iter::repeat_n(first, reach));
    wide.extend_from_slice(row);
    wide.extend(core::iter::repeat_n(last, reach));
}
