//! The thief's torch.
//!
//! Lighting it takes time and fuel, and it glows for a while after it is put out. Showing a light
//! for a moment is therefore expensive.

use crate::{
    BEAT, GameEvent, Item, Refusal, Sound, Torch, World,
    act::{fire, hands},
    sound,
    sound_source::SoundSource,
};

/// The thief's torch.
pub(super) fn in_hand(world: &World) -> Result<Torch, Refusal> {
    world.state.thief.torch.ok_or(Refusal::NoTorch)
}

pub(super) fn may_light_torch(world: &World) -> Result<(), Refusal> {
    let torch = in_hand(world)?;
    if torch.lit {
        Err(Refusal::TorchBurns)
    } else if torch.fuel <= world.rules.thief.light_fuel {
        Err(Refusal::NoFuel)
    } else if world.view().wick_is_wet() {
        Err(Refusal::WetWick)
    } else {
        Ok(())
    }
}

pub(super) fn light_torch(world: &mut World) -> u16 {
    let rules = &world.rules.thief;
    let (ticks, fuel) = (rules.light_ticks, rules.light_fuel);
    if let Some(torch) = &mut world.state.thief.torch {
        torch.fuel = torch.fuel.saturating_sub(fuel);
    }
    turn_torch(world, true);
    let (at, reach) = (world.state.thief.at, world.rules.noise.flame);
    sound::make(world, Sound::Flame, at, reach, SoundSource::Thief);
    ticks
}

pub(super) fn may_snuff_torch(world: &World) -> Result<(), Refusal> {
    match in_hand(world)?.lit {
        true => Ok(()),
        false => Err(Refusal::TorchDark),
    }
}

pub(super) fn snuff_torch(world: &mut World) -> u16 {
    turn_torch(world, false);
    let (at, reach) = (world.state.thief.at, world.rules.noise.hiss);
    sound::make(world, Sound::Hiss, at, reach, SoundSource::Thief);
    BEAT
}

fn turn_torch(world: &mut World, lit: bool) {
    let embers = world.rules.thief.embers;
    let thief = &mut world.state.thief;
    if let Some(torch) = &mut thief.torch {
        torch.lit = lit;
        thief.embers = if lit { 0 } else { embers };
        world.emit(GameEvent::Torch { lit });
    }
}

/// Drops the thief's torch, lit or not.
pub(super) fn drop_torch(world: &mut World) -> u16 {
    if let Some(torch) = world.state.thief.let_go_of_torch() {
        hands::put_down(world, Item::Torch(torch));
        fire::kindle(world);
    }
    BEAT
}
