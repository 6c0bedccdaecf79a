//! How a duel would end: the thief against one guard, blow against blow, until one of them falls.
//!
//! Problem: whoever decides whether to fight should know what it risks, and no sentence that was
//! written once stays true when a number of the table changes. So the odds are worked out from
//! the numbers of both, and from what each can still take.
//!
//! Idea: the two do not influence each other's blows, only end them. So each is a Markov chain of
//! its own: the probability that it still stands, and can take so many more hits. A beat moves
//! both chains on; what the guard's chain loses while the thief's still stands is won.
//!
//! ```text
//!    guard   [3]--hit-->[2]--hit-->[1]--hit--> fallen   * thief stands = won in this beat
//!    thief   [9]--hit-->[8]-- ...  [1]--hit--> fallen
//!     beat    first the thief's blow, then as many of the guard's as it has ticks for
//! ```
//!
//! A guard has up to `strike_ticks - 1` ticks saved up when the duel begins, and nobody can see
//! how many: the odds are the mean over all of them. Probabilities are fixed-point numbers, so
//! that they are the same on every machine. What is left out: others who come, flight, tools.

use crate::{BEAT, Difficulty, GuardId, GuardKind, Rules, View};

/// What is certain, as a fixed-point number: its products fit.
const CERTAIN: u64 = 1 << 40;

/// What is as good as over.
const OVER: u64 = CERTAIN >> 20;

/// Beats after which a duel has no winner: by a table in which nearly no blow hits.
const LONGEST: u32 = 2000;

/// Blows that a guard strikes in a beat at most, whatever the table says.
const MOST_BLOWS: u32 = 4;

/// One who fights: how likely it stands, by the number of hits that it can still take, from 1.
struct Fighter {
    stands: Vec<u64>,
}

impl Fighter {
    /// With so much health, against blows that each cost so much of it.
    fn new(health: i16, damage: i16) -> Self {
        let hits = match damage {
            ..=0 => 1,
            _ => (health.max(1) - 1) / damage + 1,
        };
        let mut stands = vec![0; hits as usize];
        if let Some(last) = stands.last_mut() {
            *last = CERTAIN;
        }
        Self { stands }
    }

    /// Takes a blow that hits so many times in a hundred; how likely it falls by this one.
    fn take_blow(&mut self, percent: u32) -> u64 {
        let mut falls = 0;
        for hits in 0..self.stands.len() {
            let hit = self.stands[hits] * u64::from(percent) / 100;
            self.stands[hits] -= hit;
            match hits.checked_sub(1) {
                Some(fewer) => self.stands[fewer] += hit,
                None => falls = hit,
            }
        }
        falls
    }

    /// How likely it still stands.
    fn stands(&self) -> u64 {
        self.stands.iter().sum()
    }
}

impl Rules {
    /// How many of a hundred duels the thief wins, who strikes first: from this health of the
    /// thief, and of a guard of this kind. One that does not fight loses every duel.
    pub fn odds(
        &self,
        difficulty: Difficulty,
        thief_health: i16,
        kind: GuardKind,
        guard_health: i16,
    ) -> u8 {
        let cost = self.guard(kind).strike_ticks.max(1);
        let won = |saved| self.duel(difficulty, thief_health, kind, guard_health, saved);
        let mean = (0..cost).map(won).sum::<u64>() / u64::from(cost);
        ((100 * mean + CERTAIN / 2) / CERTAIN) as u8
    }

    /// How likely the thief wins against a guard that has saved up so many ticks.
    fn duel(
        &self,
        difficulty: Difficulty,
        thief_health: i16,
        kind: GuardKind,
        guard_health: i16,
        mut saved: u16,
    ) -> u64 {
        let (blow, strike) = (&self.thief, self.guard(kind));
        if blow.damage <= 0 {
            return 0;
        }
        let mut guard = Fighter::new(guard_health, blow.damage);
        let mut thief = Fighter::new(thief_health, self.strike_damage(difficulty, kind));
        let mut won = 0;
        for _ in 0..LONGEST {
            let (falls, stands) = (guard.take_blow(blow.hit), thief.stands());
            won += ((u128::from(falls) * u128::from(stands)) / u128::from(CERTAIN)) as u64;
            saved += BEAT;
            for _ in 0..MOST_BLOWS {
                if saved >= strike.strike_ticks {
                    saved -= strike.strike_ticks;
                    thief.take_blow(strike.hit);
                }
            }
            if guard.stands() < OVER || thief.stands() < OVER {
                break;
            }
        }
        won
    }

    /// What a blow of this kind of guard costs the thief, if it hits.
    pub(crate) fn strike_damage(&self, difficulty: Difficulty, kind: GuardKind) -> i16 {
        let percent = u64::from(self.difficulty(difficulty).damage);
        let full = u64::from(self.guard(kind).damage.max(0).unsigned_abs());
        (full * percent / 100).clamp(1, i16::MAX as u64) as i16
    }
}

impl View<'_> {
    /// How many of a hundred duels with this guard the thief would win, as both are now; none if
    /// it is not seen, or lies there. See [`Rules::odds`].
    pub fn odds(self, id: GuardId) -> Option<u8> {
        let guard = self.guards().find(|guard| guard.id == id)?;
        let health = self.thief().health;
        let odds = || {
            self.rules()
                .odds(self.difficulty(), health, guard.kind, guard.health)
        };
        (!guard.alert_state.is_down()).then(odds)
    }
}

#[cfg(test)]
mod tests;
