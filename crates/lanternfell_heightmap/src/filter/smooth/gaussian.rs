//! The Gaussian blur: a mean without traces of the grid.
//!
//! Problem: a box blur leaves square artifacts. The Gaussian `exp(-(x^2 + y^2) / (2 sigma^2))` is round. It is also
//! separable, so one pass along the rows and one along the columns is enough.
//!
//! ```text
//!                .-'''-.
//!             .'         '.            sigma: the distance of the
//!   ___..--'                 '--..___  inflection points from the center
//!   -4.5 sigma      0      4.5 sigma
//! ```
//!
//! Up to [`NARROW`] the kernel is summed directly. It is cut off at 4.5 sigma, where 0.000007 of it remains. Both
//! passes sum rows with SIMD along x, so no pass walks down a column. Wider kernels use the [recursive
//! filter](super::recursive), whose cost does not depend on sigma.
//!
//! Cost: at sigma 1 about 10 multiplications per cell and pass; one additional map in memory.

use fearless_simd::{Level, dispatch};

use super::{recursive, row_near, widen};
use crate::{
    Canceled, Heightmap, Progress,
    range::{higher, lower},
    rows,
};

/// The largest sigma, in cells, for which the direct sum is faster. Measured.
const NARROW: f64 = 5.0;

/// The distance at which the kernel is cut off, in sigmas.
const CUT: f64 = 4.5;

/// The distance after which the slowest oscillation of the recursion has practically decayed, in sigmas.
const FAR: f64 = 7.0;

/// The number of cells that are summed together: enough vectors to hide the latency of an addition.
const BLOCK: usize = 32;

/// Whether the kernel is summed directly, so that cells beyond its [`reach`] have no influence.
pub(in crate::filter) fn is_narrow(sigma: f64) -> bool {
    sigma <= NARROW
}

/// The distance in cells beyond which the kernel is negligible. A direct sum is cut off there. The recursion has
/// decayed to 0.000001 of its height.
pub(in crate::filter) fn reach(sigma: f64) -> usize {
    let sigmas = if is_narrow(sigma) { CUT } else { FAR };
    (sigmas * sigma).ceil() as usize
}

/// Blurs a map or a part of it. `range` is the range of the whole map. With sigma 0 the map does not change.
pub(in crate::filter) fn blur(
    map: &mut Heightmap,
    sigma: f64,
    range: (f32, f32),
    progress: &Progress,
) -> Result<(), Canceled> {
    if range.0 == range.1 || sigma == 0.0 {
        return progress.step(1, 1);
    }
    if !is_narrow(sigma) {
        return recursive::blur(map, sigma, range, progress);
    }
    let weights = bell(sigma);
    let (reach, width) = (weights.len() - 1, map.width());
    let level = Level::new();
    let mut along = Heightmap::flat(map.size());
    rows::for_each_row_with(
        along.heights_mut(),
        width,
        &progress.span(0.0, 0.5),
        Vec::new,
        |wide, y, row| {
            widen(map.row(y), reach, wide);
            dispatch!(level, _simd => sum(&weights, row, range, |k, x| &wide[x + k..]));
        },
    )?;
    let progress = &progress.span(0.5, 1.0);
    rows::for_each_row(map.heights_mut(), width, progress, |y, row| {
        let near: Vec<&[f32]> = (-(reach as isize)..=reach as isize)
            .map(|k| row_near(&along, y, k))
            .collect();
        dispatch!(level, _simd => sum(&weights, row, range, |k, x| &near[k][x..]));
    })
}

/// One half of the kernel: the weight of the center, then of the cells at distance 1, 2, ...
fn bell(sigma: f64) -> Vec<f32> {
    let at = |k: i32| {
        let x = f64::from(k) / sigma;
        libm::exp(-0.5 * x * x)
    };
    let reach = (CUT * sigma).ceil() as i32;
    let whole = at(0) + 2.0 * (1..=reach).map(at).sum::<f64>();
    (0..=reach).map(|k| (at(k) / whole) as f32).collect()
}

/// Writes the weighted sum of each cell, clamped to the range. `from(k, x)` returns the heights under weight `k` of the
/// kernel, counted from its first, when it is centered on cell `x` and the cells after it.
#[inline(always)]
fn sum<'a>(
    weights: &[f32],
    row: &mut [f32],
    (low, high): (f32, f32),
    from: impl Fn(usize, usize) -> &'a [f32],
) {
    let reach = weights.len() - 1;
    let (blocks, rest) = row.as_chunks_mut::<BLOCK>();
    let mut x = 0;
    for block in blocks {
        let whole = |k| from(k, x).first_chunk::<BLOCK>().unwrap_or(&[0.0; BLOCK]);
        let mut sums = whole(reach).map(|z| weights[0] * z);
        for (k, &weight) in (1..).zip(&weights[1..]) {
            let (before, after) = (whole(reach - k), whole(reach + k));
            for lane in 0..BLOCK {
                sums[lane] += weight * before[lane] + weight * after[lane];
            }
        }
        *block = sums.map(|sum| lower(higher(sum, low), high));
        x += BLOCK;
    }
    for (x, z) in (x..).zip(rest) {
        let mut sum = weights[0] * from(reach, x)[0];
        for (k, &weight) in (1..).zip(&weights[1..]) {
            sum += weight * from(reach - k, x)[0] + weight * from(reach + k, x)[0];
        }
        *z = lower(higher(sum, low), high);
    }
}
