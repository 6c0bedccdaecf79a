//! Doors, curtains, shutters and locks.
//!
//! The light needs no rule of its own here: the tile is another, and light flows. Only the
//! moon, whose shafts are lamps, must be told whether a shutter beside it is open.

use glam::IVec2;

use crate::{
    BEAT, Direction, Door, FixtureKind, GameEvent, Refusal, Sound, Tile, Tool, World, action::Gait,
    guard::perceive::SoundSource,
};

/// What is opened, or with what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Means {
    Door,
    Curtain,
    Shutter,
    /// With the key of this floor.
    Key,
    /// With the picklock in this slot.
    Picklock(u8),
}

impl World {
    /// What there is to open this way, and how.
    pub(super) fn may_open(&self, way: Direction) -> Result<(IVec2, Means), Refusal> {
        let next = self.reach(way)?;
        let means = match self.floor().tile(next) {
            Tile::Door(Door::Closed) => Means::Door,
            Tile::Curtain { open: false } => Means::Curtain,
            Tile::Shutter { open: false } => Means::Shutter,
            Tile::Door(Door::Locked) => self.unlocking()?,
            _ => return Err(Refusal::NothingToOpen),
        };
        Ok((next, means))
    }

    fn unlocking(&self) -> Result<Means, Refusal> {
        let thief = &self.state.thief;
        if thief.keys & self.key_bit() != 0 {
            return Ok(Means::Key);
        }
        let picklock = thief.slot_of(Tool::Picklock);
        picklock.map(Means::Picklock).ok_or(Refusal::Locked)
    }

    /// The bit of this floor's key.
    pub(super) fn key_bit(&self) -> u8 {
        1 << self.state.depth.min(7)
    }

    /// Opens it. A lock is opened first, and the door by another action.
    pub(super) fn open(&mut self, way: Direction) -> u16 {
        let Ok((at, means)) = self.may_open(way) else {
            return BEAT;
        };
        match means {
            Means::Door => self.open_door(at, Gait::Walk),
            Means::Curtain => self.draw_curtain(at, true),
            Means::Shutter => self.turn_shutter(at, true),
            Means::Key => self.unlock(at, false),
            Means::Picklock(slot) => {
                self.take_one(slot);
                self.unlock(at, true);
                return self.rules.tools.picklock_beats * BEAT;
            }
        }
        BEAT
    }

    fn unlock(&mut self, at: IVec2, picked: bool) {
        if let Some(tile) = self.floor_mut().tiles.get_mut(at) {
            *tile = Tile::Door(Door::Closed);
        }
        self.update_cell(at);
        self.tell(GameEvent::Unlocked { at, picked });
        let noise = &self.rules.noise;
        let reach = if picked { noise.picklock } else { noise.lock };
        self.sound(Sound::Lock, at, reach, SoundSource::Thief);
    }

    /// What there is to close this way.
    pub(super) fn may_close(&self, way: Direction) -> Result<(IVec2, Means), Refusal> {
        let next = self.reach(way)?;
        match self.floor().tile(next) {
            Tile::Door(Door::Open) if !self.is_clear(next) => Err(Refusal::DoorObstructed),
            Tile::Door(Door::Open) => Ok((next, Means::Door)),
            Tile::Curtain { open: true } => Ok((next, Means::Curtain)),
            Tile::Shutter { open: true } => Ok((next, Means::Shutter)),
            _ => Err(Refusal::NothingToClose),
        }
    }

    /// Closes it.
    pub(super) fn close(&mut self, way: Direction) -> u16 {
        match self.may_close(way) {
            Ok((at, Means::Door)) => {
                self.turn(at, Tile::Door(Door::Closed), false);
                let reach = self.rules.noise.door;
                self.sound(Sound::Door, at, reach, SoundSource::Thief);
            }
            Ok((at, Means::Curtain)) => self.draw_curtain(at, false),
            Ok((at, Means::Shutter)) => self.turn_shutter(at, false),
            _ => {}
        }
        BEAT
    }

    fn draw_curtain(&mut self, at: IVec2, open: bool) {
        self.turn(at, Tile::Curtain { open }, open);
        let reach = self.rules.noise.curtain;
        self.sound(Sound::Curtain, at, reach, SoundSource::Thief);
    }

    fn turn_shutter(&mut self, at: IVec2, open: bool) {
        self.turn(at, Tile::Shutter { open }, open);
        let beside = Direction::STRAIGHT.map(|way| at + way.step());
        for lamp in 0..self.floor().fixtures.len() {
            let fixture = self.floor().fixtures[lamp];
            if fixture.kind == FixtureKind::Moonlight && beside.contains(&fixture.at) {
                let shines = self.shutter_is_open_beside(fixture.at);
                self.set_lamp(lamp, shines);
            }
        }
        let reach = self.rules.noise.shutter;
        self.sound(Sound::Shutter, at, reach, SoundSource::Thief);
    }

    fn shutter_is_open_beside(&self, at: IVec2) -> bool {
        let mut ways = Direction::STRAIGHT.into_iter();
        ways.any(|way| self.floor().tile(at + way.step()) == Tile::Shutter { open: true })
    }
}
