//! The map: rows of rooms with doors between them and pillars in them, and places for lamps.
//!
//! It is generated from a seed with integers only, so all variants have the same map.
//!
//! ```text
//!   #########d#######        Walls every ROOM cells, with doors two cells wide. Some
//!   #       |       #        walls are omitted, which makes halls.
//!   d   #   |  #    #
//!   #       |       d
//!   ####d#####d######
//! ```

use bevy::prelude::*;
use lanternfell_random::SplitMix64;

const SEED: u64 = 7;

/// The distance between walls, in cells.
const ROOM: UVec2 = UVec2::new(16, 12);

/// Lamps are at least this far from walls, in cells, so that they can move in a circle.
const CLEAR: i32 = 2;

/// The walls of the map.
#[derive(Resource, Debug)]
pub struct Map {
    /// Cells per side.
    pub side: u32,
    walls: Vec<bool>,
}

/// A rectangle of walls: its first column and row, and its size.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    pub first: UVec2,
    pub size: UVec2,
}

impl Map {
    pub fn new(side: u32) -> Self {
        let walls = vec![false; (side * side) as usize];
        let mut map = Self { side, walls };
        let mut random = SplitMix64::new(SEED);
        map.build_walls();
        for room in map.rooms() {
            map.open_doors(room, &mut random);
            map.set_pillars(room, &mut random);
        }
        map
    }

    pub fn is_wall(&self, cell: IVec2) -> bool {
        self.index(cell).is_none_or(|index| self.walls[index])
    }

    fn index(&self, cell: IVec2) -> Option<usize> {
        let inside = cell.min_element() >= 0 && cell.max_element() < self.side as i32;
        inside.then(|| (cell.y as u32 * self.side + cell.x as u32) as usize)
    }

    fn set(&mut self, cell: IVec2, wall: bool) {
        if let Some(index) = self.index(cell) {
            self.walls[index] = wall;
        }
    }

    /// The north-west corners of rooms, row by row. These cells are walls.
    fn rooms(&self) -> Vec<IVec2> {
        let corners = |step: u32| (0..self.side - 1).step_by(step as usize);
        let row = |y| corners(ROOM.x).map(move |x| UVec2::new(x, y).as_ivec2());
        corners(ROOM.y).flat_map(row).collect()
    }

    fn build_walls(&mut self) {
        let (side, last) = (self.side, self.side - 1);
        for index in 0..side * side {
            let cell = UVec2::new(index % side, index / side);
            let wall = (cell % ROOM).min_element() == 0 || cell.max_element() == last;
            self.set(cell.as_ivec2(), wall);
        }
    }

    /// Opens the western and northern wall of a room: a door in each, or no wall at all.
    fn open_doors(&mut self, room: IVec2, random: &mut SplitMix64) {
        let (wide, high) = (ROOM.x as i32, ROOM.y as i32);
        for (along, length, outer) in [(IVec2::X, wide, room.y == 0), (IVec2::Y, high, room.x == 0)]
        {
            let whole = random.below(6) == 0;
            let at = 2 + random.below(length as u32 - 4) as i32;
            let open = if whole { 1..length } else { at..at + 2 };
            for step in open.filter(|_| !outer) {
                self.set_inside(room + step * along, false);
            }
        }
    }

    fn set_pillars(&mut self, room: IVec2, random: &mut SplitMix64) {
        for _ in 0..random.below(6) {
            let [x, y] = [ROOM.x, ROOM.y].map(|side| 3 + random.below(side - 6) as i32);
            let side = 1 + (random.below(4) == 0) as i32;
            for cell in (0..side * side).map(|step| IVec2::new(step % side, step / side)) {
                self.set_inside(room + IVec2::new(x, y) + cell, true);
            }
        }
    }

    /// Sets a cell, except on the border of the map.
    fn set_inside(&mut self, cell: IVec2, wall: bool) {
        if cell.max_element() < self.side as i32 - 1 {
            self.set(cell, wall);
        }
    }

    /// Cells with free space around them, one in each room after the other, repeatedly.
    pub fn lamps(&self, count: u32) -> Vec<IVec2> {
        let mut random = SplitMix64::new(SEED + 1);
        let mut rooms = self.rooms();
        for last in (1..rooms.len()).rev() {
            rooms.swap(last, random.below(last as u32 + 1) as usize);
        }
        let mut in_room = |room: &IVec2| {
            let [x, y] = [ROOM.x, ROOM.y].map(|side| 1 + random.below(side - 1) as i32);
            room + IVec2::new(x, y)
        };
        let places = rooms.iter().cycle().map(&mut in_room);
        let clear = |cell: &IVec2| self.is_clear(*cell);
        places.filter(clear).take(count as usize).collect()
    }

    fn is_clear(&self, cell: IVec2) -> bool {
        let around = -CLEAR..=CLEAR;
        let mut places = around
            .clone()
            .flat_map(|y| around.clone().map(move |x| IVec2::new(x, y)));
        places.all(|step| !self.is_wall(cell + step))
    }

    /// All walls as few disjoint rectangles: as wide as possible, then as high as possible.
    pub fn blocks(&self) -> Vec<Block> {
        let mut left = self.walls.clone();
        let mut blocks = Vec::new();
        for start in 0..left.len() {
            if left[start] {
                let block = self.block_at(start, &left);
                for row in block.rows(self.side) {
                    left[row].fill(false);
                }
                blocks.push(block);
            }
        }
        blocks
    }

    fn block_at(&self, start: usize, left: &[bool]) -> Block {
        let first = UVec2::new(start as u32 % self.side, start as u32 / self.side);
        let in_row = (self.side - first.x) as usize;
        let wide = left[start..start + in_row]
            .iter()
            .take_while(|wall| **wall)
            .count();
        let row = |y: &u32| {
            let start = (y * self.side + first.x) as usize;
            left[start..start + wide].iter().all(|wall| *wall)
        };
        let high = (first.y..self.side).take_while(row).count();
        Block {
            first,
            size: UVec2::new(wide as u32, high as u32),
        }
    }
}

impl Block {
    /// The index ranges of the rows in a map of this side.
    fn rows(self, side: u32) -> impl Iterator<Item = core::ops::Range<usize>> {
        let rows = self.first.y..self.first.y + self.size.y;
        rows.map(move |y| {
            let start = (y * side + self.first.x) as usize;
            start..start + self.size.x as usize
        })
    }
}
