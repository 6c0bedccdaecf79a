//! What a hound's nose tells it: light means nothing to it.
//!
//! The thief leaves a scent in every cell walked through, but for water. A hound that comes
//! upon a fresh trail follows it from each cell to the freshest one beside it, and is sure
//! once it smells the thief.

use glam::IVec2;

use crate::{
    AlertState, Direction, GuardId, GuardKind, World, direction::steps_between, guard::SURE,
};

impl World {
    /// What a guard's nose adds to its awareness; whether it smelt anything.
    pub(crate) fn smell_for_thief(&mut self, id: GuardId, ticks: u16) -> bool {
        if self.guard(id).kind != GuardKind::Hound {
            return false;
        }
        let at = self.state.thief.at;
        if self.smells_thief(id) {
            let smelt = u32::from(self.rules.behavior.smelt);
            let gain = smelt * u32::from(ticks) / u32::from(crate::BEAT);
            self.notice(id, at, gain.max(1), SURE);
            return true;
        }
        let Some(next) = self.trail(id) else {
            return false;
        };
        let rules = &self.rules.awareness;
        let follows = rules.investigating.max(self.guard(id).awareness);
        self.guard_mut(id).awareness = follows;
        self.guard_mut(id).point_of_interest = Some(next);
        self.go_and_look(id);
        true
    }

    /// Whether the thief is so near that the scent needs no trail: next to it, or in reach
    /// with nothing between.
    fn smells_thief(&self, id: GuardId) -> bool {
        let (hound, thief) = (self.guard(id).at, self.state.thief.at);
        let steps = steps_between(hound, thief);
        steps <= self.rules.awareness.smell_reach
            && (self.in_line(hound, thief) || steps <= 1)
            && !matches!(self.guard(id).alert_state, AlertState::Fleeing)
    }

    /// The freshest cell around a hound that is fresher than its own, if that is fresh
    /// enough to be followed.
    pub(crate) fn trail(&self, id: GuardId) -> Option<IVec2> {
        let here = self.guard(id).at;
        let scent = &self.floor().scent;
        let oldest = self
            .state
            .tick
            .saturating_sub(self.rules.awareness.trail_ticks)
            .max(1);
        let own = scent.get(here).copied().unwrap_or(0);
        Direction::ALL
            .into_iter()
            .map(|way| here + way.step())
            .filter(|&next| self.floor().corners_free(here, next))
            .filter_map(|next| scent.get(next).map(|&when| (when, next)))
            .filter(|&(when, _)| when >= oldest && when > own)
            .max_by_key(|&(when, next)| (when, next.y, next.x))
            .map(|(_, next)| next)
    }
}
