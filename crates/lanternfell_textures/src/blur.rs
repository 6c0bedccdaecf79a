//! Blurs a seamless tile.
//!
//! A box blur with running sums: each step adds one number and subtracts another, so the cost does
//! not depend on the size of the box (M. J. `McDonnell`, 1981). Two passes in each direction give a
//! pyramid-shaped kernel, which looks round enough. Sums are in `f64`, so that subtracting a number
//! restores the sum almost exactly.

use crate::rows;

/// Returns the blurred values. The kernel is a pyramid that reaches `2 * radius` pixels.
pub(crate) fn blurred(values: &[f32], size: usize, radius: usize) -> Vec<f32> {
    let radius = radius.clamp(1, size / 4);
    let mut out = values.to_vec();
    for _ in 0..2 {
        rows::for_each(&mut out, size, |_, row| blur_row(row, radius));
        out = blur_columns(&out, size, radius);
    }
    out
}

fn blur_row(row: &mut [f32], radius: usize) {
    let mask = row.len() - 1;
    let before = row.to_vec();
    let count = (2 * radius + 1) as f64;
    let window = (0..=2 * radius).map(|n| (row.len() + n - radius) & mask);
    let mut sum: f64 = window.map(|n| f64::from(before[n])).sum();
    for (n, out) in row.iter_mut().enumerate() {
        *out = (sum / count) as f32;
        sum += f64::from(before[(n + radius + 1) & mask]);
        sum -= f64::from(before[(n + before.len() - radius) & mask]);
    }
}

fn blur_columns(values: &[f32], size: usize, radius: usize) -> Vec<f32> {
    let row = |y: usize| {
        let first = (y & (size - 1)) * size;
        &values[first..first + size]
    };
    let share = 1.0 / (2 * radius + 1) as f64;
    let mut sums = vec![0.0; size];
    for n in 0..=2 * radius {
        for (sum, &value) in sums.iter_mut().zip(row(size + n - radius)) {
            *sum += f64::from(value);
        }
    }
    let mut out = Vec::with_capacity(values.len());
    for y in 0..size {
        out.extend(sums.iter().map(|sum| (sum * share) as f32));
        let (enters, leaves) = (row(y + radius + 1), row(y + size - radius));
        for ((sum, &enters), &leaves) in sums.iter_mut().zip(enters).zip(leaves) {
            *sum += f64::from(enters) - f64::from(leaves);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::speck;

    /// The reference implementation: sums over the whole kernel for each pixel.
    fn slow(values: &[f32], size: usize, radius: usize) -> Vec<f32> {
        let reach = 2 * radius as i32;
        let weight = |n: i32| f64::from(reach + 1 - n.abs());
        let mut out = Vec::new();
        for index in 0..values.len() {
            let (mut sum, mut total) = (0.0, 0.0);
            for dy in -reach..=reach {
                for dx in -reach..=reach {
                    let x = (index % size) as i32 + dx;
                    let y = (index / size) as i32 + dy;
                    let place = |n: i32| n.rem_euclid(size as i32) as usize;
                    let share = weight(dx) * weight(dy);
                    sum += share * f64::from(values[place(y) * size + place(x)]);
                    total += share;
                }
            }
            out.push((sum / total) as f32);
        }
        out
    }

    #[test]
    fn running_sums_match_pyramid_kernel() {
        let size = 32;
        let values: Vec<f32> = (0..size * size).map(|n| speck(n, 1)).collect();
        for radius in [1, 2, 5] {
            let fast = blurred(&values, size, radius);
            for (fast, slow) in fast.iter().zip(slow(&values, size, radius)) {
                assert!((fast - slow).abs() < 1e-5, "{fast} {slow}");
            }
        }
    }
}
