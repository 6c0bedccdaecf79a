//! Stairs: to another floor, and out of the keep; and who comes after.
//!
//! A guard that chases the thief and is near the stairs follows over them, and arrives as
//! many ticks later as it was away. Its place on the floor that it left stays empty, so that
//! the others keep their numbers: [`Guard::has_left`]. Floors stand still while the thief is
//! elsewhere; when he comes back, their guards have calmed down for as long as he was away.

use core::mem;

use glam::IVec2;

use crate::{
    AlertState, BEAT, Duty, Ending, GameEvent, Guard, GuardId, Refusal, Tile, Who, World,
    generate::generate,
    invariants::MOST_GUARDS,
    path::{NO_WAY, costs},
    world::FLOORS,
};

/// Where a guard is that has left its floor.
const ELSEWHERE: IVec2 = IVec2::NEG_ONE;

/// Where stairs lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stairs {
    /// Out of the keep.
    Out,
    /// To this floor.
    To(usize),
}

impl Guard {
    /// Whether this is but the empty place of one that has left its floor.
    pub fn has_left(&self) -> bool {
        self.at == ELSEWHERE
    }
}

impl World {
    /// Where the stairs in the thief's cell lead.
    pub(super) fn may_climb(&self) -> Result<Stairs, Refusal> {
        let depth = self.state.depth;
        match self.floor().tile(self.state.thief.at) {
            Tile::StairsUp if depth > 0 => Ok(Stairs::To(depth - 1)),
            Tile::StairsUp if self.state.thief.ember.is_some() => Ok(Stairs::Out),
            Tile::StairsUp => Err(Refusal::NotWithoutEmber),
            Tile::StairsDown if depth + 1 < FLOORS => Ok(Stairs::To(depth + 1)),
            _ => Err(Refusal::NoStairs),
        }
    }

    pub(super) fn climb(&mut self) -> u16 {
        match self.may_climb() {
            Ok(Stairs::Out) => self.end(Ending::Escaped),
            Ok(Stairs::To(depth)) => self.go_to_floor(depth),
            Err(_) => {}
        }
        BEAT
    }

    fn go_to_floor(&mut self, depth: usize) {
        self.gather_followers();
        self.floor_mut().left = self.state.tick;
        let new = depth >= self.state.floors.len();
        if new {
            let floor = generate(&self.rules, self.state.seed, self.state.difficulty, depth);
            self.state.floors.push(floor);
        }
        let down = depth > mem::replace(&mut self.state.depth, depth);
        let (up, stairs_down) = (self.floor().up, self.floor().down);
        let at = if down { up } else { stairs_down.unwrap_or(up) };
        self.state.thief.at = at;
        for (guard, _) in &mut self.state.followers {
            guard.point_of_interest = Some(at);
        }
        if !new {
            self.calm_floor();
        }
        self.make_way(at);
        self.rebuild_light();
        self.listen();
        self.look();
        self.tell(GameEvent::Entered { depth: depth as u8 });
        if new {
            self.offer_perks();
        }
    }

    /// Whoever stands on the stairs makes room.
    fn make_way(&mut self, at: IVec2) {
        if let Some(id) = self.floor().guard_at(at)
            && let Some(to) = self.free_cell_near(at, self.rules.combat.make_way)
        {
            self.guard_mut(id).at = to;
            self.guard_mut(id).path.clear();
        }
    }

    /// The guards of a floor that the thief comes back to: those after him search on, or
    /// have gone home long since.
    fn calm_floor(&mut self) {
        let away = self.state.tick.saturating_sub(self.floor().left);
        let away = u16::try_from(away).unwrap_or(u16::MAX);
        let rules = &self.rules.awareness;
        let (investigating, long) = (rules.investigating, rules.searching_ticks);
        for id in self.guard_ids() {
            let guard = self.guard_mut(id);
            guard.sleep = guard.sleep.saturating_sub(away);
            match guard.alert_state {
                AlertState::Calm | AlertState::Unconscious | AlertState::Dead => {}
                _ if away >= long => self.send_home(id),
                AlertState::Chasing | AlertState::Fleeing => {
                    guard.awareness = guard.awareness.min(investigating);
                    guard.set_alert_state(AlertState::Searching);
                }
                AlertState::Suspicious | AlertState::Investigating | AlertState::Searching => {}
            }
        }
    }

    fn send_home(&mut self, id: GuardId) {
        let home = self.guard(id).home;
        let free = self.floor().guard_at(home).is_none() && !self.floor().fire_at(home);
        let guard = self.guard_mut(id);
        guard.set_alert_state(AlertState::Calm);
        guard.awareness = 0;
        guard.point_of_interest = None;
        guard.lamp = None;
        if free {
            guard.at = home;
        }
    }

    /// Guards that chase the thief and are near enough go after him.
    fn gather_followers(&mut self) {
        // Those who were still on the stairs meet the thief there.
        let stairs = self.state.thief.at;
        for (guard, left) in &mut self.state.followers {
            guard.point_of_interest = Some(stairs);
            *left = 0;
        }
        self.arrive_followers(0);
        for id in self.guard_ids() {
            if self.guard(id).alert_state != AlertState::Chasing {
                continue;
            }
            let ticks = self.ticks_to(id, stairs);
            if let Some(ticks) = ticks.filter(|&ticks| ticks <= self.rules.awareness.follow_ticks) {
                let guard = self.take_off_floor(id);
                self.state.followers.push((guard, ticks));
            }
        }
    }

    /// How long a guard would take to a cell at a run; none if it does not get there.
    fn ticks_to(&self, id: GuardId, at: IVec2) -> Option<u16> {
        let guard = self.guard(id);
        let ways = costs(self.floor(), [at], |cell| self.toll(guard.kind, cell));
        let cost = ways.get(guard.at).filter(|&&cost| cost != NO_WAY)?;
        let pace = u32::from(self.rules.guard(guard.kind).chase_ticks);
        u16::try_from(cost.saturating_mul(pace).div_ceil(10)).ok()
    }

    /// Takes a guard away; what is left is an empty place with its number.
    fn take_off_floor(&mut self, id: GuardId) -> Guard {
        let guard = self.guard_mut(id);
        let mut empty = Guard::new(guard.kind, guard.duty, guard.home, guard.facing);
        empty.at = ELSEWHERE;
        empty.alert_state = AlertState::Dead;
        empty.health = 0;
        mem::replace(guard, empty)
    }

    /// Followers whose time is up come off the stairs, next to where the thief did. Those
    /// for whom there is no room wait.
    pub(crate) fn arrive_followers(&mut self, ticks: u16) {
        for (guard, left) in mem::take(&mut self.state.followers) {
            let left = left.saturating_sub(ticks);
            let stairs = guard.point_of_interest.unwrap_or(self.state.thief.at);
            let room = || {
                Some((
                    self.free_cell_near(stairs, self.rules.combat.make_way)?,
                    self.place_for_guard()?,
                ))
            };
            match (left == 0).then(room).flatten() {
                Some((at, place)) => self.arrive(guard, stairs, at, place),
                None => self.state.followers.push((guard, left)),
            }
        }
    }

    /// The number of an empty place among the guards, or of a new one.
    fn place_for_guard(&self) -> Option<usize> {
        let guards = &self.floor().guards;
        let empty = guards.iter().position(Guard::has_left);
        empty.or((guards.len() < MOST_GUARDS).then_some(guards.len()))
    }

    /// A follower arrives. It is a stranger here: it knows no route, and stays.
    fn arrive(&mut self, mut guard: Guard, stairs: IVec2, at: IVec2, place: usize) {
        guard.at = at;
        guard.home = at;
        guard.route = vec![at];
        guard.leg = 0;
        guard.duty = Duty::Post;
        guard.watch = guard.facing;
        guard.mourns = 0;
        guard.lamp = None;
        guard.path.clear();
        guard.saved = 0;
        guard.ticks = 0;
        guard.point_of_interest = Some(stairs);
        // The number may have been that of one who is missed.
        self.found_again(place as GuardId);
        let guards = &mut self.floor_mut().guards;
        match guards.get_mut(place) {
            Some(empty) => *empty = guard,
            None => guards.push(guard),
        }
        let moved = GameEvent::Moved {
            who: Who::Guard(place as GuardId),
            from: stairs,
            to: at,
        };
        self.tell_seen(at, moved);
    }
}
