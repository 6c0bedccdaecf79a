//! The exact median of a square around each cell.
//!
//! Problem: with a radius of 10, the obvious algorithm sorts 441 numbers for every cell.
//!
//! Idea (Suomela 2014): sort once, then only count. The map is split into tiles, and each cell gets
//! its rank in the sorted order of its tile. The cells of a square are then a set of ranks, stored
//! as one bit per rank. When the square moves by one cell, one column leaves the set and another
//! enters. A pointer to the word that contains the median moves only slightly each time.
//!
//! ```text
//!   ranks of the tile   0 ............................................ n
//!   set of the square   0010 0110  1101 1011  0101 0000
//!                                       ^ the word with the median, and the number
//!                                         of bits that are set before it
//!   path of the square  ----->.
//!                       .<----'
//!                       '----->
//! ```
//!
//! Steps: for each tile, sort the cells that it needs by radix. Move the square row by row,
//! alternating between eastward and westward, so that every step changes only one column or row.
//! Equal heights get different ranks, which does not affect the median.
//!
//! A square of radius 1 only needs comparisons, with SIMD. Sort each column of three. The median of
//! the nine is the median of the highest low, the median middle and the lowest high value (Paeth
//! 1990).
//!
//! Cost: about `4 r + 2` bits set or cleared per cell, and the sort of each tile. At most 1.5 MiB
//! of scratch memory per thread, and one additional map in memory.
//!
//! Source: Suomela, *Median Filtering is Equivalent to Sorting*, 2014.

use fearless_simd::{Level, dispatch};

use super::{row_near, widen};
use crate::{
    Canceled, Heightmap, Progress,
    filter::{order, remake},
    range::{higher, lower},
};

/// Replaces each height by the median of the square around it.
pub(super) fn apply(
    map: &mut Heightmap,
    radius: usize,
    progress: &Progress,
) -> Result<(), Canceled> {
    // The medians of nine use SIMD. The general case needs the instruction that counts bits.
    let level = Level::new();
    if radius == 1 {
        return remake(
            map,
            1,
            progress,
            <[Vec<f32>; 3]>::default,
            |wide, map, y, row| {
                for (wide, offset) in wide.iter_mut().zip(-1..) {
                    widen(row_near(map, y, offset), 1, wide);
                }
                dispatch!(level, _simd => medians_of_nine(wide, row));
            },
        );
    }
    let width = map.width();
    // A tile has at most 256 x 256 cells including its margin, so that ranks fit into 16 bits.
    let side = (4 * radius).clamp(64, 128);
    remake(map, side, progress, Tile::default, |tile, map, y, rows| {
        for x in (0..width).step_by(side) {
            if progress.is_canceled() {
                return;
            }
            let size = (side.min(width - x), rows.len() / width);
            tile.read(map, (x, y), size, radius);
            let found = |i, j, median| rows[j * width + x + i] = median;
            dispatch!(level, _simd => tile.walk(size, radius, found));
        }
    })
}

/// Sorts the columns of three in place, then writes the median of each nine.
#[inline(always)]
fn medians_of_nine(wide: &mut [Vec<f32>; 3], row: &mut [f32]) {
    let [a, b, c] = wide;
    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
        (*a, *b) = (lower(*a, *b), higher(*a, *b));
        (*b, *c) = (lower(*b, *c), higher(*b, *c));
        (*a, *b) = (lower(*a, *b), higher(*a, *b));
    }
    let [a, b, c] = wide;
    let nines = a.windows(3).zip(b.windows(3)).zip(c.windows(3));
    for (z, ((low, middle), high)) in row.iter_mut().zip(nines) {
        let low = higher(higher(low[0], low[1]), low[2]);
        let high = lower(lower(high[0], high[1]), high[2]);
        *z = median_of_three(low, median_of_three(middle[0], middle[1], middle[2]), high);
    }
}

#[inline(always)]
fn median_of_three(a: f32, b: f32, c: f32) -> f32 {
    higher(lower(a, b), lower(higher(a, b), c))
}

/// A part of the map with a margin of the radius of the square.
struct Tile {
    /// The heights in ascending order.
    heights: Vec<f32>,
    /// The rank of each cell, row by row including the margin.
    ranks: Vec<u16>,
    /// The width in cells, including the margin.
    width: usize,
    bits: Box<Bits>,
    /// The key and index of each cell, and scratch memory to sort them.
    sorted: Vec<u64>,
    spare: Vec<u64>,
}

impl Default for Tile {
    fn default() -> Self {
        Self {
            heights: Vec::new(),
            ranks: Vec::new(),
            width: 0,
            bits: Box::new([0; 1024]),
            sorted: Vec::new(),
            spare: Vec::new(),
        }
    }
}

impl Tile {
    /// Computes the ranks of the tile at `(x, y)`.
    fn read(
        &mut self,
        map: &Heightmap,
        (x, y): (usize, usize),
        size: (usize, usize),
        radius: usize,
    ) {
        let reach = radius as isize;
        self.width = size.0 + 2 * radius;
        self.sorted.clear();
        let last = map.width() - 1;
        for j in -reach..size.1 as isize + reach {
            let row = row_near(map, y, j);
            for i in -reach..size.0 as isize + reach {
                let z = row[x.saturating_add_signed(i).min(last)];
                let place = self.sorted.len() as u64;
                self.sorted.push(u64::from(order::key(z)) << 16 | place);
            }
        }
        self.sort();
        let count = self.sorted.len();
        self.ranks.resize(count, 0);
        self.heights.clear();
        for (rank, cell) in self.sorted.iter().enumerate() {
            self.ranks[(cell & 0xFFFF) as usize] = rank as u16;
            self.heights.push(order::height((cell >> 16) as u32));
        }
    }

    /// Radix sort by 11 bits of the key at a time, starting with the lowest.
    fn sort(&mut self) {
        self.spare.resize(self.sorted.len(), 0);
        for shift in [16, 27, 38] {
            let digit = |cell: u64| (cell >> shift) as usize % 2048;
            let mut starts = [0_u32; 2049];
            for &cell in &self.sorted {
                starts[digit(cell) + 1] += 1;
            }
            for k in 1..starts.len() {
                starts[k] += starts[k - 1];
            }
            for &cell in &self.sorted {
                let start = &mut starts[digit(cell)];
                self.spare[*start as usize] = cell;
                *start += 1;
            }
            core::mem::swap(&mut self.sorted, &mut self.spare);
        }
    }

    /// Calls `found(i, j, median)` for each cell of the tile.
    #[inline(always)]
    fn walk(
        &mut self,
        size: (usize, usize),
        radius: usize,
        mut found: impl FnMut(usize, usize, f32),
    ) {
        let (side, width) = (2 * radius + 1, self.width);
        let (ranks, middle) = (&self.ranks, (side * side / 2) as u32);
        self.bits.fill(0);
        let mut square = Square {
            bits: &mut self.bits,
            word: 0,
            below: 0,
        };
        for row in ranks.chunks(width).take(side) {
            row[..side].iter().for_each(|&rank| square.add(rank));
        }
        let mut i = 0;
        for j in 0..size.1 {
            if j > 0 {
                let (leaves, enters) = (
                    &ranks[(j - 1) * width + i..],
                    &ranks[(j - 1 + side) * width + i..],
                );
                for (&leaves, &enters) in leaves.iter().zip(enters).take(side) {
                    square.replace(leaves, enters);
                }
            }
            loop {
                found(i, j, self.heights[square.rank(middle)]);
                let east = j % 2 == 0;
                if i == if east { size.0 - 1 } else { 0 } {
                    break;
                }
                let (leaves, enters) = if east {
                    (i, i + side)
                } else {
                    (i + side - 1, i - 1)
                };
                for row in ranks[j * width..].chunks(width).take(side) {
                    square.replace(row[leaves], row[enters]);
                }
                i = if east { i + 1 } else { i - 1 };
            }
        }
    }
}

/// One bit for each of 256 x 256 ranks.
type Bits = [u64; 1024];

/// The set of ranks in the square.
struct Square<'a> {
    bits: &'a mut Bits,
    /// The word that contained the last median, and the number of ranks in the set below that word.
    word: usize,
    below: u32,
}

impl Square<'_> {
    #[inline(always)]
    fn add(&mut self, rank: u16) {
        let word = usize::from(rank >> 6);
        self.bits[word] |= 1 << (rank & 63);
        self.below += u32::from(word < self.word);
    }

    #[inline(always)]
    fn replace(&mut self, leaves: u16, enters: u16) {
        let word = usize::from(leaves >> 6);
        self.bits[word] &= !(1 << (leaves & 63));
        self.below -= u32::from(word < self.word);
        self.add(enters);
    }

    /// The rank that has `middle` smaller ranks in the square.
    #[inline(always)]
    fn rank(&mut self, middle: u32) -> usize {
        while self.below > middle {
            self.word -= 1;
            self.below -= self.bits[self.word].count_ones();
        }
        loop {
            let here = self.bits[self.word].count_ones();
            if self.below + here > middle {
                break;
            }
            self.below += here;
            self.word += 1;
        }
        let mut bits = self.bits[self.word];
        for _ in self.below..middle {
            bits &= bits - 1;
        }
        64 * self.word + bits.trailing_zeros() as usize
    }
}
