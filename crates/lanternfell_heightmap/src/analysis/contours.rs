//! Contour lines, and the length of the coast.
//!
//! Idea: marching squares. A contour passes between two neighboring cells of which one is above the level (land) and
//! the other is not. It crosses where the interpolated height equals the level. In the square between four cells, it
//! runs from one crossing to another:
//!
//! ```text
//!     L───L     L───l'    The line walks between L and R, with land on its left. The two
//!     ↑ → ┆→    ↑ ↗ ┆     cells ahead are l' and r'. Both land: it turns right. Neither:
//!     R───r'    R───r'    it turns left. Only l': it goes straight on.
//! ```
//!
//! If only the cell ahead on the right is land, two lines cross the square, and the connection is ambiguous. The mean
//! of the four cells decides: above the level or not.
//!
//! Steps: follow the lines that enter over the border. Then find crossings between rows that no line has passed yet,
//! because every other line is a ring with such crossings. A crossing belongs to exactly one line, so it is computed
//! once, and lines join exactly.
//!
//! Cost: one pass over the map per level, and O(1) per point. Memory: one bit per cell. Levels are traced on several
//! cores.
//!
//! No library is used, because lines must join bit for bit, run on several cores, and be cancelable.
//!
//! Source: Lorensen and Cline, *Marching cubes*, SIGGRAPH 1987, in two dimensions.

use glam::DVec2;

use super::{
    height_rows::{HeightRows, of_row},
    in_order,
};
use crate::{Canceled, GenerateError, Heightmap, ParamError, Progress, Scale, is_land};

/// A line of equal height. Land, which is strictly above the level, is on its left. So a ring around an island runs
/// counterclockwise on a map with north up.
#[derive(Debug, Clone, PartialEq)]
pub struct Contour {
    /// The height of the line.
    pub level: f32,
    /// Whether the line is a ring, in which case the last point connects to the first, which is not repeated. Otherwise
    /// both ends are on the border of the map.
    pub closed: bool,
    /// The points as column and row in cells, on the lines between neighboring cells. Consecutive points are never
    /// equal.
    pub points: Vec<DVec2>,
}

impl Contour {
    /// The length of the line in cells.
    pub fn length(&self) -> f64 {
        let along = self.points.windows(2).map(|ends| ends[0].distance(ends[1]));
        let length = along.fold(0.0, |sum, part| sum + part);
        let closing = self.points.first().zip(self.points.last());
        match closing {
            Some((&first, &last)) if self.closed => length + first.distance(last),
            _ => length,
        }
    }

    /// The area within a ring in square cells: positive around land, negative around water. An open line is treated as
    /// if its ends were connected.
    pub fn area(&self) -> f64 {
        let next = self.points.iter().cycle().skip(1);
        // Rows count southwards, which changes the sign.
        let twice = self
            .points
            .iter()
            .zip(next)
            .fold(0.0, |sum, (a, b)| sum - a.perp_dot(*b));
        0.5 * twice
    }
}

/// Computes the contours of `map` at each of the `levels`. They are in the order of `levels`, with the open lines of
/// each level before its rings.
///
/// ```
/// use lanternfell_heightmap::{Heightmap, MapSize, Progress, analysis::contours};
///
/// let size = MapSize::new(3, 3)?;
/// let peak = vec![0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
/// let map = Heightmap::from_heights(size, peak).unwrap();
/// let rings = contours(&map, &[0.5], &Progress::default())?;
/// assert!(rings.len() == 1 && rings[0].closed && rings[0].points.len() == 4);
/// assert_eq!(rings[0].area(), 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a level is not finite, or the work is canceled.
pub fn contours(
    map: &Heightmap,
    levels: &[f32],
    progress: &Progress,
) -> Result<Vec<Contour>, GenerateError> {
    for &level in levels {
        let value = ParamError::shortest(level);
        ParamError::check(level.is_finite(), "contours", "level", value, "finite")?;
    }
    let traced = in_order(levels.len(), progress, |k| {
        let mut tracer = Tracer::new(map, levels[k]);
        let done = tracer.trace(&progress.part(k, levels.len()));
        Some(done.map(|()| tracer.found))
    })?;
    let mut all = Vec::new();
    for found in traced.into_iter().flatten() {
        all.append(&mut found?);
    }
    Ok(all)
}

/// Computes the length of the contours at `sea_level`, in meters.
///
/// # Errors
/// If the level is not finite, the scale is out of range, or the work is canceled.
pub fn coast_length(
    map: &(impl HeightRows + ?Sized),
    sea_level: f32,
    scale: Scale,
    progress: &Progress,
) -> Result<f64, GenerateError> {
    scale.validate()?;
    let value = ParamError::shortest(sea_level);
    ParamError::check(sea_level.is_finite(), "contours", "level", value, "finite")?;
    let lengths = in_order(map.size().height() - 1, progress, |y| {
        let mut north = Vec::new();
        map.show(y, &mut |row| north.extend_from_slice(row));
        of_row(map, y + 1, |south| length_between(&north, south, sea_level))
    })?;
    let cells: f64 = lengths.iter().sum();
    Ok(cells * f64::from(scale.spacing))
}

/// The length of the contours in the squares between two rows. These are the lines that [`Tracer`] follows, square by
/// square.
fn length_between(north: &[f32], south: &[f32], level: f32) -> f64 {
    let exact = f64::from(level);
    // The position of the crossing between two cells, from 0 to 1.
    let part = |a: f32, b: f32| (exact - f64::from(a)) / (f64::from(b) - f64::from(a));
    let squares = north.windows(2).zip(south.windows(2));
    let mut sum = 0.0;
    for (north, south) in squares {
        let (nw, ne, sw, se) = (north[0], north[1], south[0], south[1]);
        let land = [nw, ne, se, sw].map(|z| is_land(z, level));
        if land.iter().all(|&is| is == land[0]) {
            continue;
        }
        // On the sides, clockwise from the north.
        let crossings = [
            (land[0] != land[1]).then(|| DVec2::new(part(nw, ne), 0.0)),
            (land[1] != land[2]).then(|| DVec2::new(1.0, part(ne, se))),
            (land[2] != land[3]).then(|| DVec2::new(part(sw, se), 1.0)),
            (land[3] != land[0]).then(|| DVec2::new(0.0, part(nw, sw))),
        ];
        sum += match crossings {
            [Some(north), Some(east), Some(south), Some(west)] => {
                let mean = (f64::from(nw) + f64::from(se)) + (f64::from(ne) + f64::from(sw));
                // Lines run around the two corners that are not connected to the center.
                if (mean > 4.0 * exact) == land[0] {
                    north.distance(east) + south.distance(west)
                } else {
                    north.distance(west) + south.distance(east)
                }
            }
            crossings => {
                let mut ends = crossings.into_iter().flatten();
                let ends = ends.next().zip(ends.next());
                ends.map_or(0.0, |(from, to)| from.distance(to))
            }
        };
    }
    sum
}

/// The column and row of a cell, which may be outside the map.
type Cell = (i32, i32);

/// The point where a line passes between two neighboring cells, with land on its left.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Crossing {
    land: Cell,
    water: Cell,
}

/// The number of points of a line between two checks for cancellation.
const STRETCH: usize = 4096;

/// Traces the contours of one level.
struct Tracer<'a> {
    map: &'a Heightmap,
    level: f32,
    /// One bit per cell: whether a line has passed between it and the next cell to the south.
    passed: Vec<u64>,
    found: Vec<Contour>,
}

impl<'a> Tracer<'a> {
    fn new(map: &'a Heightmap, level: f32) -> Self {
        Self {
            map,
            level,
            passed: vec![0; map.size().cells().div_ceil(64)],
            found: Vec::new(),
        }
    }

    fn trace(&mut self, progress: &Progress) -> Result<(), Canceled> {
        let (right, bottom) = (self.map.width() as i32 - 1, self.map.height() as i32 - 1);
        for x in 0..right {
            self.enter((x, 0), (x + 1, 0), progress)?;
            self.enter((x, bottom), (x + 1, bottom), progress)?;
        }
        for y in 0..bottom {
            self.enter((0, y), (0, y + 1), progress)?;
            self.enter((right, y), (right, y + 1), progress)?;
        }
        for y in 0..bottom {
            progress.step(y as usize, bottom as usize)?;
            self.rings(y, progress)?;
        }
        Ok(())
    }

    /// Follows the line that enters between two cells of the border, if there is one.
    fn enter(&mut self, a: Cell, b: Cell, progress: &Progress) -> Result<(), Canceled> {
        let crossing = match (self.is_land(a), self.is_land(b)) {
            (true, false) => Crossing { land: a, water: b },
            (false, true) => Crossing { land: b, water: a },
            _ => return Ok(()),
        };
        if self.is_on_map(crossing.ahead().land) {
            self.follow(crossing, progress)?;
        }
        Ok(())
    }

    /// Follows the new rings that pass between row `y` and the next.
    fn rings(&mut self, y: i32, progress: &Progress) -> Result<(), Canceled> {
        const LANES: usize = 16;
        let (map, level) = (self.map, self.level);
        let (north, south) = (map.row(y as usize), map.row(y as usize + 1));
        let chunks = north.chunks(LANES).zip(south.chunks(LANES));
        for (x, (north, south)) in (0..).step_by(LANES).zip(chunks) {
            let differ = |(a, b): (&f32, &f32)| is_land(*a, level) != is_land(*b, level);
            // No early exit, so that the loop vectorizes.
            let any = north
                .iter()
                .zip(south)
                .fold(false, |any, pair| any | differ(pair));
            if !any {
                continue;
            }
            for (x, pair) in (x..).zip(north.iter().zip(south)) {
                if differ(pair) && !self.mark((x, y)) {
                    let (north, south) = ((x, y), (x, y + 1));
                    let (land, water) = if is_land(*pair.0, level) {
                        (north, south)
                    } else {
                        (south, north)
                    };
                    self.follow(Crossing { land, water }, progress)?;
                }
            }
        }
        Ok(())
    }

    /// Follows a line to the border, or around to its start.
    fn follow(&mut self, first: Crossing, progress: &Progress) -> Result<(), Canceled> {
        let mut points = vec![self.point(first)];
        let mut crossing = first;
        let mut closed = false;
        // No line passes twice between the same two cells, and each cell has at most two such neighbors, to the east
        // and to the south.
        for step in 1..=2 * self.map.size().cells() {
            if crossing.land.0 == crossing.water.0 {
                self.mark((crossing.land.0, crossing.land.1.min(crossing.water.1)));
            }
            let Some(next) = self.next(crossing) else {
                break;
            };
            if next == first {
                closed = true;
                break;
            }
            let point = self.point(next);
            if points.last() != Some(&point) {
                points.push(point);
            }
            crossing = next;
            if step % STRETCH == 0 {
                progress.check()?;
            }
        }
        if closed && points.first() == points.last() {
            points.pop();
        }
        // A ring around a single cell at exactly the level has no extent.
        if points.len() > 1 {
            let level = self.level;
            self.found.push(Contour {
                level,
                closed,
                points,
            });
        }
        Ok(())
    }

    /// The crossing where the line leaves the square ahead; `None` at the border.
    fn next(&self, at: Crossing) -> Option<Crossing> {
        let ahead = at.ahead();
        let (left, right) = (ahead.land, ahead.water);
        if !self.is_on_map(left) {
            return None;
        }
        let turn_left = Crossing {
            land: at.land,
            water: left,
        };
        let turn_right = Crossing {
            land: right,
            water: at.water,
        };
        Some(match (self.is_land(left), self.is_land(right)) {
            (true, false) => ahead,
            (false, false) => turn_left,
            (true, true) => turn_right,
            (false, true) => {
                // Summed in the same order from both sides, so that rounding gives the same decision. The two lines
                // through the square must not share an exit.
                let high = self.height(at.land) + self.height(right);
                let low = self.height(at.water) + self.height(left);
                let middle_is_land = high + low > 4.0 * f64::from(self.level);
                if middle_is_land {
                    turn_right
                } else {
                    turn_left
                }
            }
        })
    }

    /// Records that a line passes between a cell and the next to the south. Returns whether one had passed before.
    fn mark(&mut self, (x, y): Cell) -> bool {
        let index = y as usize * self.map.width() + x as usize;
        let (word, bit) = (&mut self.passed[index / 64], 1 << (index % 64));
        let had = *word & bit != 0;
        *word |= bit;
        had
    }

    fn is_on_map(&self, (x, y): Cell) -> bool {
        (0..self.map.width() as i32).contains(&x) && (0..self.map.height() as i32).contains(&y)
    }

    fn height(&self, (x, y): Cell) -> f64 {
        self.map.get(x as usize, y as usize).into()
    }

    fn is_land(&self, cell: Cell) -> bool {
        self.height(cell) > f64::from(self.level)
    }

    fn point(&self, Crossing { land, water }: Crossing) -> DVec2 {
        let (high, low) = (self.height(land), self.height(water));
        let part = (f64::from(self.level) - low) / (high - low);
        let place = |(x, y): Cell| DVec2::new(x.into(), y.into());
        let (land, water) = (place(land), place(water));
        water + (land - water) * part
    }
}

impl Crossing {
    /// The crossing straight ahead: the cells on the left and on the right, one step further.
    fn ahead(self) -> Self {
        let (land, water) = (self.land, self.water);
        // The vector from right to left, rotated clockwise.
        let (x, y) = (water.1 - land.1, land.0 - water.0);
        let step = |(column, row): Cell| (column + x, row + y);
        Self {
            land: step(land),
            water: step(water),
        }
    }
}
