//! The maps of the benchmarks: squares of cells with one byte per cell, surrounded by walls.
//!
//! Lanternfell, the peers in this process and, through a file, those in other processes get the
//! same bytes. Maps are generated with integers only, so they are the same on every machine.

mod cells;
mod rooms;

use std::collections::VecDeque;

use lanternfell_lightgrid::IVec2;
use lanternfell_random::SplitMix64;

pub use cells::{CLOSED_DOOR, FLOOR, WALL};

/// A kind of map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One large room.
    Open,
    /// Many small rooms, corridors and doors, some of which are closed.
    Rooms,
}

impl Kind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Open, Self::Rooms];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Rooms => "rooms",
        }
    }
}

/// A square of cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map {
    kind: Kind,
    side: usize,
    bytes: Vec<u8>,
}

impl Map {
    /// A map of `side` x `side` cells, at least 16 x 16.
    pub fn new(kind: Kind, side: usize) -> Self {
        let side = side.max(rooms::BLOCK);
        let bytes = match kind {
            Kind::Open => one_room(side),
            Kind::Rooms => rooms::dig(side, 1),
        };
        Self { kind, side, bytes }
    }

    /// For example `rooms, 256 x 256`.
    pub fn name(&self) -> String {
        format!("{}, {side} x {side}", self.kind.name(), side = self.side)
    }

    /// Cells per side.
    pub fn side(&self) -> usize {
        self.side
    }

    /// All cells, row by row.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The byte of a cell. Cells outside of the map are walls.
    #[inline]
    pub fn byte(&self, cell: IVec2) -> u8 {
        self.index(cell).map_or(WALL, |index| self.bytes[index])
    }

    /// Whether a cell blocks the view.
    #[inline]
    pub fn is_opaque(&self, cell: IVec2) -> bool {
        self.byte(cell) != FLOOR
    }

    /// The row-by-row index of a cell.
    #[inline]
    pub fn index(&self, cell: IVec2) -> Option<usize> {
        let (x, y) = (cell.x as u32 as usize, cell.y as u32 as usize);
        (x < self.side && y < self.side).then_some(y * self.side + x)
    }

    fn cell(&self, index: usize) -> IVec2 {
        IVec2::new((index % self.side) as i32, (index / self.side) as i32)
    }

    /// Distinct random open cells. Fewer than `count` if the map has fewer.
    pub fn places(&self, count: usize, seed: u64) -> Vec<IVec2> {
        let open = self.bytes.iter().filter(|&&byte| byte == FLOOR).count();
        let mut rng = SplitMix64::new(seed);
        let mut places = Vec::new();
        while places.len() < count.min(open) {
            let place = self.cell(rng.below(self.bytes.len() as u32) as usize);
            if !self.is_opaque(place) && !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// One open cell of each block of 16 x 16 cells that has one.
    pub fn place_in_every_block(&self) -> Vec<IVec2> {
        let blocks = self.side.div_ceil(rooms::BLOCK);
        let mut places = vec![None; blocks * blocks];
        for (index, &byte) in self.bytes.iter().enumerate() {
            let cell = self.cell(index);
            let block = cell / rooms::BLOCK as i32;
            let place = &mut places[block.y as usize * blocks + block.x as usize];
            if byte == FLOOR && place.is_none() {
                *place = Some(cell);
            }
        }
        places.into_iter().flatten().collect()
    }

    /// The cells of a shortest path from a cell to one of the most distant cells.
    pub fn walk(&self, from: IVec2) -> Vec<IVec2> {
        let Some(start) = self.index(from) else {
            return Vec::new();
        };
        let mut before = vec![usize::MAX; self.bytes.len()];
        before[start] = start;
        let mut front = VecDeque::from([start]);
        let mut last = start;
        while let Some(index) = front.pop_front() {
            last = index;
            for step in [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y] {
                let next = self.cell(index) + step;
                let Some(place) = self.index(next).filter(|_| !self.is_opaque(next)) else {
                    continue;
                };
                if before[place] == usize::MAX {
                    before[place] = index;
                    front.push_back(place);
                }
            }
        }
        let mut way = vec![last];
        while last != start {
            last = before[last];
            way.push(last);
        }
        way.into_iter()
            .rev()
            .map(|index| self.cell(index))
            .collect()
    }
}

fn one_room(side: usize) -> Vec<u8> {
    let is_edge = |at: usize| at == 0 || at == side - 1;
    let wall = |index: usize| is_edge(index % side) || is_edge(index / side);
    (0..side * side)
        .map(|index| if wall(index) { WALL } else { FLOOR })
        .collect()
}

#[cfg(test)]
mod tests {
    use lanternfell_random::Fnv1a;

    use super::*;

    fn reachable(map: &Map) -> usize {
        let start = map.places(1, 0)[0];
        let mut reached = vec![false; map.bytes.len()];
        let mut left = vec![start];
        while let Some(cell) = left.pop() {
            let Some(index) = map.index(cell) else {
                continue;
            };
            if !map.is_opaque(cell) && !std::mem::replace(&mut reached[index], true) {
                left.extend(
                    [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y].map(|step| cell + step),
                );
            }
        }
        reached.iter().filter(|&&reached| reached).count()
    }

    #[test]
    fn maps_are_connected_and_surrounded_by_walls() {
        for (kind, side) in [
            (Kind::Open, 16),
            (Kind::Open, 50),
            (Kind::Rooms, 16),
            (Kind::Rooms, 250),
        ] {
            let map = Map::new(kind, side);
            let end = side as i32 - 1;
            for at in 0..=end {
                for edge in [
                    IVec2::new(at, 0),
                    IVec2::new(at, end),
                    IVec2::new(0, at),
                    IVec2::new(end, at),
                ] {
                    assert_eq!(map.byte(edge), WALL, "{edge} of {}", map.name());
                }
            }
            let open = map.bytes().iter().filter(|&&byte| byte == FLOOR).count();
            assert_eq!(reachable(&map), open, "{}", map.name());
        }
    }

    #[test]
    fn rooms_have_floors_and_closed_doors() {
        let map = Map::new(Kind::Rooms, 256);
        let share = |what: u8| {
            let count = map.bytes().iter().filter(|&&byte| byte == what).count();
            count as f64 / map.bytes().len() as f64
        };
        assert!((0.25..0.6).contains(&share(FLOOR)), "{}", share(FLOOR));
        assert!(
            (0.0005..0.01).contains(&share(CLOSED_DOOR)),
            "{}",
            share(CLOSED_DOOR)
        );
    }

    /// The first blocks as text, for messages.
    fn corner(map: &Map) -> String {
        let side = 3 * rooms::BLOCK as i32;
        let glyph = |cell| match map.byte(cell) {
            FLOOR => '.',
            CLOSED_DOOR => '+',
            _ => '#',
        };
        let row = |y| {
            (0..side)
                .map(move |x| glyph(IVec2::new(x, y)))
                .chain(['\n'])
        };
        (0..side).flat_map(row).collect()
    }

    /// A different map would be a different benchmark.
    #[test]
    fn rooms_are_reproducible() {
        let map = Map::new(Kind::Rooms, 256);
        let hash = Fnv1a::of_bytes(map.bytes().iter().copied());
        assert_eq!(
            hash,
            0xda69_b33f_7838_5712,
            "{} has changed: {hash:#x}, its north-western corner is\n{}",
            map.name(),
            corner(&map)
        );
    }

    #[test]
    fn places_are_open_and_different() {
        let map = Map::new(Kind::Rooms, 64);
        let mut places = map.places(200, 5);
        assert!(places.iter().all(|&place| !map.is_opaque(place)));
        places.sort_by_key(|place| (place.y, place.x));
        places.dedup();
        assert_eq!(places.len(), 200);
        assert_eq!(Map::new(Kind::Open, 16).places(1000, 5).len(), 14 * 14);
    }

    #[test]
    fn every_block_has_a_place() {
        for kind in Kind::ALL {
            let places = Map::new(kind, 64).place_in_every_block();
            assert_eq!(places.len(), 16, "{}: {places:?}", kind.name());
        }
    }

    #[test]
    fn walk_is_connected_and_reaches_the_far_end() {
        let open = Map::new(Kind::Open, 20);
        let walk = open.walk(IVec2::new(1, 1));
        assert_eq!(walk.len(), 17 + 17 + 1);
        assert_eq!(walk.last(), Some(&IVec2::new(18, 18)));
        let rooms = Map::new(Kind::Rooms, 128);
        let walk = rooms.walk(rooms.places(1, 3)[0]);
        assert!(walk.len() > 100);
        for step in walk.windows(2) {
            assert!(!rooms.is_opaque(step[1]), "{step:?}");
            let length = (step[1] - step[0]).abs().element_sum();
            assert_eq!(length, 1, "{step:?}");
        }
        assert!(rooms.walk(IVec2::new(-1, 0)).is_empty());
    }
}
