//! A beat of the guards' time: first all act, on what they knew; then all perceive, and make up
//! their minds.

use crate::{
    AlertState, GuardId, World,
    ai::{behavior, glance, pace, perceive, smell, think},
    limits::MOST_SAVED,
    rules::BEAT,
};

/// Every guard spends what it has saved.
pub(crate) fn act(world: &mut World, ticks: u16) {
    for id in world.guard_ids() {
        if !world.guard(id).is_awake() {
            continue;
        }
        world.guard_mut(id).saved += ticks;
        // Whatever the table says, a guard acts at most so often in a beat.
        for _ in 0..4 {
            let cost = pace::next_cost(world, id);
            if world.guard(id).saved < cost || world.state.ending.is_some() {
                break;
            }
            world.guard_mut(id).saved -= cost;
            behavior::do_one_thing(world, id);
        }
        // One that could not act saves no more than for a few steps, and does not jump later.
        let guard = world.guard_mut(id);
        guard.saved = guard.saved.min(MOST_SAVED);
    }
}

/// At the end of a beat every guard takes in what it sees, smells and finds, and then
/// makes up its mind.
pub(crate) fn perceive(world: &mut World, ticks: u16) {
    for id in world.guard_ids() {
        let awake = world.guard(id).is_awake();
        let mut sign = false;
        if awake {
            // Both senses, not the first that has a sign: each adds to awareness.
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

/// A beat without any sign of the thief.
fn forget(world: &mut World, id: GuardId, ticks: u16) {
    let fades = world.rules.awareness.fades * ticks / BEAT;
    let guard = world.guard_mut(id);
    if !matches!(guard.alert_state, AlertState::Chasing | AlertState::Fleeing) {
        guard.awareness = guard.awareness.saturating_sub(fades);
    }
}
