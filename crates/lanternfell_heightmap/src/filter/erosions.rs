//! [Erosions](crate::erosion) as filters.

use super::{
    apply::Apply,
    part::{FURTHEST, Known, Locality, ratio},
};
use crate::{
    FilterContext, GenerateError, Heightmap, MapSize, ParamError, Progress, Scale,
    erosion::{
        GlacialErosion, HydraulicErosion, StreamPowerErosion, ThermalErosion, WindErosion,
        guide::{Change, Guide},
    },
};

/// The minimum width of a glacial trough in coarse cells. A coarse map does not resolve narrower troughs.
const LEAST_ACROSS: f64 = 4.0;

impl Apply for HydraulicErosion {
    fn validate(&self) -> Result<(), ParamError> {
        self.validate()
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.erode(map, context, progress).map(|_| ())
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::Near {
            reach: Self::MARGIN,
            guided: true,
        }
    }

    fn apply_part(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        known: Known<'_>,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        if let Some(Guide::Change(change)) = known.guide {
            self.erode_part(map, known.range, context, change, progress)?;
        }
        Ok(progress.step(1, 1)?)
    }

    fn apply_coarsely(
        &self,
        map: &mut Heightmap,
        ratio: usize,
        context: &FilterContext,
        _range: (f32, f32),
        progress: &Progress,
    ) -> Result<Option<Guide>, GenerateError> {
        let before = map.clone();
        self.apply(map, context, progress)?;
        let after = map.clone();
        Ok(Some(Guide::Change(Change {
            ratio,
            before,
            after,
        })))
    }

    fn depends_on_scale(&self) -> bool {
        true
    }

    fn bounds(&self, range: (f32, f32), before: Option<(f32, f32)>) -> Option<(f32, f32)> {
        before.or(Some(range))
    }

    fn work(&self) -> f32 {
        50.0
    }
}

impl Apply for ThermalErosion {
    fn validate(&self) -> Result<(), ParamError> {
        self.validate()
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.erode(map, context, progress)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        match self.passes as usize {
            passes @ 0..=FURTHEST => Locality::within(passes),
            _ => Locality::Whole("material slides further than 1024 cells in this many passes"),
        }
    }

    fn apply_part(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        known: Known<'_>,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.erode_within(map, known.range, context, progress)?;
        Ok(progress.step(1, 1)?)
    }

    fn apply_coarsely(
        &self,
        map: &mut Heightmap,
        ratio: usize,
        context: &FilterContext,
        range: (f32, f32),
        progress: &Progress,
    ) -> Result<Option<Guide>, GenerateError> {
        let coarser = Self {
            passes: self.passes.div_ceil(ratio as u32),
            ..*self
        };
        let known = Known { range, guide: None };
        coarser.apply_part(map, context, known, progress)?;
        Ok(None)
    }

    fn depends_on_scale(&self) -> bool {
        true
    }

    fn bounds(&self, range: (f32, f32), before: Option<(f32, f32)>) -> Option<(f32, f32)> {
        before.or(Some(range))
    }

    fn work(&self) -> f32 {
        10.0
    }
}

/// The parameters are in cells and in fractions of the map's range, so the result does not depend on the scale.
impl Apply for StreamPowerErosion {
    fn validate(&self) -> Result<(), ParamError> {
        self.validate()
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.erode(map, context, progress)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::Near {
            reach: Self::MARGIN,
            guided: true,
        }
    }

    fn apply_part(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        known: Known<'_>,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        if let Some(Guide::Rivers(rivers)) = known.guide {
            self.erode_part(map, context, rivers, progress)?;
        }
        Ok(progress.step(1, 1)?)
    }

    fn apply_coarsely(
        &self,
        map: &mut Heightmap,
        ratio: usize,
        context: &FilterContext,
        range: (f32, f32),
        progress: &Progress,
    ) -> Result<Option<Guide>, GenerateError> {
        let rivers = self.guide(map, ratio, range, context.seed, progress)?;
        Ok(rivers.map(|rivers| Guide::Rivers(rivers.into())))
    }

    fn bounds(&self, range: (f32, f32), before: Option<(f32, f32)>) -> Option<(f32, f32)> {
        before.or(Some(range))
    }

    fn work(&self) -> f32 {
        50.0
    }
}

impl Apply for GlacialErosion {
    fn validate(&self) -> Result<(), ParamError> {
        self.validate()
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.erode(map, context, progress)
    }

    fn locality(&self, world: MapSize, scale: Scale) -> Locality {
        let coarse = ratio(world) as f64 * f64::from(scale.spacing);
        if self.width >= LEAST_ACROSS * coarse {
            Locality::Near {
                reach: Self::MARGIN,
                guided: true,
            }
        } else {
            Locality::Whole("its troughs are narrower than 4 cells of the world's coarse map")
        }
    }

    fn apply_part(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        known: Known<'_>,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        if let Some(Guide::Ice(ice)) = known.guide {
            self.erode_part(map, context, ice, progress)?;
        }
        Ok(progress.step(1, 1)?)
    }

    fn apply_coarsely(
        &self,
        map: &mut Heightmap,
        ratio: usize,
        context: &FilterContext,
        range: (f32, f32),
        progress: &Progress,
    ) -> Result<Option<Guide>, GenerateError> {
        let ice = self.guide(map, ratio, range.1, context, progress)?;
        Ok(ice.map(|ice| Guide::Ice(ice.into())))
    }

    fn depends_on_scale(&self) -> bool {
        true
    }

    fn work(&self) -> f32 {
        10.0
    }
}

impl Apply for WindErosion {
    fn validate(&self) -> Result<(), ParamError> {
        self.validate()
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.erode(map, context, progress)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::Whole("the wind blows sand across the whole map")
    }

    fn depends_on_scale(&self) -> bool {
        true
    }

    fn work(&self) -> f32 {
        200.0
    }
}
