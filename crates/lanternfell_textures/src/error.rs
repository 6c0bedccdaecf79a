//! Errors of textures.

use thiserror::Error;

/// The smallest side of a texture, in pixels.
pub(crate) const MIN_SIZE: u32 = 16;

/// The largest side of a texture, in pixels. Synthesizing it takes about 100 MiB.
pub(crate) const MAX_SIZE: u32 = 2048;

/// An error when a texture is created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TextureError {
    /// The side is not a power of two, or out of range.
    #[error("`size` is {size} pixels, but must be a power of two from {MIN_SIZE} to {MAX_SIZE}")]
    Size {
        /// The requested side in pixels.
        size: u32,
    },
    /// The length of the given pixel data does not match the size.
    #[error("the pixel data has {found} bytes, but must have {expected}")]
    Bytes {
        /// The number of bytes given.
        found: usize,
        /// The number of bytes required.
        expected: usize,
    },
}

/// Returns the size as an index if it is allowed.
pub(crate) fn check_size(size: u32) -> Result<usize, TextureError> {
    if size.is_power_of_two() && (MIN_SIZE..=MAX_SIZE).contains(&size) {
        Ok(size as usize)
    } else {
        Err(TextureError::Size { size })
    }
}
