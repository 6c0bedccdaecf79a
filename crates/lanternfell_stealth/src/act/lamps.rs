//! Putting out the lamps of the keep, and lighting them again.

use crate::{
    BEAT, Direction, Fixture, FixtureKind, Refusal, Sound, World, guard::perceive::SoundSource,
};

impl World {
    /// The lamp in hand's reach: a flame in the next cell before one in the thief's own, and
    /// any flame before a light that is none. Its place in the floor's fixtures.
    fn lamp_in_reach(&self, way: Direction) -> Result<(usize, Fixture), Refusal> {
        let (next, here) = (self.reach(way)?, self.state.thief.at);
        let lamps = || self.floor().fixtures.iter().copied().enumerate();
        let flame = |at| lamps().find(move |(_, lamp)| lamp.at == at && lamp.kind.is_flame());
        let other = |at| lamps().find(move |(_, lamp)| lamp.at == at);
        let found = flame(next).or_else(|| flame(here)).or_else(|| other(next));
        found.or_else(|| other(here)).ok_or(Refusal::NoLamp)
    }

    /// The burning lamp to put out.
    pub(super) fn may_douse(&self, way: Direction) -> Result<usize, Refusal> {
        let (place, lamp) = self.lamp_in_reach(way)?;
        if !lamp.kind.is_flame() {
            Err(Refusal::NotDousable(lamp.kind))
        } else if !lamp.burning {
            Err(Refusal::LampDark)
        } else {
            Ok(place)
        }
    }

    pub(super) fn douse(&mut self, way: Direction) -> u16 {
        self.state.thief.facing = way;
        if let Ok(lamp) = self.may_douse(way) {
            let at = self.floor().fixtures[lamp].at;
            self.put_out_lamp(lamp);
            let reach = self.rules.noise.hiss;
            self.sound(Sound::Hiss, at, reach, SoundSource::Thief);
        }
        BEAT
    }

    /// The thief puts out a lamp that burns, by hand or from afar.
    pub(super) fn put_out_lamp(&mut self, lamp: usize) {
        self.set_lamp(lamp, false);
        self.state.tally.lamps_doused += 1;
    }

    /// The dark lamp to light.
    pub(super) fn may_relight(&self, way: Direction) -> Result<usize, Refusal> {
        if !self.state.thief.torch_burns() {
            return Err(Refusal::NeedFlame);
        }
        let (place, lamp) = self.lamp_in_reach(way)?;
        match lamp.kind {
            // Where a shaft is shut there is nothing to be seen of it.
            FixtureKind::Moonlight if !lamp.burning => Err(Refusal::NoLamp),
            _ if lamp.burning => Err(Refusal::LampBurns),
            _ => Ok(place),
        }
    }

    pub(super) fn relight(&mut self, way: Direction) -> u16 {
        self.state.thief.facing = way;
        if let Ok(lamp) = self.may_relight(way) {
            let at = self.floor().fixtures[lamp].at;
            self.set_lamp(lamp, true);
            let reach = self.rules.noise.flame;
            self.sound(Sound::Flame, at, reach, SoundSource::Thief);
            self.kindle();
        }
        BEAT
    }
}
