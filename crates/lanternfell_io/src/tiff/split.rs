//! Divides long uncompressed strips into short ones.
//!
//! Problem: many programs write a map as a single strip. The `tiff` crate reads a strip in one piece, which is then the
//! whole map.
//!
//! Idea: uncompressed rows can be divided anywhere, so the directory is patched to have more strips.
//!
//! ```text
//! one strip of 8192 rows at 1000     ->     256 strips of 32 rows at 1000, 1049576, ...
//! ```
//!
//! All strips except the last must have the same number of rows. Several long strips are therefore divided into pieces
//! whose number of rows divides that of the strips. Compressed strips and tiles are not divided.

use super::{directory::Shape, patched::Patched};

const HEIGHT: u16 = 257;
const COMPRESSION: u16 = 259;
const PLACES: u16 = 273;
const ROWS_PER_STRIP: u16 = 278;
const LENGTHS: u16 = 279;
const TILE_WIDTH: u16 = 322;

const NOT_PACKED: u64 = 1;

/// The maximum size in bytes of a short strip.
const SHORT: u64 = 1 << 20;

/// Divides the strips of the first directory if they are long and uncompressed. Returns `None` if they are not changed.
pub(super) fn part(file: &mut Patched<'_>) -> Option<()> {
    let start = file.first_directory()?;
    let compression = file.list(start, COMPRESSION)?;
    let is_plain = file.first_item(&compression)? == NOT_PACKED;
    let shape = file.shape(start)?;
    if !is_plain || file.list(start, TILE_WIDTH).is_some() || shape.bytes()? <= SHORT {
        return None;
    }
    file.list(start, ROWS_PER_STRIP)?;
    let (places, lengths) = (file.list(start, PLACES)?, file.list(start, LENGTHS)?);
    let places = file.items(&places)?;
    let strips = places.into_iter().zip(file.items(&lengths)?);
    let height = file.list(start, HEIGHT)?;
    let height = file.first_item(&height)?;
    let rows = rows(&shape, height)?;
    let (from, long) = pieces(strips, &shape, [height, rows], file.length())?;
    // In a file close to the maximum size, there is no room for the longer lists.
    let longest = 8 * (from.len() + long.len()) as u64;
    if !file.big && file.end() + longest > u32::MAX.into() {
        return None;
    }
    file.write_list(start, PLACES, &from)?;
    file.write_list(start, LENGTHS, &long)?;
    file.write_list(start, ROWS_PER_STRIP, &[rows])
}

/// Returns the number of rows of a piece.
fn rows(shape: &Shape, height: u64) -> Option<u64> {
    let most = (SHORT / shape.row()?).max(1);
    if shape.tall == height {
        return Some(most);
    }
    (1..=most)
        .rev()
        .find(|rows| shape.tall.is_multiple_of(*rows))
}

/// Returns the offsets and lengths of the pieces. Returns `None` when a strip is outside of the file or shorter than
/// its rows, which the decoder then reports.
fn pieces(
    strips: impl Iterator<Item = (u64, u64)>,
    shape: &Shape,
    [height, rows]: [u64; 2],
    end: u64,
) -> Option<(Vec<u64>, Vec<u64>)> {
    let row = shape.row()?;
    let (mut from, mut long) = (Vec::new(), Vec::new());
    let mut left = height;
    for (place, length) in strips {
        let tall = shape.tall.min(left);
        left -= tall;
        let bytes = row.checked_mul(tall)?;
        // A missing strip has no place.
        if place == 0 || length < bytes || place.checked_add(length)? > end {
            return None;
        }
        for first in (0..tall).step_by(usize::try_from(rows).ok()?) {
            from.push(place + row * first);
            long.push(row * rows.min(tall - first));
        }
    }
    (left == 0).then_some((from, long))
}
