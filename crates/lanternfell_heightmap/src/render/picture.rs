//! A finished picture.

use std::io::Write;

use crate::io;

/// A picture: rows of pixels from the top, three bytes (red, green, blue; sRGB) each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Picture {
    /// A black picture.
    pub(super) fn black(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            pixels: vec![0; 3 * width as usize * height as usize],
        }
    }

    /// Pixels in a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The colour of the pixel in column `x` of row `y`.
    ///
    /// # Panics
    /// When the pixel lies outside the picture, as indexing a slice does.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let row = &self.pixels[3 * self.width as usize * y as usize..][..3 * self.width as usize];
        row.as_chunks().0[x as usize]
    }

    /// All bytes: three per pixel, row by row.
    pub fn bytes(&self) -> &[u8] {
        &self.pixels
    }

    /// All bytes, to be drawn.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.pixels
    }

    /// Writes the picture as a PNG.
    pub fn write_png(&self, out: impl Write) -> std::io::Result<()> {
        io::write_colours(&self.pixels, (self.width, self.height), out)
    }
}
