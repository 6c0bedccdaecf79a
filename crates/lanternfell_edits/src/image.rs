//! Images of heights for the stamp brush.

use std::sync::Arc;

use lanternfell_heightmap::Heightmap;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::base::rounded;

/// An image of heights in millimeters, which [`Brush::Stamp`](crate::Brush::Stamp) adds to the
/// terrain. Clones share the heights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Rows", into = "Rows")]
pub struct StampImage {
    width: u32,
    heights: Arc<[i32]>,
}

/// The form of an image in files.
#[derive(Serialize, Deserialize)]
struct Rows {
    width: u32,
    heights: Vec<i32>,
}

impl Default for StampImage {
    /// A single pixel of height 0.
    fn default() -> Self {
        Self {
            width: 1,
            heights: Arc::new([0]),
        }
    }
}

/// An image with an unsupported size or height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum StampError {
    /// The heights do not fill rows, or a side is too long.
    #[error(
        "{heights} heights in rows of {width} are not an image: each side must be from 1 to {most}",
        most = StampImage::MAX_SIDE
    )]
    Size {
        /// The length of a row.
        width: u32,
        /// The number of heights.
        heights: usize,
    },
    /// A height is too far from 0.
    #[error("an image has the height {height} mm, but at most {most} mm up or down is allowed", most = StampImage::MAX_MM)]
    Height {
        /// The height in millimeters.
        height: i32,
    },
}

impl StampImage {
    /// The longest side.
    pub const MAX_SIDE: u32 = 512;

    /// The largest height or depth in millimeters.
    pub const MAX_MM: i32 = 1_000_000;

    /// Creates an image from heights in millimeters, row by row from the north-west.
    ///
    /// # Errors
    /// If the number of heights is not a multiple of `width`, a side is not from 1 to
    /// [`MAX_SIDE`](Self::MAX_SIDE), or a height exceeds [`MAX_MM`](Self::MAX_MM).
    pub fn new(width: u32, heights: impl Into<Arc<[i32]>>) -> Result<Self, StampError> {
        let heights = heights.into();
        let sides = 1..=Self::MAX_SIDE as usize;
        let fills = sides.contains(&(width as usize))
            && heights.len().is_multiple_of(width as usize)
            && sides.contains(&(heights.len() / width as usize));
        if !fills {
            let heights = heights.len();
            return Err(StampError::Size { width, heights });
        }
        let allowed = -Self::MAX_MM..=Self::MAX_MM;
        match heights.iter().find(|height| !allowed.contains(height)) {
            Some(&height) => Err(StampError::Height { height }),
            None => Ok(Self { width, heights }),
        }
    }

    /// Creates an image from a map. A height of 1 is `relief` meters.
    ///
    /// # Errors
    /// If a side is longer than [`MAX_SIDE`](Self::MAX_SIDE), or a height exceeds [`MAX_MM`](Self::MAX_MM). `NaN`
    /// exceeds it too.
    pub fn from_map(map: &Heightmap, relief: f32) -> Result<Self, StampError> {
        let mm = |&height: &f32| match f64::from(height) * f64::from(relief) * 1000.0 {
            mm if mm.is_nan() => i32::MAX,
            mm => rounded(mm),
        };
        let heights: Arc<[i32]> = map.heights().iter().map(mm).collect();
        Self::new(u32::try_from(map.width()).unwrap_or(u32::MAX), heights)
    }

    /// An image without heights, which takes the place of an image in files. It changes nothing.
    pub(crate) fn placeholder() -> Self {
        Self {
            width: 0,
            heights: Arc::new([]),
        }
    }

    pub(crate) fn is_placeholder(&self) -> bool {
        self.heights.is_empty()
    }

    /// What distinguishes images.
    pub(crate) fn key(&self) -> (u32, Arc<[i32]>) {
        (self.width, self.heights.clone())
    }

    /// Returns the number of columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the heights in millimeters, row by row.
    pub fn heights(&self) -> &[i32] {
        &self.heights
    }

    /// The height in 1/65536 mm at a share of the width and of the height, each from 0 to 65536,
    /// interpolated between the nearest four.
    pub(crate) fn sample(&self, [east, south]: [i64; 2]) -> i64 {
        let (width, rows) = (
            i64::from(self.width),
            self.heights.len() as i64 / i64::from(self.width),
        );
        let [(x, right), (y, down)] = [along(east, width), along(south, rows)];
        let at = |x: i64, y: i64| {
            let (x, y) = (x.min(width - 1), y.min(rows - 1));
            i64::from(self.heights[(y * width + x) as usize])
        };
        // Heights are below 2^20 and shares at most 2^16, so that nothing exceeds 2^54.
        let row = |y| at(x, y) * (65_536 - right) + at(x + 1, y) * right;
        (row(y) * (65_536 - down) + row(y + 1) * down) >> 16
    }
}

/// The pixel before a share of a side, and the share of the way to the next one in 1/65536.
fn along(share: i64, pixels: i64) -> (i64, i64) {
    let place = share * (pixels - 1);
    (place >> 16, place & 0xFFFF)
}

impl TryFrom<Rows> for StampImage {
    type Error = StampError;

    fn try_from(rows: Rows) -> Result<Self, StampError> {
        match rows.width == 0 && rows.heights.is_empty() {
            true => Ok(Self::placeholder()),
            false => Self::new(rows.width, rows.heights),
        }
    }
}

impl From<StampImage> for Rows {
    fn from(image: StampImage) -> Self {
        Self {
            width: image.width,
            heights: image.heights.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::MapSize;

    #[test]
    fn rejects_other_sizes_and_heights() {
        let refused = |width, heights: Vec<i32>| StampImage::new(width, heights).unwrap_err();
        let message = "5 heights in rows of 2 are not an image: each side must be from 1 to 512";
        assert_eq!(refused(2, vec![0; 5]).to_string(), message);
        for (width, count) in [(0, 0), (0, 4), (513, 513), (1, 513), (1, 0)] {
            refused(width, vec![0; count]);
        }
        let message =
            "an image has the height -1000001 mm, but at most 1000000 mm up or down is allowed";
        assert_eq!(refused(1, vec![5, -1_000_001]).to_string(), message);
    }

    #[test]
    fn images_of_maps_have_millimeters() {
        let size = MapSize::new(2, 2).unwrap();
        let map = Heightmap::from_heights(size, vec![0.0, 0.25, -0.5, 1.0]).unwrap();
        let image = StampImage::from_map(&map, 20.0).unwrap();
        assert_eq!(image.heights(), [0, 5000, -10_000, 20_000]);
        let error = StampImage::from_map(&map, 1e6).unwrap_err();
        assert_eq!(
            error,
            StampError::Height {
                height: 250_000_000
            }
        );
    }

    #[test]
    fn samples_meet_pixels_and_halves() {
        let image = StampImage::new(3, [0, 10, 20, 100, 110, 120]).unwrap();
        let at = |east, south| image.sample([east, south]);
        assert_eq!(at(0, 0), 0);
        assert_eq!(at(65_536, 65_536), 120 << 16);
        assert_eq!(at(32_768, 0), 10 << 16);
        assert_eq!(at(16_384, 32_768), 55 << 16);
        let single = StampImage::new(1, [7]).unwrap();
        assert_eq!(single.sample([30_000, 65_536]), 7 << 16);
    }
}
