//! What the thief sees: what is in line of sight and lit, and what can be touched.

use glam::IVec2;
use lanternfell_lightgrid::{FieldOfView, LightBand, line_of_sight};

use crate::{
    Perk, Rules, World,
    direction::steps_between,
    floor::{Floor, Memory},
};

/// Whether a cell ends a line of sight.
pub(crate) fn blocks_sight(rules: &Rules, floor: &Floor, at: IVec2) -> bool {
    floor.tile(at).blocks_sight()
        || (!floor.smoke.is_empty() && floor.smoke_at(at) >= rules.sight.smoke)
}

impl World {
    /// Whether the straight line between two cells is free.
    pub(crate) fn in_line(&self, from: IVec2, to: IVec2) -> bool {
        line_of_sight(from, to, |at| blocks_sight(&self.rules, self.floor(), at))
    }

    /// Looks about, and remembers what is seen.
    pub(crate) fn look(&mut self) {
        let mut sight = core::mem::take(&mut self.sight);
        self.look_from(&mut sight, self.state.thief.at);
        self.sight = sight;
        if let Some(mut view) = self.peeked.take() {
            let from = view.origin();
            self.look_from(&mut view, from);
            self.peeked = Some(view);
        }
        self.remember();
    }

    /// Puts what is in line of sight of a cell into `view`, lit or not.
    pub(crate) fn look_from(&self, view: &mut FieldOfView, from: IVec2) {
        let floor = self.floor();
        view.look(from, self.rules.sight.thief, |at| {
            blocks_sight(&self.rules, floor, at)
        });
    }

    /// Whether the thief sees a cell now: in line and lit, or within touch.
    pub(crate) fn sees(&self, at: IVec2) -> bool {
        self.sight.contains(at) && (self.touches(at) || self.is_lit(at))
            || self
                .peeked
                .as_ref()
                .is_some_and(|view| view.contains(at) && self.is_lit(at))
    }

    fn is_lit(&self, at: IVec2) -> bool {
        self.band(at) > LightBand::Hidden
    }

    /// Whether a cell is so near that it can be made out in the dark.
    fn touches(&self, at: IVec2) -> bool {
        let reach = match self.state.thief.has(Perk::CatEyes) {
            true => self.rules.sight.cat_eyes,
            false => self.rules.sight.touch,
        };
        steps_between(at, self.state.thief.at) <= reach
    }

    /// Remembers every cell that is seen, as it is now.
    fn remember(&mut self) {
        let peeked = self.peeked.iter().flat_map(FieldOfView::cells);
        let cells = self.sight.cells().chain(peeked);
        let seen: Vec<IVec2> = cells.filter(|&at| self.sees(at)).collect();
        for at in seen {
            let (tile, band) = (self.floor().tile(at), self.band(at));
            if let Some(memory) = self.floor_mut().memory.get_mut(at) {
                *memory = Some(Memory {
                    tile,
                    fixture: None,
                    item: None,
                    band,
                });
            }
        }
        self.remember_things();
    }

    /// The lamps and items in the cells that are seen.
    fn remember_things(&mut self) {
        let floor = self.floor();
        let lamps = floor.fixtures.iter().filter(|lamp| self.sees(lamp.at));
        let lamps: Vec<_> = lamps
            .map(|lamp| (lamp.at, lamp.kind, lamp.burning))
            .collect();
        let items = floor.items.iter().filter(|placed| self.sees(placed.at));
        let items: Vec<_> = items.copied().collect();
        let memory = &mut self.floor_mut().memory;
        for (at, kind, burning) in lamps {
            if let Some(Some(memory)) = memory.get_mut(at) {
                memory.fixture = Some((kind, burning));
            }
        }
        for placed in items {
            if let Some(Some(memory)) = memory.get_mut(placed.at) {
                memory.item = Some(placed.item);
            }
        }
    }
}
