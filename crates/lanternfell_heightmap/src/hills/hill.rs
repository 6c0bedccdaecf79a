//! One exact hill, with its center and radius in units of 1/256 cell.

use core::f64::consts::TAU;

use serde::{Deserialize, Serialize};

use super::bays::Bays;
use crate::{MapSize, ParamError, SeededRng, map_region::MapRegion, units};

/// A paraboloid with a height of `r^2` over its center, and 0 at the distance `r` and beyond.
///
/// The center and the radius are integers in units of 1/256 cell. Cell `(x, y)` is at `(256 x, 256 y)`; x goes east and
/// y goes south.
///
/// ```
/// use lanternfell_heightmap::Hill;
///
/// let hill = Hill::from_cells(10.0, 20.5, 3.0)?;
/// assert_eq!((hill.x(), hill.y(), hill.radius()), (2560, 5248, 768));
/// assert!(Hill::from_cells(10.0, 20.5, -1.0).is_err());
/// # Ok::<(), lanternfell_heightmap::ParamError>(())
/// ```
///
/// Files store these numbers, `(x: 2560, y: 5248, radius: 768)`. Deserialization checks them like [`new`](Self::new).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Hill {
    x: i32,
    y: i32,
    radius: i32,
}

/// The unchecked contents of a file.
#[derive(Deserialize)]
#[serde(rename = "Hill", deny_unknown_fields)]
struct Unchecked {
    x: i32,
    y: i32,
    radius: i32,
}

impl TryFrom<Unchecked> for Hill {
    type Error = ParamError;

    fn try_from(read: Unchecked) -> Result<Self, ParamError> {
        Self::new(read.x, read.y, read.radius)
    }
}

impl Hill {
    /// The number of units in one cell.
    pub const CELL: i32 = units::CELL;
    /// The largest absolute value of a center's coordinate, in cells: twice the longest side of a map.
    pub const REACH: f64 = 32_768.0;
    /// The largest radius in cells: half of the longest side of a map.
    pub const MAX_RADIUS: f64 = 8192.0;

    /// Creates a hill with its center at `(x, y)`, all numbers in units of 1/256 cell.
    ///
    /// # Errors
    /// If the absolute value of a coordinate exceeds [`REACH`](Self::REACH), or the radius is not from 0 to
    /// [`MAX_RADIUS`](Self::MAX_RADIUS).
    pub fn new(x: i32, y: i32, radius: i32) -> Result<Self, ParamError> {
        Self::from_cells(
            units::to_cells(x),
            units::to_cells(y),
            units::to_cells(radius),
        )
    }

    /// Creates a hill with its center at `(x, y)`, all numbers in cells, rounded to 1/256 cell.
    ///
    /// # Errors
    /// As for [`new`](Self::new), or if a number is NaN or infinite.
    pub fn from_cells(x: f64, y: f64, radius: f64) -> Result<Self, ParamError> {
        const OWNER: &str = "hill";
        ParamError::check_range(OWNER, "x", x, -Self::REACH, Self::REACH)?;
        ParamError::check_range(OWNER, "y", y, -Self::REACH, Self::REACH)?;
        ParamError::check_range(OWNER, "radius", radius, 0.0, Self::MAX_RADIUS)?;
        Ok(Self {
            x: units::from_cells(x),
            y: units::from_cells(y),
            radius: units::from_cells(radius),
        })
    }

    /// The column of the center, in units of 1/256 cell.
    pub fn x(&self) -> i32 {
        self.x
    }

    /// The row of the center, in units of 1/256 cell.
    pub fn y(&self) -> i32 {
        self.y
    }

    /// The radius, in units of 1/256 cell.
    pub fn radius(&self) -> i32 {
        self.radius
    }

    /// The same hill relative to `region`, or `None` if the hill does not reach into it.
    pub(super) fn in_region(self, region: MapRegion) -> Option<Self> {
        let along = |center: i32, start: usize, cells: usize| {
            let center = center - start as i32 * Self::CELL;
            let reaches = center > -self.radius && center - self.radius < cells as i32 * Self::CELL;
            reaches.then_some(center)
        };
        Some(Self {
            x: along(self.x, region.x(), region.size().width())?,
            y: along(self.y, region.y(), region.size().height())?,
            radius: self.radius,
        })
    }

    /// Draws x, then y, each from `-radius` to `size + radius`.
    pub(super) fn draw_anywhere(rng: &mut SeededRng, size: MapSize, radius: i32) -> Self {
        let mut center = |cells: usize| {
            let span = cells as i32 * Self::CELL + 2 * radius;
            rng.below(span as u64 + 1) as i32 - radius
        };
        Self {
            x: center(size.width()),
            y: center(size.height()),
            radius,
        }
    }

    /// Draws the angle, then the fraction of the way from the center of the map to the point where the hill would touch
    /// the border, or the bay in front of it.
    ///
    /// The offsets are truncated towards the center, so they are at most `half - radius` to the last bit, and the hill
    /// is 0 at the border.
    pub(super) fn draw_on_island(
        rng: &mut SeededRng,
        size: MapSize,
        radius: i32,
        bays: &Bays,
    ) -> Self {
        let angle = TAU * rng.unit();
        let (sin, cos) = libm::sincos(angle);
        let share = rng.unit() * bays.reach(angle);
        let center = |cells: usize, direction: f64| {
            let half = (cells as i32 - 1) * (Self::CELL / 2);
            half + (direction * share * f64::from((half - radius).max(0))) as i32
        };
        Self {
            x: center(size.width(), cos),
            y: center(size.height(), sin),
            radius,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_cells_agree() {
        let hill = Hill::new(-640, 3, 384).unwrap();
        assert_eq!(hill, Hill::from_cells(-2.5, 3.0 / 256.0, 1.5).unwrap());
        assert_eq!((hill.x(), hill.y(), hill.radius()), (-640, 3, 384));
    }

    #[test]
    fn hill_round_trips_through_ron() {
        let hill = Hill::new(-640, 3, 384).unwrap();
        let text = ron::to_string(&hill).unwrap();
        assert_eq!(text, "(x:-640,y:3,radius:384)");
        assert_eq!(ron::from_str::<Hill>(&text).unwrap(), hill);
        let error = ron::from_str::<Hill>("(x:1,y:2,radius:-1)").unwrap_err();
        assert!(error.to_string().contains("hill: radius"), "{error}");
        assert!(ron::from_str::<Hill>("(x:1,y:2,radius:3,z:4)").is_err());
    }

    #[test]
    fn rejects_far_or_large_hills() {
        let error = Hill::from_cells(0.0, 0.0, 8193.0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "hill: radius is 8193, but must be from 0 to 8192"
        );
        let error = Hill::from_cells(0.0, -40_000.0, 1.0).unwrap_err();
        assert!(
            error.to_string().starts_with("hill: y is -40000"),
            "{error}"
        );
        for wrong in [f64::NAN, f64::INFINITY, -1e300] {
            assert!(Hill::from_cells(wrong, 0.0, 1.0).is_err(), "{wrong}");
            assert!(Hill::from_cells(0.0, 0.0, wrong).is_err(), "{wrong}");
        }
        assert!(Hill::new(i32::MIN, i32::MAX, i32::MIN).is_err());
    }
}
