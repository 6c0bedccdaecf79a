//! The changing of the guard: at intervals, each posted guard swaps roles with a patrol.
//!
//! ```text
//!    s  post A                  w -> A          While the two walk, no one watches what the post
//!    w  route 1-2-3      =>     s -> 1-2-3      watches. Then someone with a lantern stands there.
//! ```

use crate::{
    AlertState, Duty, GuardId, Twist, World,
    direction::steps_between,
    rules::Posting,
    twist::{is_time, stir},
};

/// Lets time pass.
pub(super) fn go_on(world: &mut World, ticks: u16) {
    let every = world.rules.twists.relief_ticks.into();
    if is_time(world, every, ticks) && relieve(world) {
        stir(world, Twist::ChangingOfTheGuard);
    }
}

/// Swaps each calm posted guard with the nearest calm patrol. Returns whether any were swapped.
fn relieve(world: &mut World) -> bool {
    let posted: Vec<GuardId> = calm(world, Duty::Post).collect();
    let mut patrols: Vec<GuardId> = calm(world, Duty::Patrol).collect();
    let mut any = false;
    for id in posted {
        let home = world.guard(id).home;
        let near = |&other: &GuardId| (steps_between(world.guard(other).at, home), other);
        let Some(other) = patrols.iter().copied().min_by_key(near) else {
            break;
        };
        patrols.retain(|&taken| taken != other);
        exchange(world, id, other);
        any = true;
    }
    any
}

/// The calm watchmen and sentries (by their postings) with this duty.
fn calm(world: &World, duty: Duty) -> impl Iterator<Item = GuardId> {
    world.guard_ids().filter(move |&id| {
        let guard = world.guard(id);
        let serves = match world.guard_rules(id).posting {
            Posting::Watch | Posting::Barracks => true,
            Posting::Ember | Posting::Round | Posting::Lamps => false,
        };
        serves && guard.duty == duty && guard.alert_state == AlertState::Calm
    })
}

/// Swaps the homes, routes and duties of two guards.
fn exchange(world: &mut World, one: GuardId, other: GuardId) {
    let [mut first, mut second] = [one, other].map(|id| world.guard(id).clone());
    core::mem::swap(&mut first.home, &mut second.home);
    core::mem::swap(&mut first.watch, &mut second.watch);
    core::mem::swap(&mut first.route, &mut second.route);
    core::mem::swap(&mut first.leg, &mut second.leg);
    core::mem::swap(&mut first.duty, &mut second.duty);
    first.path.clear();
    second.path.clear();
    *world.guard_mut(one) = first;
    *world.guard_mut(other) = second;
}
