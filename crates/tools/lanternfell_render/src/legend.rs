//! The legend of a map: colors and their names.
//!
//! ```text
//!   +----+
//!   |####|  taiga        one line per entry
//!   +----+
//! ```

use glam::DVec2;

use crate::{
    lettering::{self, Line},
    lines::Ink,
};
use lanternfell_heightmap::{Canceled, Progress, RgbImage};

/// In pixels: the line height, the size of a color field, the height of letters, and the margin.
const LINE: u32 = 26;
const FIELD: [u32; 2] = [34, 18];
const LETTERS: f64 = 11.0;
const MARGIN: u32 = 12;

/// The colors of the background and of the text.
const PAPER: [u8; 3] = [252, 250, 245];
const INK: [u8; 3] = [52, 44, 38];

/// Draws a legend: one line per entry, with a field of the color and the name. The image is as
/// large as the text needs. Without entries it is blank.
///
/// # Errors
/// If the work was canceled.
pub fn legend(entries: &[([u8; 3], String)], progress: &Progress) -> Result<RgbImage, Canceled> {
    let longest = entries
        .iter()
        .map(|(_, name)| lettering::length(name, LETTERS));
    let words = longest.fold(0.0, f64::max).ceil() as u32;
    let left = MARGIN + FIELD[0] + MARGIN;
    let (width, height) = (
        left + words + MARGIN,
        2 * MARGIN + LINE * entries.len() as u32,
    );
    let mut picture = RgbImage::black(width, height);
    picture.bytes_mut().as_chunks_mut().0.fill(PAPER);
    let mut ink = Ink::new(width as usize, height as usize);
    for (index, (color, name)) in (0..).zip(entries) {
        let top = MARGIN + index * LINE + (LINE - FIELD[1]) / 2;
        for y in top..top + FIELD[1] {
            let start = 3 * (y * width + MARGIN) as usize;
            let row = &mut picture.bytes_mut()[start..][..3 * FIELD[0] as usize];
            row.as_chunks_mut().0.fill(*color);
        }
        frame(&mut ink, [MARGIN, top], FIELD);
        let line = f64::from(top) + 0.5 * (f64::from(FIELD[1]) + LETTERS);
        let line = Line {
            start: DVec2::new(f64::from(left), line),
            along: DVec2::X,
            size: LETTERS,
        };
        lettering::write(&mut ink, name, line, 0.0);
    }
    ink.print(&mut picture, INK, progress)?;
    Ok(picture)
}

/// Draws a thin line around a field.
fn frame(ink: &mut Ink, corner: [u32; 2], size: [u32; 2]) {
    let [x, y] = corner.map(f64::from);
    let [wide, tall] = size.map(|side| f64::from(side) - 1.0);
    let corners = [(0.0, 0.0), (wide, 0.0), (wide, tall), (0.0, tall)];
    let corners = corners.map(|(dx, dy)| DVec2::new(x + dx, y + dy));
    for (index, &from) in corners.iter().enumerate() {
        ink.line(from, corners[(index + 1) % 4], 1.0, 0.6);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_fields_and_names() {
        let entries = [
            ([200, 30, 40], "taiga".to_owned()),
            ([10, 90, 200], "temperate rain forest".to_owned()),
        ];
        let picture = legend(&entries, &Progress::default()).unwrap();
        for (index, (color, _)) in (0..).zip(&entries) {
            let row = MARGIN + index * LINE + LINE / 2;
            assert_eq!(picture.pixel(MARGIN + FIELD[0] / 2, row), *color);
            let is_ink = |x: u32| (row - 10..row + 10).any(|y| picture.pixel(x, y)[0] < 120);
            assert!(
                (MARGIN + FIELD[0] + 4..picture.width()).any(is_ink),
                "name is missing"
            );
            assert!(
                (picture.width() - 8..picture.width()).all(|x| !is_ink(x)),
                "name is cut off"
            );
        }
        let none = legend(&[], &Progress::default()).unwrap();
        assert!(
            none.bytes()
                .as_chunks()
                .0
                .iter()
                .all(|pixel| *pixel == PAPER)
        );
    }
}
