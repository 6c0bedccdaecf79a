//! Choosing the twist of a floor, and building what it needs. [`twist`](crate::twist) describes the
//! effects of twists.

mod blackout;
mod dogs;
mod festival;
mod flooded;
mod prisoner;

use lanternfell_random::SeededRng;

use super::{mixed, plan::Plan, weighted::weighted};
use crate::{Rules, Twist, rules::FloorRules};

impl Twist {
    /// The twist of a floor, or `None` if the rules have none left.
    /// [`Floor::generate`](crate::floor::Floor::generate) builds a floor with this twist.
    pub fn of_floor(rules: &Rules, seed: u64, depth: usize) -> Option<Self> {
        draw(rules, seed, depth)
    }
}

/// The twist of a floor. It only depends on the seed and the depth, and not on which attempt passes
/// the proof. Otherwise twists that are harder to build would be rarer.
pub(crate) fn draw(rules: &Rules, seed: u64, depth: usize) -> Option<Twist> {
    let mut had = Vec::new();
    for depth in 0..=depth {
        let table = match depth {
            0 => &rules.twists.opening,
            _ => &rules.twists.often,
        };
        let left = table
            .iter()
            .filter(|(_, twist)| !had.contains(&Some(*twist)));
        let left: Vec<_> = left.copied().collect();
        let mut rng = SeededRng::new(mixed(seed, depth, 0), b"twist   ");
        let drawn = weighted(&mut rng, left.iter().map(|&(often, _)| often.into()));
        had.push(drawn.map(|place| left[place].1));
    }
    had.pop().flatten()
}

/// Changes the contents of the floor for its twist.
pub(super) fn change_table(rules: &Rules, twist: Option<Twist>, table: &mut FloorRules) {
    match twist {
        Some(Twist::Festival) => festival::change_table(rules, table),
        Some(Twist::DogsLoose) => dogs::change_table(rules, table),
        _ => {}
    }
}

/// Digs what the twist needs. Called after the vaults are dug.
pub(super) fn dig(plan: &mut Plan<'_>) {
    if plan.twist == Some(Twist::Prisoner) {
        prisoner::dig(plan);
    }
}

/// Changes the ground for the twist. Called after rooms have their ground.
pub(super) fn furnish(plan: &mut Plan<'_>) {
    if plan.twist == Some(Twist::Flooded) {
        flooded::furnish(plan);
    }
}

/// Finishes the twist after everything else is placed. Returns `false` if the twist found no room.
pub(super) fn finish(plan: &mut Plan<'_>) -> bool {
    match plan.twist {
        Some(Twist::Blackout) => blackout::finish(plan),
        Some(Twist::Prisoner) => return prisoner::is_there(plan),
        _ => {}
    }
    true
}
