//! The Ember in the thief's hands. It lights its bearer unless it is wrapped, which burns cloth.

use crate::{BEAT, GameEvent, Refusal, Sound, World, sound, sound_source::SoundSource};

pub(super) fn may_wrap_ember(world: &World) -> Result<(), Refusal> {
    let thief = &world.state.thief;
    match thief.ember.ok_or(Refusal::NoEmber)?.wrapped {
        true => Err(Refusal::EmberWrapped),
        false if thief.cloth == 0 => Err(Refusal::NoCloth),
        false => Ok(()),
    }
}

pub(super) fn may_unwrap_ember(world: &World) -> Result<(), Refusal> {
    match world.state.thief.ember.ok_or(Refusal::NoEmber)?.wrapped {
        true => Ok(()),
        false => Err(Refusal::EmberBare),
    }
}

/// Wraps or unwraps the Ember.
pub(super) fn wrap_ember(world: &mut World, wrapped: bool) -> u16 {
    if let Some(ember) = &mut world.state.thief.ember {
        ember.wrapped = wrapped;
        world.emit(GameEvent::Wrapped { wrapped });
        let (at, reach) = (world.state.thief.at, world.rules.noise.curtain);
        sound::make(world, Sound::Curtain, at, reach, SoundSource::Thief);
    }
    BEAT
}
