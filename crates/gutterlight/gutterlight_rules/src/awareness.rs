//! The awareness of guards, and hearing.
//!
//! Every sense adds to awareness with [`notice`]. Hearing is here and not in [`ai`](crate::ai) with
//! the other senses, because every sound calls it and guards in `ai` make sounds.
//!
//! A sound that is strong enough where a guard stands makes the guard suspicious. A louder one
//! sends it to look. Only guards with `sure_by_ear` become sure of the thief from a sound alone.
//!
//! Nothing in this module makes a sound. [`take_up`] changes an alert state silently, and
//! `ai::think` adds the spoken line. Otherwise one sound could trigger another without end.

use glam::IVec2;

use crate::{
    AlertState, GameEvent, GuardId, GuardKind, World, fog, guard::SURE, sight,
    sound_source::SoundSource,
};

/// Changes the alert state of a guard, and reports it if the guard is in sight. Returns whether the
/// state is different.
pub(crate) fn take_up(world: &mut World, id: GuardId, alert_state: AlertState) -> bool {
    if world.guard(id).alert_state == alert_state {
        return false;
    }
    world.guard_mut(id).set_alert_state(alert_state);
    let at = world.guard(id).at;
    let guard = id;
    sight::emit_if_seen(world, at, GameEvent::AlertState { guard, alert_state });
    true
}

/// The gain in awareness, increased for a guard that had reasons to be careful.
pub(crate) fn vigilant(world: &World, id: GuardId, gain: u32) -> u32 {
    let most = world.rules.behavior.most_vigilance;
    let times = u32::from(world.guard(id).vigilance.min(most));
    let share = 100 + times * u32::from(world.rules.awareness.vigilant);
    gain.saturating_mul(share) / 100
}

/// Lets a guard hear a sound. `strength` is what is left of its reach at the guard's cell, in
/// tenths of a cell.
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

/// The strength that a sound must have for a kind of guard to notice it, in tenths of a cell.
/// Depends on the rules, the difficulty and fog.
pub(crate) fn hearing_need(world: &World, kind: GuardKind) -> u16 {
    let percent = world.rules.difficulty(world.state.difficulty).hearing;
    let percent = fog::hearing(world, percent).max(1);
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
    // Any sound above the threshold makes the guard at least suspicious.
    let unsure = rules.suspicious.saturating_sub(world.guard(id).awareness);
    let knows = world.guard_rules(id).sure_by_ear
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

/// Sends a guard to the point of interest of a comrade that makes a sound.
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

/// Sends a searching guard to its new point of interest.
pub(crate) fn go_and_look(world: &mut World, id: GuardId) {
    if world.guard(id).alert_state == AlertState::Searching {
        take_up(world, id, AlertState::Investigating);
    }
}

/// Raises the awareness of a guard because of a sign of the thief in a cell, up to `most`.
pub(crate) fn notice(world: &mut World, id: GuardId, at: IVec2, gain: u32, most: u16) {
    let guard = world.guard_mut(id);
    // `most` limits what this sign adds. It does not lower a higher awareness.
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
