//! Being seen escalates: the alarm of a floor, from 0 to 4 bells.
//!
//! Problem: where a chase that was shaken off leaves no trace, to be seen costs nothing.
//!
//! Idea: a floor keeps its fright as ticks of calm that it would take to forget it. Whoever becomes sure
//! of the thief adds to it, and so does a comrade found on the ground; it wears off while nobody
//! chases, on floors that the thief has left too.
//!
//! ```text
//!    bells   from then on                                      as long as it rings
//!      1     sleepers wake, and do not lie down again          eyes are sharper, a bell at a time
//!      2     dark lamps are lit, those kept for it too         ...
//!      3                                                       those on patrol go in pairs
//!      4     a hunter comes by the farther stairs, who ...     ... is told now and then where you are
//! ```
//!
//! Who waits at the stairs for a thief who fled over them is in `act::absence`.

use glam::IVec2;

use crate::{
    AlertState, Duty, GameEvent, Guard, GuardId, GuardKind, World,
    direction::steps_between,
    floor::MOST_BELLS,
    guard::{Lantern, SURE},
    limits::MOST_GUARDS,
    rules::Posting,
};

/// From how many bells on something happens.
pub(crate) const WAKES: u8 = 1;
pub(crate) const LIGHTS: u8 = 2;
pub(crate) const PAIRS: u8 = 3;
pub(crate) const HUNTS: u8 = 4;

/// How many bells ring on the floor that the thief is on.
pub(crate) fn bells(world: &World) -> u8 {
    world.floor().alarm.bells(world.rules.alarm.bell_ticks)
}

/// A guard is sure of the thief, who is known to be there.
pub(crate) fn seen(world: &mut World, at: IVec2) {
    world.floor_mut().alarm.quarry = Some(at);
    raise(world, world.rules.alarm.seen);
}

/// A comrade lies on the ground.
pub(crate) fn found(world: &mut World) {
    raise(world, world.rules.alarm.found);
}

/// Adds to the fright of the floor; every bell more has its effect.
fn raise(world: &mut World, ticks: u32) {
    let before = bells(world);
    let most = world.rules.alarm.bell_ticks * u32::from(MOST_BELLS);
    let alarm = &mut world.floor_mut().alarm;
    alarm.fright = (alarm.fright + ticks).min(most);
    let now = bells(world);
    // One great fright can ring several bells: each has its effect, from the first up.
    for bell in before + 1..=now {
        world.state.tally.bells += 1;
        match bell {
            WAKES => wake_sleepers(world),
            LIGHTS => light_up(world),
            HUNTS => call_hunter(world),
            _ => {}
        }
    }
    tell(world, before);
}

/// Says how many bells ring, if they are others than before.
fn tell(world: &mut World, before: u8) {
    let bells = bells(world);
    if bells != before {
        let risen = bells > before;
        world.tell(GameEvent::Bells { bells, risen });
    }
}

/// Time passes: while nobody is after the thief, the fright wears off.
pub(crate) fn go_on(world: &mut World, ticks: u16) {
    if world.floor().alarm.fright == 0 {
        return;
    }
    let mut guards = world.floor().guards.iter();
    if guards.any(|guard| guard.alert_state == AlertState::Chasing) {
        return;
    }
    let before = bells(world);
    world.floor_mut().alarm.wear_off(u32::from(ticks));
    tell(world, before);
    call_off_hunt(world);
}

/// Whether hunters are told where the thief is.
pub(crate) fn hunts(world: &World) -> bool {
    bells(world) >= HUNTS
}

fn wake_sleepers(world: &mut World) {
    for guard in &mut world.floor_mut().guards {
        guard.wake();
    }
}

/// Each dark lamp gets someone who goes to light it, the nearest who has nothing else to do.
fn light_up(world: &mut World) {
    for lamp in 0..world.floor().fixtures.len() {
        let at = world.floor().fixtures[lamp].at;
        if !should_burn(world, lamp) || is_taken(world, lamp) {
            continue;
        }
        let free = |id: &GuardId| {
            let guard = world.guard(*id);
            let calm = guard.is_awake() && guard.alert_state == AlertState::Calm;
            calm && world.can_light(*id) && guard.lamp.is_none()
        };
        let near = |id: &GuardId| (steps_between(world.guard(*id).at, at), *id);
        let Some(id) = world.guard_ids().filter(free).min_by_key(near) else {
            return;
        };
        world.guard_mut(id).lamp = Some(lamp as u8);
    }
}

/// A hunter sets out to this floor, over the stairs that are farther from the thief; none if
/// there is one already.
fn call_hunter(world: &mut World) {
    let hunts = |guard: &Guard| guard.duty == Duty::Hunt && guard.is_standing();
    let on_stairs = world.state.followers.iter().any(|(guard, _)| hunts(guard));
    let floor = world.floor();
    let here = floor.guards.iter().any(hunts);
    if here || on_stairs || floor.guards.len() >= MOST_GUARDS {
        return;
    }
    let thief = world.state.thief.at;
    let stairs = [Some(floor.up), floor.down].into_iter().flatten();
    let Some(stairs) = stairs.max_by_key(|&at| (steps_between(at, thief), at.y, at.x)) else {
        return;
    };
    let facing = crate::Direction::towards(stairs, thief).unwrap_or(crate::Direction::North);
    let kind = GuardKind::Watchman;
    let hunter = Guard {
        health: world.rules.guard(kind).health,
        lantern: Lantern::Lit,
        point_of_interest: Some(stairs),
        ..Guard::new(kind, Duty::Hunt, stairs, facing)
    };
    let ticks = world.rules.alarm.hunter_ticks;
    world.state.followers.push((hunter, ticks));
}

/// Unless all bells ring the hunt is off: hunters go between the stairs and where they are.
pub(crate) fn call_off_hunt(world: &mut World) {
    if hunts(world) {
        return;
    }
    for guard in &mut world.floor_mut().guards {
        if guard.duty == Duty::Hunt && guard.is_standing() {
            guard.duty = Duty::Patrol;
            guard.route = vec![guard.home, guard.at];
            guard.leg = 0;
        }
    }
}

/// Where a hunter goes next: to where the thief was last known to be. Now and then, while all bells
/// ring, he is told anew.
pub(crate) fn quarry(world: &mut World, id: GuardId) -> IVec2 {
    let (tick, every) = (world.state.tick, u32::from(world.rules.alarm.told_ticks));
    let (thief, here) = (world.state.thief.at, world.guard(id).at);
    let rings = hunts(world);
    let alarm = &mut world.floor_mut().alarm;
    if rings && tick >= alarm.told + every {
        alarm.told = tick;
        alarm.quarry = Some(thief);
    }
    alarm.quarry.unwrap_or(here)
}

/// Whom a guard on patrol goes with while three bells ring: of those on patrol every other one follows
/// the one before.
pub(crate) fn partner(world: &World, id: GuardId) -> Option<GuardId> {
    if bells(world) < PAIRS {
        return None;
    }
    let patrols = |id: &GuardId| {
        let guard = world.guard(*id);
        guard.duty == Duty::Patrol
            && world.guard_rules(*id).posting == Posting::Barracks
            && guard.is_standing()
    };
    // Pairs follow from the order of numbers, so they are the same each beat without being stored.
    let mut leader = None;
    for other in world.guard_ids().filter(patrols) {
        match leader.take() {
            Some(first) if other == id => return Some(first),
            Some(_) => {}
            None => leader = Some(other),
        }
    }
    None
}

/// What eyes gain in a beat while bells ring: a share more for each.
pub(crate) fn sharpened(world: &World, gain: u32) -> u32 {
    let share = 100 + u32::from(bells(world)) * world.rules.alarm.sharper;
    (gain * share / 100).min(u32::from(SURE))
}

/// Whether a flame is dark that should burn: those that are kept for an alarm only in one.
pub(crate) fn should_burn(world: &World, lamp: usize) -> bool {
    let fixture = world.floor().fixtures[lamp];
    let expected = !fixture.spare || bells(world) >= LIGHTS;
    fixture.kind.is_flame() && !fixture.burning && expected
}

/// Whether someone is on his way to light it.
pub(crate) fn is_taken(world: &World, lamp: usize) -> bool {
    let mut guards = world.floor().guards.iter();
    guards.any(|guard| guard.lamp == Some(lamp as u8) && guard.is_awake())
}
