//! Hash-based random numbers: functions of a seed, a purpose and integer coordinates.
//!
//! A random stream cannot start at an arbitrary cell, but a hash can. It applies SplitMix64's mixing function to one
//! word after the other and adds the golden ratio each time, so that a word of 0 also changes the result.

use core::f32::consts::TAU;

use glam::Vec3;
use lanternfell_random::SplitMix64;

/// The state of the hash for one purpose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key(u64);

impl Key {
    /// Creates a key for a seed and a purpose.
    pub(crate) fn new(seed: u64, purpose: u64) -> Self {
        Self(seed).with(purpose)
    }

    /// Returns the key with one more word.
    pub(crate) fn with(self, word: u64) -> Self {
        Self(SplitMix64::mix(
            SplitMix64::mix(self.0.wrapping_add(SplitMix64::GAMMA)) ^ word,
        ))
    }

    /// Returns the key of a square of the plane.
    pub(crate) fn at(self, square: [i64; 2]) -> Self {
        self.with(square[0] as u64).with(square[1] as u64)
    }

    /// Starts a random stream from this key.
    pub(crate) fn stream(self) -> Draws {
        Draws(SplitMix64::new(self.0))
    }
}

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub(crate) struct Draws(SplitMix64);

impl Draws {
    /// 64 random bits.
    pub(crate) fn word(&mut self) -> u64 {
        self.0.word()
    }

    /// A uniform number in `[0, 1)` with 53 random bits.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.word() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// A uniform number in `[0, 1)` with 24 random bits.
    pub(crate) fn unit_f32(&mut self) -> f32 {
        (self.0.word() >> 40) as f32 * (1.0 / (1_u32 << 24) as f32)
    }

    /// A uniform number between `low` and `high`.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit_f32()
    }

    /// A number from -1 to 1 with a triangular distribution around 0.
    pub(crate) fn spread(&mut self) -> f32 {
        self.unit_f32() - self.unit_f32()
    }

    /// A uniform angle in radians.
    pub(crate) fn angle(&mut self) -> f32 {
        self.unit_f32() * TAU
    }

    /// A uniform integer from `low` to `high`, inclusive.
    pub(crate) fn count(&mut self, low: u32, high: u32) -> u32 {
        low + self.0.below(high - low + 1)
    }

    /// A uniform unit vector.
    pub(crate) fn direction(&mut self) -> Vec3 {
        let y = self.between(-1.0, 1.0);
        let around = (1.0 - y * y).max(0.0).sqrt();
        let (sin, cos) = libm::sincosf(self.angle());
        Vec3::new(around * cos, y, around * sin)
    }
}
