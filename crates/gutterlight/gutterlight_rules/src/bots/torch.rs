//! When to light and when to put out the torch.
//!
//! A torch shows the room, but it also shows its bearer to everyone who looks. Lighting it costs
//! time and fuel, and it glows after it is put out. The bot therefore lights it where there is
//! something to discover, no guard is known to be near, and no post overlooks the place. It keeps
//! the torch lit if the next unknown part is near, and puts it out if that is far or a guard comes.
//! It saves some fuel for when its nerve runs out.

use crate::{
    Action, LightBand, View,
    bots::{
        mind::Thinker,
        objective::{Aim, Objective},
    },
};

/// The number of unknown cells that are worth lighting the torch.
const TEACHES: usize = 5;

/// The same number if the fuel is less than `SCARCE` beats.
const TEACHES_MORE: usize = 10;
const SCARCE: u16 = 100;

/// The maximum length of the path for which the torch stays lit, in steps.
const SOON: usize = 50;

/// The fuel that is saved for nerve, in beats.
const RESERVE: u16 = 20;

/// The nerve below which the bot seeks light, and the nerve at which it stops.
const NERVE: (i16, i16) = (25, 60);

/// The nerve up to which the bot calms down in the dark if its torch cannot be lit.
const CALM: i16 = 15;

/// The bot is alone if no one can arrive within this many ticks.
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

    /// Waits in the dark if its nerve is gone and its torch cannot be lit. Stops if this does not
    /// help, because a guard is near that the bot does not know of.
    pub(super) fn calm_down(&self, view: View<'_>) -> Option<Action> {
        let thief = view.thief();
        let shaken = thief.nerve < CALM && thief.ember.is_none() && !view.is_late();
        let dark = thief.band == LightBand::Hidden;
        let helps = match self.waited() {
            true => thief.nerve > self.nerve,
            false => thief.nerve == 0,
        };
        (shaken && dark && helps && self.temper.guards && self.is_alone(view))
            .then_some(Action::Wait)
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

    /// Whether no awake guard is known to be near or to overlook the place.
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
