//! Rooms, corridors and doors.
//!
//! The map is divided into blocks of 16 x 16 cells, each of which gets a room of random size and
//! position. Then corridors are dug from room to room:
//!
//! ```text
//!   ################
//!   ##......########     Every room is connected with its eastern or its southern
//!   ##......+.....##     neighbor. This makes a tree that reaches all rooms (a "binary
//!   ##......#####.##     tree" maze). Half of the other neighbors are connected too,
//!   #####.#######.##     through a closed door (+).
//! ```

use lanternfell_random::SplitMix64;

use super::cells::{CLOSED_DOOR, FLOOR, WALL};

/// Cells per side of a block.
pub const BLOCK: usize = 16;

/// The smallest and the largest side of a room. A wall remains around it.
const ROOM: (usize, usize) = (4, 12);

/// The center of each room.
type Middles = Vec<(usize, usize)>;

/// A map of `side` x `side` cells, row by row. `side` is at least [`BLOCK`].
pub fn dig(side: usize, seed: u64) -> Vec<u8> {
    let mut rng = SplitMix64::new(seed);
    let mut bytes = vec![WALL; side * side];
    let blocks = side / BLOCK;
    let mut middles = Middles::new();
    for block in 0..blocks * blocks {
        let (left, width) = room_side(&mut rng);
        let (top, height) = room_side(&mut rng);
        let (left, top) = (block % blocks * BLOCK + left, block / blocks * BLOCK + top);
        for y in top..top + height {
            bytes[y * side + left..y * side + left + width].fill(FLOOR);
        }
        middles.push((left + width / 2, top + height / 2));
    }
    let (tree, others) = neighbors(&mut rng, blocks);
    // The tree comes last, so that closed doors cannot disconnect it.
    for (from, to) in others {
        dig_corridor(&mut bytes, side, middles[from], middles[to], CLOSED_DOOR);
    }
    for (from, to) in tree {
        dig_corridor(&mut bytes, side, middles[from], middles[to], FLOOR);
    }
    bytes
}

/// The start of a room within its block, and its length.
fn room_side(rng: &mut SplitMix64) -> (usize, usize) {
    let below = |rng: &mut SplitMix64, end: usize| rng.below(end as u32) as usize;
    let length = ROOM.0 + below(rng, ROOM.1 - ROOM.0 + 1);
    (1 + below(rng, BLOCK - 1 - length), length)
}

type Pairs = Vec<(usize, usize)>;

/// The pairs of connected rooms: those of the tree, and the others.
fn neighbors(rng: &mut SplitMix64, blocks: usize) -> (Pairs, Pairs) {
    let (mut tree, mut others) = (Pairs::new(), Pairs::new());
    for block in 0..blocks * blocks {
        let east = (block % blocks + 1 < blocks).then_some(block + 1);
        let south = (block / blocks + 1 < blocks).then_some(block + blocks);
        let (first, second) = match rng.below(2) {
            0 => (east, south),
            _ => (south, east),
        };
        tree.extend(first.or(second).map(|to| (block, to)));
        if first.is_some() && rng.below(2) == 0 {
            others.extend(second.map(|to| (block, to)));
        }
    }
    (tree, others)
}

/// Digs along the row, then along the column. The first wall on the way becomes `door`.
fn dig_corridor(
    bytes: &mut [u8],
    side: usize,
    (mut x, mut y): (usize, usize),
    to: (usize, usize),
    door: u8,
) {
    let mut door = Some(door);
    while (x, y) != to {
        if x != to.0 {
            x = if x < to.0 { x + 1 } else { x - 1 };
        } else {
            y = if y < to.1 { y + 1 } else { y - 1 };
        }
        let byte = &mut bytes[y * side + x];
        *byte = match *byte {
            WALL => door.take().unwrap_or(FLOOR),
            _ => FLOOR,
        };
    }
}
