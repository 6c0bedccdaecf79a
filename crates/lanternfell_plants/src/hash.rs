//! Random numbers of plants and places: functions of a seed, a purpose and whole coordinates.
//!
//! A stream could not be entered at any cell; a hash can. It is SplitMix64's mixing function over one word
//! after the other, each set off by the golden ratio so that a 0 changes something too.

use core::f32::consts::TAU;

use glam::Vec3;
use lanternfell_random::SplitMix64;

/// What a purpose's numbers hang on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key(u64);

impl Key {
    /// A key for a seed and a purpose.
    pub(crate) fn new(seed: u64, purpose: u64) -> Self {
        Self(seed).with(purpose)
    }

    /// The key with one more word.
    pub(crate) fn with(self, word: u64) -> Self {
        Self(SplitMix64::mix(
            SplitMix64::mix(self.0.wrapping_add(SplitMix64::GAMMA)) ^ word,
        ))
    }

    /// The key of a square of the plane.
    pub(crate) fn at(self, square: [i64; 2]) -> Self {
        self.with(square[0] as u64).with(square[1] as u64)
    }

    /// A stream of words.
    pub(crate) fn stream(self) -> Draws {
        Draws(SplitMix64::new(self.0))
    }
}

/// Numbers drawn one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Draws(SplitMix64);

impl Draws {
    /// 64 random bits.
    pub(crate) fn word(&mut self) -> u64 {
        self.0.word()
    }

    /// A number in `[0, 1)`, of 53 bits.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.word() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// A number in `[0, 1)`, of 24 bits.
    pub(crate) fn unit_f32(&mut self) -> f32 {
        (self.0.word() >> 40) as f32 * (1.0 / (1_u32 << 24) as f32)
    }

    /// A number between two.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit_f32()
    }

    /// A number from -1 to 1, most often near 0.
    pub(crate) fn spread(&mut self) -> f32 {
        self.unit_f32() - self.unit_f32()
    }

    /// An angle in radians.
    pub(crate) fn angle(&mut self) -> f32 {
        self.unit_f32() * TAU
    }

    /// A whole number from `low` to `high`, both included.
    pub(crate) fn count(&mut self, low: u32, high: u32) -> u32 {
        low + self.0.below(high - low + 1)
    }

    /// A direction, all alike.
    pub(crate) fn direction(&mut self) -> Vec3 {
        let y = self.between(-1.0, 1.0);
        let around = (1.0 - y * y).max(0.0).sqrt();
        let (sin, cos) = libm::sincosf(self.angle());
        Vec3::new(around * cos, y, around * sin)
    }
}
