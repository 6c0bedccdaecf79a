//! How to walk: as fast as possible without being heard.

use glam::IVec2;

use lanternfell_lightgrid::LightBand;

use crate::{Action, Direction, Door, Perk, Tile, View, bots::mind::Thinker};

impl Thinker {
    /// A step to the next cell, or an action that makes it possible.
    pub(super) fn step_to(&mut self, view: View<'_>, from: IVec2, next: IVec2) -> Option<Action> {
        let way = Direction::towards(from, next)?;
        let action = match self.chart.tile(next) {
            Tile::Door(Door::Locked) => Action::Open(way),
            _ if !self.temper.guards => self.rush(view, way),
            _ if self.must_sneak(view, next) => Action::Sneak(way),
            _ => Action::Walk(way),
        };
        if let Some(action) = Self::allowed(view, action) {
            return Some(action);
        }
        if let Some(action) = self.clear_the_way(view, way) {
            return Some(action);
        }
        self.shun(view, next);
        None
    }

    /// Runs while there is breath, or else walks.
    pub(super) fn rush(&self, view: View<'_>, way: Direction) -> Action {
        Self::allowed(view, Action::Run(way)).unwrap_or(Action::Walk(way))
    }

    /// Whether guards would hear a walk in the next cell, and a sneak would not be heard or at
    /// least less.
    fn must_sneak(&self, view: View<'_>, next: IVec2) -> bool {
        let flees = view.thief().ember.is_some() && !self.temper.unseen;
        let hurries = self.boredom(view) >= 2 || flees;
        if !self.temper.noise || hurries {
            return false;
        }
        // A guard that sees the thief does not need to hear it.
        if self.rivals.iter().any(|rival| rival.sees) {
            return false;
        }
        let hush = self.dread.at(next).hush;
        let (walk, sneak) = self.loudness(view, next);
        walk >= hush && sneak < walk && sneak < hush.saturating_add(10)
    }

    /// Whether no guard would hear a walk in the next cell.
    pub(super) fn is_unheard(&self, view: View<'_>, next: IVec2) -> bool {
        self.loudness(view, next).0 < self.dread.at(next).hush
    }

    /// The reach of a walk and of a sneak on the ground of a cell, in tenths of a cell.
    pub(super) fn loudness(&self, view: View<'_>, at: IVec2) -> (u16, u16) {
        let (noise, ground) = (&view.rules().noise, self.chart.tile(at).ground());
        let reach = |gait: u16| view.step_reach(gait, ground);
        let thief = view.thief();
        let dark = self.chart.band(at) == LightBand::Hidden
            && !(thief.torch_burns() || thief.ember_shines());
        let walk = match thief.has(Perk::NightWalker) && dark {
            true => noise.sneak,
            false => noise.walk,
        };
        (reach(walk), reach(noise.sneak))
    }

    /// Knocks out a guard in the way if possible. The reckless bot fights instead.
    fn clear_the_way(&self, view: View<'_>, way: Direction) -> Option<Action> {
        let takedown = Self::allowed(view, Action::Takedown(way));
        match self.temper.guards {
            true => takedown,
            false => takedown.or_else(|| Self::allowed(view, Action::Fight(way))),
        }
    }
}
