//! An RGB image, the result of rendering.

use crate::{MapSize, ParamError};

/// An RGB image: rows of pixels from top to bottom, three sRGB bytes (red, green, blue) per pixel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RgbImage {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl RgbImage {
    /// Creates a black image of `width` x `height` pixels.
    pub fn black(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            pixels: vec![0; 3 * width as usize * height as usize],
        }
    }

    /// The rectangle of `size` whose top left pixel is `(x, y)` of this image.
    ///
    /// # Errors
    /// If the rectangle is not within the image.
    pub fn cropped(&self, (x, y): (usize, usize), size: MapSize) -> Result<Self, ParamError> {
        let check = |name, at: usize, part: usize, whole: u32| {
            let fits = at
                .checked_add(part)
                .is_some_and(|end| end <= whole as usize);
            let allowed = format_args!("such that {part} pixels from there on are in {whole}");
            ParamError::check(fits, "crop", name, at as f64, allowed)
        };
        check("x", x, size.width(), self.width)?;
        check("y", y, size.height(), self.height)?;
        let mut part = Self::black(size.width() as u32, size.height() as u32);
        let (new, old) = (3 * size.width(), 3 * self.width as usize);
        let rows = self.pixels.chunks_exact(old).skip(y);
        for (to, from) in part.pixels.chunks_exact_mut(new).zip(rows) {
            to.copy_from_slice(&from[3 * x..][..new]);
        }
        Ok(part)
    }

    /// The number of pixels in a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The color of the pixel in column `x` of row `y`.
    ///
    /// # Panics
    /// If the pixel is outside the image, as when indexing a slice.
    #[inline]
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let row = &self.pixels[3 * self.width as usize * y as usize..][..3 * self.width as usize];
        row.as_chunks().0[x as usize]
    }

    /// All bytes: three per pixel, row by row.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.pixels
    }

    /// All bytes, mutable: three per pixel, row by row.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.pixels
    }
}
