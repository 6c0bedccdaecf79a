//! The internal interface of filters.
//!
//! [`Filter`](super::Filter) is an enum, so that recipes can name and store filters. It forwards every call to the
//! [`Apply`] implementation of its variant, which is in the filter's own module.

use super::part::{Known, Locality};
use crate::{
    Canceled, FilterContext, GenerateError, Heightmap, MapSize, ParamError, Progress, Scale,
    erosion::guide::Guide,
};

/// A filter with its parameters.
pub(crate) trait Apply {
    /// Checks that every parameter is in its range.
    fn validate(&self) -> Result<(), ParamError>;

    /// Filters a whole map. The map has the size of the context's region. The caller has checked the parameters.
    fn apply(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError>;

    /// Which part of a world of this size and scale the new height of a cell depends on. A filter whose parts need the
    /// range of the world or a guide must also implement [`apply_part`](Self::apply_part).
    fn locality(&self, world: MapSize, scale: Scale) -> Locality;

    /// Filters a part of a map: the context's region, which is larger than the result by the reach of the
    /// [`locality`](Self::locality). The default calls [`apply`](Self::apply), which is correct for filters that need
    /// nothing else.
    fn apply_part(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        _known: Known<'_>,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.apply(map, context, progress)
    }

    /// Filters the coarse map of a world, whose cells are `ratio` times as long as those of the world. The result
    /// approximates the filtered world. Returns the guide for filtering parts, if the filter needs one. `range` is the
    /// range of the world's heights before the filter.
    ///
    /// The default calls [`apply_part`](Self::apply_part) without a guide, which suits filters that have no lengths in
    /// cells.
    fn apply_coarsely(
        &self,
        map: &mut Heightmap,
        _ratio: usize,
        context: &FilterContext,
        range: (f32, f32),
        progress: &Progress,
    ) -> Result<Option<Guide>, GenerateError> {
        let known = Known { range, guide: None };
        self.apply_part(map, context, known, progress)?;
        Ok(None)
    }

    /// Whether the result depends on the size of cells and heights in meters. Default: no.
    fn depends_on_scale(&self) -> bool {
        false
    }

    /// The heights that become 0 and 1, if the filter only stretches the heights between them. Default: `None`.
    fn stretches(
        &self,
        _map: &Heightmap,
        _progress: &Progress,
    ) -> Result<Option<(f32, f32)>, Canceled> {
        Ok(None)
    }

    /// Bounds of the new heights that are known without reading the map. `range` is the range of the heights before the
    /// filter, and `before` are their known bounds. With `None`, the default, the new heights have to be measured.
    fn bounds(&self, _range: (f32, f32), _before: Option<(f32, f32)>) -> Option<(f32, f32)> {
        None
    }

    /// The approximate cost in passes over the map, for progress bars. Default: 1.
    fn work(&self) -> f32 {
        1.0
    }
}
