//! Where waves break: along the open sea, not on lakes.
//!
//! Waves grow with the fetch, the length of water over which the wind blows, and that of a lake is
//! short. The connected bodies of water are found on a coarse grid. A body that covers a large part
//! of the map is a sea. So is a body that reaches the border of a map that is surrounded by sea.

use glam::DVec2;

use crate::height_field::HeightField;

/// Blocks along the map's longer side.
const SIDE: usize = 256;

/// The least share of the map that a sea covers.
const LEAST_SEA: f64 = 0.12;

/// The blocks of a map that have surf.
pub(super) struct Surf {
    /// Half the map's extent, and the side of a block, in world units.
    half: DVec2,
    side: f64,
    /// Blocks from west to east.
    width: usize,
    open: Vec<bool>,
}

impl Surf {
    /// The surf of a map with the sea at world height `sea`. `floor` is `true` if the map is on a
    /// floor instead of in a sea.
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

    /// Whether waves break at that place. Beyond the map they do.
    pub(super) fn is_at(&self, at: DVec2) -> bool {
        match (self.row(at.y), self.column(at.x)) {
            (Some(row), Some(column)) => row[column],
            _ => true,
        }
    }

    /// The blocks of the row at the southward coordinate `z`, from west to east. `None` beyond the
    /// map.
    pub(super) fn row(&self, z: f64) -> Option<&[bool]> {
        let block = ((z + self.half.y) / self.side) as usize;
        (z.abs() <= self.half.y).then(|| &self.open[block * self.width..][..self.width])
    }

    /// The index of the block at the eastward coordinate `x`. `None` beyond the map.
    pub(super) fn column(&self, x: f64) -> Option<usize> {
        (x.abs() <= self.half.x).then_some(((x + self.half.x) / self.side) as usize)
    }
}

/// Removes the wet blocks connected with block `start`. Returns them, and whether they reach the
/// border.
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
        let neighbors = [
            (x > 0).then(|| block - 1),
            (x + 1 < width).then(|| block + 1),
            (y > 0).then(|| block - width),
            (y + 1 < height).then(|| block + width),
        ];
        found.extend(neighbors.into_iter().flatten());
    }
    (piece, at_border)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::{Heightmap, MapSize};

    /// Land with a round hole of that radius around its center, in cells.
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
    fn only_seas_have_surf() {
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
    fn border_water_has_surf_unless_on_a_plinth() {
        let size = MapSize::new(100, 100).unwrap();
        let bay = |x: usize, y: usize| if x < 6 && y < 40 { 0.0 } else { 1.0 };
        let map = Heightmap::from_fn(size, bay).unwrap();
        let ground = HeightField::bare(&map, 0.2);
        let at = DVec2::new(-0.48, -0.4);
        assert!(Surf::new(&ground, 0.1, false).is_at(at));
        assert!(!Surf::new(&ground, 0.1, true).is_at(at));
    }
}
