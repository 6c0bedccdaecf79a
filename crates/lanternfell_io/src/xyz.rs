//! XYZ (`.xyz`): a grid as text, with one point per line.
//!
//! ```text
//! x y z                      names of the columns; optional
//! 500015 4649985 812.5       x and y are the center of a cell
//! 500045 4649985 813.25
//! ```
//!
//! Problem: the file has no header. The points can have any order, and points without a height are missing.
//!
//! Idea: the distinct x of all points are the columns of the grid, and the distinct y are its rows. The file is read
//! twice: first to find them, then to put each height into its cell. Cells without a point are gaps. If several points
//! are in the same cell, the last one counts.
//!
//! Distances between columns differ slightly, because coordinates are rounded when they are written. The shortest one
//! only determines how many steps each distance has. The step of the grid is the whole extent divided by all steps.
//!
//! Heights are in meters. The unit of the coordinates is that of the coordinate system, which needs a `.prj` file.
//! Blanks, commas and semicolons separate numbers. Further columns, and lines that begin with `#`, are ignored.
//!
//! Cost: two passes over the text, and memory for the columns and rows. Points in the order of the cells are fastest.
//! Limits: the grid must not be rotated, and at least one of 256 cells must have a point, so that a short file cannot
//! declare a large map.
//!
//! Source: GDAL documentation, *XYZ -- ASCII Gridded XYZ*.

mod lines;

use std::{
    collections::{HashMap, hash_map::Entry},
    io::{Cursor, Write},
};

use crate::{
    ElevationSource, ExportError, ImportError, ReadOptions,
    cells::{Cells, Decoded, Source, unread},
    file_metadata::{FileMetadata, StoredFrame},
    stream,
    written::Written,
};
use lanternfell_heightmap::{Elevation, GeoReference, MapSize, ParamError, Progress};

use lines::{Lines, Point};

/// The maximum number of different x or y. It exceeds the longest side of a map, because one column may be written with
/// several roundings.
const MOST_VALUES: usize = 4 * MapSize::MAX_SIDE as usize;

/// The maximum number of cells per point.
const MOST_CELLS: u64 = 256;

/// How far a point may be from the center of its cell, in cells.
const TOLERANCE: f64 = 0.1;

/// Writes the points of all cells, from the northwest to the southeast.
pub(super) fn write(
    written: &Written<'_>,
    mut out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let (rows, place) = (&written.rows, written.frame.place);
    let mut numbers = Vec::new();
    stream(rows.height(), &mut out, progress, |y, bytes| {
        for (x, z) in rows.row(y, &mut numbers).iter().enumerate() {
            let [east, north] = place.position([x as f64, y as f64], rows.height());
            // The fewest digits that give the same numbers back, and a decimal point in each height.
            writeln!(bytes, "{east} {north} {z:?}").expect("writing to a Vec never fails");
        }
    })
}

/// Returns whether a file starts with points, perhaps after the names of the columns.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let mut file = Cursor::new(bytes);
    let mut lines = Lines::of(&mut file);
    if !matches!(lines.next(), Ok(Some(_))) {
        return false;
    }
    let is_point = lines.next().is_ok();
    // The second line may be truncated if it is the last.
    is_point || file.position() == bytes.len() as u64 && !bytes.ends_with(b"\n")
}

/// Returns the size of the grid from the whole file.
pub(super) fn size(bytes: &[u8]) -> Result<MapSize, ImportError> {
    Ok(Grid::of(&mut Cursor::new(bytes))?.size)
}

/// Decodes the heights and the georeference.
pub(super) fn decode(
    file: &mut dyn Source,
    _: &ReadOptions,
    cells: &mut dyn Cells,
) -> Result<Decoded, ImportError> {
    let grid = Grid::of(file)?;
    cells.begin(grid.size, Some(f32::NAN))?;
    let mut run = Run::default();
    let mut lines = Lines::of(file);
    while let Some(point) = lines.next()? {
        run.put(grid.cell(&point), point.z, grid.size.width(), cells)?;
    }
    run.finish(cells)?;
    let metadata = FileMetadata {
        elevation: Some(Elevation::METERS),
        source: Some(ElevationSource::Format),
        place: Some(grid.place()),
        ..FileMetadata::default()
    };
    Ok(Decoded {
        size: grid.size,
        frame: StoredFrame::Parts(metadata),
        gap: Some(f32::NAN),
        largest: None,
    })
}

/// Heights of neighboring cells of a row, which are put at once.
#[derive(Default)]
struct Run {
    first: usize,
    heights: Vec<f32>,
}

impl Run {
    fn put(
        &mut self,
        cell: usize,
        height: f32,
        width: usize,
        cells: &mut dyn Cells,
    ) -> Result<(), ImportError> {
        if cell != self.first + self.heights.len() || cell.is_multiple_of(width) {
            self.finish(cells)?;
            self.first = cell;
        }
        self.heights.push(height);
        Ok(())
    }

    fn finish(&mut self, cells: &mut dyn Cells) -> Result<(), ImportError> {
        if self.heights.is_empty() {
            return Ok(());
        }
        cells.put(self.first, self.heights.len(), &mut |row| {
            row.copy_from_slice(&self.heights);
        })?;
        self.heights.clear();
        Ok(())
    }
}

/// The grid of all points.
struct Grid {
    size: MapSize,
    /// The x of the columns, from the west.
    x: Axis,
    /// The y of the rows, from the south.
    y: Axis,
}

/// Coordinates at equal distances.
struct Axis {
    first: f64,
    step: f64,
    count: u64,
}

impl Grid {
    /// Finds the grid of the points in a file.
    fn of(file: &mut dyn Source) -> Result<Self, ImportError> {
        file.rewind().map_err(unread)?;
        let (mut x, mut y) = (Values::default(), Values::default());
        let mut points = 0;
        let mut lines = Lines::of(file);
        while let Some(point) = lines.next()? {
            x.add(point.x, "x")?;
            y.add(point.y, "y")?;
            points += 1;
        }
        file.rewind().map_err(unread)?;
        let (x, y) = (Axis::of(&x.sorted(), "x")?, Axis::of(&y.sorted(), "y")?);
        let size = MapSize::new(x.count, y.count)?;
        if size.cells() as u64 > MOST_CELLS * points {
            return Err(malformed(format_args!(
                "the {points} points are not on a regular grid: it would have {}x{} cells",
                x.count, y.count
            )));
        }
        Ok(Self { size, x, y })
    }

    /// Returns the cell of a point.
    fn cell(&self, point: &Point) -> usize {
        let (column, row) = (self.x.nearest(point.x), self.y.nearest(point.y));
        (self.size.height() - 1 - row) * self.size.width() + column
    }

    fn place(&self) -> GeoReference {
        let corner = [&self.x, &self.y].map(|axis| axis.first - 0.5 * axis.step);
        GeoReference {
            cell: [self.x.step, self.y.step],
            ..GeoReference::at(corner, 1.0)
        }
    }
}

impl Axis {
    /// Returns the axis of sorted, distinct coordinates, of which some may be missing.
    fn of(values: &[f64], name: &str) -> Result<Self, ImportError> {
        let (Some(&first), Some(&last)) = (values.first(), values.last()) else {
            return Err(malformed("the file has no points"));
        };
        let extent = last - first;
        ParamError::check(extent.is_finite(), "grid", "extent", extent, "finite")?;
        // Values that are closer than a 64th of the smallest possible step are the same column.
        let noise = extent / 64.0 / f64::from(MapSize::MAX_SIDE);
        let distances = || {
            let pairs = values.array_windows().map(|[from, to]| to - from);
            pairs.filter(|&distance| distance > noise)
        };
        let shortest = distances().fold(f64::INFINITY, f64::min);
        if shortest == f64::INFINITY {
            return Err(malformed(format_args!(
                "all points have the same {name}: a grid needs at least 2 columns and 2 rows"
            )));
        }
        let steps: f64 = distances().map(|one| (one / shortest).round()).sum();
        // A number that is too large for a map stays too large when it is converted.
        let axis = Self {
            first,
            step: extent / steps,
            count: (steps as u64).saturating_add(1),
        };
        let off = |&&value: &&f64| {
            let at = axis.steps(value);
            (at - at.round()).abs() > TOLERANCE
        };
        // A grid that is too large for a map is reported with its size.
        if axis.count <= MapSize::MAX_SIDE.into()
            && let Some(value) = values.iter().find(off)
        {
            return Err(malformed(format_args!(
                "the points are not on a regular grid: {name} {value} is between two cells of {}",
                axis.step
            )));
        }
        Ok(axis)
    }

    /// Returns the distance of a coordinate from the first one, in steps.
    fn steps(&self, value: f64) -> f64 {
        (value - self.first) / self.step
    }

    /// Returns the index of the nearest column or row.
    fn nearest(&self, value: f64) -> usize {
        (self.steps(value).round() as usize).min(self.count as usize - 1)
    }
}

/// The distinct coordinates of all points.
#[derive(Default)]
struct Values {
    /// In the order in which they were found.
    known: Vec<f64>,
    /// Where each of them is in `known`, by its bits.
    places: HashMap<u64, usize>,
    /// The place of the previous point's coordinate.
    at: usize,
}

impl Values {
    fn add(&mut self, value: f64, name: &str) -> Result<(), ImportError> {
        // The next point is usually in the same column or row, or in the next one.
        let is_known = |at: usize| self.known.get(at) == Some(&value);
        if let Some(at) = [self.at, self.at + 1].into_iter().find(|&at| is_known(at)) {
            self.at = at;
            return Ok(());
        }
        let next = self.known.len();
        self.at = match self.places.entry(value.to_bits()) {
            Entry::Occupied(place) => *place.get(),
            Entry::Vacant(_) if next == MOST_VALUES => {
                return Err(malformed(format_args!(
                    "the points are not on a regular grid: more than {MOST_VALUES} different {name}"
                )));
            }
            Entry::Vacant(place) => {
                self.known.push(value);
                *place.insert(next)
            }
        };
        Ok(())
    }

    fn sorted(mut self) -> Vec<f64> {
        self.known.sort_unstable_by(f64::total_cmp);
        self.known
    }
}

fn malformed(what: impl std::fmt::Display) -> ImportError {
    ImportError::malformed(what)
}
