//! What eyes and ears tell guards of the thief.
//!
//! **Eyes.** A guard sees the thief if the straight line is free, the thief is inside its
//! cone, and near enough for how lit the thief is: for each band there is a distance. Then its
//! awareness grows: faster the brighter, the nearer and the more in front.
//!
//! ```text
//!            \      . dim
//!             \ . . . . lit
//!       guard  > . . . . . . . . blazing: as far as the eye reaches
//!             / . . . .
//!            /      .
//! ```
//!
//! **Ears.** A sound that still has some strength where a guard stands makes it suspicious;
//! a louder one sends it to look. No sound alone makes it sure, but for a listener's ear.

use glam::IVec2;
use lanternfell_lightgrid::LightBand;

use crate::{
    AlertState, Direction, Guard, GuardId, GuardKind, World, alarm,
    direction::steps_between,
    guard::{SURE, alert},
    light,
    rules::BEAT,
    sight,
    sound_source::SoundSource,
    twist,
};

/// Whether a guard sees the thief now.
pub(crate) fn guard_sees(world: &World, id: GuardId) -> bool {
    would_see(world, id, world.state.thief.at, light::shown_band(world))
}

/// Whether a guard would see someone in a cell who is lit like this.
pub(crate) fn would_see(world: &World, id: GuardId, at: IVec2, band: LightBand) -> bool {
    let guard = world.guard(id);
    let steps = steps_between(guard.at, at);
    guard.is_awake()
        && guard.kind.has_eyes()
        && steps <= sight_distance(world, guard.kind, band)
        && off_axis(guard, at).is_some_and(|apart| apart <= cone(world, guard))
        && sight::in_line(world, guard.at, at)
}

/// How far a kind of guard sees something that is lit like this, in cells: by the
/// table, and the difficulty, but for what is next to it.
pub(crate) fn sight_distance(world: &World, kind: GuardKind, band: LightBand) -> u32 {
    let cells = world.rules.guard(kind).sight[band as usize];
    let percent = world.rules.difficulty(world.state.difficulty).sight;
    if cells <= 1 {
        cells
    } else {
        twist::fog::sight(world, (cells * percent / 100).max(1))
    }
}

/// To how many eighths of a circle off its facing a guard sees; one that knows of a
/// thief looks about.
fn cone(world: &World, guard: &Guard) -> u32 {
    let cone = world.rules.guard(guard.kind).cone;
    match guard.alert_state {
        AlertState::Chasing | AlertState::Searching => cone + world.rules.behavior.alert_cone,
        _ => cone,
    }
}

/// What a guard's eyes add to its awareness; whether they saw anything.
pub(super) fn watch_for_thief(world: &mut World, id: GuardId, ticks: u16) -> bool {
    if !guard_sees(world, id) {
        return false;
    }
    let at = world.state.thief.at;
    let gain = eye_gain(world, world.guard(id), at, light::shown_band(world));
    let gain =
        alarm::sharpened(world, vigilant(world, id, gain)) * u32::from(ticks) / u32::from(BEAT);
    // Nobody is sure at once who is not next to him.
    let near = steps_between(world.guard(id).at, at) <= 1;
    let most = if near { SURE } else { SURE - 1 };
    notice(world, id, at, gain.clamp(1, u32::from(most)), SURE);
    true
}

/// What a beat of seeing someone in a cell adds.
fn eye_gain(world: &World, guard: &Guard, at: IVec2, band: LightBand) -> u32 {
    let rules = &world.rules.awareness;
    let steps = steps_between(guard.at, at);
    if steps <= 1 {
        // In darkness someone is there, but who?
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

/// More for a guard that had reason to be careful.
fn vigilant(world: &World, id: GuardId, gain: u32) -> u32 {
    let most = world.rules.behavior.most_vigilance;
    let times = u32::from(world.guard(id).vigilance.min(most));
    let share = 100 + times * u32::from(world.rules.awareness.vigilant);
    gain.saturating_mul(share) / 100
}

/// A sound reaches a guard, `strength` tenths of a cell above nothing.
pub(crate) fn guard_hears(
    world: &mut World,
    id: GuardId,
    at: IVec2,
    strength: u16,
    source: SoundSource,
) {
    if !world.guard(id).is_standing() {
        return;
    }
    match source {
        SoundSource::Guard(caller) if caller == id => {}
        SoundSource::Guard(caller) => follow_call(world, id, caller),
        SoundSource::Thief | SoundSource::Thing => hear(world, id, at, strength, source),
    }
}

/// By how much a sound must be above nothing for a kind of guard to mind it, in tenths
/// of a cell: by the table, and the difficulty.
pub(crate) fn hearing_need(world: &World, kind: GuardKind) -> u16 {
    let percent = world.rules.difficulty(world.state.difficulty).hearing;
    let percent = twist::fog::hearing(world, percent).max(1);
    (u32::from(world.rules.guard(kind).hearing) * 100 / percent) as u16
}

fn hear(world: &mut World, id: GuardId, at: IVec2, strength: u16, source: SoundSource) {
    let guard = world.guard(id);
    let deep_sleep = match guard.is_asleep() {
        true => world.rules.behavior.deep_sleep,
        false => 0,
    };
    let need = hearing_need(world, guard.kind).saturating_add(deep_sleep);
    let Some(above) = strength.checked_sub(need) else {
        return;
    };
    let rules = &world.rules.awareness;
    let gain = u32::from(rules.heard) * u32::from(above) / 10;
    let gain = vigilant(world, id, gain);
    let unsure = rules.suspicious.saturating_sub(world.guard(id).awareness);
    let knows = world.guard(id).kind == GuardKind::Listener
        && source == SoundSource::Thief
        && above >= world.rules.behavior.unmistakable;
    let most = if knows { SURE } else { SURE - 1 };
    let gain = if knows {
        u32::from(SURE)
    } else {
        gain + u32::from(unsure)
    };
    world.guard_mut(id).wake();
    notice(world, id, at, gain, most);
    go_and_look(world, id);
}

/// A comrade calls: the guard goes to where the thief was last known to be.
fn follow_call(world: &mut World, id: GuardId, caller: GuardId) {
    let point_of_interest = world.guard(caller).point_of_interest;
    let investigating = world.rules.awareness.investigating;
    world.guard_mut(id).wake();
    let guard = world.guard_mut(id);
    if matches!(guard.alert_state, AlertState::Chasing | AlertState::Fleeing) {
        return;
    }
    guard.awareness = guard.awareness.max(investigating);
    guard.point_of_interest = point_of_interest.or(guard.point_of_interest);
    guard.lamp = None;
    go_and_look(world, id);
}

/// One that searches elsewhere goes to look at its new point of interest.
pub(crate) fn go_and_look(world: &mut World, id: GuardId) {
    if world.guard(id).alert_state == AlertState::Searching {
        alert::take_up(world, id, AlertState::Investigating);
    }
}

/// A guard notices something of the thief in a cell: its awareness grows, up to `most`.
pub(crate) fn notice(world: &mut World, id: GuardId, at: IVec2, gain: u32, most: u16) {
    let guard = world.guard_mut(id);
    let grown = (u32::from(guard.awareness) + gain).min(u32::from(most)) as u16;
    guard.awareness = guard.awareness.max(grown);
    guard.point_of_interest = Some(at);
    match guard.alert_state {
        AlertState::Chasing
        | AlertState::Fleeing
        | AlertState::Suspicious
        | AlertState::Investigating => {
            guard.ticks = 0;
        }
        AlertState::Searching => {
            guard.ticks = 0;
            guard.path.clear();
        }
        AlertState::Calm | AlertState::Unconscious | AlertState::Dead => {}
    }
}

/// By how many eighths of a circle a cell lies off the way that a guard faces; none for its
/// own cell.
fn off_axis(guard: &Guard, at: IVec2) -> Option<u32> {
    Direction::towards(guard.at, at).map(|way| way.apart(guard.facing))
}
