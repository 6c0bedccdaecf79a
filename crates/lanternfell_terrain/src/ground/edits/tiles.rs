//! The tiles of edits at one moment: applied to a generated map, and compared with those of another moment.

mod modified;
mod plane;

use std::{cmp::Ordering, ops::Range, sync::Arc};

use lanternfell_edits::{Channel, EditedMap, MapBase, PaintCell, TILE_SIDE, Tile, TileAddress};
use lanternfell_heightmap::{Canceled, MapSize, Progress};
use lanternfell_surface::layers::ControlMap;
use lanternfell_tasks::pause;

use self::modified::Modified;
pub(in crate::ground) use self::modified::StrokeTiles;
pub(crate) use self::plane::{PlaneTiles, PlaneWork};
use crate::{
    cells::{CellArea, texel_cell},
    ground::change::SurfaceChange,
    map::TerrainMap,
};

type Tiles = Arc<[(TileAddress, Arc<Tile>)]>;

/// The tiles of edits at one moment, in the order of their addresses. Cheap to clone, because tiles are shared.
#[derive(Debug, Clone, Default)]
pub(in crate::ground) struct EditTiles {
    tiles: Tiles,
    /// What the tiles were made from, if the terrain has modifiers.
    modified: Option<Arc<Modified>>,
}

fn find(tiles: &Tiles, address: TileAddress) -> Option<&Arc<Tile>> {
    let found = tiles.binary_search_by_key(&address, |(address, _)| *address);
    found.ok().map(|index| &tiles[index].1)
}

impl EditTiles {
    fn tile(&self, address: TileAddress) -> Option<&Tile> {
        find(&self.tiles, address).map(|tile| &**tile)
    }

    /// Returns `map` with the edits. Cells without edits keep their bits.
    pub(in crate::ground) async fn on(
        &self,
        map: &TerrainMap,
        base: &MapBase,
        progress: &Progress,
    ) -> Result<TerrainMap, Canceled> {
        self.replace(&Self::default(), map.clone(), map, base, progress)
            .await
    }

    /// Returns the map `unedited` with the edits. `edited` is the same map with the edits `before`. If nobody else uses
    /// its heights, they are changed in place.
    pub(in crate::ground) async fn replace(
        &self,
        before: &Self,
        edited: TerrainMap,
        unedited: &TerrainMap,
        base: &MapBase,
        progress: &Progress,
    ) -> Result<TerrainMap, Canceled> {
        let holes = edited.holes().cloned();
        let heights = edited.into_shared_heights();
        let map = EditedMap::new(base, unedited.holes());
        let mut map = map.from_older(heights, holes);
        for address in self.differing(before) {
            progress.check()?;
            pause().await;
            map.set(address, self.tile(address));
        }
        let (heights, holes) = map.finish();
        let map = unedited.with_heights(heights);
        Ok(match holes {
            // The mask of the source stays the same one, so that maps compare as equal.
            Some(holes) if unedited.holes() != Some(&holes) => map.with_holes(holes),
            _ => map,
        })
    }

    /// The addresses of the tiles that differ from those of `before`.
    fn differing(&self, before: &Self) -> Vec<TileAddress> {
        let (mut new, mut old) = (self.tiles.iter().peekable(), before.tiles.iter().peekable());
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

    /// Paints rows of texels of a control map, which covers a map of this size. Only the first `layers_known` layers
    /// exist.
    pub(in crate::ground) async fn paint(
        &self,
        control: &mut ControlMap,
        map: MapSize,
        layers_known: usize,
        rows: &[Range<usize>],
    ) {
        let texels = control.size();
        let cell = |texel: usize, texels: usize, cells: usize| {
            texel_cell(texel as u32, texels as u32, cells) as i64
        };
        for (address, tile) in self.tiles.iter() {
            let Tile::Paint(painted) = &**tile else {
                continue;
            };
            pause().await;
            let area = address.area();
            let columns: Vec<(usize, i64)> = (0..texels.width())
                .map(|x| (x, cell(x, texels.width(), map.width()) - area.column))
                .filter(|(_, column)| (0..TILE_SIDE as i64).contains(column))
                .collect();
            for y in rows.iter().cloned().flatten() {
                let row = cell(y, texels.height(), map.height()) - area.row;
                if !(0..TILE_SIDE as i64).contains(&row) {
                    continue;
                }
                for &(x, column) in &columns {
                    let PaintCell { layers, covers } =
                        painted[row as usize * TILE_SIDE + column as usize];
                    let mut shares = covers.map(|cover| f32::from(cover) / 255.0);
                    for (layer, share) in layers.iter().zip(&mut shares) {
                        if usize::from(*layer) >= layers_known {
                            *share = 0.0;
                        }
                    }
                    if shares != [0.0; 2] {
                        control.cover(x, y, layers, shares);
                    }
                }
            }
        }
    }

    /// The density of plants in a cell, from 0 to 1. It is 1 without edits.
    pub(in crate::ground) fn plant_density(&self, column: i64, row: i64) -> f32 {
        let address = TileAddress::of_cell(Channel::Plants, column, row);
        let Some(Tile::Plants(densities)) = self.tile(address) else {
            return 1.0;
        };
        f32::from(densities[TileAddress::index(column, row)]) / 255.0
    }

    /// How far edits have raised a cell, in millimeters.
    pub(in crate::ground) fn height_change(&self, column: i64, row: i64) -> i32 {
        let address = TileAddress::of_cell(Channel::Heights, column, row);
        match self.tile(address) {
            Some(Tile::Heights(deltas)) => deltas[TileAddress::index(column, row)],
            _ => 0,
        }
    }

    /// Returns what differs from a map with the edits `before`. `None` if more than 128 tiles differ, because comparing
    /// them would take too long on the main thread.
    pub(in crate::ground) fn small_change_since(
        &self,
        before: &Self,
        size: MapSize,
    ) -> Option<SurfaceChange> {
        const MOST: usize = 128;
        let is_small = self.differing(before).len() <= MOST;
        is_small.then(|| self.change_since(before, size))
    }

    /// Returns what differs from a map with the edits `before`.
    pub(in crate::ground) fn change_since(&self, before: &Self, size: MapSize) -> SurfaceChange {
        let mut change = SurfaceChange::default();
        for address in self.differing(before) {
            let empty = Tile::empty(address.channel);
            let [new, old] = [self, before].map(|tiles| tiles.tile(address).unwrap_or(&empty));
            let Some(cells) = new.difference(old, address) else {
                continue;
            };
            // A hole is between four cells.
            let further = i64::from(address.channel == Channel::Holes);
            let cells = CellArea {
                min: (cells.column, cells.row).into(),
                max: (
                    cells.end_column() - 1 + further,
                    cells.end_row() - 1 + further,
                )
                    .into(),
            };
            let Some(cells) = cells.common(&CellArea::of_map(size)) else {
                continue;
            };
            match address.channel {
                Channel::Heights => change.areas.push(cells),
                Channel::Holes => {
                    change.areas.push(cells);
                    change.holes = true;
                }
                Channel::Paint => change.painted.push(cells),
                Channel::Plants => change.planted.push(cells),
            }
        }
        change
    }
}
