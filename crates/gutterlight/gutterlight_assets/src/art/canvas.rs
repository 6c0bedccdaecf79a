//! The paper that pictures are drawn on, 16 x 16 pixels, and what can be drawn with.
//!
//! Figures are spelled out as text, a letter of the [`palette`](super::palette) a pixel, so
//! that they can be read and mended in the source; textures are painted by a function from
//! a pixel's place to its ink, with [`hash`] where they should look random.

use super::palette::{INK, Ink, ink};

/// Pixels along the side of a picture.
pub const CELL: u32 = 16;

/// The same, for places on a picture, which may lie outside of it.
pub const SIDE: i32 = CELL as i32;

/// A picture as text: sixteen rows of sixteen letters.
pub type Bitmap = [&'static str; CELL as usize];

/// A picture that is being drawn: red, green, blue and alpha, sRGB, row by row from the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canvas([[u8; 4]; (CELL * CELL) as usize]);

impl Canvas {
    /// Nothing at all.
    pub const EMPTY: Self = Self([[0; 4]; (CELL * CELL) as usize]);

    /// A picture from text.
    pub fn spelled(bitmap: &Bitmap) -> Self {
        debug_assert!(
            bitmap.iter().all(|row| row.len() == CELL as usize),
            "a row is too long or too short: {bitmap:#?}"
        );
        let mut canvas = Self::EMPTY;
        canvas.spell(0, 0, bitmap);
        canvas
    }

    /// A picture with every pixel painted.
    pub fn painted(paint: impl Fn(i32, i32) -> Ink) -> Self {
        let mut canvas = Self::EMPTY;
        canvas.paint(|x, y| Some(paint(x, y)));
        canvas
    }

    /// Paints the pixels that have an ink.
    pub fn paint(&mut self, paint: impl Fn(i32, i32) -> Option<Ink>) {
        for y in 0..SIDE {
            for x in 0..SIDE {
                if let Some(ink) = paint(x, y) {
                    self.set(x, y, ink);
                }
            }
        }
    }

    /// Writes rows of letters, the first letter at this place. Full stops leave what is there;
    /// so does a letter that is no ink, which a debug build does not let pass.
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

    /// Red, green, blue and alpha of a pixel; nothing outside.
    pub fn get(&self, x: i32, y: i32) -> [u8; 4] {
        place(x, y).map_or([0; 4], |at| self.0[at])
    }

    /// Whether anything is drawn there.
    pub fn is_drawn(&self, x: i32, y: i32) -> bool {
        self.get(x, y)[3] > 0
    }

    /// The ink there, if it is opaque.
    pub fn ink(&self, x: i32, y: i32) -> Option<Ink> {
        let [red, green, blue, alpha] = self.get(x, y);
        (alpha == 255).then_some([red, green, blue])
    }

    /// Makes a pixel opaque; outside nothing happens.
    pub fn set(&mut self, x: i32, y: i32, ink: Ink) {
        self.veil(x, y, ink, 255);
    }

    /// Makes a pixel as opaque as that, from 0 to 255, whatever was there.
    pub fn veil(&mut self, x: i32, y: i32, [red, green, blue]: Ink, alpha: u8) {
        if let Some(at) = place(x, y) {
            self.0[at] = [red, green, blue, alpha];
        }
    }

    /// Empties a pixel.
    pub fn clear(&mut self, x: i32, y: i32) {
        if let Some(at) = place(x, y) {
            self.0[at] = [0; 4];
        }
    }

    /// Lays another picture over this one, moved by so much. Half transparent pixels of it
    /// take the place of empty ones, and color opaque ones.
    pub fn lay(&mut self, over: &Self, dx: i32, dy: i32) {
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

    /// The picture moved by so much; what leaves it is lost.
    pub fn moved(&self, dx: i32, dy: i32) -> Self {
        self.mapped(|x, y| (x - dx, y - dy))
    }

    /// Left and right exchanged.
    pub fn mirrored(&self) -> Self {
        self.mapped(|x, y| (SIDE - 1 - x, y))
    }

    /// A quarter turn, clockwise.
    pub fn turned(&self) -> Self {
        self.mapped(|x, y| (y, SIDE - 1 - x))
    }

    /// The picture whose pixel at each place is this one's at another.
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

    /// Every opaque pixel's ink exchanged for another.
    pub fn inked(&self, exchange: impl Fn(Ink) -> Ink) -> Self {
        let mut to = *self;
        to.paint(|x, y| self.ink(x, y).map(&exchange));
        to
    }

    /// A dark line around what is drawn, so that it stands out from any floor.
    pub fn edged(&self) -> Self {
        let mut to = *self;
        to.paint(|x, y| {
            let beside = [(1, 0), (-1, 0), (0, 1), (0, -1)];
            let mut beside = beside.iter();
            let touched = beside.any(|(dx, dy)| self.is_drawn(x + dx, y + dy));
            (touched && !self.is_drawn(x, y)).then_some(INK)
        });
        to
    }

    /// Its bytes, row by row from the top.
    pub fn bytes(&self) -> &[u8] {
        self.0.as_flattened()
    }
}

fn place(x: i32, y: i32) -> Option<usize> {
    let inside = (0..SIDE).contains(&x) && (0..SIDE).contains(&y);
    inside.then_some((y * SIDE + x) as usize)
}

/// So many 255ths of the second ink on the first.
fn mix(under: Ink, over: Ink, part: u32) -> Ink {
    let channel = |i: usize| {
        let (under, over) = (u32::from(under[i]), u32::from(over[i]));
        ((under * (255 - part) + over * part + 127) / 255) as u8
    };
    [channel(0), channel(1), channel(2)]
}

/// Bits that look random, the same for the same three numbers on every machine.
///
/// Two rounds of multiply and shift, with the constants of lowbias32 (Wellons, 2018).
pub fn hash(x: i32, y: i32, seed: u32) -> u32 {
    let mut bits = (x as u32).wrapping_mul(0x9E37_79B1)
        ^ (y as u32).wrapping_mul(0x85EB_CA77)
        ^ seed.wrapping_mul(0xC2B2_AE3D);
    bits = (bits ^ (bits >> 16)).wrapping_mul(0x7FEB_352D);
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x846C_A68B);
    bits ^ (bits >> 16)
}

/// Whether a thing of this likelihood happens here, percent.
pub fn chance(x: i32, y: i32, seed: u32, percent: u32) -> bool {
    hash(x, y, seed) % 100 < percent
}
