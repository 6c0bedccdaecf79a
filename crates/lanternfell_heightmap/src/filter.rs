//! What is done to a map after it was made.

use serde::{Deserialize, Serialize};

use crate::{GenerateError, Heightmap, Mask, ParamError, Progress, Site, rows};

/// One step from a map to a changed map. Heights from 0 to 1 stay in that range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Filter {
    /// Stretches the heights to fill 0 to 1; a flat map becomes all 0.
    Normalise,
    /// Raises each height to this power, from 1 to 16: broader valleys, steeper peaks, and
    /// where the sea is slightly above 0 a smaller island (Nystrom 2001). Heights below 0
    /// count as 0. The power is `libm`'s, the same on every machine.
    Flatten(f64),
    /// Lowers the map towards its border, whose cells become 0: an island whatever the
    /// generator. With [`Mask::None`] it does nothing.
    Island(Mask),
}

impl Filter {
    /// The largest power of [`Flatten`](Self::Flatten); beyond it all but the peak is flat.
    pub const MAX_FLATTEN: f64 = 16.0;

    /// Checks the filter's parameter.
    pub fn validate(&self) -> Result<(), ParamError> {
        match *self {
            Self::Normalise | Self::Island(_) => Ok(()),
            Self::Flatten(power) => {
                ParamError::check_range("filter", "flatten", power, 1.0, Self::MAX_FLATTEN)
            }
        }
    }

    /// How far a cell looks for its new height: then a part of a map can be filtered alone.
    /// An error, which says why, where it needs the whole map; [`Normalise`](Self::Normalise)
    /// needs it only for its range.
    pub(crate) fn reach(&self) -> Result<usize, &'static str> {
        match self {
            Self::Normalise | Self::Flatten(_) | Self::Island(_) => Ok(0),
        }
    }

    /// Changes the map, row by row on every core.
    ///
    /// # Errors
    /// When the filter's parameter is out of its range, and the map is as it was; or when
    /// the work was cancelled, and some rows of the map are changed.
    pub fn apply(
        &self,
        map: &mut Heightmap,
        site: &Site,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.validate()?;
        let width = map.width();
        match *self {
            Self::Normalise => map.normalise_with(progress)?,
            Self::Flatten(1.0) => progress.step(1, 1)?,
            Self::Flatten(power) => {
                rows::for_each_row(map.heights_mut(), width, progress, |_, row| {
                    flatten(row, power);
                })?;
            }
            Self::Island(mask) => {
                let Site { window, world, .. } = *site;
                let drown = |y, row: &mut [f32]| {
                    mask.apply_from((window.x(), window.y() + y), world, row);
                };
                rows::for_each_row(map.heights_mut(), width, progress, drown)?;
            }
        }
        Ok(())
    }
}

/// Each height to this power, which is above 1; finite whatever the height.
fn flatten(row: &mut [f32], power: f64) {
    for z in row {
        let raised = libm::pow(f64::from(z.max(0.0)), power);
        *z = raised.min(f64::from(f32::MAX)) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cancelled, MapSize};

    fn flattened(heights: [f32; 4], power: f64) -> Result<Vec<f32>, GenerateError> {
        let size = MapSize::new(2, 2).unwrap();
        let mut map = Heightmap::from_heights(size, heights.to_vec()).unwrap();
        Filter::Flatten(power).apply(&mut map, &Site::new(size, 0), &Progress::default())?;
        Ok(map.into_heights())
    }

    #[test]
    fn flattening_lowers_all_but_the_ends() {
        let heights = [0.0, 0.5, 0.25, 1.0];
        assert_eq!(flattened(heights, 1.0).unwrap(), heights);
        let squares = [0.0, 0.25, 0.0625, 1.0];
        assert_eq!(flattened(heights, 2.0).unwrap(), squares);
    }

    #[test]
    fn flattening_keeps_heights_finite() {
        let far = flattened([-2.0, f32::MIN, f32::MAX, 3.0], 1.5).unwrap();
        assert_eq!(far[..3], [0.0, 0.0, f32::MAX]);
        assert!(flattened([0.0; 4], -1.0).is_err());
        assert!(flattened([0.0; 4], f64::NAN).is_err());
    }

    #[test]
    fn cancelled_filters_stop() {
        let progress = Progress::default();
        progress.cancel();
        let filters = [
            Filter::Normalise,
            Filter::Flatten(1.0),
            Filter::Flatten(2.0),
            Filter::Island(Mask::Radial),
        ];
        for filter in filters {
            let size = MapSize::default();
            let mut map = Heightmap::flat(size);
            let result = filter.apply(&mut map, &Site::new(size, 0), &progress);
            assert_eq!(result, Err(Cancelled.into()), "{filter:?}");
        }
    }

    #[test]
    fn a_power_outside_its_range_is_refused_by_name() {
        for power in [0.5, 17.0, f64::NAN, f64::INFINITY] {
            let error = Filter::Flatten(power).validate().unwrap_err().to_string();
            assert!(
                error.contains("flatten") && error.contains("from 1 to 16"),
                "{error}"
            );
        }
        assert!(Filter::Flatten(1.0).validate().is_ok());
    }

    #[test]
    fn an_island_has_the_sea_all_around() {
        let size = MapSize::new(31, 20).unwrap();
        for mask in [Mask::Radial, Mask::Square] {
            let mut map = Heightmap::from_heights(size, vec![1.0; size.cells()]).unwrap();
            let progress = Progress::default();
            Filter::Island(mask)
                .apply(&mut map, &Site::new(size, 0), &progress)
                .unwrap();
            assert_eq!(progress.fraction(), 1.0);
            assert!(map.row(0).iter().chain(map.row(19)).all(|&z| z == 0.0));
            assert!((0..20).all(|y| map.get(0, y) == 0.0 && map.get(30, y) == 0.0));
            assert!(map.get(15, 10) > 0.9, "{mask:?}");
        }
    }
}
