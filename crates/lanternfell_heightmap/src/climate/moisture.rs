//! Soil moisture, from rain and from water near the shore.

use serde::{Deserialize, Serialize};

use crate::{
    GenerateError, Heightmap, ParamError, Progress, Scale,
    analysis::{CoastDistance, map_by_rows},
};

/// The moisture that plants have available, in millimeters per year: the rain, plus groundwater near the shore.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Moisture {
    /// The groundwater at the shore, in millimeters per year; from 0 to 10,000. Default: 250.
    pub shore: f64,
    /// The distance from the shore at which the groundwater has decreased to 37 %, in lengths of the map's longer side;
    /// from 0.0001 to 10. Default: 0.01.
    pub reach: f64,
}

impl Default for Moisture {
    fn default() -> Self {
        Self {
            shore: 250.0,
            reach: 0.01,
        }
    }
}

impl Moisture {
    /// Checks every parameter against its range.
    pub fn validate(&self) -> Result<(), ParamError> {
        let check =
            |name, value, min, max| ParamError::check_range("moisture", name, value, min, max);
        check("shore", self.shore, 0.0, 10_000.0)?;
        check("reach", self.reach, 0.0001, 10.0)
    }

    /// Computes the moisture of every cell of `map` in millimeters per year, for the given `rain`.
    ///
    /// # Errors
    /// If a parameter or the sea level is out of range, the sizes of `rain` and `map` differ, or the work is canceled.
    pub fn of(
        &self,
        map: &Heightmap,
        sea_level: f32,
        rain: &Heightmap,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate()?;
        check_size(map, rain, "moisture")?;
        let cells = Scale {
            spacing: 1.0,
            relief: 1.0,
        };
        let coast = CoastDistance { sea_level };
        let distance = coast.of(map, cells, &progress.span(0.0, 0.8))?;
        let longer = map.width().max(map.height()) as f64;
        let per_cell = (-1.0 / (self.reach * longer)) as f32;
        let shore = self.shore as f32;
        let progress = progress.span(0.8, 1.0);
        let moisture = map_by_rows(
            map.size(),
            &progress,
            || (),
            |(), y, row| {
                let cells = row.iter_mut().zip(rain.row(y)).zip(distance.row(y));
                for ((moisture, &rain), &distance) in cells {
                    let seeps = shore * libm::expf(per_cell * distance.max(0.0));
                    *moisture = (rain + seeps).min(f32::MAX);
                }
            },
        )?;
        Ok(moisture)
    }
}

/// Returns an error if `other` differs in size from `map`.
pub(super) fn check_size(
    map: &Heightmap,
    other: &Heightmap,
    owner: &'static str,
) -> Result<(), ParamError> {
    let sides = [
        ("width", map.width(), other.width()),
        ("height", map.height(), other.height()),
    ];
    for (name, side, other) in sides {
        let words = format_args!("{side}, the {name} of the map");
        ParamError::check(side == other, owner, name, other as f64, words)?;
    }
    Ok(())
}
