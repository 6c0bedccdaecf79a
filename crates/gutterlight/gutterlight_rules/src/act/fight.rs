//! Takedowns, shoves and blows.
//!
//! ```text
//!        \ | /        A guard that looks north protects the three cells in front of it and the
//!       - [G] -       two at its sides. From the three cells behind it, it can be knocked out
//!        . . .        unless it is already chasing the thief.
//! ```

use glam::IVec2;

use crate::{
    AlertState, BEAT, Direction, GameEvent, GuardId, Perk, Refusal, Sound, Who, World, act, ai,
    sight, sound, sound_source::SoundSource,
};

/// The guard in the next cell.
pub(super) fn may_fight(world: &World, way: Direction) -> Result<GuardId, Refusal> {
    let next = act::reach(world, way)?;
    world.floor().guard_at(next).ok_or(Refusal::Nobody)
}

/// The guard to knock out.
pub(super) fn may_take_down(world: &World, way: Direction) -> Result<GuardId, Refusal> {
    let id = may_fight(world, way)?;
    let guard = world.guard(id);
    // Seen from the guard, the thief is in the opposite direction.
    let behind = way.opposite().apart(guard.facing) >= world.rules.combat.behind;
    let unaware = guard.is_asleep() || guard.alert_state.is_unaware();
    if unaware || (behind && guard.alert_state != AlertState::Chasing) {
        Ok(id)
    } else {
        Err(Refusal::OnGuard(guard.kind))
    }
}

pub(super) fn take_down(world: &mut World, way: Direction) -> u16 {
    world.state.thief.facing = way;
    if let Ok(id) = may_take_down(world, way) {
        let at = world.guard(id).at;
        put_to_sleep(world, id, world.rules.thief.takedown_sleep);
        if world.state.thief.has(Perk::NoTraces) {
            world.guard_mut(id).stowed = true;
        } else {
            let noise = &world.rules.noise;
            let (takedown, fall) = (noise.takedown, noise.fall);
            sound::make(world, Sound::Fight, at, takedown, SoundSource::Thief);
            sound::make(world, Sound::Fall, at, fall, SoundSource::Thief);
        }
    }
    BEAT
}

/// Knocks out a guard for some ticks. Heavy guards wake up sooner.
pub(super) fn put_to_sleep(world: &mut World, id: GuardId, ticks: u16) {
    let ticks = match world.guard_rules(id).heavy {
        true => percent_of(ticks, world.rules.combat.warden_sleep),
        false => ticks,
    };
    let guard = world.guard_mut(id);
    guard.set_alert_state(AlertState::Unconscious);
    guard.sleep = ticks;
    world.state.tally.takedowns += 1;
    fall(world, id, false);
}

fn fall(world: &mut World, id: GuardId, dead: bool) {
    let guard = world.guard_mut(id);
    guard.awareness = 0;
    guard.point_of_interest = None;
    guard.lamp = None;
    guard.saved = 0;
    let at = guard.at;
    sight::emit_if_seen(world, at, GameEvent::Downed { guard: id, dead });
}

/// The guard to shove. The shove is refused if the thief sees that there is no room behind it.
pub(super) fn may_shove(world: &World, way: Direction) -> Result<GuardId, Refusal> {
    let id = may_fight(world, way)?;
    let guard = world.guard(id);
    if world.guard_rules(id).heavy {
        return Err(Refusal::TooHeavy(guard.kind));
    }
    // Reveal nothing about a cell that the thief does not see.
    let behind = guard.at + way.step();
    match has_room(world, guard.at, behind) || !sight::sees(world, behind) {
        true => Ok(id),
        false => Err(Refusal::NoRoom),
    }
}

/// Whether a guard can be pushed from one cell to the next.
fn has_room(world: &World, from: IVec2, to: IVec2) -> bool {
    let floor = world.floor();
    floor.is_passable(to)
        && floor.tile(to).is_walkable()
        && floor.corners_free(from, to)
        && floor.guard_at(to).is_none()
}

pub(super) fn shove(world: &mut World, way: Direction) -> u16 {
    let ticks = world.rules.combat.shove_ticks;
    world.state.thief.facing = way;
    let Ok(guard) = may_shove(world, way) else {
        return ticks;
    };
    let from = world.guard(guard).at;
    let to = from + way.step();
    if has_room(world, from, to) {
        world.guard_mut(guard).at = to;
        world.guard_mut(guard).path.clear();
        world.emit(GameEvent::Shoved { guard, to });
    }
    let reach = world.rules.noise.shove;
    sound::make(world, Sound::Fight, from, reach, SoundSource::Thief);
    ai::walk::bump(world, guard, world.state.thief.at);
    // The guard stumbles and loses its next step.
    world.guard_mut(guard).saved = 0;
    ticks
}

/// Strikes the guard in the next cell.
pub(super) fn fight(world: &mut World, way: Direction) -> u16 {
    world.state.thief.facing = way;
    let Ok(id) = may_fight(world, way) else {
        return BEAT;
    };
    let (at, rules) = (world.guard(id).at, &world.rules.thief);
    let (hit, full) = (rules.hit, rules.damage);
    let damage = if world.state.dice.percent(hit) {
        full
    } else {
        0
    };
    world.emit(GameEvent::Struck {
        by: Who::Thief,
        whom: Who::Guard(id),
        damage,
    });
    let killed = hurt(world, id, damage);
    let reach = world.rules.noise.fight;
    sound::make(world, Sound::Fight, at, reach, SoundSource::Thief);
    if !killed {
        ai::walk::bump(world, id, world.state.thief.at);
    }
    BEAT
}

/// Damages a guard. Returns whether it died.
pub(super) fn hurt(world: &mut World, id: GuardId, damage: i16) -> bool {
    let guard = world.guard_mut(id);
    guard.health = guard.health.saturating_sub(damage).max(0);
    if guard.health > 0 {
        return false;
    }
    let at = guard.at;
    guard.set_alert_state(AlertState::Dead);
    guard.sleep = 0;
    world.state.tally.kills += 1;
    fall(world, id, true);
    let reach = world.rules.noise.fall;
    sound::make(world, Sound::Fall, at, reach, SoundSource::Thing);
    true
}

/// A percentage of a time.
pub(super) fn percent_of(ticks: u16, percent: u16) -> u16 {
    (u32::from(ticks) * u32::from(percent) / 100) as u16
}
