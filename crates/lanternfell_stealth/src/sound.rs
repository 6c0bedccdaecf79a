//! Who hears what.

use glam::IVec2;

use crate::{
    AlertState, Bark, GameEvent, Ground, GuardId, Perk, Sound, World, guard::perceive::SoundSource,
    opening::Opening,
};

impl World {
    /// A sound, heard `reach` tenths of a cell far over open floor. The thief is told; guards
    /// mind what the thief and things do, and of each other's sounds calls, howls and blows.
    pub(crate) fn sound(&mut self, sound: Sound, at: IVec2, reach: u16, source: SoundSource) {
        self.thief_hears(sound, at, reach, source);
        let minded = match source {
            SoundSource::Guard(_) => matches!(sound, Sound::Call | Sound::Howl | Sound::Fight),
            SoundSource::Thief | SoundSource::Thing => true,
        };
        if minded {
            self.guards_hear(at, reach, source);
        }
    }

    /// How far the thief's ear is from a sound, at most, to hear it: beyond its reach.
    fn ear(&self) -> u16 {
        match self.state.thief.trumpet {
            0 => self.rules.noise.thief_hears,
            _ => self.rules.noise.trumpet_hears,
        }
    }

    /// Listens from the thief's cell, as far as anything can be heard.
    pub(crate) fn listen(&mut self) {
        let limit = self.rules.noise.farthest().saturating_add(self.ear());
        let at = self.state.thief.at;
        let floor = &self.state.floors[self.state.depth];
        self.hearing
            .listen(&floor.tiles, &self.rules.noise, at, limit);
    }

    fn thief_hears(&mut self, sound: Sound, at: IVec2, reach: u16, source: SoundSource) {
        let seen = match source {
            SoundSource::Thief => true,
            SoundSource::Guard(_) | SoundSource::Thing => self.sees(at),
        };
        if seen {
            let reach = reach / 10;
            self.tell(GameEvent::Sounded { sound, at, reach });
            return;
        }
        if self.state.opening.is_some_and(Opening::is_silent) {
            return;
        }
        let Some(cost) = self.hearing.cost(at) else {
            return;
        };
        if cost <= reach.saturating_add(self.ear()) {
            let towards = self.hearing.towards(at);
            let steps = cost / 10;
            self.tell(GameEvent::Heard {
                sound,
                towards,
                steps,
                at,
            });
        }
    }

    /// Every guard in reach takes note.
    fn guards_hear(&mut self, at: IVec2, reach: u16, source: SoundSource) {
        let floor = &self.state.floors[self.state.depth];
        let noise = &self.rules.noise;
        self.spread.listen(&floor.tiles, noise, at, reach);
        let costs: Vec<_> = floor
            .guards
            .iter()
            .map(|guard| self.spread.cost(guard.at))
            .collect();
        for (id, cost) in self.guard_ids().zip(costs) {
            if let Some(cost) = cost {
                self.guard_hears(id, at, reach - cost.min(reach), source);
            }
        }
    }

    /// A guard says something, which is heard like any sound.
    pub(crate) fn bark(&mut self, guard: GuardId, bark: Bark) {
        let at = self.guard(guard).at;
        let heard = self.hearing.cost(at);
        let reach = self.rules.noise.voice;
        let in_reach = heard.is_some_and(|cost| cost <= reach.saturating_add(self.ear()));
        let seen = self.sees(at);
        let silent = self.state.opening.is_some_and(Opening::is_silent);
        if seen || in_reach && !silent {
            // A voice in the dark has no face.
            let guard = seen.then_some(guard);
            self.tell(GameEvent::Said { guard, bark });
        }
        self.sound(Sound::Voice(bark), at, reach, SoundSource::Guard(guard));
    }

    /// How far the thief's steps are heard on a ground, in tenths of a cell, from the loudness
    /// of a gait.
    pub(crate) fn step_reach(&self, gait: u16, ground: Ground) -> u16 {
        let thief = &self.state.thief;
        let noise = &self.rules.noise;
        let ground = noise.ground(ground);
        let mut reach = u32::from(gait) * u32::from(ground) / 100;
        if thief.has(Perk::LightFeet) {
            reach = reach * u32::from(self.rules.perks.light_feet) / 100;
        }
        if thief.nerve == 0 {
            reach = reach * u32::from(self.rules.thief.nerve_noise) / 100;
        }
        reach.min(u32::from(u16::MAX)) as u16
    }

    /// Tells of a guard's alert state, if the guard is seen.
    pub(crate) fn tell_alert_state(&mut self, guard: GuardId, alert_state: AlertState) {
        let at = self.guard(guard).at;
        self.tell_seen(at, GameEvent::AlertState { guard, alert_state });
    }
}
