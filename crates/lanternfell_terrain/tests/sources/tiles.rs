//! Worlds in folders of tiles, of which only the tiles around viewers are read.

use bevy::{math::I64Vec2, prelude::*};
use lanternfell_terrain::{
    edits::{Brush, Stroke},
    heightmap::{Heightmap, MemoryBlocks},
    io::{
        self, Format, RawFormat, WriteOptions,
        tiles::{TileLayout, TileManifest},
    },
    prelude::*,
};

use crate::common::Studio;

/// A world of 700 x 500 cells, each 1 m wide.
fn recipe(seed: u64) -> Recipe {
    let scale = Scale {
        spacing: 1.0,
        relief: 90.0,
    };
    Recipe {
        scale: Some(scale),
        ..Recipe::new(
            MapSize::new(700, 500).unwrap(),
            seed,
            FractalNoise::default(),
        )
    }
}

fn whole(seed: u64) -> Heightmap {
    recipe(seed).generate(&Progress::default()).unwrap()
}

/// Writes a folder of tiles like `lanternfell tile`: 128 cells per side, and one more to the east and south.
fn write_world(studio: &Studio, folder: &str, seed: u64, ending: &str) -> TileManifest {
    let progress = Progress::default();
    let raw = RawFormat::from_extension(ending);
    let side = MapSize::new(128, 128).unwrap();
    let layout = TileLayout::new(recipe(seed), side, 1, ending, raw).unwrap();
    let manifest = TileManifest::new(layout, &progress).unwrap();
    let layout = manifest.layout();
    let tiles = layout
        .recipe()
        .tiles(manifest.prepass(), &progress)
        .unwrap();
    for tile in layout.grid().tiles() {
        let heights = tiles
            .tile(tile.region, &MemoryBlocks::default(), &progress)
            .unwrap();
        let model = layout.frame_of(tile.region).unwrap().of(heights);
        let options = WriteOptions {
            raw: raw.unwrap_or_default(),
            ..default()
        };
        let format = Format::from_extension(ending).unwrap();
        let mut bytes = Vec::new();
        io::write(&model, format, &options, &mut bytes, &progress).unwrap();
        studio.write(
            &format!("{folder}/{}", layout.file_name(tile.position)),
            bytes,
        );
    }
    studio.write(&format!("{folder}/tiles.ron"), manifest.to_ron());
    manifest
}

/// Spawns a viewer at the origin, and a world with the given cell at the origin.
fn spawn_world(studio: &mut Studio, folder: &str, cell: (i64, i64)) -> Entity {
    let tiles: Handle<TerrainTiles> = studio.server().load(format!("{folder}/tiles.ron"));
    let world = EndlessTerrain {
        distance: 100.0,
        origin: cell.into(),
        ..EndlessTerrain::new(tiles)
    };
    let commands = studio.app.world_mut();
    commands.spawn(TerrainViewer);
    commands.spawn(world).id()
}

fn go_to(studio: &mut Studio, world: Entity, cell: (i64, i64)) {
    let mut world = studio
        .app
        .world_mut()
        .get_mut::<EndlessTerrain>(world)
        .unwrap();
    world.origin = cell.into();
}

fn regions(studio: &mut Studio) -> Vec<(TerrainRegion, Heightmap)> {
    let world = studio.app.world_mut();
    let mut regions = world.query::<(&TerrainRegion, &TerrainSurface)>();
    let regions = regions.iter(world);
    regions
        .map(|(region, ground)| (*region, ground.map().clone()))
        .collect()
}

/// Waits until there is exactly one region, which contains this cell.
fn wait_for(studio: &mut Studio, cell: (i64, i64)) -> (TerrainRegion, Heightmap) {
    let cell = I64Vec2::from(cell);
    let holds = |(region, _): &(TerrainRegion, Heightmap)| {
        region.north_west.cmple(cell).all() && cell.cmple(region.south_east).all()
    };
    studio.update_until(|studio| {
        let regions = regions(studio);
        regions.len() == 1 && holds(&regions[0])
    });
    regions(studio).remove(0)
}

#[track_caller]
fn assert_part(whole: &Heightmap, (region, map): &(TerrainRegion, Heightmap), off: f32) {
    let [x, y] = region.north_west.to_array().map(|at| at as usize);
    let expected = whole.cropped((x, y), map.size()).unwrap();
    for (found, expected) in map.heights().iter().zip(expected.heights()) {
        assert!((found - expected).abs() <= off, "{found} is not {expected}");
    }
}

#[test]
fn reads_tiles_around_viewers() {
    let mut studio = Studio::new();
    write_world(&studio, "world", 5, "r32");
    let map = whole(5);
    let world = spawn_world(&mut studio, "world", (350, 250));
    for cell in [
        (350, 250),
        (380, 270),
        (0, 0),
        (699, 499),
        (600, 100),
        (-50, 240),
    ] {
        go_to(&mut studio, world, cell);
        let within = (cell.0.max(0), cell.1);
        let found = wait_for(&mut studio, within);
        assert_part(&map, &found, 0.0);
        let reach = |at: i64, side: i64| (at.max(0) - 100).max(0)..=(at + 100).min(side - 1);
        let (columns, rows) = (reach(cell.0, 700), reach(cell.1, 500));
        assert!(found.0.north_west.x <= *columns.start() && *columns.end() <= found.0.south_east.x);
        assert!(found.0.north_west.y <= *rows.start() && *rows.end() <= found.0.south_east.y);
    }
    // There is no terrain outside the world.
    go_to(&mut studio, world, (5000, 250));
    studio.update_until(|studio| regions(studio).is_empty());
    assert!(studio.answers().failed.is_empty());
}

#[test]
fn reads_tiles_in_other_formats() {
    for (ending, off) in [("r16", 1e-5), ("asc", 1e-6)] {
        let mut studio = Studio::new();
        write_world(&studio, "deep/down", 6, ending);
        spawn_world(&mut studio, "deep/down", (300, 200));
        let found = wait_for(&mut studio, (300, 200));
        assert_part(&whole(6), &found, off);
        assert_eq!(studio.answers().failed, []);
    }
}

#[test]
fn error_names_damaged_tile_and_old_terrain_stays() {
    let mut studio = Studio::new();
    write_world(&studio, "world", 5, "r32");
    studio.write("world/tile_y0003_x0005.r32", vec![1, 2, 3]);
    let world = spawn_world(&mut studio, "world", (100, 100));
    let first = wait_for(&mut studio, (100, 100));
    go_to(&mut studio, world, (600, 450));
    studio.update_until(|studio| !studio.answers().failed.is_empty());
    let failed = studio.answers().failed.clone();
    assert_eq!(failed[0].entity, world);
    let error = failed[0].error.to_string();
    assert!(error.contains("tile_y0003_x0005.r32"), "{error}");
    let left: Vec<TerrainRegion> = regions(&mut studio).iter().map(|region| region.0).collect();
    assert_eq!(left, [first.0]);
    go_to(&mut studio, world, (300, 200));
    assert_part(&whole(5), &wait_for(&mut studio, (300, 200)), 0.0);
}

#[test]
fn invalid_manifest_fails_once() {
    let mut studio = Studio::new();
    let text = write_world(&studio, "world", 5, "r32").to_ron();
    studio.write(
        "world/tiles.ron",
        text.replacen("version: 1", "version: 9", 1),
    );
    let world = spawn_world(&mut studio, "world", (0, 0));
    studio.update_until(|studio| !studio.answers().failed.is_empty());
    for _ in 0..20 {
        studio.app.update();
    }
    let failed = &studio.answers().failed;
    assert_eq!((failed.len(), failed[0].entity), (1, world));
    let error = failed[0].error.to_string();
    assert!(
        error.contains("world/tiles.ron") && error.contains("version 9"),
        "{error}"
    );
}

#[test]
fn rewritten_folder_is_reloaded() {
    let mut studio = Studio::new();
    write_world(&studio, "world", 5, "r32");
    spawn_world(&mut studio, "world", (300, 200));
    wait_for(&mut studio, (300, 200));
    let manifest = write_world(&studio, "world", 8, "r32");
    studio.rewrite("world/tiles.ron", manifest.to_ron());
    let expected = whole(8);
    studio.update_until(|studio| {
        let regions = regions(studio);
        regions.len() == 1 && {
            let (region, map) = &regions[0];
            let [x, y] = region.north_west.to_array().map(|at| at as usize);
            map.get(0, 0) == expected.get(x, y) && map.get(9, 9) == expected.get(x + 9, y + 9)
        }
    });
    assert_part(&expected, &regions(&mut studio)[0], 0.0);
}

/// Brushes that read heights read the files of the tiles, also far from all viewers and at the edge of the world.
#[test]
fn edits_change_a_world_of_tiles() {
    let mut studio = Studio::new();
    write_world(&studio, "dug", 4, "png");
    let world = spawn_world(&mut studio, "dug", (300, 200));
    let (_, before) = wait_for(&mut studio, (300, 200));
    let mut edits = TerrainEdits::default();
    for (brush, cell) in [
        (Brush::Flatten { mm: Some(45_000) }, [300, 200]),
        (Brush::Flatten { mm: None }, [690, 490]),
        (Brush::Smooth { reach: 5 }, [1, 200]),
    ] {
        let at = cell.map(|cell| cell * 256);
        edits
            .stroke(1, Stroke::along(brush, 9 * 256, [at]))
            .unwrap();
    }
    studio.app.world_mut().entity_mut(world).insert(edits);
    let cell = |region: &TerrainRegion, map: &Heightmap, x: i64, y: i64| {
        let at = I64Vec2::new(x, y) - region.north_west;
        map.get(at.x as usize, at.y as usize)
    };
    studio.update_until(|studio| {
        let found = regions(studio);
        cell(&found[0].0, &found[0].1, 300, 200) == 0.5
    });
    go_to(&mut studio, world, (680, 480));
    let expected = whole(4).get(690, 490) * 90.0;
    let (region, map) = wait_for(&mut studio, (690, 490));
    let level = cell(&region, &map, 690, 490);
    // PNG files have 16 bits.
    assert!((level * 90.0 - expected).abs() < 0.01);
    for (x, y) in [(691, 490), (688, 491), (690, 488)] {
        assert!((cell(&region, &map, x, y) - level).abs() < 0.01, "{x} {y}");
    }
    // Outside of the world, the nearest heights count.
    go_to(&mut studio, world, (1, 200));
    let (region, map) = wait_for(&mut studio, (0, 200));
    let moved = cell(&region, &map, 0, 200) - whole(4).get(0, 200);
    assert!(moved != 0.0 && moved.abs() < 0.03, "{moved}");
    go_to(&mut studio, world, (300, 200));
    let mut edits = studio
        .app
        .world_mut()
        .get_mut::<TerrainEdits>(world)
        .unwrap();
    for _ in 0..3 {
        edits.undo(1).unwrap();
    }
    wait_for(&mut studio, (300, 200));
    studio.update_until(|studio| {
        let found = regions(studio);
        found.len() == 1 && found[0].1.size() == before.size() && found[0].1 == before
    });
}
