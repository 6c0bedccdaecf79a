//! Applies edits to a heightmap.

use lanternfell_heightmap::{Heightmap, HoleMask};

use crate::{
    base::{BaseHeights, MapBase},
    cells::{CellRect, TILE_SIDE, TileAddress},
    tile::Tile,
};

/// The heights and holes of a map while tiles of edits are added to them, one by one.
///
/// Work on a large map can pause or stop between two tiles. Nothing is copied until a tile changes it.
///
/// ```
/// use std::sync::Arc;
/// use lanternfell_edits::{Brush, EditedMap, Edits, MapBase, Stroke};
/// use lanternfell_heightmap::{Heightmap, MapSize, Scale};
///
/// let map = Arc::new(Heightmap::from_fn(MapSize::new(80, 80)?, |x, _| x as f32 / 80.0)?);
/// let base = MapBase::new(map.clone(), Scale { spacing: 1.0, relief: 40.0 })?;
/// let mut edits = Edits::new(Arc::new(base.clone()));
/// edits.stroke(1, Stroke::along(Brush::Flatten { mm: Some(-2000) }, 512, [[20 * 256, 30 * 256]]))?;
///
/// let mut edited = EditedMap::new(&base, None);
/// for (address, tile) in edits.tiles() {
///     edited.add(address, tile);
/// }
/// let (heights, holes) = edited.finish();
/// let heights = heights.ok_or("no tile of heights")?;
/// assert_eq!(heights.get(20, 30), -2.0 / 40.0);
/// assert_eq!(heights.get(50, 30), map.get(50, 30));
/// assert_eq!(holes, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EditedMap<'a> {
    base: &'a MapBase,
    /// The holes of the map without edits.
    own_holes: Option<&'a HoleMask>,
    heights: Option<Vec<f32>>,
    holes: Option<HoleMask>,
}

impl<'a> EditedMap<'a> {
    /// Starts with the map of a base, and with its holes if it has any. The base must be that of the edits.
    pub fn new(base: &'a MapBase, holes: Option<&'a HoleMask>) -> Self {
        Self {
            base,
            own_holes: holes,
            heights: None,
            holes: None,
        }
    }

    /// Adds a tile of edits. Cells outside of the map, and tiles of paint and plants, have no effect.
    ///
    /// An edited height is a whole number of millimeters before it is converted to a height of the map, so that
    /// flattened terrain is exactly flat. Cells that are not edited keep their bits.
    pub fn add(&mut self, address: TileAddress, tile: &Tile) {
        let size = self.base.map().size();
        let whole = CellRect::new(0, 0, size.width() as u32, size.height() as u32);
        let Some(area) = address.area().intersection(whole) else {
            return;
        };
        match tile {
            Tile::Heights(deltas) => self.add_heights(address, area, deltas),
            Tile::Holes(rows) => self.add_holes(address, rows),
            Tile::Paint(_) | Tile::Plants(_) => {}
        }
    }

    /// Returns the heights and the holes of the map with the edits, or `None` for those without edits.
    pub fn finish(self) -> (Option<Heightmap>, Option<HoleMask>) {
        let size = self.base.map().size();
        let heights = self.heights.map(|heights| {
            Heightmap::from_heights(size, heights)
                .expect("the number of heights is unchanged and all are finite")
        });
        (heights, self.holes)
    }

    /// Adds the deltas of a tile in `area`, the part of it that is on the map.
    fn add_heights(&mut self, tile: TileAddress, area: CellRect, deltas: &[i32]) {
        let base = self.base;
        let mut unedited = vec![0; area.cells()];
        base.heights_mm(area, &mut unedited);
        let heights = self
            .heights
            .get_or_insert_with(|| base.map().heights().to_vec());
        let (whole, columns) = (tile.area(), area.columns as usize);
        for (row, unedited) in (area.row..).zip(unedited.chunks_exact(columns)) {
            let first =
                (row - whole.row) as usize * TILE_SIDE + (area.column - whole.column) as usize;
            let start = row as usize * base.map().width() + area.column as usize;
            let cells = heights[start..][..columns].iter_mut();
            for ((height, &before), &delta) in cells.zip(unedited).zip(&deltas[first..]) {
                if delta != 0 {
                    *height = base.height_of_mm(before.wrapping_add(delta));
                }
            }
        }
    }

    /// Makes the holes of a tile. Squares beyond the last column and row of the mask do not exist.
    fn add_holes(&mut self, tile: TileAddress, rows: &[u64]) {
        let size = self.base.map().size();
        let own = self.own_holes;
        let holes = self
            .holes
            .get_or_insert_with(|| own.cloned().unwrap_or(HoleMask::none(size)));
        let area = tile.area();
        for (row, bits) in (area.row..).zip(rows) {
            for bit in (0..64).filter(|bit| bits >> bit & 1 == 1) {
                let square = (usize::try_from(area.column + bit), usize::try_from(row));
                if let (Ok(column), Ok(row)) = square {
                    holes.set(column, row, true).ok();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Brush, Edits, Falloff, Stroke};
    use lanternfell_heightmap::{MapSize, Scale};

    fn edited(
        map: &Arc<Heightmap>,
        relief: f32,
        brush: Brush,
    ) -> (Option<Heightmap>, Option<HoleMask>) {
        let scale = Scale {
            spacing: 1.0,
            relief,
        };
        let base = MapBase::new(map.clone(), scale).unwrap();
        let mut edits = Edits::new(Arc::new(base.clone()));
        // It covers the whole map and more.
        let stroke = Stroke {
            falloff: Falloff::Constant,
            ..Stroke::along(brush, 200 * 256, [[40 * 256, 40 * 256]])
        };
        edits.stroke(1, stroke).unwrap();
        let mut edited = EditedMap::new(&base, None);
        for (address, tile) in edits.tiles() {
            edited.add(address, tile);
        }
        edited.finish()
    }

    fn map() -> Arc<Heightmap> {
        let size = MapSize::new(70, 67).unwrap();
        Arc::new(Heightmap::from_fn(size, |x, y| (x * y % 31) as f32 / 31.0).unwrap())
    }

    #[test]
    fn tiles_end_at_the_edges_of_the_map() {
        let (flat, none) = edited(&map(), 10.0, Brush::Flatten { mm: Some(2345) });
        let flat = flat.unwrap();
        assert!(flat.size() == map().size() && flat.heights().iter().all(|&z| z == 0.2345));
        assert_eq!(none, None);
        let (heights, holes) = edited(&map(), 10.0, Brush::Hole);
        assert_eq!(heights, None);
        assert_eq!(holes.unwrap().count(), 69 * 66);
    }

    /// The smallest relief makes a height of one millimeter larger than any `f32`.
    #[test]
    fn heights_stay_finite_at_any_relief() {
        for relief in [f32::MIN_POSITIVE, 1e-30, Scale::MAX] {
            let (heights, _) = edited(&map(), relief, Brush::Raise { mm: 1_000_000 });
            assert!(heights.unwrap().heights().iter().all(|z| z.is_finite()));
        }
    }
}
