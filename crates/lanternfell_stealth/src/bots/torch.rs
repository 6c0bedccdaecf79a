//! When to see and be seen.
//!
//! A torch shows a room in one beat, and its bearer to everyone who looks. So it is lit where
//! there is something to learn, nobody is known to be near, and no post overlooks the place;
//! and it is put out as soon as there is nothing more to learn, or someone comes.

use crate::{
    Action, View,
    bots::{mind::Thinker, objective::Aim},
};

/// Unknown cells that are worth lighting a torch for, and keeping it alight.
const TEACHES: (usize, usize) = (14, 7);

/// From which nerve light is sought, and until which.
const NERVE: (i16, i16) = (8, 40);

/// Ticks in which nobody should be able to come.
const ALONE: u32 = 60;

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
        let enough = if burns { TEACHES.1 } else { TEACHES.0 };
        explores && self.chart.unseen_around(thief.at) >= enough
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
                && rival.kind.has_eyes()
                && (rival.seen || rival.weight(view) > 50)
                && self.chart.in_line(rival.at, here)
        });
        spot.soonest > ALONE && !watched
    }
}
