//! How a guard gets from cell to cell.
//!
//! It walks the cheapest way to its goal, which it keeps until the goal is another or
//! something stands in the way. It opens doors, and when calm closes them behind it. Guards do
//! not walk through each other: one that is in the way of another is walked round, or
//! waited for.

use glam::IVec2;

use crate::{
    AlertState, Direction, Door, GameEvent, GuardId, GuardKind, Sound, Tile, Who, World,
    direction::steps_between,
    guard::{SURE, perceive::SoundSource},
    path::{Toll, way},
};

impl World {
    /// One step on the way to a cell. False if it is there, or there is no way.
    pub(crate) fn go(&mut self, id: GuardId, goal: IVec2) -> bool {
        if self.guard(id).at == goal {
            return false;
        }
        if !self.has_way(id, goal) && !self.find_way(id, goal) {
            return false;
        }
        let Some(&next) = self.guard(id).path.last() else {
            return false;
        };
        if next == self.state.thief.at {
            self.bump(id, next);
            return true;
        }
        if self.floor().guard_at(next).is_some() {
            return self.wait_for(id, next, goal);
        }
        self.guard_mut(id).path.pop();
        self.enter(id, next);
        true
    }

    /// Whether the way that it keeps still leads to the goal from where it stands.
    fn has_way(&self, id: GuardId, goal: IVec2) -> bool {
        let guard = self.guard(id);
        let next = guard.path.last();
        guard.path.first() == Some(&goal)
            && next.is_some_and(|&next| {
                steps_between(next, guard.at) == 1
                    && self.toll(guard.kind, next).is_some()
                    && self.floor().corners_free(guard.at, next)
            })
    }

    /// Looks for a way to a cell. One that can not be stood in is reached from beside.
    fn find_way(&mut self, id: GuardId, goal: IVec2) -> bool {
        let guard = self.guard(id);
        let (from, kind) = (guard.at, guard.kind);
        // Nobody runs for help past the one he runs from.
        let shunned = guard
            .point_of_interest
            .filter(|_| guard.alert_state == AlertState::Fleeing);
        let solid = !self.floor().is_passable(goal);
        let around = self.rules.behavior.walk_round;
        let found = way(self.floor(), from, goal, |at| {
            if at == goal && solid {
                return Some(0);
            }
            if shunned == Some(at) {
                return None;
            }
            let taken = at != goal && self.floor().guard_at(at).is_some();
            self.toll(kind, at)
                .map(|toll| toll + if taken { around } else { 0 })
        });
        let found = found.filter(|cells| !(solid && cells.len() == 1));
        let there = found.is_some();
        self.guard_mut(id).path = found.unwrap_or_default();
        there
    }

    /// What a cell costs a kind of guard.
    pub(crate) fn toll(&self, kind: GuardKind, at: IVec2) -> Toll {
        let floor = self.floor();
        if !floor.is_passable(at) || floor.fire_at(at) {
            return None;
        }
        match floor.tile(at) {
            Tile::Door(Door::Closed) if kind.has_hands() => Some(self.rules.behavior.door),
            Tile::Door(Door::Closed) => None,
            _ => Some(0),
        }
    }

    /// Someone stands in the way: round him if there is a way that is not much longer, or
    /// else wait, if he walks on; false if that is of no use.
    fn wait_for(&mut self, id: GuardId, next: IVec2, goal: IVec2) -> bool {
        let guard = self.guard(id);
        let (from, kind) = (guard.at, guard.kind);
        if next == goal {
            return false;
        }
        let round = way(self.floor(), from, goal, |at| {
            let taken = at != goal && self.floor().guard_at(at).is_some();
            self.toll(kind, at).filter(|_| !taken)
        });
        let longer = self.guard(id).path.len() + self.rules.behavior.detour;
        match round.filter(|round| round.len() <= longer) {
            Some(mut round) => {
                let step = round.pop();
                self.guard_mut(id).path = round;
                let free = |step: &IVec2| {
                    *step != self.state.thief.at && self.floor().guard_at(*step).is_none()
                };
                if let Some(step) = step.filter(free) {
                    self.enter(id, step);
                }
                true
            }
            None => {
                // Two on one corridor: the one with the lower number turns round.
                let other = self.floor().guard_at(next);
                other.is_none_or(|other| id > other && self.walks(other))
            }
        }
    }

    /// Whether a guard is on its way somewhere, rather than standing or sleeping there.
    fn walks(&self, id: GuardId) -> bool {
        let guard = self.guard(id);
        guard.is_awake() && guard.alert_state != AlertState::Suspicious && !guard.path.is_empty()
    }

    /// A guard walks into a thief whom it did not see.
    pub(crate) fn bump(&mut self, id: GuardId, at: IVec2) {
        let guard = self.guard_mut(id);
        guard.point_of_interest = Some(at);
        let from = guard.at;
        guard.facing = Direction::towards(from, at).unwrap_or(guard.facing);
        if guard.alert_state == AlertState::Chasing || guard.alert_state == AlertState::Fleeing {
            guard.ticks = 0;
        } else {
            guard.awareness = SURE;
            self.become_sure(id);
        }
    }

    /// Steps into a cell, opening a door on the way, and closing the one that it leaves.
    pub(crate) fn enter(&mut self, id: GuardId, next: IVec2) {
        let (from, kind) = (self.guard(id).at, self.guard(id).kind);
        if self.floor().tile(next) == Tile::Door(Door::Closed) {
            self.turn_door(id, next, Door::Open);
        }
        let seen = self.sees(from);
        let guard = self.guard_mut(id);
        guard.at = next;
        guard.facing = Direction::towards(from, next).unwrap_or(guard.facing);
        if seen || self.sees(next) {
            self.tell(GameEvent::Moved {
                who: Who::Guard(id),
                from,
                to: next,
            });
        }
        self.make_step_sound(id, next);
        let calm = self.guard(id).alert_state == AlertState::Calm && kind.has_hands();
        if calm && self.floor().tile(from) == Tile::Door(Door::Open) && self.is_clear(from) {
            self.turn_door(id, from, Door::Closed);
        }
    }

    /// Whether nothing keeps a door from closing.
    pub(crate) fn is_clear(&self, at: IVec2) -> bool {
        let floor = self.floor();
        self.state.thief.at != at
            && floor.guard_at(at).is_none()
            && floor.body_at(at).is_none()
            && floor.item_at(at).is_none()
            && !floor.fire_at(at)
    }

    fn turn_door(&mut self, id: GuardId, at: IVec2, door: Door) {
        if let Some(tile) = self.floor_mut().tiles.get_mut(at) {
            *tile = Tile::Door(door);
        }
        self.update_cell(at);
        let open = door == Door::Open;
        self.tell_seen(at, GameEvent::Turned { at, open });
        let reach = self.rules.noise.door;
        self.sound(Sound::Door, at, reach, SoundSource::Guard(id));
    }

    fn make_step_sound(&mut self, id: GuardId, at: IVec2) {
        let ground = self.floor().tile(at).ground();
        let noise = &self.rules.noise;
        let guard = self.guard(id);
        let (sound, gait) = match (guard.kind, guard.alert_state) {
            (GuardKind::Hound, _) => (Sound::Paws, noise.paws),
            (_, AlertState::Chasing | AlertState::Fleeing) => {
                (Sound::Steps(ground), noise.guard_run)
            }
            _ => (Sound::Steps(ground), noise.guard_walk),
        };
        let reach = u32::from(gait) * u32::from(noise.ground(ground)) / 100;
        let reach = reach.min(u32::from(noise.farthest()));
        self.sound(sound, at, reach as u16, SoundSource::Guard(id));
    }
}
