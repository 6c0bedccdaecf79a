//! Cells from Bevy's tile map, which counts its rows from the bottom.

use bevy::{
    prelude::*,
    sprite_render::{TileData, TilemapChunk, TilemapChunkTileData},
};
use lanternfell_torchlight::{TilemapError, prelude::*};

use crate::common::*;

fn chunk(width: u32, height: u32) -> TilemapChunk {
    TilemapChunk {
        chunk_size: UVec2::new(width, height),
        tile_display_size: UVec2::splat(8),
        ..default()
    }
}

/// Tile 1 is a wall.
fn cell(tile: Option<&TileData>) -> Cell {
    match tile {
        Some(tile) if tile.tileset_index == 1 => Cell::WALL,
        Some(_) => Cell::OPEN,
        None => Cell::BLACK_WALL,
    }
}

#[test]
fn cells_match_drawn_tiles() {
    let (chunk, mut tiles) = (chunk(4, 3), TilemapChunkTileData(vec![None; 12]));
    let walls = [UVec2::new(0, 0), UVec2::new(3, 1), UVec2::new(1, 2)];
    for at in walls {
        tiles[(at.y * 4 + at.x) as usize] = Some(TileData::from_tileset_index(1));
    }
    tiles[5] = Some(TileData::from_tileset_index(0));
    let mut map = TorchlightMap::new(grid(4, 3)).with_cell_size(8.0);
    map.fill_from_tilemap(&chunk, &tiles, cell).unwrap();
    let cell_of = |tile| {
        let drawn = chunk.calculate_tile_transform(tile).translation;
        let at = map.cell_coordinates(&GlobalTransform::IDENTITY, drawn);
        assert_eq!(at, at.round());
        map.cell(at.as_ivec2())
    };
    for tile in walls {
        assert_eq!(cell_of(tile), Cell::WALL, "{tile}");
    }
    assert_eq!(cell_of(UVec2::new(1, 1)), Cell::OPEN);
    assert_eq!(cell_of(UVec2::new(2, 2)), Cell::BLACK_WALL);
    let count = |kind| {
        map.grid()
            .cells()
            .iter()
            .filter(|cell| **cell == kind)
            .count()
    };
    assert_eq!(
        [Cell::WALL, Cell::OPEN, Cell::BLACK_WALL].map(count),
        [3, 1, 8]
    );
}

#[test]
fn rejects_wrong_sizes() {
    let mut map = TorchlightMap::new(grid(4, 3));
    let tiles = |count| TilemapChunkTileData(vec![None; count]);
    let wrong_size = map.fill_from_tilemap(&chunk(3, 4), &tiles(12), cell);
    let sizes = (UVec2::new(3, 4), UVec2::new(4, 3));
    let (tiles_of, cells_of) = sizes;
    let expected = TilemapError::Size {
        tiles: tiles_of,
        cells: cells_of,
    };
    assert_eq!(wrong_size, Err(expected));
    for found in [0, 11, 13] {
        let wrong_length = map.fill_from_tilemap(&chunk(4, 3), &tiles(found), cell);
        let expected = TilemapError::Length {
            found,
            expected: 12,
        };
        assert_eq!(wrong_length, Err(expected));
    }
    let absurd = map.fill_from_tilemap(&chunk(4, 3), &tiles(12), |_| Cell::new(f32::NAN, 0.0));
    assert!(matches!(absurd, Err(TilemapError::Cell(_))));
    assert!(map.grid().cells().iter().all(|cell| *cell == Cell::OPEN));
}

/// Four chunks of 3 x 2 tiles.
#[test]
fn chunks_fill_their_parts() {
    let mut map = TorchlightMap::new(grid(6, 4)).with_cell_size(8.0);
    let chunk = chunk(3, 2);
    let mut tiles = TilemapChunkTileData(vec![None; 6]);
    tiles[1] = Some(TileData::from_tileset_index(1));
    let is_wall = |tile: Option<&TileData>| match tile {
        Some(_) => Cell::WALL,
        None => Cell::OPEN,
    };
    for at in [(0, 0), (3, 2)] {
        map.fill_part_from_tilemap(at.into(), &chunk, &tiles, is_wall)
            .unwrap();
    }
    // The second tile of the lower row, in the first chunk and in the last.
    let walls: Vec<IVec2> = cells(map.grid())
        .filter(|cell| map.cell(*cell) == Cell::WALL)
        .collect();
    assert_eq!(walls, [IVec2::new(1, 1), IVec2::new(4, 3)]);
    // A removed tile is open again, and cells outside of the chunk stay.
    tiles[1] = None;
    map.fill_part_from_tilemap(UVec2::ZERO, &chunk, &tiles, is_wall)
        .unwrap();
    assert_eq!(map.cell(IVec2::new(1, 1)), Cell::OPEN);
    assert_eq!(map.cell(IVec2::new(4, 3)), Cell::WALL);

    let before: Vec<Cell> = map.grid().cells().to_vec();
    for at in [UVec2::new(4, 0), UVec2::new(0, 3), UVec2::MAX] {
        let outside = map.fill_part_from_tilemap(at, &chunk, &tiles, is_wall);
        let expected = TilemapError::Outside {
            tiles: UVec2::new(3, 2),
            at,
            cells: UVec2::new(6, 4),
        };
        assert_eq!(outside, Err(expected));
    }
    let mut count = 0.0;
    let absurd = map.fill_part_from_tilemap(UVec2::ZERO, &chunk, &tiles, |_| {
        count += 0.25;
        Cell::new(count, 0.0)
    });
    assert!(matches!(absurd, Err(TilemapError::Cell(_))));
    assert_eq!(map.grid().cells(), before);
}
