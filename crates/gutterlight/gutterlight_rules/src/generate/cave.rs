//! Caves, with a cellular automaton.
//!
//! Cells are randomly rock or open. Then, a few times, every cell becomes what most of the nine
//! cells in and around it are. The caves are cut into parts as large as rooms, so that guards have
//! destinations: each cell belongs to the nearest of a few cells that are far from each other on
//! foot.
//!
//! ```text
//!    #.##.#..#..#        ############
//!    ..#.##.#.#.#   ->   #....###...#
//!    #.#...#..###        #...........
//!    .#..#.#....#        ##....##...#
//! ```
//!
//! Source: J. Johnson, G. Yannakakis, J. Togelius, "Cellular automata for real-time
//! generation of infinite cave levels" (2010).

use std::collections::VecDeque;

use glam::IVec2;

use super::plan::{FAR, Plan, RoomId, RoomKind};
use crate::{Direction, Ground, Plane, Tile};

impl Plan<'_> {
    /// Digs caves into rock that is not close to anything.
    pub(super) fn hollow_out(&mut self) {
        let rules = &self.rules.generation.caves;
        let mut rock = Plane::new(self.tiles.width(), self.tiles.height(), true);
        for at in rock.cells() {
            rock[at] = !self.may_be_cave(at) || self.rng.percent(rules.rock);
        }
        for _ in 0..rules.rounds {
            rock = self.ask_neighbors(&rock);
        }
        for at in rock.cells().filter(|&at| !rock[at]) {
            self.tiles[at] = Tile::Ground(Ground::Earth);
        }
        self.leave_out_small_caves();
        self.leave_pillars();
        for at in self.tiles.cells() {
            if self.owner[at].is_none() && self.tiles[at] == Tile::Ground(Ground::Earth) {
                self.carve(at, Tile::Ground(Ground::Earth), None);
            }
        }
    }

    /// Leaves pillars in wide caves as places to hide.
    fn leave_pillars(&mut self) {
        let each = self.rules.generation.caves.pillar_each;
        let cave = |plan: &Self, at: IVec2| plan.tile(at) == Tile::Ground(Ground::Earth);
        for at in self.tiles.cells() {
            let wide = |step: i32| {
                let mut sides = Direction::ALL.into_iter();
                sides.all(|way| cave(self, at + way.step() * step))
            };
            if cave(self, at) && wide(1) && wide(2) && self.rng.below(each) == 0 {
                self.carve(at, Tile::Pillar, None);
            }
        }
    }

    /// One round of the automaton.
    fn ask_neighbors(&self, rock: &Plane<bool>) -> Plane<bool> {
        let is_rock = |at: IVec2| rock.get(at).copied().unwrap_or(true);
        let mut next = rock.clone();
        for at in rock.cells() {
            let around = Direction::ALL
                .into_iter()
                .filter(|way| is_rock(at + way.step()));
            let rocks = around.count() + usize::from(rock[at]);
            next[at] = rocks >= 5 || !self.may_be_cave(at);
        }
        next
    }

    fn may_be_cave(&self, at: IVec2) -> bool {
        self.is_raw(at) && !self.near[at]
    }

    fn leave_out_small_caves(&mut self) {
        let least = self.rules.generation.caves.least;
        let mut seen = Plane::new(self.tiles.width(), self.tiles.height(), false);
        for at in self.tiles.cells() {
            let cave = self.tiles[at] == Tile::Ground(Ground::Earth) && self.owner[at].is_none();
            if seen[at] || !cave {
                continue;
            }
            let steps = self.steps(&[at], FAR - 1);
            let cells: Vec<IVec2> = steps.cells().filter(|&at| steps[at] != FAR).collect();
            for &cell in &cells {
                seen[cell] = true;
                if cells.len() < least {
                    self.tiles[cell] = Tile::Rock;
                }
            }
        }
    }

    /// Divides the caves into parts, which are rooms without walls.
    pub(super) fn divide_caves(&mut self) {
        let is_cave = |plan: &Self, at: IVec2| {
            plan.owner[at].is_none() && plan.tiles[at] == Tile::Ground(Ground::Earth)
        };
        let caves: Vec<IVec2> = self.tiles.cells().filter(|&at| is_cave(self, at)).collect();
        let mut middles: Vec<IVec2> = Vec::new();
        let mut order = caves.clone();
        self.rng.shuffle(&mut order);
        let mut taken = Plane::new(self.tiles.width(), self.tiles.height(), false);
        for at in order {
            if taken[at] {
                continue;
            }
            middles.push(at);
            let steps = self.steps(&[at], self.rules.generation.caves.part);
            for cell in steps.cells().filter(|&cell| steps[cell] != FAR) {
                taken[cell] = true;
            }
        }
        self.give_to_nearest(&middles, |plan, at| is_cave(plan, at));
    }

    /// Grows one part around each middle, all at the same speed.
    fn give_to_nearest(&mut self, middles: &[IVec2], is_cave: impl Fn(&Self, IVec2) -> bool) {
        let first = self.rooms.len() as RoomId;
        let mut open = VecDeque::new();
        for (n, &middle) in middles.iter().enumerate() {
            self.add_room(RoomKind::Cave, vec![middle]);
            self.owner[middle] = Some(first + n as RoomId);
            open.push_back(middle);
        }
        while let Some(at) = open.pop_front() {
            let owner = self.owner[at];
            for way in Direction::STRAIGHT {
                let neighbor = at + way.step();
                if self.tiles.contains(neighbor) && is_cave(self, neighbor) {
                    self.owner[neighbor] = owner;
                    if let Some(id) = owner {
                        self.room_mut(id).cells.push(neighbor);
                    }
                    self.note_walls(neighbor);
                    open.push_back(neighbor);
                }
            }
        }
    }
}
