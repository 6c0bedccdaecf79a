//! Prediction of where guards will be in the next beats.
//!
//! A patrol goes straight on, or around the corner. A guard that investigates takes the shortest
//! path to where it noticed the thief, and looks around there. A standing guard stays.
//!
//! ```text
//!    beat 0    . . . . G        beat 4    . . . . .
//!              . # # # #                  G # # # #
//! ```

use glam::IVec2;
use lanternfell_lightgrid::FieldOfView;

use crate::{
    AlertState, BEAT, Direction, View,
    bots::{chart::Chart, rivals::Rival},
    path::way,
};

/// The maximum time for which an earlier sound is extrapolated, in ticks.
const MADE_UP: u32 = 40;

/// How far a guard's sight is considered, in cells.
pub(super) const LOOKS: u32 = 13;

/// The maximum number of cached fields of view.
const KEPT: usize = 48;

/// The predicted state of a guard at one moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foreseen {
    pub at: IVec2,
    /// The direction in which it looks, or `None` if it cannot be predicted.
    pub facing: Option<Direction>,
    /// The index of its field of view in [`Views`].
    pub view: usize,
}

/// A guard with its predicted states from now on.
#[derive(Debug)]
pub(super) struct Track<'a> {
    pub rival: &'a Rival,
    pub moments: Vec<Foreseen>,
}

impl<'a> Track<'a> {
    /// Predicts the state now and for `moments` moments of `ticks` ticks each.
    pub(super) fn new(
        view: View<'_>,
        chart: &Chart,
        views: &mut Views,
        rival: &'a Rival,
        moments: usize,
        ticks: u16,
    ) -> Self {
        let pace = pace_of(view, rival);
        let mut errand = errand_of(chart, rival);
        let mut now = Foreseen {
            at: rival.at,
            facing: rival.facing,
            view: views.of(chart, rival.at),
        };
        // A guard that was heard some beats ago has moved on since.
        let mut saved = (rival.age(view) * u32::from(BEAT)).min(MADE_UP) as u16;
        let mut track = Vec::with_capacity(moments + 1);
        for _ in 0..=moments {
            // As in the game, ticks are saved and spent on steps.
            while saved >= pace {
                saved -= pace;
                now = match errand.as_mut().map(Vec::pop) {
                    // Without an errand, the guard is on patrol.
                    None => now.next(chart),
                    // The guard has arrived and looks around.
                    Some(None) => Foreseen {
                        facing: None,
                        ..now
                    },
                    Some(Some(at)) => Foreseen {
                        at,
                        facing: Direction::towards(now.at, at),
                        ..now
                    },
                };
                now.view = views.of(chart, now.at);
            }
            track.push(now);
            saved = saved.saturating_add(ticks);
        }
        Self {
            rival,
            moments: track,
        }
    }
}

/// The ticks of a guard's step, or `u16::MAX` if it stands.
fn pace_of(view: View<'_>, rival: &Rival) -> u16 {
    let rules = view.rules().guard(rival.kind);
    if rival.is_posted() || rival.asleep || rival.still > 3 {
        return u16::MAX;
    }
    match rival.alert_state {
        AlertState::Calm => rules.calm_ticks,
        AlertState::Suspicious | AlertState::Unconscious | AlertState::Dead => u16::MAX,
        AlertState::Investigating | AlertState::Searching => rules.search_ticks,
        AlertState::Chasing | AlertState::Fleeing => rules.chase_ticks,
    }
}

/// The path of a guard that investigates, with the next step last.
fn errand_of(chart: &Chart, rival: &Rival) -> Option<Vec<IVec2>> {
    let goal = rival.point_of_interest.filter(|_| rival.hunts())?;
    way(&chart.floor, rival.at, goal, |at| {
        chart.floor.is_passable(at).then_some(0)
    })
}

impl Foreseen {
    /// The state after one more step of a patrol.
    fn next(self, chart: &Chart) -> Self {
        let Some(facing) = self.facing else {
            return self;
        };
        let free = |way: &Direction| {
            let next = self.at + way.step();
            chart.tile(next).is_passable() && chart.floor.corners_free(self.at, next)
        };
        let turns = [0, 1, -1, 2, -2].map(|eighths| facing.turned(eighths));
        match turns.into_iter().find(free) {
            Some(way) => Self {
                at: self.at + way.step(),
                facing: Some(way),
                ..self
            },
            None => Self {
                facing: Some(facing.opposite()),
                ..self
            },
        }
    }
}

/// Cached fields of view from the predicted positions. They are kept because guards stay there for
/// some turns.
#[derive(Debug, Default)]
pub(super) struct Views {
    views: Vec<(IVec2, FieldOfView)>,
    /// The floor and the number of changes of its chart for which the cache is valid.
    known: (usize, u32),
}

impl Views {
    /// Clears the cache if the floor has changed, or if it is too large.
    pub(super) fn refresh(&mut self, depth: usize, changes: u32) {
        if self.known != (depth, changes) {
            self.known = (depth, changes);
            // The entries stay, so that `of` reuses their memory.
            for (at, _) in &mut self.views {
                *at = IVec2::MIN;
            }
        }
        if self.views.len() > KEPT {
            self.views.clear();
        }
    }

    /// The index of the field of view from a cell. Computes it if necessary.
    fn of(&mut self, chart: &Chart, from: IVec2) -> usize {
        if let Some(place) = self.views.iter().position(|&(at, _)| at == from) {
            return place;
        }
        let free = self.views.iter().position(|&(at, _)| at == IVec2::MIN);
        let place = free.unwrap_or_else(|| {
            self.views.push((from, FieldOfView::new()));
            self.views.len() - 1
        });
        let (at, view) = &mut self.views[place];
        *at = from;
        view.compute(from, LOOKS, |at| chart.blocks_sight(at));
        place
    }

    /// Whether a cell is inside a field of view.
    pub(super) fn sees(&self, view: usize, at: IVec2) -> bool {
        self.views
            .get(view)
            .is_some_and(|(_, view)| view.contains(at))
    }
}
