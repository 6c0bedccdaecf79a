//! Binary STL: a solid for 3D printing, in millimeters, z up.
//!
//! ```text
//!        ____/\__        the terrain
//!   ____/        \____   vertical walls, one pair of triangles per edge cell
//!  |                  |
//!  |__________________|  the base: a triangle fan from its center to the edges
//! ```
//!
//! A slicer needs a closed surface: every edge belongs to exactly two triangles, which traverse it in opposite
//! directions, and all triangles face outward. STL has no indices, so vertices are the same only if their bits are the
//! same. Each coordinate is therefore computed in one place.
//!
//! The base has a vertex below each edge cell, like the walls. With only four corners, its long edges would meet
//! several short ones.
//!
//! Cost: 50 bytes per triangle, two triangles per cell. Memory: a few rows, and the heights along the edges.
//!
//! Source: 3D Systems, *Stereolithography Interface Specification*, 1988.

use std::io::Write;

use super::{ExportError, Land, MeshGrid, VertexRow, check_high, extremes};
use crate::{Format, StlPrint, stream};
use glam::Vec3;
use lanternfell_heightmap::Progress;
use lanternfell_surface::Surface;

/// The maximum height of a solid in millimeters.
const MOST_MILLIMETERS: f64 = 1e6;

/// Writes a surface as a solid in binary STL, in millimeters. The southwest corner is the origin, x is east, y is
/// north, z is up.
///
/// # Errors
/// - [`ExportError::Param`] when the scale or an option is outside its range.
/// - [`ExportError::TooHigh`] when the solid would be higher than a kilometer.
/// - [`ExportError::TooLarge`] when it would have more triangles than the format allows.
/// - [`ExportError::Write`] and [`ExportError::Canceled`].
pub fn write_stl(
    surface: &Surface<'_>,
    print: StlPrint,
    mut out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let land = Land::square(surface.map(), surface.scale());
    write(land, print, &mut out, progress)
}

pub(super) fn write(
    land: Land<'_>,
    print: StlPrint,
    mut out: &mut dyn Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    print.validate()?;
    let grid = MeshGrid::new(land, print.step)?;
    let solid = Solid::new(&grid, print, progress)?;
    let mut header = [b' '; 80];
    let title = b"lanternfell terrain, binary STL, millimetres";
    header[..title.len()].copy_from_slice(title);
    let triangles = solid.checked_triangles()?;
    out.write_all(&header)?;
    out.write_all(&triangles.to_le_bytes())?;
    let rows = grid.rows.len() - 1;
    let mut row_of = VertexRow::new(&grid);
    let (mut rim, mut north) = (Rim::default(), Vec::new());
    rim.add(&grid, &mut row_of, 0);
    stream(rows, &mut out, &progress.span(0.0, 0.99), |row, bytes| {
        north.clone_from(&rim.south);
        rim.add(&grid, &mut row_of, row + 1);
        solid.land(row, [&north, &rim.south], bytes);
    })?;
    let border = solid.border();
    let sides = border.len();
    stream(sides, &mut out, &progress.span(0.99, 1.0), |side, bytes| {
        let places = [border[side], border[(side + 1) % sides]];
        solid.wall_and_base(places, places.map(|place| rim.height(place)), bytes);
    })
}

/// The heights along the edges of a grid, for the rows added so far.
#[derive(Default)]
struct Rim {
    north: Vec<f32>,
    /// The last row added.
    south: Vec<f32>,
    west: Vec<f32>,
    east: Vec<f32>,
}

impl Rim {
    /// Adds the next row of the grid.
    fn add(&mut self, grid: &MeshGrid<'_>, row_of: &mut VertexRow<'_>, row: usize) {
        row_of.load_places(grid.rows[row]);
        let heights = row_of.heights();
        self.south.clear();
        let columns = grid.columns.iter();
        self.south.extend(columns.map(|&column| heights[column]));
        self.west.push(self.south[0]);
        self.east.push(self.south[self.south.len() - 1]);
        if row == 0 {
            self.north.clone_from(&self.south);
        }
    }

    /// Returns the height of a vertex on the edge.
    fn height(&self, (column, row): (usize, usize)) -> f32 {
        if row == 0 {
            self.north[column]
        } else if row + 1 == self.west.len() {
            self.south[column]
        } else if column == 0 {
            self.west[row]
        } else {
            self.east[row]
        }
    }
}

/// A grid with its coordinates in millimeters.
struct Solid<'a> {
    grid: &'a MeshGrid<'a>,
    /// The x of each column, from the west.
    xs: Vec<f32>,
    /// The y of each row, from the north.
    ys: Vec<f32>,
    lowest: f64,
    /// Millimeters per height of 1.
    relief: f64,
    base: f64,
}

impl<'a> Solid<'a> {
    fn new(
        grid: &'a MeshGrid<'a>,
        print: StlPrint,
        progress: &Progress,
    ) -> Result<Self, ExportError> {
        let (size, scale) = (grid.size(), grid.scale);
        let (low, high) = extremes(grid, progress)?;
        let longer = size.width().max(size.height()) - 1;
        let per_cell = f64::from(print.longer_side) / longer as f64;
        let per_meter = per_cell / f64::from(scale.spacing);
        let relief = per_meter * f64::from(scale.relief) * f64::from(print.exaggeration);
        let (lowest, base) = (f64::from(low), f64::from(print.base));
        let highest = base + (f64::from(high) - lowest) * relief;
        check_high(highest, MOST_MILLIMETERS, "millimeters")?;
        let last = size.height() - 1;
        let line = |cells: usize| (cells as f64 * per_cell) as f32;
        Ok(Self {
            grid,
            xs: grid.columns.iter().map(|&column| line(column)).collect(),
            ys: grid.rows.iter().map(|&row| line(last - row)).collect(),
            lowest,
            relief,
            base,
        })
    }

    /// Returns the number of triangles: those of the terrain, and for each edge segment two of the wall and one of the
    /// base.
    fn triangles(&self) -> u64 {
        let sides = 2 * (self.xs.len() + self.ys.len() - 2);
        self.grid.triangles() + 3 * sides as u64
    }

    /// Returns the number of triangles, or an error if it exceeds what the format allows.
    fn checked_triangles(&self) -> Result<u32, ExportError> {
        let length = |triangles: u64| 84 + 50 * triangles;
        let triangles = self.triangles();
        u32::try_from(triangles).map_err(|_| ExportError::TooLarge {
            format: Format::Stl,
            bytes: length(triangles),
            most: length(u32::MAX.into()),
        })
    }

    /// Returns the vertex of the terrain in this column and row of the grid.
    fn top(&self, (column, row): (usize, usize), height: f32) -> Vec3 {
        let z = self.base + (f64::from(height) - self.lowest) * self.relief;
        Vec3::new(self.xs[column], self.ys[row], z as f32)
    }

    /// Returns the vertex of the base below it.
    fn foot(&self, (column, row): (usize, usize)) -> Vec3 {
        Vec3::new(self.xs[column], self.ys[row], 0.0)
    }

    /// Writes the terrain between a row of the grid and the next, given their heights.
    fn land(&self, row: usize, [north, south]: [&[f32]; 2], bytes: &mut Vec<u8>) {
        let ends = |column| {
            let (north, south) = (north[column], south[column]);
            [
                self.top((column, row), north),
                self.top((column, row + 1), south),
            ]
        };
        let [mut nw, mut sw] = ends(0);
        for column in 1..self.xs.len() {
            let [ne, se] = ends(column);
            triangle([nw, sw, ne], bytes);
            triangle([sw, se, ne], bytes);
            (nw, sw) = (ne, se);
        }
    }

    /// Returns the vertices on the edges, counter-clockwise seen from above: south, east, north, west.
    fn border(&self) -> Vec<(usize, usize)> {
        let (east, south) = (self.xs.len() - 1, self.ys.len() - 1);
        let along_south = (0..east).map(|column| (column, south));
        let along_east = (1..=south).rev().map(|row| (east, row));
        let along_north = (1..=east).rev().map(|column| (column, 0));
        let along_west = (0..south).map(|row| (0, row));
        let half = along_south.chain(along_east);
        half.chain(along_north).chain(along_west).collect()
    }

    /// Writes the wall below two neighboring edge vertices with these heights, and its part of the base.
    fn wall_and_base(
        &self,
        [from, to]: [(usize, usize); 2],
        heights: [f32; 2],
        bytes: &mut Vec<u8>,
    ) {
        let (low_from, low_to) = (self.foot(from), self.foot(to));
        let (high_from, high_to) = (self.top(from, heights[0]), self.top(to, heights[1]));
        triangle([low_from, low_to, high_to], bytes);
        triangle([low_from, high_to, high_from], bytes);
        // The last column is the easternmost, but the first row is the northernmost.
        let (east, north) = (self.xs[self.xs.len() - 1], self.ys[0]);
        let middle = Vec3::new(east / 2.0, north / 2.0, 0.0);
        triangle([low_to, low_from, middle], bytes);
    }
}

/// Writes a triangle: its normal, its corners, and two unused bytes.
fn triangle([a, b, c]: [Vec3; 3], bytes: &mut Vec<u8>) {
    let across = (b - a).as_dvec3().cross((c - a).as_dvec3());
    let normal = across.normalize_or_zero().as_vec3();
    for vector in [normal, a, b, c] {
        bytes.extend_from_slice(vector.to_array().map(f32::to_le_bytes).as_flattened());
    }
    bytes.extend_from_slice(&[0; 2]);
}
