//! The spread of sound on a floor.
//!
//! Problem: who hears a step, how loud is it, and from where does it seem to come?
//!
//! Idea: sound takes the paths that feet could take, and gets weaker with every cell. Doors and
//! curtains muffle it, and a window lets a little through. It is therefore a shortest-path search
//! that starts at the ear (Dijkstra 1959). A path costs the same in both directions, so one search
//! from the thief's ear answers both what the thief hears and who hears the thief.
//!
//! ```text
//!     #########        9 8 7 #        The cost from the ear @, in cells. Sound from behind the
//!     #...#...#        . . 6 #        wall comes through the door +, and seems to come from
//!     #...+.@.#   ->   9 8 5 1 0 1    there.
//!     #...#...#        . . 6 #
//! ```
//!
//! Costs are whole tenths of a cell: 10 for a straight step, 14 for a diagonal step, plus half of
//! the muffling of both cells. They are small integers, so the priority queue is a ring of buckets,
//! one for each cost (Dial 1969). The search is linear in the number of cells that it reaches.

use glam::IVec2;

use crate::{Direction, Plane, Tile, limits::SOUND_BUCKETS, rules::NoiseRules, tile::Door};

/// The cost of a cell that the sound does not reach.
const SILENT: u16 = u16::MAX;

/// The muffling of a cell that lets no sound through.
const CLOSED: u16 = u16::MAX;

/// The cost of sound from one cell to all others, in tenths of a cell.
///
/// The cells are stored with a closed border around the floor, so that every cell has eight
/// neighbors.
#[derive(Debug, Clone)]
pub(crate) struct SoundField {
    ear: IVec2,
    /// The width of the floor plus two, for the border.
    width: usize,
    /// The muffling of each cell, or `CLOSED`.
    swallows: Vec<u16>,
    costs: Vec<u16>,
    /// The last step of the path to each cell. Only valid for reached cells.
    came: Vec<Direction>,
    buckets: Vec<Vec<u32>>,
}

impl SoundField {
    /// A field before any search. Nothing is heard.
    pub(crate) fn new() -> Self {
        Self {
            ear: IVec2::ZERO,
            width: 2,
            swallows: Vec::new(),
            costs: Vec::new(),
            came: Vec::new(),
            buckets: vec![Vec::new(); SOUND_BUCKETS],
        }
    }

    /// Computes the cost from `ear` to every cell within `limit` tenths of a cell.
    pub(crate) fn listen(
        &mut self,
        tiles: &Plane<Tile>,
        rules: &NoiseRules,
        ear: IVec2,
        limit: u16,
    ) {
        self.take_in(tiles, rules, ear);
        if !tiles.contains(ear) {
            return;
        }
        let start = self.place(ear);
        self.costs[start] = 0;
        self.buckets[0].push(start as u32);
        // The number of entries in all buckets. Every step costs less than the number of buckets,
        // so a
        // bucket never holds entries of two different costs.
        let mut waiting = 1;
        let mut cost = 0_u16;
        while waiting > 0 && cost <= limit {
            // The bucket is taken out while other buckets are filled, and put back to reuse its
            // memory.
            let mut here = core::mem::take(&mut self.buckets[usize::from(cost) % SOUND_BUCKETS]);
            waiting -= here.len();
            for place in here.drain(..) {
                // A cell is queued again whenever it gets cheaper. Only the last entry counts.
                if self.costs[place as usize] == cost {
                    waiting += self.spread(place as usize, limit);
                }
            }
            self.buckets[usize::from(cost) % SOUND_BUCKETS] = here;
            cost = cost.saturating_add(1);
        }
    }

    /// Extends the search from a cell to its neighbors. Returns how many entries were queued.
    fn spread(&mut self, at: usize, limit: u16) -> usize {
        // A closed cell can only be the start, for an ear inside a wall. It hears its neighbors.
        let swallowed = match self.swallows[at] {
            CLOSED => 0,
            swallowed => swallowed,
        };
        let mut added = 0;
        for way in Direction::ALL {
            let next = self.neighbor(at, way);
            let there = self.swallows[next];
            if there == CLOSED || (way.is_diagonal() && !self.corner_open(at, way)) {
                continue;
            }
            let step = if way.is_diagonal() { 14 } else { 10 };
            // Half of the muffling of each cell, so that the way back costs the same.
            let cost = self.costs[at].saturating_add(step + (swallowed + there) / 2);
            if cost <= limit && cost < self.costs[next] {
                self.costs[next] = cost;
                self.came[next] = way;
                self.buckets[usize::from(cost) % SOUND_BUCKETS].push(next as u32);
                added += 1;
            }
        }
        added
    }

    /// Whether sound can take a diagonal step: neither neighbor may muffle it.
    fn corner_open(&self, at: usize, way: Direction) -> bool {
        let sides = [way.turned(-1), way.turned(1)];
        sides
            .into_iter()
            .all(|way| self.swallows[self.neighbor(at, way)] == 0)
    }

    /// The index of the next cell in a direction.
    fn neighbor(&self, at: usize, way: Direction) -> usize {
        let step = way.step();
        // The result is always in the buffer, because the search never continues from the border.
        let offset = step.y as isize * self.width as isize + step.x as isize;
        at.wrapping_add_signed(offset)
    }

    /// Reads the muffling of all cells, and resets the last search.
    fn take_in(&mut self, tiles: &Plane<Tile>, rules: &NoiseRules, ear: IVec2) {
        let inner = tiles.width() as usize;
        self.width = inner + 2;
        let cells = self.width * (tiles.height() as usize + 2);
        self.ear = ear;
        self.swallows.clear();
        self.swallows.resize(self.width + 1, CLOSED);
        for row in tiles.values().chunks_exact(inner) {
            let swallowed = row
                .iter()
                .map(|&tile| muffling(tile, rules).unwrap_or(CLOSED));
            self.swallows.extend(swallowed);
            self.swallows.extend([CLOSED; 2]);
        }
        self.swallows.resize(cells, CLOSED);
        self.costs.clear();
        self.costs.resize(cells, SILENT);
        // Old steps may stay, because they are only read for reached cells.
        self.came.resize(cells, Direction::North);
    }

    /// The index of a cell of the floor, including the border.
    fn place(&self, at: IVec2) -> usize {
        (at.y as usize + 1) * self.width + at.x as usize + 1
    }

    /// The cost of sound between the ear and a cell, in tenths of a cell. `None` beyond the limit.
    pub(crate) fn cost(&self, at: IVec2) -> Option<u16> {
        let inside = at.x >= 0 && at.y >= 0 && at.x < self.width as i32 - 2;
        let cost = self.costs.get(inside.then(|| self.place(at))?).copied();
        cost.filter(|&cost| cost != SILENT)
    }

    /// The direction from which a sound made in a cell arrives at the ear: the direction of the
    /// cell on its path that is a few steps from the ear. `None` if the sound is not heard, or if
    /// it is made in the ear's own cell.
    pub(crate) fn towards(&self, at: IVec2) -> Option<Direction> {
        // The last step alone would only point to one of the neighboring cells.
        const NEAR: u16 = 35;
        let mut here = at;
        while self.cost(here)? > NEAR {
            here -= self.came[self.place(here)].step();
        }
        Direction::towards(self.ear, here)
    }
}

/// The muffling of a tile in tenths of a cell. `None` if it lets no sound through.
fn muffling(tile: Tile, rules: &NoiseRules) -> Option<u16> {
    match tile {
        Tile::Rock | Tile::Wall | Tile::Shutter { .. } => None,
        Tile::Door(Door::Closed | Door::Locked) => Some(rules.door_muffles),
        Tile::Curtain { open: false } => Some(rules.curtain_muffles),
        Tile::Glass => Some(rules.glass_muffles),
        Tile::Ground(_)
        | Tile::Pillar
        | Tile::Bars
        | Tile::Door(Door::Open)
        | Tile::Curtain { open: true }
        | Tile::StairsUp
        | Tile::StairsDown => Some(0),
    }
}

#[cfg(test)]
mod tests {
    use lanternfell_random::SeededRng;

    use super::*;
    use crate::{Ground, Rules};

    /// Random tiles of all kinds that matter to sound.
    fn random_tiles(rng: &mut SeededRng, width: i32, height: i32) -> Plane<Tile> {
        let kinds = [
            Tile::Wall,
            Tile::Wall,
            Tile::Door(Door::Closed),
            Tile::Door(Door::Open),
            Tile::Curtain { open: false },
            Tile::Glass,
            Tile::Bars,
            Tile::Shutter { open: true },
        ];
        let mut tiles = Plane::new(width, height, Tile::Ground(Ground::Stone));
        for at in tiles.cells() {
            if rng.percent(45) {
                tiles[at] = *rng.pick(&kinds).expect("there are kinds");
            }
        }
        tiles
    }

    /// The same costs, with the Bellman-Ford algorithm.
    fn slow_costs(tiles: &Plane<Tile>, rules: &NoiseRules, ear: IVec2) -> Plane<Option<u32>> {
        let mut costs = Plane::new(tiles.width(), tiles.height(), None);
        costs[ear] = Some(0);
        loop {
            let before = costs.clone();
            for at in tiles.cells() {
                let Some(cost) = costs[at] else { continue };
                for way in Direction::ALL {
                    let next = at + way.step();
                    let through = tiles.get(next).and_then(|&tile| muffling(tile, rules));
                    let Some(there) = through else { continue };
                    let open = |side: IVec2| {
                        tiles
                            .get(side)
                            .is_some_and(|&tile| muffling(tile, rules) == Some(0))
                    };
                    let sides = [IVec2::new(next.x, at.y), IVec2::new(at.x, next.y)];
                    if way.is_diagonal() && !sides.into_iter().all(open) {
                        continue;
                    }
                    let here = muffling(tiles[at], rules).unwrap_or(0);
                    let step = if way.is_diagonal() { 14 } else { 10 };
                    let new = cost + u32::from(step + (here + there) / 2);
                    if costs[next].is_none_or(|old| new < old) {
                        costs[next] = Some(new);
                    }
                }
            }
            if costs == before {
                return costs;
            }
        }
    }

    #[test]
    fn costs_match_bellman_ford() {
        let rules = Rules::standard();
        let mut rng = SeededRng::new(1, b"test    ");
        let mut hearing = SoundField::new();
        for _ in 0..60 {
            let (width, height) = (rng.within(1, 24), rng.within(1, 18));
            let tiles = random_tiles(&mut rng, width, height);
            let ear = IVec2::new(rng.within(0, width - 1), rng.within(0, height - 1));
            let limit = *rng.pick(&[0, 30, 120, 1000]).expect("there are limits");
            hearing.listen(&tiles, &rules.noise, ear, limit);
            let slow = slow_costs(&tiles, &rules.noise, ear);
            for at in tiles.cells() {
                let expected = slow[at].filter(|&cost| cost <= u32::from(limit));
                assert_eq!(hearing.cost(at).map(u32::from), expected, "{at} from {ear}");
            }
        }
    }

    #[test]
    fn costs_are_symmetric() {
        let rules = Rules::standard();
        let mut rng = SeededRng::new(2, b"test    ");
        let (mut there, mut back) = (SoundField::new(), SoundField::new());
        for _ in 0..40 {
            let mut tiles = random_tiles(&mut rng, 20, 20);
            let [a, b] = [0, 1].map(|_| IVec2::new(rng.within(0, 19), rng.within(0, 19)));
            tiles[a] = Tile::Ground(Ground::Stone);
            tiles[b] = Tile::Ground(Ground::Stone);
            there.listen(&tiles, &rules.noise, a, 1000);
            back.listen(&tiles, &rules.noise, b, 1000);
            assert_eq!(there.cost(b), back.cost(a), "{a} and {b}");
        }
    }

    /// Two rooms with this tile in the middle of the wall between them.
    fn two_rooms(between: Tile) -> Plane<Tile> {
        let mut tiles = Plane::new(11, 5, Tile::Ground(Ground::Stone));
        for y in 0..5 {
            tiles[IVec2::new(5, y)] = Tile::Wall;
        }
        tiles[IVec2::new(5, 2)] = between;
        tiles
    }

    #[test]
    fn tiles_muffle_or_block_sound() {
        let rules = Rules::standard();
        let mut hearing = SoundField::new();
        let mut cost = |between| {
            let ear = IVec2::new(3, 2);
            hearing.listen(&two_rooms(between), &rules.noise, ear, 1000);
            hearing.cost(IVec2::new(7, 2))
        };
        assert_eq!(cost(Tile::Door(Door::Open)), Some(40));
        assert_eq!(
            cost(Tile::Door(Door::Closed)),
            Some(40 + rules.noise.door_muffles)
        );
        assert_eq!(
            cost(Tile::Curtain { open: false }),
            Some(40 + rules.noise.curtain_muffles)
        );
        assert_eq!(cost(Tile::Wall), None);
    }

    #[test]
    fn sound_arrives_from_the_direction_of_its_path() {
        let rules = Rules::standard();
        let mut hearing = SoundField::new();
        let tiles = two_rooms(Tile::Door(Door::Open));
        // The source is behind the wall. The path to it leads north-east through the door.
        hearing.listen(&tiles, &rules.noise, IVec2::new(4, 4), 1000);
        let towards = hearing.towards(IVec2::new(6, 4));
        assert_eq!(towards, Some(Direction::NorthEast));
        assert_eq!(hearing.towards(IVec2::new(4, 0)), Some(Direction::North));
        assert_eq!(
            hearing.towards(IVec2::new(4, 4)),
            None,
            "the ear's own cell"
        );
        assert_eq!(hearing.towards(IVec2::new(5, 0)), None, "in a wall");
    }

    #[test]
    fn new_search_resets_the_last() {
        let rules = Rules::standard();
        let tiles = Plane::new(30, 3, Tile::Ground(Ground::Stone));
        let mut hearing = SoundField::new();
        hearing.listen(&tiles, &rules.noise, IVec2::new(0, 1), 1000);
        hearing.listen(&tiles, &rules.noise, IVec2::new(29, 1), 50);
        assert_eq!(hearing.cost(IVec2::new(0, 1)), None);
        assert_eq!(hearing.cost(IVec2::new(24, 1)), Some(50));
        assert_eq!(hearing.cost(IVec2::new(23, 1)), None);
        hearing.listen(&tiles, &rules.noise, IVec2::new(-1, 1), 1000);
        assert_eq!(
            hearing.cost(IVec2::new(24, 1)),
            None,
            "an ear outside hears nothing"
        );
    }
}
