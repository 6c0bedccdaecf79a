//! Applies the tiles of edits to a generated map.

use std::sync::Arc;

use lanternfell_edits::{
    BaseHeights, CellRect, Channel, Edits, MapBase, TILE_SIDE, Tile, TileAddress,
};
use lanternfell_heightmap::{Canceled, Heightmap, HoleMask, Progress, Scale};
use lanternfell_tasks::pause;

use crate::map::TerrainMap;

/// The heights and holes of edits at one moment. Cheap to create, because tiles are shared.
pub(in crate::ground) struct EditTiles(Vec<(TileAddress, Arc<Tile>)>);

impl EditTiles {
    pub(super) fn of(edits: &Edits) -> Self {
        let shapes = edits
            .tiles()
            .filter(|(address, _)| matches!(address.channel, Channel::Heights | Channel::Holes));
        Self(
            shapes
                .map(|(address, tile)| (address, tile.clone()))
                .collect(),
        )
    }

    /// Returns the map with the edits. Cells without edits keep their bits.
    pub(super) async fn on(
        &self,
        map: &TerrainMap,
        base: &MapBase,
        scale: Scale,
        progress: &Progress,
    ) -> Result<TerrainMap, Canceled> {
        let (mut heights, mut holes) = (None, None);
        let size = map.size();
        let whole = CellRect::new(0, 0, size.width() as u32, size.height() as u32);
        for (address, tile) in &self.0 {
            let Some(area) = address.area().intersection(whole) else {
                continue;
            };
            progress.check()?;
            pause().await;
            match &**tile {
                Tile::Heights(deltas) => {
                    let heights =
                        heights.get_or_insert_with(|| map.heights().clone().into_heights());
                    for ([column, row], height) in edited(address, area, deltas, base, scale) {
                        heights[row * size.width() + column] = height;
                    }
                }
                Tile::Holes(rows) => {
                    let mask = || map.holes().cloned();
                    let holes = holes.get_or_insert_with(|| mask().unwrap_or(HoleMask::none(size)));
                    dig(holes, address, rows);
                }
                Tile::Paint(_) | Tile::Plants(_) => {}
            }
        }
        let map = match heights {
            Some(heights) => map.with_heights(
                Heightmap::from_heights(size, heights)
                    .expect("the number of heights is unchanged and all are finite"),
            ),
            None => map.clone(),
        };
        Ok(match holes {
            Some(holes) => map.with_holes(holes),
            None => map,
        })
    }
}

/// The column, row and height of each cell of a tile that is edited and in `area`.
///
/// An edited height is a whole number of millimeters, so that edited ground can be exactly flat.
fn edited(
    tile: &TileAddress,
    area: CellRect,
    deltas: &[i32],
    base: &MapBase,
    scale: Scale,
) -> impl Iterator<Item = ([usize; 2], f32)> {
    let mut unedited = vec![0; area.cells()];
    base.heights_mm(area, &mut unedited);
    let relief = f64::from(scale.relief) * 1000.0;
    let whole = tile.area();
    let rows = area.row..area.end_row();
    let cells = rows.flat_map(move |row| (area.column..area.end_column()).map(move |x| [x, row]));
    cells
        .zip(unedited)
        .filter_map(move |([column, row], before)| {
            let in_tile = (row - whole.row) * TILE_SIDE as i64 + column - whole.column;
            let delta = deltas[in_tile as usize];
            let height = f64::from(before.wrapping_add(delta)) / relief;
            (delta != 0).then_some(([column as usize, row as usize], height as f32))
        })
}

/// Digs the holes of a tile. Squares beyond the last column and row of the mask do not exist.
fn dig(holes: &mut HoleMask, tile: &TileAddress, rows: &[u64]) {
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
