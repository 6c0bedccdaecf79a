//! Applies a stroke to tiles.
//!
//! Every brush computes a tile from the state *before the whole stroke*. So the tiles of a stroke
//! can be computed one by one, in any order, and only those that are needed.
//!
//! Heights are integers modulo 2^32, in which addition is commutative and subtracting an amount
//! restores the sum exactly. (Saturating sums would depend on their order.) So heights wrap around
//! beyond 2147 km above or below zero. An entry in the log changes a height by at most 1 km per dab.

use std::borrow::Cow;

use crate::{
    brush::Brush,
    cells::{CellRect, TILE_CELLS, TILE_SIDE, TileAddress},
    erode::eroded,
    noise::Noise,
    scene::Scene,
    stroke::UNITS,
    tile::Tile,
    weights::{Dabs, moved},
};

/// Half of 1/65536, for rounding.
const HALF: i64 = 1 << 15;

/// The amounts that an additive stroke adds to the heights of a tile, modulo 2^32, after a change. The
/// versions of the stroke differ only in their points.
pub(crate) fn added_amounts(versions: [Option<&Dabs<'_>>; 2], tile: TileAddress) -> Vec<i32> {
    let Some(stroke) = versions[1].or(versions[0]).map(|dabs| dabs.stroke) else {
        return vec![0; TILE_CELLS];
    };
    if matches!(stroke.brush, Brush::Stamp { .. }) {
        let [before, after] = versions.map(|dabs| dabs.map(|dabs| stamped(dabs, tile)));
        let mut amounts = after.unwrap_or_else(|| vec![0; TILE_CELLS]);
        for (amount, before) in amounts.iter_mut().zip(before.into_iter().flatten()) {
            *amount = amount.wrapping_sub(before);
        }
        return amounts;
    }
    let nothing = || Cow::Owned(vec![0; TILE_CELLS]);
    let [before, after] = versions.map(|dabs| dabs.map_or_else(nothing, |dabs| dabs.effects(tile)));
    let sums = before.iter().zip(&*after);
    // Amounts are below 2^20, sums of effects below 2^32 and noise below 2^17, so that no product
    // exceeds 2^61.
    let raise = |mm: i32| {
        let amount = move |sum: u32| ((i64::from(mm) * i64::from(sum) + HALF) >> 16) as i32;
        move |(&before, &after): (&u32, &u32)| amount(after).wrapping_sub(amount(before))
    };
    match stroke.brush {
        Brush::Raise { mm } => sums.map(raise(mm)).collect(),
        Brush::Lower { mm } => sums.map(raise(mm)).map(i32::wrapping_neg).collect(),
        Brush::Noise { seed, cells, mm } => {
            let noise = Noise { seed, cells }.over(tile.area());
            let amount = |((&before, &after), value): ((&u32, &u32), i64)| {
                let most = (i64::from(mm) * value) >> 8;
                let amount = |sum: u32| ((most * i64::from(sum) + (HALF << 8)) >> 24) as i32;
                amount(after).wrapping_sub(amount(before))
            };
            sums.zip(noise).map(amount).collect()
        }
        _ => vec![0; TILE_CELLS],
    }
}

fn stamped(dabs: &Dabs<'_>, tile: TileAddress) -> Vec<i32> {
    let mut sums = vec![0_i64; TILE_CELLS];
    let Brush::Stamp { image } = &dabs.stroke.brush else {
        return vec![0; TILE_CELLS];
    };
    let radius = i64::from(dabs.stroke.radius);
    let share = |from: i64, to: i64| ((to * UNITS - from + radius) << 16) / (2 * radius);
    dabs.each_near(0, tile, |[x, y], cells| {
        for row in cells.row..cells.end_row() {
            let south = share(y, row);
            for column in cells.column..cells.end_column() {
                // At most 2^36 for each of at most 4096 points.
                sums[TileAddress::index(column, row)] += image.sample([share(x, column), south]);
            }
        }
    });
    // Two steps of 8 bits, because sum and strength have 48 and 17 bits.
    let strength = dabs.stroke.strength() as i64;
    let amount = |sum: i64| (((sum >> 8) * strength + (HALF << 8)) >> 24) as i32;
    sums.into_iter().map(amount).collect()
}

/// Computes a tile after a stroke.
pub(crate) fn applied(dabs: &Dabs<'_>, scene: Scene<'_>, address: TileAddress) -> Tile {
    let mut tile = scene.tile_or_empty(address);
    match &mut tile {
        Tile::Heights(deltas) if dabs.stroke.brush.is_additive() => {
            let amounts = added_amounts([None, Some(dabs)], address);
            for (delta, amount) in deltas.iter_mut().zip(amounts) {
                *delta = delta.wrapping_add(amount);
            }
        }
        Tile::Heights(deltas) if let Brush::Erode { seed, steps } = dabs.stroke.brush => {
            let changes = eroded(dabs, scene, address, (seed, steps));
            for (delta, change) in deltas.iter_mut().zip(changes) {
                *delta = delta.wrapping_add(change);
            }
        }
        Tile::Heights(deltas) => move_heights(dabs, scene, address, deltas),
        Tile::Holes(rows) => {
            let is_hole = matches!(dabs.stroke.brush, Brush::Hole);
            let inside = dabs.inside(address);
            for (row, inside) in rows.iter_mut().zip(inside.chunks(TILE_SIDE)) {
                let bits = inside
                    .iter()
                    .rev()
                    .fold(0, |bits, &inside| bits << 1 | u64::from(inside));
                *row = if is_hole { *row | bits } else { *row & !bits };
            }
        }
        Tile::Paint(cells) => {
            if let Brush::Paint { layer } = dabs.stroke.brush {
                for (cell, cover) in cells.iter_mut().zip(dabs.covers(address)) {
                    if cover > 0 {
                        *cell = cell.paint(layer, cover);
                    }
                }
            }
        }
        Tile::Plants(cells) => {
            if let Brush::Plants { density } = dabs.stroke.brush {
                for (cell, cover) in cells.iter_mut().zip(dabs.covers(address)) {
                    *cell = (i64::from(*cell) + way(*cell, density, cover)) as u8;
                }
            }
        }
    }
    tile
}

/// The part `cover`, in 1/65536, of the way from a value to another.
fn way(from: impl Into<i64>, to: impl Into<i64>, cover: u32) -> i64 {
    ((to.into() - from.into()) * i64::from(cover) + HALF) >> 16
}

/// Moves heights toward the targets of a brush.
fn move_heights(dabs: &Dabs<'_>, scene: Scene<'_>, tile: TileAddress, deltas: &mut [i32]) {
    let covers = dabs.covers(tile);
    let heights = scene.heights(tile.area());
    let mut shift = |target: &dyn Fn(usize, i64) -> i64| {
        for (at, delta) in deltas.iter_mut().enumerate() {
            if covers[at] > 0 {
                let height = i64::from(heights[at]);
                *delta = delta.wrapping_add(way(height, target(at, height), covers[at]) as i32);
            }
        }
    };
    match dabs.stroke.brush {
        Brush::Flatten { mm } => {
            let level = match mm {
                Some(mm) => mm.into(),
                None => scene.height(dabs.anchors()[0]),
            };
            shift(&|_, _| level);
        }
        Brush::Slope => {
            let ramp = Ramp::of(dabs, scene);
            shift(&|at, _| ramp.height(tile.area(), at));
        }
        Brush::Terrace { mm } => {
            let step = i64::from(mm);
            shift(&|_, height| (height + step / 2).div_euclid(step) * step);
        }
        Brush::Smooth { reach } => {
            let means = means(scene, tile.area(), reach);
            shift(&|at, _| means[at]);
        }
        Brush::Sharpen { reach } => {
            let means = means(scene, tile.area(), reach);
            shift(&|at, height| 2 * height - means[at]);
        }
        Brush::Clone { offset } => {
            let source = scene.heights(moved(tile.area(), offset));
            shift(&|at, _| source[at].into());
        }
        Brush::Raise { .. }
        | Brush::Lower { .. }
        | Brush::Noise { .. }
        | Brush::Stamp { .. }
        | Brush::Erode { .. }
        | Brush::Hole
        | Brush::Unhole
        | Brush::Paint { .. }
        | Brush::Plants { .. } => unreachable!("it moves no heights toward a target"),
    }
}

/// A ramp between the first and the last point of a stroke.
struct Ramp {
    from: [i64; 2],
    step: [i64; 2],
    heights: [i64; 2],
}

impl Ramp {
    fn of(dabs: &Dabs<'_>, scene: Scene<'_>) -> Self {
        let points = &dabs.stroke.points;
        let (first, last) = (points[0], points[points.len() - 1]);
        Self {
            from: first,
            step: [last[0] - first[0], last[1] - first[1]],
            heights: dabs.anchors().map(|cell| scene.height(cell)),
        }
    }

    /// The height of the cell with an index in a tile.
    fn height(&self, tile: CellRect, at: usize) -> i64 {
        let cell = [
            tile.column + (at % TILE_SIDE) as i64,
            tile.row + (at / TILE_SIDE) as i64,
        ];
        let [x, y] = [0, 1].map(|axis| cell[axis] * UNITS - self.from[axis]);
        // At most 2^49, as a stroke has at most 2^24 units.
        let square = self.step[0].pow(2) + self.step[1].pow(2);
        let along = (x * self.step[0] + y * self.step[1]).clamp(0, square);
        let share = (i128::from(along) << 16) / i128::from(square.max(1));
        let [first, last] = self.heights;
        first + (((last - first) * share as i64 + HALF) >> 16)
    }
}

/// The means of the squares around the cells of an area, rounded to the nearest.
fn means(scene: Scene<'_>, area: CellRect, reach: u32) -> Vec<i64> {
    let around = area.grown(reach);
    let heights = scene.heights(around);
    let (side, reach) = (around.columns as usize, reach as usize);
    let span = 2 * reach + 1;
    let count = (span * span) as i64;
    // Sums along rows, and then the sums of those along columns.
    let mut columns = vec![0_i64; area.columns as usize];
    let rows: Vec<Vec<i64>> = heights
        .chunks_exact(side)
        .map(|row| sums(row, span))
        .collect();
    let mut means = Vec::with_capacity(area.cells());
    for (at, row) in rows.iter().enumerate() {
        for (sum, add) in columns.iter_mut().zip(row) {
            *sum += add;
        }
        if at + 1 < span {
            continue;
        }
        means.extend(
            columns
                .iter()
                .map(|sum| (sum + count / 2).div_euclid(count)),
        );
        for (sum, remove) in columns.iter_mut().zip(&rows[at + 1 - span]) {
            *sum -= remove;
        }
    }
    means
}

/// The sums of each `span` consecutive heights.
fn sums(row: &[i32], span: usize) -> Vec<i64> {
    let mut sum: i64 = row[..span].iter().map(|&height| i64::from(height)).sum();
    let mut sums = Vec::with_capacity(row.len() + 1 - span);
    sums.push(sum);
    for (leave, enter) in row.iter().zip(&row[span..]) {
        sum += i64::from(*enter) - i64::from(*leave);
        sums.push(sum);
    }
    sums
}
