//! How awareness and time change a guard's alert state. [`guard`](crate::guard) has the diagram.

use crate::{
    AlertState, Bark, GuardId, Sighting, Sound, World,
    ai::alarm,
    awareness,
    direction::steps_between,
    guard::{Lantern, SURE},
    sound,
    sound_source::SoundSource,
};

/// Updates the alert state of a guard after a beat.
pub(crate) fn make_up_mind(world: &mut World, id: GuardId, ticks: u16) {
    let guard = world.guard_mut(id);
    guard.ticks = guard.ticks.saturating_add(ticks);
    match guard.alert_state {
        AlertState::Dead => {}
        AlertState::Unconscious => sleep_on(world, id, ticks),
        AlertState::Chasing | AlertState::Fleeing => chase_on(world, id),
        AlertState::Calm
        | AlertState::Suspicious
        | AlertState::Investigating
        | AlertState::Searching => {
            if world.guard(id).alert_state == AlertState::Calm && world.guard(id).is_awake() {
                relight_lantern(world, id, ticks);
            }
            weigh(world, id);
        }
    }
}

/// Updates a guard that is not sure of the thief yet.
fn weigh(world: &mut World, id: GuardId) {
    let rules = &world.rules.awareness;
    let (suspicious, investigating) = (rules.suspicious, rules.investigating);
    let (patience, search) = (rules.suspicious_ticks, search_ticks(world));
    let give_up = share_of(search, world.rules.behavior.lost_way);
    let guard = world.guard(id);
    match guard.alert_state {
        _ if guard.awareness >= SURE => become_sure(world, id),
        AlertState::Calm | AlertState::Suspicious if guard.awareness >= investigating => {
            change_mind(world, id, AlertState::Investigating, Bark::GoAndLook);
        }
        AlertState::Calm if guard.awareness >= suspicious => {
            world.state.tally.times_suspected += 1;
            change_mind(world, id, AlertState::Suspicious, Bark::WhoIsThere);
        }
        AlertState::Suspicious if guard.ticks >= patience => {
            calm_down(world, id);
        }
        // A guard that cannot get there searches where it is.
        AlertState::Investigating if guard.ticks >= give_up => {
            change_mind(world, id, AlertState::Searching, Bark::ComeOut);
        }
        AlertState::Searching if guard.ticks >= search => {
            calm_down(world, id);
        }
        _ => {}
    }
}

fn search_ticks(world: &World) -> u16 {
    let rules = &world.rules.awareness;
    if world.state.alarm {
        rules.alarmed_search_ticks
    } else {
        rules.searching_ticks
    }
}

/// Changes the alert state, and says a line.
pub(crate) fn change_mind(world: &mut World, id: GuardId, alert_state: AlertState, bark: Bark) {
    let other = awareness::take_up(world, id, alert_state);
    if other && !world.guard_rules(id).beast {
        sound::bark(world, id, bark);
    }
}

/// Starts the chase: the guard has found the thief, and calls the others.
pub(crate) fn become_sure(world: &mut World, id: GuardId) {
    world.guard_mut(id).wake();
    let guard = world.guard_mut(id);
    guard.awareness = SURE;
    guard.lamp = None;
    guard.vigilance = guard.vigilance.saturating_add(1);
    let (at, kind) = (guard.at, guard.kind);
    world.state.tally.times_seen += 1;
    alarm::seen(world, world.state.thief.at);
    let sighting = Sighting {
        depth: world.state.depth as u8,
        at: world.state.thief.at,
        by: kind,
        from: at,
        tick: world.state.tick,
    };
    world.state.story.see(sighting);
    let (alert_state, bark) = match world.rules.guard(kind).fights {
        true => (AlertState::Chasing, Bark::Thief),
        false => (AlertState::Fleeing, Bark::Help),
    };
    change_mind(world, id, alert_state, bark);
    let noise = &world.rules.noise;
    let (sound, reach) = match world.rules.guard(kind).beast {
        true => (Sound::Howl, noise.howl),
        false => (Sound::Call, noise.call),
    };
    sound::make(world, sound, at, reach, SoundSource::Guard(id));
}

/// Ends a chase some time after the last sign of the thief.
fn chase_on(world: &mut World, id: GuardId) {
    let lost = world.rules.awareness.lost_ticks;
    let give_up = share_of(lost, world.rules.behavior.lost_chase);
    let guard = world.guard(id);
    let there = guard
        .point_of_interest
        .is_none_or(|point_of_interest| point_of_interest == guard.at);
    // A guard that cannot get there gives up too, but later.
    let patience = if there { lost } else { give_up };
    if guard.ticks < patience {
        return;
    }
    let investigating = world.rules.awareness.investigating;
    world.guard_mut(id).awareness = investigating;
    change_mind(world, id, AlertState::Searching, Bark::LostHim);
}

/// Returns the guard to its duty.
fn calm_down(world: &mut World, id: GuardId) {
    let searched = world.guard(id).alert_state == AlertState::Searching;
    let suspicious = world.rules.awareness.suspicious;
    let calmed = share_of(suspicious, world.rules.behavior.calmed);
    let guard = world.guard_mut(id);
    guard.awareness = guard.awareness.min(calmed);
    guard.point_of_interest = None;
    if searched {
        guard.vigilance = guard.vigilance.saturating_add(1);
    }
    change_mind(world, id, AlertState::Calm, Bark::MustHaveBeenRats);
}

/// Lets an unconscious guard sleep on, or wakes it. It then searches.
fn sleep_on(world: &mut World, id: GuardId, ticks: u16) {
    let guard = world.guard_mut(id);
    guard.sleep = guard.sleep.saturating_sub(ticks);
    let at = guard.at;
    if guard.sleep > 0 || world.state.thief.at == at || world.floor().guard_at(at).is_some() {
        return;
    }
    let investigating = world.rules.awareness.investigating;
    let guard = world.guard_mut(id);
    guard.awareness = investigating;
    guard.vigilance = guard.vigilance.saturating_add(1);
    guard.point_of_interest = Some(at);
    guard.saved = 0;
    guard.stowed = false;
    guard.get_up();
    found_again(world, id);
    change_mind(world, id, AlertState::Searching, Bark::ComeOut);
}

/// Makes all guards forget the loss of a comrade, so that they can mourn it again.
pub(crate) fn found_again(world: &mut World, id: GuardId) {
    for guard in &mut world.floor_mut().guards {
        guard.mourns &= !(1 << id);
    }
}

/// Relights a lantern after some ticks of calm.
fn relight_lantern(world: &mut World, id: GuardId, ticks: u16) {
    if let Lantern::Out(left) = &mut world.guard_mut(id).lantern {
        *left = left.saturating_sub(ticks);
        if *left == 0 {
            world.guard_mut(id).lantern = Lantern::Lit;
            let (at, reach) = (world.guard(id).at, world.rules.noise.flame);
            sound::make(world, Sound::Flame, at, reach, SoundSource::Guard(id));
        }
    }
}

/// Wakes all guards because the Ember was taken, and sends those on this floor to look.
pub(crate) fn raise_alarm(world: &mut World) {
    world.state.alarm = true;
    let more = world.rules.behavior.alarm_vigilance;
    let investigating = world.rules.awareness.investigating;
    let at = world.state.thief.at;
    for floor in &mut world.state.floors {
        for guard in floor.guards.iter_mut().filter(|guard| guard.is_standing()) {
            guard.vigilance = guard.vigilance.saturating_add(more);
            guard.get_up();
        }
    }
    for id in world.guard_ids() {
        let guard = world.guard_mut(id);
        if guard.is_standing()
            && !matches!(guard.alert_state, AlertState::Chasing | AlertState::Fleeing)
        {
            guard.awareness = guard.awareness.max(investigating);
            guard.point_of_interest = Some(at);
        }
    }
    let speaks = |id: &GuardId| {
        let guard = world.guard(*id);
        guard.is_standing() && world.rules.guard(guard.kind).hands
    };
    let near = |id: &GuardId| (steps_between(world.guard(*id).at, at), *id);
    let nearest = world.guard_ids().filter(speaks).min_by_key(near);
    if let Some(id) = nearest {
        sound::bark(world, id, Bark::EmberGone);
    }
}

/// A percentage of a number.
fn share_of(number: u16, percent: u16) -> u16 {
    let share = u32::from(number) * u32::from(percent) / 100;
    share.min(u32::from(u16::MAX)) as u16
}
