//! A stroke font: letters made of line segments, drawn in any direction and size.
//!
//! Letters are designed on a grid. A stroke is a sequence of points, each written as two digits,
//! column and row. Rows count upward and start below the baseline, so that descenders have room:
//!
//! ```text
//!   8 ─ top of capitals, digits, b d f h k l      `7` is "08 48 12":  0,8 ──── 4,8
//!   6 ─ top of a c e g ...                                                    /
//!   2 ─ baseline                                                            /
//!   0 ─ bottom of descenders                                             1,2
//! ```
//!
//! The font has digits, lowercase letters and a few signs: all that maps need. Capitals are drawn
//! as lowercase letters, and unknown characters as a box.

use glam::DVec2;

use crate::lines::Ink;

/// The row of the baseline, and the rows from there to the top of a digit.
const LINE: f64 = 2.0;
const CAP: f64 = 6.0;

/// Columns between letters, and of a space.
const GAP: f64 = 1.8;
const SPACE: f64 = 2.5;

/// Stroke width relative to the height of a digit. Strokes are at least one pixel wide.
const THICKNESS: f64 = 0.15;

/// The strokes of a letter, separated by commas.
fn strokes(letter: char) -> &'static str {
    match letter {
        '0' => "12 32 43 47 38 18 07 03 12",
        '1' => "06 28 22",
        '2' => "07 18 38 47 46 02 42",
        '3' => "07 18 38 47 46 35 44 43 32 12 03,35 15",
        '4' => "32 38 04 44",
        '5' => "48 08 05 35 44 43 32 12 03",
        '6' => "47 38 18 07 03 12 32 43 44 35 15 04",
        '7' => "08 48 12",
        '8' => "15 06 07 18 38 47 46 35 15 04 03 12 32 43 44 35",
        '9' => "03 12 32 43 47 38 18 07 06 15 35 46",
        'a' => "36 32,35 26 16 05 03 12 22 33",
        'b' => "08 02,05 16 26 35 33 22 12 03",
        'c' => "35 26 16 05 03 12 22 33",
        'd' => "38 32,35 26 16 05 03 12 22 33",
        'e' => "04 34 35 26 16 05 03 12 22 33",
        'f' => "28 17 12,06 26",
        'g' => "36 31 20 10 01,35 26 16 05 03 12 22 33",
        'h' => "08 02,05 16 26 35 32",
        'i' => "06 02,08 08",
        'j' => "16 11 00,18 18",
        'k' => "08 02,36 04,15 32",
        'l' => "08 02",
        'm' => "06 02,05 16 25 22,25 36 45 42",
        'n' => "06 02,05 16 26 35 32",
        'o' => "16 26 35 33 22 12 03 05 16",
        'p' => "06 00,05 16 26 35 33 22 12 03",
        'q' => "36 30,35 26 16 05 03 12 22 33",
        'r' => "06 02,05 16 26",
        's' => "35 26 16 05 14 24 33 22 12 03",
        't' => "18 13 22,06 26",
        'u' => "06 03 12 22 33,36 32",
        'v' => "06 22 46",
        'w' => "06 12 25 32 46",
        'x' => "06 32,36 02",
        'y' => "06 22,46 22 10",
        'z' => "06 36 02 32",
        ' ' => "",
        '-' | '\u{2212}' => "05 35",
        '.' => "02 02",
        ',' => "12 00",
        '%' => "02 48,07 08 18 17 07,33 43 42 32 33",
        '/' => "02 48",
        _ => "02 42 48 08 02",
    }
}

/// Points of a stroke, in columns and rows.
fn points(stroke: &str) -> impl Iterator<Item = DVec2> + '_ {
    stroke.split(' ').filter_map(|point| {
        let mut digits = point.bytes().map(|digit| f64::from(digit - b'0'));
        Some(DVec2::new(digits.next()?, digits.next()?))
    })
}

/// Columns from the start of a letter to the next letter.
fn advance(letter: char) -> f64 {
    let strokes = strokes(letter);
    if strokes.is_empty() {
        return SPACE;
    }
    let columns = strokes.split(',').flat_map(points).map(|point| point.x);
    columns.fold(0.0, f64::max) + GAP
}

fn letters(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().flat_map(char::to_lowercase)
}

/// The length of a text in pixels. Its digits are `size` pixels high.
pub(super) fn length(text: &str, size: f64) -> f64 {
    let columns: f64 = letters(text).map(advance).sum();
    (columns - GAP).max(0.0) * size / CAP
}

/// The placement of a text: the start of its baseline, its direction as a unit vector, and the
/// height of digits in pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) start: DVec2,
    pub(super) along: DVec2,
    pub(super) size: f64,
}

/// Draws a text. Its strokes are `wider` pixels wider on both sides than normal.
pub(super) fn write(ink: &mut Ink, text: &str, line: Line, wider: f64) {
    let Line { start, along, size } = line;
    let unit = size / CAP;
    // Pixel rows count downward.
    let up = DVec2::new(along.y, -along.x);
    let thickness = (THICKNESS * size).max(1.0) + 2.0 * wider;
    let mut column = 0.0;
    for letter in letters(text) {
        for stroke in strokes(letter).split(',') {
            let place =
                |point: DVec2| start + (along * (column + point.x) + up * (point.y - LINE)) * unit;
            let points: Vec<DVec2> = points(stroke).map(place).collect();
            for ends in points.windows(2) {
                ink.line(ends[0], ends[1], thickness, 1.0);
            }
        }
        column += advance(letter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EAST: DVec2 = DVec2::X;

    fn covered(text: &str, along: DVec2) -> Vec<(usize, usize)> {
        let mut ink = Ink::new(40, 40);
        let start = DVec2::new(20.0, 20.0);
        let size = 12.0;
        write(&mut ink, text, Line { start, along, size }, 0.0);
        let all = (0..40).flat_map(|y| (0..40).map(move |x| (x, y)));
        all.filter(|&(x, y)| ink.share(x, y) > 128).collect()
    }

    #[test]
    fn digits_have_requested_height() {
        for number in "0123456789".chars() {
            let rows = covered(&number.to_string(), EAST)
                .into_iter()
                .map(|(_, y)| y);
            let (top, bottom) = (rows.clone().min().unwrap(), rows.max().unwrap());
            assert!(
                (7..=9).contains(&top) && (19..=21).contains(&bottom),
                "{number}"
            );
        }
    }

    #[test]
    fn glyphs_are_distinct() {
        let known = "0123456789abcdefghijklmnopqrstuvwxyz-.,%/?";
        let mut all: Vec<_> = known.chars().map(strokes).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), known.len());
        assert_eq!(strokes('€'), strokes('?'));
        assert_eq!(covered("Az", EAST), covered("az", EAST));
    }

    #[test]
    fn rotated_text_matches() {
        let (flat, upright) = (covered("17", EAST), covered("17", DVec2::new(0.0, -1.0)));
        // A rotation from east to north.
        let mut turned: Vec<_> = flat.iter().map(|&(x, y)| (y, 40 - x)).collect();
        turned.sort_by_key(|&(x, y)| (y, x));
        assert_eq!(turned, upright);
    }

    #[test]
    fn length_matches_drawn_text() {
        for text in ["1250", "-40", "temperate rain forest"] {
            let long = length(text, 6.0);
            let mut ink = Ink::new(200, 20);
            let line = Line {
                start: DVec2::new(10.0, 10.0),
                along: EAST,
                size: 6.0,
            };
            write(&mut ink, text, line, 0.0);
            let last = (0..200)
                .rfind(|&x| (0..20).any(|y| ink.share(x, y) > 128))
                .unwrap();
            assert!(
                (last as f64 - 10.0 - long).abs() < 1.5,
                "{text}: {last}, {long}"
            );
        }
    }
}
