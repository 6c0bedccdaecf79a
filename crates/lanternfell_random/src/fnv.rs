//! The Fowler–Noll–Vo hash, variant 1a, 64 bits.
//!
//! Pinned results depend on these hashes, so the algorithm is implemented here. The standard
//! library documents that its hasher may change with any release.

/// A 64-bit FNV-1a hash of bytes or of whole words.
///
/// ```
/// use lanternfell_random::Fnv1a;
///
/// assert_eq!(Fnv1a::of_bytes(*b"foobar"), 0x8594_4171_F739_67E8);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fnv1a(u64);

impl Default for Fnv1a {
    /// The hash of an empty input.
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv1a {
    /// Returns the hash of `bytes`.
    pub fn of_bytes(bytes: impl IntoIterator<Item = u8>) -> u64 {
        let hash = bytes.into_iter().fold(Self::default(), Self::with);
        hash.finish()
    }

    /// Returns the hash of the bits of `numbers`, each in little-endian byte order.
    pub fn of_floats<'a>(numbers: impl IntoIterator<Item = &'a f32>) -> u64 {
        let bits = numbers.into_iter().map(|number| number.to_bits());
        Self::of_bytes(bits.flat_map(u32::to_le_bytes))
    }

    /// Adds one byte or one word to the hash.
    ///
    /// A word is mixed in as a single step, as if it were one byte. This is faster than adding its
    /// bytes one by one, and gives a different hash.
    #[must_use]
    pub fn with(self, word: impl Into<u64>) -> Self {
        Self((self.0 ^ word.into()).wrapping_mul(0x0100_0000_01B3))
    }

    /// Returns the hash.
    pub fn finish(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_published_hashes() {
        // From the authors' own test vectors (draft-eastlake-fnv).
        assert_eq!(Fnv1a::of_bytes(*b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(Fnv1a::of_bytes(*b"a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(Fnv1a::of_bytes(*b"foobar"), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn hashes_floats_by_bits() {
        let bytes = [0, 0, 0x80, 0x3F, 0, 0, 0, 0x80];
        assert_eq!(Fnv1a::of_floats(&[1.0, -0.0]), Fnv1a::of_bytes(bytes));
        assert_ne!(Fnv1a::of_floats(&[0.0]), Fnv1a::of_floats(&[-0.0]));
    }
}
