//! The odds of a fight between the thief and one guard, until one of them falls.
//!
//! Problem: players should know the risk before they fight. Fixed texts become wrong whenever a
//! number of the rules changes, so the odds are computed from the rules and from the current health
//! of both.
//!
//! Idea: the blows of the two do not influence each other, except that a fall ends the fight. Each
//! fighter is therefore a Markov chain of its own: the probability that it still stands and can
//! take a given number of hits. Each beat advances both chains. The probability that the guard
//! falls while the thief still stands is added to the odds.
//!
//! ```text
//!    guard   [3]--hit-->[2]--hit-->[1]--hit--> fallen   * thief stands = won in this beat
//!    thief   [9]--hit-->[8]-- ...  [1]--hit--> fallen
//!     beat    first the thief's blow, then as many of the guard's as it has ticks for
//! ```
//!
//! A guard has up to `strike_ticks - 1` saved ticks when the fight begins. The player cannot see
//! how many, so the odds are the mean over all of them. Probabilities are fixed-point numbers, so
//! that they are the same on every machine. Limits: other guards, flight and tools are ignored.

use crate::{BEAT, Difficulty, GuardId, GuardKind, Rules, View};

/// Probability 1 as a fixed-point number. Small enough that products fit.
const CERTAIN: u64 = 1 << 40;

/// The probability below which a chain counts as over.
const OVER: u64 = CERTAIN >> 20;

/// The maximum number of beats. Only matters for rules in which almost no blow hits.
const LONGEST: u32 = 2000;

/// The maximum number of blows of a guard in a beat, as in `ai::beat`.
const MOST_BLOWS: u32 = 4;

/// A fighter: the probability that it stands, by the number of hits that it can still take minus 1.
struct Fighter {
    stands: Vec<u64>,
}

impl Fighter {
    /// A fighter with this health, against blows of this damage.
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

    /// Takes a blow that hits with this percentage. Returns the probability that the fighter falls
    /// by it.
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

    /// The probability that the fighter still stands.
    fn stands(&self) -> u64 {
        self.stands.iter().sum()
    }
}

impl Rules {
    /// How many of 100 duels the thief wins. The thief strikes first.
    ///
    /// `thief_health` and `guard_health` are the current health of both. Only the numbers count,
    /// also for kinds that do not fight: a lamplighter has a `hit` of 0, so it always loses.
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

    /// The probability that the thief wins against a guard with this many saved ticks.
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

    /// The damage of a hit by this kind of guard.
    pub(crate) fn strike_damage(&self, difficulty: Difficulty, kind: GuardKind) -> i16 {
        let percent = u64::from(self.difficulty(difficulty).damage);
        let full = u64::from(self.guard(kind).damage.max(0).unsigned_abs());
        (full * percent / 100).clamp(1, i16::MAX as u64) as i16
    }
}

impl View<'_> {
    /// How many of 100 duels with this guard the thief would win with the current health of both.
    /// `None` if the guard is not in sight or lies on the ground. See [`Rules::odds`].
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
