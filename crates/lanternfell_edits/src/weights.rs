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
//! How they are computed is in [`effects`].

mod effects;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{
    blocks,
    brush::Brush,
    cells::{CellRect, TileAddress},
    stroke::{Stroke, UNITS},
};

/// The effects of dabs on the cells of tiles: sums for additive brushes, otherwise the parts of the
/// way to the target that are left. In 1/65536.
pub(crate) type Effects = BTreeMap<TileAddress, Arc<Vec<u32>>>;

/// A stroke with its dabs.
pub(crate) struct Dabs<'a> {
    pub(crate) stroke: &'a Stroke,
    centers: Vec<[i64; 2]>,
    /// The effects on some tiles, if they are known.
    known: Option<&'a Effects>,
}

/// The tiles that a stroke writes, and those whose state has an influence on it.
#[derive(Debug, Default)]
pub(crate) struct Footprint {
    pub(crate) writes: BTreeSet<TileAddress>,
    /// Empty for additive brushes. Otherwise it includes `writes`.
    pub(crate) reads: BTreeSet<TileAddress>,
}

impl<'a> Dabs<'a> {
    /// The dabs of a valid stroke.
    pub(crate) fn of(stroke: &'a Stroke) -> Self {
        Self {
            stroke,
            centers: stroke.valid_dabs(),
            known: None,
        }
    }

    pub(crate) fn with_known(self, known: Option<&'a Effects>) -> Self {
        Self { known, ..self }
    }

    /// The number of dabs.
    pub(crate) fn count(&self) -> usize {
        self.centers.len()
    }

    /// The number of cells in the squares around all dabs.
    pub(crate) fn work(&self) -> u64 {
        let side = u64::from(self.stroke.radius / 128 + 1);
        self.centers.len() as u64 * side * side
    }

    /// The tiles that the stroke writes and reads.
    pub(crate) fn footprint(&self) -> Footprint {
        self.footprint_from(0)
    }

    /// The tiles that the dabs from the one with the index `first` on write and read.
    pub(crate) fn footprint_from(&self, first: usize) -> Footprint {
        let writes = self.reached_from(first);
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

    /// The tiles that the dabs from the one with the index `first` on write.
    pub(crate) fn reached_from(&self, first: usize) -> BTreeSet<TileAddress> {
        let mut tiles = BTreeSet::new();
        for center in &self.centers[first..] {
            let reaches = |tile: &TileAddress| self.reaches(center, tile.area());
            let around = self.around(center).tiles(self.stroke.brush.channel());
            tiles.extend(around.filter(reaches));
        }
        tiles
    }

    /// Whether this version of a drag only has more dabs than the version `before`. The versions
    /// differ only in their points.
    pub(crate) fn continues(&self, before: &Self) -> bool {
        self.centers.starts_with(&before.centers)
    }

    /// The tiles that may differ from those of a version `before` of a drag.
    ///
    /// The dabs before the first different one have the same effect in both.
    pub(crate) fn differing(&self, before: &Self) -> BTreeSet<TileAddress> {
        let pairs = self.centers.iter().zip(&before.centers);
        let same = match self.has_targets_of(before) {
            true => pairs.take_while(|(a, b)| a == b).count(),
            false => 0,
        };
        let mut tiles = self.reached_from(same);
        tiles.extend(before.reached_from(same));
        if let Brush::Erode { steps, .. } = self.stroke.brush {
            // Droplets carry the difference farther, but not out of the brush.
            let mut all = self.reached_from(0);
            all.extend(before.reached_from(0));
            let near = |tile: &TileAddress| {
                let mut around = tile.area().grown(steps).tiles(tile.channel);
                around.any(|tile| tiles.contains(&tile))
            };
            return all.iter().copied().filter(near).collect();
        }
        tiles
    }

    /// Whether the same dabs move heights to the same targets in another version of a drag.
    pub(crate) fn has_targets_of(&self, other: &Self) -> bool {
        let [a, b] = [&self.stroke.points, &other.stroke.points];
        match self.stroke.brush {
            Brush::Flatten { mm: None } => a.first() == b.first(),
            Brush::Slope => [a.first(), a.last()] == [b.first(), b.last()],
            _ => true,
        }
    }

    /// The blocks of a tile that may differ from those of the version `before` of a drag.
    pub(crate) fn differing_blocks(&self, before: &Self, tile: TileAddress) -> u64 {
        let is_only_longer = self.continues(before) && self.has_targets_of(before);
        match self.stroke.brush {
            Brush::Erode { .. } => self.blocks(tile) | before.blocks(tile),
            _ if is_only_longer => self.blocks_from(before.count(), tile),
            _ => self.blocks(tile) | before.blocks(tile),
        }
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
        self.blocks_from(0, tile)
    }

    /// The blocks of a tile that the dabs from the one with the index `first` on write.
    fn blocks_from(&self, first: usize, tile: TileAddress) -> u64 {
        let mut found = 0;
        self.each_near(first, tile, |center, cells| {
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

    /// Calls `dab` for each dab from the one with the index `first` on that may have an effect on a
    /// cell of a tile, with its center and those cells of the tile that are in its square.
    pub(crate) fn each_near(
        &self,
        first: usize,
        tile: TileAddress,
        mut dab: impl FnMut([i64; 2], CellRect),
    ) {
        for center in &self.centers[first..] {
            if let Some(cells) = self.around(center).intersection(tile.area())
                && self.reaches(center, tile.area())
            {
                dab(*center, cells);
            }
        }
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
    use crate::{brush::Falloff, cells::Channel};
    use lanternfell_random::SeededRng;

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
                let effect = dabs.covers(tile).iter().any(|&cover| cover > 0);
                // A tile may have no cell at its nearest point to a dab.
                assert!(writes.contains(&tile) || !effect, "{tile:?}");
            }
            let with_effect =
                |tile: &&TileAddress| dabs.covers(**tile).iter().any(|&cover| cover > 0);
            let count = writes.iter().filter(with_effect).count();
            assert!(
                count * 10 >= writes.len() * 9,
                "{count} of {}",
                writes.len()
            );
        }
    }
}
