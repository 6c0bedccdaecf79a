//! Steps, and peeking around corners.
//!
//! There are three gaits. Walking is the standard. Sneaking is half as loud and half as fast.
//! Running is loud, twice as fast, and costs breath. A step into a closed door opens it, with the
//! quietness of the gait. A step into a guard that the thief did not see alerts the guard.

use glam::IVec2;
use lanternfell_lightgrid::{FieldOfView, LightBand};

use crate::{
    BEAT, Direction, Door, GameEvent, Memory, Perk, Refusal, Sound, Tile, Who, World, act,
    action::Gait, ai, sight, sound, sound_source::SoundSource,
};

/// The destination of a step, or the closed door that it would open.
pub(super) fn may_step(world: &World, way: Direction, gait: Gait) -> Result<IVec2, Refusal> {
    let thief = &world.state.thief;
    if gait == Gait::Run {
        if thief.cloaked {
            return Err(Refusal::CloakedRun);
        }
        if i32::from(thief.breath) < i32::from(world.rules.thief.run_ticks) {
            return Err(Refusal::OutOfBreath);
        }
    }
    free_next(world, way)
}

/// The next cell in a direction, if it is free or has a closed door.
fn free_next(world: &World, way: Direction) -> Result<IVec2, Refusal> {
    let next = act::reach(world, way)?;
    let floor = world.floor();
    if !floor.tile(next).is_passable() {
        return Err(Refusal::Blocked(floor.tile(next).name()));
    }
    let solid = floor
        .fixtures
        .iter()
        .find(|lamp| lamp.at == next && lamp.kind.is_solid());
    if let Some(lamp) = solid {
        return Err(Refusal::Blocked(lamp.kind.name()));
    }
    match floor.guard_at(next) {
        Some(guard) => Err(Refusal::Occupied(world.guard(guard).kind)),
        None => Ok(next),
    }
}

/// Takes a step. Returns its ticks.
pub(super) fn step(world: &mut World, way: Direction, gait: Gait) -> u16 {
    let truth = may_step(world, way, gait);
    world.state.thief.facing = way;
    let ticks = ticks_of(world, gait);
    match truth {
        Ok(next) if world.floor().tile(next) == Tile::Door(Door::Closed) => {
            open_door(world, next, gait);
            return ticks.max(BEAT);
        }
        Ok(next) => {
            let from = core::mem::replace(&mut world.state.thief.at, next);
            world.emit(GameEvent::Moved {
                who: Who::Thief,
                from,
                to: next,
            });
            make_step_heard(world, gait);
        }
        Err(_) => {
            make_step_heard(world, gait);
            bump_into(world, way);
        }
    }
    // Without this cost, no guard would ever catch a thief who runs away.
    if gait == Gait::Run {
        let breath = &mut world.state.thief.breath;
        *breath = breath.saturating_sub_unsigned(ticks).max(0);
    }
    ticks
}

/// Handles a step into something unseen: a guard, which is alerted, or a solid tile, which is
/// remembered.
fn bump_into(world: &mut World, way: Direction) {
    let at = world.state.thief.at;
    let next = at + way.step();
    if let Some(guard) = world.floor().guard_at(next) {
        ai::walk::bump(world, guard, at);
        return;
    }
    let (tile, band) = (world.floor().tile(next), world.band(next));
    if let Some(memory) = world.floor_mut().memory.get_mut(next) {
        *memory = Some(Memory {
            tile,
            fixture: None,
            item: None,
            band,
        });
    }
}

fn ticks_of(world: &World, gait: Gait) -> u16 {
    let rules = &world.rules.thief;
    match gait {
        Gait::Walk => rules.walk_ticks,
        Gait::Sneak => rules.sneak_ticks,
        Gait::Run => rules.run_ticks,
    }
}

/// Whether the thief walks as quietly as a sneak.
fn walks_in_the_night(world: &World) -> bool {
    let thief = &world.state.thief;
    thief.has(Perk::NightWalker) && thief.band == LightBand::Hidden
}

pub(super) fn loudness_of(world: &World, gait: Gait) -> u16 {
    let noise = &world.rules.noise;
    match gait {
        Gait::Walk if walks_in_the_night(world) => noise.sneak.min(noise.walk),
        Gait::Walk => noise.walk,
        Gait::Sneak => noise.sneak,
        Gait::Run => noise.run,
    }
}

/// Makes the sound of a step on the ground in the thief's cell.
fn make_step_heard(world: &mut World, gait: Gait) {
    let at = world.state.thief.at;
    let ground = world.floor().tile(at).ground();
    let reach = sound::step_reach(world, loudness_of(world, gait), ground);
    sound::make(world, Sound::Steps(ground), at, reach, SoundSource::Thief);
}

/// Opens a closed door. The noise of the door is reduced by as much as the noise of the steps,
/// compared with a walk.
pub(super) fn open_door(world: &mut World, at: IVec2, gait: Gait) {
    act::turn_tile(world, at, Tile::Door(Door::Open), true);
    let noise = &world.rules.noise;
    let reach = match gait {
        Gait::Run => noise.door,
        Gait::Walk | Gait::Sneak => {
            let share = u32::from(noise.door) * u32::from(loudness_of(world, gait));
            (share / u32::from(noise.walk.max(1))).min(u32::from(noise.door)) as u16
        }
    };
    sound::make(world, Sound::Door, at, reach, SoundSource::Thief);
}

/// The cell to look from. This can be a closed door, through its keyhole, or a curtain.
pub(super) fn may_peek(world: &World, way: Direction) -> Result<IVec2, Refusal> {
    let next = act::reach(world, way)?;
    match world.floor().tile(next) {
        Tile::Door(Door::Closed | Door::Locked) => Ok(next),
        _ => free_next(world, way),
    }
}

/// Looks from the next cell without moving there.
pub(super) fn peek(world: &mut World, way: Direction) -> u16 {
    world.state.thief.facing = way;
    if let Ok(from) = may_peek(world, way) {
        let mut view = FieldOfView::new();
        sight::look_from(world, &mut view, from);
        world.peeked = Some(view);
    }
    BEAT
}
