//! Random numbers for painting.

use lanternfell_random::SeededRng;

use crate::color::{Rgb, toned};

/// A stream of random numbers for one texture.
pub(crate) struct Dice(SeededRng);

impl Dice {
    pub(crate) fn new(seed: u64, purpose: &[u8; 8]) -> Self {
        Self(SeededRng::new(seed, purpose))
    }

    /// Returns a number from 0 to 1.
    pub(crate) fn unit(&mut self) -> f32 {
        self.0.unit() as f32
    }

    /// Returns a number from `low` to `high`.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Returns a number from `-most` to `most`.
    pub(crate) fn around(&mut self, most: f32) -> f32 {
        self.between(-most, most)
    }

    /// Returns a random angle in radians.
    pub(crate) fn angle(&mut self) -> f32 {
        self.between(0.0, core::f32::consts::TAU)
    }

    /// Returns `true` with this probability.
    pub(crate) fn chance(&mut self, share: f32) -> bool {
        self.unit() < share
    }

    /// Shuffles a slice.
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        self.0.shuffle(things);
    }

    /// Returns a seed for something else.
    pub(crate) fn seed(&mut self) -> u64 {
        self.0.word()
    }

    /// Returns one of the colors, with random changes of brightness and warmth.
    pub(crate) fn tone(&mut self, colors: &[Rgb], brightness: f32, warmth: f32) -> Rgb {
        let color = self.0.pick(colors).copied().unwrap_or_default();
        let factor = 1.0 + self.around(brightness);
        toned(color, factor, self.around(warmth))
    }

    /// Returns `count` points in a tile that is `meters` wide. They are spread evenly but not in
    /// rows: Roberts' sequence (*The unreasonable effectiveness of quasirandom sequences*, 2018),
    /// with each point moved slightly.
    pub(crate) fn points(&mut self, count: usize, meters: f32) -> Vec<[f32; 2]> {
        const STEP: [f64; 2] = [0.754_877_666_246_692_7, 0.569_840_290_998_053_3];
        let first = [self.0.unit(), self.0.unit()];
        let moved = meters * 0.7 / (count as f32).sqrt().max(1.0);
        let mut point = |n: usize| {
            let on = |axis: usize| {
                let at = first[axis] + n as f64 * STEP[axis];
                (at - at.floor()) as f32 * meters
            };
            [on(0) + self.around(moved), on(1) + self.around(moved)]
        };
        (0..count).map(&mut point).collect()
    }
}
