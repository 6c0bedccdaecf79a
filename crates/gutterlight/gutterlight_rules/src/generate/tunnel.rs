//! Tunnels between carved parts: joins, loops, and the removal of dead ends.
//!
//! - *Joins.* While there are unconnected parts, the shortest tunnel from the first part to any
//!   other is dug. It is found with a breadth-first search through the rock.
//! - *Loops.* A wall between two cells that are far from each other on foot is opened. The thief
//!   needs a second way, so that a guard behind him does not end the game. From each wall, a ray
//!   goes straight through the rock. Where it comes out, the length of the existing way around is
//!   measured.
//! - *Dead ends* of corridors are filled, cell by cell.
//!
//! ```text
//!    ##########         ##########
//!    #...#....#         #...+....#       Walking from one side of the wall to the other takes 18
//!    #...#....#   ->    #...#....#       steps. A doorway closes the loop.
//!    #...###.##         #...###.##
//!    ###......#         ###......#
//! ```
//!
//! Cost: each ray needs a search that ends as soon as it is far enough, after some hundred cells.

use std::collections::VecDeque;

use glam::IVec2;

use super::plan::{FAR, Plan, RoomKind};
use crate::{Direction, Plane, Tile, rules::LoopRules};

impl Plan<'_> {
    /// Digs tunnels until all parts are connected. Gives up if only sealed rock is left between
    /// them.
    pub(super) fn join(&mut self) {
        loop {
            let Some(start) = self.tiles.cells().find(|&at| self.is_open(at)) else {
                return;
            };
            let steps = self.steps(&[start], FAR - 1);
            let here: Vec<IVec2> = steps.cells().filter(|&at| steps[at] != FAR).collect();
            let Some(tunnel) = self.tunnel_to_elsewhere(&here, &steps) else {
                return;
            };
            self.dig_tunnel(tunnel);
        }
    }

    /// The shortest path through rock from `here` to a cell that cannot be reached from it.
    fn tunnel_to_elsewhere(&mut self, here: &[IVec2], steps: &Plane<u32>) -> Option<Vec<IVec2>> {
        let mut came: Plane<Option<Direction>> =
            Plane::new(self.tiles.width(), self.tiles.height(), None);
        let mut starts = here.to_vec();
        // Choose randomly among equally short tunnels.
        self.rng.shuffle(&mut starts);
        let mut open: VecDeque<IVec2> = starts.into();
        while let Some(at) = open.pop_front() {
            for way in Direction::STRAIGHT {
                let next = at + way.step();
                if self.is_ground(next) && steps[next] == FAR {
                    // Only from rock: cells of `here` do not touch ground that they cannot reach.
                    return (steps[at] == FAR).then(|| back(&came, steps, at));
                }
                if self.is_raw(next) && came[next].is_none() {
                    came[next] = Some(way);
                    open.push_back(next);
                }
            }
        }
        None
    }

    /// Digs a tunnel. Its ends become doorways, and the rest a corridor.
    fn dig_tunnel(&mut self, mut tunnel: Vec<IVec2>) {
        let last = tunnel.pop();
        let first = (!tunnel.is_empty()).then(|| tunnel.remove(0));
        if !tunnel.is_empty() {
            self.dig(tunnel);
        }
        for door in first.into_iter().chain(last) {
            self.open_doorway(door);
        }
    }

    /// Opens walls where the way around is long.
    pub(super) fn add_loops(&mut self, loops: &LoopRules) {
        let mut walls = self.walls.clone();
        self.rng.shuffle(&mut walls);
        let mut added = 0;
        for (at, way) in walls {
            if added == loops.most {
                return;
            }
            let Some(tunnel) = self
                .ray(at, way, loops.tunnel)
                .filter(|_| self.is_ground(at - way.step()))
            else {
                continue;
            };
            let length = tunnel.len() as u32;
            let ends = (at - way.step(), at + way.step() * length as i32);
            // A longer tunnel must save more.
            let detour = loops.detour + 2 * length;
            if self.steps_until(&[ends.0], detour, |at| at == ends.1)[ends.1] == FAR {
                self.dig_tunnel(tunnel);
                added += 1;
            }
        }
    }

    /// The cells of rock straight ahead from a wall up to the next open cell.
    fn ray(&self, from: IVec2, way: Direction, most: i32) -> Option<Vec<IVec2>> {
        let (step, side) = (way.step(), way.turned(2).step());
        let mut cells = Vec::new();
        let mut at = from;
        while cells.len() < most as usize {
            let rock = |at: IVec2| self.is_raw(at);
            let solid = |at: IVec2| !self.is_open(at) && self.tile(at) != Tile::Pillar;
            if !rock(at) || !solid(at + side) || !solid(at - side) {
                return None;
            }
            cells.push(at);
            at += step;
            if self.is_ground(at) {
                return Some(cells);
            }
        }
        None
    }

    /// Fills dead ends of corridors.
    pub(super) fn fill_dead_ends(&mut self) {
        let kept = self.up;
        let dead = |plan: &Self, at: IVec2| {
            plan.is_ground(at)
                && plan.open_sides(at) <= 1
                && Some(at) != kept
                && matches!(plan.kind_at(at), None | Some(RoomKind::Corridor))
        };
        let mut ends: Vec<IVec2> = self.tiles.cells().filter(|&at| dead(self, at)).collect();
        while let Some(at) = ends.pop() {
            // Neighbors are added unchecked, and a cell can be in the list twice.
            if !dead(self, at) {
                continue;
            }
            self.fill(at);
            self.doorways.retain(|&door| door != at);
            // The cell that led here may be a dead end now.
            ends.extend(Direction::STRAIGHT.map(|way| at + way.step()));
        }
    }
}

/// The cells of rock on the path back to open cells.
fn back(came: &Plane<Option<Direction>>, steps: &Plane<u32>, from: IVec2) -> Vec<IVec2> {
    let mut cells = Vec::new();
    let mut at = from;
    while steps[at] == FAR
        && let Some(way) = came[at]
    {
        cells.push(at);
        at -= way.step();
    }
    cells
}
