//! What every filter implements, one `impl` in each filter's module.
//!
//! [`Filter`](super::Filter) is an enum, so that recipes can name and store filters. It passes every call on to the
//! variant's implementation of [`Apply`]; it decides nothing about a filter itself.

use super::part::{Known, Locality};
use crate::{
    Cancelled, FilterContext, GenerateError, Heightmap, MapSize, ParamError, Progress, Scale,
    erosion::guide::Guide,
};

/// One filter, with its parameters.
pub(crate) trait Apply {
    /// Checks every parameter against its range.
    fn validate(&self) -> Result<(), ParamError>;

    /// Changes a whole map, whose size is that of the context's window. The parameters are valid.
    fn apply(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError>;

    /// How much of a world of this size and scale decides a cell's new height. A filter whose parts need the range of
    /// the world or a guide must implement [`apply_part`](Self::apply_part), too.
    fn locality(&self, world: MapSize, scale: Scale) -> Locality;

    /// Changes a part of a map, the context's window, which is larger than the wanted part by the
    /// [`locality`](Self::locality)'s reach. Default: [`apply`](Self::apply), for filters that need nothing else.
    fn apply_part(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        _known: Known<'_>,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.apply(map, context, progress)
    }

    /// Changes the coarse map of a world, whose cells are `ratio` times as long, as nearly as it can show the
    /// filter, and returns what guides the filter's parts. `range` is that of the world before the filter. Default:
    /// what the filter does to a part, without a guide, for filters without lengths in cells.
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

    /// Whether the result depends on how many meters a cell and a height of 1 are. Default: no.
    fn depends_on_scale(&self) -> bool {
        false
    }

    /// The heights that become 0 and 1, if the filter changes nothing but the unit of the heights between
    /// them. Default: `None`.
    fn stretches(
        &self,
        _map: &Heightmap,
        _progress: &Progress,
    ) -> Result<Option<(f32, f32)>, Cancelled> {
        Ok(None)
    }

    /// Bounds of the new heights, if they are known without looking at them; `range` is that of the heights before
    /// the filter, and `before` their bounds. Default: `None`, which costs a look at the map.
    fn bounds(&self, _range: (f32, f32), _before: Option<(f32, f32)>) -> Option<(f32, f32)> {
        None
    }

    /// About how long it takes compared with one pass over the map, for progress bars. Default: 1.
    fn work(&self) -> f32 {
        1.0
    }
}
