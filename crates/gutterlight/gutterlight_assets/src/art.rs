//! All sprites of the game, drawn by this code at startup. Nothing is loaded from files.
//!
//! ```text
//!    palette ----> canvas ----> ground wall edge opening landmark      terrain, by function
//!    41 inks       16 x 16      fixture item thief guard ...           figures, from text
//!                                     |
//!    the rules' types --- choose ---> Picture --- Atlas::index ---> a layer, or a cell
//! ```
//!
//! 1. A [`Picture`] is the name of a sprite, such as "this wall with these neighbors". [`Picture::all`] lists them.
//!    `Picture::of_tile` and similar functions choose one for a type of the rules.
//! 2. [`Atlas::draw`] draws all of them, 16 x 16 pixels each, in a few milliseconds.
//! 3. The renderer multiplies them by the light. Colors are therefore bright, shapes carry the meaning, and every
//!    figure has a dark edge. See [`palette`].
//!
//! This does not use a drawing crate, because at 16 x 16 pixels there are no curves and no antialiasing, only single
//! pixels. All arithmetic uses integers, so the result is the same on every machine. There is a second set of colors
//! for color-blind players: [`Palette`].

mod alert_state;
mod canvas;
mod choose;
pub mod colorblind;
mod door;
mod edge;
mod effect;
mod figure;
mod fixture;
mod ground;
mod guard;
mod hound;
mod hunter;
mod icon;
mod item;
mod lamplighter;
mod landmark;
mod listener;
mod mask;
mod opening;
mod outline;
pub mod palette;
mod perk;
mod picture;
mod sentry;
mod shutter;
#[cfg(test)]
mod tests;
mod thief;
mod tool;
mod wall;
mod warden;
mod watchman;

use std::collections::HashMap;

use gutterlight_rules::Theme;

pub use canvas::CELL;
pub use colorblind::Palette;
pub use effect::Effect;
pub use icon::Icon;
pub use picture::Picture;

/// All themes. The rules have no list of them.
pub const THEMES: [Theme; 5] = [
    Theme::Cellars,
    Theme::Cistern,
    Theme::Chapel,
    Theme::Catacombs,
    Theme::Sanctum,
];

/// The number of cells in a row of the atlas.
const COLUMNS: u32 = 32;

/// The number of bytes of a sprite.
const BYTES: usize = (4 * CELL * CELL) as usize;

/// All sprites, drawn: RGBA, sRGB, not premultiplied.
#[derive(Debug, Clone)]
pub struct Atlas {
    /// The width of [`pixels`](Self::pixels).
    pub width: u32,
    /// The height of [`pixels`](Self::pixels).
    pub height: u32,
    /// The sprites in rows of 32, row by row of pixels. Cells after the last sprite are empty.
    pub pixels: Vec<u8>,
    /// The same sprites in one column, for example as the layers of an array texture. There are more of them than the
    /// 256 layers that WebGL2 guarantees, while `pixels` works everywhere.
    pub column: Vec<u8>,
    places: HashMap<Picture, u16>,
}

impl Atlas {
    /// Draws all sprites in the colors of a palette.
    pub fn draw(palette: Palette) -> Self {
        let mut column = Vec::new();
        let mut places = HashMap::new();
        for (place, picture) in (0..).zip(Picture::all()) {
            column.extend_from_slice(picture.draw(palette).bytes());
            places.insert(picture, place);
        }
        let (width, rows) = (COLUMNS * CELL, (places.len() as u32).div_ceil(COLUMNS));
        Self {
            width,
            height: rows * CELL,
            pixels: in_rows(&column, rows),
            column,
            places,
        }
    }

    /// The number of sprites.
    pub fn count(&self) -> u32 {
        self.places.len() as u32
    }

    /// The index of a sprite, which is its layer. In [`pixels`](Self::pixels), its cell is in column `index % 32` and
    /// row `index / 32`.
    pub fn index(&self, picture: Picture) -> u16 {
        self.places.get(&picture).copied().unwrap_or(0)
    }

    /// The RGBA pixels of a sprite, row by row.
    pub fn pixels_of(&self, picture: Picture) -> &[[u8; 4]] {
        let first = BYTES * usize::from(self.index(picture));
        self.column[first..first + BYTES].as_chunks().0
    }
}

/// Rearranges a column of sprites into rows.
fn in_rows(column: &[u8], rows: u32) -> Vec<u8> {
    let line = (4 * CELL) as usize;
    let (columns, side) = (COLUMNS as usize, CELL as usize);
    let mut pixels = vec![0; BYTES * columns * rows as usize];
    for (place, picture) in column.chunks_exact(BYTES).enumerate() {
        let (left, top) = (place % columns, place / columns);
        for (y, from) in picture.chunks_exact(line).enumerate() {
            let to = ((top * side + y) * columns + left) * line;
            pixels[to..to + line].copy_from_slice(from);
        }
    }
    pixels
}
