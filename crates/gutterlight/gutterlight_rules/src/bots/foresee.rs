//! Where guards will be in the next few beats.
//!
//! Whoever is on a patrol goes straight on, or round the corner; whoever goes to look takes the
//! shortest way to where the thief was noticed, and looks about there; whoever stands, stands.
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

/// Ticks of its walk since it was last heard that are made up for, at most.
const MADE_UP: u32 = 40;

/// How far a guard looks, in cells, for what is reckoned with.
pub(super) const LOOKS: u32 = 13;

/// Views that are kept for later turns.
const KEPT: usize = 48;

/// A guard at one moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foreseen {
    pub at: IVec2,
    /// Which way it looks; none if that can not be foreseen.
    pub facing: Option<Direction>,
    /// The place of its view in [`Views`].
    pub view: usize,
}

/// A guard, and where it will be at each moment from now on.
#[derive(Debug)]
pub(super) struct Track<'a> {
    pub rival: &'a Rival,
    pub moments: Vec<Foreseen>,
}

impl<'a> Track<'a> {
    /// For so many moments of so many ticks each, and the one that is now.
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
        // What was heard some beats ago has gone on since.
        let mut saved = (rival.age(view) * u32::from(BEAT)).min(MADE_UP) as u16;
        let mut track = Vec::with_capacity(moments + 1);
        for _ in 0..=moments {
            // As in the game: ticks are saved up and spent on steps.
            while saved >= pace {
                saved -= pace;
                now = match errand.as_mut().map(Vec::pop) {
                    // No errand: it is on patrol.
                    None => now.next(chart),
                    // It looks about there.
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

/// The ticks of a step; never, if it stands.
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

/// The way of one who goes to look, the next step last.
fn errand_of(chart: &Chart, rival: &Rival) -> Option<Vec<IVec2>> {
    let goal = rival.point_of_interest.filter(|_| rival.hunts())?;
    way(&chart.floor, rival.at, goal, |at| {
        chart.floor.is_passable(at).then_some(0)
    })
}

impl Foreseen {
    /// A step further on a patrol.
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

/// What is seen from where guards will be; kept, because they will be there for some turns.
#[derive(Debug, Default)]
pub(super) struct Views {
    views: Vec<(IVec2, FieldOfView)>,
    /// How much was known of the floor.
    known: (usize, u32),
}

impl Views {
    /// Forgets all if the floor has changed, and makes room for new ones.
    pub(super) fn refresh(&mut self, depth: usize, changes: u32) {
        if self.known != (depth, changes) {
            self.known = (depth, changes);
            // The places stay, so that their memory is used again by `of`.
            for (at, _) in &mut self.views {
                *at = IVec2::MIN;
            }
        }
        if self.views.len() > KEPT {
            self.views.clear();
        }
    }

    /// The place of the view from a cell.
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
        view.look(from, LOOKS, |at| chart.blocks_sight(at));
        place
    }

    /// Whether a cell is seen in a view.
    pub(super) fn sees(&self, view: usize, at: IVec2) -> bool {
        self.views
            .get(view)
            .is_some_and(|(_, view)| view.contains(at))
    }
}
