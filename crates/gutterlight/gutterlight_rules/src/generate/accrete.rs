//! Rooms grow out of rooms.
//!
//! A room of a random shape is held against the walls of what is there, at random places,
//! until it fits; then a doorway is opened between them, or a corridor dug. So everything
//! hangs together from the start, and rooms lie wall to wall, which leaves room for windows
//! and for [loops](super::tunnel).
//!
//! ```text
//!    #######                #######
//!    #.....# ####           #.....#####        a block, held against the east wall;
//!    #.....# #..#    ->     #.....+...#        + is the doorway
//!    #.....# #..#           #.....#...#
//!    ####### ####           ###########
//! ```
//!
//! Source: the way in which Brogue (Brian Walker, 2009) builds its floors.

use glam::IVec2;

use super::{
    plan::{Plan, RoomId, RoomKind},
    shape::Shape,
};
use crate::{Direction, Tile, rules::GrowthRules};

/// At how many places a shape is tried.
const TRIES: usize = 60;

impl Plan<'_> {
    /// Lets rooms grow until there are enough, or no more fit.
    pub(super) fn grow(&mut self, growth: &GrowthRules, mut shape: impl FnMut(&mut Self) -> Shape) {
        let mut misses = 0;
        let most = self.rooms.len() + (self.area() / growth.each) as usize;
        while misses < growth.misses && self.rooms.len() < most {
            let room = shape(self);
            let length = match self.rng.percent(growth.corridors) {
                true => self.rng.within(growth.length.0, growth.length.1),
                false => 0,
            };
            if self.attach(&room, length, RoomKind::Plain).is_none() {
                misses += 1;
            } else {
                misses = misses.saturating_sub(1);
            }
        }
    }

    /// Holds a room against what is there until it fits, and opens the way to it: a corridor
    /// of `length` cells, or a doorway if that is 0.
    pub(super) fn attach(&mut self, shape: &Shape, length: i32, kind: RoomKind) -> Option<RoomId> {
        let entries = Direction::STRAIGHT.map(|way| entries(shape, way));
        for _ in 0..TRIES {
            let place = self.rng.below(self.walls.len() as u64) as usize;
            let &(door, way) = self.walls.get(place)?;
            if !self.is_site(door, way) {
                self.walls.swap_remove(place);
                continue;
            }
            let bend = match self.rng.below(3) {
                0 if length > 3 => 2,
                1 if length > 3 => -2,
                _ => 0,
            };
            let (corridor, way) = hallway(door, way, length, bend);
            let last = corridor.last().copied();
            let entry = last.map_or(door, |last| last + way.step());
            let Some(&cell) = self.rng.pick(&entries[way as usize / 2]) else {
                continue;
            };
            let offset = entry + way.step() - cell;
            if self.leads_through_rock(entry, &corridor)
                && self.fits(shape, offset)
                && !touches(shape, offset, &corridor)
            {
                self.open_doorway(door);
                if !corridor.is_empty() {
                    self.dig(corridor);
                    self.open_doorway(entry);
                }
                return Some(self.stamp(shape, offset, kind));
            }
        }
        None
    }

    /// Whether a corridor to the doorway of a new room touches nothing.
    fn leads_through_rock(&self, entry: IVec2, corridor: &[IVec2]) -> bool {
        self.is_inside(entry) && corridor.iter().all(|&at| self.is_raw(at) && !self.near[at])
    }

    /// Whether a cell is a plain piece of a wall with a room behind it.
    pub(super) fn is_site(&self, at: IVec2, way: Direction) -> bool {
        let (step, side) = (way.step(), way.turned(2).step());
        self.is_ground(at - step)
            && [step, side, -side]
                .iter()
                .all(|&beside| self.tile(at + beside) == Tile::Rock)
            && !self.sealed[at]
    }
}

/// The cells of a shape into which a straight way leads from outside: what is before them, to
/// the left and to the right of that is not of the shape.
fn entries(shape: &Shape, way: Direction) -> Vec<IVec2> {
    let (step, side) = (way.step(), way.turned(2).step());
    let get = |at: IVec2| shape.get(at).copied().unwrap_or(Tile::Rock);
    let outside = [-step, side - step, -side - step];
    let fits = |&at: &IVec2| {
        matches!(get(at), Tile::Ground(_))
            && outside.iter().all(|&beside| get(at + beside) == Tile::Rock)
    };
    shape.cells().filter(fits).collect()
}

/// The cells of a corridor that leads out of a door, and the way it leads at its end. One
/// with a bend turns by so many eighths of a circle half-way.
fn hallway(door: IVec2, mut way: Direction, length: i32, bend: i32) -> (Vec<IVec2>, Direction) {
    let mut cells = Vec::new();
    let mut at = door;
    for n in 0..length {
        at += way.step();
        cells.push(at);
        if n == length / 2 {
            way = way.turned(bend);
        }
    }
    (cells, way)
}

/// Whether a stamped shape would come to lie beside a corridor.
fn touches(shape: &Shape, offset: IVec2, corridor: &[IVec2]) -> bool {
    let beside = |at: IVec2| {
        corridor
            .iter()
            .any(|&cell| (cell - at).abs().max_element() <= 1)
    };
    let mut cells = shape.iter();
    cells.any(|(at, &tile)| tile != Tile::Rock && beside(at + offset))
}
