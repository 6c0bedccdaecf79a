//! The floor that is taken when none of the tried ones could be proven.
//!
//! It should never be needed: a test counts how often it is. It is small and plain, is the
//! same on all floors but for what is at its end, and is itself proven for all of them. (The
//! first corridor has a side door, because on other floors it is no first corridor.)

use crate::{
    Ground, Item, Placed, Rules, Tile, drawing,
    floor::{FLOORS, Floor},
};

/// In the notation of all maps.
const FLOOR: &str = "
             ########
             #::::..#   #####
             #::w:..#   #k..#
             #t:::.$#   #q..#
             #::::..#   #...#
   ############+##########.#############
   #...#..#..{...+..........+..........#
   #v........###.#.O..O..O..###.######.#
   #.........# ###..........###.>#   #.#
   #...#..#..#   #....w......##.######.#
#####==####.##   #.O..O..O..###........#
#.!.$..#  #.#    #.........t###.########
#......#  #.#    #..........##......!#
##....##  #.#    ########+####.#####.#
#......####.##########  #.#  #.#   #.#
#..Y...+....X.d....*.#  #.#  #.#   #.#
##....####+##$.O..O.$#  #.####s#   #$#
#......###.###########  #....+.#####.#
#......##..###...o..#   ##+###.......#
#.....!###...+......#    #.#########+##
####.### #####......#    #..#   ##.:::##
   ###   #b!:#......######+#### #.:::::#
         #$::+....!.+.........###.:w:::#
         #######+########.........::::.#
          #<............+.....####.$:.##
          #####################  ######";

/// The drawn floor.
pub(super) fn floor(rules: &Rules, depth: usize) -> Floor {
    let mut floor = drawing::parse(rules, FLOOR)
        .expect("a test reads this drawing")
        .floor;
    floor.theme = rules.floors[depth].theme;
    if depth + 1 >= FLOORS
        && let Some(at) = floor.down.take()
    {
        floor.tiles[at] = Tile::Ground(Ground::Stone);
        floor.items.push(Placed {
            at,
            item: Item::Ember,
        });
    }
    floor
}
