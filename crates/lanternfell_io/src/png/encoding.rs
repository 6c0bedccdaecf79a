//! Heights in the colors of a PNG, as in the elevation tiles of web maps.
//!
//! | encoding | meters |
//! |---|---|
//! | Terrarium | 256 R + G + B/256 - 32768 |
//! | Mapbox Terrain-RGB | (65536 R + 256 G + B) / 10 - 10000 |
//!
//! An image does not contain its encoding. [`Guess`] recognizes it: with the right formula all heights are those of the
//! Earth, neighboring heights are similar, and few pixels are gray. Other images seldom have all these properties.
//!
//! Source: Tilezen Joerd, *Formats: Terrarium*; Mapbox, *Access elevation data: Mapbox Terrain-RGB v1*.

use std::io::Write;

use png::{BitDepth, ColorType};

use super::encode;
use crate::{ExportError, PngEncoding, numbers::Rows};
use lanternfell_heightmap::Progress;

/// The largest number that the three colors can hold.
const LARGEST: u32 = (1 << 24) - 1;

impl PngEncoding {
    /// Returns the height of 0, and the steps per meter.
    fn scale(self) -> (f64, f64) {
        match self {
            Self::Terrarium => (-32_768.0, 256.0),
            Self::Mapbox => (-10_000.0, 10.0),
        }
    }

    /// Returns the name for errors.
    fn name(self) -> &'static str {
        match self {
            Self::Terrarium => "the Terrarium encoding",
            Self::Mapbox => "the Mapbox encoding",
        }
    }

    /// Returns the height of a color in meters.
    pub(super) fn height(self, [red, green, blue]: [u8; 3]) -> f32 {
        let (lowest, steps) = self.scale();
        let number = u32::from_be_bytes([0, red, green, blue]);
        (f64::from(number) / steps + lowest) as f32
    }

    /// Returns the color of the nearest height.
    fn color(self, height: f32) -> [u8; 3] {
        let (lowest, steps) = self.scale();
        let number = ((f64::from(height) - lowest) * steps).round() as u32;
        let [_, color @ ..] = number.min(LARGEST).to_be_bytes();
        color
    }
}

/// Writes heights in meters as colors.
pub(crate) fn write(
    rows: &Rows<'_>,
    encoding: PngEncoding,
    text: Option<&str>,
    out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let (lowest, steps) = encoding.scale();
    let range = [lowest, lowest + f64::from(LARGEST) / steps].map(|height| height as f32);
    rows.check_meters_in(encoding.name(), range, progress)?;
    let size = (rows.width() as u32, rows.height() as u32);
    let kind = (ColorType::Rgb, BitDepth::Eight);
    let mut numbers = Vec::new();
    encode(size, kind, text, out, progress, |y, bytes| {
        let heights = rows.row(y, &mut numbers);
        bytes.extend(heights.iter().flat_map(|&height| encoding.color(height)));
    })
}

/// Recognizes the encoding of an image, row by row.
pub(super) struct Guess {
    encoding: PngEncoding,
    /// Whether all heights so far are those of the Earth.
    fits: bool,
    /// The sum of the differences between neighbors in a row, and their number.
    differences: (f64, u64),
    /// The number of pixels, and how many of them are gray.
    pixels: u64,
    gray: u64,
}

impl Guess {
    /// The range of heights on Earth with a margin, in meters.
    const EARTH: std::ops::RangeInclusive<f32> = -12_000.0..=9000.0;

    /// The largest mean difference between neighbors in meters. Those of a world map in 256 pixels are below it.
    const SIMILAR: f64 = 300.0;

    pub(super) fn of(encoding: PngEncoding) -> Self {
        Self {
            encoding,
            fits: true,
            differences: (0.0, 0),
            pixels: 0,
            gray: 0,
        }
    }

    /// Takes a row of colors into account.
    pub(super) fn look(&mut self, colors: impl Iterator<Item = [u8; 3]>) {
        let mut before = None;
        for color in colors {
            let height = self.encoding.height(color);
            self.fits &= Self::EARTH.contains(&height);
            self.pixels += 1;
            self.gray += u64::from(color == [color[0]; 3]);
            let difference = before.replace(height).map(|before| (height - before).abs());
            if let Some(difference) = difference {
                self.differences.0 += f64::from(difference);
                self.differences.1 += 1;
            }
        }
    }

    /// Returns the encoding if the image looks like it. Without a row it does not.
    pub(super) fn result(&self) -> Option<PngEncoding> {
        let (sum, count) = self.differences;
        let is_similar = count > 0 && sum <= Self::SIMILAR * count as f64;
        // A gray image in which an editor has changed a few pixels is not encoded.
        let is_colorful = 4 * self.gray <= self.pixels;
        (self.fits && is_similar && is_colorful).then_some(self.encoding)
    }
}
