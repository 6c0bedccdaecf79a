//! Straightforward implementations of the generators: cell by cell, following the definition.
//!
//! They are written row by row and without branches, so that the compiler vectorizes them. But they
//! do all the work of the definition: every line visits every cell, every hill every cell of its
//! square, and every pass every cell. All run on one thread, and normalize the map to 0 to 1, as
//! our generators do. Tests compare them with our maps.

use lanternfell_heightmap::{FaultLine, Fluid, Heightmap, Hill};

/// Lines that raise all cells on one side by 1, with a side test for every cell and line.
///
/// Computed in `f64`, in which the test is exact, since its products are below 2^53.
pub(super) fn faults(lines: &[FaultLine], side: usize) -> Vec<f32> {
    let mut heights = vec![0.0_f32; side * side];
    for line in lines {
        let [x1, y1] = line.start().map(f64::from);
        let [x2, y2] = line.end().map(f64::from);
        let (dx, dy) = (x2 - x1, y2 - y1);
        let unit = f64::from(FaultLine::CELL);
        for (y, row) in heights.chunks_exact_mut(side).enumerate() {
            let from_line = (unit * y as f64 - y1) * dx;
            for (x, z) in row.iter_mut().enumerate() {
                let raised = (unit * f64::from(x as u32) - x1) * dy > from_line;
                *z += if raised { 1.0 } else { 0.0 };
            }
        }
    }
    stretch(&mut heights);
    heights
}

/// Paraboloids, each summed over the square that it covers.
pub(super) fn hills(hills: &[Hill], side: usize) -> Vec<f32> {
    let mut heights = vec![0.0_f32; side * side];
    let cells = |units: i32| units as f32 / Hill::CELL as f32;
    for hill in hills {
        let (x, y, radius) = (cells(hill.x()), cells(hill.y()), cells(hill.radius()));
        let reached = |center: f32| {
            let last = side as f32;
            let start = (center - radius).ceil().clamp(0.0, last) as usize;
            start..((center + radius).floor() + 1.0).clamp(start as f32, last) as usize
        };
        let columns = reached(x);
        for row in reached(y) {
            let dy = row as f32 - y;
            let peak = radius * radius - dy * dy;
            let row = &mut heights[row * side..][columns.clone()];
            for (column, z) in columns.clone().zip(row) {
                let dx = column as u32 as f32 - x;
                *z += (peak - dx * dx).max(0.0);
            }
        }
    }
    stretch(&mut heights);
    heights
}

/// The damped wave equation, pass by pass over two buffers. The border stays at 0.
pub(super) fn fluid(fluid: &Fluid, start: &Heightmap) -> Vec<f32> {
    let (width, height) = (start.width(), start.height());
    let s = (fluid.c * fluid.t / fluid.d).powi(2);
    let m = fluid.mu * fluid.t + 2.0;
    let (own, before) = ((4.0 - 8.0 * s) / m, (fluid.mu * fluid.t - 2.0) / m);
    let (own, before, around) = (own as f32, before as f32, (2.0 * s / m) as f32);
    let mut now = start.heights().to_vec();
    let mut next = now.clone();
    for _ in 0..fluid.passes {
        for y in 1..height - 1 {
            let row = |y: usize| &now[y * width..][..width];
            let (north, here, south) = (row(y - 1), row(y), row(y + 1));
            let z = &mut next[y * width..][..width];
            for x in 1..width - 1 {
                let sum = here[x - 1] + here[x + 1] + north[x] + south[x];
                z[x] = own * here[x] + before * z[x] + around * sum;
            }
        }
        std::mem::swap(&mut now, &mut next);
    }
    stretch(&mut now);
    now
}

/// Each cell becomes the mean of the square of 3 x 3 cells around it. At the border, the mean of
/// the existing cells.
pub(super) fn smooth(heights: &mut [f32]) {
    let side = heights.len().isqrt();
    let old = heights.to_vec();
    for (y, row) in heights.chunks_exact_mut(side).enumerate() {
        let rows = y.saturating_sub(1)..(y + 2).min(side);
        for (x, z) in row.iter_mut().enumerate() {
            let columns = x.saturating_sub(1)..(x + 2).min(side);
            let number = rows.len() * columns.len();
            let of_row = |y: usize| old[y * side..][columns.clone()].iter().sum::<f32>();
            *z = rows.clone().map(of_row).sum::<f32>() / number as f32;
        }
    }
}

/// Normalizes to 0 to 1. A flat map becomes 0.
pub(super) fn stretch(heights: &mut [f32]) {
    let low = heights.iter().copied().fold(f32::INFINITY, f32::min);
    let high = heights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
    for z in heights {
        *z = (*z - low) * scale;
    }
}
