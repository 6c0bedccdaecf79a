//! The stairs, and the first corridor of a game.
//!
//! Stairs are in niches of small rooms, called landings, which have at least two exits and neither
//! lamps nor guards. The landings are far from each other: one is the room farthest from a random
//! landing, and the other is one of those farthest from the first.
//!
//! The first corridor of a game runs along the border, so that the rest of the floor has enough
//! space. Nothing else opens into it:
//!
//! ```text
//!    ######################
//!    #<...............+...#      A thief who arrives here has the dark ahead and the daylight
//!    ##################...#      behind.
//!                     #...#
//! ```

use glam::IVec2;

use super::{
    plan::{FAR, Plan, RoomId, RoomKind},
    shape,
};
use crate::{Direction, Tile};

impl Plan<'_> {
    /// Digs the first corridor of a game, and the room at its end.
    pub(super) fn dig_first_corridor(&mut self) {
        let entrance = &self.rules.generation.layout.entrance;
        let size = self.size();
        let along = if size.x >= size.y { IVec2::X } else { IVec2::Y };
        let (long, broad) = (size.max_element(), size.min_element());
        // Space for the stairs, the room at the end, and the walls.
        let mouth = entrance.high.0 + 4;
        let length = (self.rules.map.corridor as i32).min(long - mouth);
        let hall = shape::size(&mut self.rng, entrance.low, entrance.high);
        let hall = if along == IVec2::X {
            hall
        } else {
            IVec2::new(hall.y, hall.x)
        };
        // The total length: stairs, corridor, a doorway, the room.
        let whole = length + 2 + hall.dot(along);
        let start = self.rng.within(1, long - 1 - whole);
        let (backwards, far_side) = (self.rng.percent(50), self.rng.percent(50));
        let place = |n: i32| if backwards { long - 1 - n } else { n };
        let row = if far_side { broad - 2 } else { 1 };
        let at = |n: i32| along * place(n) + IVec2::new(along.y, along.x) * row;
        let cells: Vec<IVec2> = (start..=start + length).map(at).collect();
        let door = at(start + length + 1);
        let first = at(start + length + 2);
        let last = at(start + whole - 1);
        // The corner of the room nearest to the origin.
        let depth = IVec2::new(along.y, along.x) * (hall.dot(IVec2::new(along.y, along.x)) - 1);
        let corner = first.min(last) - if far_side { depth } else { IVec2::ZERO };
        self.stamp(&shape::block(hall), corner, RoomKind::Landing);
        self.open_doorway(door);
        let up = cells[0];
        let corridor = self.dig(cells);
        self.room_mut(corridor).kind = RoomKind::Landing;
        self.tiles[up] = Tile::StairsUp;
        self.up = Some(up);
        self.seal_room(corridor);
    }

    /// Prevents all digging next to a room.
    pub(super) fn seal_room(&mut self, id: RoomId) {
        for at in self.room(id).cells.clone() {
            for way in Direction::ALL {
                let neighbor = at + way.step();
                if self.tile(neighbor) == Tile::Rock
                    && let Some(sealed) = self.sealed.get_mut(neighbor)
                {
                    *sealed = true;
                }
            }
        }
    }

    /// Chooses the landings, and puts stairs into them. Returns `false` if there are not enough.
    pub(super) fn place_stairs(&mut self) -> bool {
        let landings: Vec<RoomId> = self
            .room_ids()
            .filter(|&id| self.may_be_landing(id))
            .collect();
        if self.up.is_none() {
            let Some(up) = self
                .most_remote(&landings)
                .and_then(|id| self.put_stairs(id, Tile::StairsUp))
            else {
                return false;
            };
            self.up = Some(up);
        }
        if self.goal.is_some() {
            return true;
        }
        let from = self.up.unwrap_or_default();
        let far = self.far_from(from, &landings);
        let tile = Tile::StairsDown;
        self.goal = far.and_then(|id| match self.last {
            true => self.heart(id),
            false => self.put_stairs(id, tile),
        });
        self.goal.is_some()
    }

    fn may_be_landing(&self, id: RoomId) -> bool {
        let room = self.room(id);
        let (least, most) = self.rules.generation.layout.landing;
        matches!(room.kind, RoomKind::Plain | RoomKind::Cave)
            && (least..=most).contains(&(room.cells.len() as i32))
            && self.exits(id) >= 2
    }

    /// One of the landings farthest from the goal or, without a goal, from a random landing.
    fn most_remote(&mut self, landings: &[RoomId]) -> Option<RoomId> {
        let from = match self.goal {
            Some(goal) => goal,
            None => {
                let &any = self.rng.pick(landings)?;
                self.heart(any)?
            }
        };
        self.far_from(from, landings)
    }

    /// One of the landings farthest from a cell.
    fn far_from(&mut self, from: IVec2, landings: &[RoomId]) -> Option<RoomId> {
        let share = self.rules.generation.layout.landing_far;
        let steps = self.steps(&[from], FAR - 1);
        let far = |id: RoomId| self.heart(id).map_or(0, |heart| steps[heart]);
        let reached = |&id: &RoomId| far(id) != FAR && far(id) > 1;
        let landings: Vec<RoomId> = landings.iter().copied().filter(reached).collect();
        let most = landings.iter().map(|&id| far(id)).max()?;
        let farthest: Vec<RoomId> = landings
            .into_iter()
            .filter(|&id| far(id) * 100 >= most * share)
            .collect();
        self.rng.pick(&farthest).copied()
    }

    /// Digs a niche for stairs into a wall of a room. Without a place for one, the stairs are in a
    /// corner of the room.
    fn put_stairs(&mut self, id: RoomId, tile: Tile) -> Option<IVec2> {
        let mut niches: Vec<IVec2> = Vec::new();
        for &at in &self.room(id).cells {
            let around = Direction::STRAIGHT.map(|way| at + way.step());
            niches.extend(
                around
                    .into_iter()
                    .filter(|&neighbor| self.may_be_niche(neighbor)),
            );
        }
        let at = match self.rng.pick(&niches) {
            Some(&niche) => niche,
            None => {
                let cells = self.room(id).cells.iter().copied();
                let free = cells.filter(|&at| self.is_ground(at));
                free.min_by_key(|&at| (self.open_around(at), at.y, at.x))?
            }
        };
        self.carve(at, tile, Some(id));
        if !self.room(id).cells.contains(&at) {
            self.room_mut(id).cells.push(at);
        }
        self.room_mut(id).kind = RoomKind::Landing;
        Some(at)
    }

    /// Whether a cell of rock is open to exactly one side.
    pub(super) fn may_be_niche(&self, at: IVec2) -> bool {
        if !self.is_raw(at) || self.open_sides(at) != 1 {
            return false;
        }
        let open = Direction::STRAIGHT
            .into_iter()
            .find(|way| self.is_open(at + way.step()));
        let rock = |at: IVec2| matches!(self.tile(at), Tile::Rock);
        open.is_some_and(|way| {
            let back = way.opposite();
            self.is_ground(at + way.step())
                && [2, -2, 1, -1, 0]
                    .iter()
                    .all(|&turn| rock(at + back.turned(turn).step()))
        })
    }
}
