//! The size of a map in cells.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A map size outside the supported range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "size {width}x{height} is out of range: each side must be from {min} to {max} cells",
    min = MapSize::MIN_SIDE,
    max = .most
)]
pub struct SizeError {
    /// The requested width in cells.
    pub width: u64,
    /// The requested height in cells.
    pub height: u64,
    /// The longest allowed side in cells.
    pub most: u32,
}

/// The width and height of a map in cells: each from 2 to 16384, or up to 65536 for a world that is made in tiles.
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
    /// The shortest side. Two by two cells are the smallest surface.
    pub const MIN_SIDE: u32 = 2;
    /// The longest side of a map. A square map of this size has 1 GiB of heights.
    pub const MAX_SIDE: u32 = 16_384;

    /// The longest side of a world that is made in parts, with [`Recipe::tile`](crate::Recipe::tile).
    pub const MAX_WORLD_SIDE: u32 = 65_536;

    /// Creates the size of a map.
    ///
    /// # Errors
    /// If a side is not from [`MIN_SIDE`](Self::MIN_SIDE) to [`MAX_SIDE`](Self::MAX_SIDE).
    pub fn new(width: u64, height: u64) -> Result<Self, SizeError> {
        Self::up_to(Self::MAX_SIDE, width, height)
    }

    /// Creates the size of a world, which may be too large to be made in one piece.
    ///
    /// # Errors
    /// If a side is not from [`MIN_SIDE`](Self::MIN_SIDE) to [`MAX_WORLD_SIDE`](Self::MAX_WORLD_SIDE).
    pub fn of_world(width: u64, height: u64) -> Result<Self, SizeError> {
        Self::up_to(Self::MAX_WORLD_SIDE, width, height)
    }

    /// Whether a map of this size can be made in one piece: no side exceeds [`MAX_SIDE`](Self::MAX_SIDE).
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

    /// The number of columns, which go from west to east.
    #[inline]
    pub fn width(self) -> usize {
        self.width as usize
    }

    /// The number of rows, which go from north to south.
    #[inline]
    pub fn height(self) -> usize {
        self.height as usize
    }

    /// The number of cells. Saturates at `usize::MAX`.
    #[inline]
    pub fn cells(self) -> usize {
        // A world may have more cells than a 32-bit `usize` can count.
        self.width().saturating_mul(self.height())
    }

    /// The length of the shorter side in cells.
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
