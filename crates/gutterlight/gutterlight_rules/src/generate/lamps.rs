//! Placing lamps. About half of the rooms and nearly all corridors are dark, so that there is a
//! dark path. The shortest path is lit more often than others: a thief in a hurry must cross light,
//! or put it out.

use glam::IVec2;

use super::plan::{Plan, RoomId, RoomKind};
use crate::{Direction, Fixture, FixtureKind, Ground, Theme, Tile, steps_between};

impl Plan<'_> {
    /// Places all lamps.
    pub(super) fn hang_lamps(&mut self) {
        self.set_up_braziers();
        self.light_rooms();
        let (area, rules) = (self.area(), self.rules.generation.theme(self.theme()));
        self.grow_fungus(rules.fungus.on(area));
        self.set_crystals(rules.crystals.on(area));
    }

    /// Places braziers in the middle of the largest rooms, where there is a way around them.
    fn set_up_braziers(&mut self) {
        let mut rooms: Vec<RoomId> = self.room_ids().filter(|&id| self.may_be_lit(id)).collect();
        rooms.sort_by_key(|&id| core::cmp::Reverse(self.room(id).cells.len()));
        rooms.truncate(2 * self.table.braziers as usize + 1);
        let mut left = self.table.braziers;
        // Halls come first.
        let (halls, mut others): (Vec<RoomId>, Vec<RoomId>) = rooms
            .into_iter()
            .partition(|&id| self.room(id).kind == RoomKind::Hall);
        self.rng.shuffle(&mut others);
        for id in halls.into_iter().chain(others) {
            if left == 0 {
                return;
            }
            if let Some(at) = self.place_for_brazier(id) {
                self.add_lamp(FixtureKind::Brazier, at);
                self.room_mut(id).lit = true;
                left -= 1;
            }
        }
    }

    /// The cell nearest to the middle with open cells all around.
    fn place_for_brazier(&self, id: RoomId) -> Option<IVec2> {
        let heart = self.heart(id)?;
        let off = self.rules.generation.lamps.brazier_off_goal;
        let free = |at: IVec2| {
            self.is_free(at)
                && self.open_around(at) == 8
                && self.goal.is_none_or(|goal| steps_between(at, goal) > off)
        };
        let cells = self.room(id).cells.iter().copied().filter(|&at| free(at));
        cells.min_by_key(|&at| ((at - heart).length_squared(), at.y, at.x))
    }

    fn may_be_lit(&self, id: RoomId) -> bool {
        let kind = self.room(id).kind;
        matches!(kind, RoomKind::Plain | RoomKind::Hall | RoomKind::Cave)
    }

    /// Places sconces in about the percentage of rooms that the rules give.
    fn light_rooms(&mut self) {
        let rules = &self.rules.generation.lamps;
        let spares = self.rules.alarm.spare_sconces;
        let way = match (self.up, self.goal) {
            (Some(up), Some(goal)) => self.shortest_way(up, goal),
            _ => Vec::new(),
        };
        let mut on_way = vec![false; self.rooms.len()];
        for id in way.into_iter().filter_map(|at| self.owner[at]) {
            on_way[usize::from(id)] = true;
        }
        for id in self.room_ids() {
            let room = self.room(id);
            let (chance, most) = match room.kind {
                RoomKind::Plain | RoomKind::Cave => (self.table.sconces, rules.sconces),
                RoomKind::Hall => (self.table.sconces.max(rules.hall), rules.sconces),
                RoomKind::Corridor if room.cells.len() >= rules.corridor_cells => {
                    let chance = self.table.sconces * rules.corridors / 100;
                    (chance, rules.corridor_sconces)
                }
                _ => continue,
            };
            let chance = chance
                * if on_way[usize::from(id)] {
                    rules.on_the_way
                } else {
                    rules.aside
                }
                / 100;
            let count = (room.cells.len().div_ceil(rules.sconce_cells)).min(most);
            if self.rng.percent(chance) {
                self.hang_sconces(id, count, false);
            } else if spares > 0 && self.rng.percent(spares) {
                self.hang_sconces(id, 1, true);
            }
        }
    }

    /// Places sconces along the walls of a room, far from each other. Spare sconces are dark until
    /// an alarm.
    fn hang_sconces(&mut self, id: RoomId, count: usize, spare: bool) {
        let cells = self.room(id).cells.iter().copied();
        let mut places: Vec<IVec2> = cells.filter(|&at| self.may_hang(at, id)).collect();
        self.rng.shuffle(&mut places);
        let least = self.rules.generation.lamps.sconces_apart;
        let mut hung: Vec<IVec2> = Vec::new();
        for _ in 0..count {
            let apart = |at: IVec2| {
                let from = hung.iter().map(|&other| steps_between(at, other));
                from.min().unwrap_or(0)
            };
            let best = places.iter().copied().max_by_key(|&at| apart(at));
            let Some(at) = best.filter(|&at| hung.is_empty() || apart(at) > least) else {
                break;
            };
            hung.push(at);
        }
        for at in hung {
            self.fixtures.push(Fixture {
                kind: FixtureKind::Sconce,
                at,
                burning: !spare,
                spare,
            });
            self.room_mut(id).lit |= !spare;
        }
    }

    /// Whether a sconce may hang on a wall next to a cell. Cells at doorways are excluded, so that
    /// light ends there.
    fn may_hang(&self, at: IVec2, id: RoomId) -> bool {
        let wall = |way: Direction| {
            let tile = self.tile(at + way.step());
            matches!(tile, Tile::Wall | Tile::Rock)
        };
        let elsewhere = |way: Direction| {
            let neighbor = at + way.step();
            self.is_open(neighbor) && self.owner[neighbor] != Some(id)
        };
        self.is_ground(at)
            && Direction::STRAIGHT.into_iter().any(wall)
            && !Direction::ALL.into_iter().any(elsewhere)
            && self.open_sides(at) >= 2
            && !self.has_lamp(at)
    }

    fn grow_fungus(&mut self, count: i32) {
        let wet = self.theme() == Theme::Cistern;
        let grows = |plan: &Self, at: IVec2| {
            let damp = !wet || plan.tile(at) == Tile::Ground(Ground::Water);
            damp && plan.is_ground(at) && plan.open_sides(at) < 4
        };
        self.scatter(FixtureKind::Fungus, count, grows);
    }

    fn set_crystals(&mut self, count: i32) {
        let is_next_to_wall =
            |plan: &Self, at: IVec2| plan.is_ground(at) && plan.open_sides(at) < 4;
        self.scatter(FixtureKind::Crystal, count, is_next_to_wall);
    }

    /// Places lights in dark rooms, away from other lamps.
    fn scatter(&mut self, kind: FixtureKind, count: i32, may: impl Fn(&Self, IVec2) -> bool) {
        let mut cells: Vec<IVec2> = Vec::new();
        for id in self.room_ids() {
            if self.may_be_lit(id) && !self.room(id).lit {
                let room = self.room(id).cells.iter().copied();
                cells.extend(room.filter(|&at| may(self, at)));
            }
        }
        self.rng.shuffle(&mut cells);
        let apart = self.rules.generation.lamps.lights_apart;
        let mut left = count;
        for at in cells {
            let mut lamps = self.fixtures.iter();
            if left > 0 && lamps.all(|lamp| steps_between(lamp.at, at) > apart) {
                self.add_lamp(kind, at);
                left -= 1;
            }
        }
    }

    pub(super) fn has_lamp(&self, at: IVec2) -> bool {
        self.fixtures.iter().any(|lamp| lamp.at == at)
    }

    fn add_lamp(&mut self, kind: FixtureKind, at: IVec2) {
        self.fixtures.push(Fixture {
            kind,
            at,
            burning: true,
            spare: false,
        });
    }
}
