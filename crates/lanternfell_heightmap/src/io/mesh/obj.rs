//! Wavefront OBJ: vertices and triangles as lines of text.
//!
//! ```text
//! v -1.5 0.25 -1     a place, in metres, y up
//! vt 0.125 0.875     its place on the texture, from the south-west corner
//! vn 0 1 0           its normal
//! f 1/1/1 5/5/5 2/2/2
//! ```
//!
//! The triangles of a row follow as soon as their vertices are there, so one pass over the
//! map is enough. Places have as few digits as give the same `f32` back; normals have
//! five, texture coordinates six: a hundredth of a pixel of the largest map.
//!
//! Cost: about 170 bytes per vertex.
//!
//! Source: Wavefront Technologies, *Advanced Visualizer Manual*, appendix B1, 1991.

use std::io::Write;

use super::{ExportError, Grid};
use crate::{Progress, io::stream, surface::Surface};

/// Writes a surface as OBJ: every `step`-th cell, with normals and texture coordinates, in
/// metres, y up.
///
/// # Errors
/// [`ExportError::Param`] when the scale is out of its range, the spacing below a
/// millionth of a metre, or the step 0; [`ExportError::TooHigh`] when a height is more
/// than 10^9 metres, and [`ExportError::Cancelled`] when the work was cancelled.
pub fn write_obj(
    surface: &Surface<'_>,
    step: u32,
    mut out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let grid = Grid::new(surface, step)?;
    grid.check_metres(progress)?;
    writeln!(
        out,
        "# {} vertices, {} triangles, in metres, y up\no terrain",
        grid.vertices(),
        grid.triangles()
    )?;
    stream(grid.rows.len(), &mut out, progress, |index, lines| {
        let row = grid.rows[index];
        for &column in &grid.columns {
            vertex(&grid, column, row, lines);
        }
        if index > 0 {
            for square in grid.squares(index - 1) {
                for [a, b, c] in square.as_chunks().0 {
                    triangle([a, b, c].map(|corner| corner + 1), lines);
                }
            }
        }
    })
}

fn vertex(grid: &Grid<'_>, column: usize, row: usize, lines: &mut Vec<u8>) {
    let place = grid.surface.vertex(column, row);
    let normal = grid.surface.vertex_normal(column, row);
    let [u, v] = grid.texture(column, row);
    write!(lines, "v {} {} {}\nvt", place.x, place.y, place.z).expect("a Vec takes all bytes");
    for part in [u, 1.0 - v] {
        fixed(part, 6, lines);
    }
    lines.extend(b"\nvn");
    for part in normal.to_array() {
        fixed(part, 5, lines);
    }
    lines.push(b'\n');
}

fn triangle(corners: [u32; 3], lines: &mut Vec<u8>) {
    lines.push(b'f');
    for corner in corners {
        lines.push(b' ');
        // A vertex has its place, its texture coordinates and its normal by one number.
        let start = lines.len();
        whole(corner, lines);
        let end = lines.len();
        for _ in 0..2 {
            lines.push(b'/');
            lines.extend_from_within(start..end);
        }
    }
    lines.push(b'\n');
}

/// A blank, and a number from -1 to 1 with so many digits after the point. Several times as
/// fast as the formatting of the standard library, which has to be right for any number.
fn fixed(number: f32, digits: u32, line: &mut Vec<u8>) {
    let unit = 10_u32.pow(digits);
    let scaled = (f64::from(number) * f64::from(unit)).round() as i64;
    line.extend(if scaled < 0 { b" -" } else { &b" "[..] });
    let scaled = scaled.unsigned_abs() as u32;
    whole(scaled / unit, line);
    line.push(b'.');
    let mut rest = scaled % unit;
    for place in (0..digits).rev() {
        let unit = 10_u32.pow(place);
        line.push(b'0' + (rest / unit) as u8);
        rest %= unit;
    }
}

fn whole(number: u32, line: &mut Vec<u8>) {
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
    fn numbers_are_written_as_the_standard_library_does() {
        for step in -2000..=2000 {
            let number = step as f32 * 0.000_5;
            let expected = format!(" {number:.5}").replace("-0.00000", "0.00000");
            assert_eq!(shown(number, 5), expected);
        }
        assert_eq!(shown(-0.000_001, 5), " 0.00000");
        assert_eq!(shown(0.999_999_9, 5), " 1.00000");
        for number in [0, 9, 10, 4_294_967_295] {
            let mut line = Vec::new();
            whole(number, &mut line);
            assert_eq!(String::from_utf8(line).unwrap(), number.to_string());
        }
    }
}
