//! Running away: to cells that the thief reaches first, out of sight, and where guards will not
//! look.
//!
//! One search from all guards that chase computes when they could be in each cell. Another search
//! from the thief only continues over cells that the thief reaches first. Of the remaining cells,
//! the best refuge has the longest lead, is out of sight and is dark. Stairs are even better,
//! unless a guard is close enough to follow.
//!
//! ```text
//!     # # # # # # #         . cells that the thief @ reaches first at a run
//!     G x x . . . .         x cells that the guard G, who is as fast as a walk, reaches first
//!     # x # . # # .
//!     # x . @ # # .
//! ```

use glam::IVec2;

use crate::{
    Action, AlertState, Direction, Plane, Tile, View,
    bots::{mind::Thinker, rivals::Rival},
    direction::steps_between,
};

/// A chase counts for this many beats after the last sign of it.
const FRESH: u32 = 5;

/// The thief runs if a chaser could arrive within this many ticks.
const CLOSE: u32 = 60;

/// The thief puts out the torch only if no one can arrive within this many ticks.
const TIME_TO_DARKEN: u32 = 10;

/// The bonus for the refuge of the last turn, and for a refuge where no guard will look.
const HABIT: i32 = 100;
const LOST: i32 = 40;

/// The minimum time between two shoves, in ticks.
const SHOVES: u32 = 24;

/// For this many ticks after fleeing over stairs, chasers are expected to follow again.
const STAIRS: u32 = 120;

/// The breath that is needed to start a run, in ticks. A run ends once the nearest guard is this
/// many ticks away: `FAR` if the thief was seen or heard, `NEAR` otherwise.
const SPRINT: i32 = 16;
const FAR: u32 = 40;
const NEAR: u32 = 28;

/// A guard is close by within `CLOSE_BY` ticks. A cell is behind the guards if they need at least
/// `BEHIND` ticks to get there.
const CLOSE_BY: u32 = 16;
const BEHIND: u32 = 20;

/// The cost of a cell next to a guard on the way past it, and the maximum cost of that way.
const NEXT_TO: u32 = 40;
const PAST: u32 = 400;

/// A hound is alone if no other chaser is within this many steps of the thief. The thief fights it
/// if the odds are at least `BOLD` of 100.
const COMRADES: u32 = 8;
const BOLD: u8 = 30;

/// The thief is cornered if fewer cells than this are left.
const CORNERED: usize = 12;

/// A time that is never reached, in ticks.
const NEVER: u32 = 10_000;

/// The maximum number of steps to a refuge.
const REACH: u32 = 45;

/// The penalty for the light of a refuge, by light band.
const LIGHT: [i32; 4] = [0, 12, 35, 50];

/// The result of the race between the thief and the guards.
struct Race {
    /// The ticks until a guard could be in each cell.
    theirs: Plane<u32>,
    /// The thief's steps to each cell; [`NEVER`] where a guard is first.
    ours: Plane<u32>,
    came: Plane<IVec2>,
}

impl Thinker {
    fn is_after(view: View<'_>, rival: &Rival) -> bool {
        rival.alert_state == AlertState::Chasing
            && rival.age(view) <= FRESH
            && view.rules().guard(rival.kind).fights
    }

    /// Whether a guard chases the thief now, and is close.
    pub(super) fn is_chased(&self, view: View<'_>) -> bool {
        let here = view.thief().at;
        self.rivals.iter().any(|rival| Self::is_after(view, rival))
            && self.dread.at(here).soonest <= CLOSE
    }

    pub(super) fn flee(&mut self, view: View<'_>) -> Option<Action> {
        if !self.temper.guards || !self.is_chased(view) {
            self.refuge = None;
            self.sprints = false;
            return None;
        }
        self.objective = None;
        let here = view.thief().at;
        if matches!(self.chart.tile(here), Tile::StairsUp | Tile::StairsDown)
            && self.shakes_off(view)
            && let Some(climb) = Self::allowed(view, Action::Climb)
        {
            self.fled = view.tick();
            return Some(climb);
        }
        let stand = self.fend_off(view);
        if let Some(action) = stand
            .or_else(|| self.last_resort(view))
            .or_else(|| self.darken(view))
        {
            return Some(action);
        }
        let race = self.run_race(view);
        let next = self.step_to_refuge(view, &race);
        let pressed = race.theirs[here] <= 6;
        let free = race
            .ours
            .values()
            .iter()
            .filter(|&&steps| steps != NEVER)
            .count();
        if free < CORNERED && race.theirs[here] <= CLOSE_BY {
            let past = self.way_past(view, &race);
            return past
                .and_then(|next| self.flee_to(view, next))
                .or_else(|| self.strike_out(view));
        }
        match next {
            Some(next) if !(pressed && view.thief().breath < 4 && self.may_shove(view)) => {
                self.flee_to(view, next)
            }
            _ if pressed => self.strike_out(view),
            _ => Some(Action::Wait),
        }
    }

    /// Whether taking the stairs helps: no guard is close enough to follow, or the thief has not
    /// fled over stairs recently.
    fn shakes_off(&self, view: View<'_>) -> bool {
        let follow = u32::from(view.rules().awareness.follow_ticks);
        let soonest = self.dread.at(view.thief().at).soonest;
        soonest > follow || self.fled == 0 || view.tick() > self.fled + STAIRS
    }

    /// Fights a hound, which follows everywhere, while the odds are fair and no other guard is
    /// near.
    fn fend_off(&self, view: View<'_>) -> Option<Action> {
        let here = view.thief().at;
        let mut after = self.rivals.iter().filter(|rival| {
            Self::is_after(view, rival) && steps_between(rival.at, here) <= COMRADES
        });
        let alone = after.all(|rival| view.rules().guard(rival.kind).nose);
        if !alone {
            return None;
        }
        Direction::ALL.into_iter().find_map(|way| {
            let hound = view.guards().find(|guard| guard.at == here + way.step())?;
            let fair = view.odds(hound.id).is_some_and(|odds| odds >= BOLD);
            (view.rules().guard(hound.kind).nose
                && hound.alert_state == AlertState::Chasing
                && fair)
                .then(|| Self::allowed(view, Action::Fight(way)))
                .flatten()
        })
    }

    /// Puts out the torch, because guards never lose a thief who carries a light. This takes a
    /// beat.
    fn darken(&self, view: View<'_>) -> Option<Action> {
        let time = self.dread.at(view.thief().at).soonest >= TIME_TO_DARKEN;
        (time && self.temper.light)
            .then(|| Self::allowed(view, Action::SnuffTorch))
            .flatten()
    }

    fn run_race(&self, view: View<'_>) -> Race {
        let size = view.size();
        let mut race = Race {
            theirs: Plane::new(size.x, size.y, NEVER),
            ours: Plane::new(size.x, size.y, NEVER),
            came: Plane::new(size.x, size.y, IVec2::ZERO),
        };
        for rival in self.rivals.iter() {
            let pace = u32::from(view.rules().guard(rival.kind).chase_ticks);
            // Guards that do not know of the thief yet come more slowly.
            let pace = match rival.alert_state {
                AlertState::Chasing => pace,
                _ if rival.hunts() => 2 * pace,
                _ => 4 * pace,
            };
            let fresh = rival.is_awake()
                && rival.weight(view) > 40
                && view.rules().guard(rival.kind).fights;
            if fresh {
                self.flood(rival.at, |at, steps| {
                    let ticks = steps * pace;
                    let sooner = ticks < race.theirs[at];
                    if sooner {
                        race.theirs[at] = ticks;
                    }
                    sooner
                });
            }
        }
        let breath = u32::from(view.thief().breath.max(0).unsigned_abs());
        let here = view.thief().at;
        let theirs = race.theirs.clone();
        let (ours, came) = (&mut race.ours, &mut race.came);
        self.flood_from(here, |from, at, steps| {
            let first = steps == 0 || ticks_of(steps, breath) < theirs[at];
            let new = first && steps < ours[at] && steps <= REACH;
            if new {
                ours[at] = steps;
                came[at] = from;
            }
            new
        });
        race
    }

    fn flood(&self, from: IVec2, mut visit: impl FnMut(IVec2, u32) -> bool) {
        self.flood_from(from, |_, at, steps| visit(at, steps));
    }

    /// Calls `visit` with the previous cell, the cell and its number of steps, in the order of
    /// steps. The search continues from a cell if `visit` returns `true`.
    fn flood_from(&self, from: IVec2, mut visit: impl FnMut(IVec2, IVec2, u32) -> bool) {
        let mut ring = vec![from];
        if !self.chart.floor.tiles.contains(from) || !visit(from, from, 0) {
            return;
        }
        let mut steps = 0;
        while !ring.is_empty() {
            steps += 1;
            let mut next = Vec::new();
            for &at in &ring {
                for way in Direction::ALL {
                    let to = at + way.step();
                    let floor = &self.chart.floor;
                    let free = floor.is_passable(to) && floor.corners_free(at, to);
                    if free && visit(at, to, steps) {
                        next.push(to);
                    }
                }
            }
            ring = next;
        }
    }

    /// The next cell on the way to the best refuge, or `None` if the thief is there.
    fn step_to_refuge(&mut self, view: View<'_>, race: &Race) -> Option<IVec2> {
        let here = view.thief().at;
        let mut best: Option<(i32, IVec2)> = None;
        let taken: Vec<IVec2> = view.guards().map(|guard| guard.at).collect();
        for (at, &steps) in race.ours.iter() {
            if steps == NEVER || self.shuns(at) || taken.contains(&at) {
                continue;
            }
            let same = if self.refuge == Some(at) { HABIT } else { 0 };
            let value = self.value_of(view, at, race, best.map(|best| best.0)) + same;
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, at));
            }
        }
        let (_, goal) = best?;
        self.refuge = Some(goal);
        let mut at = goal;
        while at != here && race.came[at] != here {
            at = race.came[at];
        }
        (at != here).then_some(at)
    }

    /// The next cell on the way past the guards to open space behind them. A blow or two may hit
    /// the thief on this way.
    fn way_past(&self, view: View<'_>, race: &Race) -> Option<IVec2> {
        let here = view.thief().at;
        let up = view.guards().filter(|guard| !guard.alert_state.is_down());
        let guards: Vec<IVec2> = up.map(|guard| guard.at).collect();
        let near = |at: IVec2| {
            let adjacent = guards
                .iter()
                .filter(|&&guard| steps_between(guard, at) <= 1);
            adjacent.count() as u32
        };
        let floor = &self.chart.floor;
        let toll = |at: IVec2| {
            let free = floor.is_passable(at) && !guards.contains(&at) && !self.shuns(at);
            free.then(|| NEXT_TO * near(at))
        };
        let costs = crate::path::costs(floor, [here], toll);
        // Cells that the guards would have to turn around for.
        let open = costs.iter().filter(|&(at, &cost)| {
            cost < PAST && race.ours[at] == NEVER && race.theirs[at] >= BEHIND
        });
        let (goal, _) = open.min_by_key(|&(at, &cost)| (cost, at.y, at.x))?;
        crate::path::way(floor, here, goal, toll).and_then(|way| way.last().copied())
    }

    /// How good a refuge is. The expensive checks for lines of sight are skipped if they cannot
    /// make it better than `best`.
    fn value_of(&self, view: View<'_>, at: IVec2, race: &Race, best: Option<i32>) -> i32 {
        let thief = view.thief();
        let breath = u32::from(thief.breath.max(0).unsigned_abs());
        let steps = race.ours[at];
        let theirs = race.theirs[at].min(200) as i32;
        let lead = theirs - ticks_of(steps, breath) as i32;
        let stairs = match self.chart.tile(at) {
            Tile::StairsUp if view.depth() == 0 && thief.ember.is_none() => false,
            Tile::StairsUp | Tile::StairsDown => true,
            _ => false,
        };
        let stairs = match stairs && (lead > 16 || self.shakes_off(view)) {
            true if lead > 16 => 160,
            true if lead > 0 => 60,
            _ => 0,
        };
        let light = match self.temper.light {
            true => LIGHT[self.chart.band(at) as usize],
            false => 0,
        };
        let stays = if steps == 0 && theirs < 30 { 200 } else { 0 };
        let unknown = if self.chart.is_frontier(at) { 25 } else { 0 };
        let value = 2 * lead.min(70) + theirs.min(120) / 2 + stairs + unknown - light - stays;
        if best.is_some_and(|best| value + LOST + HABIT <= best) {
            return value;
        }
        let watched = self.rivals.iter().any(|rival| {
            rival.alert_state == AlertState::Chasing && self.chart.in_line(rival.at, at)
        });
        let lost = !watched && lead >= 24 && light == 0;
        value - if watched { 60 } else { 0 } + if lost { LOST } else { 0 }
    }

    fn flee_to(&mut self, view: View<'_>, next: IVec2) -> Option<Action> {
        let way = Self::way_to(view, next)?;
        self.sprints = self.should_sprint(view, next);
        let action = match self.sprints {
            true => self.rush(view, way),
            false => Action::Walk(way),
        };
        Self::allowed(view, action)
            .or_else(|| Self::allowed(view, Action::Walk(way)))
            .or_else(|| self.strike_out(view))
    }

    /// Whether to spend breath. Long runs get out of sight; short ones are only heard.
    fn should_sprint(&self, view: View<'_>, next: IVec2) -> bool {
        let breath = i32::from(view.thief().breath);
        let soonest = self.dread.at(view.thief().at).soonest;
        let seen = self
            .rivals
            .iter()
            .any(|rival| rival.alert_state == AlertState::Chasing && rival.sees);
        let heard = self.temper.noise && !self.is_unheard(view, next);
        let found = seen || heard;
        match self.sprints {
            true => soonest < FAR && (found || soonest < NEAR),
            false => found && (breath >= SPRINT || soonest <= 6),
        }
    }

    fn may_shove(&self, view: View<'_>) -> bool {
        let here = view.thief().at;
        let next_to = |at: IVec2| steps_between(at, here) == 1;
        view.tick() >= self.shoved + SHOVES && view.guards().any(|guard| next_to(guard.at))
    }

    /// Shoves or strikes when cornered.
    fn strike_out(&mut self, view: View<'_>) -> Option<Action> {
        let ways = || Direction::ALL.into_iter();
        if self.may_shove(view)
            && let Some(shove) = ways().find_map(|way| Self::allowed(view, Action::Shove(way)))
        {
            self.shoved = view.tick();
            return Some(shove);
        }
        ways().find_map(|way| Self::allowed(view, Action::Fight(way)))
    }
}

/// The ticks for this many steps, at a run while there is breath.
fn ticks_of(steps: u32, breath: u32) -> u32 {
    let run = steps.min(breath / 2);
    2 * run + 4 * (steps - run)
}
