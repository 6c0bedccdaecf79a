//! Openings in walls: doors, curtains, windows, shutters and niches.

use glam::IVec2;

use super::plan::{Plan, RoomKind};
use crate::{Direction, Door, Fixture, FixtureKind, Theme, Tile, rules::ThemeRules};

/// The window tile of a theme.
fn window(theme: Theme) -> Tile {
    match theme {
        Theme::Cellars | Theme::Cistern | Theme::Catacombs => Tile::Bars,
        Theme::Chapel | Theme::Sanctum => Tile::Glass,
    }
}

impl Plan<'_> {
    /// Adds all openings.
    pub(super) fn fit_openings(&mut self) {
        let rules = self.rules.generation.theme(self.theme());
        self.cut_niches();
        self.hang_doors(rules);
        self.let_in_windows(window(self.theme()), self.area() / rules.window_each);
        self.let_in_moonlight(self.area() / rules.shutter_each);
    }

    /// Cuts niches: single cells in walls, mostly of corridors, in which the thief can hide from a
    /// passing lantern.
    fn cut_niches(&mut self) {
        let wanted = (self.area() / self.rules.generation.layout.niche_each) as usize;
        let mut walls = self.niches();
        // Those next to corridors come first.
        let is_next_to_corridor = |at: IVec2| {
            let sides = Direction::STRAIGHT.into_iter();
            let kinds = sides.map(|way| self.kind_at(at + way.step()));
            kinds
                .into_iter()
                .any(|kind| kind == Some(RoomKind::Corridor))
        };
        walls.sort_by_key(|&at| !is_next_to_corridor(at));
        let corridors = walls.partition_point(|&at| is_next_to_corridor(at));
        let (first, rest) = walls.split_at(corridors);
        let some = first.iter().take(wanted * 2 / 3).chain(rest);
        let mut cut = 0;
        for &at in some.collect::<Vec<_>>() {
            if cut == wanted {
                return;
            }
            // An earlier niche may be too close now.
            if self.may_be_niche(at) {
                let sides = Direction::STRAIGHT.map(|way| at + way.step());
                let neighbor = sides.into_iter().find(|&neighbor| self.is_open(neighbor));
                let Some(neighbor) = neighbor else { continue };
                let (tile, owner) = (self.tile(neighbor), self.owner[neighbor]);
                self.carve(at, tile, owner);
                if let Some(id) = owner {
                    self.room_mut(id).cells.push(at);
                }
                cut += 1;
            }
        }
    }

    /// The cells of rock next to a room that could be niches, in random order.
    fn niches(&mut self) -> Vec<IVec2> {
        let is_allowed = |at: IVec2| {
            let sides = Direction::STRAIGHT.into_iter();
            let mut kinds = sides.filter_map(|way| self.kind_at(at + way.step()));
            kinds.all(|kind| !matches!(kind, RoomKind::Landing | RoomKind::Vault))
        };
        let cells = self.tiles.cells();
        let mut walls: Vec<IVec2> = cells
            .filter(|&at| self.may_be_niche(at) && is_allowed(at))
            .collect();
        self.rng.shuffle(&mut walls);
        walls
    }

    fn hang_doors(&mut self, rules: &ThemeRules) {
        for at in self.doorways.clone() {
            let sides = Direction::STRAIGHT.map(|way| self.tile(at + way.step()));
            let doubled = sides
                .iter()
                .any(|tile| matches!(tile, Tile::Door(_) | Tile::Curtain { .. }));
            let chance = self.rng.below(100) as u32;
            if doubled || !self.is_framed(at) || !self.is_ground(at) {
                continue;
            }
            if chance < rules.doors {
                self.tiles[at] = Tile::Door(Door::Closed);
            } else if chance < rules.doors + rules.curtains {
                self.tiles[at] = Tile::Curtain { open: false };
            }
        }
    }

    /// Adds windows to walls between two rooms.
    fn let_in_windows(&mut self, tile: Tile, count: i32) {
        let mut walls: Vec<(IVec2, Direction)> = Vec::new();
        for at in self.tiles.cells() {
            for way in [Direction::North, Direction::East] {
                if self.may_be_window(at, way) {
                    walls.push((at, way));
                }
            }
        }
        self.rng.shuffle(&mut walls);
        let (narrow, broad) = self.rules.generation.layout.window;
        let mut left = count;
        for (at, way) in walls {
            if left <= 0 {
                return;
            }
            if !self.may_be_window(at, way) {
                continue;
            }
            let length = self.rng.within(narrow, broad);
            let run = (0..length).map(|n| at + way.turned(2).step() * n);
            let run: Vec<IVec2> = run.take_while(|&at| self.may_be_window(at, way)).collect();
            for at in run {
                self.carve(at, tile, None);
            }
            left -= 1;
        }
    }

    /// Whether a cell is a wall between two rooms that may have a window, and not next to a
    /// doorway.
    fn may_be_window(&self, at: IVec2, way: Direction) -> bool {
        let (step, side) = (way.step(), way.turned(2).step());
        let looks = |at: IVec2| {
            let kind = self.kind_at(at);
            self.is_ground(at)
                && kind.is_some_and(|kind| !matches!(kind, RoomKind::Landing | RoomKind::Vault))
        };
        self.is_raw(at)
            && looks(at + step)
            && looks(at - step)
            && self.owner[at + step] != self.owner[at - step]
            && [side, -side].iter().all(|&side| !self.is_open(at + side))
    }

    /// Adds shutters in front of shafts. Some are open.
    fn let_in_moonlight(&mut self, count: i32) {
        let chance = self.rules.generation.layout.open_shutters;
        let walls = self.niches();
        for at in walls.into_iter().take(count.max(0) as usize) {
            let sides = Direction::STRAIGHT.map(|way| at + way.step());
            let neighbor = sides.into_iter().find(|&neighbor| self.is_ground(neighbor));
            let Some(shaft) = neighbor.filter(|_| self.may_be_niche(at)) else {
                continue;
            };
            let taken = self.fixtures.iter().any(|lamp| lamp.at == shaft);
            if taken || self.kind_at(shaft) == Some(RoomKind::Corridor) {
                continue;
            }
            let open = self.rng.percent(chance);
            self.carve(at, Tile::Shutter { open }, None);
            self.fixtures.push(Fixture {
                kind: FixtureKind::Moonlight,
                at: shaft,
                burning: open,
                spare: false,
            });
        }
    }

    /// Turns the rock around rooms into walls. Around caves it stays rock.
    pub(super) fn raise_walls(&mut self) {
        self.close_blind_windows();
        let mut walls = Vec::new();
        for at in self
            .tiles
            .cells()
            .filter(|&at| self.tiles[at] == Tile::Rock)
        {
            let built = Direction::ALL.into_iter().any(|way| {
                let neighbor = at + way.step();
                match self.kind_at(neighbor) {
                    Some(kind) => kind != RoomKind::Cave && self.is_masonry(kind),
                    None => matches!(
                        self.tile(neighbor),
                        Tile::Bars | Tile::Glass | Tile::Door(_)
                    ),
                }
            });
            if built {
                walls.push(at);
            }
        }
        for at in walls {
            self.tiles[at] = Tile::Wall;
        }
    }

    /// Whether a kind of room has masonry walls. Tunnels of the Catacombs do not.
    fn is_masonry(&self, kind: RoomKind) -> bool {
        self.theme() != Theme::Catacombs || kind != RoomKind::Corridor
    }

    /// Replaces windows that do not connect two open cells with walls.
    fn close_blind_windows(&mut self) {
        for at in self.tiles.cells() {
            let through = |step: IVec2| self.is_open(at + step) && self.is_open(at - step);
            if matches!(self.tiles[at], Tile::Bars | Tile::Glass)
                && !through(IVec2::X)
                && !through(IVec2::Y)
            {
                self.tiles[at] = Tile::Wall;
            }
        }
    }
}
