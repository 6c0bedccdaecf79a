//! Accretion: rooms are added next to existing rooms.
//!
//! A random shape is tried against the walls of existing rooms, at random places, until it fits.
//! Then a doorway between them is opened, or a corridor is dug. Everything is therefore connected
//! from the start, and rooms share walls, which leaves places for windows and for
//! [loops](super::tunnel).
//!
//! ```text
//!    #######                #######
//!    #.....# ####           #.....#####        a block, attached to the east wall;
//!    #.....# #..#    ->     #.....+...#        + is the doorway
//!    #.....# #..#           #.....#...#
//!    ####### ####           ###########
//! ```
//!
//! Source: the floor generation of Brogue (Brian Walker, 2009).

use glam::IVec2;

use super::{
    plan::{Plan, RoomId, RoomKind},
    shape::Shape,
};
use crate::{Direction, Tile, rules::GrowthRules};

/// The number of places at which a shape is tried.
const TRIES: usize = 60;

impl Plan<'_> {
    /// Adds rooms until there are enough, or too many in a row do not fit.
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

    /// Attaches a room to existing rooms if it fits somewhere. The way in is a corridor of `length`
    /// cells, or a doorway if `length` is 0.
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

    /// Whether a corridor and the doorway at its end touch nothing.
    fn leads_through_rock(&self, entry: IVec2, corridor: &[IVec2]) -> bool {
        self.is_inside(entry) && corridor.iter().all(|&at| self.is_raw(at) && !self.near[at])
    }

    /// Whether a cell is a plain part of a wall with a room behind it.
    pub(super) fn is_site(&self, at: IVec2, way: Direction) -> bool {
        let (step, side) = (way.step(), way.turned(2).step());
        self.is_ground(at - step)
            && [step, side, -side]
                .iter()
                .all(|&offset| self.tile(at + offset) == Tile::Rock)
            && !self.sealed[at]
    }
}

/// The cells of a shape that can be entered straight from outside: the cell in front and its two
/// neighbors are not part of the shape.
fn entries(shape: &Shape, way: Direction) -> Vec<IVec2> {
    let (step, side) = (way.step(), way.turned(2).step());
    let get = |at: IVec2| shape.get(at).copied().unwrap_or(Tile::Rock);
    let outside = [-step, side - step, -side - step];
    let fits = |&at: &IVec2| {
        matches!(get(at), Tile::Ground(_))
            && outside.iter().all(|&offset| get(at + offset) == Tile::Rock)
    };
    shape.cells().filter(fits).collect()
}

/// The cells of a corridor that leads out of a door, and its direction at the end. Halfway, it
/// turns by `bend` eighths of a circle.
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

/// Whether a stamped shape would be next to a corridor.
fn touches(shape: &Shape, offset: IVec2, corridor: &[IVec2]) -> bool {
    let is_near_corridor = |at: IVec2| {
        corridor
            .iter()
            .any(|&cell| (cell - at).abs().max_element() <= 1)
    };
    let mut cells = shape.iter();
    cells.any(|(at, &tile)| tile != Tile::Rock && is_near_corridor(at + offset))
}
