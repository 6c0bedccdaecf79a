//! Wavefront OBJ: vertices and triangles as lines of text.
//!
//! ```text
//! v -1.5 0.25 -1     a position in metres, y up
//! vt 0.125 0.875     its texture coordinates, from the southwest corner
//! vn 0 1 0           its normal
//! f 1/1/1 5/5/5 2/2/2
//! ```
//!
//! The triangles of a row follow its vertices, so one pass over the map is enough, after one that finds the height
//! range. Positions have the fewest digits that give the same `f32` back. Normals have five digits, and texture
//! coordinates have six, which is a hundredth of a pixel of the largest map.
//!
//! Formatting numbers takes nearly all the time. Text that is used several times is therefore kept: the part that all
//! vertices of a column share, and the index of each vertex, which occurs three times in each of six triangles.
//!
//! Cost: about 200 bytes per vertex.
//!
//! Source: Wavefront Technologies, *Advanced Visualizer Manual*, appendix B1, 1991.

use std::io::Write;

use super::{ExportError, Land, MeshGrid, VertexRow};
use crate::stream;
use lanternfell_heightmap::Progress;
use lanternfell_surface::Surface;

/// Writes every `step`-th cell of a surface as OBJ, with normals and texture coordinates, in metres, y up. Holes of the
/// surface have no triangles.
///
/// # Errors
/// - [`ExportError::Param`] when the scale is outside its range, the spacing is below 10^-6 m, or `step` is 0.
/// - [`ExportError::TooHigh`] when a height exceeds 10^9 m.
/// - [`ExportError::Write`] and [`ExportError::Canceled`].
pub fn write_obj(
    surface: &Surface<'_>,
    step: u32,
    mut out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let land = Land::square(surface.map(), surface.scale());
    let grid = MeshGrid::new(land, step)?.with_holes(surface.holes())?;
    write(&grid, None, &mut out, progress)
}

/// Returns the content of a material library (`.mtl`) whose material shows a texture. `texture` is the file name of the
/// texture, in the folder of the `.obj`.
pub fn obj_material(texture: &str) -> String {
    format!("newmtl {MATERIAL}\nKd 1 1 1\nKs 0 0 0\nillum 1\nmap_Kd {texture}\n")
}

/// The name of the material.
const MATERIAL: &str = "terrain";

/// Writes the grid. `library` is the file name of its material library.
pub(super) fn write(
    grid: &MeshGrid<'_>,
    library: Option<&str>,
    mut out: &mut dyn Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    grid.check_meters(progress)?;
    let (vertices, triangles) = (grid.vertices(), grid.triangles());
    writeln!(
        out,
        "# {vertices} vertices, {triangles} triangles, in metres, y up"
    )?;
    match library {
        Some(library) => writeln!(out, "mtllib {library}\no terrain\nusemtl {MATERIAL}")?,
        None => writeln!(out, "o terrain")?,
    }
    let mut lines = ObjLines::new(grid);
    stream(grid.rows.len(), &mut out, progress, |row, bytes| {
        lines.row(row, bytes);
    })
}

/// Writes the lines of the file, and caches text that is used several times.
struct ObjLines<'a> {
    grid: &'a MeshGrid<'a>,
    vertices: VertexRow<'a>,
    /// The x coordinate and the texture coordinate of each column.
    xs: NumberWords,
    us: NumberWords,
    /// The vertices of the previous and the current row, as corners of triangles.
    above: NumberWords,
    below: NumberWords,
}

impl<'a> ObjLines<'a> {
    fn new(grid: &'a MeshGrid<'a>) -> Self {
        let (mut xs, mut us) = (NumberWords::default(), NumberWords::default());
        for &column in &grid.columns {
            let x = grid.x.line(column as u32);
            xs.push(|text| write!(text, "v {x} ").expect("writing to a Vec never fails"));
            us.push(|text| fixed(grid.texture(column, 0)[0], 6, text));
        }
        Self {
            grid,
            vertices: VertexRow::new(grid),
            xs,
            us,
            above: NumberWords::default(),
            below: NumberWords::default(),
        }
    }

    /// Writes the vertices of a row of the grid, and the triangles between it and the previous row.
    fn row(&mut self, index: usize, bytes: &mut Vec<u8>) {
        self.vertices(self.grid.rows[index], bytes);
        std::mem::swap(&mut self.above, &mut self.below);
        let columns = self.grid.columns.len();
        self.below.clear();
        for column in 0..columns {
            let number = (index * columns + column + 1) as u64;
            self.below.push(|text| corner(number, text));
        }
        if index == 0 {
            return;
        }
        let solid = (0..columns - 1).filter(|&west| !self.grid.is_hole(west, index - 1));
        for west in solid {
            let [nw, ne] = [west, west + 1].map(|column| self.above.get(column));
            let [sw, se] = [west, west + 1].map(|column| self.below.get(column));
            for corners in [[nw, sw, ne], [sw, se, ne]] {
                bytes.push(b'f');
                corners
                    .iter()
                    .for_each(|text| bytes.extend_from_slice(text));
                bytes.push(b'\n');
            }
        }
    }

    fn vertices(&mut self, row: usize, bytes: &mut Vec<u8>) {
        self.vertices.load(row);
        let mut end = Vec::new();
        write!(end, " {}\nvt", self.vertices.z()).expect("writing to a Vec never fails");
        let mut v = Vec::new();
        fixed(1.0 - self.grid.texture(0, row)[1], 6, &mut v);
        v.extend(b"\nvn");
        for (index, &column) in self.grid.columns.iter().enumerate() {
            bytes.extend_from_slice(self.xs.get(index));
            let height = self.vertices.place(column).y;
            write!(bytes, "{height}").expect("writing to a Vec never fails");
            bytes.extend_from_slice(&end);
            bytes.extend_from_slice(self.us.get(index));
            bytes.extend_from_slice(&v);
            for part in self.vertices.normal(column).to_array() {
                fixed(part, 5, bytes);
            }
            bytes.push(b'\n');
        }
    }
}

/// A list of texts in one buffer.
#[derive(Default)]
struct NumberWords {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl NumberWords {
    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    fn push(&mut self, append: impl FnOnce(&mut Vec<u8>)) {
        append(&mut self.text);
        self.ends.push(self.text.len());
    }

    fn get(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start..self.ends[index]]
    }
}

/// Appends a corner of a triangle, which uses the same index for position, texture coordinates and normal.
fn corner(number: u64, text: &mut Vec<u8>) {
    text.push(b' ');
    let start = text.len();
    whole(number, text);
    let end = text.len();
    for _ in 0..2 {
        text.push(b'/');
        text.extend_from_within(start..end);
    }
}

/// Appends a blank, and a number from -1 to 1 with a fixed number of digits after the decimal point. Several times as
/// fast as the standard library, which supports all numbers.
fn fixed(number: f32, digits: u32, line: &mut Vec<u8>) {
    let unit = 10_u64.pow(digits);
    let scaled = (f64::from(number) * unit as f64).round() as i64;
    line.extend(if scaled < 0 { b" -" } else { &b" "[..] });
    let scaled = scaled.unsigned_abs();
    whole(scaled / unit, line);
    line.push(b'.');
    let mut rest = scaled % unit;
    for place in (0..digits).rev() {
        let unit = 10_u64.pow(place);
        line.push(b'0' + (rest / unit) as u8);
        rest %= unit;
    }
}

fn whole(number: u64, line: &mut Vec<u8>) {
    let start = line.len();
    let mut rest = number;
    loop {
        line.push(b'0' + (rest % 10) as u8);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    line[start..].reverse();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(number: f32, digits: u32) -> String {
        let mut line = Vec::new();
        fixed(number, digits, &mut line);
        String::from_utf8(line).unwrap()
    }

    #[test]
    fn numbers_match_standard_library() {
        for step in -2000..=2000 {
            let number = step as f32 * 0.000_5;
            let expected = format!(" {number:.5}").replace("-0.00000", "0.00000");
            assert_eq!(shown(number, 5), expected);
        }
        assert_eq!(shown(-0.000_001, 5), " 0.00000");
        assert_eq!(shown(0.999_999_9, 5), " 1.00000");
        for number in [0, 9, 10, 4_294_967_295, 4_294_967_296] {
            let mut line = Vec::new();
            whole(number, &mut line);
            assert_eq!(String::from_utf8(line).unwrap(), number.to_string());
        }
    }
}
