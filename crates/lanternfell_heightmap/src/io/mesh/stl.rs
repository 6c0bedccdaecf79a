//! Binary STL: a solid to be printed, in millimetres, z up.
//!
//! ```text
//!        ____/\__        the land
//!   ____/        \____   walls straight down, one pair of triangles per border cell
//!  |                  |
//!  |__________________|  the base: a fan of triangles from its middle to the border
//! ```
//!
//! A slicer wants to know inside from outside: every edge belongs to exactly two triangles
//! that run along it in opposite directions, and all face outwards. STL has no indices, so
//! vertices meet only where their bits are the same: each coordinate is computed in one
//! place.
//!
//! The base has a vertex below each border cell, as the walls do; with four corners only,
//! its long edges would meet several short ones.
//!
//! Cost: 50 bytes per triangle, two triangles per cell.
//!
//! Source: 3D Systems, *Stereolithography Interface Specification*, 1988.

use std::io::Write;

use super::{ExportError, MeshGrid, check_high, extremes};
use crate::{
    Progress,
    io::{StlPrint, stream},
    surface::Surface,
};
use glam::Vec3;

/// No solid is higher, in millimetres.
const MOST_MILLIMETRES: f64 = 1e6;

/// Writes a surface as a solid in binary STL: its south-west corner at the origin, x east,
/// y north, z up, in millimetres.
///
/// # Errors
/// [`ExportError::Param`] when the scale or a setting is out of its range,
/// [`ExportError::TooHigh`] when the solid would be higher than a kilometre, and
/// [`ExportError::Cancelled`] when the work was cancelled.
pub fn write_stl(
    surface: &Surface<'_>,
    print: StlPrint,
    mut out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    print.validate()?;
    let grid = MeshGrid::new(surface, print.step)?;
    let solid = Solid::new(&grid, print, progress)?;
    let mut header = [b' '; 80];
    let title = b"lanternfell terrain, binary STL, millimetres";
    header[..title.len()].copy_from_slice(title);
    out.write_all(&header)?;
    // A map has less than 2^28 cells, and twice as many triangles fit.
    out.write_all(&(solid.triangles() as u32).to_le_bytes())?;
    let rows = grid.rows.len() - 1;
    stream(rows, &mut out, &progress.span(0.0, 0.99), |row, bytes| {
        solid.land(row, bytes);
    })?;
    let border = solid.border();
    let sides = border.len();
    stream(sides, &mut out, &progress.span(0.99, 1.0), |side, bytes| {
        solid.wall_and_base(border[side], border[(side + 1) % sides], bytes);
    })
}

/// A grid with the coordinates of its lines, in millimetres.
struct Solid<'a> {
    grid: &'a MeshGrid<'a>,
    /// The x of each column, from the west.
    xs: Vec<f32>,
    /// The y of each row, from the north.
    ys: Vec<f32>,
    lowest: f64,
    /// Millimetres per height of 1.
    relief: f64,
    base: f64,
}

impl<'a> Solid<'a> {
    fn new(
        grid: &'a MeshGrid<'a>,
        print: StlPrint,
        progress: &Progress,
    ) -> Result<Self, ExportError> {
        let map = grid.surface.map();
        let scale = grid.surface.scale();
        let (low, high) = extremes(map, progress)?;
        let longer = map.width().max(map.height()) - 1;
        let per_cell = f64::from(print.longer_side) / longer as f64;
        let per_meter = per_cell / f64::from(scale.spacing);
        let relief = per_meter * f64::from(scale.relief) * f64::from(print.exaggeration);
        let (lowest, base) = (f64::from(low), f64::from(print.base));
        let highest = base + (f64::from(high) - lowest) * relief;
        check_high(highest, MOST_MILLIMETRES, "millimetres")?;
        let last = map.height() - 1;
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

    /// All triangles: of the land, and for each side of a border square two of the wall
    /// and one of the base.
    fn triangles(&self) -> u64 {
        let sides = 2 * (self.xs.len() + self.ys.len() - 2);
        self.grid.triangles() + 3 * sides as u64
    }

    /// The vertex in that column and row of the grid.
    fn top(&self, (column, row): (usize, usize)) -> Vec3 {
        let height = self.grid.surface.map();
        let height = height.get(self.grid.columns[column], self.grid.rows[row]);
        let z = self.base + (f64::from(height) - self.lowest) * self.relief;
        Vec3::new(self.xs[column], self.ys[row], z as f32)
    }

    /// The vertex of the base below it.
    fn foot(&self, (column, row): (usize, usize)) -> Vec3 {
        Vec3::new(self.xs[column], self.ys[row], 0.0)
    }

    /// The land between a row of the grid and the next.
    fn land(&self, row: usize, bytes: &mut Vec<u8>) {
        let ends = |column| [row, row + 1].map(|row| self.top((column, row)));
        let [mut nw, mut sw] = ends(0);
        for column in 1..self.xs.len() {
            let [ne, se] = ends(column);
            triangle([nw, sw, ne], bytes);
            triangle([sw, se, ne], bytes);
            (nw, sw) = (ne, se);
        }
    }

    /// The border's vertices, counter-clockwise seen from above: south, east, north, west.
    fn border(&self) -> Vec<(usize, usize)> {
        let (east, south) = (self.xs.len() - 1, self.ys.len() - 1);
        let along_south = (0..east).map(|column| (column, south));
        let along_east = (1..=south).rev().map(|row| (east, row));
        let along_north = (1..=east).rev().map(|column| (column, 0));
        let along_west = (0..south).map(|row| (0, row));
        let half = along_south.chain(along_east);
        half.chain(along_north).chain(along_west).collect()
    }

    /// The wall below two neighbors of the border, and their part of the base.
    fn wall_and_base(&self, from: (usize, usize), to: (usize, usize), bytes: &mut Vec<u8>) {
        let (low_from, low_to) = (self.foot(from), self.foot(to));
        let (high_from, high_to) = (self.top(from), self.top(to));
        triangle([low_from, low_to, high_to], bytes);
        triangle([low_from, high_to, high_from], bytes);
        // The last column is the easternmost, but the first row the northernmost.
        let (east, north) = (self.xs[self.xs.len() - 1], self.ys[0]);
        let middle = Vec3::new(east / 2.0, north / 2.0, 0.0);
        triangle([low_to, low_from, middle], bytes);
    }
}

/// A triangle's normal, its corners, and the two bytes that mean nothing.
fn triangle([a, b, c]: [Vec3; 3], bytes: &mut Vec<u8>) {
    let across = (b - a).as_dvec3().cross((c - a).as_dvec3());
    let normal = across.normalize_or_zero().as_vec3();
    for vector in [normal, a, b, c] {
        bytes.extend_from_slice(vector.to_array().map(f32::to_le_bytes).as_flattened());
    }
    bytes.extend_from_slice(&[0; 2]);
}
