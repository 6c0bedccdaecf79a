//! Vaults: drawn rooms behind a lock, with treasure in them.
//!
//! They are drawn in the [notation](crate::drawing) of all maps. The thief stands before the
//! locked door; every tool is replaced by one that is worth the way. Nothing else ever opens
//! into a vault: its walls are sealed. Some let the thief see what is inside.

use glam::IVec2;

use super::{
    plan::{Plan, RoomKind, Site},
    shape::{self, Shape, Turn},
};
use crate::{Direction, Door, Fixture, Item, Placed, Plane, Stack, Tile, drawing};

/// The vaults that there are.
const VAULTS: [&str; 6] = [
    "
    #######
    #$.*.q#
    #O...O#
    ###X###
      #@#
      ###",
    "
    #######
    #$.q.$#
    #..*..#
    ##=X=##
      #@#
      ###",
    "
    #####
    #$.$#
    #.*.#
    #.O.#
    #q..##
    ###X##
      #@#
      ###",
    "
    ##########
    #$.O..O.$###
    #.*....q.X@#
    ############",
    "
    #########
    #$#q#$#*#
    #.......#
    ####X####
       #@#
       ###",
    "
     #####
    ##_$_##
    #q_*_$#
    ##___##
     ##X##
      #@#
      ###",
];

/// A vault, turned.
struct Vault {
    shape: Shape,
    door: IVec2,
    /// The way in.
    way: Direction,
    fixtures: Vec<Fixture>,
    items: Vec<Placed>,
}

impl Plan<'_> {
    /// Puts as many vaults as the table says where they fit.
    pub(super) fn add_vaults(&mut self) {
        for _ in 0..self.table.vaults {
            let mut sites = self.walls.clone();
            self.rng.shuffle(&mut sites);
            // Another drawing, another turn: one of them fits.
            let placed = (0..8).find_map(|_| {
                let vault = self.draw_vault()?;
                self.place_vault(vault, &sites)
            });
            self.vaults.extend(placed);
        }
    }

    fn draw_vault(&mut self) -> Option<Vault> {
        let text = self.rng.pick(&VAULTS)?;
        let drawn = drawing::parse(self.rules, text).ok()?;
        let turn = Turn::draw(&mut self.rng, true);
        let tiles = &drawn.floor.tiles;
        let size = IVec2::new(tiles.width(), tiles.height());
        let place = |at: IVec2| turn.place(at, size);
        let locked = |&at: &IVec2| tiles[at] == Tile::Door(Door::Locked);
        let door = place(tiles.cells().find(locked)?);
        let way = Direction::towards(place(drawn.thief), door)?;
        let mut bare: Shape = Plane::new(size.x, size.y, Tile::Rock);
        for (at, &tile) in tiles.iter() {
            if tile != Tile::Wall && at != drawn.thief {
                bare[at] = tile;
            }
        }
        let fixtures = drawn.floor.fixtures.iter();
        let items = drawn.floor.items.iter();
        Some(Vault {
            shape: shape::apply(turn, &bare),
            door,
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

    /// Stamps a vault behind the first wall behind which there is room for it.
    fn place_vault(&mut self, vault: Vault, sites: &[Site]) -> Option<IVec2> {
        let fits = |&&(at, way): &&Site| {
            way == vault.way && self.is_site(at, way) && self.vault_fits(&vault, at)
        };
        let &(at, way) = sites.iter().find(fits)?;
        let offset = at - vault.door;
        let id = self.stamp(&vault.shape, offset, RoomKind::Vault);
        self.carve(at, Tile::Door(Door::Locked), None);
        self.seal_room(id);
        // The walls beside the door too.
        for turn in [2, -2] {
            self.sealed[at + way.turned(turn).step()] = true;
        }
        for lamp in vault.fixtures {
            let at = lamp.at + offset;
            self.fixtures.push(Fixture { at, ..lamp });
        }
        for Placed { at, item } in vault.items {
            let item = self.worth_the_way(item);
            self.items.push(Placed {
                at: at + offset,
                item,
            });
        }
        Some(at)
    }

    fn vault_fits(&self, vault: &Vault, at: IVec2) -> bool {
        let offset = at - vault.door;
        let free = |(cell, &tile): (IVec2, &Tile)| {
            let at = cell + offset;
            match tile {
                Tile::Rock => true,
                // In the same wall as the door.
                Tile::Bars | Tile::Door(_) => self.is_raw(at),
                _ => self.is_raw(at) && !self.near[at],
            }
        };
        self.kind_at(at - vault.way.step()) != Some(RoomKind::Landing)
            && vault.shape.iter().all(free)
    }

    fn worth_the_way(&mut self, item: Item) -> Item {
        match item {
            Item::Treasure(_) => Item::Treasure(self.table.treasure),
            Item::Tool(_) => {
                let tools = &self.rules.generation.finds.vault_tools;
                let Some(&(tool, count)) = self.rng.pick(tools) else {
                    return item;
                };
                let count = count.min(self.rules.tools.stack);
                Item::Tool(Stack { tool, count })
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    #[test]
    fn every_vault_is_a_drawing_with_a_lock_treasure_and_a_tool() {
        let rules = Rules::standard();
        for text in VAULTS {
            let drawn = drawing::parse(&rules, text).expect(text);
            let locks = drawn.floor.tiles.values().iter();
            assert_eq!(
                locks
                    .filter(|&&tile| tile == Tile::Door(Door::Locked))
                    .count(),
                1,
                "{text}"
            );
            let has = |wanted: fn(&Item) -> bool| {
                drawn.floor.items.iter().any(|placed| wanted(&placed.item))
            };
            assert!(has(|item| matches!(item, Item::Treasure(_))), "{text}");
            assert!(has(|item| matches!(item, Item::Tool(_))), "{text}");
        }
    }
}
