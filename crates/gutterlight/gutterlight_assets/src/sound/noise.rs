//! Random numbers, white noise and pink noise.
//!
//! White noise has the same power at every frequency and sounds like steam. Pink noise has the same power in every
//! octave and sounds like wind, fire and water. Almost all sounds start with one of them.
//!
//! - The generator is [`SplitMix64`]. It is fast, and all seeds are good. The game's rules do not depend on it.
//! - Pink noise uses Voss's algorithm (Gardner 1978). It sums twelve rows of white noise. Each sample replaces one row:
//!   row `r` is replaced every 2^(r+1) samples. The cost per sample is therefore constant. The sum uses integers, which
//!   never drift.

use lanternfell_random::SplitMix64;

/// The number of rows of pink noise: twelve octaves, from 10 Hz up.
const ROWS: usize = 12;

/// A stream of random numbers and noise.
#[derive(Debug, Clone)]
pub struct Noise {
    random: SplitMix64,
    rows: [i32; ROWS],
    sum: i32,
    count: u32,
}

impl Noise {
    /// Creates the stream of a seed.
    pub fn new(seed: u64) -> Self {
        let mut noise = Self {
            random: SplitMix64::new(seed),
            rows: [0; ROWS],
            sum: 0,
            count: 0,
        };
        for row in 0..ROWS {
            noise.rows[row] = noise.small();
            noise.sum += noise.rows[row];
        }
        noise
    }

    fn word(&mut self) -> u32 {
        (self.random.word() >> 32) as u32
    }

    /// A random integer from -2^23 (inclusive) to 2^23 (exclusive). The sum of thirteen fits in an `i32`.
    fn small(&mut self) -> i32 {
        (self.word() as i32) >> 8
    }

    /// White noise: a number in `[-1, 1)`.
    pub fn white(&mut self) -> f32 {
        self.small() as f32 * (1.0 / (1 << 23) as f32)
    }

    /// A number in `[0, 1)`.
    pub fn unit(&mut self) -> f32 {
        (self.word() >> 8) as f32 * (1.0 / (1 << 24) as f32)
    }

    /// A number in `[low, high)`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// A number that differs from `middle` by at most the fraction `spread`.
    pub fn about(&mut self, middle: f32, spread: f32) -> f32 {
        middle * (1.0 + spread * self.white())
    }

    /// Pink noise, with about the same power as white noise.
    pub fn pink(&mut self) -> f32 {
        self.count = self.count.wrapping_add(1);
        let row = self.count.trailing_zeros() as usize;
        if let Some(old) = self.rows.get(row).copied() {
            let new = self.small();
            self.rows[row] = new;
            self.sum += new - old;
        }
        let top = self.small();
        // The sum of thirteen independent numbers has the square root of 13 times the amplitude.
        (self.sum + top) as f32 * (0.277 / (1 << 23) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean power of averages over `width` samples, which measures the low frequencies.
    fn power_of_lows(mut draw: impl FnMut() -> f32, width: usize) -> f32 {
        let means = (0..2000).map(|_| (0..width).map(|_| draw()).sum::<f32>() / width as f32);
        means.map(|mean| mean * mean).sum::<f32>() / 2000.0
    }

    #[test]
    fn pink_noise_has_more_low_frequencies() {
        let (mut white, mut pink) = (Noise::new(1), Noise::new(1));
        let all = [
            power_of_lows(|| white.white(), 1),
            power_of_lows(|| pink.pink(), 1),
        ];
        assert!((0.28..0.39).contains(&all[0]), "{all:?}");
        assert!((0.2..0.5).contains(&all[1]), "{all:?}");
        let low = [
            power_of_lows(|| white.white(), 64),
            power_of_lows(|| pink.pink(), 64),
        ];
        assert!(low[1] > 10.0 * low[0], "{low:?}");
    }

    #[test]
    fn numbers_are_in_range() {
        let mut noise = Noise::new(3);
        for number in 0..10_000 {
            assert!((-1.0..1.0).contains(&noise.white()), "{number}");
            assert!((0.0..1.0).contains(&noise.unit()), "{number}");
            assert!((2.0..=3.0).contains(&noise.between(2.0, 3.0)), "{number}");
            assert!((9.0..=11.0).contains(&noise.about(10.0, 0.1)), "{number}");
            assert!(noise.pink().abs() < 3.7, "{number}");
        }
    }
}
