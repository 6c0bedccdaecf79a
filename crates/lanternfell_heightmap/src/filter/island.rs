//! Turns any map into an island by lowering it towards the border.
//!
//! The factors are those of [`Mask`], from the article on simplex islands.

use super::{apply::Apply, part::Locality};
use crate::{
    FilterContext, GenerateError, Heightmap, MapSize, Mask, ParamError, Progress, Scale, rows,
};

/// Multiplies each height by the mask's factor at its cell.
pub(super) struct Island(pub(super) Mask);

impl Apply for Island {
    fn validate(&self) -> Result<(), ParamError> {
        Ok(())
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let (width, FilterContext { region, world, .. }) = (map.width(), *context);
        let lower = |y, row: &mut [f32]| {
            self.0.apply_from((region.x(), region.y() + y), world, row);
        };
        Ok(rows::for_each_row(
            map.heights_mut(),
            width,
            progress,
            lower,
        )?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        match self.0 {
            Mask::None => Locality::exact(0),
            Mask::Radial | Mask::Square => Locality::Placed,
        }
    }
}
