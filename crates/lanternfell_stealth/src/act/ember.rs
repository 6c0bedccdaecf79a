//! The Ember in the hands: it lights its bearer, unless it is wrapped, which burns cloth.

use crate::{BEAT, GameEvent, Refusal, Sound, World, guard::perceive::SoundSource};

impl World {
    pub(super) fn may_wrap_ember(&self) -> Result<(), Refusal> {
        let thief = &self.state.thief;
        match thief.ember.ok_or(Refusal::NoEmber)?.wrapped {
            true => Err(Refusal::EmberWrapped),
            false if thief.cloth == 0 => Err(Refusal::NoCloth),
            false => Ok(()),
        }
    }

    pub(super) fn may_unwrap_ember(&self) -> Result<(), Refusal> {
        match self.state.thief.ember.ok_or(Refusal::NoEmber)?.wrapped {
            true => Ok(()),
            false => Err(Refusal::EmberBare),
        }
    }

    /// Wraps it, or unwraps it.
    pub(super) fn wrap_ember(&mut self, wrapped: bool) -> u16 {
        if let Some(ember) = &mut self.state.thief.ember {
            ember.wrapped = wrapped;
            self.tell(GameEvent::Wrapped { wrapped });
            let (at, reach) = (self.state.thief.at, self.rules.noise.curtain);
            self.sound(Sound::Curtain, at, reach, SoundSource::Thief);
        }
        BEAT
    }
}
