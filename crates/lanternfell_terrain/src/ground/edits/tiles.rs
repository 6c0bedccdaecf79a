//! The tiles of edits at one moment: applied to a generated map, and compared with those of another moment.

use std::{cmp::Ordering, sync::Arc};

use lanternfell_edits::{
    BaseHeights, CellRect, Channel, Edits, MapBase, TILE_SIDE, Tile, TileAddress,
};
use lanternfell_heightmap::{Canceled, Heightmap, HoleMask, MapSize, Progress, Scale};
use lanternfell_tasks::pause;

use crate::{cells::CellArea, ground::change::SurfaceChange, map::TerrainMap};

/// The heights and holes of edits at one moment, in the order of their addresses. Cheap to create, because tiles are
/// shared.
#[derive(Debug, Clone, Default)]
pub(in crate::ground) struct EditTiles(Arc<[(TileAddress, Arc<Tile>)]>);

impl EditTiles {
    pub(super) fn of(edits: &Edits) -> Self {
        let shapes = edits
            .tiles()
            .filter(|(address, _)| matches!(address.channel, Channel::Heights | Channel::Holes));
        let mut tiles: Vec<_> = shapes
            .map(|(address, tile)| (address, tile.clone()))
            .collect();
        tiles.sort_unstable_by_key(|(address, _)| *address);
        Self(tiles.into())
    }

    fn tile(&self, address: TileAddress) -> Option<&Tile> {
        let found = self
            .0
            .binary_search_by_key(&address, |(address, _)| *address);
        found.ok().map(|index| &*self.0[index].1)
    }

    /// Returns `map` with the edits. Cells without edits keep their bits.
    pub(in crate::ground) async fn on(
        &self,
        map: &TerrainMap,
        base: &MapBase,
        scale: Scale,
        progress: &Progress,
    ) -> Result<TerrainMap, Canceled> {
        let all: Vec<_> = self.0.iter().map(|(address, _)| *address).collect();
        self.replace(&all, map.clone(), map, base, scale, progress)
            .await
    }

    /// Returns `edited`, which has other edits of the map `unedited`, with these tiles replaced by those of `self`.
    pub(in crate::ground) async fn replace(
        &self,
        tiles: &[TileAddress],
        mut edited: TerrainMap,
        unedited: &TerrainMap,
        base: &MapBase,
        scale: Scale,
        progress: &Progress,
    ) -> Result<TerrainMap, Canceled> {
        let mut holes = None;
        for &address in tiles {
            progress.check()?;
            pause().await;
            match address.channel {
                Channel::Heights => {
                    let deltas = match self.tile(address) {
                        Some(Tile::Heights(deltas)) => Some(&**deltas),
                        _ => None,
                    };
                    let heights = edited.heights_mut();
                    shape(heights, address, deltas, unedited.heights(), base, scale);
                }
                Channel::Holes => {
                    let mask = || edited.holes().cloned();
                    let none = || HoleMask::none(unedited.size());
                    let holes = holes.get_or_insert_with(|| mask().unwrap_or_else(none));
                    let rows = match self.tile(address) {
                        Some(Tile::Holes(rows)) => Some(&**rows),
                        _ => None,
                    };
                    dig(holes, address, rows, unedited.holes());
                }
                Channel::Paint | Channel::Plants => {}
            }
        }
        Ok(match holes {
            // As without edits.
            Some(holes) if holes.count() == 0 => edited.with_holes_of(unedited),
            Some(holes) => edited.with_holes(holes),
            None => edited,
        })
    }

    /// The addresses of the tiles that differ from those of `before`.
    pub(in crate::ground) fn differing(&self, before: &Self) -> Vec<TileAddress> {
        let (mut new, mut old) = (self.0.iter().peekable(), before.0.iter().peekable());
        let mut found = Vec::new();
        loop {
            let order = match (new.peek(), old.peek()) {
                (Some((new, _)), Some((old, _))) => new.cmp(old),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return found,
            };
            match order {
                Ordering::Less => found.extend(new.next().map(|(address, _)| *address)),
                Ordering::Greater => found.extend(old.next().map(|(address, _)| *address)),
                Ordering::Equal => {
                    if let (Some((address, new)), Some((_, old))) = (new.next(), old.next())
                        && !Arc::ptr_eq(new, old)
                    {
                        found.push(*address);
                    }
                }
            }
        }
    }

    /// What differs between two maps with these edits of the same map.
    pub(in crate::ground) fn change_since(&self, before: &Self, size: MapSize) -> SurfaceChange {
        let mut change = SurfaceChange::default();
        for address in self.differing(before) {
            let empty = Tile::empty(address.channel);
            let [new, old] = [self, before].map(|tiles| tiles.tile(address).unwrap_or(&empty));
            let Some(cells) = new.difference(old, address) else {
                continue;
            };
            let is_hole = address.channel == Channel::Holes;
            // A hole is between four cells.
            let further = i64::from(is_hole);
            let cells = CellArea {
                min: (cells.column, cells.row).into(),
                max: (
                    cells.end_column() - 1 + further,
                    cells.end_row() - 1 + further,
                )
                    .into(),
            };
            if let Some(cells) = cells.common(&CellArea::of_map(size)) {
                change.areas.push(cells);
                change.holes |= is_hole;
            }
        }
        change
    }
}

/// Sets the heights of the cells of a tile. An edited height is a whole number of millimeters, so that edited ground can
/// be exactly flat.
fn shape(
    heights: &mut Heightmap,
    tile: TileAddress,
    deltas: Option<&[i32]>,
    unedited: &Heightmap,
    base: &MapBase,
    scale: Scale,
) {
    let whole = CellRect::new(0, 0, heights.width() as u32, heights.height() as u32);
    let Some(area) = tile.area().intersection(whole) else {
        return;
    };
    let mut before = vec![0; area.cells()];
    base.heights_mm(area, &mut before);
    let mut before = before.into_iter();
    let relief = f64::from(scale.relief) * 1000.0;
    let corner = tile.area();
    for row in area.row..area.end_row() {
        for column in area.column..area.end_column() {
            let in_tile = (row - corner.row) * TILE_SIDE as i64 + column - corner.column;
            let delta = deltas.map_or(0, |deltas| deltas[in_tile as usize]);
            let (x, y) = (column as usize, row as usize);
            let height = match (delta, before.next()) {
                (0, _) | (_, None) => unedited.get(x, y),
                (delta, Some(mm)) => (f64::from(mm.wrapping_add(delta)) / relief) as f32,
            };
            heights
                .set(x, y, height)
                .expect("heights of edits are finite");
        }
    }
}

/// Sets the holes of a tile. Squares beyond the last column and row of the mask do not exist.
fn dig(holes: &mut HoleMask, tile: TileAddress, rows: Option<&[u64]>, unedited: Option<&HoleMask>) {
    let area = tile.area();
    for row in area.row..area.end_row() {
        let bits = rows.map_or(0, |rows| rows[(row - area.row) as usize]);
        for bit in 0..TILE_SIDE as i64 {
            let square = (usize::try_from(area.column + bit), usize::try_from(row));
            if let (Ok(column), Ok(row)) = square {
                let was = unedited.is_some_and(|holes| holes.is_hole(column, row));
                holes.set(column, row, was || bits >> bit & 1 == 1).ok();
            }
        }
    }
}
