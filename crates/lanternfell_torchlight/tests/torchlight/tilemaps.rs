//! Cells from the tiles of `bevy_ecs_tilemap`, and from files of the editors LDtk and Tiled.

use bevy::{app::Plugins, asset::AssetPlugin, log::LogPlugin, prelude::*};
use bevy_ecs_ldtk::prelude::*;
use bevy_ecs_tiled::prelude::{TiledMap, TiledPlugin, TiledPluginConfig};
use bevy_ecs_tilemap::prelude::*;
use lanternfell_headless::HeadlessArgs;
use lanternfell_torchlight::{FollowsTilemaps, LdtkLight, LightTile, TiledLight, prelude::*};

use crate::common::*;

const GLASS: Cell = Cell::glass(Vec3::new(0.5, 0.75, 0.5));

/// Every type of tile map.
const KINDS: [TilemapType; 9] = [
    TilemapType::Square,
    TilemapType::Isometric(IsoCoordSystem::Diamond),
    TilemapType::Isometric(IsoCoordSystem::Staggered),
    TilemapType::Hexagon(HexCoordSystem::RowEven),
    TilemapType::Hexagon(HexCoordSystem::RowOdd),
    TilemapType::Hexagon(HexCoordSystem::Row),
    TilemapType::Hexagon(HexCoordSystem::ColumnEven),
    TilemapType::Hexagon(HexCoordSystem::ColumnOdd),
    TilemapType::Hexagon(HexCoordSystem::Column),
];

const SIZE: TilemapSize = TilemapSize { x: 6, y: 5 };
const GRID: TilemapGridSize = TilemapGridSize { x: 20.0, y: 24.0 };

/// Spawns a tile map with a tile at every position.
fn spawn_tilemap(app: &mut App, kind: TilemapType, place: Transform) -> Entity {
    spawn_tilemap_of(app, SIZE, kind, place)
}

fn spawn_tilemap_of(
    app: &mut App,
    size: TilemapSize,
    kind: TilemapType,
    place: Transform,
) -> Entity {
    let world = app.world_mut();
    let tilemap = world.spawn_empty().id();
    let mut storage = TileStorage::empty(size);
    for at in (0..size.y).flat_map(|y| (0..size.x).map(move |x| TilePos { x, y })) {
        let tile = world.spawn((at, TilemapId(tilemap))).id();
        storage.set(&at, tile);
    }
    let tile_size = TilemapTileSize {
        x: GRID.x,
        y: GRID.y,
    };
    let parts = (size, GRID, tile_size, kind, TilemapAnchor::Center);
    world.entity_mut(tilemap).insert((parts, storage, place));
    tilemap
}

fn tile(app: &App, tilemap: Entity, x: u32, y: u32) -> Entity {
    let storage = app.world().get::<TileStorage>(tilemap).unwrap();
    storage.get(&TilePos { x, y }).unwrap()
}

fn middle(kind: TilemapType, place: Transform, x: u32, y: u32) -> Vec3 {
    let tile_size = TilemapTileSize {
        x: GRID.x,
        y: GRID.y,
    };
    let middle =
        TilePos { x, y }.center_in_world(&SIZE, &GRID, &tile_size, &kind, &TilemapAnchor::Center);
    place.transform_point(middle.extend(0.0))
}

/// The map's own cell at a world position, which must be the center of a cell.
fn cell_at(app: &App, map_entity: Entity, place: Vec3) -> Cell {
    let light_map = map(app, map_entity);
    let transform = *app.world().get::<Transform>(map_entity).unwrap();
    let at = light_map.cell_coordinates(&transform.into(), place);
    assert!(at.distance(at.round()) < 2e-3, "{at} is not a center");
    light_map.cell(at.round().as_ivec2())
}

fn count_of(app: &App, map_entity: Entity, cell: Cell) -> usize {
    let cells = map(app, map_entity).grid().cells();
    cells.iter().filter(|other| **other == cell).count()
}

#[test]
fn each_tile_of_every_map_type_is_a_cell() {
    for kind in KINDS {
        let mut app = app();
        let place = Transform::from_xyz(40.0, -30.0, 2.0)
            .with_rotation(Quat::from_rotation_z(0.6))
            .with_scale(Vec3::new(1.5, 1.5, 1.0));
        let tilemap = spawn_tilemap(&mut app, kind, place);
        let is_wall = |x: u32, y: u32| (3 * x + 5 * y) % 7 < 3;
        for (x, y) in (0..SIZE.y).flat_map(|y| (0..SIZE.x).map(move |x| (x, y))) {
            if is_wall(x, y) {
                let tile = tile(&app, tilemap, x, y);
                app.world_mut()
                    .entity_mut(tile)
                    .insert(LightTile::default());
            }
        }
        let follows = FollowsTilemaps {
            empty: GLASS,
            ..default()
        };
        let light = app.world_mut().spawn((follows, LightFlow::SETTLED)).id();
        updates(&mut app, 2);
        let mut walls = 0;
        for (x, y) in (0..SIZE.y).flat_map(|y| (0..SIZE.x).map(move |x| (x, y))) {
            let cell = cell_at(&app, light, middle(kind, place, x, y));
            let expected = if is_wall(x, y) {
                Cell::WALL
            } else {
                Cell::OPEN
            };
            assert_eq!(cell, expected, "{kind:?} {x} {y}");
            walls += usize::from(is_wall(x, y));
        }
        // No other cells are walls.
        let size = map(&app, light).grid().size();
        assert_eq!(count_of(&app, light, Cell::WALL), walls, "{kind:?}");
        let others = (size.x * size.y) as usize - SIZE.count();
        assert_eq!(count_of(&app, light, GLASS), others, "{kind:?} {size}");
        let is_hexagonal = matches!(kind, TilemapType::Hexagon(_));
        let neighborhood = map(&app, light).grid().settings().neighborhood;
        assert_eq!(neighborhood.is_hexagonal(), is_hexagonal, "{kind:?}");
    }
}

#[test]
fn changed_tiles_update_only_their_cells() {
    let mut app = app();
    let place = Transform::from_xyz(7.0, 3.0, 0.0);
    let square = TilemapType::Square;
    let tilemap = spawn_tilemap(&mut app, square, place);
    let light = app.world_mut().spawn(FollowsTilemaps::default()).id();
    let at = |app: &App, x, y| cell_at(app, light, middle(square, place, x, y));
    updates(&mut app, 2);
    assert_eq!(count_of(&app, light, Cell::OPEN), SIZE.count());
    // A cell that was set directly shows that other cells are not updated.
    map_mut(&mut app, light)
        .set_cell(IVec2::ZERO, GLASS)
        .unwrap();
    let wall = tile(&app, tilemap, 2, 1);
    app.world_mut()
        .entity_mut(wall)
        .insert(LightTile::default());
    updates(&mut app, 1);
    assert_eq!(at(&app, 2, 1), Cell::WALL);
    assert_eq!(count_of(&app, light, Cell::WALL), 1);
    app.world_mut()
        .entity_mut(wall)
        .insert(LightTile::new(GLASS));
    updates(&mut app, 1);
    assert_eq!(at(&app, 2, 1), GLASS);
    let moved = TilePos { x: 4, y: 3 };
    let mut storage = app.world_mut().get_mut::<TileStorage>(tilemap).unwrap();
    storage.set(&moved, wall);
    storage.remove(&TilePos { x: 2, y: 1 });
    app.world_mut().entity_mut(wall).insert(moved);
    updates(&mut app, 1);
    assert_eq!([at(&app, 2, 1), at(&app, 4, 3)], [Cell::OPEN, GLASS]);
    app.world_mut().entity_mut(wall).despawn();
    updates(&mut app, 1);
    assert_eq!(at(&app, 4, 3), Cell::OPEN);
    // A tile without a `LightTile` replaces another.
    let (place_of, glass) = (TilePos { x: 1, y: 1 }, tile(&app, tilemap, 1, 1));
    app.world_mut()
        .entity_mut(glass)
        .insert(LightTile::new(GLASS));
    updates(&mut app, 1);
    assert_eq!(at(&app, 1, 1), GLASS);
    let floor = app.world_mut().spawn((place_of, TilemapId(tilemap))).id();
    let mut storage = app.world_mut().get_mut::<TileStorage>(tilemap).unwrap();
    storage.set(&place_of, floor);
    updates(&mut app, 1);
    assert_eq!(at(&app, 1, 1), Cell::OPEN);
    assert_eq!(count_of(&app, light, GLASS), 1);
}

/// Digging in a large map costs as much as what is dug, plus a comparison of the tile storage.
#[test]
#[ignore = "a measurement, which prints times"]
#[expect(clippy::print_stdout, reason = "it is a measurement")]
fn measure_following_tile_maps() {
    let mut app = app();
    let size = TilemapSize { x: 256, y: 256 };
    let world = app.world_mut();
    let tilemap = world.spawn_empty().id();
    let mut storage = TileStorage::empty(size);
    for at in (0..size.y).flat_map(|y| (0..size.x).map(move |x| TilePos { x, y })) {
        let wall = (at, TilemapId(tilemap), LightTile::default());
        storage.set(&at, world.spawn(wall).id());
    }
    let parts = (size, GRID, TilemapTileSize::default(), TilemapType::Square);
    world
        .entity_mut(tilemap)
        .insert((parts, storage, Transform::default()));
    let mut update = |what: &str, change: &dyn Fn(&mut App)| {
        change(&mut app);
        let began = std::time::Instant::now();
        app.update();
        println!("{what}: {:?}", began.elapsed());
    };
    for _ in 0..5 {
        update("without a light map", &|_| {});
    }
    update("a light map is added", &|app| {
        app.world_mut().spawn(FollowsTilemaps::default());
    });
    for _ in 0..5 {
        update("nothing changes", &|_| {});
    }
    for x in 0..5 {
        update("a tile is dug", &|app| {
            let at = TilePos { x, y: 9 };
            let mut storage = app.world_mut().get_mut::<TileStorage>(tilemap).unwrap();
            let tile = storage.get(&at).unwrap();
            storage.remove(&at);
            app.world_mut().despawn(tile);
        });
    }
}

#[test]
fn one_light_map_covers_several_tile_maps() {
    let mut app = app();
    let square = TilemapType::Square;
    let second_place = Transform::from_xyz(6.0 * GRID.x, GRID.y, 0.0);
    let over = Transform::from_xyz(GRID.x, 0.0, 5.0);
    let first = spawn_tilemap(&mut app, square, Transform::IDENTITY);
    let second = spawn_tilemap(&mut app, square, second_place);
    let above = spawn_tilemap(&mut app, square, over);
    let light = app.world_mut().spawn(FollowsTilemaps::default()).id();
    let other = app.world_mut().spawn(TorchlightMap::default()).id();
    let elsewhere = spawn_tilemap(&mut app, square, Transform::from_xyz(1000.0, 0.0, 0.0));
    app.world_mut()
        .entity_mut(elsewhere)
        .insert(InTorchlightMap(other));
    for (tilemap, cell) in [(first, GLASS), (second, Cell::WALL), (above, GLASS)] {
        // For the last tile map, it is the tile above that of the first.
        let x = if tilemap == above { 1 } else { 2 };
        let tile = tile(&app, tilemap, x, 2);
        app.world_mut()
            .entity_mut(tile)
            .insert(LightTile::new(cell));
    }
    updates(&mut app, 2);
    assert_eq!(map(&app, light).grid().size(), UVec2::new(12, 6));
    let at = |place, x| cell_at(&app, light, middle(square, place, x, 2));
    assert_eq!(at(second_place, 2), Cell::WALL);
    assert_eq!(at(Transform::IDENTITY, 2), GLASS.behind(&GLASS));
    assert_eq!(at(Transform::IDENTITY, 3), Cell::OPEN);
    // Above all of them.
    let z = app.world().get::<Transform>(light).unwrap().translation.z;
    assert_eq!(z, 5.0);
}

/// A parent with two tile maps, the second offset by `offset` tiles, and a light map over them.
fn spawn_world(app: &mut App, kind: TilemapType, offset: Vec2) -> [Entity; 4] {
    let world = app.world_mut().spawn(Transform::default()).id();
    let place = Transform::from_translation((offset * Vec2::from(GRID)).extend(1.0));
    let first = spawn_tilemap(app, kind, Transform::IDENTITY);
    let second = spawn_tilemap(app, kind, place);
    app.world_mut()
        .entity_mut(world)
        .add_children(&[first, second]);
    let light = app.world_mut().spawn(FollowsTilemaps::default()).id();
    updates(app, 2);
    [world, first, second, light]
}

fn place_mut(app: &mut App, entity: Entity) -> Mut<'_, Transform> {
    app.world_mut().get_mut::<Transform>(entity).unwrap()
}

fn set_tile(app: &mut App, tilemap: Entity, x: u32, y: u32, cell: Cell) {
    let tile = tile(app, tilemap, x, y);
    app.world_mut()
        .entity_mut(tile)
        .insert(LightTile::new(cell));
}

/// A cell that was set directly shows that cells are not looked up again. In some cases the light map is a child of the
/// parent.
#[test]
fn moving_together_looks_up_no_cells() {
    let kinds = [
        TilemapType::Square,
        TilemapType::Isometric(IsoCoordSystem::Diamond),
        TilemapType::Hexagon(HexCoordSystem::ColumnOdd),
    ];
    // At the second offset, the number of cells is ambiguous.
    let offsets = [Vec2::new(6.0, 1.0), Vec2::new(0.5, 0.0)];
    let cases = kinds
        .into_iter()
        .flat_map(|kind| offsets.map(|at| (kind, at)));
    for (case, (kind, offset)) in cases.enumerate() {
        let mut app = app();
        let [world, first, _, light] = spawn_world(&mut app, kind, offset);
        let is_child = case % 2 == 1;
        if is_child {
            app.world_mut().entity_mut(world).add_child(light);
        }
        let (by_hand, size) = (IVec2::new(3, 3), map(&app, light).grid().size());
        map_mut(&mut app, light).set_cell(by_hand, GLASS).unwrap();
        let mut of_first_tile = None;
        for n in 1..=100_i16 {
            let n = f32::from(n);
            let scale = 1.0 + 0.01 * n;
            let moved = Transform::from_xyz(-1234.567 * n, 77.7 * n, 0.0)
                .with_rotation(Quat::from_rotation_z(0.1 * n))
                .with_scale(Vec3::new(scale, scale, 1.0));
            *place_mut(&mut app, world) = moved;
            updates(&mut app, 1);
            let case = format!("{kind:?} {offset} {n}");
            assert_eq!(map(&app, light).cell(by_hand), GLASS, "{case}");
            assert_eq!(map(&app, light).grid().size(), size, "{case}");
            let mut place = *place_mut(&mut app, light);
            if is_child {
                place = moved.mul_transform(place);
            }
            let tile = middle(kind, moved, 0, 0);
            let at = map(&app, light).cell_coordinates(&place.into(), tile);
            let first = *of_first_tile.get_or_insert(at);
            assert!(at.distance(first) < 0.02, "{case}: {at} {first}");
        }
        // A tile that changes in the same run is found at its new position.
        assert_eq!(count_of(&app, light, Cell::WALL), 0);
        *place_mut(&mut app, world) = Transform::from_xyz(5.0, 5.0, 0.0);
        set_tile(&mut app, first, 0, 0, Cell::WALL);
        updates(&mut app, 1);
        let at = of_first_tile.unwrap().round().as_ivec2();
        assert_eq!(map(&app, light).cell(at), Cell::WALL, "{kind:?} {offset}");
        assert_eq!(map(&app, light).cell(by_hand), GLASS, "{kind:?} {offset}");
    }
}

#[test]
fn relative_movement_looks_up_all_cells() {
    let mut app = app();
    let [_, _, second, light] = spawn_world(&mut app, TilemapType::Square, Vec2::new(6.0, 1.0));
    let by_hand = IVec2::new(3, 3);
    let size = map(&app, light).grid().size();
    map_mut(&mut app, light).set_cell(by_hand, GLASS).unwrap();
    let mut asked = 0;
    for _ in 0..45 {
        place_mut(&mut app, second).translation.x += 1e-4 * GRID.x;
        updates(&mut app, 1);
        assert_eq!(map(&app, light).grid().size(), size);
        if map(&app, light).cell(by_hand) == Cell::OPEN {
            asked += 1;
            map_mut(&mut app, light).set_cell(by_hand, GLASS).unwrap();
        }
    }
    assert_eq!(asked, 4);
    // A tile that grows in place covers more cells.
    let place = Transform::from_xyz(0.5 * GRID.x, 0.0, 2.0);
    let one = TilemapSize { x: 1, y: 1 };
    let tile = spawn_tilemap_of(&mut app, one, TilemapType::Square, place);
    set_tile(&mut app, tile, 0, 0, Cell::WALL);
    for (scale, walls) in [(1.0, 1), (3.0, 9), (1.0, 1)] {
        place_mut(&mut app, tile).scale = Vec3::new(scale, scale, 1.0);
        updates(&mut app, 1);
        assert_eq!(count_of(&app, light, Cell::WALL), walls, "{scale}");
    }
}

#[test]
fn replaced_or_moved_map_keeps_following() {
    let mut app = app();
    let [world, first, _, light] = spawn_world(&mut app, TilemapType::Square, Vec2::new(6.0, 1.0));
    set_tile(&mut app, first, 2, 0, Cell::WALL);
    updates(&mut app, 1);
    let wall = IVec2::new(2, 5);
    assert_eq!(map(&app, light).cell(wall), Cell::WALL);
    // A map of the same size, without walls.
    let size = map(&app, light).grid().size();
    let another = TorchlightMap::new(grid(size.x, size.y));
    app.world_mut().entity_mut(light).insert(another);
    updates(&mut app, 1);
    assert_eq!(map(&app, light).cell(wall), Cell::WALL);
    // While something else moves the map, a door opens, and then the parent moves.
    place_mut(&mut app, light).translation.x += 100.0;
    set_tile(&mut app, first, 2, 0, Cell::OPEN);
    set_tile(&mut app, first, 3, 0, Cell::WALL);
    updates(&mut app, 1);
    place_mut(&mut app, world).translation.x = 40.0;
    updates(&mut app, 1);
    assert_eq!(map(&app, light).cell(wall), Cell::OPEN);
    assert_eq!(map(&app, light).cell(IVec2::new(3, 5)), Cell::WALL);
    assert_eq!(count_of(&app, light, Cell::WALL), 1);
    // The map has no transform for a while.
    let place = app.world_mut().entity_mut(light).take::<Transform>();
    set_tile(&mut app, first, 2, 0, Cell::WALL);
    updates(&mut app, 1);
    app.world_mut().entity_mut(light).insert(place.unwrap());
    updates(&mut app, 1);
    assert_eq!(count_of(&app, light, Cell::WALL), 2);
}

#[test]
fn map_without_fit_may_have_smaller_cells() {
    let mut app = app();
    let square = TilemapType::Square;
    let tilemap = spawn_tilemap(&mut app, square, Transform::IDENTITY);
    let fine = TorchlightMap::new(grid(40, 40)).with_cell_size(4.0);
    let follows = FollowsTilemaps {
        fits: false,
        ..default()
    };
    let light = app.world_mut().spawn((fine, follows)).id();
    let wall = tile(&app, tilemap, 3, 2);
    app.world_mut()
        .entity_mut(wall)
        .insert(LightTile::default());
    updates(&mut app, 2);
    // A tile of 20 x 24 units, with cells of 4 x 4 units.
    assert_eq!(count_of(&app, light, Cell::WALL), 30);
    app.world_mut().entity_mut(wall).remove::<LightTile>();
    updates(&mut app, 1);
    assert_eq!(count_of(&app, light, Cell::WALL), 0);
    app.world_mut()
        .entity_mut(wall)
        .insert(LightTile::default());
    updates(&mut app, 1);
    assert_eq!(count_of(&app, light, Cell::WALL), 30);
    // The map is moved away and back.
    app.world_mut()
        .entity_mut(light)
        .insert(Transform::from_xyz(500.0, 0.0, 0.0));
    updates(&mut app, 1);
    assert_eq!(count_of(&app, light, Cell::WALL), 0);
    app.world_mut()
        .entity_mut(light)
        .insert(Transform::IDENTITY);
    updates(&mut app, 1);
    assert_eq!(count_of(&app, light, Cell::WALL), 30);
}

#[test]
fn fit_keeps_new_settings_and_its_cell_size() {
    let mut app = app();
    let light = app.world_mut().spawn(FollowsTilemaps::default()).id();
    updates(&mut app, 1);
    // In the same frame in which the map gets another size.
    let neighborhood = Neighborhood::Four;
    map_mut(&mut app, light).settings.neighborhood = neighborhood;
    spawn_tilemap(&mut app, TilemapType::Square, Transform::IDENTITY);
    updates(&mut app, 2);
    let fitted = map(&app, light).cell_size;
    assert_ne!(fitted, TorchlightMap::default().cell_size);
    let settings = map(&app, light).grid().settings();
    assert_eq!(settings.neighborhood, neighborhood);
    map_mut(&mut app, light).cell_size = f32::NAN;
    updates(&mut app, 2);
    assert_eq!(map(&app, light).cell_size, fitted);
}

#[test]
fn ignores_degenerate_and_huge_tile_maps() {
    let mut app = app();
    let light = app.world_mut().spawn(FollowsTilemaps::default()).id();
    updates(&mut app, 2);
    let before = map(&app, light).grid().size();
    let square = TilemapType::Square;
    for place in [
        Transform::from_scale(Vec3::ZERO),
        Transform::from_xyz(f32::NAN, 0.0, 0.0),
    ] {
        spawn_tilemap(&mut app, square, place);
    }
    updates(&mut app, 2);
    assert_eq!(map(&app, light).grid().size(), before);
    spawn_tilemap(&mut app, square, Transform::IDENTITY);
    spawn_tilemap(&mut app, square, Transform::from_xyz(1e9, 0.0, 0.0));
    updates(&mut app, 2);
    assert_eq!(map(&app, light).grid().size(), before);
}

/// An app that loads files of editors. Their crates need a renderer; a software driver is enough.
fn editors_app<M>(plugins: impl Plugins<M>) -> App {
    let args = HeadlessArgs {
        headless: true,
        frames: u32::MAX,
        ..default()
    };
    let assets = AssetPlugin {
        file_path: concat!(env!("CARGO_MANIFEST_DIR"), "/assets").to_owned(),
        ..default()
    };
    let mut app = App::new();
    app.add_plugins(
        args.plugins(DefaultPlugins.set(assets))
            .disable::<LogPlugin>(),
    )
    .add_plugins(TorchlightPlugin::in_schedule(Update))
    .add_plugins(plugins)
    .add_observer(in_step);
    app.finish();
    app.cleanup();
    app
}

/// Updates the app until the light map has walls.
fn wait_for_walls(app: &mut App, light: Entity) {
    for _ in 0..2000 {
        app.update();
        if map(app, light).grid().cells().contains(&Cell::WALL) {
            updates(app, 2);
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    panic!("the light map has no walls after 2000 updates");
}

/// The rows of a light map: `#` for walls, `|` for glass, `.` for open cells.
fn drawing(app: &App, light: Entity) -> Vec<String> {
    let grid = map(app, light).grid();
    let sign = |cell: IVec2| match grid.cell(cell) {
        Cell::WALL => '#',
        Cell::OPEN => '.',
        _ => '|',
    };
    let rows = 0..grid.height() as i32;
    rows.map(|y| {
        let row = 0..grid.width() as i32;
        row.map(|x| sign(IVec2::new(x, y))).collect()
    })
    .collect()
}

#[test]
fn walls_of_an_ldtk_file_block_light() {
    let mut app = editors_app(LdtkPlugin);
    app.insert_resource(LevelSelection::index(0));
    let world = LdtkWorldBundle {
        ldtk_handle: app
            .world()
            .resource::<AssetServer>()
            .load("tilemaps/keep.ldtk")
            .into(),
        ..default()
    };
    let rules = LdtkLight::new()
        .int_grid(1, Cell::WALL)
        .int_grid_of("Keep", 2, GLASS)
        .int_grid_of("Cellar", 3, Cell::WALL);
    let ldtk = app.world_mut().spawn((world, rules)).id();
    let follower = (FollowsTilemaps::default(), LightFlow::SETTLED);
    let light = app.world_mut().spawn(follower).id();
    wait_for_walls(&mut app, light);
    let expected = [
        "####################",
        "#.....#............#",
        "#.....#............#",
        "#.....|.....##.....#",
        "#.....#.....##.....#",
        "#.....#............#",
        "###.#####||####.####",
        "#......#.......#...#",
        "#......#...........#",
        "#..................#",
        "####################",
    ];
    assert_eq!(drawing(&app, light), expected);
    // A lamp in the first room. Behind the wall it is dark, except for light through the glass and the door.
    app.world_mut().spawn((
        lamp().with_strength(4.0),
        LightCell::new(3, 3),
        InTorchlightMap(light),
    ));
    updates(&mut app, 2);
    let light_at = |app: &App, x, y| map(app, light).grid().light(IVec2::new(x, y));
    assert!(light_at(&app, 5, 1).x > 0.1);
    assert!(light_at(&app, 7, 1).x < 0.1 * light_at(&app, 5, 1).x);
    let behind_glass = light_at(&app, 7, 3);
    assert!(behind_glass.y > 1.2 * behind_glass.x, "{behind_glass}");

    // Other rules apply at once.
    let none = LdtkLight::new().int_grid(2, Cell::WALL);
    app.world_mut().entity_mut(ldtk).insert(none);
    updates(&mut app, 2);
    assert_eq!(count_of(&app, light, Cell::WALL), 3);
}

#[test]
fn walls_of_a_tiled_file_block_light() {
    let config = TiledPluginConfig {
        tiled_types_export_file: None,
        ..default()
    };
    let mut app = editors_app(TiledPlugin(config));
    let file = app
        .world()
        .resource::<AssetServer>()
        .load("tilemaps/crypt.tmx");
    let rules = TiledLight::new()
        .class("wall", Cell::WALL)
        .property("glass", GLASS);
    let tiled = app.world_mut().spawn((TiledMap(file), rules)).id();
    let light = app.world_mut().spawn(FollowsTilemaps::default()).id();
    wait_for_walls(&mut app, light);
    let expected = [
        "................",
        ".##############.",
        ".#....#.......#.",
        ".#....#.......#.",
        ".#............#.",
        ".#....#..###..#.",
        ".##.###..#.#..#.",
        ".#....#..#.|..#.",
        ".#....|..###..#.",
        ".#....#.......#.",
        ".#....#.......#.",
        ".###.####.#####.",
        ".#............#.",
        ".#............#.",
        ".##############.",
        "................",
    ];
    assert_eq!(drawing(&app, light), expected);
    assert!(matches!(
        map(&app, light).layout,
        LightLayout::Diamonds { height } if height == 0.5
    ));
    // By the name of the layer. Tiles that no longer match are open.
    let by_layer = TiledLight::new().layer("walls", GLASS);
    app.world_mut().entity_mut(tiled).insert(by_layer);
    updates(&mut app, 2);
    assert_eq!(count_of(&app, light, Cell::WALL), 0);
    let walls = expected
        .iter()
        .flat_map(|row| row.chars())
        .filter(|sign| *sign != '.');
    assert_eq!(count_of(&app, light, GLASS), walls.count());
}
