//! A jail with a prisoner in it.

use crate::{Item, generate::plan::Plan};

/// The drawings of all jails. The thief stands in front of the lock, and `g` is the prisoner.
const GAOLS: [&str; 3] = [
    "
    #####
    #g..#
    #...#
    #=X=#
     #@#
     ###",
    "
    #######
    #..=g.#
    #.....#
    ##X####
     #@#
     ###",
    "
    ########
    #.O..O.#
    #g....X@#
    #########",
];

pub(super) fn dig(plan: &mut Plan<'_>) {
    plan.add_vault_of(&GAOLS);
}

/// Whether the jail found room.
pub(super) fn is_there(plan: &Plan<'_>) -> bool {
    let mut items = plan.items.iter();
    items.any(|placed| placed.item == Item::Prisoner)
}

#[cfg(test)]
mod tests {
    use glam::IVec2;

    use super::*;
    use crate::{
        Door, Rules, Tile, drawing,
        path::{NO_WAY, costs},
    };

    #[test]
    fn jails_have_one_lock_and_one_prisoner() {
        for text in GAOLS {
            let drawn = drawing::parse(&Rules::standard(), text).expect(text);
            let (floor, thief) = (drawn.floor, drawn.thief);
            let locks = floor.tiles.values().iter();
            let locks = locks.filter(|&&tile| tile == Tile::Door(Door::Locked));
            assert_eq!(locks.count(), 1, "{text}");
            let prisoners = floor.items.iter();
            let prisoners = prisoners.filter(|placed| placed.item == Item::Prisoner);
            assert_eq!(prisoners.count(), 1, "{text}");
            let steps = |at: IVec2| matches!(floor.tile(at), Tile::Ground(_) | Tile::Door(_));
            let ways = costs(&floor, [thief], |at| steps(at).then_some(0));
            let cells = floor.tiles.cells().filter(|&at| steps(at));
            let cut_off: Vec<_> = cells.filter(|&at| ways[at] == NO_WAY).collect();
            assert!(cut_off.is_empty(), "{text}: {cut_off:?}");
        }
    }
}
