//! When to use tools, and takedowns.

use glam::IVec2;

use crate::{
    Action, AlertState, Direction, SeenGuard, Tool, View, bots::mind::Thinker,
    direction::steps_between,
};

/// The health that must be lost before a salve is used in peace.
const HURT: i16 = 6;

/// The beats of cloth that are left when water is poured over it.
const DRY: u16 = 30;

/// How close a guard may come to a bot that never wants to be seen, in steps.
const CLOSE: u32 = 5;

impl Thinker {
    /// Wraps the Ember, puts the cloak on or off, heals, refuels the torch, and wets the cloth.
    pub(super) fn help_oneself(&mut self, view: View<'_>) -> Option<Action> {
        let thief = view.thief();
        if thief.ember_shines()
            && let Some(action) = Self::allowed(view, Action::WrapEmber)
        {
            return Some(action);
        }
        if !self.temper.guards {
            return None;
        }
        self.change_cloak(view)
            .or_else(|| self.heal(view))
            .or_else(|| self.refuel(view))
            .or_else(|| self.wet_cloth(view))
    }

    /// Wears the cloak, except when the thief must run.
    fn change_cloak(&self, view: View<'_>) -> Option<Action> {
        let slot = Self::slot(view, Tool::DarkCloak)?;
        let wear = self.temper.light && !self.is_chased(view) && !self.is_spotted(view);
        let use_it = wear != view.thief().cloaked;
        use_it
            .then(|| Self::allowed(view, Action::Use { slot }))
            .flatten()
    }

    fn heal(&self, view: View<'_>) -> Option<Action> {
        let slot = Self::slot(view, Tool::Salve)?;
        let thief = view.thief();
        let lost = view.rules().thief.health - thief.health;
        let chased = self.is_chased(view);
        let needed = if chased {
            thief.health <= 3
        } else {
            lost >= HURT || thief.health <= 4
        };
        needed
            .then(|| Self::allowed(view, Action::Use { slot }))
            .flatten()
    }

    fn refuel(&self, view: View<'_>) -> Option<Action> {
        let slot = Self::slot(view, Tool::OilFlask)?;
        let low = view.thief().torch.is_some_and(|torch| torch.fuel < 60);
        let wanted = low && view.thief().ember.is_none();
        wanted
            .then(|| Self::allowed(view, Action::Use { slot }))
            .flatten()
    }

    /// Wets the cloth before it burns up.
    fn wet_cloth(&self, view: View<'_>) -> Option<Action> {
        let slot = Self::slot(view, Tool::WaterVial)?;
        let thief = view.thief();
        let burns = thief.ember.is_some_and(|ember| ember.wrapped) && thief.cloth < DRY;
        burns
            .then(|| Self::allowed(view, Action::Use { slot }))
            .flatten()
    }

    /// Uses a dart, a scroll or smoke against a chaser that is close.
    pub(super) fn last_resort(&mut self, view: View<'_>) -> Option<Action> {
        let here = view.thief().at;
        let chasers: Vec<SeenGuard> = view
            .guards()
            .filter(|guard| {
                guard.alert_state == AlertState::Chasing && view.rules().guard(guard.kind).fights
            })
            .collect();
        let nearest = chasers
            .iter()
            .min_by_key(|guard| steps_between(guard.at, here))?;
        let steps = steps_between(nearest.at, here);
        if let Some(throw) = self.throw_dart(view, nearest) {
            return Some(throw);
        }
        if steps > 3 {
            return None;
        }
        let blink = Self::slot(view, Tool::BlinkScroll)
            .and_then(|slot| Self::allowed(view, Action::Use { slot }));
        blink.or_else(|| {
            let slot = Self::slot(view, Tool::SmokeBomb).filter(|_| view.smoke(here) < 40)?;
            Self::allowed(view, Action::Throw { slot, at: here })
        })
    }

    /// Throws a dart at a guard within reach.
    fn throw_dart(&self, view: View<'_>, guard: &SeenGuard) -> Option<Action> {
        let slot = Self::slot(view, Tool::SleepingDart)?;
        let (here, at) = (view.thief().at, guard.at);
        let flies =
            steps_between(at, here) <= view.rules().thief.throw && self.clear_throw(here, at);
        flies
            .then(|| Self::allowed(view, Action::Throw { slot, at }))
            .flatten()
    }

    /// Throws a dart at a guard that begins to notice the thief. It sleeps longer than one that is
    /// sure.
    pub(super) fn silence(&self, view: View<'_>) -> Option<Action> {
        let here = view.thief().at;
        let shy = self.temper.unseen;
        if !self.temper.guards || !(shy || self.is_spotted(view)) {
            return None;
        }
        // A bot that never wants to be seen does not wait until a guard sees it.
        let close = |guard: &SeenGuard| shy && steps_between(guard.at, here) <= CLOSE;
        let wonders = |guard: &SeenGuard| {
            let awake = !guard.asleep && !guard.alert_state.is_down();
            awake && view.rules().guard(guard.kind).fights && (guard.sees_you || close(guard))
        };
        let nearest = view
            .guards()
            .filter(wonders)
            .min_by_key(|guard| steps_between(guard.at, here))?;
        self.throw_dart(view, &nearest)
    }

    /// Whether a throw would reach a cell.
    pub(super) fn clear_throw(&self, from: IVec2, to: IVec2) -> bool {
        lanternfell_lightgrid::line(from, to)
            .skip(1)
            .all(|at| !self.chart.tile(at).is_solid())
    }

    /// Knocks out a guard in a neighboring cell if possible.
    pub(super) fn take_down(&mut self, view: View<'_>) -> Option<Action> {
        if !self.temper.guards {
            return None;
        }
        let here = view.thief().at;
        Direction::ALL.into_iter().find_map(|way| {
            let at = here + way.step();
            let guard = view.guards().find(|guard| guard.at == at)?;
            (!guard.asleep && !guard.alert_state.is_down())
                .then(|| Self::allowed(view, Action::Takedown(way)))
                .flatten()
        })
    }
}
