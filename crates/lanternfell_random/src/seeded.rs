//! A reproducible random stream: ChaCha8, and its conversions from words to numbers.
//!
//! A library's `random_range` may change its algorithm between releases, but a seed must always
//! generate the same island. So the stream cipher is fixed to ChaCha8, and the few conversions from
//! a word to a number are implemented here with integers or exact powers of two. See [`SeededRng`]
//! for how the stream is keyed.

use chacha20::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// A reproducible stream of random numbers for one purpose.
///
/// The purpose is part of the key, so two generators with the same seed do not draw the same
/// numbers.
///
/// ```
/// use lanternfell_random::SeededRng;
///
/// let mut rng = SeededRng::new(7, b"dice    ");
/// let throw = 1 + rng.below(6);
/// assert!((1..=6).contains(&throw));
/// ```
///
/// # Algorithm
///
/// The stream is ChaCha8 (Bernstein 2008), read as 64-bit words in the order of the key stream, from
/// block 0 and nonce 0. The 256-bit key consists of four little-endian words: the seed, the purpose
/// (eight ASCII letters), [`VERSION`](Self::VERSION), and 0.
#[derive(Debug)]
pub struct SeededRng(ChaCha8Rng);

impl SeededRng {
    /// The version of the stream and its conversions. A seed generates the same numbers as long as
    /// this version does not change.
    pub const VERSION: u64 = 0;

    /// Creates the stream of a seed and a purpose. The purpose is eight ASCII letters, padded with
    /// spaces.
    pub fn new(seed: u64, purpose: &[u8; 8]) -> Self {
        let mut key = [0; 32];
        key[0..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(purpose);
        key[16..24].copy_from_slice(&Self::VERSION.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// Returns the number of words drawn so far.
    ///
    /// A saved game needs only the seed, the purpose and this position to [continue](Self::seek)
    /// the stream.
    pub fn position(&self) -> u64 {
        (self.0.get_word_pos() / 2) as u64
    }

    /// Moves the stream to a [position](Self::position), given as the number of words drawn.
    pub fn seek(&mut self, position: u64) {
        self.0.set_word_pos(u128::from(position) * 2);
    }

    /// Draws 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Draws a number in `[0, 1)` from the upper 53 bits of a word. Every value is exactly representable.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        unit(self.word())
    }

    /// Draws a number in `[low, high)`. Returns `low` if both are equal.
    #[inline]
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Fills `places` with random numbers. This is faster than many calls of
    /// [`between`](Self::between).
    ///
    /// The result equals one call of `between` for each place, rounded to the nearest `f32`.
    /// Because of the rounding, a number may equal `high`.
    #[inline(always)]
    pub fn fill_between(&mut self, low: f64, high: f64, places: &mut [f32]) {
        const AT_ONCE: usize = 64;
        let mut bytes = [0; AT_ONCE * size_of::<u64>()];
        for places in places.chunks_mut(AT_ONCE) {
            let bytes = &mut bytes[..size_of_val(places) * 2];
            self.0.fill_bytes(bytes);
            for (place, &word) in places.iter_mut().zip(bytes.as_chunks().0) {
                *place = (low + (high - low) * unit(u64::from_le_bytes(word))) as f32;
            }
        }
    }

    /// Draws an integer in `[0, count)`. Returns 0 if `count` is 0.
    ///
    /// The result is the high half of a 128-bit product, which is not exactly uniform. At a `count`
    /// of 2^40 the bias is less than one part in 2^24; the maps here need far smaller counts.
    #[inline]
    pub fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(count)) >> 64) as u64
    }

    /// Draws an integer from `low` to `high`, both included. Returns `low` if `high` is less than
    /// `low`.
    pub fn within(&mut self, low: i32, high: i32) -> i32 {
        let span = i64::from(high) - i64::from(low) + 1;
        low.wrapping_add(self.below(span.max(0) as u64) as i32)
    }

    /// Returns `true` with a probability of `percent` in 100.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < u64::from(percent)
    }

    /// Picks one of `things`, or `None` if there are none.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        things.get(self.below(things.len() as u64) as usize)
    }

    /// Shuffles `things` (Durstenfeld's algorithm, from the last element to the second).
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

/// Converts a word as described at [`SeededRng::unit`].
#[inline(always)]
fn unit(word: u64) -> f64 {
    (word >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pins the stream: if these words change, every seed generates different maps.
    #[test]
    fn pins_stream() {
        let mut rng = SeededRng::new(42, b"hills   ");
        let words = [rng.word(), rng.word()];
        assert_ne!(words[0], SeededRng::new(43, b"hills   ").word());
        assert_ne!(words[0], SeededRng::new(42, b"faults  ").word());
        assert_eq!(words, PINNED, "the random stream has changed");
    }

    const PINNED: [u64; 2] = [570_026_233_352_423_108, 13_499_360_450_266_882_795];

    #[test]
    fn numbers_cover_their_range() {
        let mut rng = SeededRng::new(1, b"test    ");
        let units: Vec<f64> = (0..10_000).map(|_| rng.unit()).collect();
        assert!(units.iter().all(|u| (0.0..1.0).contains(u)));
        let mean = units.iter().sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02, "mean {mean}");
        let mut seen = [0; 6];
        for _ in 0..6000 {
            seen[rng.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (850..1150).contains(&n)), "{seen:?}");
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.between(3.0, 3.0), 3.0);
    }

    #[test]
    fn seek_continues_from_any_position() {
        for drawn in [0, 1, 2, 7, 8, 31, 32, 33, 1000] {
            let mut rng = SeededRng::new(5, b"test    ");
            for _ in 0..drawn {
                rng.word();
            }
            assert_eq!(rng.position(), drawn);
            let mut again = SeededRng::new(5, b"test    ");
            again.seek(drawn);
            for _ in 0..40 {
                assert_eq!(rng.word(), again.word(), "after {drawn} words");
            }
        }
    }

    #[test]
    fn fill_between_equals_single_draws() {
        for (drawn, count) in [(0, 0), (0, 1), (3, 64), (5, 65), (31, 200), (32, 1000)] {
            let mut all = SeededRng::new(5, b"test    ");
            all.seek(drawn);
            let mut each = SeededRng::new(5, b"test    ");
            each.seek(drawn);
            let mut numbers = vec![0.0; count];
            all.fill_between(-7.5, 500.0, &mut numbers);
            let expected: Vec<f32> = (0..count)
                .map(|_| each.between(-7.5, 500.0) as f32)
                .collect();
            assert_eq!(numbers, expected, "after {drawn}");
            assert_eq!(all.position(), each.position(), "after {drawn}");
            assert_eq!(all.word(), each.word(), "after {drawn}");
        }
    }

    #[test]
    fn choices_are_uniform_and_in_range() {
        let mut rng = SeededRng::new(2, b"test    ");
        let mut sums = [0; 5];
        for _ in 0..1000 {
            let mut cards = [0, 1, 2, 3, 4];
            rng.shuffle(&mut cards);
            for (sum, card) in sums.iter_mut().zip(cards) {
                *sum += card;
            }
            assert!((-2..=2).contains(&rng.within(-2, 2)));
        }
        assert!(
            sums.iter().all(|sum| (1850..2150).contains(sum)),
            "{sums:?}"
        );
        assert_eq!(rng.pick::<u8>(&[]), None);
        assert_eq!(rng.within(3, 1), 3);
        assert_eq!(rng.within(i32::MIN, i32::MIN), i32::MIN);
        assert!(!rng.percent(0) && rng.percent(100));
    }
}
