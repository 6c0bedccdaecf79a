//! The one stream of chance of a game, which a saved game goes on with.

use lanternfell_random::SeededRng;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What the turns of a game draw from: saved as its seed and how often it was drawn from.
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

    /// What they were made from.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether something happens that does so this many times in a hundred.
    pub(crate) fn percent(&mut self, percent: u32) -> bool {
        self.rng.percent(percent)
    }

    /// A whole number in `[0, count)`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.rng.below(count as u64) as usize
    }

    /// The stream itself.
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
