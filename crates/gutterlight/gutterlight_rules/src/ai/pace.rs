//! How long it takes a guard to do what it does next.

use crate::{AlertState, BEAT, Duty, GuardId, World, ai::fight};

/// The ticks of what a guard will do next.
pub(super) fn next_cost(world: &World, id: GuardId) -> u16 {
    let (guard, rules) = (world.guard(id), world.guard_rules(id));
    match guard.alert_state {
        AlertState::Chasing if knows_thief_is_near(world, id) => rules.strike_ticks,
        AlertState::Chasing | AlertState::Fleeing => rules.chase_ticks,
        AlertState::Investigating | AlertState::Searching => rules.search_ticks,
        AlertState::Calm if guard.duty == Duty::Hunt => rules.search_ticks,
        _ => rules.calm_ticks,
    }
}

/// Whether the thief is in reach of a blow, and the guard knows it: it had a sign of him
/// in the last beat.
pub(super) fn knows_thief_is_near(world: &World, id: GuardId) -> bool {
    let (guard, rules) = (world.guard(id), world.guard_rules(id));
    // The blind know of the last sound only.
    let here = rules.eyes || rules.nose || guard.point_of_interest == Some(world.state.thief.at);
    fight::in_reach(world, id) && guard.ticks <= BEAT && here
}
