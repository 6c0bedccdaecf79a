//! Smoke: it stops eyes and light, and thins out beat by beat.

use glam::IVec2;

use crate::{BEAT, GameEvent, Sound, World, floor::Smoke, guard::perceive::SoundSource};

impl World {
    /// A smoke bomb bursts.
    pub(super) fn burst(&mut self, at: IVec2) {
        let radius = self.rules.tools.smoke_radius;
        let density = self.rules.tools.smoke_density;
        for cell in self.flood(at, radius) {
            let smoke = &mut self.floor_mut().smoke;
            match smoke.iter_mut().find(|smoke| smoke.at == cell) {
                Some(smoke) => smoke.density = smoke.density.max(density),
                None => smoke.push(Smoke { at: cell, density }),
            }
            self.update_cell(cell);
        }
        self.tell(GameEvent::Smoke { at });
        let reach = self.rules.noise.burst;
        self.sound(Sound::Burst, at, reach, SoundSource::Thing);
    }

    /// Time passes: smoke gets thinner.
    pub(crate) fn thin_smoke(&mut self, ticks: u16) {
        let beats = self.beats_over(ticks);
        if beats == 0 || self.floor().smoke.is_empty() {
            return;
        }
        let fades = beats.saturating_mul(u16::from(self.rules.tools.smoke_fades));
        let fades = fades.min(u16::from(u8::MAX)) as u8;
        let mut smoke = core::mem::take(&mut self.floor_mut().smoke);
        for smoke in &mut smoke {
            smoke.density = smoke.density.saturating_sub(fades);
        }
        let cells: Vec<IVec2> = smoke.iter().map(|smoke| smoke.at).collect();
        smoke.retain(|smoke| smoke.density > 0);
        self.floor_mut().smoke = smoke;
        for at in cells {
            self.update_cell(at);
        }
    }

    /// How many whole beats of the game's time ended in the ticks that have just passed.
    pub(crate) fn beats_over(&self, ticks: u16) -> u16 {
        let (now, beat) = (self.state.tick, u32::from(BEAT));
        let before = now.saturating_sub(u32::from(ticks));
        (now / beat - before / beat) as u16
    }
}
