//! The bot that does anything. It drives the tests of invariants.

use glam::IVec2;
use lanternfell_random::SeededRng;

use crate::{Action, Direction, View};

/// The maximum number of draws until an action is possible.
const TRIES: u32 = 60;

/// The maximum distance of a throw. A little more than is possible.
const THROW: i32 = 10;

/// The number of kinds of actions.
const KINDS: u64 = 24;

/// A player that chooses randomly among the kinds of actions, until one is possible.
#[derive(Debug)]
pub(super) struct Gambler {
    rng: SeededRng,
}

impl Gambler {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            rng: SeededRng::new(seed, b"bots    "),
        }
    }

    pub(super) fn choose(&mut self, view: View<'_>) -> Action {
        for _ in 0..TRIES {
            let action = self.any(view);
            if view.check(action).is_ok() {
                return action;
            }
        }
        match view.offer() {
            Some(_) => Action::Learn(0),
            None => Action::Wait,
        }
    }

    /// A random action, possible or not.
    fn any(&mut self, view: View<'_>) -> Action {
        let way = Direction::ALL[self.rng.below(8) as usize];
        let slot = self.rng.below(view.thief().tools.len() as u64) as u8;
        let off = IVec2::new(
            self.rng.within(-THROW, THROW),
            self.rng.within(-THROW, THROW),
        );
        let at = view.thief().at + off;
        match self.rng.below(KINDS) {
            0 => Action::Walk(way),
            1 => Action::Sneak(way),
            2 => Action::Run(way),
            3 => Action::Wait,
            4 => Action::Peek(way),
            5 => Action::Open(way),
            6 => Action::Close(way),
            7 => Action::PickUp,
            8 => Action::Drop { slot },
            9 => Action::Throw { slot, at },
            10 => Action::Use { slot },
            11 => Action::LightTorch,
            12 => Action::SnuffTorch,
            13 => Action::DropTorch,
            14 => Action::ThrowTorch { at },
            15 => Action::Douse(way),
            16 => Action::Relight(way),
            17 => Action::Takedown(way),
            18 => Action::Shove(way),
            19 => Action::Fight(way),
            20 => Action::Climb,
            21 => Action::WrapEmber,
            22 => Action::UnwrapEmber,
            _ => Action::Learn(self.rng.below(3) as u8),
        }
    }
}
