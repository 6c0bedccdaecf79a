//! The SplitMix64 generator: a counter and a function that mixes its bits.
//!
//! Seeds, sounds and benchmarks depend on its bits, so the algorithm is implemented here. It passes
//! the usual statistical tests and has no bad seeds.
//!
//! Source: Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*, 2014.

/// A random number generator with one word of state.
///
/// ```
/// use lanternfell_random::SplitMix64;
///
/// let mut rng = SplitMix64::new(7);
/// assert!(rng.below(6) < 6);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The increment of the counter: 2^64 divided by the golden ratio.
    pub const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

    /// Creates the stream of a seed. All seeds are equally good.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Mixes the bits of one word. Neighboring words give unrelated results, so this function can
    /// derive many seeds from one.
    pub const fn mix(word: u64) -> u64 {
        let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// Draws 64 random bits.
    pub const fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(Self::GAMMA);
        Self::mix(self.0)
    }

    /// Draws an integer in `[0, count)` from the upper 32 bits of a word. Returns 0 if `count` is
    /// 0.
    pub const fn below(&mut self, count: u32) -> u32 {
        (((self.word() >> 32) * count as u64) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_published_stream() {
        // The reference implementation's first words for seed 1234567 (Vigna, splitmix64.c).
        let mut rng = SplitMix64::new(1_234_567);
        let words: [u64; 3] = std::array::from_fn(|_| rng.word());
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(words, published);
    }

    #[test]
    fn below_reaches_every_number() {
        let mut rng = SplitMix64::new(3);
        let mut seen = [false; 6];
        for _ in 0..200 {
            seen[rng.below(6) as usize] = true;
        }
        assert_eq!(seen, [true; 6]);
        assert_eq!(rng.below(0), 0);
    }
}
