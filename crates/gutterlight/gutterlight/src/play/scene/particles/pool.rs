//! The fixed pool of motes.

use bevy::prelude::*;

use super::mote::{Look, Mote};

/// The maximum number of motes.
pub const MOST: usize = 160;

/// The live motes, and the random numbers for their movement.
#[derive(Resource)]
pub struct Pool {
    motes: [Option<Mote>; MOST],
    pub dice: Dice,
}

impl Default for Pool {
    fn default() -> Self {
        Self {
            motes: [None; MOST],
            dice: Dice(0),
        }
    }
}

impl Pool {
    /// Adds a mote, if there is room.
    pub fn add(&mut self, mote: Mote) {
        if let Some(place) = self.motes.iter_mut().find(|place| place.is_none()) {
            *place = Some(mote);
        }
    }

    /// Adds a mote. If the pool is full, replaces the one nearest to the end of its lifetime.
    pub fn burst(&mut self, mote: Mote) {
        let passed = |place: &Option<Mote>| place.as_ref().map_or(f32::INFINITY, Mote::passed);
        let places = self.motes.iter_mut();
        let oldest = places.max_by(|a, b| passed(a).total_cmp(&passed(b)));
        if let Some(place) = oldest {
            *place = Some(mote);
        }
    }

    /// Advances all motes.
    pub fn pass(&mut self, seconds: f32) {
        for place in &mut self.motes {
            if let Some(mote) = place
                && !mote.pass(seconds)
            {
                *place = None;
            }
        }
    }

    /// Removes all motes.
    pub fn clear(&mut self) {
        self.motes.fill(None);
    }

    /// The appearance of the mote at an index, if it is visible.
    pub fn look(&self, place: usize) -> Option<Look> {
        self.motes.get(place)?.as_ref()?.look()
    }
}

/// A pseudorandom number generator for effects. The game itself does not depend on it.
///
/// A counter, hashed by two rounds of xorshift and multiply with the constants of lowbias32
/// (Wellons, 2018).
pub struct Dice(u32);

impl Dice {
    /// A number from 0 (inclusive) to 1 (exclusive).
    pub fn roll(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9);
        let mut bits = self.0;
        bits = (bits ^ bits >> 16).wrapping_mul(0x7FEB_352D);
        bits = (bits ^ bits >> 15).wrapping_mul(0x846C_A68B);
        bits ^= bits >> 16;
        (bits >> 8) as f32 / (1 << 24) as f32
    }

    /// A number from `least` (inclusive) to `most` (exclusive).
    pub fn between(&mut self, least: f32, most: f32) -> f32 {
        least + (most - least) * self.roll()
    }

    /// A random offset of at most `reach` in each direction.
    pub fn around(&mut self, reach: Vec2) -> Vec2 {
        let (x, y) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0));
        Vec2::new(x, y) * reach
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::scene::particles::mote::Kind;

    fn mote(age: f32) -> Mote {
        Mote {
            kind: Kind::Spore,
            place: Vec2::ZERO,
            speed: Vec2::ZERO,
            age,
            chance: 0.5,
        }
    }

    fn alive(pool: &Pool) -> usize {
        pool.motes.iter().flatten().count()
    }

    #[test]
    fn pool_has_a_fixed_size() {
        let mut pool = Pool::default();
        for _ in 0..MOST {
            pool.add(mote(1.0));
        }
        assert_eq!(alive(&pool), MOST);
        pool.add(mote(0.0));
        assert!(pool.motes.iter().flatten().all(|mote| mote.age == 1.0));
        pool.pass(60.0);
        assert_eq!(alive(&pool), 0);
    }

    #[test]
    fn bursts_fill_free_places_then_replace_oldest() {
        let mut pool = Pool::default();
        pool.add(mote(2.0));
        pool.burst(mote(0.5));
        assert_eq!(alive(&pool), 2, "there was a free place");
        for _ in 2..MOST {
            pool.add(mote(1.0));
        }
        pool.burst(mote(0.0));
        assert_eq!(alive(&pool), MOST);
        assert!(pool.motes.iter().flatten().all(|mote| mote.age != 2.0));
    }

    #[test]
    fn rolls_are_in_range_and_differ() {
        let mut dice = Dice(0);
        let rolls: Vec<f32> = (0..1000).map(|_| dice.roll()).collect();
        assert!(rolls.iter().all(|roll| (0.0..1.0).contains(roll)));
        let mean = rolls.iter().sum::<f32>() / 1000.0;
        assert!((0.45..0.55).contains(&mean), "{mean}");
        assert!(rolls.windows(2).all(|two| two[0] != two[1]));
    }
}
