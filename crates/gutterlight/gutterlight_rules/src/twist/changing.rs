//! The changing of the guard: now and then each post is left for a patrol, and a patrol comes to the
//! post.
//!
//! ```text
//!    s  post A                  w -> A          For as long as the ways take, nobody watches what
//!    w  route 1-2-3      =>     s -> 1-2-3      the post watches; and then someone with a lantern.
//! ```

use crate::{
    AlertState, Duty, GuardId, Twist, World,
    direction::steps_between,
    rules::Posting,
    twist::{is_time, stir},
};

/// Time passes.
pub(super) fn go_on(world: &mut World, ticks: u16) {
    let every = world.rules.twists.relief_ticks.into();
    if is_time(world, every, ticks) && relieve(world) {
        stir(world, Twist::ChangingOfTheGuard);
    }
}

/// Each post that is calm changes places with the nearest patrol that is; whether any did.
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

/// Those who have nothing but this duty in mind: watchmen and sentries, and others with their postings.
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

/// Two guards change homes, routes and duties.
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
