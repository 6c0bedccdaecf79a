//! Divides large strips and tiles into pieces of a few rows.
//!
//! Problem: many programs write a map as a single strip or tile. The `tiff` crate reads it in one piece, which is then
//! the whole map.
//!
//! Idea: uncompressed rows can be divided anywhere, and a predictor only refers to numbers of the same row. The
//! directory is therefore patched to have more strips or tiles. Those of LERC are not divided, because it compresses
//! two-dimensional blocks.
//!
//! ```text
//! one strip of 8192 rows at 1000     ->     256 strips of 32 rows at 1000, 1049576, ...
//! ```
//!
//! All strips except the last must have the same number of rows, and so must all tiles. If there are several below each
//! other, they are divided into pieces whose number of rows divides theirs.

use super::{
    blocks::{Blocks, LISTS},
    directory::Shape,
    patched::Patched,
};

const WIDTH: u16 = 256;
const HEIGHT: u16 = 257;
const ROWS_PER_STRIP: u16 = 278;
const TILE_HEIGHT: u16 = 323;

/// The maximum size in bytes of a piece.
const SHORT: u64 = 1 << 20;

/// The maximum number of pieces. A map of the largest size has 4096 to 16384.
const MOST_PIECES: u64 = 1 << 16;

/// How the strips or tiles of a directory are divided.
pub(super) struct Division {
    start: u64,
    shape: Shape,
    height: u64,
    /// The number of strips or tiles side by side.
    across: u64,
    /// The rows of a piece.
    rows: u64,
    /// The pieces of a strip or tile.
    pub(super) pieces: u64,
}

/// Some rows of a strip or tile.
pub(super) struct Piece {
    /// The index of the strip or tile.
    pub(super) block: usize,
    /// The index of the piece in it.
    pub(super) index: u64,
    /// The offset in the strip or tile in bytes.
    pub(super) offset: u64,
    /// The size in bytes.
    pub(super) bytes: u64,
}

impl Division {
    /// Divides the strips or tiles of the first directory if they are large. Returns `None` if they have no valid size.
    pub(super) fn of(file: &mut Patched<'_>, can_divide: bool) -> Option<Self> {
        let start = file.first_directory()?;
        let shape = file.shape(start)?;
        let mut number = |tag| {
            let list = file.list(start, tag)?;
            file.first_item(&list).filter(|&number| number > 0)
        };
        let (width, height) = (number(WIDTH)?, number(HEIGHT)?);
        // Without this tag, which cannot be added, all rows are in one strip.
        let is_listed = number(shape.rows_tag()).is_some();
        let whole = shape.tall.min(height);
        if shape.bytes()? == 0 {
            return None;
        }
        let mut division = Self {
            start,
            shape,
            height,
            across: width.div_ceil(shape.wide),
            rows: shape.tall,
            pieces: 1,
        };
        if can_divide && is_listed && shape.bytes()? > SHORT {
            let rows = short_rows(&shape, height)?;
            let pieces = whole.div_ceil(rows);
            if height.div_ceil(rows).checked_mul(division.across)? <= MOST_PIECES {
                (division.rows, division.pieces) = (rows, pieces);
            }
        }
        Some(division)
    }

    /// Returns the number of pieces of the map.
    pub(super) fn count(&self) -> u64 {
        self.height.div_ceil(self.rows) * self.across
    }

    /// Lists the pieces in the order of the file's lists.
    pub(super) fn list(&self) -> impl Iterator<Item = Piece> {
        let row = self.shape.row().unwrap_or(0);
        (0..self.height)
            .step_by(usize::try_from(self.rows).unwrap_or(usize::MAX))
            .flat_map(move |y| (0..self.across).map(move |column| (y, column)))
            .map(move |(y, column)| {
                let (down, inside) = (y / self.shape.tall, y % self.shape.tall);
                let end = self.shape.tall.min(self.height - down * self.shape.tall);
                Piece {
                    block: usize::try_from(down * self.across + column).unwrap_or(usize::MAX),
                    index: inside / self.rows,
                    offset: inside * row,
                    bytes: self.rows.min(end - inside) * row,
                }
            })
    }

    /// Returns the size in bytes of a full piece.
    pub(super) fn bytes(&self) -> u64 {
        let rows = self.rows.min(self.height);
        self.shape.row().unwrap_or(0).saturating_mul(rows)
    }

    /// Writes the offsets and lengths of the pieces to the directory. Returns `None` if they are too large for it, or if
    /// the directory has other lists.
    pub(super) fn write(&self, file: &mut Patched<'_>, from: &[u64], long: &[u64]) -> Option<()> {
        let (places, lengths) = LISTS[usize::from(!self.shape.is_strip)];
        let are_listed =
            file.list(self.start, places).is_some() && file.list(self.start, lengths).is_some();
        let end = file.end() + self.length_of_lists(file, from.len() as u64);
        let most = if file.big { u64::MAX } else { u32::MAX.into() };
        if !are_listed || from.iter().chain(long).any(|&number| number > most) || end > most {
            return None;
        }
        file.write_list(self.start, places, from)?;
        file.write_list(self.start, lengths, long)?;
        if self.pieces > 1 {
            file.write_single(self.start, self.shape.rows_tag(), self.rows);
        }
        Some(())
    }

    /// Returns the number of bytes that [`write`](Self::write) appends to the view. A single number is stored in its tag.
    pub(super) fn length_of_lists(&self, file: &Patched<'_>, pieces: u64) -> u64 {
        let word = if file.big { 8 } else { 4 };
        if pieces == 1 { 0 } else { 2 * word * pieces }
    }
}

impl Shape {
    /// Returns the tag with the number of rows of a strip or tile.
    fn rows_tag(&self) -> u16 {
        if self.is_strip {
            ROWS_PER_STRIP
        } else {
            TILE_HEIGHT
        }
    }
}

/// Divides the strips or tiles of the first directory, which are not compressed, if they are large. Returns `None` if
/// they are not changed.
pub(super) fn part(file: &mut Patched<'_>, blocks: &mut Blocks) -> Option<()> {
    let division = Division::of(file, true).filter(|division| division.pieces > 1)?;
    let (mut from, mut long) = (Vec::new(), Vec::new());
    for piece in division.list() {
        // The decoder reports blocks that are outside of the file or shorter than their rows.
        let &(place, length) = blocks.at.get(piece.block)?;
        let is_missing = (place, length) == (0, 0);
        let end = piece.offset.checked_add(piece.bytes)?;
        if !is_missing && (length < end || place.checked_add(length)? > file.length()) {
            return None;
        }
        from.push(if is_missing { 0 } else { place + piece.offset });
        long.push(if is_missing { 0 } else { piece.bytes });
    }
    division.write(file, &from, &long)?;
    blocks.pieces = usize::try_from(division.pieces).ok()?;
    Some(())
}

/// Returns the number of rows of a piece.
fn short_rows(shape: &Shape, height: u64) -> Option<u64> {
    let most = (SHORT / shape.row()?).max(1);
    if shape.tall >= height {
        return Some(most.min(shape.tall));
    }
    (1..=most)
        .rev()
        .find(|rows| shape.tall.is_multiple_of(*rows))
}
