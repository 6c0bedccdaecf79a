//! Where waves break: along the open sea, not on lakes.
//!
//! Waves grow over the length of water that the wind has; a lake has none to speak of. So the
//! water is taken together, piece by piece, on a coarse raster: a piece that covers a good part
//! of the map is a sea, and so is what reaches the border of a map that stands in one.

use glam::DVec2;

use crate::height_field::HeightField;

/// Blocks along the map's longer side.
const SIDE: usize = 256;

/// The share of the map that a sea covers at least.
const LEAST_SEA: f64 = 0.12;

/// The blocks of a map over which there is surf.
pub(super) struct Surf {
    /// Half the map's extent, and the side of a block, in world units.
    half: DVec2,
    side: f64,
    /// Blocks from west to east.
    width: usize,
    open: Vec<bool>,
}

impl Surf {
    /// Where the map stands in a sea at that world height, or on a `floor`.
    pub(super) fn new(ground: &HeightField, sea: f64, floor: bool) -> Self {
        let (columns, rows) = (ground.map.width(), ground.map.height());
        let block = columns.max(rows).div_ceil(SIDE);
        let (width, height) = (columns.div_ceil(block), rows.div_ceil(block));
        let level = ground.level(sea);
        let mut wet = vec![false; width * height];
        for y in 0..rows {
            let blocks = wet[y / block * width..][..width].iter_mut();
            for (wet, cells) in blocks.zip(ground.map.row(y).chunks(block)) {
                *wet |= cells.iter().any(|&height| height < level);
            }
        }
        let mut surf = Self {
            half: ground.half(),
            side: block as f64 * ground.cell,
            width,
            open: vec![false; width * height],
        };
        let least = (LEAST_SEA * wet.len() as f64) as usize;
        for start in 0..wet.len() {
            let (piece, at_border) = take_piece(&mut wet, width, start);
            if piece.len() > least || (at_border && !floor) {
                piece.into_iter().for_each(|block| surf.open[block] = true);
            }
        }
        surf
    }

    /// Whether waves break at that place; beyond the map they do.
    pub(super) fn is_at(&self, at: DVec2) -> bool {
        match (self.row(at.y), self.column(at.x)) {
            (Some(row), Some(column)) => row[column],
            _ => true,
        }
    }

    /// The blocks from west to east at so many world units to the south; none beyond the map.
    pub(super) fn row(&self, z: f64) -> Option<&[bool]> {
        let block = ((z + self.half.y) / self.side) as usize;
        (z.abs() <= self.half.y).then(|| &self.open[block * self.width..][..self.width])
    }

    /// Which of them is so many world units to the east.
    pub(super) fn column(&self, x: f64) -> Option<usize> {
        (x.abs() <= self.half.x).then_some(((x + self.half.x) / self.side) as usize)
    }
}

/// Takes all blocks away that hang together with this one, if it is wet; and says whether they
/// reach the border.
fn take_piece(wet: &mut [bool], width: usize, start: usize) -> (Vec<usize>, bool) {
    let (mut piece, mut at_border) = (Vec::new(), false);
    let mut found = vec![start];
    let height = wet.len() / width;
    while let Some(block) = found.pop() {
        if !core::mem::take(&mut wet[block]) {
            continue;
        }
        piece.push(block);
        let (x, y) = (block % width, block / width);
        at_border |= x == 0 || y == 0 || x + 1 == width || y + 1 == height;
        let beside = [
            (x > 0).then(|| block - 1),
            (x + 1 < width).then(|| block + 1),
            (y > 0).then(|| block - width),
            (y + 1 < height).then(|| block + width),
        ];
        found.extend(beside.into_iter().flatten());
    }
    (piece, at_border)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::{Heightmap, MapSize};

    /// Land with a round hole of that radius around its middle, in cells.
    fn holed(side: u64, radius: f64) -> Heightmap {
        let size = MapSize::new(side, side).unwrap();
        let middle = 0.5 * (side - 1) as f64;
        let height = |x: usize, y: usize| {
            let off = (x as f64 - middle).hypot(y as f64 - middle);
            if off < radius { 0.0 } else { 1.0 }
        };
        Heightmap::from_fn(size, height).unwrap()
    }

    #[test]
    fn a_sea_has_surf_and_a_lake_has_none() {
        for side in [100, 600] {
            for (share, expected) in [(0.05, false), (0.3, true)] {
                let map = holed(side, share * side as f64);
                let ground = HeightField::bare(&map, 0.2);
                let surf = Surf::new(&ground, 0.1, false);
                let at = surf.is_at(DVec2::ZERO);
                assert_eq!(at, expected, "{share} of {side} cells");
                assert!(surf.is_at(DVec2::new(0.7, 0.0)), "beyond the map");
            }
        }
    }

    #[test]
    fn a_bay_of_the_sea_around_the_map_has_surf_and_a_lake_that_a_plinth_cuts_has_none() {
        let size = MapSize::new(100, 100).unwrap();
        let bay = |x: usize, y: usize| if x < 6 && y < 40 { 0.0 } else { 1.0 };
        let map = Heightmap::from_fn(size, bay).unwrap();
        let ground = HeightField::bare(&map, 0.2);
        let at = DVec2::new(-0.48, -0.4);
        assert!(Surf::new(&ground, 0.1, false).is_at(at));
        assert!(!Surf::new(&ground, 0.1, true).is_at(at));
    }
}
