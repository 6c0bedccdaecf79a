//! What guards with a nose smell of the thief.
//!
//! The thief leaves a scent in every cell except water. A hound that finds a fresh trail follows
//! it, from each cell to the neighbor with the freshest scent. It becomes sure by smelling the
//! thief from nearby. Light does not matter to it.

use glam::IVec2;

use crate::{
    AlertState, Direction, GuardId, World, awareness, direction::steps_between, guard::SURE, sight,
};

/// Adds what a guard smells to its awareness. Returns whether it smelled anything.
pub(crate) fn smell_for_thief(world: &mut World, id: GuardId, ticks: u16) -> bool {
    if !world.guard_rules(id).nose {
        return false;
    }
    let at = world.state.thief.at;
    if smells_thief(world, id) {
        let smelt = u32::from(world.rules.behavior.smelt);
        let gain = smelt * u32::from(ticks) / u32::from(crate::BEAT);
        awareness::notice(world, id, at, gain.max(1), SURE);
        return true;
    }
    let Some(next) = trail(world, id) else {
        return false;
    };
    let rules = &world.rules.awareness;
    let follows = rules.investigating.max(world.guard(id).awareness);
    world.guard_mut(id).awareness = follows;
    world.guard_mut(id).point_of_interest = Some(next);
    awareness::go_and_look(world, id);
    true
}

/// Whether the thief is so near that no trail is needed: next to the guard, or within reach and in
/// line of sight.
fn smells_thief(world: &World, id: GuardId) -> bool {
    let (hound, thief) = (world.guard(id).at, world.state.thief.at);
    let steps = steps_between(hound, thief);
    steps <= world.rules.awareness.smell_reach
        && (sight::in_line(world, hound, thief) || steps <= 1)
        && !matches!(world.guard(id).alert_state, AlertState::Fleeing)
}

/// The neighboring cell with the freshest scent, if it is fresher than the scent in the guard's own
/// cell and not too old.
pub(crate) fn trail(world: &World, id: GuardId) -> Option<IVec2> {
    let here = world.guard(id).at;
    let scent = &world.floor().scent;
    let oldest = world
        .state
        .tick
        .saturating_sub(world.rules.awareness.trail_ticks)
        .max(1);
    let own = scent.get(here).copied().unwrap_or(0);
    Direction::ALL
        .into_iter()
        .map(|way| here + way.step())
        .filter(|&next| world.floor().corners_free(here, next))
        .filter_map(|next| scent.get(next).map(|&when| (when, next)))
        .filter(|&(when, _)| when >= oldest && when > own)
        .max_by_key(|&(when, next)| (when, next.y, next.x))
        .map(|(_, next)| next)
}
