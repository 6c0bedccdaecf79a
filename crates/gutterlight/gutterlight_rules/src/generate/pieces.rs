//! Building blocks that the themes share: the first room, barracks, gaps, and floors.

use glam::IVec2;

use super::{
    plan::{Plan, RoomId, RoomKind},
    shape::{self, Shape},
};
use crate::{
    Ground, GuardKind, Tile,
    rules::{GreatRoomRules, GrowthRules, Posting},
};

/// The number of places at which a detached room is tried.
const TRIES: usize = 60;

impl Plan<'_> {
    /// The size of a great room: a share of the map, plus or minus an eighth, within limits.
    pub(super) fn share_of_map(&mut self, room: &GreatRoomRules) -> IVec2 {
        let (share, low, high) = (room.share, room.low, room.high);
        let mut along = |map: i32, share: i32, low: i32, high: i32| {
            let size = map * share / 100;
            self.rng
                .within(size - size / 8, size + size / 8)
                .clamp(low, high)
        };
        let (width, height) = (self.tiles.width(), self.tiles.height());
        IVec2::new(
            along(width, share.0, low.0, high.0),
            along(height, share.1, low.1, high.1),
        )
    }

    /// Stamps the first room somewhere around the middle of the map.
    pub(super) fn stamp_in_the_middle(&mut self, shape: &Shape, kind: RoomKind) {
        let room = IVec2::new(shape.width(), shape.height());
        let free = self.size() - room;
        for _ in 0..TRIES {
            let within = |rng: &mut lanternfell_random::SeededRng, free: i32| {
                rng.within(free / 4, free - free / 4)
            };
            let offset = IVec2::new(within(&mut self.rng, free.x), within(&mut self.rng, free.y));
            if self.fits(shape, offset) {
                self.stamp(shape, offset, kind);
                return;
            }
        }
    }

    /// Stamps a room anywhere.
    pub(super) fn stamp_anywhere(&mut self, shape: &Shape, kind: RoomKind) {
        let most = self.size() - IVec2::new(shape.width(), shape.height()) - IVec2::splat(2);
        for _ in 0..TRIES {
            let offset = IVec2::new(self.rng.within(2, most.x), self.rng.within(2, most.y));
            if self.fits(shape, offset) {
                self.stamp(shape, offset, kind);
                return;
            }
        }
    }

    /// Adds a barracks if there are guards that can sleep.
    pub(super) fn attach_barracks(&mut self) {
        let sleeps = |kind: &GuardKind| {
            self.rules.guard(*kind).posting == Posting::Barracks && self.table.count(*kind) > 0
        };
        if self.table.asleep == 0 || !GuardKind::ALL.iter().any(sleeps) {
            return;
        }
        let layout = &self.rules.generation.layout;
        let room = shape::outlined(&mut self.rng, &layout.barracks);
        let room = shape::turned(&mut self.rng, &room);
        let (shortest, longest) = layout.barracks_way;
        let length = self.rng.within(shortest, longest);
        self.attach(&room, length, RoomKind::Barracks);
    }

    /// Adds rooms in the order that all themes except caves share: some rooms, then vaults and
    /// landmarks while there is space for them, then the other rooms, and closets in the remaining
    /// space.
    pub(super) fn grow_around(&mut self, growth: &GrowthRules) {
        let rules = &self.rules.generation;
        let rooms = &rules.theme(self.theme()).rooms;
        let room = |plan: &mut Self| shape::any(&mut plan.rng, rooms);
        let first = GrowthRules {
            each: rules.layout.first_each,
            ..growth.clone()
        };
        self.grow(&first, room);
        self.add_vaults();
        self.add_landmarks();
        self.grow(growth, room);
        self.fill_gaps();
    }

    /// Fills the remaining space with closets.
    fn fill_gaps(&mut self) {
        let layout = &self.rules.generation.layout;
        self.grow(&layout.gaps, |plan| {
            let closet = shape::outlined(&mut plan.rng, &layout.closet);
            shape::turned(&mut plan.rng, &closet)
        });
    }

    /// Gives a percentage of a room another ground, in one patch.
    pub(super) fn pave(&mut self, id: RoomId, ground: Ground, share: u32) {
        let cells = self.room(id).cells.clone();
        let Some(&from) = self.rng.pick(&cells) else {
            return;
        };
        let mut cells: Vec<IVec2> = cells.into_iter().filter(|&at| self.is_ground(at)).collect();
        cells.sort_by_key(|&at| ((at - from).length_squared(), at.y, at.x));
        cells.truncate(cells.len() * share as usize / 100);
        for at in cells {
            self.tiles[at] = Tile::Ground(ground);
        }
    }

    /// Adds a carpet along the middle of a room, with this many cells to either side.
    pub(super) fn add_carpet_runner(&mut self, id: RoomId, to_sides: i32) {
        let cells = self.room(id).cells.clone();
        let low = cells.iter().copied().reduce(IVec2::min).unwrap_or_default();
        let high = cells.iter().copied().reduce(IVec2::max).unwrap_or_default();
        let (size, middle) = (high - low, (low + high) / 2);
        for at in cells {
            let aside = if size.x >= size.y {
                at.y - middle.y
            } else {
                at.x - middle.x
            };
            if aside.abs() <= to_sides && self.is_ground(at) {
                self.tiles[at] = Tile::Ground(Ground::Carpet);
            }
        }
    }
}
