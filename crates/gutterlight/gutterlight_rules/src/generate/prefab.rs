//! Prefabs: rooms drawn by hand in the [notation](crate::drawing) of all floors. Vaults and
//! landmarks are prefabs.
//!
//! In a drawing, the thief stands in front of the entrance, which is a door of any kind. Walls are
//! only drawn for readability. The rest is stamped with a random orientation, behind the first wall
//! that has enough space behind it.

use glam::IVec2;

use super::{
    plan::{Plan, RoomId, RoomKind, Site},
    shape::{self, Shape, Turn},
};
use crate::{Direction, Fixture, Placed, Plane, Tile, drawing};

/// How many drawings, with random orientations, are tried for one prefab.
const TRIES: usize = 8;

/// A drawn room after its orientation was applied.
pub(super) struct Prefab {
    shape: Shape,
    door: IVec2,
    /// The direction in which the entrance leads in.
    way: Direction,
    fixtures: Vec<Fixture>,
    items: Vec<Placed>,
}

/// A drawn room in its place.
pub(super) struct Placement {
    pub(super) id: RoomId,
    /// The cell of the entrance, and the direction through it.
    pub(super) door: IVec2,
    pub(super) way: Direction,
    pub(super) fixtures: Vec<Fixture>,
    pub(super) items: Vec<Placed>,
}

/// The entrance of a drawing: the door next to the thief.
fn entrance(tiles: &Plane<Tile>, thief: IVec2) -> Option<(IVec2, Direction)> {
    let sides = Direction::STRAIGHT.into_iter();
    let mut doors = sides.map(|way| (thief + way.step(), way));
    doors.find(|&(at, _)| matches!(tiles.get(at), Some(Tile::Door(_))))
}

impl Plan<'_> {
    /// Stamps one of these drawings where it fits. The cell of its entrance stays rock.
    pub(super) fn place_prefab(&mut self, drawings: &[&str], kind: RoomKind) -> Option<Placement> {
        let mut sites = self.walls.clone();
        self.rng.shuffle(&mut sites);
        // If one drawing and orientation does not fit, another may.
        (0..TRIES).find_map(|_| {
            let prefab = self.draw_prefab(drawings)?;
            self.stamp_prefab(prefab, &sites, kind)
        })
    }

    fn draw_prefab(&mut self, drawings: &[&str]) -> Option<Prefab> {
        let text = self.rng.pick(drawings)?;
        let drawn = drawing::parse(self.rules, text).ok()?;
        let turn = Turn::draw(&mut self.rng, true);
        let tiles = &drawn.floor.tiles;
        let size = IVec2::new(tiles.width(), tiles.height());
        let place = |at: IVec2| turn.place(at, size);
        let (inside, _) = entrance(tiles, drawn.thief)?;
        let way = Direction::towards(place(drawn.thief), place(inside))?;
        let mut bare: Shape = Plane::new(size.x, size.y, Tile::Rock);
        for (at, &tile) in tiles.iter() {
            if tile != Tile::Wall && at != drawn.thief && at != inside {
                bare[at] = tile;
            }
        }
        let fixtures = drawn.floor.fixtures.iter();
        let items = drawn.floor.items.iter();
        Some(Prefab {
            shape: shape::apply(turn, &bare),
            door: place(inside),
            way,
            fixtures: fixtures
                .map(|lamp| Fixture {
                    at: place(lamp.at),
                    ..*lamp
                })
                .collect(),
            items: items
                .map(|item| Placed {
                    at: place(item.at),
                    ..*item
                })
                .collect(),
        })
    }

    /// Stamps a prefab behind the first wall with enough space behind it.
    fn stamp_prefab(
        &mut self,
        prefab: Prefab,
        sites: &[Site],
        kind: RoomKind,
    ) -> Option<Placement> {
        let fits = |&&(at, way): &&Site| {
            way == prefab.way && self.is_site(at, way) && self.prefab_fits(&prefab, at)
        };
        let &(door, way) = sites.iter().find(fits)?;
        let offset = door - prefab.door;
        let id = self.stamp(&prefab.shape, offset, kind);
        let moved = |at: IVec2| at + offset;
        Some(Placement {
            id,
            door,
            way,
            fixtures: prefab
                .fixtures
                .into_iter()
                .map(|lamp| Fixture {
                    at: moved(lamp.at),
                    ..lamp
                })
                .collect(),
            items: prefab
                .items
                .into_iter()
                .map(|item| Placed {
                    at: moved(item.at),
                    ..item
                })
                .collect(),
        })
    }

    fn prefab_fits(&self, prefab: &Prefab, door: IVec2) -> bool {
        let offset = door - prefab.door;
        let free = |(cell, &tile): (IVec2, &Tile)| {
            let at = cell + offset;
            match tile {
                Tile::Rock => true,
                // These tiles are in the same wall as the entrance.
                Tile::Bars | Tile::Door(_) => self.is_raw(at),
                _ => self.is_raw(at) && !self.near[at],
            }
        };
        self.kind_at(door - prefab.way.step()) != Some(RoomKind::Landing)
            && prefab.shape.iter().all(free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    #[test]
    fn every_drawing_has_an_entrance() {
        let drawings = super::super::vault::VAULTS
            .iter()
            .chain(&super::super::landmark::LANDMARKS);
        for text in drawings {
            let drawn = drawing::parse(&Rules::standard(), text).expect(text);
            assert!(
                entrance(&drawn.floor.tiles, drawn.thief).is_some(),
                "{text}"
            );
        }
    }
}
