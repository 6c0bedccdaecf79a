//! Vaults: [drawn rooms](super::prefab) behind a lock, with treasure in them.
//!
//! Every tool of a drawing is replaced by a better one. Nothing else opens into a vault, because
//! its walls are sealed. Some vaults have bars, so that the thief can see what is inside.

use super::plan::{Plan, RoomKind};
use crate::{Door, Item, Placed, Stack, Tile};

/// The drawings of all vaults.
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
    // A treasury under a shaft of moonlight. The gravel around it is loud.
    "
    #######
    #:::::#
    #:$m$:#
    #::q::#
    ###X###
      #@#
      ###",
    // A cell that was walled up with its light still burning.
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
    // A long dark gallery, with the best items at the end.
    "
    ############
    #$q........###
    #$.O..O..O.X@#
    ##############",
    // A smugglers' den in the earth.
    "
     #####
    ##,,,##
    #$,f,q#
    ##,,$##
     ##X##
      #@#
      ###",
    // A counting house behind bars.
    "
    #########
    #$.$.q.$#
    #..___..#
    ###=X=###
      ##@##
       ###",
];

impl Plan<'_> {
    /// Places the vaults of the rules where they fit, and the locked room of a twist.
    pub(super) fn add_vaults(&mut self) {
        for _ in 0..self.table.vaults {
            self.add_vault_of(&VAULTS);
        }
        super::twists::dig(self);
    }

    /// Places one of these vaults where it fits.
    pub(super) fn add_vault_of(&mut self, drawings: &[&str]) {
        let Some(placed) = self.place_prefab(drawings, RoomKind::Vault) else {
            return;
        };
        let door = placed.door;
        self.carve(door, Tile::Door(Door::Locked), None);
        self.seal_room(placed.id);
        // Seal the walls next to the door too.
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
    fn vaults_have_one_lock_treasure_and_a_tool() {
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
