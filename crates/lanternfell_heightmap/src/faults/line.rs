//! One exact fault line through two points in units of 1/256 cell.

use core::f64::consts::TAU;

use serde::{Deserialize, Serialize};

use crate::{MapSize, ParamError, SeededRng, units};

/// A line through two points. The side to its left is raised, looking from the start to the end.
///
/// The points have integer coordinates in units of 1/256 cell, so the side of a cell is decided in exact integer
/// arithmetic. Cell `(x, y)` is at `(256 x, 256 y)`; x goes east and y goes south.
///
/// ```
/// use lanternfell_heightmap::FaultLine;
///
/// // Southwards along x = 2.5: the cells to the east are raised.
/// let line = FaultLine::from_cells([2.5, 0.0], [2.5, 10.0])?;
/// assert_eq!(line.start(), [640, 0]);
/// assert!(line.raises(3, 7) && !line.raises(2, 7));
/// # Ok::<(), lanternfell_heightmap::ParamError>(())
/// ```
///
/// Files store the two points, `(start: (640, 0), end: (640, 2560))`. Deserialization checks them like
/// [`new`](Self::new).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct FaultLine {
    start: [i32; 2],
    end: [i32; 2],
}

/// The unchecked contents of a file.
#[derive(Deserialize)]
#[serde(rename = "FaultLine", deny_unknown_fields)]
struct Unchecked {
    start: [i32; 2],
    end: [i32; 2],
}

impl TryFrom<Unchecked> for FaultLine {
    type Error = ParamError;

    fn try_from(read: Unchecked) -> Result<Self, ParamError> {
        Self::new(read.start, read.end)
    }
}

impl FaultLine {
    /// The number of units in one cell.
    pub const CELL: i32 = units::CELL;
    /// The largest absolute value of a coordinate, in units: 32768 cells, twice the longest side of a map.
    pub const REACH: i32 = 32_768 * Self::CELL;

    /// Creates a line through `start` and `end`, each `[x, y]` in units of 1/256 cell.
    ///
    /// # Errors
    /// If the absolute value of a coordinate exceeds [`REACH`](Self::REACH), or the points are equal.
    pub fn new(start: [i32; 2], end: [i32; 2]) -> Result<Self, ParamError> {
        Self::from_cells(start.map(units::to_cells), end.map(units::to_cells))
    }

    /// Creates a line through `start` and `end`, each `[x, y]` in cells, rounded to 1/256 cell.
    ///
    /// # Errors
    /// As for [`new`](Self::new), or if a coordinate is NaN or infinite.
    pub fn from_cells(start: [f64; 2], end: [f64; 2]) -> Result<Self, ParamError> {
        const OWNER: &str = "fault line";
        let reach = units::to_cells(Self::REACH);
        for (name, value) in [
            ("start x", start[0]),
            ("start y", start[1]),
            ("end x", end[0]),
            ("end y", end[1]),
        ] {
            ParamError::check_range(OWNER, name, value, -reach, reach)?;
        }
        let (start, end) = (start.map(units::from_cells), end.map(units::from_cells));
        let allowed = "a point other than the start";
        ParamError::check(
            start != end,
            OWNER,
            "end x",
            units::to_cells(end[0]),
            allowed,
        )?;
        Ok(Self { start, end })
    }

    /// The first point, `[x, y]` in units of 1/256 cell.
    pub fn start(&self) -> [i32; 2] {
        self.start
    }

    /// The second point, `[x, y]` in units of 1/256 cell. It differs from the first.
    pub fn end(&self) -> [i32; 2] {
        self.end
    }

    /// Whether the cell in column `x` of row `y` is strictly on the raised side.
    pub fn raises(&self, x: u32, y: u32) -> bool {
        let cell = i128::from(Self::CELL);
        let [x1, y1] = self.start.map(i128::from);
        let [dx, dy] = self.direction().map(i128::from);
        (cell * i128::from(x) - x1) * dy - (cell * i128::from(y) - y1) * dx > 0
    }

    /// The same line relative to cell `(x, y)`, for a map that begins there. Drawn lines stay within
    /// [`REACH`](Self::REACH).
    pub(super) fn moved(self, x: usize, y: usize) -> Self {
        let by = [x, y].map(|cells| cells as i32 * Self::CELL);
        let moved = |[x, y]: [i32; 2]| [x - by[0], y - by[1]];
        Self {
            start: moved(self.start),
            end: moved(self.end),
        }
    }

    /// Draws x1, y1, x2, y2, uniform between the centers of the outermost cells. Draws all four again if the points are
    /// equal.
    pub(super) fn draw_through_two_points(rng: &mut SeededRng, size: MapSize) -> Self {
        let last = |cells: usize| (cells as i32 - 1) * Self::CELL;
        let (last_x, last_y) = (last(size.width()), last(size.height()));
        loop {
            let mut up_to = |last: i32| rng.below(last as u64 + 1) as i32;
            let start = [up_to(last_x), up_to(last_y)];
            let end = [up_to(last_x), up_to(last_y)];
            if start != end {
                return Self { start, end };
            }
        }
    }

    /// Draws the angle of the normal, then the distance from the center of the map, up to half the diagonal to either
    /// side. The two points are half a diagonal to both sides of the point nearest to the center.
    ///
    /// The distance is signed, so that the center is raised with a probability of one half. If the center were always
    /// on the same side, every map would be a dome or a bowl.
    pub(super) fn draw_at_an_angle(rng: &mut SeededRng, size: MapSize) -> Self {
        let half = |cells: usize| 0.5 * (cells - 1) as f64;
        let center = [half(size.width()), half(size.height())];
        let reach = (center[0] * center[0] + center[1] * center[1]).sqrt();
        let angle = TAU * rng.unit();
        let distance = rng.between(-reach, reach);
        let (sin, cos) = libm::sincos(angle);
        let point = |along: f64| {
            [
                units::from_cells(center[0] + distance * cos - along * sin),
                units::from_cells(center[1] + distance * sin + along * cos),
            ]
        };
        // The points are at least 180 units apart, and within the reach.
        Self {
            start: point(-reach),
            end: point(reach),
        }
    }

    /// From the start to the end, in units of 1/256 cell. Less than 2^25 on each axis.
    pub(super) fn direction(&self) -> [i64; 2] {
        [0, 1].map(|axis| i64::from(self.end[axis]) - i64::from(self.start[axis]))
    }

    /// `(x - x1) dy - (y - y1) dx` at the first cell of row `y`: the left side of the side test, in 1/65536 of a square
    /// cell. Less than 2^50 on any map.
    pub(super) fn cross_at(&self, y: usize) -> i64 {
        let [x1, y1] = self.start.map(i64::from);
        let [dx, dy] = self.direction();
        -x1 * dy - (i64::from(Self::CELL) * y as i64 - y1) * dx
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_cells_agree() {
        let line = FaultLine::new([-640, 3], [512, FaultLine::REACH]).unwrap();
        let same = FaultLine::from_cells([-2.5, 3.0 / 256.0], [2.0, 32_768.0]).unwrap();
        assert_eq!(line, same);
        assert_eq!(
            (line.start(), line.end()),
            ([-640, 3], [512, FaultLine::REACH])
        );
    }

    #[test]
    fn rejects_far_or_equal_points() {
        let error = FaultLine::new([0, 0], [0, FaultLine::REACH + 1]).unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("fault line: end y is 32768.0039"),
            "{text}"
        );
        assert!(text.ends_with("must be from -32768 to 32768"), "{text}");
        for wrong in [f64::NAN, f64::INFINITY, -1e300] {
            assert!(
                FaultLine::from_cells([0.0, wrong], [1.0, 1.0]).is_err(),
                "{wrong}"
            );
        }
        let error = FaultLine::from_cells([1.0, 1.0], [1.001, 1.0]).unwrap_err();
        assert!(
            error.to_string().contains("other than the start"),
            "{error}"
        );
        assert!(FaultLine::new([i32::MIN; 2], [i32::MAX; 2]).is_err());
    }

    #[test]
    fn line_round_trips_through_ron() {
        let line = FaultLine::new([-640, 3], [512, FaultLine::REACH]).unwrap();
        let text = ron::to_string(&line).unwrap();
        assert_eq!(text, "(start:(-640,3),end:(512,8388608))");
        assert_eq!(ron::from_str::<FaultLine>(&text).unwrap(), line);
        let error = ron::from_str::<FaultLine>("(start:(7,8),end:(7,8))").unwrap_err();
        assert!(
            error.to_string().contains("other than the start"),
            "{error}"
        );
        let error = ron::from_str::<FaultLine>("(start:(7,8),end:(7,8388609))").unwrap_err();
        assert!(error.to_string().contains("end y"), "{error}");
        assert!(ron::from_str::<FaultLine>("(start:(7,8),end:(7,9),width:3)").is_err());
    }

    #[test]
    fn cell_on_the_line_is_not_raised() {
        let line = FaultLine::new([0, 0], [512, 512]).unwrap();
        assert!(!line.raises(1, 1) && line.raises(2, 1) && !line.raises(1, 2));
    }
}
