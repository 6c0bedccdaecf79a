//! The torch in the hand.

use crate::{
    BEAT, GameEvent, Item, Refusal, Sound, Torch, World,
    act::{fire, hands},
    sound,
    sound_source::SoundSource,
};

/// The torch in the hand.
pub(super) fn in_hand(world: &World) -> Result<Torch, Refusal> {
    world.state.thief.torch.ok_or(Refusal::NoTorch)
}

pub(super) fn may_light_torch(world: &World) -> Result<(), Refusal> {
    let torch = in_hand(world)?;
    if torch.lit {
        Err(Refusal::TorchBurns)
    } else if torch.fuel == 0 {
        Err(Refusal::NoFuel)
    } else if world.view().wick_is_wet() {
        Err(Refusal::WetWick)
    } else {
        Ok(())
    }
}

pub(super) fn light_torch(world: &mut World) -> u16 {
    turn_torch(world, true);
    let (at, reach) = (world.state.thief.at, world.rules.noise.flame);
    sound::make(world, Sound::Flame, at, reach, SoundSource::Thief);
    BEAT
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
    if let Some(torch) = &mut world.state.thief.torch {
        torch.lit = lit;
        world.tell(GameEvent::Torch { lit });
    }
}

/// Lets the torch fall, burning or not.
pub(super) fn drop_torch(world: &mut World) -> u16 {
    if let Some(torch) = world.state.thief.torch.take() {
        hands::put_down(world, Item::Torch(torch));
        fire::kindle(world);
    }
    BEAT
}
