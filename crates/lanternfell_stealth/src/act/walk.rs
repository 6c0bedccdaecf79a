//! A step, or a look round the corner.
//!
//! Three gaits: a walk; a sneak, half as loud and half as fast; a run, loud, twice as fast,
//! and short of breath. A step into a closed door opens it instead, as quietly as the gait
//! is. A step into someone who was not seen is a bump, and the end of hiding.

use glam::IVec2;
use lanternfell_lightgrid::FieldOfView;

use crate::{
    BEAT, Direction, Door, GameEvent, Memory, Refusal, Sound, Tile, Who, World, action::Gait,
    guard::perceive::SoundSource,
};

impl World {
    /// The cell that a step would lead to, or the door that it would open.
    pub(super) fn may_step(&self, way: Direction, gait: Gait) -> Result<IVec2, Refusal> {
        let thief = &self.state.thief;
        if gait == Gait::Run {
            if thief.cloaked {
                return Err(Refusal::CloakedRun);
            }
            if i32::from(thief.breath) < i32::from(self.rules.thief.run_ticks) {
                return Err(Refusal::OutOfBreath);
            }
        }
        self.free_next(way)
    }

    /// The next cell this way, if one could stand there, or open the door in it and then.
    fn free_next(&self, way: Direction) -> Result<IVec2, Refusal> {
        let next = self.reach(way)?;
        let floor = self.floor();
        if !floor.tile(next).is_passable() {
            return Err(Refusal::Blocked(floor.tile(next).name()));
        }
        let solid = floor
            .fixtures
            .iter()
            .find(|lamp| lamp.at == next && lamp.kind.is_solid());
        if let Some(lamp) = solid {
            return Err(Refusal::Blocked(lamp.kind.name()));
        }
        match floor.guard_at(next) {
            Some(guard) => Err(Refusal::Occupied(self.guard(guard).kind)),
            None => Ok(next),
        }
    }

    /// A step.
    pub(super) fn step(&mut self, way: Direction, gait: Gait) -> u16 {
        let truth = self.may_step(way, gait);
        self.state.thief.facing = way;
        let ticks = self.ticks_of(gait);
        match truth {
            Ok(next) if self.floor().tile(next) == Tile::Door(Door::Closed) => {
                self.open_door(next, gait);
                return ticks.max(BEAT);
            }
            Ok(next) => {
                let from = core::mem::replace(&mut self.state.thief.at, next);
                self.tell(GameEvent::Moved {
                    who: Who::Thief,
                    from,
                    to: next,
                });
                self.make_step_heard(gait);
            }
            Err(_) => {
                self.make_step_heard(gait);
                self.bump_into(way);
            }
        }
        if gait == Gait::Run {
            let breath = &mut self.state.thief.breath;
            *breath = breath.saturating_sub_unsigned(ticks).max(0);
        }
        ticks
    }

    /// Something unseen was in the way: a guard, or a wall, which is now known.
    fn bump_into(&mut self, way: Direction) {
        let at = self.state.thief.at;
        let next = at + way.step();
        if let Some(guard) = self.floor().guard_at(next) {
            self.bump(guard, at);
            return;
        }
        let (tile, band) = (self.floor().tile(next), self.band(next));
        if let Some(memory) = self.floor_mut().memory.get_mut(next) {
            *memory = Some(Memory {
                tile,
                fixture: None,
                item: None,
                band,
            });
        }
    }

    fn ticks_of(&self, gait: Gait) -> u16 {
        let rules = &self.rules.thief;
        match gait {
            Gait::Walk => rules.walk_ticks,
            Gait::Sneak => rules.sneak_ticks,
            Gait::Run => rules.run_ticks,
        }
    }

    fn loudness_of(&self, gait: Gait) -> u16 {
        let noise = &self.rules.noise;
        match gait {
            Gait::Walk => noise.walk,
            Gait::Sneak => noise.sneak,
            Gait::Run => noise.run,
        }
    }

    /// Steps sound like the ground in the thief's cell.
    fn make_step_heard(&mut self, gait: Gait) {
        let at = self.state.thief.at;
        let ground = self.floor().tile(at).ground();
        let reach = self.step_reach(self.loudness_of(gait), ground);
        self.sound(Sound::Steps(ground), at, reach, SoundSource::Thief);
    }

    /// Opens a closed door; whoever sneaks is as much quieter at it as the steps are.
    pub(super) fn open_door(&mut self, at: IVec2, gait: Gait) {
        self.turn(at, Tile::Door(Door::Open), true);
        let noise = &self.rules.noise;
        let reach = match gait {
            Gait::Sneak => {
                let share = u32::from(noise.door) * u32::from(noise.sneak);
                (share / u32::from(noise.walk.max(1))).min(u32::from(noise.door)) as u16
            }
            Gait::Walk | Gait::Run => noise.door,
        };
        self.sound(Sound::Door, at, reach, SoundSource::Thief);
    }

    /// The cell to look from. Doors have keyholes, and curtains a gap: one looks from within.
    pub(super) fn may_peek(&self, way: Direction) -> Result<IVec2, Refusal> {
        let next = self.reach(way)?;
        match self.floor().tile(next) {
            Tile::Door(Door::Closed | Door::Locked) => Ok(next),
            _ => self.free_next(way),
        }
    }

    /// A look from the next cell, without going there.
    pub(super) fn peek(&mut self, way: Direction) -> u16 {
        self.state.thief.facing = way;
        if let Ok(from) = self.may_peek(way) {
            let mut view = FieldOfView::new();
            self.look_from(&mut view, from);
            self.peeked = Some(view);
        }
        BEAT
    }
}
