//! Smoothing: four ways of replacing a height by one that suits its neighbors better.
//!
//! | way | what it is good for | cost per cell |
//! |---|---|---|
//! | [`Gaussian`](Smooth::Gaussian) | rounding land evenly, without a trace of the grid | grows with sigma up to 5 cells, then constant |
//! | [`Box`](Smooth::Box) | the mean of a square: local averages | constant |
//! | [`Median`](Smooth::Median) | removing needles and pits, keeping cliffs | grows with the radius |
//! | [`Conservative`](Smooth::Conservative) | removing single needles and pits, changing nothing else | constant |
//!
//! Beyond its border the map goes on as its outermost cells, for all but the last, which
//! looks at the cells that there are. Every new height lies between the lowest and the
//! highest of the map, a map mirrored becomes the result mirrored, and a flat one stays.
//!
//! Sources: see the modules; THREE.Terrain has the four for 3 x 3 cells.

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
    Cancelled, FilterContext, GenerateError, Heightmap, MapSize, ParamError, Parameter, Parameters,
    Progress, Scale,
    erosion::guide::Guide,
    parameter::{self, variants},
};

pub(super) use gaussian::blur;
use gaussian::{is_narrow, reach};

variants! {
    /// A way of smoothing; in a recipe for instance `Smooth(Gaussian(2.5))`.
    #[derive(Copy)]
    pub enum Smooth: "smooth" {
        /// The mean of all cells up to this far along both axes.
        Box[box: u32 = 2, in 0..=1024, unit "cells", slider 0..=50] = "box";
        /// The mean weighted by a Gaussian bell of this standard deviation. Off from the exact
        /// one by less than 0.00002 of the map's range.
        Gaussian[gaussian: f64 = 2.0, in 0.0..=1024.0, unit "cells", slider 0.0..=50.0] = "gaussian";
        /// The median of all cells up to this far along both axes.
        Median[median: u32 = 2, in 0..=64, unit "cells", slider 0..=16] = "median";
        /// Clamped to the range of the eight neighbors, which is first made so many times as
        /// wide around its middle: at 1 a needle is cut down to its highest neighbor, at 2 a
        /// small one stays.
        Conservative[conservative: f64 = 1.0, in 0.0..=100.0, slider 0.0..=4.0] = "conservative";
    }
}

impl Default for Smooth {
    /// A Gaussian of two cells.
    fn default() -> Self {
        Self::Gaussian(2.0)
    }
}

impl Smooth {
    /// The parameter of each way; a smoothing has only that of its own.
    pub const PARAMETERS: &'static [Parameter] =
        &parameter::of_each::<{ Self::DESCRIBED.len() }>(Self::DESCRIBED);

    /// Changes a part of a map whose lowest and highest heights are `range`.
    pub(super) fn apply_within(
        self,
        map: &mut Heightmap,
        range: (f32, f32),
        progress: &Progress,
    ) -> Result<(), Cancelled> {
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
            // These two clamp to the neighbors.
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
            // Single needles are nothing on a coarse map.
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

/// How much of a map decides a cell of its Gaussian blur.
pub(super) fn locality(sigma: f64) -> Locality {
    let reach = reach(sigma);
    match reach {
        0..=FURTHEST if is_narrow(sigma) => Locality::within(reach),
        0..=FURTHEST => Locality::Near {
            reach,
            guided: false,
        },
        _ => Locality::Whole("its bell is wider than 1024 cells to each side"),
    }
}

/// The row `y + offset`, or the outermost one on that side.
fn row_near(map: &Heightmap, y: usize, offset: isize) -> &[f32] {
    let last = map.height() - 1;
    map.row(y.saturating_add_signed(offset).min(last))
}

/// Copies the row to `wide`, and to both sides of it `reach` times its outermost cell.
pub(super) fn widen<T: Copy>(row: &[T], reach: usize, wide: &mut Vec<T>) {
    let (first, last) = (row[0], row[row.len() - 1]);
    wide.clear();
    wide.extend(core::iter::repeat_n(first, reach));
    wide.extend_from_slice(row);
    wide.extend(core::iter::repeat_n(last, reach));
}
