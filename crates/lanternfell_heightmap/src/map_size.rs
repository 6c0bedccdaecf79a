//! The size of a map in cells.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A map size outside what this crate makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "size {width}x{height} is not possible: each side must be from {min} to {max} cells",
    min = MapSize::MIN_SIDE,
    max = .most
)]
pub struct SizeError {
    /// The width that was asked for, in cells.
    pub width: u64,
    /// The height that was asked for, in cells.
    pub height: u64,
    /// The longest side that there may be, in cells.
    pub most: u32,
}

/// The width and height of a map in cells, each from 2 to 16384; of a world that is made in tiles, up
/// to 65536.
///
/// ```
/// use lanternfell_heightmap::MapSize;
///
/// let size = MapSize::new(640, 480)?;
/// assert_eq!(size.cells(), 307_200);
/// assert!(MapSize::new(1, 480).is_err());
/// # Ok::<(), lanternfell_heightmap::SizeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "(u64, u64)", into = "(u64, u64)")]
pub struct MapSize {
    width: u32,
    height: u32,
}

impl MapSize {
    /// The shortest side: two cells make the smallest surface.
    pub const MIN_SIDE: u32 = 2;
    /// The longest side. A square of it takes 1 GiB of heights.
    pub const MAX_SIDE: u32 = 16_384;

    /// The longest side of a world of which only parts are ever made, by
    /// [`Recipe::tile`](crate::Recipe::tile).
    pub const MAX_WORLD_SIDE: u32 = 65_536;

    /// A size of `width` by `height` cells; an error outside the limits.
    pub fn new(width: u64, height: u64) -> Result<Self, SizeError> {
        Self::up_to(Self::MAX_SIDE, width, height)
    }

    /// The size of a world, of which there may be no map in one piece.
    pub fn of_world(width: u64, height: u64) -> Result<Self, SizeError> {
        Self::up_to(Self::MAX_WORLD_SIDE, width, height)
    }

    /// Whether there may be a map of this size, and not only parts of one.
    pub fn is_of_map(self) -> bool {
        self.width.max(self.height) <= Self::MAX_SIDE
    }

    fn up_to(most: u32, width: u64, height: u64) -> Result<Self, SizeError> {
        let allowed = u64::from(Self::MIN_SIDE)..=u64::from(most);
        if !allowed.contains(&width) || !allowed.contains(&height) {
            return Err(SizeError {
                width,
                height,
                most,
            });
        }
        Ok(Self {
            width: width as u32,
            height: height as u32,
        })
    }

    /// Columns, from west to east.
    #[inline]
    pub fn width(self) -> usize {
        self.width as usize
    }

    /// Rows, from north to south.
    #[inline]
    pub fn height(self) -> usize {
        self.height as usize
    }

    /// The number of cells.
    #[inline]
    pub fn cells(self) -> usize {
        // A world's may be more than a small machine can count.
        self.width().saturating_mul(self.height())
    }

    /// The side of the shorter edge, in cells.
    pub fn shorter_side(self) -> usize {
        self.width().min(self.height())
    }
}

impl Default for MapSize {
    /// 256 x 256 cells.
    fn default() -> Self {
        Self {
            width: 256,
            height: 256,
        }
    }
}

impl TryFrom<(u64, u64)> for MapSize {
    type Error = SizeError;

    fn try_from((width, height): (u64, u64)) -> Result<Self, SizeError> {
        Self::new(width, height)
    }
}

impl From<MapSize> for (u64, u64) {
    fn from(size: MapSize) -> Self {
        (u64::from(size.width), u64::from(size.height))
    }
}
