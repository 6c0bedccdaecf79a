//! When to see and be seen.
//!
//! A torch shows a room, and its bearer to everyone who looks; to light it costs time and fuel, and
//! it is not dark at once when it is put out. So it is lit where there is something to learn, nobody
//! is known to be near, and no post overlooks the place. It is kept alight on the way to where the
//! unknown begins again, if that is near, and put out when that is far, or someone comes. Some
//! fuel is kept for when nerve runs out.

use crate::{
    Action, View,
    bots::{
        mind::Thinker,
        objective::{Aim, Objective},
    },
};

/// Unknown cells that are worth lighting a torch for.
const TEACHES: usize = 5;

/// The same when there is less fuel than so many beats.
const TEACHES_MORE: usize = 10;
const SCARCE: u16 = 100;

/// How near the end of the way must be, in steps, for the torch to be kept alight.
const SOON: usize = 50;

/// Beats of fuel that are kept for nerve.
const RESERVE: u16 = 20;

/// From which nerve light is sought, and until which.
const NERVE: (i16, i16) = (25, 60);

/// Ticks in which nobody should be able to come.
const ALONE: u32 = 40;

impl Thinker {
    /// Lights the torch or puts it out.
    pub(super) fn tend_light(&mut self, view: View<'_>) -> Option<Action> {
        let burns = view.thief().torch_burns();
        match self.wants_light(view) {
            true if !burns => Self::allowed(view, Action::LightTorch),
            false if burns => Self::allowed(view, Action::SnuffTorch),
            _ => None,
        }
    }

    fn wants_light(&mut self, view: View<'_>) -> bool {
        if !self.temper.light {
            return true;
        }
        let thief = view.thief();
        if !self.is_alone(view) || thief.ember.is_some() {
            return false;
        }
        let burns = thief.torch_burns();
        if thief.nerve <= if burns { NERVE.1 } else { NERVE.0 } {
            return true;
        }
        let explores = self
            .objective
            .as_ref()
            .is_none_or(|plan| plan.aim == Aim::Explore);
        if burns {
            let near = |plan: &Objective| plan.way.len() <= SOON;
            return explores && self.objective.as_ref().is_none_or(near);
        }
        let fuel = thief.torch.map_or(0, |torch| torch.fuel);
        let teaches = if fuel < SCARCE { TEACHES_MORE } else { TEACHES };
        explores && fuel > RESERVE && self.chart.unseen_around(thief.at) >= teaches
    }

    /// Whether nobody who is awake is known to be near, or to overlook the place.
    fn is_alone(&self, view: View<'_>) -> bool {
        let here = view.thief().at;
        let spot = self.dread.at(here);
        if !self.temper.guards {
            return true;
        }
        let watched = self.rivals.iter().any(|rival| {
            rival.is_awake()
                && view.rules().guard(rival.kind).eyes
                && (rival.seen || rival.weight(view) > 50)
                && self.chart.in_line(rival.at, here)
        });
        spot.soonest > ALONE && !watched
    }
}
