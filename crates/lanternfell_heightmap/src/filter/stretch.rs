//! Stretches the heights to fill 0 to 1, ignoring a few extreme cells.
//!
//! Problem: if a map of hills has a single spike, [`Normalize`](super::Filter::Normalize) flattens
//! the hills.
//!
//! Idea: sort all heights. The one at `low` percent becomes 0, the one at `high` percent becomes 1,
//! and heights beyond them are clamped.
//!
//! ```text
//!   cells |      .-~~-.
//!         |    .'      '.               a spike
//!         |__.'__________'-.___________.
//!            |           |
//!            0           1
//! ```
//!
//! Cost: three counting passes ([`order`]) and one that stretches.
//!
//! Source: *contrast stretching* in image editors, e.g. Gonzalez and Woods, *Digital Image
//! Processing*, 2002.

use super::{
    apply::Apply,
    levels, order,
    part::{Known, Locality},
};
use crate::{
    Canceled, FilterContext, GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress,
    Scale, parameter::parameters,
};

parameters! {
    /// Stretches the heights between two percentiles to fill 0 to 1, and clamps the others.
    ///
    /// The height at `p` percent has the rank `p / 100 (cells - 1)`, rounded and counted from the
    /// lowest: 0 is the lowest height, 50 the median and 100 the highest. If both percentiles are
    /// the same height, cells above it become 1 and all others 0.
    #[derive(Copy)]
    pub struct Stretch: "stretch" {
        /// The percentile that becomes 0.
        pub low: f64 = 1.0, limit "from 0 to high", unit "%", slider 0.0..=50.0;
        /// The percentile that becomes 1.
        pub high: f64 = 99.0, in 0.0..=100.0, unit "%", slider 50.0..=100.0;
    }
}

impl Stretch {
    /// The heights that become 0 and 1.
    pub(super) fn extremes(
        &self,
        map: &Heightmap,
        progress: &Progress,
    ) -> Result<(f32, f32), Canceled> {
        let ranks = self.ranks(map.size().cells() as u64);
        let found = order::of_ranks(map, &ranks.map(|rank| rank as usize), progress)?;
        Ok((found[0], found[1]))
    }

    /// [`extremes`](Self::extremes) of a map with this number of cells that is only available in
    /// parts. `show` must pass all parts to its argument. It is called twice.
    pub(crate) fn extremes_in_parts<E>(
        &self,
        cells: u64,
        show: impl FnMut(&mut dyn FnMut(&Heightmap)) -> Result<(), E>,
    ) -> Result<(f32, f32), E> {
        let [low, high] = order::of_ranks_in_parts(self.ranks(cells), show)?;
        Ok((low, high))
    }

    fn ranks(&self, cells: u64) -> [u64; 2] {
        let last = (cells - 1) as f64;
        [self.low, self.high].map(|percent| (percent / 100.0 * last).round() as u64)
    }

    /// Stretches the range between the two heights to 0 to 1.
    pub(super) fn apply_between(
        map: &mut Heightmap,
        (low, high): (f32, f32),
        progress: &Progress,
    ) -> Result<(), Canceled> {
        let low = f64::from(low);
        let span = f64::from(high) - low;
        levels::each(map, progress, |z| {
            let above = f64::from(z) - low;
            if span > 0.0 {
                (above / span).clamp(0.0, 1.0) as f32
            } else {
                f32::from(u8::from(above > 0.0))
            }
        })
    }
}

impl Apply for Stretch {
    fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()?;
        ParamError::check_range(Self::OWNER, "low", self.low, 0.0, self.high)
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let extremes = self.extremes(map, &progress.span(0.0, 0.8))?;
        Ok(Self::apply_between(
            map,
            extremes,
            &progress.span(0.8, 1.0),
        )?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::Stretched
    }

    fn apply_part(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        known: Known<'_>,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        Ok(Self::apply_between(map, known.range, progress)?)
    }

    fn stretches(
        &self,
        map: &Heightmap,
        progress: &Progress,
    ) -> Result<Option<(f32, f32)>, Canceled> {
        self.extremes(map, progress).map(Some)
    }

    fn bounds(&self, _range: (f32, f32), _before: Option<(f32, f32)>) -> Option<(f32, f32)> {
        Some((0.0, 1.0))
    }
}
