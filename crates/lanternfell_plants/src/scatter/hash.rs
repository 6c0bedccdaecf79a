//! Random numbers of places: functions of a seed, a purpose and whole coordinates.
//!
//! A stream could not be entered at any cell; a hash can. It is SplitMix64's mixing function over one word
//! after the other, each set off by the golden ratio so that a 0 changes something too.

use lanternfell_random::SplitMix64;

/// What a purpose's numbers hang on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key(u64);

impl Key {
    /// A key for a seed and a purpose.
    pub(super) fn new(seed: u64, purpose: u64) -> Self {
        Self(seed).with(purpose)
    }

    /// The key with one more word.
    pub(super) fn with(self, word: u64) -> Self {
        Self(SplitMix64::mix(
            SplitMix64::mix(self.0.wrapping_add(SplitMix64::GAMMA)) ^ word,
        ))
    }

    /// The key of a square of the plane.
    pub(super) fn at(self, square: [i64; 2]) -> Self {
        self.with(square[0] as u64).with(square[1] as u64)
    }

    /// A stream of words.
    pub(super) fn stream(self) -> Draws {
        Draws(SplitMix64::new(self.0))
    }
}

/// Numbers drawn one after the other.
#[derive(Debug)]
pub(super) struct Draws(SplitMix64);

impl Draws {
    /// 64 random bits.
    pub(super) fn word(&mut self) -> u64 {
        self.0.word()
    }

    /// A number in `[0, 1)`, of 53 bits.
    pub(super) fn unit(&mut self) -> f64 {
        (self.0.word() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// A number in `[0, 1)`, of 24 bits.
    pub(super) fn unit_f32(&mut self) -> f32 {
        (self.0.word() >> 40) as f32 * (1.0 / (1_u32 << 24) as f32)
    }
}
