//! Placing items. Better items are in more closely watched rooms.

use glam::IVec2;

use super::{
    plan::{FAR, Plan, RoomId, RoomKind},
    weighted::weighted,
};
use crate::{Direction, Item, Placed, Stack, Tool, Torch};

/// Where an item should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Liking {
    /// In any room.
    Any,
    /// In a lit room, or in a room on a guard's route.
    Watched,
    /// In a room without light.
    Dark,
}

impl Plan<'_> {
    /// Places all items. `fuel` is what the thief has, and `needed` what the floor must offer in
    /// total: see the [proof](super::proof).
    pub(super) fn place_items(&mut self, fuel: u32, needed: u32) {
        let (table, rules) = (self.table, &self.rules.generation.finds);
        self.ends = self.room_ids().map(|id| self.exits(id) == 1).collect();
        if let Some(goal) = self.goal.filter(|_| self.last) {
            self.items.push(Placed {
                at: goal,
                item: Item::Ember,
            });
        }
        if !self.vaults.is_empty() {
            self.place_key();
        }
        self.place_torches(fuel, needed);
        for n in 0..table.treasures {
            let liking = if (n + 1).is_multiple_of(rules.other_each) {
                Liking::Any
            } else {
                Liking::Watched
            };
            self.place_treasure(liking);
        }
        for _ in 0..table.tools {
            let item = Item::Tool(self.some_tool());
            self.place_item(item, Liking::Any);
        }
        for _ in 0..table.cloth {
            self.place_item(Item::Cloth(self.rules.thief.cloth), Liking::Any);
        }
    }

    /// Places the key in a watched room, far from the vaults.
    fn place_key(&mut self) {
        let steps = self.steps(&self.vaults, FAR - 1);
        let far = |id: RoomId| self.heart(id).map_or(0, |heart| steps[heart]);
        let mut rooms = self.rooms_for(Liking::Watched);
        if rooms.is_empty() {
            rooms = self.rooms_for(Liking::Any);
        }
        rooms.sort_by_key(|&(id, _)| (core::cmp::Reverse(far(id)), id));
        rooms.truncate(rooms.len().div_ceil(self.rules.generation.finds.key_rooms));
        if let Some(at) = self
            .rng
            .pick(&rooms)
            .copied()
            .and_then(|(id, _)| self.spot(id))
        {
            self.items.push(Placed {
                at,
                item: Item::Key,
            });
        }
    }

    fn place_torches(&mut self, mut fuel: u32, needed: u32) {
        let each = u32::from(self.table.torch_fuel) * self.fuel_percent / 100;
        let each = each.clamp(1, u32::from(self.rules.thief.fuel));
        let torch = Item::Torch(Torch {
            lit: false,
            fuel: each as u16,
        });
        let most = self.table.torches + self.rules.generation.finds.more_torches;
        for n in 0..most {
            if n >= self.table.torches && fuel >= needed {
                return;
            }
            self.place_item(torch, Liking::Dark);
            fuel += each;
        }
    }

    fn place_treasure(&mut self, liking: Liking) {
        let rules = &self.rules.generation.finds;
        let (least, most) = match liking {
            Liking::Watched => rules.watched_treasure,
            _ => rules.other_treasure,
        };
        let share = self.rng.within(least, most);
        let worth = (u32::from(self.table.treasure) * share as u32 / 100).max(1);
        self.place_item(Item::Treasure(worth as u16), liking);
    }

    fn some_tool(&mut self) -> Stack {
        let rules = &self.rules.generation.finds;
        let often = rules.tools.iter().map(|&(often, _)| u64::from(often));
        let drawn = weighted(&mut self.rng, often);
        let tool = drawn.map_or(Tool::Pebbles, |place| rules.tools[place].1);
        let count = match tool {
            Tool::Pebbles => self.rules.tools.pebbles,
            Tool::DarkCloak => 1,
            _ => 1 + u8::from(self.rng.percent(rules.two)),
        };
        let count = count.min(self.rules.tools.stack);
        Stack { tool, count }
    }

    /// Places an item in a room that suits it.
    fn place_item(&mut self, item: Item, liking: Liking) {
        let mut rooms = self.rooms_for(liking);
        if rooms.is_empty() {
            rooms = self.rooms_for(Liking::Any);
        }
        let sum: u64 = rooms.iter().map(|&(_, weight)| weight).sum();
        let mut left = self.rng.below(sum);
        let room = rooms.iter().find(|&&(_, weight)| {
            let here = left < weight;
            left = left.saturating_sub(weight);
            here
        });
        if let Some(at) = room.and_then(|&(id, _)| self.spot(id)) {
            self.items.push(Placed { at, item });
        }
    }

    /// The rooms in which an item may be, with their weights. Dead ends have a higher weight, rooms
    /// with items a lower one.
    fn rooms_for(&self, liking: Liking) -> Vec<(RoomId, u64)> {
        let rules = &self.rules.generation.finds;
        let mut rooms = Vec::new();
        for id in self.room_ids() {
            let room = self.room(id);
            let kind = matches!(
                room.kind,
                RoomKind::Plain
                    | RoomKind::Hall
                    | RoomKind::Cave
                    | RoomKind::Barracks
                    | RoomKind::Landmark
            );
            let watched = || room.lit || self.is_visited(id);
            let suits = match liking {
                Liking::Any => true,
                Liking::Watched => watched(),
                Liking::Dark => !room.lit,
            };
            if !kind || !suits || room.cells.len() < rules.room_cells {
                continue;
            }
            let here = |placed: &&Placed| self.owner[placed.at] == Some(id);
            let taken = self.items.iter().filter(here).count() as u64;
            let closed = match self.ends[usize::from(id)] {
                true => rules.dead_end,
                false => 1,
            };
            rooms.push((id, (60 * closed / (1 + rules.crowded * taken)).max(1)));
        }
        rooms
    }

    /// Whether a guard's route touches a room.
    fn is_visited(&self, id: RoomId) -> bool {
        let mut places = self.guards.iter().flat_map(|guard| &guard.route);
        places.any(|&at| self.owner[at] == Some(id))
    }

    /// A free cell of a room, against a wall if possible.
    fn spot(&mut self, id: RoomId) -> Option<IVec2> {
        let stairs = |at: IVec2| Some(at) == self.up || Some(at) == self.goal;
        let free = |&at: &IVec2| {
            self.is_free(at)
                && !stairs(at)
                && self.items.iter().all(|placed| placed.at != at)
                && !self.in_passage(at)
        };
        let cells = self.room(id).cells.iter().copied();
        let mut cells: Vec<IVec2> = cells.filter(free).collect();
        self.rng.shuffle(&mut cells);
        cells.into_iter().min_by_key(|&at| self.open_around(at) / 3)
    }

    /// Whether a cell is next to a doorway.
    fn in_passage(&self, at: IVec2) -> bool {
        let sides = Direction::STRAIGHT.into_iter().map(|way| at + way.step());
        let mut openings = sides.filter(|&neighbor| self.is_open(neighbor));
        openings.any(|neighbor| self.owner[neighbor].is_none())
    }
}
