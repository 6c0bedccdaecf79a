//! What is not as it should be: a comrade on the ground, a comrade missing, a lamp that
//! should burn, a torch that should not lie there.
//!
//! Guards look at these with the eyes with which they look for the thief: in line, inside
//! the cone, near enough. A body must be lit to be seen; a lamp is missed because it is dark.

use glam::IVec2;
use lanternfell_lightgrid::LightBand;

use crate::{
    AlertState, Bark, Direction, Duty, GuardId, Item, Sound, World, direction::steps_between,
    guard::perceive::SoundSource,
};

impl World {
    /// One look around, by one that has a sign of the thief, or none.
    pub(crate) fn glance_about(&mut self, id: GuardId, sign: bool) {
        let guard = self.guard(id);
        if !guard.kind.has_eyes()
            || matches!(guard.alert_state, AlertState::Chasing | AlertState::Fleeing)
        {
            return;
        }
        if let Some((comrade, at, bark)) = self.finds_loss(id) {
            self.mourn(id, comrade, at, bark);
        }
        if let Some(at) = self.finds_torch(id).filter(|_| !sign) {
            let investigating = self.rules.awareness.investigating;
            let guard = self.guard_mut(id);
            guard.awareness = guard.awareness.max(investigating);
            guard.point_of_interest = Some(at);
            self.go_and_look(id);
        }
        if self.guard(id).lamp.is_none()
            && self.guard(id).kind.minds_lamps()
            && let Some(lamp) = self.finds_dark_lamp(id)
        {
            self.guard_mut(id).lamp = Some(lamp);
            if self.guard(id).alert_state == AlertState::Calm {
                self.bark(id, Bark::LampOut);
            }
        }
    }

    /// Whether a guard's eyes fall on a cell within so many steps.
    fn eyes_fall_on(&self, id: GuardId, at: IVec2, reach: u32) -> bool {
        let guard = self.guard(id);
        let steps = steps_between(guard.at, at);
        let cone = self.rules.guard(guard.kind).cone;
        let way = Direction::towards(guard.at, at);
        steps <= reach
            && (steps <= 1 || way.is_none_or(|way| way.apart(guard.facing) <= cone))
            && self.in_line(guard.at, at)
    }

    /// A comrade that lies in sight, or is missing from its post; who, where to look, and
    /// what to say.
    fn finds_loss(&self, id: GuardId) -> Option<(GuardId, IVec2, Bark)> {
        let rules = &self.rules.awareness;
        let lost = |&other: &GuardId| {
            other != id
                && self.guard(other).alert_state.is_down()
                && self.guard(id).mourns & (1 << other) == 0
        };
        self.guard_ids().filter(lost).find_map(|other| {
            let comrade = self.guard(other);
            let near = steps_between(self.guard(id).at, comrade.at) <= 1;
            let lit = near || self.band(comrade.at) > LightBand::Hidden;
            if lit && self.eyes_fall_on(id, comrade.at, rules.glance) {
                return Some((other, comrade.at, Bark::ManDown));
            }
            let posted = comrade.duty != Duty::Patrol;
            let lit = self.band(comrade.home) > LightBand::Hidden;
            let missed = posted && lit && self.eyes_fall_on(id, comrade.home, rules.miss_reach);
            missed.then_some((other, comrade.home, Bark::WhereIsHe))
        })
    }

    /// A guard learns of a loss, and never forgets it.
    fn mourn(&mut self, id: GuardId, comrade: GuardId, at: IVec2, bark: Bark) {
        let investigating = self.rules.awareness.investigating;
        let guard = self.guard_mut(id);
        guard.mourns |= 1 << comrade;
        guard.vigilance = guard.vigilance.saturating_add(1);
        guard.awareness = guard.awareness.max(investigating);
        guard.point_of_interest = Some(at);
        guard.lamp = None;
        self.go_and_look(id);
        self.bark(id, bark);
        if bark == Bark::ManDown {
            let reach = self.rules.noise.call;
            let here = self.guard(id).at;
            self.sound(Sound::Call, here, reach, SoundSource::Guard(id));
        }
    }

    /// A torch that burns on the ground in sight.
    fn finds_torch(&self, id: GuardId) -> Option<IVec2> {
        let reach = self.rules.awareness.glance;
        let burning = self
            .floor()
            .items
            .iter()
            .filter_map(|placed| match placed.item {
                Item::Torch(torch) if torch.lit => Some(placed.at),
                _ => None,
            });
        burning
            .filter(|&at| self.eyes_fall_on(id, at, reach))
            .min_by_key(|&at| (steps_between(self.guard(id).at, at), at.y, at.x))
    }

    /// A flame of the keep in sight that does not burn, and that nobody else goes to light.
    fn finds_dark_lamp(&self, id: GuardId) -> Option<u8> {
        let reach = self.rules.awareness.glance;
        let floor = self.floor();
        let taken = |lamp: u8| {
            let mut others = floor.guards.iter();
            others.any(|guard| guard.lamp == Some(lamp) && guard.is_awake())
        };
        let dark = floor.fixtures.iter().enumerate().filter(|(_, lamp)| {
            lamp.kind.is_flame() && !lamp.burning && self.eyes_fall_on(id, lamp.at, reach)
        });
        dark.map(|(place, lamp)| (place as u8, lamp.at))
            .filter(|&(place, _)| !taken(place))
            .min_by_key(|&(place, at)| (steps_between(self.guard(id).at, at), place))
            .map(|(place, _)| place)
    }
}
