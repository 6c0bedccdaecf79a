//! A canvas of 16 x 16 pixels and its drawing operations.
//!
//! Figures are written as text, with a letter of the [`palette`](super::palette) per pixel, so that
//! they can be read and edited in the source. Textures are painted by a function from the position
//! of a pixel to its color, with [`hash`] for randomness.

use super::palette::{INK, Ink, ink};

/// The width and height of a sprite in pixels.
pub const CELL: u32 = 16;

/// The same as a signed number, for positions that may be outside the canvas.
pub const SIDE: i32 = CELL as i32;

/// A sprite as text: 16 rows of 16 letters.
pub type Bitmap = [&'static str; CELL as usize];

/// An RGBA image in sRGB, row by row from the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canvas([[u8; 4]; (CELL * CELL) as usize]);

impl Canvas {
    /// A transparent canvas.
    pub const EMPTY: Self = Self([[0; 4]; (CELL * CELL) as usize]);

    /// Draws a sprite from text.
    pub fn spelled(bitmap: &Bitmap) -> Self {
        debug_assert!(
            bitmap.iter().all(|row| row.len() == CELL as usize),
            "a row is too long or too short: {bitmap:#?}"
        );
        let mut canvas = Self::EMPTY;
        canvas.spell(0, 0, bitmap);
        canvas
    }

    /// Paints every pixel.
    pub fn painted(paint: impl Fn(i32, i32) -> Ink) -> Self {
        let mut canvas = Self::EMPTY;
        canvas.paint(|x, y| Some(paint(x, y)));
        canvas
    }

    /// Paints the pixels for which `paint` returns a color.
    pub fn paint(&mut self, paint: impl Fn(i32, i32) -> Option<Ink>) {
        for y in 0..SIDE {
            for x in 0..SIDE {
                if let Some(ink) = paint(x, y) {
                    self.set(x, y, ink);
                }
            }
        }
    }

    /// Draws rows of letters, with the first letter at this position. A period leaves a pixel as it
    /// is. An unknown letter panics in debug builds and is ignored otherwise.
    pub fn spell(&mut self, left: i32, top: i32, rows: &[&str]) {
        for (y, row) in rows.iter().enumerate() {
            for (x, letter) in row.chars().enumerate() {
                debug_assert!(
                    letter == '.' || ink(letter).is_some(),
                    "{letter:?} in {row:?} is no ink"
                );
                if let Some(ink) = ink(letter) {
                    self.set(left + x as i32, top + y as i32, ink);
                }
            }
        }
    }

    /// The RGBA value of a pixel. Transparent outside the canvas.
    pub fn get(&self, x: i32, y: i32) -> [u8; 4] {
        place(x, y).map_or([0; 4], |at| self.0[at])
    }

    /// Whether a pixel is not fully transparent.
    pub fn is_drawn(&self, x: i32, y: i32) -> bool {
        self.get(x, y)[3] > 0
    }

    /// The color of a pixel, if it is opaque.
    pub fn ink(&self, x: i32, y: i32) -> Option<Ink> {
        let [red, green, blue, alpha] = self.get(x, y);
        (alpha == 255).then_some([red, green, blue])
    }

    /// Sets an opaque pixel. Ignores positions outside the canvas.
    pub fn set(&mut self, x: i32, y: i32, ink: Ink) {
        self.veil(x, y, ink, 255);
    }

    /// Sets a pixel with an alpha from 0 to 255. Replaces the previous value.
    pub fn veil(&mut self, x: i32, y: i32, [red, green, blue]: Ink, alpha: u8) {
        if let Some(at) = place(x, y) {
            self.0[at] = [red, green, blue, alpha];
        }
    }

    /// Makes a pixel transparent.
    pub fn clear(&mut self, x: i32, y: i32) {
        if let Some(at) = place(x, y) {
            self.0[at] = [0; 4];
        }
    }

    /// Draws another canvas over this one, moved by an offset. Its translucent pixels replace
    /// pixels that are not opaque, and are blended with opaque ones.
    pub fn overlay(&mut self, over: &Self, dx: i32, dy: i32) {
        for y in 0..SIDE {
            for x in 0..SIDE {
                let [red, green, blue, alpha] = over.get(x, y);
                let (to_x, to_y) = (x + dx, y + dy);
                match (alpha, self.ink(to_x, to_y)) {
                    (0, _) => {}
                    (255, _) | (_, None) => self.veil(to_x, to_y, [red, green, blue], alpha),
                    (_, Some(under)) => {
                        let mixed = mix(under, [red, green, blue], u32::from(alpha));
                        self.set(to_x, to_y, mixed);
                    }
                }
            }
        }
    }

    /// Moves the content by an offset. Pixels that leave the canvas are lost.
    pub fn moved(&self, dx: i32, dy: i32) -> Self {
        self.mapped(|x, y| (x - dx, y - dy))
    }

    /// Mirrors left and right.
    pub fn mirrored(&self) -> Self {
        self.mapped(|x, y| (SIDE - 1 - x, y))
    }

    /// Rotates clockwise by 90 degrees.
    pub fn turned(&self) -> Self {
        self.mapped(|x, y| (y, SIDE - 1 - x))
    }

    /// A canvas in which each pixel is taken from the position that `from` returns.
    fn mapped(&self, from: impl Fn(i32, i32) -> (i32, i32)) -> Self {
        let mut to = Self::EMPTY;
        for y in 0..SIDE {
            for x in 0..SIDE {
                let (from_x, from_y) = from(x, y);
                let [red, green, blue, alpha] = self.get(from_x, from_y);
                to.veil(x, y, [red, green, blue], alpha);
            }
        }
        to
    }

    /// Replaces the color of each opaque pixel.
    pub fn inked(&self, exchange: impl Fn(Ink) -> Ink) -> Self {
        let mut to = *self;
        to.paint(|x, y| self.ink(x, y).map(&exchange));
        to
    }

    /// Adds a dark outline, so that the sprite stands out from any floor.
    pub fn edged(&self) -> Self {
        let mut to = *self;
        to.paint(|x, y| {
            let offsets = [(1, 0), (-1, 0), (0, 1), (0, -1)];
            let mut offsets = offsets.iter();
            let touched = offsets.any(|(dx, dy)| self.is_drawn(x + dx, y + dy));
            (touched && !self.is_drawn(x, y)).then_some(INK)
        });
        to
    }

    /// The bytes, row by row from the top.
    pub fn bytes(&self) -> &[u8] {
        self.0.as_flattened()
    }
}

fn place(x: i32, y: i32) -> Option<usize> {
    let inside = (0..SIDE).contains(&x) && (0..SIDE).contains(&y);
    inside.then_some((y * SIDE + x) as usize)
}

/// Blends two colors. `part` is the weight of `over`, from 0 to 255.
fn mix(under: Ink, over: Ink, part: u32) -> Ink {
    let channel = |i: usize| {
        let (under, over) = (u32::from(under[i]), u32::from(over[i]));
        ((under * (255 - part) + over * part + 127) / 255) as u8
    };
    [channel(0), channel(1), channel(2)]
}

/// A hash of three numbers that is the same on every machine.
///
/// Two rounds of xorshift and multiply, with the constants of lowbias32 (Wellons, 2018).
pub fn hash(x: i32, y: i32, seed: u32) -> u32 {
    let mut bits = (x as u32).wrapping_mul(0x9E37_79B1)
        ^ (y as u32).wrapping_mul(0x85EB_CA77)
        ^ seed.wrapping_mul(0xC2B2_AE3D);
    bits = (bits ^ (bits >> 16)).wrapping_mul(0x7FEB_352D);
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x846C_A68B);
    bits ^ (bits >> 16)
}

/// Whether a random event with this probability, in percent, happens at a position.
pub fn chance(x: i32, y: i32, seed: u32, percent: u32) -> bool {
    hash(x, y, seed) % 100 < percent
}
