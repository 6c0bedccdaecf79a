//! Vaults: [drawn rooms](super::prefab) behind a lock, with treasure in them.
//!
//! Every tool is replaced by one that is worth the way. Nothing else ever opens into a vault: its walls
//! are sealed. Some let the thief see what is inside.

use super::plan::{Plan, RoomKind};
use crate::{Door, Item, Placed, Stack, Tile};

/// The vaults that there are.
pub(super) const VAULTS: [&str; 13] = [
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
    // A treasury under a moonlit shaft, gravel all around: whoever takes it is heard.
    "
    #######
    #:::::#
    #:$m$:#
    #::q::#
    ###X###
      #@#
      ###",
    // A cell that was walled up, with its light still in it.
    "
    #####
    #$q##
    #.!.##
    ##.$##
    ##X###
     #@#
     ###",
    // Two chests in a pool.
    "
    ########
    #$~~~~$#
    #~~f~~q#
    ####X###
       #@#
       ###",
    // A chapel of ease.
    "
    #########
    #O_$*$_O#
    #._____.#
    #O__q__O#
    ####X####
       #@#
       ###",
    // A long dark gallery, the best at its end.
    "
    ############
    #$q........###
    #$.O..O..O.X@#
    ##############",
    // A smuggler's den in the earth.
    "
     #####
    ##,,,##
    #$,f,q#
    ##,,$##
     ##X##
      #@#
      ###",
    // A counting-house behind bars.
    "
    #########
    #$.$.q.$#
    #..___..#
    ###=X=###
      ##@##
       ###",
];

impl Plan<'_> {
    /// Puts as many vaults as the table says where they fit; and what a twist has behind a lock.
    pub(super) fn add_vaults(&mut self) {
        for _ in 0..self.table.vaults {
            self.add_vault_of(&VAULTS);
        }
        super::twists::dig(self);
    }

    /// Puts one of these vaults where it fits.
    pub(super) fn add_vault_of(&mut self, drawings: &[&str]) {
        let Some(placed) = self.place_prefab(drawings, RoomKind::Vault) else {
            return;
        };
        let door = placed.door;
        self.carve(door, Tile::Door(Door::Locked), None);
        self.seal_room(placed.id);
        // The walls beside the door too.
        for turn in [2, -2] {
            self.sealed[door + placed.way.turned(turn).step()] = true;
        }
        self.fixtures.extend(placed.fixtures);
        for Placed { at, item } in placed.items {
            let item = self.worth_the_way(item);
            self.items.push(Placed { at, item });
        }
        self.vaults.push(door);
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
    use crate::{Rules, drawing};

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
