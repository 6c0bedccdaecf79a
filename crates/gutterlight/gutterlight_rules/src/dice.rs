//! The random numbers of a game. A saved game continues the same stream.

use lanternfell_random::SeededRng;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The random generator of a game's turns. It is saved as its seed and its position.
#[derive(Debug)]
pub(crate) struct Dice {
    seed: u64,
    rng: SeededRng,
}

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            seed,
            rng: SeededRng::new(seed, b"turns   "),
        }
    }

    /// The seed.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns `true` with this percentage.
    pub(crate) fn percent(&mut self, percent: u32) -> bool {
        self.rng.percent(percent)
    }

    /// A whole number in `[0, count)`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.rng.below(count as u64) as usize
    }

    /// The underlying generator.
    pub(crate) fn rng(&mut self) -> &mut SeededRng {
        &mut self.rng
    }

    fn saved(&self) -> (u64, u64) {
        (self.seed, self.rng.position())
    }
}

impl Clone for Dice {
    fn clone(&self) -> Self {
        let (seed, position) = self.saved();
        let mut dice = Self::new(seed);
        dice.rng.seek(position);
        dice
    }
}

impl PartialEq for Dice {
    fn eq(&self, other: &Self) -> bool {
        self.saved() == other.saved()
    }
}

impl Serialize for Dice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.saved().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Dice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (seed, position) = <(u64, u64)>::deserialize(deserializer)?;
        let mut dice = Self::new(seed);
        dice.rng.seek(position);
        Ok(dice)
    }
}
