//! Running away: where nobody can cut one off, out of sight, to where they will not look.
//!
//! One search from everyone who is after the thief tells when they could be in each cell;
//! another from the thief goes on only where he is first. Of the cells that are left the best
//! is the one with the longest lead, out of sight, in the dark; stairs are better still,
//! unless someone is so near that he follows.
//!
//! ```text
//!     # # # # # # #         . are first reached by the thief @, who runs;
//!     G x x . . . .         x by the guard G, who is as fast as a walk
//!     # x # . # # .
//!     # x . @ # # .
//! ```

use glam::IVec2;

use crate::{
    Action, AlertState, Direction, Plane, Tile, View,
    bots::{mind::Thinker, rivals::Rival},
    direction::steps_between,
};

/// Beats after the last sign of a chase for which it goes on.
const FRESH: u32 = 5;

/// Ticks that a chaser may be away for the thief to run.
const CLOSE: u32 = 60;

/// Ticks that there must be to put out a torch.
const TIME_TO_DARKEN: u32 = 10;

/// How much the refuge of the last turn is preferred, and one where nobody will look.
const HABIT: i32 = 100;
const LOST: i32 = 40;

/// Ticks between one shove and the next.
const SHOVES: u32 = 24;

/// Ticks after a flight over stairs in which whoever follows would follow again.
const STAIRS: u32 = 120;

/// Ticks of breath to start a run with; and how far away someone must be, in ticks, for it
/// to end: seen or heard, and not.
const SPRINT: i32 = 16;
const FAR: u32 = 40;
const NEAR: u32 = 28;

/// Ticks away from which someone is close by; and in which he is behind.
const CLOSE_BY: u32 = 16;
const BEHIND: u32 = 20;

/// What a cell next to a guard costs on the way past him, and what that way may cost.
const NEXT_TO: u32 = 40;
const PAST: u32 = 400;

/// How near others must be, in steps, for a hound not to be alone; and of how many duels in a
/// hundred it must be the loser to be stood up to.
const COMRADES: u32 = 8;
const BOLD: u8 = 30;

/// Cells that can be run to, of which there are fewer for one who is cornered.
const CORNERED: usize = 12;

/// A time that never comes, in ticks.
const NEVER: u32 = 10_000;

/// Cells that are weighed as a refuge.
const REACH: u32 = 45;

/// What a refuge is worth less by how lit it is.
const LIGHT: [i32; 4] = [0, 12, 35, 50];

/// Everything that is first reached by the thief.
struct Race {
    /// When someone else could be there.
    theirs: Plane<u32>,
    /// Steps of the thief; [`NEVER`] where somebody is first.
    ours: Plane<u32>,
    came: Plane<IVec2>,
}

impl Thinker {
    fn is_after(view: View<'_>, rival: &Rival) -> bool {
        rival.alert_state == AlertState::Chasing
            && rival.age(view) <= FRESH
            && view.rules().guard(rival.kind).fights
    }

    /// Whether someone is after the thief now, and near.
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

    /// Whether stairs are of use: nobody is near enough to follow, or they have not been
    /// tried yet.
    fn shakes_off(&self, view: View<'_>) -> bool {
        let follow = u32::from(view.rules().awareness.follow_ticks);
        let soonest = self.dread.at(view.thief().at).soonest;
        soonest > follow || self.fled == 0 || view.tick() > self.fled + STAIRS
    }

    /// A hound follows wherever one goes: it is fought while the odds are fair, and not where others are.
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

    /// Nobody loses who follows a light; but to put it out takes a beat.
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
            // Whoever does not know yet is slower to come.
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

    /// Calls `visit` with cells in the order of the steps to them, and the cell before; it
    /// says whether to go on from there.
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

    /// The next cell on the way to the best refuge; none if it is here.
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

    /// The next cell on the way past whoever stands between the thief and a wide floor, if
    /// there is room for it; a blow or two may fall.
    fn way_past(&self, view: View<'_>, race: &Race) -> Option<IVec2> {
        let here = view.thief().at;
        let up = view.guards().filter(|guard| !guard.alert_state.is_down());
        let guards: Vec<IVec2> = up.map(|guard| guard.at).collect();
        let near = |at: IVec2| {
            let beside = guards
                .iter()
                .filter(|&&guard| steps_between(guard, at) <= 1);
            beside.count() as u32
        };
        let floor = &self.chart.floor;
        let toll = |at: IVec2| {
            let free = floor.is_passable(at) && !guards.contains(&at) && !self.shuns(at);
            free.then(|| NEXT_TO * near(at))
        };
        let costs = crate::path::costs(floor, [here], toll);
        // Where they would have to turn round.
        let open = costs.iter().filter(|&(at, &cost)| {
            cost < PAST && race.ours[at] == NEVER && race.theirs[at] >= BEHIND
        });
        let (goal, _) = open.min_by_key(|&(at, &cost)| (cost, at.y, at.x))?;
        crate::path::way(floor, here, goal, toll).and_then(|way| way.last().copied())
    }

    /// How good a place is to flee to. What is worse than `best` whatever is seen from it need
    /// not be looked at closely.
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

    /// Breath is spent at once: a long run gets out of sight, a short one is but heard.
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

    /// Cornered: a shove, or a blow.
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

/// The ticks of so many steps, at a run while there is breath.
fn ticks_of(steps: u32, breath: u32) -> u32 {
    let run = steps.min(breath / 2);
    2 * run + 4 * (steps - run)
}
