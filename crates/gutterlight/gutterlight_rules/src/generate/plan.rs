//! A floor under construction: rock, out of which rooms are carved.
//!
//! Everything starts as rock. Rooms are stamped into it, and tunnels are dug through it. The
//! remaining rock between two rooms is their common wall, however thin. At the end, rock next to
//! rooms becomes masonry.
//!
//! Three grids limit what can still be done in a cell. `tiles`: only rock can be dug. `near`:
//! something is carved next to the cell, so a new room may not come here, because it would break
//! through. `sealed`: nothing may be dug here, because it is the wall of a vault or of the first
//! corridor.

use std::collections::VecDeque;

use glam::IVec2;
use lanternfell_random::SeededRng;

use super::shape::Shape;
use crate::{
    Difficulty, Direction, Fixture, Ground, Guard, Placed, Plane, Rules, Theme, Tile, Twist,
    rules::FloorRules,
};

/// The index of a room in [`Plan::rooms`].
pub(super) type RoomId = u16;

/// A place where a wall could be opened: the cell, and the direction out through it.
pub(super) type Site = (IVec2, Direction);

/// A number of steps that is never reached.
pub(super) const FAR: u32 = u32::MAX;

/// The purpose of a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RoomKind {
    /// An ordinary room.
    Plain,
    /// The central room of a floor: large, and usually lit.
    Hall,
    /// A corridor: narrow and mostly dark.
    Corridor,
    /// A part of a cave.
    Cave,
    /// The room of the stairs. Never lit, never guarded.
    Landing,
    /// A room behind a lock.
    Vault,
    /// A landmark.
    Landmark,
    /// A room where watchmen sleep.
    Barracks,
}

/// A room.
#[derive(Debug, Clone)]
pub(super) struct Room {
    pub(super) kind: RoomKind,
    /// Its passable cells.
    pub(super) cells: Vec<IVec2>,
    /// Whether it has burning lamps.
    pub(super) lit: bool,
}

/// A floor under construction.
pub(super) struct Plan<'a> {
    pub(super) rules: &'a Rules,
    pub(super) table: &'a FloorRules,
    pub(super) rng: SeededRng,
    /// The fuel of the difficulty, in percent.
    pub(super) fuel_percent: u32,
    /// Whether this is the last floor, with the Ember.
    pub(super) last: bool,
    /// The twist of this floor.
    pub(super) twist: Option<Twist>,
    pub(super) tiles: Plane<Tile>,
    /// The room of each cell. Doorways belong to no room.
    pub(super) owner: Plane<Option<RoomId>>,
    pub(super) near: Plane<bool>,
    pub(super) sealed: Plane<bool>,
    pub(super) rooms: Vec<Room>,
    /// Where rooms might be attached: cells of rock next to ground, with the direction out through
    /// them. Some may have been dug since.
    pub(super) walls: Vec<Site>,
    /// The doors of vaults.
    pub(super) vaults: Vec<IVec2>,
    /// The openings in walls between two rooms.
    pub(super) doorways: Vec<IVec2>,
    /// The stairs up, once placed.
    pub(super) up: Option<IVec2>,
    /// The stairs down, or the cell of the Ember, once placed.
    pub(super) goal: Option<IVec2>,
    /// Which rooms have a single exit. Filled when items are placed.
    pub(super) ends: Vec<bool>,
    pub(super) fixtures: Vec<Fixture>,
    pub(super) items: Vec<Placed>,
    pub(super) guards: Vec<Guard>,
}

impl<'a> Plan<'a> {
    /// A plan of solid rock.
    pub(super) fn new(
        rules: &'a Rules,
        table: &'a FloorRules,
        difficulty: Difficulty,
        last: bool,
        rng: SeededRng,
    ) -> Self {
        let (width, height) = (rules.map.width as i32, rules.map.height as i32);
        Self {
            rules,
            table,
            rng,
            fuel_percent: rules.difficulty(difficulty).fuel,
            last,
            twist: None,
            tiles: Plane::new(width, height, Tile::Rock),
            owner: Plane::new(width, height, None),
            near: Plane::new(width, height, false),
            sealed: Plane::new(width, height, false),
            rooms: Vec::new(),
            walls: Vec::new(),
            vaults: Vec::new(),
            doorways: Vec::new(),
            up: None,
            goal: None,
            ends: Vec::new(),
            fixtures: Vec::new(),
            items: Vec::new(),
            guards: Vec::new(),
        }
    }

    pub(super) fn theme(&self) -> Theme {
        self.table.theme
    }

    pub(super) fn size(&self) -> IVec2 {
        IVec2::new(self.tiles.width(), self.tiles.height())
    }

    /// The number of cells of the map.
    pub(super) fn area(&self) -> i32 {
        self.size().x * self.size().y
    }

    /// The tile of a cell; rock outside of the map.
    #[inline]
    pub(super) fn tile(&self, at: IVec2) -> Tile {
        self.tiles.get(at).copied().unwrap_or(Tile::Rock)
    }

    /// Whether a cell is passable.
    #[inline]
    pub(super) fn is_open(&self, at: IVec2) -> bool {
        self.tile(at).is_passable()
    }

    /// Whether a cell is plain ground.
    #[inline]
    pub(super) fn is_ground(&self, at: IVec2) -> bool {
        matches!(self.tile(at), Tile::Ground(_))
    }

    /// Whether a cell is inside the map and not on its border.
    #[inline]
    pub(super) fn is_inside(&self, at: IVec2) -> bool {
        at.cmpgt(IVec2::ZERO).all() && at.cmplt(self.size() - IVec2::ONE).all()
    }

    /// Whether a cell can be dug.
    #[inline]
    pub(super) fn is_raw(&self, at: IVec2) -> bool {
        self.is_inside(at) && self.tiles[at] == Tile::Rock && !self.sealed[at]
    }

    /// The room of a cell.
    pub(super) fn room_at(&self, at: IVec2) -> Option<&Room> {
        let id = self.owner.get(at).copied().flatten()?;
        self.rooms.get(usize::from(id))
    }

    pub(super) fn kind_at(&self, at: IVec2) -> Option<RoomKind> {
        self.room_at(at).map(|room| room.kind)
    }

    pub(super) fn room_ids(&self) -> impl Iterator<Item = RoomId> + use<> {
        0..self.rooms.len() as RoomId
    }

    pub(super) fn room(&self, id: RoomId) -> &Room {
        &self.rooms[usize::from(id)]
    }

    pub(super) fn room_mut(&mut self, id: RoomId) -> &mut Room {
        &mut self.rooms[usize::from(id)]
    }

    /// Whether a shape can be stamped here without breaking through to anything.
    pub(super) fn fits(&self, shape: &Shape, offset: IVec2) -> bool {
        let corners = [
            IVec2::ZERO,
            IVec2::new(shape.width(), shape.height()) - IVec2::ONE,
        ];
        corners
            .iter()
            .all(|&corner| self.is_inside(corner + offset))
            && shape.iter().all(|(at, &tile)| {
                // Rock of the shape is not stamped, so it may overlap anything.
                tile == Tile::Rock || !self.near[at + offset] && !self.sealed[at + offset]
            })
    }

    /// Stamps a room.
    pub(super) fn stamp(&mut self, shape: &Shape, offset: IVec2, kind: RoomKind) -> RoomId {
        // The cells get the id that `add_room` will give to the room.
        let id = self.rooms.len() as RoomId;
        let mut cells = Vec::new();
        for (at, &tile) in shape.iter().filter(|(_, tile)| **tile != Tile::Rock) {
            let at = at + offset;
            self.carve(at, tile, Some(id));
            if tile.is_passable() {
                cells.push(at);
            }
        }
        self.add_room(kind, cells)
    }

    /// Digs a corridor through these cells.
    pub(super) fn dig(&mut self, cells: Vec<IVec2>) -> RoomId {
        let id = self.rooms.len() as RoomId;
        for &at in &cells {
            self.carve(at, Tile::Ground(Ground::Stone), Some(id));
        }
        self.add_room(RoomKind::Corridor, cells)
    }

    pub(super) fn add_room(&mut self, kind: RoomKind, cells: Vec<IVec2>) -> RoomId {
        cells.iter().for_each(|&at| self.note_walls(at));
        self.rooms.push(Room {
            kind,
            cells,
            lit: false,
        });
        (self.rooms.len() - 1) as RoomId
    }

    /// Records the walls next to a cell.
    pub(super) fn note_walls(&mut self, at: IVec2) {
        for way in Direction::STRAIGHT {
            let wall = at + way.step();
            if self.is_raw(wall) {
                self.walls.push((wall, way));
            }
        }
    }

    /// Makes an opening in a wall.
    pub(super) fn open_doorway(&mut self, at: IVec2) {
        self.carve(at, Tile::Ground(Ground::Stone), None);
        self.doorways.push(at);
    }

    /// Puts a tile other than rock into a cell.
    pub(super) fn carve(&mut self, at: IVec2, tile: Tile, owner: Option<RoomId>) {
        self.tiles[at] = tile;
        self.owner[at] = owner;
        // Rooms keep one cell of rock between them, also diagonally: see `fits`.
        self.near[at] = true;
        for way in Direction::ALL {
            if let Some(near) = self.near.get_mut(at + way.step()) {
                *near = true;
            }
        }
    }

    /// Fills a cell with rock again.
    pub(super) fn fill(&mut self, at: IVec2) {
        self.tiles[at] = Tile::Rock;
        // `near` stays set, so that other rooms still keep their distance.
        if let Some(id) = self.owner[at].take() {
            self.room_mut(id).cells.retain(|&cell| cell != at);
        }
    }

    /// How many of the four neighbors of a cell are passable.
    pub(super) fn open_sides(&self, at: IVec2) -> usize {
        let sides = Direction::STRAIGHT.into_iter();
        sides.filter(|way| self.is_open(at + way.step())).count()
    }

    /// How many of the eight neighbors of a cell are passable.
    pub(super) fn open_around(&self, at: IVec2) -> usize {
        let around = Direction::ALL.into_iter();
        around.filter(|way| self.is_open(at + way.step())).count()
    }

    /// Whether a cell is between two solid ones on a way through, where a door fits.
    pub(super) fn is_framed(&self, at: IVec2) -> bool {
        let open = |step: IVec2| self.is_open(at + step);
        let across = open(IVec2::X) && open(-IVec2::X) && !open(IVec2::Y) && !open(-IVec2::Y);
        let along = open(IVec2::Y) && open(-IVec2::Y) && !open(IVec2::X) && !open(-IVec2::X);
        across || along
    }

    /// The number of straight steps from the nearest of `starts` to each cell, up to `limit`;
    /// [`FAR`] beyond.
    pub(super) fn steps(&self, starts: &[IVec2], limit: u32) -> Plane<u32> {
        self.steps_until(starts, limit, |_| false)
    }

    /// Like [`steps`](Self::steps), but stops at the first cell for which `until` returns `true`.
    pub(super) fn steps_until(
        &self,
        starts: &[IVec2],
        limit: u32,
        mut until: impl FnMut(IVec2) -> bool,
    ) -> Plane<u32> {
        let mut steps = Plane::new(self.tiles.width(), self.tiles.height(), FAR);
        let mut open = VecDeque::new();
        for &start in starts {
            steps[start] = 0;
            open.push_back(start);
        }
        while let Some(at) = open.pop_front() {
            let next = steps[at] + 1;
            // Cells come in the order of their steps, so all others are too far as well.
            if next > limit || until(at) {
                break;
            }
            for way in Direction::STRAIGHT {
                let neighbor = at + way.step();
                if self.is_open(neighbor) && steps[neighbor] == FAR {
                    steps[neighbor] = next;
                    open.push_back(neighbor);
                }
            }
        }
        steps
    }

    /// The free cell of a room nearest to its middle.
    pub(super) fn heart(&self, id: RoomId) -> Option<IVec2> {
        let cells = &self.room(id).cells;
        let middle = cells.iter().sum::<IVec2>() / (cells.len() as i32).max(1);
        let solid = self.fixtures.iter().filter(|lamp| lamp.kind.is_solid());
        let taken: Vec<IVec2> = solid.map(|lamp| lamp.at).chain(self.goal).collect();
        let free = |&at: &IVec2| self.is_ground(at) && !taken.contains(&at);
        let ground = cells.iter().copied().filter(free);
        ground.min_by_key(|&at| ((at - middle).length_squared(), at.y, at.x))
    }

    /// Whether a cell is plain ground without a brazier.
    pub(super) fn is_free(&self, at: IVec2) -> bool {
        self.is_ground(at)
            && !self
                .fixtures
                .iter()
                .any(|lamp| lamp.at == at && lamp.kind.is_solid())
    }

    /// The number of exits of a room: doorways and cells of other rooms next to its own.
    pub(super) fn exits(&self, id: RoomId) -> usize {
        let mut exits: Vec<IVec2> = Vec::new();
        for &at in &self.room(id).cells {
            for way in Direction::STRAIGHT {
                let neighbor = at + way.step();
                if self.is_open(neighbor) && self.owner[neighbor] != Some(id) {
                    exits.push(neighbor);
                }
            }
        }
        exits.sort_unstable_by_key(|at| (at.y, at.x));
        exits.dedup();
        exits.len()
    }
}
