//! Brush strokes: one drag of a brush.
//!
//! Problem: an input device reports positions once per frame. If each position were a dab of the
//! brush, a stroke would be twice as deep at twice the frame rate.
//!
//! Idea: the positions only define a line. [`Stroke::along`] reduces it to its corners, and
//! [`Stroke::dabs`] places dabs along it at equal distances:
//!
//! ```text
//!   positions   * * * * *  *  *          corners   *-----------*      dabs   o--o--o--o--o
//!                             *                                |                         |
//!                             *                                *                         o
//! ```
//!
//! Positions are rounded to integers, so they are up to half a unit away from a straight line.
//! [`path`] treats everything within two units as straight. A longer stroke begins with the dabs of
//! a shorter one.

mod path;

use core::fmt::Display;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::brush::{Brush, Falloff};

/// The number of units of length in a cell.
pub(crate) const UNITS: i64 = 256;

/// A drag of a brush along a line, or a click.
///
/// Lengths and positions are in units of 1/256 of a cell. The cell in column `c` and row `r` is at
/// the position `[256 * c, 256 * r]`.
///
/// ```
/// use lanternfell_edits::{Brush, Falloff, Stroke};
///
/// let ditch = Stroke {
///     falloff: Falloff::Dome,
///     strength: 500,
///     ..Stroke::along(Brush::Lower { mm: 300 }, 4 * 256, [[0, 0], [10 * 256, 5], [20 * 256, 10]])
/// };
/// assert_eq!(ditch.points, [[0, 0], [20 * 256, 10]]);
/// assert_eq!(ditch.dabs().len(), 21);
/// ditch.validate()?;
/// # Ok::<(), lanternfell_edits::StrokeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stroke {
    /// What it does.
    pub brush: Brush,
    /// The corners of the line, at least one and at most [`MAX_POINTS`](Self::MAX_POINTS).
    #[serde(with = "path::steps")]
    pub points: Vec<[i64; 2]>,
    /// The radius of the brush, from 1 to [`MAX_RADIUS`](Self::MAX_RADIUS).
    pub radius: u32,
    /// How the effect decreases toward the radius.
    pub falloff: Falloff,
    /// The strength in thousandths, from 0 to 1000.
    pub strength: u16,
}

/// A stroke with a value that is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the {name} of the stroke is {value}, but must be {allowed}")]
pub struct StrokeError {
    /// The name of the value.
    pub name: &'static str,
    /// The value.
    pub value: String,
    /// The allowed values.
    pub allowed: String,
}

impl Stroke {
    /// The largest number of points.
    pub const MAX_POINTS: usize = 4096;
    /// The largest distance of a point from the origin along an axis: 2^48 cells.
    pub const MAX_POSITION: i64 = 1 << 56;
    /// The largest length: 65,536 cells.
    pub const MAX_LENGTH: i64 = 1 << 24;
    /// The largest radius: 1024 cells.
    pub const MAX_RADIUS: u32 = 1 << 18;
    /// The largest number of dabs.
    pub const MAX_DABS: usize = 65_535;
    /// The largest sum of the cells in the squares around all dabs. It bounds the time that a stroke
    /// takes to some tens of milliseconds. A brush of radius 64 cells can be dragged 30,000 cells.
    pub const MAX_WORK: u64 = 1 << 25;

    /// Creates a stroke at full strength along positions of a pointer.
    ///
    /// The points of the stroke are the corners of the line: positions within two units of a
    /// straight line are left out. So the result does not depend on how densely the line was
    /// sampled.
    pub fn along(brush: Brush, radius: u32, positions: impl IntoIterator<Item = [i64; 2]>) -> Self {
        Self {
            brush,
            points: path::corners(positions),
            radius,
            falloff: Falloff::default(),
            strength: 1000,
        }
    }

    /// The stroke of a drag with these positions that has ended: [along](Self::along) all of them that
    /// are not close to the one before.
    ///
    /// If that line is too long by rounding, it is the stroke in progress.
    pub(crate) fn ended(&self) -> Self {
        let simplified = self.simplified();
        match simplified.validate() {
            Ok(()) => simplified,
            Err(_) => self.in_progress(),
        }
    }

    fn simplified(&self) -> Self {
        let positions = path::thinned(&self.points);
        Self {
            falloff: self.falloff,
            strength: self.strength,
            ..Self::along(self.brush.clone(), self.radius, positions)
        }
    }

    /// The stroke of a drag with these positions while it is in progress.
    ///
    /// Positions close to the one before are left out, so that a hand that trembles adds no dabs. All
    /// others stay, so the dabs do not move when the drag gets longer.
    pub(crate) fn in_progress(&self) -> Self {
        if matches!(self.brush, Brush::Stamp { .. }) {
            // Each point of a stamp is a dab.
            return self.simplified();
        }
        Self {
            brush: self.brush.clone(),
            points: path::thinned(&self.points),
            ..*self
        }
    }

    pub(crate) fn differs_only_in_points(&self, other: &Self) -> bool {
        let Self {
            brush,
            points: _,
            radius,
            falloff,
            strength,
        } = self;
        (brush, radius, falloff, strength)
            == (&other.brush, &other.radius, &other.falloff, &other.strength)
    }

    /// Returns the centers of the dabs: the first point, and then one per quarter of the radius
    /// along the line, but at least a quarter of a cell apart. Stamps have one dab per point, and
    /// strokes that are not [valid](Self::validate) have none.
    pub fn dabs(&self) -> Vec<[i64; 2]> {
        match self.validate() {
            Ok(()) => self.valid_dabs(),
            Err(_) => Vec::new(),
        }
    }

    /// The [dabs](Self::dabs) of a valid stroke. Others can have billions.
    pub(crate) fn valid_dabs(&self) -> Vec<[i64; 2]> {
        debug_assert_eq!(self.validate(), Ok(()));
        match self.brush {
            Brush::Stamp { .. } => self.points.clone(),
            _ => path::dabs(&self.points, self.spacing()),
        }
    }

    /// The distance between two dabs.
    fn spacing(&self) -> i64 {
        i64::from(self.radius / 4).max(UNITS / 4)
    }

    /// The strength in 1/65536.
    pub(crate) fn strength(&self) -> u64 {
        (u64::from(self.strength) << 16) / 1000
    }

    /// Checks that all values are within their ranges.
    ///
    /// # Errors
    /// Names the value that is not.
    pub fn validate(&self) -> Result<(), StrokeError> {
        self.check_points()?;
        check("radius", self.radius, 1, Self::MAX_RADIUS)?;
        check("strength", self.strength, 0, 1000)?;
        self.check_brush()?;
        let length = self.length();
        check("length", length, 0, Self::MAX_LENGTH)?;
        let dabs = match self.brush {
            Brush::Stamp { .. } => self.points.len(),
            _ => (length / self.spacing()) as usize + 1,
        };
        check("number of dabs", dabs, 1, Self::MAX_DABS)?;
        let side = u64::from(self.radius / 128 + 1);
        check(
            "number of cells of all dabs",
            dabs as u64 * side * side,
            1,
            Self::MAX_WORK,
        )
    }

    /// The length of the line, or a very large number.
    pub(crate) fn length(&self) -> i64 {
        path::length(&self.points).unwrap_or(i64::MAX)
    }

    pub(crate) fn check_points(&self) -> Result<(), StrokeError> {
        let count = self.points.len();
        check("number of points", count, 1, Self::MAX_POINTS)?;
        for &axis in self.points.iter().flatten() {
            check("position", axis, -Self::MAX_POSITION, Self::MAX_POSITION)?;
        }
        Ok(())
    }

    fn check_brush(&self) -> Result<(), StrokeError> {
        match self.brush {
            Brush::Raise { mm } | Brush::Lower { mm } => check("height", mm, 0, Brush::MAX_MM),
            Brush::Noise { cells, mm, .. } => {
                check("size of noise", cells, 1, Brush::MAX_NOISE_CELLS)?;
                check("height", mm, 0, Brush::MAX_MM)
            }
            Brush::Terrace { mm } => check("height of a step", mm, 1, Brush::MAX_MM),
            Brush::Smooth { reach } | Brush::Sharpen { reach } => {
                check("reach", reach, 1, Brush::MAX_REACH)
            }
            Brush::Erode { steps, .. } => check("number of steps", steps, 1, Brush::MAX_STEPS),
            Brush::Clone { offset: [x, y] } => {
                check("offset", x, -Brush::MAX_OFFSET, Brush::MAX_OFFSET)?;
                check("offset", y, -Brush::MAX_OFFSET, Brush::MAX_OFFSET)
            }
            Brush::Paint { layer } => check("layer", layer, 0, Brush::LAYERS - 1),
            Brush::Stamp { ref image } => check("width of the image", image.width(), 1, 512),
            Brush::Flatten { .. }
            | Brush::Slope
            | Brush::Hole
            | Brush::Unhole
            | Brush::Plants { .. } => Ok(()),
        }
    }
}

fn check<T: PartialOrd + Display>(
    name: &'static str,
    value: T,
    least: T,
    most: T,
) -> Result<(), StrokeError> {
    match least <= value && value <= most {
        true => Ok(()),
        false => Err(StrokeError {
            name,
            value: value.to_string(),
            allowed: format!("from {least} to {most}"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn click(brush: Brush) -> Stroke {
        Stroke::along(brush, 10 * 256, [[0, 0]])
    }

    #[test]
    fn names_each_value_out_of_range() {
        let raise = || click(Brush::Raise { mm: 5 });
        raise().validate().unwrap();
        let far = Stroke::MAX_POSITION + 1;
        let cases = [
            (
                Stroke {
                    points: vec![],
                    ..raise()
                },
                "number of points",
            ),
            (
                Stroke {
                    points: vec![[0, 0]; 4097],
                    ..raise()
                },
                "number of points",
            ),
            (
                Stroke {
                    points: vec![[0, -far]],
                    ..raise()
                },
                "position",
            ),
            (
                Stroke {
                    points: vec![[i64::MIN, 0]],
                    ..raise()
                },
                "position",
            ),
            (
                Stroke {
                    points: vec![[0, 0], [1 << 25, 0]],
                    ..raise()
                },
                "length",
            ),
            (
                Stroke {
                    points: vec![[1 - far, 0], [far - 1, 0]],
                    ..raise()
                },
                "length",
            ),
            (
                Stroke {
                    radius: 0,
                    ..raise()
                },
                "radius",
            ),
            (
                Stroke {
                    radius: (1 << 18) + 1,
                    ..raise()
                },
                "radius",
            ),
            (
                Stroke {
                    strength: 1001,
                    ..raise()
                },
                "strength",
            ),
            (
                Stroke {
                    radius: 9,
                    points: vec![[0, 0], [1 << 24, 0]],
                    ..raise()
                },
                "number of dabs",
            ),
            (
                Stroke {
                    radius: 1 << 18,
                    points: vec![[0, 0], [1 << 20, 0]],
                    ..raise()
                },
                "number of cells of all dabs",
            ),
            (click(Brush::Raise { mm: -1 }), "height"),
            (click(Brush::Lower { mm: 1_000_001 }), "height"),
            (
                click(Brush::Noise {
                    seed: 0,
                    cells: 0,
                    mm: 1,
                }),
                "size of noise",
            ),
            (click(Brush::Terrace { mm: 0 }), "height of a step"),
            (click(Brush::Smooth { reach: 17 }), "reach"),
            (
                click(Brush::Erode { seed: 1, steps: 33 }),
                "number of steps",
            ),
            (
                click(Brush::Clone {
                    offset: [0, i64::MIN],
                }),
                "offset",
            ),
            (click(Brush::Paint { layer: 16 }), "layer"),
        ];
        for (stroke, name) in cases {
            assert_eq!(stroke.validate().unwrap_err().name, name, "{stroke:?}");
            assert!(stroke.dabs().is_empty());
        }
        let error = click(Brush::Paint { layer: 16 }).validate().unwrap_err();
        let message = "the layer of the stroke is 16, but must be from 0 to 15";
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn longer_strokes_begin_with_the_dabs_of_shorter_ones() {
        let line = [[0, 0], [3000, 1000], [3100, 9000]];
        let long = Stroke::along(Brush::Slope, 900, line);
        let short = Stroke::along(Brush::Slope, 900, line[..2].iter().copied());
        assert!(long.dabs().starts_with(&short.dabs()));
        assert_eq!(short.dabs().len(), 1 + 3162 / 225);
    }
}
