//! The hand-drawn floor, used if no attempt passes the proof.
//!
//! It should never be needed; a test counts how often it is. It is small and plain, and the same
//! for all depths, except for its goal. Tests prove it for all depths. (The first corridor has a
//! side door, because on deeper floors it has no special meaning.)

use crate::{
    Ground, Item, Placed, Rules, Tile, drawing,
    floor::{FLOORS, Floor},
};

/// In the notation of [`drawing`].
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
        .expect("a test parses this drawing")
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
