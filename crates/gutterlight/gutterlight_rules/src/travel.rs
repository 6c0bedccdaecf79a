//! Paths over known cells, for click-to-travel and auto-explore.
//!
//! This is a breadth-first search over remembered cells: every step takes a beat, straight or
//! diagonal. Unknown cells are never used. A diagonal step needs both neighboring cells to be known
//! and free.
//!
//! Cost: each known cell is visited at most once.

use std::collections::VecDeque;

use glam::IVec2;

use crate::{Direction, Item, Plane, Tile, View};

impl View<'_> {
    /// The steps of a shortest known path to a cell. It leads through closed doors, and around
    /// guards in sight and fire. `None` if no path is known. The path to the thief's own cell is
    /// empty.
    pub fn way_to(self, goal: IVec2) -> Option<Vec<Direction>> {
        self.way_where(|at| at == goal)
    }

    /// The steps to the nearest known [loot](Item::is_loot) or to the nearest cell with an unknown
    /// neighbor, whichever is closer. `None` if everything is explored.
    pub fn way_to_explore(self) -> Option<Vec<Direction>> {
        let here = self.thief().at;
        let lies = |at: IVec2| {
            self.memory(at)
                .is_some_and(|memory| memory.item.is_some_and(Item::is_loot))
        };
        let unknown = |at: IVec2| {
            let mut neighbors = Direction::STRAIGHT.into_iter().map(|way| at + way.step());
            neighbors.any(|neighbor| self.contains(neighbor) && self.memory(neighbor).is_none())
        };
        self.way_where(|at| at != here && (lies(at) || unknown(at)))
    }

    /// The path to the nearest cell for which `wanted` returns `true`.
    fn way_where(self, wanted: impl Fn(IVec2) -> bool) -> Option<Vec<Direction>> {
        let (from, size) = (self.thief().at, self.size());
        let mut came: Plane<Option<Direction>> = Plane::new(size.x, size.y, None);
        let up = self.guards().filter(|guard| !guard.alert_state.is_down());
        let taken: Vec<IVec2> = up.map(|guard| guard.at).collect();
        let mut open = VecDeque::from([from]);
        while let Some(at) = open.pop_front() {
            if wanted(at) {
                return Some(back(&came, from, at));
            }
            for way in Direction::ALL {
                let next = at + way.step();
                let new = next != from && came.get(next).is_some_and(Option::is_none);
                if new && !taken.contains(&next) && self.can_step(at, way) {
                    came[next] = Some(way);
                    open.push_back(next);
                }
            }
        }
        None
    }

    fn contains(self, at: IVec2) -> bool {
        let size = self.size();
        at.min_element() >= 0 && at.x < size.x && at.y < size.y
    }

    /// Whether a step is possible, as far as known.
    fn can_step(self, from: IVec2, way: Direction) -> bool {
        let tile = |at: IVec2| self.memory(at).map(|memory| memory.tile);
        let to = from + way.step();
        let corners = [IVec2::new(to.x, from.y), IVec2::new(from.x, to.y)];
        let squeezes = way.is_diagonal()
            && corners
                .into_iter()
                .any(|at| tile(at).is_none_or(Tile::is_solid));
        tile(to).is_some_and(Tile::is_passable) && !squeezes && !self.fire(to)
    }
}

/// The path back along the last steps.
fn back(came: &Plane<Option<Direction>>, from: IVec2, to: IVec2) -> Vec<Direction> {
    let mut steps = Vec::new();
    let mut at = to;
    while at != from
        && let Some(way) = came[at]
    {
        steps.push(way);
        at -= way.step();
    }
    steps.reverse();
    steps
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Action, Difficulty, Rules, World};

    fn scene(map: &str) -> World {
        World::from_drawing(Arc::clone(&Rules::standard()), 1, map).expect("a scene")
    }

    #[test]
    fn paths_lead_around_walls_and_through_doors() {
        let mut world = scene(
            "
            ############
            #@...#.....#
            #.....+....#
            #....#.....#
            ############",
        );
        let goal = IVec2::new(9, 1);
        // The room behind the door is still unknown.
        assert_eq!(world.view().way_to(goal), None);
        let door = world.view().way_to(IVec2::new(6, 2));
        assert_eq!(door.map(|way| way.len()), Some(5));
        assert_eq!(world.view().way_to(IVec2::new(1, 1)), Some(Vec::new()));
        assert_eq!(world.view().way_to(IVec2::new(0, 0)), None);
        assert_eq!(world.view().way_to(IVec2::new(-3, 99)), None);
        // Exploring makes everything known, and every step is possible.
        let mut steps = 0;
        while let Some(way) = world.view().way_to_explore() {
            let step = way.first().copied().expect("a step");
            world.act(Action::Walk(step)).expect("a possible step");
            steps += 1;
            assert!(steps < 60, "the exploration never ends");
        }
        let way = world.view().way_to(goal).expect("a way, now");
        let end: IVec2 = way.iter().map(|way| way.step()).sum();
        assert_eq!(world.view().thief().at + end, goal);
    }

    #[test]
    fn paths_avoid_guards_and_unknown_corners() {
        let world = scene(
            "
            #########
            #@.s....#
            #########",
        );
        assert_eq!(world.view().way_to(IVec2::new(5, 1)), None);
        let world = scene(
            "
            ####
            #@##
            ##.#
            ####",
        );
        assert_eq!(world.view().way_to(IVec2::new(2, 2)), None);
    }

    #[test]
    fn exploring_a_whole_floor_only_takes_possible_steps() {
        for seed in 0..4 {
            let mut world = World::new(seed, Difficulty::Apprentice);
            for _ in 0..300 {
                let Some(way) = world.view().way_to_explore() else {
                    break;
                };
                let step = Action::Walk(way[0]);
                assert_eq!(world.view().check(step), Ok(()), "seed {seed}");
                if world.act(step).is_err() || world.view().ending().is_some() {
                    break;
                }
                let here = world.view().thief().at;
                let loot = world
                    .view()
                    .memory(here)
                    .is_some_and(|memory| memory.item.is_some_and(Item::is_loot));
                if loot {
                    world.act(Action::PickUp).expect("loot always fits");
                }
            }
        }
    }
}
