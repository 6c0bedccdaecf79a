//! Percentiles of heights.
//!
//! Problem: sorting a large map takes a copy of it and several seconds.
//!
//! Idea: select by digits. The bits of an `f32` can be mapped to integers with the same order. Count how many cells
//! have each value of the first 11 bits. This determines the value of the wanted cell and the number of cells before
//! it. Two more passes, over the cells with that prefix, find the other 21 bits.
//!
//! Cost: three passes. Memory: 16 KiB per wanted cell, and half of that per thread.

use super::{height_rows::HeightRows, tally::tally};
use crate::{Canceled, GenerateError, ParamError, Progress};

/// Computes percentiles of the heights of `map`, one for each of `percents`, which are from 0 (the lowest height) to
/// 100 (the highest). 50 is the median.
///
/// Of the sorted cells, the first is at 0 and the last at 100 percent. Between two cells the height is interpolated
/// (definition 7 of Hyndman and Fan, the default of `NumPy`).
///
/// ```
/// use lanternfell_heightmap::{Heightmap, MapSize, Progress, analysis::percentiles};
///
/// let size = MapSize::new(2, 2)?;
/// let map = Heightmap::from_heights(size, vec![0.1, 0.4, 0.2, 0.2]).unwrap();
/// let found = percentiles(&map, &[0.0, 50.0], &Progress::default())?;
/// assert_eq!(found, [f64::from(0.1_f32), f64::from(0.2_f32)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there are more than 1000 percents, one of them is out of range, or the work is canceled.
pub fn percentiles(
    map: &(impl HeightRows + ?Sized),
    percents: &[f64],
    progress: &Progress,
) -> Result<Vec<f64>, GenerateError> {
    let check = |name, value, most| ParamError::check_range("percentiles", name, value, 0.0, most);
    check("count", percents.len() as f64, 1000.0)?;
    for &percent in percents {
        check("percent", percent, 100.0)?;
    }
    let last = map.size().cells() - 1;
    let places = percents.iter().map(|percent| percent / 100.0 * last as f64);
    let ends = |place: f64| (place as u64, ((place as u64) + 1).min(last as u64));
    let mut ranks: Vec<u64> = places
        .clone()
        .flat_map(|at| <[u64; 2]>::from(ends(at)))
        .collect();
    ranks.sort_unstable();
    ranks.dedup();
    let heights = select(map, &ranks, progress)?;
    let height_of = |rank: u64| f64::from(heights[ranks.partition_point(|&other| other < rank)]);
    let between = |place: f64| {
        let (below, above) = ends(place);
        let (low, high) = (height_of(below), height_of(above));
        low + (high - low) * (place - below as f64)
    };
    Ok(places.map(between).collect())
}

/// The lowest bit and the number of bits of each digit.
const DIGITS: [(u32, u32); 3] = [(21, 11), (10, 11), (0, 10)];

/// The number of values of a digit.
const VALUES: usize = 1 << 11;

/// The marker for the absence of a group.
const NONE: u32 = u32::MAX;

/// A wanted cell. `before` is the number of cells before it within its group, whose cells have the same prefix.
struct Wanted {
    before: u64,
    group: usize,
    key: u32,
}

/// The heights of these sorted ranks; rank 0 is the lowest cell.
fn select(
    map: &(impl HeightRows + ?Sized),
    ranks: &[u64],
    progress: &Progress,
) -> Result<Vec<f32>, Canceled> {
    let wanted = ranks.iter().map(|&before| Wanted {
        before,
        group: 0,
        key: 0,
    });
    let mut wanted: Vec<Wanted> = wanted.collect();
    // For each finished digit: the next group for each value in each group.
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut count = 1;
    for (pass, (shift, bits)) in DIGITS.into_iter().enumerate() {
        let progress = progress.part(pass, DIGITS.len());
        let counts = tally(map, count * VALUES, &progress, |z| bin(key(z), &groups))?;
        let mut next = vec![NONE; counts.len()];
        count = 0;
        for cell in &mut wanted {
            let start = cell.group * VALUES;
            // If the rows are not the same in each pass, the group may have too few cells.
            let last = start + (1 << bits) - 1;
            let mut value = start;
            while value < last && cell.before >= counts[value] {
                cell.before -= counts[value];
                value += 1;
            }
            if next[value] == NONE {
                next[value] = count as u32;
                count += 1;
            }
            cell.group = next[value] as usize;
            cell.key |= ((value - start) as u32) << shift;
        }
        groups.push(next);
    }
    Ok(wanted.iter().map(|cell| height(cell.key)).collect())
}

/// The value of digit `pass` of a key.
fn digit(key: u32, pass: usize) -> usize {
    let (shift, bits) = DIGITS[pass];
    (key >> shift) as usize & ((1 << bits) - 1)
}

/// The bin of a key: the value of digit `groups.len()` within the group that its previous digits select, if there is
/// one.
fn bin(key: u32, groups: &[Vec<u32>]) -> Option<usize> {
    let mut group = 0;
    for (pass, groups) in groups.iter().enumerate() {
        group = groups[group * VALUES + digit(key, pass)] as usize;
        if group == NONE as usize {
            return None;
        }
    }
    Some(group * VALUES + digit(key, groups.len()))
}

/// An integer with the same order as the height.
fn key(z: f32) -> u32 {
    // Adding 0 turns -0 into 0.
    let bits = (z + 0.0).to_bits();
    if bits >> 31 == 1 {
        !bits
    } else {
        bits | 1 << 31
    }
}

/// The height of a key.
fn height(key: u32) -> f32 {
    let bits = if key >> 31 == 1 {
        key & !(1 << 31)
    } else {
        !key
    };
    f32::from_bits(bits)
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::MapSize;

    #[test]
    fn keys_sort_like_heights() {
        let heights = [f32::MIN, -1.5, -1e-40, 0.0, 1e-40, 0.25, 7.0, f32::MAX];
        assert!(heights.is_sorted_by(|a, b| key(*a) < key(*b)));
        assert!(heights.iter().all(|&z| height(key(z)) == z));
        assert_eq!(key(-0.0), key(0.0));
    }

    /// A map that another program replaces after a few rows were read.
    struct Changing(AtomicUsize, usize);

    impl HeightRows for Changing {
        fn size(&self) -> MapSize {
            MapSize::new(3, 20).unwrap()
        }

        fn show(&self, _: usize, look: &mut dyn FnMut(&[f32])) {
            let is_old = self.0.fetch_add(1, Ordering::Relaxed) < self.1;
            look(&if is_old { [0.25, 0.5, 0.75] } else { [7.0; 3] });
        }
    }

    /// Reported: `info FOLDER` panics while the tiles of the folder are made.
    #[test]
    fn changing_map_does_not_panic() {
        for change in 0..=70 {
            let map = Changing(AtomicUsize::new(0), change);
            let found = percentiles(&map, &[0.0, 50.0, 99.0, 100.0], &Progress::default());
            assert_eq!(found.unwrap().len(), 4, "after {change} rows");
        }
    }
}
