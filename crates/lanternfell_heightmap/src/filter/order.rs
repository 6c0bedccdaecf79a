//! Finds the heights of given ranks exactly, without sorting the map.
//!
//! Problem: percentiles, such as the median, need heights of given ranks. Sorting needs a copy of
//! the map and cannot be canceled.
//!
//! Idea: floats can be mapped to integers of the same order by changing their sign bits. A height
//! of a given rank is then found digit by digit, as in a dictionary. Count the first digits of all
//! heights; the counts determine the first digit of the wanted height. Count the second digits of
//! the heights with that first digit, and then the third digits.
//!
//! ```text
//!   rank 700 of 1000    digit  0:  310 cells
//!                              1:  250          310 + 250 = 560
//!                              2:  290   <--    rank 140 of these 290
//!                              3:  150
//! ```
//!
//! Cost: three passes over the map for all ranks together, and at most 8 MiB. Counts are integers,
//! so the order of the additions does not affect the result.
//!
//! Source: radix selection is folklore; the order of floats is in IEEE 754, section 5.10.

use crate::{Canceled, Heightmap, Progress, rows};

/// The shifts of three digits of 11, 11 and 10 bits. The counts of one node fit into the L1 cache.
const DIGITS: [u32; 3] = [21, 10, 0];
const BINS: usize = 1 << 11;

/// Marks digits that no search uses.
const NONE: u16 = u16::MAX;

/// The search for one rank.
#[derive(Debug, Clone, Copy)]
struct Search {
    /// The rank among the heights that share the digits found so far.
    rank: u32,
    /// The number of the set of counts for those heights.
    node: usize,
    /// The digits found so far.
    key: u32,
}

/// For each node and digit the node of the next digit, or [`NONE`].
type Table = Vec<u16>;

/// The heights of these ranks. Rank 0 is the lowest cell, rank `cells - 1` the highest.
pub(super) fn of_ranks(
    map: &Heightmap,
    ranks: &[usize],
    progress: &Progress,
) -> Result<Vec<f32>, Canceled> {
    let begin = |&rank: &usize| Search {
        rank: rank as u32,
        node: 0,
        key: 0,
    };
    let mut searches: Vec<Search> = ranks.iter().map(begin).collect();
    let (mut tables, mut nodes) = (Vec::<Table>::new(), 1);
    for (level, shift) in DIGITS.into_iter().enumerate() {
        let counts = count(map, &tables, nodes, &progress.part(level, DIGITS.len()))?;
        let mut table = vec![NONE; nodes * BINS];
        nodes = 0;
        for search in &mut searches {
            let counts = &counts[search.node * BINS..][..BINS];
            let mut digit = 0;
            while search.rank >= counts[digit] {
                search.rank -= counts[digit];
                digit += 1;
            }
            let next = &mut table[search.node * BINS + digit];
            if *next == NONE {
                *next = nodes as u16;
                nodes += 1;
            }
            search.node = usize::from(*next);
            search.key |= (digit as u32) << shift;
        }
        tables.push(table);
    }
    Ok(searches.iter().map(|search| height(search.key)).collect())
}

/// The heights of two ranks of a map that is only available in parts. `show` must pass all parts to
/// its argument. It is called twice, once for each half of a key.
pub(super) fn of_ranks_in_parts<E>(
    mut ranks: [u64; 2],
    mut show: impl FnMut(&mut dyn FnMut(&Heightmap)) -> Result<(), E>,
) -> Result<[f32; 2], E> {
    let mut keys = [0_u32; 2];
    for shift in [16, 0] {
        let mut counts = [vec![0_u64; 1 << 16], vec![0_u64; 1 << 16]];
        show(&mut |map| {
            for key in map.heights().iter().map(|&height| key(height)) {
                for (counts, known) in counts.iter_mut().zip(keys) {
                    if u64::from(key ^ known) >> (shift + 16) == 0 {
                        counts[(key >> shift & 0xffff) as usize] += 1;
                    }
                }
            }
        })?;
        for ((rank, key), counts) in ranks.iter_mut().zip(&mut keys).zip(&counts) {
            let mut digit = 0;
            while *rank >= counts[digit] {
                *rank -= counts[digit];
                digit += 1;
            }
            *key |= (digit as u32) << shift;
        }
    }
    Ok(keys.map(height))
}

/// Counts the next digits of the heights, for each node that `tables` lead to.
fn count(
    map: &Heightmap,
    tables: &[Table],
    nodes: usize,
    progress: &Progress,
) -> Result<Vec<u32>, Canceled> {
    // With more bands, adding up the counts would cost more than counting.
    let bands = (32 / nodes).clamp(4, 32).min(map.height());
    let rows = map.height().div_ceil(bands);
    let mut counts = vec![0; bands * nodes * BINS];
    rows::for_each_row(&mut counts, nodes * BINS, progress, |band, counts| {
        let last = ((band + 1) * rows).min(map.height());
        for y in band * rows..last {
            if progress.is_canceled() {
                return;
            }
            count_row(map.row(y), tables, counts);
        }
    })?;
    let (total, others) = counts.split_at_mut(nodes * BINS);
    for other in others.chunks(nodes * BINS) {
        for (total, other) in total.iter_mut().zip(other) {
            *total += other;
        }
    }
    counts.truncate(nodes * BINS);
    Ok(counts)
}

fn count_row(row: &[f32], tables: &[Table], counts: &mut [u32]) {
    let digit = |key: u32, level: usize| (key >> DIGITS[level]) as usize % BINS;
    let last = tables.len();
    for &z in row {
        let key = key(z);
        let mut node = 0;
        for (level, table) in tables.iter().enumerate() {
            node = usize::from(table[node * BINS + digit(key, level)]);
            if node == usize::from(NONE) {
                break;
            }
        }
        if node != usize::from(NONE) {
            counts[node * BINS + digit(key, last)] += 1;
        }
    }
}

/// An integer key with the same order as the heights.
pub(super) fn key(z: f32) -> u32 {
    let bits = z.to_bits();
    if bits >> 31 == 0 {
        bits | 1 << 31
    } else {
        !bits
    }
}

/// The height of a [`key`].
pub(super) fn height(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 0 { !key } else { key ^ 1 << 31 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MapSize, SeededRng};

    #[test]
    fn ranks_match_the_sorted_map() {
        let mut rng = SeededRng::new(1, b"test    ");
        for case in 0..60 {
            let size = MapSize::new(2 + rng.below(60), 2 + rng.below(90)).unwrap();
            // Includes maps with few distinct heights and with heights of any magnitude.
            let mut any = || match case % 3 {
                0 => rng.between(-1.0, 1.0) as f32,
                1 => rng.below(7) as f32 - 3.0,
                _ => f32::from_bits((rng.word() >> 32) as u32 & 0xBF7F_FFFF),
            };
            let heights: Vec<f32> = (0..size.cells()).map(|_| any()).collect();
            let map = Heightmap::from_heights(size, heights.clone()).unwrap();
            let mut sorted = heights;
            sorted.sort_by(f32::total_cmp);
            let mut ranks: Vec<usize> = (0..200)
                .map(|_| rng.below(size.cells() as u64) as usize)
                .collect();
            ranks.extend([0, size.cells() - 1]);
            let found = of_ranks(&map, &ranks, &Progress::default()).unwrap();
            for (rank, found) in ranks.iter().zip(found) {
                assert_eq!(found.to_bits(), sorted[*rank].to_bits(), "rank {rank}");
            }
        }
    }

    #[test]
    fn canceled_counting_stops() {
        let progress = Progress::default();
        progress.cancel();
        let map = Heightmap::flat(MapSize::default());
        assert_eq!(of_ranks(&map, &[7], &progress), Err(Canceled));
    }
}
