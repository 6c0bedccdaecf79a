//! A beat of the guards: first all guards act on what they knew, then all perceive and update their
//! alert states.

use crate::{
    AlertState, GuardId, World,
    ai::{behavior, glance, pace, perceive, smell, think},
    limits::MOST_SAVED,
    rules::BEAT,
};

/// Lets every guard spend its saved ticks.
pub(crate) fn act(world: &mut World, ticks: u16) {
    for id in world.guard_ids() {
        if !world.guard(id).is_awake() {
            continue;
        }
        world.guard_mut(id).saved += ticks;
        // Limits the number of actions in a beat, independent of the rules.
        for _ in 0..4 {
            let cost = pace::next_cost(world, id);
            if world.guard(id).saved < cost || world.state.ending.is_some() {
                break;
            }
            world.guard_mut(id).saved -= cost;
            behavior::do_one_thing(world, id);
        }
        // A guard that could not act must not save up time for many steps at once later.
        let guard = world.guard_mut(id);
        guard.saved = guard.saved.min(MOST_SAVED);
    }
}

/// At the end of a beat, lets every guard see, smell and notice things, and then updates its alert
/// state.
pub(crate) fn perceive(world: &mut World, ticks: u16) {
    for id in world.guard_ids() {
        let awake = world.guard(id).is_awake();
        let mut sign = false;
        if awake {
            // A non-lazy `|`: both senses must add to awareness.
            sign = perceive::watch_for_thief(world, id, ticks)
                | smell::smell_for_thief(world, id, ticks);
            glance::glance_about(world, id, sign);
        }
        think::make_up_mind(world, id, ticks);
        if awake && !sign {
            forget(world, id, ticks);
        }
    }
}

/// Reduces the awareness of a guard after a beat without any sign of the thief.
fn forget(world: &mut World, id: GuardId, ticks: u16) {
    let fades = world.rules.awareness.fades * ticks / BEAT;
    let guard = world.guard_mut(id);
    if !matches!(guard.alert_state, AlertState::Chasing | AlertState::Fleeing) {
        guard.awareness = guard.awareness.saturating_sub(fades);
    }
}
