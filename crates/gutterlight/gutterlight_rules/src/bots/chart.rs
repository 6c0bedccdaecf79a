//! The part of a floor that a bot has seen.
//!
//! The chart contains a [`Floor`] in which everything unknown is rock, so that path finding works
//! on it. It is filled from the memory of the view. It also stores light, but without the light
//! that the bot carries: where that light outshone everything else, the chart guesses from the
//! known lamps nearby, until the cell is seen without it.
//!
//! A *frontier* is a cell in which someone can stand and that has an unknown cell as one of its
//! four neighbors. The floor continues there.

use glam::IVec2;
use lanternfell_lightgrid::{FieldOfView, LightBand, line_of_sight};

use crate::{
    Direction, Fixture, Ground, Item, Memory, Placed, Plane, Theme, Tile, View,
    direction::steps_between, floor::Floor,
};

/// How far a carried light drowns out the lights of the keep, in cells.
const OUTSHINES: u32 = 8;

/// How far the bot looks for cells that must be dark, because they are in line of sight but not
/// visible.
const DARK_REACH: u32 = 14;

/// How far a torch shows the surroundings in a room, in cells.
pub(super) const TORCH_SHOWS: u32 = 5;

/// The known part of a floor.
#[derive(Debug)]
pub(super) struct Chart {
    /// The known floor. Unknown cells are rock.
    pub floor: Floor,
    /// The tiles for the spread of sound. Unknown cells are open, because sound may come from
    /// there.
    pub open: Plane<Tile>,
    /// The light bands of the cells without the bot's own light.
    pub light: Plane<LightBand>,
    /// Whether anything but light has changed since this was last reset.
    pub news: bool,
    /// The number of such changes so far.
    pub changes: u32,
    /// The number of known cells.
    pub discovered: u32,
    known: Plane<bool>,
    eye: FieldOfView,
}

impl Chart {
    /// A chart of a floor of this size, of which nothing is known.
    pub(super) fn new(size: IVec2) -> Self {
        let tiles = Plane::new(size.x, size.y, Tile::Rock);
        Self {
            // The stairs are unknown until they are seen.
            floor: Floor::new(Theme::Cellars, tiles, IVec2::NEG_ONE, None),
            open: Plane::new(size.x, size.y, Tile::Ground(Ground::Stone)),
            light: Plane::new(size.x, size.y, LightBand::Hidden),
            news: true,
            changes: 0,
            discovered: 0,
            known: Plane::new(size.x, size.y, false),
            eye: FieldOfView::new(),
        }
    }

    /// Takes in everything that is seen. `glares` are the cells of moving lights.
    pub(super) fn update(&mut self, view: View<'_>, glares: &[IVec2]) {
        for at in self.known.cells() {
            let memory = view.memory(at);
            if memory.is_some() && memory != self.floor.memory[at] {
                self.note(at, memory, glares);
            }
        }
        self.note_light_around(view, glares);
    }

    fn note(&mut self, at: IVec2, memory: Option<Memory>, glares: &[IVec2]) {
        let Some(new) = memory else {
            return;
        };
        let old = self.floor.memory[at];
        let lit_only = old.is_some_and(|old| {
            Memory {
                band: new.band,
                ..old
            } == new
        });
        self.floor.memory[at] = memory;
        if !lit_only {
            self.note_things(at, new);
            self.news = true;
            self.changes += 1;
        }
        if !is_drowned(at, glares) {
            self.light[at] = new.band;
        } else if old.is_none() {
            self.light[at] = self.guess_light(at).min(new.band);
        }
    }

    fn note_things(&mut self, at: IVec2, new: Memory) {
        self.discovered += u32::from(!self.known[at]);
        self.known[at] = true;
        self.floor.tiles[at] = new.tile;
        self.open[at] = new.tile;
        match new.tile {
            Tile::StairsUp => self.floor.up = at,
            Tile::StairsDown => self.floor.down = Some(at),
            _ => {}
        }
        self.floor.fixtures.retain(|lamp| lamp.at != at);
        if let Some((kind, burning)) = new.fixture {
            self.floor.fixtures.push(Fixture {
                kind,
                at,
                burning,
                spare: false,
            });
        }
        self.floor.items.retain(|placed| placed.at != at);
        if let Some(item) = new.item {
            self.floor.items.push(Placed { at, item });
        }
    }

    /// Guesses the light band of a cell from the known lamps.
    fn guess_light(&self, at: IVec2) -> LightBand {
        let lamps = self.floor.fixtures.iter().filter(|lamp| lamp.burning);
        let near = lamps
            .filter(|lamp| steps_between(lamp.at, at) <= 4 && self.in_line(lamp.at, at))
            .map(|lamp| steps_between(lamp.at, at))
            .min();
        match near {
            None => LightBand::Hidden,
            Some(0 | 1) => LightBand::Lit,
            Some(_) => LightBand::Dim,
        }
    }

    /// Updates the light of cells around the thief. Cells in line of sight that are not visible are
    /// dark. Visible cells have the band that they show, unless a moving light outshines them.
    fn note_light_around(&mut self, view: View<'_>, glares: &[IVec2]) {
        let mut eye = core::mem::take(&mut self.eye);
        eye.compute(view.thief().at, DARK_REACH, |at| self.blocks_sight(at));
        for at in eye.cells() {
            if !self.is_known(at) {
                continue;
            }
            match view.band(at) {
                None => self.light[at] = LightBand::Hidden,
                Some(band) if !is_drowned(at, glares) => self.light[at] = band,
                Some(_) => {}
            }
        }
        self.eye = eye;
    }

    pub(super) fn is_known(&self, at: IVec2) -> bool {
        self.known.get(at).copied().unwrap_or(false)
    }

    /// The tile of a cell; rock where nothing is known.
    pub(super) fn tile(&self, at: IVec2) -> Tile {
        self.floor.tile(at)
    }

    pub(super) fn band(&self, at: IVec2) -> LightBand {
        self.light.get(at).copied().unwrap_or_default()
    }

    pub(super) fn blocks_sight(&self, at: IVec2) -> bool {
        self.tile(at).blocks_sight()
    }

    /// Whether the line of sight between two cells is free, as far as known.
    pub(super) fn in_line(&self, from: IVec2, to: IVec2) -> bool {
        line_of_sight(from, to, |at| self.blocks_sight(at))
    }

    /// The cell of the stairs up, once known.
    pub(super) fn up(&self) -> Option<IVec2> {
        self.is_known(self.floor.up).then_some(self.floor.up)
    }

    pub(super) fn item(&self, at: IVec2) -> Option<Item> {
        self.floor.item_at(at)
    }

    /// Whether a cell is a frontier.
    pub(super) fn is_frontier(&self, at: IVec2) -> bool {
        let unknown = |way: Direction| {
            let neighbor = at + way.step();
            self.known.get(neighbor).is_some_and(|&known| !known)
        };
        self.floor.is_passable(at) && Direction::STRAIGHT.into_iter().any(unknown)
    }

    /// An upper bound of the unknown cells that a torch would show from a cell.
    pub(super) fn unseen_around(&mut self, at: IVec2) -> usize {
        let mut eye = core::mem::take(&mut self.eye);
        eye.compute(at, TORCH_SHOWS, |at| {
            self.is_known(at) && self.blocks_sight(at)
        });
        let unseen = |&at: &IVec2| self.known.get(at).is_some_and(|&known| !known);
        let count = eye.cells().filter(unseen).count();
        self.eye = eye;
        count
    }
}

/// Whether a moving light drowns out the lights of the keep in a cell.
fn is_drowned(at: IVec2, glares: &[IVec2]) -> bool {
    glares
        .iter()
        .any(|&glare| steps_between(glare, at) <= OUTSHINES)
}
