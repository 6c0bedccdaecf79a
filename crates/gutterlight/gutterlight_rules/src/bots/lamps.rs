//! Which lamps to put out: those that light the path where a guard may look.
//!
//! ```text
//!    @ . . . ! . . . >       s watches the light. Walk around it, or put the lamp out first:
//!      # # . # # . s         by hand, or with a water vial from a safe distance.
//! ```

use glam::IVec2;
use lanternfell_lightgrid::LightBand;

use crate::{
    Action, Direction, Fixture, Plane, Tool, View,
    bots::{
        mind::Thinker,
        objective::{Aim, Objective},
    },
    direction::steps_between,
    path::NO_WAY,
};

/// How far a lamp lights the path, in steps.
const SHINES: u32 = 5;

/// The minimum number of lit cells of the path.
const LIT: usize = 3;

/// How many cells of the path are considered.
const AHEAD: usize = 24;

/// The distance within which a guard may look, in steps.
const LOOKS: u32 = 14;

/// How often the same lamp is put out before it is left alone.
const OFTEN: usize = 2;

impl Thinker {
    /// The lamp that lights most of a path (next cell last) where a guard may look.
    fn lamp_over(&self, view: View<'_>, way: &[IVec2]) -> Option<Fixture> {
        if !self.temper.light || !self.temper.guards || view.thief().ember.is_some() {
            return None;
        }
        let next = way.iter().rev().take(AHEAD);
        let lit: Vec<IVec2> = next
            .copied()
            .filter(|&at| self.chart.band(at) >= LightBand::Lit && self.may_be_looked_at(view, at))
            .collect();
        if lit.len() < LIT {
            return None;
        }
        let lights = |lamp: &Fixture| {
            let shone = |at: &&IVec2| {
                steps_between(lamp.at, **at) <= SHINES && self.chart.in_line(lamp.at, **at)
            };
            lit.iter().filter(shone).count()
        };
        let lamps = self.chart.floor.fixtures.iter().copied();
        let often = |lamp: &Fixture| self.doused.iter().filter(|&&at| at == lamp.at).count();
        lamps
            .filter(|lamp| lamp.kind.is_flame() && lamp.burning && often(lamp) < OFTEN)
            .map(|lamp| (lights(&lamp), lamp))
            .filter(|&(lights, _)| lights >= LIT)
            .max_by_key(|&(lights, lamp)| (lights, lamp.at.y, lamp.at.x))
            .map(|(_, lamp)| lamp)
    }

    /// Whether a guard with eyes that is awake is known near a cell.
    fn may_be_looked_at(&self, view: View<'_>, at: IVec2) -> bool {
        self.rivals.iter().any(|rival| {
            rival.is_awake()
                && view.rules().guard(rival.kind).eyes
                && rival.weight(view) > 0
                && steps_between(rival.at, at) <= LOOKS
        })
    }

    /// The cell from which to put out the lamp that lights a path, if it is closer than the end of
    /// the path.
    pub(super) fn lamp_on_way(
        &self,
        view: View<'_>,
        costs: &Plane<u32>,
        way: &[IVec2],
    ) -> Option<IVec2> {
        let lamp = self.lamp_over(view, way)?;
        let end = way.first().map_or(0, |&at| costs[at]);
        let around = Direction::ALL.into_iter().map(|way| lamp.at + way.step());
        let reaches = |&at: &IVec2| {
            costs.get(at).is_some_and(|&cost| cost != NO_WAY)
                && !self.shuns(at)
                && self.chart.floor.corners_free(at, lamp.at)
        };
        let stand = around
            .filter(reaches)
            .min_by_key(|&at| (costs[at], at.y, at.x))?;
        (costs[stand] < end).then_some(stand)
    }

    /// Puts out the lamp that lights the path: by hand if it is within reach, with a water vial
    /// otherwise.
    pub(super) fn douse(&mut self, view: View<'_>) -> Option<Action> {
        let here = view.thief().at;
        let plan = self.objective.as_ref()?;
        let there = plan.aim == Aim::Douse && plan.goal == here;
        let lamp = match there {
            true => self.adjacent_flame(here)?,
            false => self.lamp_over(view, &plan.way)?,
        };
        let action = match Direction::towards(here, lamp.at) {
            Some(way) if steps_between(here, lamp.at) == 1 => Action::Douse(way),
            _ => self.throw_water(view, plan, here, lamp.at)?,
        };
        self.objective = None;
        self.doused.push(lamp.at);
        Self::allowed(view, action)
    }

    fn adjacent_flame(&self, here: IVec2) -> Option<Fixture> {
        let mut lamps = self.chart.floor.fixtures.iter().copied();
        lamps.find(|lamp| lamp.kind.is_flame() && lamp.burning && steps_between(lamp.at, here) == 1)
    }

    /// Throws a vial at a lamp that a posted guard watches. Otherwise the noise is not worth it.
    fn throw_water(
        &self,
        view: View<'_>,
        plan: &Objective,
        here: IVec2,
        at: IVec2,
    ) -> Option<Action> {
        let slot = Self::slot(view, Tool::WaterVial)?;
        let posted = self.rivals.iter().any(|rival| {
            rival.is_posted()
                && rival.is_awake()
                && plan
                    .way
                    .iter()
                    .any(|&cell| self.chart.in_line(rival.at, cell))
        });
        let flies =
            steps_between(here, at) <= view.rules().thief.throw && self.clear_throw(here, at);
        (posted && flies).then_some(Action::Throw { slot, at })
    }
}
