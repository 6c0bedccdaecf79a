//! The torch in the hand.

use crate::{BEAT, GameEvent, Item, Refusal, Sound, Torch, World, guard::perceive::SoundSource};

impl World {
    /// The torch in the hand.
    pub(super) fn torch(&self) -> Result<Torch, Refusal> {
        self.state.thief.torch.ok_or(Refusal::NoTorch)
    }

    pub(super) fn may_light_torch(&self) -> Result<(), Refusal> {
        let torch = self.torch()?;
        if torch.lit {
            Err(Refusal::TorchBurns)
        } else if torch.fuel == 0 {
            Err(Refusal::NoFuel)
        } else if self.view().wick_is_wet() {
            Err(Refusal::WetWick)
        } else {
            Ok(())
        }
    }

    pub(super) fn light_torch(&mut self) -> u16 {
        self.turn_torch(true);
        let (at, reach) = (self.state.thief.at, self.rules.noise.flame);
        self.sound(Sound::Flame, at, reach, SoundSource::Thief);
        BEAT
    }

    pub(super) fn may_snuff_torch(&self) -> Result<(), Refusal> {
        match self.torch()?.lit {
            true => Ok(()),
            false => Err(Refusal::TorchDark),
        }
    }

    pub(super) fn snuff_torch(&mut self) -> u16 {
        self.turn_torch(false);
        let (at, reach) = (self.state.thief.at, self.rules.noise.hiss);
        self.sound(Sound::Hiss, at, reach, SoundSource::Thief);
        BEAT
    }

    fn turn_torch(&mut self, lit: bool) {
        if let Some(torch) = &mut self.state.thief.torch {
            torch.lit = lit;
            self.tell(GameEvent::Torch { lit });
        }
    }

    /// Lets the torch fall, burning or not.
    pub(super) fn drop_torch(&mut self) -> u16 {
        if let Some(torch) = self.state.thief.torch.take() {
            self.put_down(Item::Torch(torch));
            self.kindle();
        }
        BEAT
    }
}
