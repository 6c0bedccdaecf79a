//! What happened on a floor while the thief was on another one. It is computed when the thief comes
//! back.
//!
//! ```text
//!    away   shorter than alarm.stairs_ticks           longer
//!           guards that searched have walked          all guards have gone
//!           toward the stairs, and wait there         home
//! ```
//!
//! Patrols have walked on, smoke has thinned, oil and torches have burned down, and the alarm has
//! decreased. Stairs are therefore no way to shake off a chase: guards wait for a thief who comes
//! back at once.

use glam::IVec2;

use crate::{
    AlertState, BEAT, Direction, Duty, GuardId, Item, World,
    ai::{self, alarm},
    direction::steps_between,
};

/// How close guards wait to the stairs, in steps. They stay out of striking distance.
const LURK: u32 = 2;

/// The minimum distance of patrols from the stairs, in steps.
const CLEAR: u32 = 8;

/// Updates the floor for the time since the thief left it. The thief arrives at `stairs`.
pub(super) fn pass(world: &mut World, stairs: IVec2) {
    let away = world.state.tick.saturating_sub(world.floor().left);
    world.floor_mut().alarm.wear_off(away);
    alarm::call_off_hunt(world);
    burn_down(world, away);
    let away = u16::try_from(away).unwrap_or(u16::MAX);
    let waits = away < world.rules.alarm.stairs_ticks;
    for id in world.guard_ids() {
        let guard = world.guard_mut(id);
        guard.sleep = guard.sleep.saturating_sub(away);
        match guard.alert_state {
            AlertState::Unconscious | AlertState::Dead => {}
            AlertState::Calm => walk_on(world, id, stairs, away),
            _ if !waits => send_home(world, id),
            AlertState::Suspicious => {}
            AlertState::Chasing
            | AlertState::Fleeing
            | AlertState::Investigating
            | AlertState::Searching => wait_at_stairs(world, id, stairs, away),
        }
    }
}

/// Burns down oil and torches, and thins smoke.
fn burn_down(world: &mut World, away: u32) {
    let beats = away / u32::from(BEAT);
    let fades = beats.saturating_mul(u32::from(world.rules.tools.smoke_fades));
    let fades = fades.min(u32::from(u8::MAX)) as u8;
    let floor = world.floor_mut();
    floor.smoke.retain_mut(|smoke| {
        smoke.density = smoke.density.saturating_sub(fades);
        smoke.density > 0
    });
    floor.oil.retain_mut(|oil| {
        let burnt = oil.burns > 0;
        oil.burns = u32::from(oil.burns).saturating_sub(away) as u16;
        !burnt || oil.burns > 0
    });
    for placed in &mut floor.items {
        if let Item::Torch(torch) = &mut placed.item
            && torch.lit
        {
            torch.fuel = u32::from(torch.fuel).saturating_sub(beats) as u16;
            torch.lit = torch.fuel > 0;
        }
    }
}

/// Moves a calm patrol along its route, but never close to the stairs.
fn walk_on(world: &mut World, id: GuardId, stairs: IVec2, away: u16) {
    let guard = world.guard(id);
    if guard.duty != Duty::Patrol || guard.route.len() < 2 {
        return;
    }
    let pace = u32::from(world.rules.guard(guard.kind).calm_ticks.max(1));
    let (mut left, mut at, mut leg) = (u32::from(away) / pace, guard.at, usize::from(guard.leg));
    let mut place = None;
    // The real path between two waypoints is at least as long as the steps between them.
    for _ in 0..guard.route.len() {
        let next = guard.route[leg % guard.route.len()];
        let steps = steps_between(at, next).max(1);
        let Some(rest) = left.checked_sub(steps) else {
            break;
        };
        (left, at, leg) = (rest, next, (leg + 1) % guard.route.len());
        place = Some(next);
    }
    let Some(at) = place.filter(|&at| steps_between(at, stairs) >= CLEAR) else {
        return;
    };
    if is_free(world, at) {
        let guard = world.guard_mut(id);
        guard.at = at;
        guard.leg = leg as u8;
        guard.path.clear();
    }
}

/// Moves a guard that searched to the stairs, or as far toward them as it got.
fn wait_at_stairs(world: &mut World, id: GuardId, stairs: IVec2, away: u16) {
    let investigating = world.rules.awareness.investigating;
    let pace = world.rules.guard(world.guard(id).kind).search_ticks.max(1);
    // Ticks that the guard saved before count too, so no step is lost.
    let time = away.saturating_add(world.guard(id).saved);
    if let Some(at) = place_on_way(world, id, stairs, usize::from(time / pace)) {
        world.guard_mut(id).at = at;
    }
    let guard = world.guard_mut(id);
    guard.set_alert_state(match steps_between(guard.at, stairs) {
        0..=LURK => AlertState::Searching,
        _ => AlertState::Investigating,
    });
    guard.ticks = 0;
    guard.saved = time % pace;
    guard.awareness = guard.awareness.min(investigating);
    guard.point_of_interest = Some(stairs);
    guard.path.clear();
    guard.facing = Direction::towards(guard.at, stairs).unwrap_or(guard.facing);
}

/// The last free cell on a guard's path to the stairs that is at most `steps` steps away.
fn place_on_way(world: &World, id: GuardId, stairs: IVec2, steps: usize) -> Option<IVec2> {
    let guard = world.guard(id);
    let toll = |at| ai::walk::toll(world, guard.kind, at);
    let way = crate::path::way(world.floor(), guard.at, stairs, toll)?;
    // The path is stored from its end.
    let walked: Vec<IVec2> = way.into_iter().rev().take(steps).collect();
    let fits = |at: &IVec2| steps_between(*at, stairs) >= LURK && is_free(world, *at);
    walked.into_iter().rev().find(fits)
}

fn is_free(world: &World, at: IVec2) -> bool {
    let floor = world.floor();
    floor.is_passable(at)
        && floor.tile(at).is_walkable()
        && floor.guard_at(at).is_none()
        && world.state.thief.at != at
        && !floor.fire_at(at)
}

fn send_home(world: &mut World, id: GuardId) {
    let home = world.guard(id).home;
    let free = world.floor().guard_at(home).is_none() && !world.floor().fire_at(home);
    let guard = world.guard_mut(id);
    guard.set_alert_state(AlertState::Calm);
    guard.awareness = 0;
    guard.point_of_interest = None;
    guard.lamp = None;
    if free {
        guard.at = home;
    }
}
