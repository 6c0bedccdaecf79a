//! Fowler, Noll and Vo's hash, variant 1a, of 64 bits.
//!
//! It is written here because pinned results hang on it: the standard library's hasher may
//! change with any release, and says so.

/// A hash of bytes, or of words taken whole.
///
/// ```
/// use lanternfell_random::Fnv1a;
///
/// assert_eq!(Fnv1a::of_bytes(*b"foobar"), 0x8594_4171_F739_67E8);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fnv1a(u64);

impl Default for Fnv1a {
    /// The hash of nothing.
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv1a {
    /// The hash of these bytes.
    pub fn of_bytes(bytes: impl IntoIterator<Item = u8>) -> u64 {
        let hash = bytes.into_iter().fold(Self::default(), Self::with);
        hash.finish()
    }

    /// The hash of these numbers' bits, lowest bytes first.
    pub fn of_floats<'a>(numbers: impl IntoIterator<Item = &'a f32>) -> u64 {
        let bits = numbers.into_iter().map(|number| number.to_bits());
        Self::of_bytes(bits.flat_map(u32::to_le_bytes))
    }

    /// The hash with one more byte, or one more word that is taken as if it were a byte: faster,
    /// and another hash than that of its bytes.
    #[must_use]
    pub fn with(self, word: impl Into<u64>) -> Self {
        Self((self.0 ^ word.into()).wrapping_mul(0x0100_0000_01B3))
    }

    /// The hash.
    pub fn finish(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_hashes_are_met() {
        // From the authors' own test vectors (draft-eastlake-fnv).
        assert_eq!(Fnv1a::of_bytes(*b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(Fnv1a::of_bytes(*b"a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(Fnv1a::of_bytes(*b"foobar"), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn numbers_are_hashed_by_their_bits() {
        let bytes = [0, 0, 0x80, 0x3F, 0, 0, 0, 0x80];
        assert_eq!(Fnv1a::of_floats(&[1.0, -0.0]), Fnv1a::of_bytes(bytes));
        assert_ne!(Fnv1a::of_floats(&[0.0]), Fnv1a::of_floats(&[-0.0]));
    }
}
