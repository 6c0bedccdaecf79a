//! What each alert state makes a guard do.
//!
//! A guard saves up ticks and spends them on one thing after another; in a hurry each costs
//! fewer. How it gets from cell to cell is in `walk`.

use glam::IVec2;

use crate::{
    AlertState, BEAT, Bark, Direction, Duty, Guard, GuardId, GuardKind, Item, Placed, Sound, World,
    direction::steps_between, guard::perceive::SoundSource,
};

impl World {
    /// Every guard spends what it has saved.
    pub(crate) fn guards_act(&mut self, ticks: u16) {
        self.arrive_followers(ticks);
        for id in self.guard_ids() {
            if !self.guard(id).is_awake() {
                continue;
            }
            self.guard_mut(id).saved += ticks;
            // Whatever the table says, a guard acts at most so often in a beat.
            for _ in 0..4 {
                let cost = self.next_cost(id);
                if self.guard(id).saved < cost || self.state.ending.is_some() {
                    break;
                }
                self.guard_mut(id).saved -= cost;
                self.do_one_thing(id);
            }
            let guard = self.guard_mut(id);
            guard.saved = guard.saved.min(16);
        }
    }

    /// The ticks of what a guard will do next.
    fn next_cost(&self, id: GuardId) -> u16 {
        let guard = self.guard(id);
        let rules = self.rules.guard(guard.kind);
        match guard.alert_state {
            AlertState::Chasing if self.knows_thief_is_near(id) => rules.strike_ticks,
            AlertState::Chasing | AlertState::Fleeing => rules.chase_ticks,
            AlertState::Investigating | AlertState::Searching => rules.search_ticks,
            _ => rules.calm_ticks,
        }
    }

    /// Whether the thief is in reach of a blow, and the guard knows it: it had a sign of him
    /// in the last beat.
    fn knows_thief_is_near(&self, id: GuardId) -> bool {
        let guard = self.guard(id);
        // The blind know of the last sound only.
        let here = guard.kind.has_eyes()
            || guard.kind == GuardKind::Hound
            || guard.point_of_interest == Some(self.state.thief.at);
        self.in_reach(id) && guard.ticks <= BEAT && here
    }

    fn do_one_thing(&mut self, id: GuardId) {
        match self.guard(id).alert_state {
            AlertState::Calm => self.do_duty(id),
            AlertState::Suspicious => self.face_point_of_interest(id),
            AlertState::Investigating => self.investigate(id),
            AlertState::Searching => self.search(id),
            AlertState::Chasing => self.chase(id),
            AlertState::Fleeing => self.flee(id),
            AlertState::Unconscious | AlertState::Dead => {}
        }
    }

    /// What it does when nothing is wrong.
    fn do_duty(&mut self, id: GuardId) {
        if self.guard(id).lamp.is_some() {
            self.light_lamp(id);
            return;
        }
        match self.guard(id).duty {
            Duty::Patrol => self.patrol(id),
            Duty::Post => self.stand_post(id),
            Duty::Sleep => {}
        }
    }

    fn patrol(&mut self, id: GuardId) {
        let guard = self.guard(id);
        let goal = guard.route[usize::from(guard.leg)];
        if guard.at == goal || !self.go(id, goal) {
            let guard = self.guard_mut(id);
            guard.leg = ((usize::from(guard.leg) + 1) % guard.route.len()) as u8;
        }
    }

    fn stand_post(&mut self, id: GuardId) {
        let guard = self.guard(id);
        let home = guard.home;
        if guard.at != home {
            self.go(id, home);
            return;
        }
        // Ahead, to one side, ahead, to the other.
        let every = u32::from(self.rules.awareness.glance_ticks.max(1));
        let turn = [0, 1, 0, -1][(self.state.tick / every + u32::from(id)) as usize % 4];
        let guard = self.guard_mut(id);
        guard.facing = guard.watch.turned(turn);
    }

    fn face_point_of_interest(&mut self, id: GuardId) {
        let guard = self.guard_mut(id);
        let way = guard
            .point_of_interest
            .and_then(|at| Direction::towards(guard.at, at));
        if let Some(way) = way {
            guard.facing = way;
        }
    }

    /// Walks to its point of interest; a hound's moves on along the trail.
    fn investigate(&mut self, id: GuardId) {
        let guard = self.guard(id);
        let arrived = guard
            .point_of_interest
            .is_none_or(|point_of_interest| point_of_interest == guard.at);
        let goal = guard.point_of_interest.unwrap_or(guard.at);
        if arrived || !self.go(id, goal) {
            self.take_torch(id);
            let trail = self.guard(id).kind == GuardKind::Hound && self.trail(id).is_some();
            if !trail {
                self.change_mind(id, AlertState::Searching, Some(Bark::ComeOut));
            }
        }
    }

    /// Looks about around its point of interest: from one cell to another, away from other searchers;
    /// lamps are lit on the way.
    fn search(&mut self, id: GuardId) {
        if self.guard(id).lamp.is_some() {
            self.light_lamp(id);
            return;
        }
        let goal = match self.guard(id).path.first() {
            Some(&goal) => Some(goal),
            None => self.place_to_search(id),
        };
        let walked = goal.is_some_and(|goal| self.go(id, goal));
        if !walked {
            let turn = [2, -2, 4][self.state.dice.below(3)];
            let guard = self.guard_mut(id);
            guard.path.clear();
            guard.facing = guard.facing.turned(turn);
        }
        self.wake_comrade(id);
    }

    /// A cell near its point of interest that no other searcher goes to; of a few that chance names, the
    /// one farthest from them.
    fn place_to_search(&mut self, id: GuardId) -> Option<IVec2> {
        let radius = self.rules.awareness.search_radius as i32;
        let around = self
            .guard(id)
            .point_of_interest
            .unwrap_or(self.guard(id).at);
        let mut best: Option<(u32, IVec2)> = None;
        for _ in 0..self.rules.behavior.search_tries {
            let rng = self.state.dice.rng();
            let step = IVec2::new(rng.within(-radius, radius), rng.within(-radius, radius));
            let at = around + step;
            if at == self.guard(id).at || !self.floor().is_passable(at) {
                continue;
            }
            let others = self.floor().guards.iter().enumerate();
            let apart = others
                .filter(|(other, guard)| {
                    *other != usize::from(id) && guard.alert_state == AlertState::Searching
                })
                .map(|(_, guard)| {
                    steps_between(guard.path.first().copied().unwrap_or(guard.at), at)
                })
                .min()
                .unwrap_or(u32::MAX);
            if best.is_none_or(|(most, _)| apart > most) {
                best = Some((apart, at));
            }
        }
        best.map(|(_, at)| at)
    }

    /// Whoever lies next to a searcher is shaken awake.
    fn wake_comrade(&mut self, id: GuardId) {
        let at = self.guard(id).at;
        let comrade = self.guard_ids().find(|&other| {
            let guard = self.guard(other);
            guard.alert_state == AlertState::Unconscious && steps_between(guard.at, at) <= 1
        });
        if let Some(comrade) = comrade.filter(|_| self.guard(id).kind.has_hands()) {
            self.guard_mut(comrade).sleep = 0;
        }
    }

    /// A torch that lies where a guard has gone to look is put out, and taken.
    fn take_torch(&mut self, id: GuardId) {
        let at = self.guard(id).at;
        if !self.guard(id).kind.has_hands() {
            return;
        }
        let lies = |placed: &Placed| {
            placed.at == at && matches!(placed.item, Item::Torch(torch) if torch.lit)
        };
        self.floor_mut().items.retain(|placed| !lies(placed));
    }

    /// Goes to the lamp that it means to light, and lights it.
    fn light_lamp(&mut self, id: GuardId) {
        let Some(lamp) = self.guard(id).lamp else {
            return;
        };
        let fixture = self.floor().fixtures[usize::from(lamp)];
        if fixture.burning {
            self.guard_mut(id).lamp = None;
        } else if steps_between(self.guard(id).at, fixture.at) <= 1 {
            self.guard_mut(id).lamp = None;
            self.set_lamp(usize::from(lamp), true);
            let reach = self.rules.noise.flame;
            self.sound(Sound::Flame, fixture.at, reach, SoundSource::Guard(id));
        } else if !self.go(id, fixture.at) {
            self.guard_mut(id).lamp = None;
        }
    }

    fn chase(&mut self, id: GuardId) {
        if self.knows_thief_is_near(id) {
            self.strike(id);
            return;
        }
        if self.guard_sees(id) {
            let thief = self.state.thief.at;
            let guard = self.guard_mut(id);
            guard.point_of_interest = Some(thief);
            guard.ticks = 0;
        }
        let guard = self.guard(id);
        let goal = guard.point_of_interest.unwrap_or(guard.at);
        if guard.at == goal || !self.go(id, goal) {
            let turn = [1, -1, 3][self.state.dice.below(3)];
            let guard = self.guard_mut(id);
            guard.facing = guard.facing.turned(turn);
        }
    }

    /// A lamplighter runs to the nearest comrade who fights, does not know yet, and is further
    /// from the thief than itself, and calls him; or else just away.
    fn flee(&mut self, id: GuardId) {
        let at = self.guard(id).at;
        let thief = self.guard(id).point_of_interest.unwrap_or(at);
        let away = steps_between(at, thief);
        let guards = self.floor().guards.iter();
        let unaware = |guard: &&Guard| {
            guard.kind.fights() && guard.is_standing() && guard.alert_state.is_unaware()
        };
        let help = guards
            .filter(unaware)
            .filter(|guard| steps_between(guard.at, thief) > away)
            .map(|guard| (steps_between(guard.at, at), guard.at))
            .min_by_key(|&(steps, at)| (steps, at.y, at.x));
        if help.is_some_and(|(steps, _)| steps <= 1) {
            let reach = self.rules.noise.call;
            self.sound(Sound::Call, at, reach, SoundSource::Guard(id));
            return;
        }
        if help.is_some_and(|(_, goal)| self.go(id, goal)) {
            return;
        }
        if let Some(next) = self.step_away(id, thief) {
            self.enter(id, next);
        } else {
            self.face_point_of_interest(id);
        }
    }

    /// The free cell beside a guard that is farthest from another cell, if that is farther
    /// than its own.
    fn step_away(&self, id: GuardId, from: IVec2) -> Option<IVec2> {
        let guard = self.guard(id);
        let here = guard.at;
        let distance = |at: IVec2| (at - from).length_squared();
        let free = |&next: &IVec2| {
            self.toll(guard.kind, next).is_some()
                && self.floor().corners_free(here, next)
                && self.floor().guard_at(next).is_none()
                && self.state.thief.at != next
        };
        let around = Direction::ALL.into_iter().map(|way| here + way.step());
        around
            .filter(free)
            .filter(|&next| distance(next) > distance(here))
            .max_by_key(|&next| (distance(next), next.y, next.x))
    }
}
