//! The long stream: ChaCha8 by name, and its words as numbers.
//!
//! A library's `random_range` may change its algorithm from one release to the next,
//! and a seed that gave an island must give it again. So the stream is ChaCha8 by name,
//! and the few ways of turning a word into a number are written here, in integers or
//! exact powers of two. [`SeededRng`] says how the stream is keyed.

use chacha20::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// A stream of random numbers for one purpose.
///
/// The stream is ChaCha8 (Bernstein 2008), its 64-bit words in the order of its key
/// stream, from block 0 and nonce 0. The 256-bit key is four little-endian words: the
/// seed; the purpose, eight ASCII letters, so that two generators with one seed do not
/// share their numbers; [`VERSION`](Self::VERSION); and 0.
///
/// ```
/// use lanternfell_random::SeededRng;
///
/// let mut rng = SeededRng::new(7, b"dice    ");
/// let throw = 1 + rng.below(6);
/// assert!((1..=6).contains(&throw));
/// ```
#[derive(Debug)]
pub struct SeededRng(ChaCha8Rng);

impl SeededRng {
    /// The version of the stream and of its conversions. A seed means the same map as
    /// long as this stays.
    pub const VERSION: u64 = 0;

    /// A stream for `purpose`, eight ASCII letters padded with spaces.
    pub fn new(seed: u64, purpose: &[u8; 8]) -> Self {
        let mut key = [0; 32];
        key[0..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(purpose);
        key[16..24].copy_from_slice(&Self::VERSION.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// How many words have been drawn. With seed and purpose it is all that a saved game
    /// needs to [go on](Self::seek).
    pub fn position(&self) -> u64 {
        (self.0.get_word_pos() / 2) as u64
    }

    /// Goes to where so many words have been drawn.
    pub fn seek(&mut self, position: u64) {
        self.0.set_word_pos(u128::from(position) * 2);
    }

    /// A whole number of 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `[0, 1)`: the top 53 bits of a word, so every value is exact.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        unit(self.word())
    }

    /// A number in `[low, high)`; `low` when the two are equal.
    #[inline]
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Draws as many numbers as there are places, each as [`between`](Self::between) would
    /// and then rounded to the nearest `f32`, which may be `high`. Where there are many it is
    /// faster.
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

    /// A whole number in `[0, count)`; 0 when `count` is 0.
    ///
    /// The high half of a 128-bit product. A count of 2^40 is off from uniform by less
    /// than one part in 2^24, and the maps here need far less.
    #[inline]
    pub fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(count)) >> 64) as u64
    }

    /// A whole number from `low` to `high`, both included; `low` when `high` is less.
    pub fn within(&mut self, low: i32, high: i32) -> i32 {
        let span = i64::from(high) - i64::from(low) + 1;
        low.wrapping_add(self.below(span.max(0) as u64) as i32)
    }

    /// Whether something happens that does so this many times in a hundred.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < u64::from(percent)
    }

    /// One of these; none of none.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        things.get(self.below(things.len() as u64) as usize)
    }

    /// Puts these in a random order: Durstenfeld's shuffle, from the last to the second.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

/// See [`SeededRng::unit`].
#[inline(always)]
fn unit(word: u64) -> f64 {
    (word >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stream itself is pinned: were these words to change, every seed would change.
    #[test]
    fn the_stream_is_pinned() {
        let mut rng = SeededRng::new(42, b"hills   ");
        let words = [rng.word(), rng.word()];
        assert_ne!(words[0], SeededRng::new(43, b"hills   ").word());
        assert_ne!(words[0], SeededRng::new(42, b"faults  ").word());
        assert_eq!(words, PINNED, "the random stream has changed");
    }

    const PINNED: [u64; 2] = [570_026_233_352_423_108, 13_499_360_450_266_882_795];

    #[test]
    fn numbers_stay_in_their_range_and_fill_it() {
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
    fn a_stream_goes_on_from_any_position() {
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
    fn many_numbers_are_those_that_come_one_by_one() {
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
    fn choices_are_even_and_in_range() {
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
