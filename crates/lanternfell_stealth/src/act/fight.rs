//! Hands on guards: a takedown, a shove, a blow.
//!
//! ```text
//!        \ | /        A guard that looks north is on guard against the three cells in
//!       - [G] -       front of it and the two at its sides. From the three behind it
//!        . . .        any may be taken down, unless it is after the thief already.
//! ```

use glam::IVec2;

use crate::{
    AlertState, BEAT, Direction, GameEvent, GuardId, GuardKind, Perk, Refusal, Sound, Who, World,
    guard::perceive::SoundSource,
};

impl World {
    /// The guard that stands in the next cell.
    pub(super) fn may_fight(&self, way: Direction) -> Result<GuardId, Refusal> {
        let next = self.reach(way)?;
        self.floor().guard_at(next).ok_or(Refusal::Nobody)
    }

    /// The guard to put to sleep.
    pub(super) fn may_take_down(&self, way: Direction) -> Result<GuardId, Refusal> {
        let id = self.may_fight(way)?;
        let guard = self.guard(id);
        // The thief stands on the side of the guard that is opposite to the way.
        let behind = way.opposite().apart(guard.facing) >= self.rules.combat.behind;
        let unaware = guard.is_asleep() || guard.alert_state.is_unaware();
        if unaware || (behind && guard.alert_state != AlertState::Chasing) {
            Ok(id)
        } else {
            Err(Refusal::OnGuard(guard.kind))
        }
    }

    pub(super) fn take_down(&mut self, way: Direction) -> u16 {
        self.state.thief.facing = way;
        if let Ok(id) = self.may_take_down(way) {
            let at = self.guard(id).at;
            self.put_to_sleep(id, self.rules.thief.takedown_sleep);
            if !self.state.thief.has(Perk::SoftHands) {
                let noise = &self.rules.noise;
                let (takedown, fall) = (noise.takedown, noise.fall);
                self.sound(Sound::Fight, at, takedown, SoundSource::Thief);
                self.sound(Sound::Fall, at, fall, SoundSource::Thief);
            }
        }
        BEAT
    }

    /// A guard sleeps for so many ticks, a warden for a part of them.
    pub(super) fn put_to_sleep(&mut self, id: GuardId, ticks: u16) {
        let warden = percent_of(ticks, self.rules.combat.warden_sleep);
        let guard = self.guard_mut(id);
        guard.set_alert_state(AlertState::Unconscious);
        guard.sleep = match guard.kind {
            GuardKind::Warden => warden,
            _ => ticks,
        };
        self.state.tally.takedowns += 1;
        self.fall(id, false);
    }

    fn fall(&mut self, id: GuardId, dead: bool) {
        let guard = self.guard_mut(id);
        guard.awareness = 0;
        guard.point_of_interest = None;
        guard.lamp = None;
        guard.saved = 0;
        let at = guard.at;
        self.tell_seen(at, GameEvent::Downed { guard: id, dead });
    }

    /// The guard to push, and where to, if it is known that it has no room.
    pub(super) fn may_shove(&self, way: Direction) -> Result<GuardId, Refusal> {
        let id = self.may_fight(way)?;
        let guard = self.guard(id);
        if guard.kind == GuardKind::Warden {
            return Err(Refusal::TooHeavy(guard.kind));
        }
        // Of a cell that is not seen nothing is told.
        let behind = guard.at + way.step();
        match self.has_room(guard.at, behind) || !self.sees(behind) {
            true => Ok(id),
            false => Err(Refusal::NoRoom),
        }
    }

    /// Whether a guard could be pushed from one cell into the next.
    fn has_room(&self, from: IVec2, to: IVec2) -> bool {
        let floor = self.floor();
        floor.is_passable(to)
            && floor.tile(to).is_walkable()
            && floor.corners_free(from, to)
            && floor.guard_at(to).is_none()
    }

    pub(super) fn shove(&mut self, way: Direction) -> u16 {
        let ticks = self.rules.combat.shove_ticks;
        self.state.thief.facing = way;
        let Ok(guard) = self.may_shove(way) else {
            return ticks;
        };
        let from = self.guard(guard).at;
        let to = from + way.step();
        if self.has_room(from, to) {
            self.guard_mut(guard).at = to;
            self.guard_mut(guard).path.clear();
            self.tell(GameEvent::Shoved { guard, to });
        }
        let reach = self.rules.noise.shove;
        self.sound(Sound::Fight, from, reach, SoundSource::Thief);
        self.bump(guard, self.state.thief.at);
        // It stumbles, and loses its next step.
        self.guard_mut(guard).saved = 0;
        ticks
    }

    /// A blow.
    pub(super) fn fight(&mut self, way: Direction) -> u16 {
        self.state.thief.facing = way;
        let Ok(id) = self.may_fight(way) else {
            return BEAT;
        };
        let (at, rules) = (self.guard(id).at, &self.rules.thief);
        let (hit, full) = (rules.hit, rules.damage);
        let damage = if self.state.dice.percent(hit) {
            full
        } else {
            0
        };
        self.tell(GameEvent::Struck {
            by: Who::Thief,
            whom: Who::Guard(id),
            damage,
        });
        let killed = self.hurt(id, damage);
        let reach = self.rules.noise.fight;
        self.sound(Sound::Fight, at, reach, SoundSource::Thief);
        if !killed {
            self.bump(id, self.state.thief.at);
        }
        BEAT
    }

    /// Hurts a guard; whether it died of it.
    pub(super) fn hurt(&mut self, id: GuardId, damage: i16) -> bool {
        let guard = self.guard_mut(id);
        guard.health = guard.health.saturating_sub(damage).max(0);
        if guard.health > 0 {
            return false;
        }
        let at = guard.at;
        guard.set_alert_state(AlertState::Dead);
        guard.sleep = 0;
        self.state.tally.kills += 1;
        self.fall(id, true);
        let reach = self.rules.noise.fall;
        self.sound(Sound::Fall, at, reach, SoundSource::Thing);
        true
    }
}

/// So many percent of a time.
pub(super) fn percent_of(ticks: u16, percent: u16) -> u16 {
    (u32::from(ticks) * u32::from(percent) / 100) as u16
}
