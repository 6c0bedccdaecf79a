//! The cheapest way through cells and moments.
//!
//! For each moment up to a horizon, each cell that can be reached by then costs what the
//! foreseen guards could see of the thief there, and a little for the time; at the end counts
//! how far the goal still is. It is Bellman's dynamic program: layer after layer the best way
//! to each cell is known, with the first step that led there. That step is the answer.
//!
//! ```text
//!    moment 0      1        2        ...      HORIZON
//!           @  ->  9 cells  25 cells          the best of all that were reached:
//!                                             cost so far + way left + danger there
//! ```
//!
//! Cost: cells in reach x moments x guards; what a guard sees from where it is foreseen is
//! looked up in a view.

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

/// Moments that are foreseen.
pub(super) const HORIZON: usize = 12;

/// Cells on a side of the square around the thief that is looked at.
const SIDE: i32 = 2 * HORIZON as i32 + 1;
const CELLS: usize = (SIDE * SIDE) as usize;

/// What a moment costs, in tenths of a cell of a way.
const MOMENT: u32 = 4;

/// Percent of the danger foreseen that is left after each moment: guards turn off.
const FADES: u32 = 93;

/// Percent of the way left that counts at the end.
const LEFT: u32 = 70;

/// What it costs to be so many steps from a guard for a moment, even behind its back.
const CLOSE: [u32; 7] = [400, 250, 120, 60, 25, 10, 0];

/// In how many ticks someone may come who is not in sight, and what each tick less costs one who wants to be
/// seen by nobody.
const SOON: u32 = 36;
const SURPRISE: u32 = 2;

/// What it costs to be heard.
const HEARD: u32 = 120;

/// What it costs to open a door.
const DOOR: u32 = 6;

/// What it costs to be lit for a moment, whoever may be about.
const LIGHT: [u32; 4] = [0, 2, 8, 14];

/// How near a lantern lights the thief, and how far dimly, in cells.
const LANTERN: (u32, u32) = (4, 7);

/// The gaits, and over how many moments a step takes: of four ticks each, or of two.
pub(super) const CALM: [(Gait, usize); 2] = [(Gait::Walk, 1), (Gait::Sneak, 2)];
pub(super) const HURRY: [(Gait, usize); 2] = [(Gait::Run, 1), (Gait::Walk, 2)];

/// The question of one turn.
pub(super) struct DynamicProgram<'a> {
    pub mind: &'a Thinker,
    pub view: View<'a>,
    pub tracks: &'a [Track<'a>],
    pub views: &'a Views,
    pub tolls: &'a Plane<u32>,
    /// What the way from each cell to the goal costs.
    pub to_goal: Option<&'a Plane<u32>>,
    pub here: IVec2,
    pub gaits: &'static [(Gait, usize)],
    /// Where to go, and whether one is gone once there.
    pub goal: Option<(IVec2, bool)>,
    /// Percent of the danger that is heeded.
    pub heed: u32,
}

/// The best way to a cell at one moment: its cost, and its first step, by the number of its
/// direction and gait; 0 for none.
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
    /// What was worked out of the danger in each cell; or [`u32::MAX`].
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

    /// The next cell, which may be the one where the thief is, and how to go there.
    pub(super) fn solve(&self) -> (IVec2, Gait) {
        let mut layers: Vec<Layer> = (0..=HORIZON).map(|_| Layer::new()).collect();
        if let Some(place) = self.place(self.here) {
            layers[0].offer(place, self.here, Best { cost: 0, first: 0 });
        }
        let mut fades = 100;
        for moment in 0..HORIZON {
            // Steps lead only to later layers, so this one is final.
            let (past, future) = layers.split_at_mut(moment + 1);
            let now = &mut past[moment];
            for &at in &now.reached {
                let Some(place) = self.place(at) else {
                    continue;
                };
                let mut best = now.cells[place];
                // Every way pays here for the moment in this cell, and not when it arrives: the
                // danger is worked out once for all ways that lead to it. The first moment is the
                // same for all.
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

    /// From a cell to those around it, in every gait, or to itself.
    fn spread(&self, at: IVec2, place: usize, best: Best, moment: usize, future: &mut [Layer]) {
        // To wait keeps the first step; from the start it is 0, which means to stay.
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
                // Only the first step is kept, not the way: it is all that the answer needs.
                let first = match moment {
                    0 => (1 + which * 8 + number) as u8,
                    _ => best.first,
                };
                let mut cost = best.cost + self.step_cost(to, moment + moments, gait, loudness);
                // A slow step is already in the next cell for the moments that it skips; those pay here,
                // because no layer does. Without fading: they are few.
                for between in 1..moments {
                    let foreseen = &mut future[between - 1].foreseen;
                    cost += self.cost(foreseen, place, to, moment + between, 100);
                }
                future[moments - 1].offer(place, to, Best { cost, first });
            }
        }
    }

    /// What a step costs: to be heard, and to open a door.
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

    /// What a moment in a cell costs: at the goal only what is dangerous.
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

    /// What it costs to be in a cell at any moment: lights and posts.
    fn standing(&self, at: IVec2) -> u32 {
        let mind = self.mind;
        let light = match mind.temper.light {
            true => LIGHT[mind.chart.band(at) as usize],
            false => 0,
        };
        let spot = mind.dread.at(at);
        // Half of what the dread of the cell is without those who walk about, who are foreseen.
        light + (spot.toll - spot.passing) / 2 * self.heed / 100
    }

    /// What it costs because of those who walk about.
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

    /// What a guard sees of the thief in a cell from where it is foreseen.
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
            // Behind a wall with no way round it is nowhere near.
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
            // Nobody knows which way it looks.
            _ => cone,
        };
        // It may turn.
        close
            + if apart <= cone {
                gain * 3 / 2
            } else {
                gain / 6
            }
    }

    /// How much surer a guard gets in a beat that looks at the thief in a cell.
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

    /// How lit the thief would be, so near to a guard.
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

    /// The first step to the best of the last cells: with what is left of the way, and of
    /// the danger.
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
            // Danger at the end counts more: it goes on after the horizon. The number of the first step
            // breaks ties.
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
