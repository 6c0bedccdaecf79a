//! Rooms, corridors and doors.
//!
//! The map is cut into blocks of 16 x 16 cells, and each gets a room of random size and
//! place. Then corridors are dug from room to room:
//!
//! ```text
//!   ################
//!   ##......########     Every room is joined to its eastern or its southern neighbor,
//!   ##......+.....##     which makes a tree that reaches all rooms (a "binary tree"
//!   ##......#####.##     maze). Half of the other neighbors are joined too, through a
//!   #####.#######.##     door (+) that is closed.
//! ```

use lanternfell_random::SplitMix64;

use super::cells::{CLOSED_DOOR, FLOOR, WALL};

/// Cells along a side of a block.
pub const BLOCK: usize = 16;

/// The smallest and the largest room's side, and so that a wall is left around it.
const ROOM: (usize, usize) = (4, 12);

/// The middle of each room.
type Middles = Vec<(usize, usize)>;

/// A map of `side` x `side` cells, row by row; `side` is at least [`BLOCK`].
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
    // The tree comes last, so that no closed door can cut it.
    for (from, to) in others {
        dig_corridor(&mut bytes, side, middles[from], middles[to], CLOSED_DOOR);
    }
    for (from, to) in tree {
        dig_corridor(&mut bytes, side, middles[from], middles[to], FLOOR);
    }
    bytes
}

/// Where in a block a room begins, and how long it is.
fn room_side(rng: &mut SplitMix64) -> (usize, usize) {
    let below = |rng: &mut SplitMix64, end: usize| rng.below(end as u32) as usize;
    let length = ROOM.0 + below(rng, ROOM.1 - ROOM.0 + 1);
    (1 + below(rng, BLOCK - 1 - length), length)
}

type Pairs = Vec<(usize, usize)>;

/// Which rooms are joined: by the tree, and otherwise.
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

/// Digs along the row, then along the column; the first wall becomes `door`.
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
