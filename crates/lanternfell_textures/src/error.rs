//! What can be wrong with what is asked for.

use thiserror::Error;

/// The smallest side of a texture, in pixels.
pub(crate) const MIN_SIZE: u32 = 16;

/// The largest side of a texture, in pixels: a texture of it is worked on in about 100 MiB.
pub(crate) const MAX_SIZE: u32 = 2048;

/// Why a texture can not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TextureError {
    /// A side that is not a power of two, or is outside of what is allowed.
    #[error("`size` is {size} pixels, but must be a power of two from {MIN_SIZE} to {MAX_SIZE}")]
    Size {
        /// What was asked for, in pixels.
        size: u32,
    },
    /// Pixels from elsewhere are too few or too many.
    #[error("there are {found} bytes of pixels, but must be {expected}")]
    Bytes {
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
}

/// The size as an index, if it is one that textures can have.
pub(crate) fn check_size(size: u32) -> Result<usize, TextureError> {
    if size.is_power_of_two() && (MIN_SIZE..=MAX_SIZE).contains(&size) {
        Ok(size as usize)
    } else {
        Err(TextureError::Size { size })
    }
}
