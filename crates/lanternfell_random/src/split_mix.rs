//! A random generator of one word: a counter, and a function that mixes it.
//!
//! Source: Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*, 2014. It
//! passes the usual tests, has no bad seeds, and is written here, once, because seeds, sounds
//! and benchmarks hang on its bits.

/// A stream of random words.
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
    /// What the counter goes on by: the golden ratio's share of 2^64.
    pub const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

    /// The stream of a seed; every seed is as good as another.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The mixing function alone: neighboring words become words that share nothing.
    pub const fn mix(word: u64) -> u64 {
        let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// The next 64 bits.
    pub const fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(Self::GAMMA);
        Self::mix(self.0)
    }

    /// A number from 0 to below `count`; 0 if that is 0. By the upper 32 bits of a word.
    pub const fn below(&mut self, count: u32) -> u32 {
        (((self.word() >> 32) * count as u64) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_stream_is_met() {
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
    fn numbers_stay_below_and_reach_all() {
        let mut rng = SplitMix64::new(3);
        let mut seen = [false; 6];
        for _ in 0..200 {
            seen[rng.below(6) as usize] = true;
        }
        assert_eq!(seen, [true; 6]);
        assert_eq!(rng.below(0), 0);
    }
}
