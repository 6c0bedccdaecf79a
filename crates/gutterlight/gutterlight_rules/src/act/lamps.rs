//! Putting out the lamps of the keep, and relighting them.

use crate::{
    BEAT, Direction, Fixture, FixtureKind, Perk, Refusal, Sound, World,
    act::{self, fire},
    light, sound,
    sound_source::SoundSource,
};

/// The lamp within reach, and its index in the floor's fixtures. Flames come before other lights,
/// and the next cell comes before the thief's own.
fn lamp_in_reach(world: &World, way: Direction) -> Result<(usize, Fixture), Refusal> {
    let (next, here) = (act::reach(world, way)?, world.state.thief.at);
    let lamps = || world.floor().fixtures.iter().copied().enumerate();
    let flame = |at| lamps().find(move |(_, lamp)| lamp.at == at && lamp.kind.is_flame());
    let other = |at| lamps().find(move |(_, lamp)| lamp.at == at);
    let found = flame(next).or_else(|| flame(here)).or_else(|| other(next));
    found.or_else(|| other(here)).ok_or(Refusal::NoLamp)
}

/// The lit lamp to put out.
pub(super) fn may_douse(world: &World, way: Direction) -> Result<usize, Refusal> {
    let (place, lamp) = lamp_in_reach(world, way)?;
    if !lamp.kind.is_flame() {
        Err(Refusal::NotDousable(lamp.kind))
    } else if !lamp.burning {
        Err(Refusal::LampDark)
    } else {
        Ok(place)
    }
}

pub(super) fn douse(world: &mut World, way: Direction) -> u16 {
    world.state.thief.facing = way;
    if let Ok(lamp) = may_douse(world, way) {
        let at = world.floor().fixtures[lamp].at;
        put_out_lamp(world, lamp);
        if world.state.thief.has(Perk::WetFingers) {
            // A pinched wick looks like one that burned down, so no guard misses it.
            world.floor_mut().fixtures[lamp].spare = true;
        } else {
            let reach = world.rules.noise.hiss;
            sound::make(world, Sound::Hiss, at, reach, SoundSource::Thief);
        }
    }
    BEAT
}

/// Puts out a lit lamp, and counts it for the thief.
pub(super) fn put_out_lamp(world: &mut World, lamp: usize) {
    light::set_lamp(world, lamp, false);
    world.state.tally.lamps_doused += 1;
    let (depth, at) = (world.state.depth, world.floor().fixtures[lamp].at);
    world.state.story.douse(depth, at);
}

/// The dark lamp to light.
pub(super) fn may_relight(world: &World, way: Direction) -> Result<usize, Refusal> {
    if !world.state.thief.torch_burns() {
        return Err(Refusal::NeedFlame);
    }
    let (place, lamp) = lamp_in_reach(world, way)?;
    match lamp.kind {
        // A closed shaft is not visible, so do not reveal it.
        FixtureKind::Moonlight if !lamp.burning => Err(Refusal::NoLamp),
        _ if lamp.burning => Err(Refusal::LampBurns),
        _ => Ok(place),
    }
}

pub(super) fn relight(world: &mut World, way: Direction) -> u16 {
    world.state.thief.facing = way;
    if let Ok(lamp) = may_relight(world, way) {
        let at = world.floor().fixtures[lamp].at;
        light::set_lamp(world, lamp, true);
        let reach = world.rules.noise.flame;
        sound::make(world, Sound::Flame, at, reach, SoundSource::Thief);
        fire::kindle(world);
    }
    BEAT
}
