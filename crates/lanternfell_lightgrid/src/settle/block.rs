//! Blocks of cells, and the arrangement of the four phases in them.
//!
//! A block has 16 x 16 cells, or 8 x 8 cells of each phase. A set of cells of one phase is a word
//! with one bit for each, row by row.
//!
//! ```text
//!     western block  this block     The cells in even columns have western neighbors in odd columns
//!       . . . 1   |  0 1 0 1 . .    with the previous index; that of the first is in the western
//!                                   block. Their eastern neighbors have the same index. The cells in
//!                                   odd columns have western neighbors with the same index, and
//!                                   eastern neighbors with the next index.
//! ```

/// The number of cells along the side of a block.
pub(super) const SIDE: usize = 16;

/// The number of cells of one phase along the side of a block.
pub(super) const ROW: usize = SIDE / 2;

/// The number of cells of one phase in a block.
pub(super) const BLOCK: usize = ROW * ROW;

/// The bits of the first column of a block.
const COLUMN: u64 = 0x0101_0101_0101_0101;

/// The phase of a cell: the parity of its column, plus twice that of its row.
pub(super) fn phase_of(x: usize, y: usize) -> usize {
    x % 2 + 2 * (y % 2)
}

/// The index of a cell among those of its phase in its block.
pub(super) fn bit_of(x: usize, y: usize) -> usize {
    y % SIDE / 2 * ROW + x % SIDE / 2
}

/// The cell with this phase and index, in the block whose first cell is `first`.
pub(super) fn cell_of(first: (usize, usize), phase: usize, bit: usize) -> (usize, usize) {
    let x = first.0 + bit % ROW * 2 + phase % 2;
    (x, first.1 + bit / ROW * 2 + phase / 2)
}

/// The numbers of a block and the blocks around it, row by row. The block itself is the fifth.
pub(super) type Around = [u32; 9];

/// The position of the block itself.
pub(super) const HERE: usize = 4;

/// The positions of the blocks that contain neighbors of cells of a phase: to the side, above or
/// below, and diagonally.
pub(super) fn sides_of(phase: usize) -> [usize; 3] {
    let side = if phase.is_multiple_of(2) { 3 } else { 5 };
    let across = if phase < 2 { 1 } else { 7 };
    [side, across, side + across - HERE]
}

/// Finds the neighbors of a set of cells of one phase. Calls `work` with the phase of the
/// neighbors, the position of their block, and their bits.
pub(super) fn for_neighbors(phase: usize, bits: u64, mut work: impl FnMut(usize, usize, u64)) {
    // Corners are the neighbors above and below of the neighbors to the west and east. If both of
    // these steps leave the block, the corner is in the diagonal block.
    let [side, across, diagonal] = sides_of(phase);
    let (here, there) = spread_in_rows(phase, bits);
    work(phase ^ 1, HERE, here);
    work(phase ^ 1, side, there);
    let (below, beyond) = spread_in_columns(phase, bits);
    work(phase ^ 2, HERE, below);
    work(phase ^ 2, across, beyond);
    let (below, beyond) = spread_in_columns(phase, here);
    work(phase ^ 3, HERE, below);
    work(phase ^ 3, across, beyond);
    let (below, beyond) = spread_in_columns(phase, there);
    work(phase ^ 3, side, below);
    work(phase ^ 3, diagonal, beyond);
}

/// The western and eastern neighbors, in this block and in the block to the side.
fn spread_in_rows(phase: usize, bits: u64) -> (u64, u64) {
    let last = COLUMN << (ROW - 1);
    if phase.is_multiple_of(2) {
        // One neighbor has the same bit. The other one is one bit lower. For the first column, that
        // would be the last bit of the previous row, but the neighbor is in the western block.
        let first = bits & COLUMN;
        (bits | (bits ^ first) >> 1, first << (ROW - 1))
    } else {
        let last = bits & last;
        (bits | (bits ^ last) << 1, last >> (ROW - 1))
    }
}

/// The northern and southern neighbors, in this block and in the block above or below.
fn spread_in_columns(phase: usize, bits: u64) -> (u64, u64) {
    const LAST: usize = BLOCK - ROW;
    if phase < 2 {
        // The first row is shifted out. Its neighbors are the last row of the block above.
        (bits | bits >> ROW, bits << LAST)
    } else {
        (bits | bits << ROW, bits >> LAST)
    }
}

/// The positions of the set bits.
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        bit
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The neighbors of a cell in the center of nine blocks, found one by one.
    fn neighbors_of(phase: usize, bit: usize) -> BTreeMap<(usize, usize), u64> {
        let (x, y) = cell_of((SIDE, SIDE), phase, bit);
        let mut neighbors = BTreeMap::new();
        for (dx, dy) in (0..9)
            .map(|n| (n % 3, n / 3))
            .filter(|&step| step != (1, 1))
        {
            let (x, y) = (x + dx - 1, y + dy - 1);
            let place = y / SIDE * 3 + x / SIDE;
            *neighbors.entry((phase_of(x, y), place)).or_default() |= 1 << bit_of(x, y);
        }
        neighbors
    }

    #[test]
    fn for_neighbors_finds_all_neighbors() {
        for phase in 0..4 {
            for bit in 0..BLOCK {
                let mut found = BTreeMap::new();
                for_neighbors(phase, 1 << bit, |phase, place, bits| {
                    if bits != 0 {
                        *found.entry((phase, place)).or_default() |= bits;
                    }
                });
                assert_eq!(found, neighbors_of(phase, bit), "phase {phase}, bit {bit}");
            }
        }
    }

    #[test]
    fn bits_returns_set_bits() {
        let word = 1 | 1 << 7 | 1 << 40 | 1 << 63;
        assert!(bits(word).eq([0, 7, 40, 63]));
        assert_eq!(bits(u64::MAX).count(), 64);
        assert_eq!(bits(0).count(), 0);
    }
}
