//! Where a stroke has an effect, and how much.
//!
//! The effect of a dab at a cell depends on the distance `d` between them, in units of 1/256 of a
//! cell:
//!
//! ```text
//!   d      = floor(sqrt(dx^2 + dy^2))           the dab has no effect if dx^2 + dy^2 >= radius^2
//!   inward = floor(65536 (radius - d) / radius)
//!   effect = falloff(inward) * strength         in 1/65536
//! ```
//!
//! Additive brushes use the sum of the effects of all dabs. Other brushes use the *cover*: as if
//! each dab moved the value by its effect of the remaining way to the target.
//!
//! The inner loop uses `f64`, which the compiler vectorizes, but every result is the exact integer:
//!
//! - `dx^2 + dy^2` is below 2^37, so it is exact in `f64`. IEEE 754 rounds the square root
//!   correctly. For `n < 2^52` this never reaches the next integer: the root of `k^2 - 1` is more
//!   than `1 / (2k)` below `k`, and `f64` is finer than that up to `k = 2^26`.
//! - The quotient `65536 (radius - d) / radius` is at most 2^16, and its distance from the next
//!   integer above is 0 or at least `1 / radius >= 2^-18`. The step of `f64` at 2^16 is 2^-36.
//!
//! Cost: about 6 ns per cell and dab.

use std::collections::BTreeSet;

use crate::{
    blocks,
    brush::{Brush, Falloff},
    cells::{CellRect, Channel, TILE_CELLS, TILE_SIDE, TileAddress},
    stroke::{Stroke, UNITS},
};

/// A stroke with its dabs.
pub(crate) struct Dabs<'a> {
    pub(crate) stroke: &'a Stroke,
    centers: Vec<[i64; 2]>,
}

/// The tiles that a stroke writes, and those whose state has an influence on it.
#[derive(Debug, Default)]
pub(crate) struct Footprint {
    pub(crate) writes: BTreeSet<TileAddress>,
    /// Empty for additive brushes. Otherwise it includes `writes`.
    pub(crate) reads: BTreeSet<TileAddress>,
}

impl<'a> Dabs<'a> {
    pub(crate) fn of(stroke: &'a Stroke) -> Self {
        let centers = stroke.dabs();
        Self { stroke, centers }
    }

    /// The number of cells in the squares around all dabs.
    pub(crate) fn work(&self) -> u64 {
        let side = u64::from(self.stroke.radius / 128 + 1);
        self.centers.len() as u64 * side * side
    }

    /// The tiles that the stroke writes and reads.
    pub(crate) fn footprint(&self) -> Footprint {
        let writes = self.reached_by(&self.centers);
        if self.stroke.brush.is_additive() {
            let reads = BTreeSet::new();
            return Footprint { writes, reads };
        }
        let mut reads = writes.clone();
        for tile in &writes {
            let sources = self.sources(tile.area()).into_iter();
            reads.extend(sources.flat_map(|area| area.tiles(tile.channel)));
        }
        Footprint { writes, reads }
    }

    fn reached_by(&self, dabs: &[[i64; 2]]) -> BTreeSet<TileAddress> {
        let mut tiles = BTreeSet::new();
        for center in dabs {
            let reaches = |tile: &TileAddress| self.reaches(center, tile.area());
            let around = self.around(center).tiles(self.stroke.brush.channel());
            tiles.extend(around.filter(reaches));
        }
        tiles
    }

    /// The tiles that may differ between this version of a drag and another one. The versions differ
    /// only in their points.
    ///
    /// The dabs before the first different one have the same effect in both.
    pub(crate) fn differing(&self, other: &Self) -> BTreeSet<TileAddress> {
        let ends = |dabs: &Self| {
            [dabs.stroke.points.first(), dabs.stroke.points.last()].map(Option::<&_>::copied)
        };
        let (before, after) = (ends(self), ends(other));
        let same_targets = match self.stroke.brush {
            Brush::Flatten { mm: None } => before[0] == after[0],
            Brush::Slope => before == after,
            _ => true,
        };
        let pairs = self.centers.iter().zip(&other.centers);
        let same = match same_targets {
            true => pairs.take_while(|(a, b)| a == b).count(),
            false => 0,
        };
        let mut tiles = self.reached_by(&self.centers[same..]);
        tiles.extend(other.reached_by(&other.centers[same..]));
        if let Brush::Erode { steps, .. } = self.stroke.brush {
            // Droplets carry the difference farther, but not out of the brush.
            let mut all = self.reached_by(&self.centers);
            all.extend(other.reached_by(&other.centers));
            let near = |tile: &TileAddress| {
                let mut around = tile.area().grown(steps).tiles(tile.channel);
                around.any(|tile| tiles.contains(&tile))
            };
            return all.iter().copied().filter(near).collect();
        }
        tiles
    }

    /// The cells whose state has an influence on other cells in an area that the stroke writes.
    pub(crate) fn sources(&self, area: CellRect) -> Vec<CellRect> {
        let anchors = || self.anchors().map(|[x, y]| CellRect::new(x, y, 1, 1));
        match self.stroke.brush {
            Brush::Flatten { mm: None } => vec![anchors()[0]],
            Brush::Slope => anchors().into(),
            Brush::Smooth { reach } | Brush::Sharpen { reach } => vec![area.grown(reach)],
            Brush::Erode { steps, .. } => vec![area.grown(steps + 1)],
            Brush::Clone { offset } => vec![moved(area, offset)],
            _ => Vec::new(),
        }
    }

    /// The blocks of a tile that the stroke writes.
    pub(crate) fn blocks(&self, tile: TileAddress) -> u64 {
        let mut found = 0;
        self.each_near(tile, |center, cells| {
            for (block, cells) in blocks::each(tile, blocks::of_area(tile, cells) & !found) {
                if self.reaches(&center, cells) {
                    found |= block;
                }
            }
        });
        found
    }

    /// The cells nearest to the first and the last point.
    pub(crate) fn anchors(&self) -> [[i64; 2]; 2] {
        let points = &self.stroke.points;
        let ends = [points.first(), points.last()];
        ends.map(|point| {
            let point = point.copied().unwrap_or_default();
            point.map(|axis| (axis + UNITS / 2).div_euclid(UNITS))
        })
    }

    /// The cells in the square around a dab.
    fn around(&self, &[x, y]: &[i64; 2]) -> CellRect {
        let radius = i64::from(self.stroke.radius);
        let first = |at: i64| (at - radius).div_euclid(UNITS) + 1;
        let count = |at: i64| ((at + radius - 1).div_euclid(UNITS) + 1 - first(at)) as u32;
        match self.stroke.brush {
            // Stamps include the border of the square.
            Brush::Stamp { .. } => {
                let first = |at: i64| -(radius - at).div_euclid(UNITS);
                let count = |at: i64| ((at + radius).div_euclid(UNITS) + 1 - first(at)) as u32;
                CellRect::new(first(x), first(y), count(x), count(y))
            }
            _ => CellRect::new(first(x), first(y), count(x), count(y)),
        }
    }

    /// Whether a dab has an effect on a cell of the area.
    fn reaches(&self, &[x, y]: &[i64; 2], area: CellRect) -> bool {
        if matches!(self.stroke.brush, Brush::Stamp { .. }) {
            return true;
        }
        let away = |at: i64, first: i64, end: i64| at.clamp(first * UNITS, (end - 1) * UNITS) - at;
        let east = away(x, area.column, area.end_column());
        let south = away(y, area.row, area.end_row());
        east * east + south * south < i64::from(self.stroke.radius).pow(2)
    }

    /// Calls `dab` for each dab that may have an effect on a cell of a tile, with its center and
    /// those cells of the tile that are in its square.
    pub(crate) fn each_near(&self, tile: TileAddress, mut dab: impl FnMut([i64; 2], CellRect)) {
        for center in &self.centers {
            if let Some(cells) = self.around(center).intersection(tile.area())
                && self.reaches(center, tile.area())
            {
                dab(*center, cells);
            }
        }
    }

    /// The sum of the effects of all dabs on each cell of a tile, in 1/65536. It cannot overflow,
    /// because there are at most 65,535 dabs with an effect of at most 65,536 each.
    pub(crate) fn sums(&self, tile: TileAddress) -> Vec<u32> {
        let mut sums = vec![0; TILE_CELLS];
        self.each_effect(tile, &mut sums, |sum, effect| *sum += effect as u32);
        sums
    }

    /// The cover of each cell of a tile, in 1/65536.
    pub(crate) fn covers(&self, tile: TileAddress) -> Vec<u32> {
        const ONE: u32 = 1 << 16;
        let mut left = vec![ONE; TILE_CELLS];
        self.each_effect(tile, &mut left, |left, effect| {
            *left = ((u64::from(*left) * (u64::from(ONE) - effect)) >> 16) as u32;
        });
        left.iter_mut().for_each(|left| *left = ONE - *left);
        left
    }

    /// The cover of each cell of an area, row by row.
    pub(crate) fn covers_of(&self, area: CellRect, channel: Channel) -> Vec<u32> {
        let mut all = vec![0; area.cells()];
        for tile in area.tiles(channel) {
            let Some(part) = area.intersection(tile.area()) else {
                continue;
            };
            let covers = self.covers(tile);
            for row in part.row..part.end_row() {
                let from = TileAddress::index(part.column, row);
                let to = (row - area.row) as usize * area.columns as usize
                    + (part.column - area.column) as usize;
                let columns = part.columns as usize;
                all[to..][..columns].copy_from_slice(&covers[from..][..columns]);
            }
        }
        all
    }

    /// The cells of a tile that are within the radius of a dab.
    pub(crate) fn inside(&self, tile: TileAddress) -> Vec<bool> {
        let mut inside = vec![false; TILE_CELLS];
        self.each_of(tile, &mut inside, |_| 0, |inside, _| *inside = true);
        inside
    }

    /// Calls `apply` for each cell within the radius of each dab, with its effect.
    fn each_effect<T>(&self, tile: TileAddress, cells: &mut [T], apply: impl Fn(&mut T, u64)) {
        let falloffs = [
            Falloff::Constant,
            Falloff::Linear,
            Falloff::Smooth,
            Falloff::Dome,
            Falloff::Tip,
        ];
        // Each falloff has a separate loop, in which it is a constant.
        let [constant, linear, smooth, dome, tip] = falloffs;
        match self.stroke.falloff {
            Falloff::Constant => self.each_of(tile, cells, |inward| constant.effect(inward), apply),
            Falloff::Linear => self.each_of(tile, cells, |inward| linear.effect(inward), apply),
            Falloff::Smooth => self.each_of(tile, cells, |inward| smooth.effect(inward), apply),
            Falloff::Dome => self.each_of(tile, cells, |inward| dome.effect(inward), apply),
            Falloff::Tip => self.each_of(tile, cells, |inward| tip.effect(inward), apply),
        }
    }

    #[inline(always)]
    fn each_of<T>(
        &self,
        tile: TileAddress,
        cells: &mut [T],
        falloff: impl Fn(u64) -> u64,
        apply: impl Fn(&mut T, u64),
    ) {
        let radius = i64::from(self.stroke.radius);
        let strength = self.stroke.strength();
        let per_radius = radius as f64;
        let area = tile.area();
        self.each_near(tile, |[x, y], near| {
            for row in near.row..near.end_row() {
                let dy = row * UNITS - y;
                let rest = radius * radius - dy * dy;
                if rest <= 0 {
                    continue;
                }
                // The cells with dx^2 < rest.
                let half = (rest - 1).isqrt();
                let first = (-(half - x).div_euclid(UNITS)).max(near.column);
                let end = ((x + half).div_euclid(UNITS) + 1).min(near.end_column());
                if first >= end {
                    continue;
                }
                let start = (row - area.row) as usize * TILE_SIDE + (first - area.column) as usize;
                let dy2 = (dy * dy) as f64;
                let dx = first * UNITS - x;
                for (at, cell) in cells[start..][..(end - first) as usize]
                    .iter_mut()
                    .enumerate()
                {
                    let dx = (dx as i32 + at as i32 * UNITS as i32) as f64;
                    let distance = f64::from((dx * dx + dy2).sqrt() as i32);
                    let inward = (65_536.0 * (per_radius - distance) / per_radius) as i32;
                    apply(cell, (falloff(inward as u64) * strength) >> 16);
                }
            }
        });
    }
}

/// A rectangle at an offset.
pub(crate) fn moved(area: CellRect, [east, south]: [i64; 2]) -> CellRect {
    let (column, row) = (area.column + east, area.row + south);
    CellRect::new(column, row, area.columns, area.rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_random::SeededRng;

    /// The claims of the module docs about `f64`.
    #[test]
    fn float_roots_and_quotients_are_exact_integers() {
        let mut rng = SeededRng::new(6, b"test    ");
        for root in 1_i64..(1 << 19) {
            for square in [root * root - 1, root * root, root * root + 1] {
                assert_eq!((square as f64).sqrt() as i32 as i64, square.isqrt());
            }
        }
        for _ in 0..2_000_000 {
            let radius = 1 + rng.below(1 << 18) as i64;
            let distance = rng.below(radius as u64 + 1) as i64;
            let quotient = 65_536.0 * (radius - distance) as f64 / radius as f64;
            assert_eq!(quotient as i64, 65_536 * (radius - distance) / radius);
        }
    }

    #[test]
    fn footprints_contain_exactly_the_tiles_with_an_effect() {
        let mut rng = SeededRng::new(7, b"test    ");
        for _ in 0..60 {
            let mut place = || [(); 2].map(|()| i64::from(rng.within(-90_000, 90_000)));
            let points = [place(), place()];
            let radius = 1 + rng.below(40_000) as u32;
            let mut stroke = Stroke::along(Brush::Slope, radius, points);
            stroke.falloff = Falloff::Constant;
            let dabs = Dabs::of(&stroke);
            let writes = dabs.footprint().writes;
            let all = CellRect::new(-700, -700, 1400, 1400);
            for tile in all.tiles(Channel::Heights) {
                let effect = dabs.sums(tile).iter().any(|&sum| sum > 0);
                // A tile may have no cell at its nearest point to a dab.
                assert!(writes.contains(&tile) || !effect, "{tile:?}");
            }
            let with_effect = |tile: &&TileAddress| dabs.sums(**tile).iter().any(|&sum| sum > 0);
            let count = writes.iter().filter(with_effect).count();
            assert!(
                count * 10 >= writes.len() * 9,
                "{count} of {}",
                writes.len()
            );
        }
    }
}
