//! Where light is, and where none: about half of the rooms and nearly all corridors are dark,
//! so that there is a dark way. The shortest way is lit more often than others: whoever is
//! in a hurry crosses light, or puts it out.

use glam::IVec2;

use super::plan::{Plan, RoomId, RoomKind};
use crate::{Direction, Fixture, FixtureKind, Ground, Theme, Tile, steps_between};

/// Of the corridors as many percent are lit as of the rooms, divided by this.
const CORRIDORS: u32 = 5;

/// How much more often rooms on the shortest way are lit, and how much less the others,
/// percent.
const ON_THE_WAY: u32 = 150;
const ASIDE: u32 = 85;

/// Corridors with fewer cells are never lit.
const LONG: usize = 6;

/// Cells that one sconce lights; a room has up to three.
const SCONCE: usize = 30;

impl Plan<'_> {
    /// Puts all lamps up.
    pub(super) fn hang_lamps(&mut self) {
        self.set_up_braziers();
        self.light_rooms();
        let area = self.area();
        let (fungus, crystals) = match self.theme() {
            Theme::Cellars => (0, 0),
            Theme::Cistern => (area / 420, 0),
            Theme::Chapel => (0, 1),
            Theme::Catacombs => (area / 170, area / 600),
            Theme::Sanctum => (0, area / 900),
        };
        self.grow_fungus(fungus);
        self.set_crystals(crystals);
    }

    /// Bowls of coals in the middle of the largest rooms, where there is a way round.
    fn set_up_braziers(&mut self) {
        let mut rooms: Vec<RoomId> = self.room_ids().filter(|&id| self.may_be_lit(id)).collect();
        rooms.sort_by_key(|&id| core::cmp::Reverse(self.room(id).cells.len()));
        rooms.truncate(2 * self.table.braziers as usize + 1);
        let mut left = self.table.braziers;
        // Halls have theirs for sure.
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

    /// The cell nearest to the middle with free ground all around.
    fn place_for_brazier(&self, id: RoomId) -> Option<IVec2> {
        let heart = self.heart(id)?;
        let free = |at: IVec2| {
            self.is_free(at)
                && self.open_around(at) == 8
                && self.goal.is_none_or(|goal| steps_between(at, goal) > 2)
        };
        let cells = self.room(id).cells.iter().copied().filter(|&at| free(at));
        cells.min_by_key(|&at| ((at - heart).length_squared(), at.y, at.x))
    }

    fn may_be_lit(&self, id: RoomId) -> bool {
        let kind = self.room(id).kind;
        matches!(kind, RoomKind::Plain | RoomKind::Hall | RoomKind::Cave)
    }

    /// Sconces in about as many rooms as the table says.
    fn light_rooms(&mut self) {
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
                RoomKind::Plain | RoomKind::Cave => (self.table.sconces, 3),
                RoomKind::Hall => (self.table.sconces.max(60), 3),
                RoomKind::Corridor if room.cells.len() >= LONG => {
                    (self.table.sconces / CORRIDORS, 1)
                }
                _ => continue,
            };
            let chance = chance
                * if on_way[usize::from(id)] {
                    ON_THE_WAY
                } else {
                    ASIDE
                }
                / 100;
            let count = (room.cells.len().div_ceil(SCONCE)).min(most);
            if self.rng.percent(chance) {
                self.hang_sconces(id, count);
            }
        }
    }

    /// Hangs sconces on the walls of a room, far from each other.
    fn hang_sconces(&mut self, id: RoomId, count: usize) {
        let cells = self.room(id).cells.iter().copied();
        let mut places: Vec<IVec2> = cells.filter(|&at| self.may_hang(at, id)).collect();
        self.rng.shuffle(&mut places);
        let mut hung: Vec<IVec2> = Vec::new();
        for _ in 0..count {
            let apart = |at: IVec2| {
                let from = hung.iter().map(|&other| steps_between(at, other));
                from.min().unwrap_or(0)
            };
            let best = places.iter().copied().max_by_key(|&at| apart(at));
            let Some(at) = best.filter(|&at| hung.is_empty() || apart(at) > 4) else {
                break;
            };
            hung.push(at);
        }
        for at in hung {
            self.add_lamp(FixtureKind::Sconce, at);
            self.room_mut(id).lit = true;
        }
    }

    /// Whether a lamp can hang on a wall beside a cell: none in doorways, which are to stay
    /// the edge of the light.
    fn may_hang(&self, at: IVec2, id: RoomId) -> bool {
        let wall = |way: Direction| {
            let tile = self.tile(at + way.step());
            matches!(tile, Tile::Wall | Tile::Rock)
        };
        let elsewhere = |way: Direction| {
            let beside = at + way.step();
            self.is_open(beside) && self.owner[beside] != Some(id)
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
        let beside_wall = |plan: &Self, at: IVec2| plan.is_ground(at) && plan.open_sides(at) < 4;
        self.scatter(FixtureKind::Crystal, count, beside_wall);
    }

    /// Puts lights where they may be, away from others.
    fn scatter(&mut self, kind: FixtureKind, count: i32, may: impl Fn(&Self, IVec2) -> bool) {
        let mut cells: Vec<IVec2> = Vec::new();
        for id in self.room_ids() {
            if self.may_be_lit(id) && !self.room(id).lit {
                let room = self.room(id).cells.iter().copied();
                cells.extend(room.filter(|&at| may(self, at)));
            }
        }
        self.rng.shuffle(&mut cells);
        let mut left = count;
        for at in cells {
            let mut lamps = self.fixtures.iter();
            if left > 0 && lamps.all(|lamp| steps_between(lamp.at, at) > 5) {
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
        });
    }
}
