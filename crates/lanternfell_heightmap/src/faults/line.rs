//! One fault line, exact: two different points in 1/256 of a cell.

use core::f64::consts::TAU;

use serde::{Deserialize, Serialize};

use crate::{MapSize, ParamError, SeededRng, units};

/// A line through two points; the side to its right, seen along it, is raised.
///
/// The points are held in whole 1/256 of a cell, so that which side a cell lies on is
/// decided in integers. Cell `(x, y)` lies at `(256 x, 256 y)`, x runs east and y south.
///
/// ```
/// use lanternfell_heightmap::FaultLine;
///
/// // South along x = 2.5: the cells to the east of it are raised.
/// let line = FaultLine::from_cells([2.5, 0.0], [2.5, 10.0])?;
/// assert_eq!(line.start(), [640, 0]);
/// assert!(line.raises(3, 7) && !line.raises(2, 7));
/// # Ok::<(), lanternfell_heightmap::ParamError>(())
/// ```
///
/// In a file it is its two points, `(start: (640, 0), end: (640, 2560))`; reading one checks them
/// as [`new`](Self::new) does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct FaultLine {
    start: [i32; 2],
    end: [i32; 2],
}

/// A line as it stands in a file.
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
    /// The units in one cell.
    pub const CELL: i32 = units::CELL;
    /// The furthest that a coordinate may lie from 0, in units: 32768 cells, twice the
    /// longest side of a map.
    pub const REACH: i32 = 32_768 * Self::CELL;

    /// The line through `start` and `end`, each `[x, y]` in 1/256 of a cell.
    ///
    /// # Errors
    /// When a coordinate is further than [`REACH`](Self::REACH) from 0, or the points
    /// are the same.
    pub fn new(start: [i32; 2], end: [i32; 2]) -> Result<Self, ParamError> {
        Self::from_cells(start.map(units::to_cells), end.map(units::to_cells))
    }

    /// The line through `start` and `end`, each `[x, y]` in cells, which are rounded to
    /// 1/256 of a cell.
    ///
    /// # Errors
    /// As [`new`](Self::new); a coordinate that is not a number is too far as well.
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
        let allowed = "another point than the start";
        ParamError::check(
            start != end,
            OWNER,
            "end x",
            units::to_cells(end[0]),
            allowed,
        )?;
        Ok(Self { start, end })
    }

    /// The first point, `[x, y]` in 1/256 of a cell.
    pub fn start(&self) -> [i32; 2] {
        self.start
    }

    /// The second point, `[x, y]` in 1/256 of a cell; never the first.
    pub fn end(&self) -> [i32; 2] {
        self.end
    }

    /// Whether the cell in column `x` of row `y` lies strictly on the raised side.
    pub fn raises(&self, x: u32, y: u32) -> bool {
        let cell = i128::from(Self::CELL);
        let [x1, y1] = self.start.map(i128::from);
        let [dx, dy] = self.direction().map(i128::from);
        (cell * i128::from(x) - x1) * dy - (cell * i128::from(y) - y1) * dx > 0
    }

    /// The same line on a map that begins at cell `(x, y)` of this one. For drawn lines, which
    /// then stay within [`REACH`](Self::REACH).
    pub(super) fn moved(self, x: usize, y: usize) -> Self {
        let by = [x, y].map(|cells| cells as i32 * Self::CELL);
        let moved = |[x, y]: [i32; 2]| [x - by[0], y - by[1]];
        Self {
            start: moved(self.start),
            end: moved(self.end),
        }
    }

    /// Draws x1, y1, x2, y2, uniform between the centers of the map's outermost cells;
    /// all again when the points are the same.
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

    /// Draws the angle of the normal, then the distance from the map's center, up to
    /// half the map's diagonal to either side. The two points lie that half to both
    /// sides of the point nearest to the center.
    ///
    /// The distance is signed, so that the center is as often raised as not: with the
    /// center always on one side, every map would be a dome or a bowl.
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
        // At least 180 units from each other, and within the reach for lines.
        Self {
            start: point(-reach),
            end: point(reach),
        }
    }

    /// From the start to the end, in 1/256 of a cell: less than 2^25 on each axis.
    pub(super) fn direction(&self) -> [i64; 2] {
        [0, 1].map(|axis| i64::from(self.end[axis]) - i64::from(self.start[axis]))
    }

    /// `(x - x1) dy - (y - y1) dx` at the map's first cell of row `y`: the side test's
    /// left hand, in 1/65536 of a square cell; less than 2^50 on any map.
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
    fn a_point_too_far_or_twice_is_refused() {
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
        assert!(error.to_string().contains("another point"), "{error}");
        assert!(FaultLine::new([i32::MIN; 2], [i32::MAX; 2]).is_err());
    }

    #[test]
    fn a_line_is_read_from_a_file_as_it_was_written() {
        let line = FaultLine::new([-640, 3], [512, FaultLine::REACH]).unwrap();
        let text = ron::to_string(&line).unwrap();
        assert_eq!(text, "(start:(-640,3),end:(512,8388608))");
        assert_eq!(ron::from_str::<FaultLine>(&text).unwrap(), line);
        let error = ron::from_str::<FaultLine>("(start:(7,8),end:(7,8))").unwrap_err();
        assert!(error.to_string().contains("another point"), "{error}");
        let error = ron::from_str::<FaultLine>("(start:(7,8),end:(7,8388609))").unwrap_err();
        assert!(error.to_string().contains("end y"), "{error}");
        assert!(ron::from_str::<FaultLine>("(start:(7,8),end:(7,9),width:3)").is_err());
    }

    #[test]
    fn a_cell_on_the_line_is_not_raised() {
        let line = FaultLine::new([0, 0], [512, 512]).unwrap();
        assert!(!line.raises(1, 1) && line.raises(2, 1) && !line.raises(1, 2));
    }
}
