//! Sounds, and who hears them.

use glam::IVec2;

use crate::{
    Bark, GameEvent, Ground, GuardId, Perk, Sound, World, awareness, sight,
    sound_source::SoundSource, world::opening::Opening,
};

/// Makes a sound that reaches `reach` tenths of a cell over open floor. The thief and guards may
/// hear it. Of the sounds of other guards, guards only notice calls, howls and blows.
pub(crate) fn make(world: &mut World, sound: Sound, at: IVec2, reach: u16, source: SoundSource) {
    thief_hears(world, sound, at, reach, source);
    let minded = match source {
        SoundSource::Guard(_) => matches!(sound, Sound::Call | Sound::Howl | Sound::Fight),
        SoundSource::Thief | SoundSource::Thing => true,
    };
    if minded {
        guards_hear(world, at, reach, source);
    }
}

/// How much farther than its reach the thief hears a sound, in tenths of a cell.
fn ear(world: &World) -> u16 {
    match world.state.thief.trumpet {
        0 => world.rules.noise.thief_hears,
        _ => world.rules.noise.trumpet_hears,
    }
}

/// Updates the thief's hearing from the thief's cell, up to the farthest audible distance.
pub(crate) fn listen(world: &mut World) {
    let limit = world.rules.noise.farthest().saturating_add(ear(world));
    let at = world.state.thief.at;
    let floor = &world.state.floors[world.state.depth];
    world
        .hearing
        .listen(&floor.tiles, &world.rules.noise, at, limit);
}

fn thief_hears(world: &mut World, sound: Sound, at: IVec2, reach: u16, source: SoundSource) {
    let seen = match source {
        SoundSource::Thief => true,
        SoundSource::Guard(_) | SoundSource::Thing => sight::sees(world, at),
    };
    if seen {
        let reach = reach / 10;
        world.emit(GameEvent::Sounded { sound, at, reach });
        return;
    }
    if world.state.opening.is_some_and(Opening::is_silent) {
        return;
    }
    let Some(cost) = world.hearing.cost(at) else {
        return;
    };
    if cost <= reach.saturating_add(ear(world)) {
        let towards = world.hearing.towards(at);
        let steps = cost / 10;
        world.emit(GameEvent::Heard {
            sound,
            towards,
            steps,
            at,
        });
    }
}

/// Lets every guard within reach hear a sound.
fn guards_hear(world: &mut World, at: IVec2, reach: u16, source: SoundSource) {
    let floor = &world.state.floors[world.state.depth];
    let noise = &world.rules.noise;
    world.spread.listen(&floor.tiles, noise, at, reach);
    let costs: Vec<_> = floor
        .guards
        .iter()
        .map(|guard| world.spread.cost(guard.at))
        .collect();
    for (id, cost) in world.guard_ids().zip(costs) {
        if let Some(cost) = cost {
            awareness::guard_hears(world, id, at, reach - cost.min(reach), source);
        }
    }
}

/// Makes a guard say a line, which is heard like any sound.
pub(crate) fn bark(world: &mut World, guard: GuardId, bark: Bark) {
    let at = world.guard(guard).at;
    let heard = world.hearing.cost(at);
    let reach = world.rules.noise.voice;
    let in_reach = heard.is_some_and(|cost| cost <= reach.saturating_add(ear(world)));
    let seen = sight::sees(world, at);
    let silent = world.state.opening.is_some_and(Opening::is_silent);
    if seen || in_reach && !silent {
        // The speaker is only known if it is in sight.
        let guard = seen.then_some(guard);
        world.emit(GameEvent::Said { guard, bark });
    }
    make(
        world,
        Sound::Voice(bark),
        at,
        reach,
        SoundSource::Guard(guard),
    );
}

/// How far the thief's steps are heard on a kind of ground, in tenths of a cell. `gait` is the
/// loudness of the gait.
pub(crate) fn step_reach(world: &World, gait: u16, ground: Ground) -> u16 {
    let thief = &world.state.thief;
    let noise = &world.rules.noise;
    let ground = noise.ground(ground);
    let mut reach = u32::from(gait) * u32::from(ground) / 100;
    if thief.has(Perk::LightFeet) {
        reach = reach * u32::from(world.rules.perks.light_feet) / 100;
    }
    if thief.nerve == 0 {
        reach = reach * u32::from(world.rules.thief.nerve_noise) / 100;
    }
    reach.min(u32::from(u16::MAX)) as u16
}
