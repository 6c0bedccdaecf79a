//! A guard's blow.

use crate::{
    Direction, Ending, GameEvent, GuardId, Sound, Who, World, direction::steps_between,
    guard::perceive::SoundSource,
};

impl World {
    /// Whether a guard can strike the thief from where it stands.
    pub(crate) fn in_reach(&self, id: GuardId) -> bool {
        let (at, thief) = (self.guard(id).at, self.state.thief.at);
        steps_between(at, thief) == 1 && self.floor().corners_free(at, thief)
    }

    /// A guard strikes at the thief.
    pub(crate) fn strike(&mut self, id: GuardId) {
        let (at, kind) = (self.guard(id).at, self.guard(id).kind);
        let thief = self.state.thief.at;
        if let Some(way) = Direction::towards(at, thief) {
            self.guard_mut(id).facing = way;
        }
        let rules = self.rules.guard(kind);
        let percent = self.rules.difficulty(self.state.difficulty).damage as i32;
        let full = (i32::from(rules.damage) * percent / 100).max(1) as i16;
        let hits = rules.hit;
        let damage = if self.state.dice.percent(hits) {
            full
        } else {
            0
        };
        self.state.thief.health -= damage;
        self.tell(GameEvent::Struck {
            by: Who::Guard(id),
            whom: Who::Thief,
            damage,
        });
        let reach = self.rules.noise.fight;
        self.sound(Sound::Fight, thief, reach, SoundSource::Guard(id));
        if self.state.thief.health <= 0 {
            self.end(Ending::Slain(kind));
        }
    }

    /// The game is over.
    pub(crate) fn end(&mut self, ending: Ending) {
        if self.state.ending.is_none() {
            self.state.ending = Some(ending);
            self.tell(GameEvent::Ended(ending));
        }
    }
}
