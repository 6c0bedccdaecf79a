//! What guards see of the thief.
//!
//! A guard sees the thief if the line of sight is free, the thief is inside its cone, and the thief
//! is near enough: each light band has a distance. Its awareness then grows, faster for a brighter,
//! nearer and more central thief.
//!
//! ```text
//!            \      . dim
//!             \ . . . . lit
//!       guard  > . . . . . . . . blazing: as far as the eye reaches
//!             / . . . .
//!            /      .
//! ```

use glam::IVec2;
use lanternfell_lightgrid::LightBand;

use crate::{
    AlertState, Direction, Guard, GuardId, GuardKind, World,
    ai::alarm,
    awareness::{notice, vigilant},
    direction::steps_between,
    fog,
    guard::SURE,
    light,
    rules::BEAT,
    sight,
};

/// Whether a guard sees the thief now.
pub(crate) fn guard_sees(world: &World, id: GuardId) -> bool {
    would_see(world, id, world.state.thief.at, light::shown_band(world))
}

/// Whether a guard would see someone in a cell in this light band.
pub(crate) fn would_see(world: &World, id: GuardId, at: IVec2, band: LightBand) -> bool {
    let guard = world.guard(id);
    let steps = steps_between(guard.at, at);
    guard.is_awake()
        && world.guard_rules(id).eyes
        && steps <= sight_distance(world, guard.kind, band)
        && off_axis(guard, at).is_some_and(|apart| apart <= cone(world, guard))
        && sight::in_line(world, guard.at, at)
}

/// How far a kind of guard sees something in this light band, in cells. The difficulty and fog
/// change the distance, unless it is only the next cell.
pub(crate) fn sight_distance(world: &World, kind: GuardKind, band: LightBand) -> u32 {
    let cells = world.rules.guard(kind).sight[band as usize];
    let percent = world.rules.difficulty(world.state.difficulty).sight;
    if cells <= 1 {
        cells
    } else {
        fog::sight(world, (cells * percent / 100).max(1))
    }
}

/// The half angle of a guard's cone in eighths of a circle. It is wider while the guard chases or
/// searches.
fn cone(world: &World, guard: &Guard) -> u32 {
    let cone = world.rules.guard(guard.kind).cone;
    match guard.alert_state {
        AlertState::Chasing | AlertState::Searching => cone + world.rules.behavior.alert_cone,
        _ => cone,
    }
}

/// Adds what a guard sees to its awareness. Returns whether it saw the thief.
pub(super) fn watch_for_thief(world: &mut World, id: GuardId, ticks: u16) -> bool {
    if !guard_sees(world, id) {
        return false;
    }
    let at = world.state.thief.at;
    let gain = eye_gain(world, world.guard(id), at, light::shown_band(world));
    let gain =
        alarm::sharpened(world, vigilant(world, id, gain)) * u32::from(ticks) / u32::from(BEAT);
    // Only a guard next to the thief can become sure at once.
    let near = steps_between(world.guard(id).at, at) <= 1;
    let most = if near { SURE } else { SURE - 1 };
    notice(world, id, at, gain.clamp(1, u32::from(most)), SURE);
    true
}

/// The awareness gained in a beat by seeing someone in a cell.
fn eye_gain(world: &World, guard: &Guard, at: IVec2, band: LightBand) -> u32 {
    let rules = &world.rules.awareness;
    let steps = steps_between(guard.at, at);
    if steps <= 1 {
        // In darkness the guard only notices that someone is there.
        let hidden = band == LightBand::Hidden;
        return u32::from(if hidden { rules.beside } else { SURE });
    }
    let full = u32::from(match band {
        LightBand::Hidden | LightBand::Dim => rules.dim,
        LightBand::Lit => rules.lit,
        LightBand::Blazing => rules.blazing,
    });
    let range = sight_distance(world, guard.kind, band).max(1);
    let lost = u32::from(100 - rules.far.min(100)) * steps.min(range) / range;
    let gain = full * (100 - lost) / 100;
    match off_axis(guard, at) {
        Some(0) | None => gain,
        Some(_) => gain * u32::from(rules.corner_of_eye) / 100,
    }
}

/// The angle between a guard's facing and a cell, in eighths of a circle. `None` for its own cell.
fn off_axis(guard: &Guard, at: IVec2) -> Option<u32> {
    Direction::towards(guard.at, at).map(|way| way.apart(guard.facing))
}
