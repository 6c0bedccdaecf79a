//! Applies edits to a heightmap.

use std::sync::Arc;

use lanternfell_heightmap::{Heightmap, HoleMask};

use crate::{
    base::MapBase,
    cells::{CellRect, Channel, TILE_SIDE, TileAddress},
    tile::Tile,
};

/// The heights and holes of a map while tiles of edits are set, one by one.
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
///     edited.set(address, Some(tile));
/// }
/// let (heights, holes) = edited.finish();
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
    heights: Arc<Heightmap>,
    holes: Option<HoleMask>,
}

impl<'a> EditedMap<'a> {
    /// Starts with the map of a base, and with its holes if it has any. The base must be that of the edits.
    pub fn new(base: &'a MapBase, holes: Option<&'a HoleMask>) -> Self {
        Self {
            base,
            own_holes: holes,
            heights: base.map().clone(),
            holes: holes.cloned(),
        }
    }

    /// Starts with the result for other edits of the same map. Then set only the tiles that differ.
    ///
    /// If nobody else uses these heights, they are changed in place.
    #[must_use]
    pub fn from_older(self, heights: Arc<Heightmap>, holes: Option<HoleMask>) -> Self {
        Self {
            heights,
            holes,
            ..self
        }
    }

    /// Sets a tile of edits, or removes its edits. Cells outside of the map, and tiles of paint and plants, have no
    /// effect.
    ///
    /// An edited height is a whole number of millimeters before it is converted to a height of the map, so that
    /// flattened terrain is exactly flat. Cells that are not edited keep their bits.
    pub fn set(&mut self, address: TileAddress, tile: Option<&Tile>) {
        let size = self.heights.size();
        let whole = CellRect::new(0, 0, size.width() as u32, size.height() as u32);
        let Some(area) = address.area().intersection(whole) else {
            return;
        };
        match (address.channel, tile) {
            (Channel::Heights, Some(Tile::Heights(deltas))) => {
                self.set_heights(area, Some(deltas));
            }
            (Channel::Heights, None) => self.set_heights(area, None),
            (Channel::Holes, Some(Tile::Holes(rows))) => self.set_holes(address, Some(rows)),
            (Channel::Holes, None) => self.set_holes(address, None),
            _ => {}
        }
    }

    /// Returns the heights and the holes of the map with the edits.
    pub fn finish(self) -> (Arc<Heightmap>, Option<HoleMask>) {
        let is_empty = |holes: &HoleMask| holes.count() == 0;
        let holes = match self.own_holes {
            None => self.holes.filter(|holes| !is_empty(holes)),
            Some(_) => self.holes,
        };
        (self.heights, holes)
    }

    /// Sets the heights of a tile in `area`, the part of it that is on the map.
    fn set_heights(&mut self, area: CellRect, deltas: Option<&[i32]>) {
        let base = self.base;
        let heights = Arc::make_mut(&mut self.heights);
        for row in area.row..area.end_row() {
            let y = row as usize;
            let unedited = &base.map().row(y)[area.column as usize..];
            for (column, &before) in (area.column..area.end_column()).zip(unedited) {
                let height = match deltas.map_or(0, |all| all[TileAddress::index(column, row)]) {
                    0 => before,
                    delta => base.height_of_mm(base.mm(before).wrapping_add(delta)),
                };
                let x = column as usize;
                heights.set(x, y, height).expect("all heights are finite");
            }
        }
    }

    /// Sets the holes of a tile. Squares beyond the last column and row of the mask do not exist.
    fn set_holes(&mut self, tile: TileAddress, rows: Option<&[u64]>) {
        let none = || HoleMask::none(self.heights.size());
        let holes = self.holes.get_or_insert_with(none);
        let area = tile.area();
        for (index, row) in (area.row..area.end_row()).enumerate() {
            let bits = rows.map_or(0, |rows| rows[index]);
            for bit in 0..TILE_SIDE as i64 {
                let square = (usize::try_from(area.column + bit), usize::try_from(row));
                let (Ok(column), Ok(row)) = square else {
                    continue;
                };
                let own = self.own_holes.is_some_and(|own| own.is_hole(column, row));
                holes.set(column, row, own || bits >> bit & 1 == 1).ok();
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
    ) -> (Arc<Heightmap>, Option<HoleMask>) {
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
            edited.set(address, Some(tile));
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
        assert!(flat.size() == map().size() && flat.heights().iter().all(|&z| z == 0.2345));
        assert_eq!(none, None);
        let (heights, holes) = edited(&map(), 10.0, Brush::Hole);
        assert_eq!(*heights, *map());
        assert_eq!(holes.unwrap().count(), 69 * 66);
    }

    /// The smallest relief makes a height of one millimeter larger than any `f32`.
    #[test]
    fn heights_stay_finite_at_any_relief() {
        for relief in [f32::MIN_POSITIVE, 1e-30, Scale::MAX] {
            let (heights, _) = edited(&map(), relief, Brush::Raise { mm: 1_000_000 });
            assert!(heights.heights().iter().all(|z| z.is_finite()));
        }
    }

    /// Tiles of one log replace those of another, in place.
    #[test]
    fn older_edits_are_replaced() {
        let map = map();
        let scale = Scale {
            spacing: 1.0,
            relief: 30.0,
        };
        let base = MapBase::new(map.clone(), scale).unwrap();
        let mut own = HoleMask::none(map.size());
        own.set(3, 3, true).unwrap();
        for own in [None, Some(&own)] {
            let log = |strokes: &[(Brush, i64)]| {
                let mut edits = Edits::new(Arc::new(base.clone()));
                for (brush, column) in strokes {
                    let stroke = Stroke::along(brush.clone(), 4 * 256, [[column * 256, 2560]]);
                    edits.stroke(1, stroke).unwrap();
                }
                edits
            };
            let raise = || Brush::Raise { mm: 900 };
            let old = log(&[(raise(), 10), (Brush::Hole, 20), (Brush::Hole, 66)]);
            let new = log(&[(raise(), 66), (Brush::Hole, 30)]);
            let fresh = |edits: &Edits| {
                let mut edited = EditedMap::new(&base, own);
                for (address, tile) in edits.tiles() {
                    edited.set(address, Some(tile));
                }
                edited.finish()
            };
            let (heights, holes) = fresh(&old);
            let memory = Arc::as_ptr(&heights);
            let mut edited = EditedMap::new(&base, own).from_older(heights, holes);
            let addresses = old.tiles().chain(new.tiles()).map(|(address, _)| address);
            for address in addresses {
                edited.set(address, new.tile(address).map(|tile| &**tile));
            }
            let (heights, holes) = edited.finish();
            assert_eq!(Arc::as_ptr(&heights), memory);
            assert_eq!((heights, holes), fresh(&new));
            // Without any edits.
            let (heights, holes) = fresh(&new);
            let mut edited = EditedMap::new(&base, own).from_older(heights, holes);
            for (address, _) in new.tiles() {
                edited.set(address, None);
            }
            assert_eq!(edited.finish(), (map.clone(), own.cloned()));
        }
    }
}
