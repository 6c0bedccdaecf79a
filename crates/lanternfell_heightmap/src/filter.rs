//! What is done to a map after it was made.

use serde::{Deserialize, Serialize};

use crate::{Heightmap, Mask, ParamError};

/// One step from a map to a changed map. Heights from 0 to 1 stay in that range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Filter {
    /// Stretches the heights to fill 0 to 1; a flat map becomes all 0.
    Normalise,
    /// Raises each height to this power, from 1 to 16: broader valleys, steeper peaks, and
    /// where the sea is slightly above 0 a smaller island (Nystrom 2001).
    Flatten(f64),
    /// Lowers the map towards its border, whose cells become 0: an island whatever the
    /// generator.
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

    /// Changes the map.
    pub fn apply(&self, map: &mut Heightmap) {
        match *self {
            Self::Normalise => map.normalise(),
            Self::Flatten(power) => map.flatten(power),
            Self::Island(mask) => {
                let (width, height) = (map.width(), map.height());
                let rows = map.heights_mut().chunks_exact_mut(width).enumerate();
                rows.for_each(|(y, row)| mask.apply(y, height, row));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MapSize;

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
            Filter::Island(mask).apply(&mut map);
            assert!(map.row(0).iter().chain(map.row(19)).all(|&z| z == 0.0));
            assert!((0..20).all(|y| map.get(0, y) == 0.0 && map.get(30, y) == 0.0));
            assert!(map.get(15, 10) > 0.9, "{mask:?}");
        }
    }
}
