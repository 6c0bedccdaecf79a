//! How many ticks a guard's next action costs.

use crate::{AlertState, BEAT, Duty, GuardId, World, ai::fight};

/// The ticks of a guard's next action.
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

/// Whether the thief is within striking distance and the guard knows it, because it had a sign of
/// the thief in the last beat.
pub(super) fn knows_thief_is_near(world: &World, id: GuardId) -> bool {
    let (guard, rules) = (world.guard(id), world.guard_rules(id));
    // Guards without eyes and nose only know the position of the last sound.
    let here = rules.eyes || rules.nose || guard.point_of_interest == Some(world.state.thief.at);
    fight::in_reach(world, id) && guard.ticks <= BEAT && here
}
