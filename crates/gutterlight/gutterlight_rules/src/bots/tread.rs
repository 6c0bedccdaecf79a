//! The next few beats when guards are near: when to go, when to wait, and where to step aside.
//!
//! Problem: a corridor with an approaching patrol is deadly in three beats and empty in ten. A
//! single cost for each cell cannot express this.
//!
//! Idea: predict the position of each guard at each moment, and search the cheapest path through
//! cells *and* moments:
//!
//! ```text
//!    now   . . . . G       then   . . . G .       then   . . G . .
//!          @ .                    . @                    . .
//!            .                      .                      @   stepped aside
//! ```
//!
//! [`dynamic_program`](super::dynamic_program) implements the search. This module prepares its
//! input and performs the result. A thief whom a guard begins to notice runs.

use glam::IVec2;
use lanternfell_lightgrid::LightBand;

use crate::{
    Action, Plane, View,
    action::Gait,
    bots::{
        dynamic_program::{CALM, DynamicProgram, HORIZON, HURRY},
        foresee::{Track, Views},
        mind::Thinker,
        objective::Aim,
        rivals::Rival,
    },
    direction::steps_between,
};

/// The distance within which guards matter, in steps.
const NEAR: u32 = 16;

/// A guard matters for this many beats after its last sign.
const FRESH: u32 = 8;

/// The breath that is needed to get out of sight, in ticks.
const BREATH: i32 = 6;

/// The awareness at which a guard begins to notice the thief, from 0 to 100.
const WONDERS: u8 = 12;

/// The percentage of danger that counts, by boredom.
const HEEDS: [u32; 4] = [100, 60, 25, 0];

/// The factor on danger for a bot that never wants to be seen.
const SHY: u32 = 2;

impl Thinker {
    /// The best next action while guards are near, or `None` if no guard is near.
    pub(super) fn tread(&mut self, view: View<'_>) -> Option<Action> {
        if !self.temper.guards || !self.someone_near(view) {
            return None;
        }
        let here = view.thief().at;
        if self.temper.light
            && let Some(snuff) = Self::allowed(view, Action::SnuffTorch)
        {
            return Some(snuff);
        }
        self.make_plan(view);
        if self.is_calm_here(view) && self.do_here(view).is_some() {
            return None;
        }
        let (next, gait) = self.best_move(view);
        let Some(way) = Self::way_to(view, next) else {
            return Some(Action::Wait);
        };
        match gait {
            Gait::Run => Self::allowed(view, self.rush(view, way)),
            Gait::Sneak => Self::allowed(view, Action::Sneak(way)),
            Gait::Walk => None,
        }
        .or_else(|| self.step_to(view, here, next))
    }

    /// Whether no guard sees the thief or is close and in sight.
    fn is_calm_here(&self, view: View<'_>) -> bool {
        let here = view.thief().at;
        let near = |rival: &Rival| rival.is_awake() && steps_between(rival.at, here) <= 3;
        let disturbs = |rival: &Rival| rival.sees || near(rival) && rival.seen;
        !self.rivals.iter().any(disturbs)
    }

    /// Whether a guard begins to notice the thief, and there is enough breath to get out of sight.
    pub(super) fn is_spotted(&self, view: View<'_>) -> bool {
        let wonders_from = if self.temper.unseen {
            WONDERS / 2
        } else {
            WONDERS
        };
        // In dim light there is time, and running would be heard.
        if self.temper.unseen && view.shown_band() < LightBand::Lit {
            return false;
        }
        let wonders = |rival: &Rival| {
            rival.sees && rival.is_awake() && (rival.hunts() || rival.awareness > wonders_from)
        };
        i32::from(view.thief().breath) >= BREATH && self.rivals.iter().any(wonders)
    }

    pub(super) fn someone_near(&self, view: View<'_>) -> bool {
        let here = view.thief().at;
        self.rivals.iter().any(|rival| matters(view, rival, here))
    }

    /// The first step of the best path through the next beats, and its gait.
    fn best_move(&mut self, view: View<'_>) -> (IVec2, Gait) {
        let tolls = self.tolls(view);
        let mut views = core::mem::take(&mut self.views);
        views.refresh(view.depth(), self.chart.changes);
        let best = self.ask(view, &tolls, &mut views);
        self.views = views;
        self.tolls = Some(tolls);
        best
    }

    fn ask(&self, view: View<'_>, tolls: &Plane<u32>, views: &mut Views) -> (IVec2, Gait) {
        let here = view.thief().at;
        let hurry = self.is_spotted(view);
        let ticks = if hurry { 2 } else { 4 };
        let near = self
            .rivals
            .iter()
            .filter(|rival| matters(view, rival, here));
        let tracks: Vec<Track<'_>> = near
            .map(|rival| Track::new(view, &self.chart, views, rival, HORIZON, ticks))
            .collect();
        let plan = self.objective.as_ref();
        let to_goal = plan.map(|plan| self.costs_from(plan.goal, tolls));
        let goal = plan.map(|plan| (plan.goal, plan.aim == Aim::Climb));
        let dynamic_program = DynamicProgram {
            mind: self,
            view,
            tracks: &tracks,
            views,
            tolls,
            to_goal: to_goal.as_ref(),
            here,
            gaits: if hurry { &HURRY } else { &CALM },
            goal: goal.filter(|&(goal, _)| goal != here),
            heed: HEEDS[self.boredom(view) as usize] * if self.temper.unseen { SHY } else { 1 },
        };
        dynamic_program.solve()
    }
}

/// Whether a guard matters in the next beats.
fn matters(view: View<'_>, rival: &Rival, here: IVec2) -> bool {
    rival.is_awake()
        && !rival.is_posted()
        && rival.age(view) <= FRESH
        && steps_between(rival.at, here) <= NEAR
}
