//! The cheapest path through cells and time.
//!
//! For each moment up to a horizon, each cell that can be reached by then has a cost: what the
//! guards could see of the thief there from their predicted positions, plus a little for the time.
//! At the end, the remaining distance to the goal is added. This is Bellman's dynamic program:
//! layer after layer, the best way to each cell is known, together with its first step. That first
//! step is the result.
//!
//! ```text
//!    moment 0      1        2        ...      HORIZON
//!           @  ->  9 cells  25 cells          the best of all reached cells:
//!                                             cost so far + remaining path + danger there
//! ```
//!
//! Cost: reachable cells x moments x guards. What a guard sees from a predicted position is looked
//! up in a precomputed field of view.

use glam::IVec2;
use lanternfell_lightgrid::LightBand;

use crate::{
    Direction, Door, Plane, Tile, View,
    action::Gait,
    bots::{
        foresee::{Foreseen, LOOKS, Track, Views},
        mind::Thinker,
        rivals::Rival,
    },
    direction::steps_between,
    path::NO_WAY,
};

/// The number of moments that are looked ahead.
pub(super) const HORIZON: usize = 12;

/// The side of the square around the thief that is considered, in cells.
const SIDE: i32 = 2 * HORIZON as i32 + 1;
const CELLS: usize = (SIDE * SIDE) as usize;

/// The cost of a moment, in tenths of a cell of path.
const MOMENT: u32 = 4;

/// The percentage of the predicted danger that is kept with each moment, because guards may turn
/// away.
const FADES: u32 = 93;

/// The percentage of the remaining path that counts at the end.
const LEFT: u32 = 70;

/// The cost of being this many steps from a guard for a moment, even behind its back.
const CLOSE: [u32; 7] = [400, 250, 120, 60, 25, 10, 0];

/// A guard out of sight may appear within `SOON` ticks. Each tick less costs a bot `SURPRISE` if it
/// never wants to be seen.
const SOON: u32 = 36;
const SURPRISE: u32 = 2;

/// The cost of being heard.
const HEARD: u32 = 120;

/// The cost of opening a door.
const DOOR: u32 = 6;

/// The cost of being lit for a moment, by light band, even without any guard.
const LIGHT: [u32; 4] = [0, 2, 8, 14];

/// How far a lantern lights the thief brightly, and how far dimly, in cells.
const LANTERN: (u32, u32) = (4, 7);

/// The gaits, and how many moments a step takes. A moment is four ticks for `CALM` and two ticks
/// for `HURRY`.
pub(super) const CALM: [(Gait, usize); 2] = [(Gait::Walk, 1), (Gait::Sneak, 2)];
pub(super) const HURRY: [(Gait, usize); 2] = [(Gait::Run, 1), (Gait::Walk, 2)];

/// The input of the search for one turn.
pub(super) struct DynamicProgram<'a> {
    pub mind: &'a Thinker,
    pub view: View<'a>,
    pub tracks: &'a [Track<'a>],
    pub views: &'a Views,
    pub tolls: &'a Plane<u32>,
    /// The path cost from each cell to the goal.
    pub to_goal: Option<&'a Plane<u32>>,
    pub here: IVec2,
    pub gaits: &'static [(Gait, usize)],
    /// The goal, and whether the thief leaves the floor there.
    pub goal: Option<(IVec2, bool)>,
    /// The percentage of the danger that counts.
    pub heed: u32,
}

/// The best way to a cell at one moment: its cost and its first step. The step is 1 plus the index
/// of the direction plus 8 times the index of the gait; 0 means no step.
#[derive(Debug, Clone, Copy)]
struct Best {
    cost: u32,
    first: u8,
}

const NOT_REACHED: Best = Best {
    cost: u32::MAX,
    first: 0,
};

/// All cells that can be reached at one moment.
#[derive(Debug)]
struct Layer {
    cells: Vec<Best>,
    reached: Vec<IVec2>,
    /// The danger in each cell, as far as it was computed, or [`u32::MAX`].
    foreseen: Vec<u32>,
}

impl Layer {
    fn new() -> Self {
        Self {
            cells: vec![NOT_REACHED; CELLS],
            reached: Vec::new(),
            foreseen: vec![u32::MAX; CELLS],
        }
    }

    fn offer(&mut self, place: usize, at: IVec2, best: Best) {
        let cell = &mut self.cells[place];
        if cell.cost == u32::MAX {
            self.reached.push(at);
        }
        if best.cost < cell.cost {
            *cell = best;
        }
    }
}

impl DynamicProgram<'_> {
    fn place(&self, at: IVec2) -> Option<usize> {
        let off = at - self.here + IVec2::splat(HORIZON as i32);
        let inside = off.min_element() >= 0 && off.max_element() < SIDE;
        inside.then(|| (off.y * SIDE + off.x) as usize)
    }

    /// The next cell, which may be the thief's own, and the gait.
    pub(super) fn solve(&self) -> (IVec2, Gait) {
        let mut layers: Vec<Layer> = (0..=HORIZON).map(|_| Layer::new()).collect();
        if let Some(place) = self.place(self.here) {
            layers[0].offer(place, self.here, Best { cost: 0, first: 0 });
        }
        let mut fades = 100;
        for moment in 0..HORIZON {
            // Steps only lead to later layers, so this layer is final.
            let (past, future) = layers.split_at_mut(moment + 1);
            let now = &mut past[moment];
            for &at in &now.reached {
                let Some(place) = self.place(at) else {
                    continue;
                };
                let mut best = now.cells[place];
                // The danger of a cell is added when a way leaves it, not when it arrives. So it is
                // computed once for all ways that lead there. The first moment is the same for all.
                if moment > 0 {
                    best.cost += self.cost(&mut now.foreseen, place, at, moment, fades);
                }
                self.spread(at, place, best, moment, future);
            }
            fades = fades * FADES / 100;
        }
        let last = layers.pop().unwrap_or_else(Layer::new);
        self.choose(last)
    }

    /// Extends the best way to a cell to its neighbors in every gait, and to the cell itself.
    fn spread(&self, at: IVec2, place: usize, best: Best, moment: usize, future: &mut [Layer]) {
        // Waiting keeps the first step. At the start that step is 0, which means to stay.
        future[0].offer(place, at, best);
        for (number, way) in Direction::ALL.into_iter().enumerate() {
            let to = at + way.step();
            let toll = self.tolls.get(to).copied().unwrap_or(NO_WAY);
            let free = toll != NO_WAY && self.mind.chart.floor.corners_free(at, to);
            let Some(place) = self.place(to).filter(|_| free) else {
                continue;
            };
            let loudness = match self.mind.temper.noise {
                true => self.mind.loudness(self.view, to),
                false => (0, 0),
            };
            for (which, &(gait, moments)) in self.gaits.iter().enumerate() {
                if moments > future.len() {
                    continue;
                }
                // Only the first step of a way is stored, because the result needs no more.
                let first = match moment {
                    0 => (1 + which * 8 + number) as u8,
                    _ => best.first,
                };
                let mut cost = best.cost + self.step_cost(to, moment + moments, gait, loudness);
                // A slow step is already in the next cell during the moments that it skips. No
                // layer
                // adds their danger, so it is added here, without fading.
                for between in 1..moments {
                    let foreseen = &mut future[between - 1].foreseen;
                    cost += self.cost(foreseen, place, to, moment + between, 100);
                }
                future[moments - 1].offer(place, to, Best { cost, first });
            }
        }
    }

    /// The cost of a step: being heard, and opening a door.
    fn step_cost(&self, to: IVec2, moment: usize, gait: Gait, (walk, sneak): (u16, u16)) -> u32 {
        let door = self.mind.chart.tile(to) == Tile::Door(Door::Closed);
        let door = if door { DOOR } else { 0 };
        if !self.mind.temper.noise {
            return door;
        }
        let loud = u32::from(match gait {
            Gait::Walk => walk,
            Gait::Sneak => sneak,
            Gait::Run => walk * 2,
        });
        let heard = self.tracks.iter().filter(|track| {
            let steps = steps_between(track.moments[moment].at, to);
            let need = u32::from(self.view.hearing_need(track.rival.kind));
            !track.rival.sees && loud >= 10 * steps + need
        });
        door + HEARD * heard.count() as u32 * self.heed / 100
    }

    /// The cost of a moment in a cell. At the goal only the danger counts.
    fn cost(
        &self,
        foreseen: &mut [u32],
        place: usize,
        at: IVec2,
        moment: usize,
        fades: u32,
    ) -> u32 {
        let leaves = self.goal == Some((at, true));
        if leaves {
            return 0;
        }
        if foreseen[place] == u32::MAX {
            foreseen[place] = self.foreseen(at, moment);
        }
        let danger = foreseen[place] * fades / 100;
        match self.goal == Some((at, false)) {
            true => danger,
            false => danger + self.standing(at) + MOMENT,
        }
    }

    /// The cost of being in a cell at any moment, because of light and posted guards.
    fn standing(&self, at: IVec2) -> u32 {
        let mind = self.mind;
        let light = match mind.temper.light {
            true => LIGHT[mind.chart.band(at) as usize],
            false => 0,
        };
        let spot = mind.dread.at(at);
        // Half of the dread of the cell, without moving guards, whose positions are predicted.
        light + (spot.toll - spot.passing) / 2 * self.heed / 100
    }

    /// The cost because of moving guards.
    fn foreseen(&self, at: IVec2, moment: usize) -> u32 {
        let threats = self
            .tracks
            .iter()
            .map(|track| self.threat(track.rival, at, track.moments[moment]));
        let surprise = match self.mind.temper.unseen {
            true => SOON.saturating_sub(self.mind.dread.at(at).soonest) * SURPRISE,
            false => 0,
        };
        (threats.sum::<u32>() + surprise) * self.heed / 100
    }

    /// The danger from a guard at its predicted position.
    fn threat(&self, rival: &Rival, at: IVec2, guard: Foreseen) -> u32 {
        let steps = steps_between(guard.at, at);
        if steps > LOOKS {
            return 0;
        }
        let close = CLOSE.get(steps as usize).copied().unwrap_or(0);
        if !self.view.rules().guard(rival.kind).eyes {
            return 2 * close;
        }
        if !self.views.sees(guard.view, at) {
            // A guard behind a wall without a short way around is not really close.
            let way = self.mind.dread.at(at).soonest / 4;
            return if way <= 2 * steps + 4 {
                close / 2
            } else {
                close / 8
            };
        }
        let gain = self.gain(rival, at, steps);
        let cone = self.view.rules().guard(rival.kind).cone + u32::from(rival.hunts());
        let apart = match (guard.facing, Direction::towards(guard.at, at)) {
            (Some(facing), Some(way)) => way.apart(facing),
            // The facing is unknown, so assume the edge of the cone.
            _ => cone,
        };
        // The guard may turn, so cells outside of the cone cost something too.
        close
            + if apart <= cone {
                gain * 3 / 2
            } else {
                gain / 6
            }
    }

    /// The awareness that a guard gains in a beat by looking at the thief in a cell.
    fn gain(&self, rival: &Rival, at: IVec2, steps: u32) -> u32 {
        let band = self.band(at, steps, rival);
        if steps <= 1 && band != LightBand::Hidden {
            return 1000;
        }
        let sight = self.view.sight_distance(rival.kind, band);
        if steps > sight {
            return 0;
        }
        let rules = &self.view.rules().awareness;
        let full = u32::from(match band {
            LightBand::Hidden if steps <= 1 => rules.beside,
            LightBand::Hidden | LightBand::Dim => rules.dim,
            LightBand::Lit => rules.lit,
            LightBand::Blazing => rules.blazing,
        });
        let lost = u32::from(100 - rules.far.min(100)) * steps / sight.max(1);
        full * (100 - lost.min(100)) / 100
    }

    /// The light band of the thief in a cell at this distance from a guard.
    fn band(&self, at: IVec2, steps: u32, rival: &Rival) -> LightBand {
        let thief = self.view.thief();
        if !self.mind.temper.light {
            return LightBand::Lit;
        }
        if thief.torch_burns() || thief.ember_shines() {
            return LightBand::Blazing;
        }
        let lantern = match steps {
            _ if !rival.lantern => LightBand::Hidden,
            steps if steps <= LANTERN.0 => LightBand::Lit,
            steps if steps <= LANTERN.1 => LightBand::Dim,
            _ => LightBand::Hidden,
        };
        self.view.would_show(self.mind.chart.band(at).max(lantern))
    }

    /// The first step toward the best cell of the last layer, given the remaining path and danger.
    fn choose(&self, mut last: Layer) -> (IVec2, Gait) {
        let mut best: Option<(u32, u8)> = None;
        let reached = core::mem::take(&mut last.reached);
        for at in reached {
            let Some(place) = self.place(at) else {
                continue;
            };
            let way = self.to_goal.map_or(0, |costs| costs[at].min(4000));
            let danger = self.cost(&mut last.foreseen, place, at, HORIZON, 100);
            let Best { cost, first } = last.cells[place];
            // Danger at the end counts three times, because it continues after the horizon. The
            // first
            // step breaks ties.
            let score = (cost + way * LEFT / 100 + 3 * danger, first);
            if best.is_none_or(|best| score < best) {
                best = Some(score);
            }
        }
        let first = best.map_or(0, |(_, first)| usize::from(first));
        let Some(number) = first.checked_sub(1) else {
            return (self.here, Gait::Walk);
        };
        let next = self.here + Direction::ALL[number % 8].step();
        (next, self.gaits[number / 8].0)
    }
}
