//! How to create maps from existing levels, and how to change them.
//!
//! Your level already exists as text, as an array or as a tile map. This page shows how to give light the same walls,
//! and how to change them: doors open, walls are dug away, and the level grows.
//!
//! # Cells from text or arrays
//! A [`Cell`](crate::lightgrid::Cell) describes how much of each color passes, and how much of the rest is reflected.
//! Use `Cell::OPEN`, `Cell::WALL` (reflects), `Cell::BLACK_WALL` (absorbs), `Cell::glass(color)` or
//! `Cell::smoke(density)`.
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! const CELLAR: [&[u8; 8]; 4] = [b"########", b"#   %  #", b"#   #  #", b"########"];
//!
//! /// From text, cell by cell. Row 0 is at the top.
//! fn cellar() -> Result<TorchlightMap, LightError> {
//!     let mut grid = LightGrid::new(8, 4, LightSettings::default())?;
//!     grid.fill(|cell| match CELLAR[cell.y as usize][cell.x as usize] {
//!         b'#' => Cell::WALL,
//!         b'%' => Cell::glass(Vec3::new(0.3, 0.9, 0.3)),
//!         _ => Cell::OPEN,
//!     })?;
//!     Ok(TorchlightMap::new(grid).with_cell_size(16.0))
//! }
//!
//! /// From an array, row by row: heights, of which those above 5 are walls.
//! fn hills(heights: &[f32], width: u32) -> Result<TorchlightMap, LightError> {
//!     let rows = heights.len() as u32 / width;
//!     let mut map = TorchlightMap::new(LightGrid::new(width, rows, LightSettings::default())?);
//!     let cell = |&height: &f32| if height > 5.0 { Cell::WALL } else { Cell::OPEN };
//!     map.set_cells(heights.iter().map(cell).collect())?;
//!     Ok(map)
//! }
//! # assert!(cellar()?.cell(IVec2::new(4, 2)) == Cell::WALL && cellar()?.extent() == Vec2::new(128.0, 64.0));
//! # assert_eq!(hills(&[0.0, 9.0, 0.0, 0.0, 0.0, 9.0], 3)?.cell(IVec2::new(2, 1)), Cell::WALL);
//! # Ok::<(), LightError>(())
//! ```
//!
//! To change single cells permanently, for example when a wall is built or dug away, use
//! [`set_cell`](crate::TorchlightMap::set_cell).
//!
//! # A player who carries a torch
//! Add a [`LightSource`](crate::LightSource) to the player, or to a child of the player. The light follows. The walls
//! of the map can also stop the player:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! #[derive(Component)]
//! struct Player;
//!
//! fn setup(mut commands: Commands) -> Result {
//!     let mut grid = LightGrid::new(40, 20, LightSettings::default())?;
//!     grid.fill(|cell| if cell.x == 24 && cell.y < 14 { Cell::WALL } else { Cell::OPEN })?;
//!     commands.spawn(TorchlightMap::new(grid).with_cell_size(32.0));
//!     let torch = (LightSource::default().with_strength(4.0), Flicker::default());
//!     commands.spawn((Player, torch, Transform::from_xyz(-40.0, 60.0, 0.0)));
//!     Ok(())
//! }
//!
//! fn walk(
//!     keys: Res<ButtonInput<KeyCode>>,
//!     time: Res<Time>,
//!     map: Single<(&TorchlightMap, &GlobalTransform)>,
//!     mut player: Single<&mut Transform, With<Player>>,
//! ) {
//!     let axis = |less, more| f32::from(keys.pressed(more)) - f32::from(keys.pressed(less));
//!     let x = axis(KeyCode::ArrowLeft, KeyCode::ArrowRight);
//!     let y = axis(KeyCode::ArrowDown, KeyCode::ArrowUp);
//!     let target = player.translation + 120.0 * time.delta_secs() * Vec3::new(x, y, 0.0);
//!     let (map, place) = *map;
//!     // `None` outside of the map.
//!     let cell = map.cell_at(place, target);
//!     if cell.is_some_and(|cell| !map.grid().is_opaque(cell)) {
//!         player.translation = target;
//!     }
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::default()));
//! # app.init_resource::<ButtonInput<KeyCode>>();
//! # app.add_systems(Startup, setup).add_systems(Update, walk);
//! # app.update();
//! ```
//!
//! `map.grid()` includes blockers, so closed doors stop the player too. Glass and smoke are not opaque. If glass should
//! stop the player, keep your own list of solid cells.
//!
//! # Cells from Bevy's tile map
//! A light map covers a tile map if both have the same transform and the cell size equals the tile size:
//!
//! ```
//! use bevy::{prelude::*, sprite_render::{TilemapChunk, TilemapChunkTileData}};
//! use lanternfell_torchlight::prelude::*;
//!
//! /// Creates a light map for each tile map, and updates it when tiles change.
//! fn light(
//!     mut commands: Commands,
//!     mut chunks: Query<
//!         (Entity, &TilemapChunk, &TilemapChunkTileData, Option<&mut TorchlightMap>),
//!         Changed<TilemapChunkTileData>,
//!     >,
//! ) -> Result {
//!     for (entity, chunk, tiles, map) in &mut chunks {
//!         let solid = |tile: Option<&bevy::sprite_render::TileData>| match tile {
//!             Some(tile) if tile.tileset_index == 1 => Cell::WALL,
//!             _ => Cell::OPEN,
//!         };
//!         if let Some(mut map) = map {
//!             map.fill_from_tilemap(chunk, tiles, solid)?;
//!             continue;
//!         }
//!         let grid = LightGrid::new(chunk.chunk_size.x, chunk.chunk_size.y, LightSettings::default())?;
//!         let mut map = TorchlightMap::new(grid).with_cell_size(chunk.tile_display_size.x as f32);
//!         map.fill_from_tilemap(chunk, tiles, solid)?;
//!         commands.entity(entity).insert(map);
//!     }
//!     Ok(())
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::default())).add_systems(Update, light);
//! # // Inserted separately, so that no components for rendering are required.
//! # let mut tiles = vec![None; 12];
//! # tiles[9] = Some(bevy::sprite_render::TileData::from_tileset_index(1));
//! # let chunk = TilemapChunk { chunk_size: UVec2::new(4, 3), tile_display_size: UVec2::splat(8), ..default() };
//! # let chunk = app.world_mut().spawn(chunk).insert(TilemapChunkTileData(tiles)).id();
//! # app.update();
//! # let cell = |app: &App| app.world().get::<TorchlightMap>(chunk).unwrap().cell(IVec2::new(1, 0));
//! # assert_eq!(cell(&app), Cell::WALL);
//! # app.world_mut().get_mut::<TilemapChunkTileData>(chunk).unwrap()[9] = None;
//! # app.update();
//! # assert_eq!(cell(&app), Cell::OPEN);
//! ```
//!
//! For a tile map of several chunks, fill the part of each chunk with
//! [`fill_part_from_tilemap`](crate::TorchlightMap::fill_part_from_tilemap).
//!
//! # Cells from `bevy_ecs_tilemap`, LDtk and Tiled
//! With the feature `ecs_tilemap`, a map with `FollowsTilemaps` covers all tile maps of `bevy_ecs_tilemap`, of any
//! shape. It takes its size and position from them. The features `ecs_ldtk` and `ecs_tiled` do the same for the files
//! of these editors (`LdtkLight`, `TiledLight`):
//!
#![cfg_attr(feature = "ecs_tilemap", doc = "```")]
#![cfg_attr(not(feature = "ecs_tilemap"), doc = "```ignore")]
//! use bevy::prelude::*;
//! use bevy_ecs_tilemap::prelude::*;
//! use lanternfell_torchlight::{FollowsTilemaps, LightTile, prelude::*};
//!
//! fn setup(mut commands: Commands) {
//!     commands.spawn(FollowsTilemaps::default());
//! }
//!
//! fn walls(mut commands: Commands, tiles: Query<(Entity, &TileTextureIndex), Changed<TileTextureIndex>>) {
//!     for (tile, index) in &tiles {
//!         match index.0 {
//!             2 => commands.entity(tile).insert(LightTile::new(Cell::WALL)),
//!             _ => commands.entity(tile).remove::<LightTile>(),
//!         };
//!     }
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::default()));
//! # app.add_systems(Startup, setup).add_systems(Update, walls);
//! # let tick = std::time::Duration::from_nanos(15_625_000);
//! # app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(tick));
//! # let world = app.world_mut();
//! # let tilemap = world.spawn_empty().id();
//! # let size = TilemapSize { x: 2, y: 1 };
//! # let mut storage = TileStorage::empty(size);
//! # for (x, index) in [(0, 2), (1, 0)] {
//! #     let at = TilePos { x, y: 0 };
//! #     let tile = world.spawn((at, TilemapId(tilemap), TileTextureIndex(index))).id();
//! #     storage.set(&at, tile);
//! # }
//! # world.entity_mut(tilemap).insert((
//! #     (size, storage, TilemapGridSize { x: 8.0, y: 8.0 }, TilemapTileSize { x: 8.0, y: 8.0 }),
//! #     (TilemapType::Square, TilemapAnchor::Center, Transform::default()),
//! # ));
//! # for _ in 0..4 { app.update(); }
//! # let world = app.world_mut();
//! # let map = world.query::<&TorchlightMap>().single(world).unwrap();
//! # assert_eq!(map.grid().cells(), [Cell::WALL, Cell::OPEN]);
//! ```
//!
//! # Doors and other moving obstacles
//! A [`LightBlocker`](crate::LightBlocker) covers the cell at its entity's position, with a wall by default. When the
//! blocker moves, or is removed or despawned, the cell of the map is restored:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! #[derive(Component)]
//! struct Door;
//!
//! fn setup(mut commands: Commands) {
//!     // A closed door.
//!     commands.spawn((Door, LightBlocker::default(), Transform::from_xyz(48.0, 16.0, 0.0)));
//!     let cloud = LightBlocker::new(Cell::smoke(0.3));
//!     commands.spawn((cloud, Transform::default()));
//! }
//!
//! /// Opens or closes a door.
//! fn push(door: In<Entity>, mut commands: Commands, closed: Query<(), (With<Door>, With<LightBlocker>)>) {
//!     let mut door_commands = commands.entity(*door);
//!     if closed.contains(*door) {
//!         door_commands.remove::<LightBlocker>();
//!     } else {
//!         door_commands.insert(LightBlocker::default());
//!     }
//! }
//! # use bevy::ecs::system::RunSystemOnce;
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::in_schedule(Update))).add_systems(Startup, setup);
//! # let grid = LightGrid::new(9, 9, LightSettings::default()).unwrap();
//! # let map = app.world_mut().spawn(TorchlightMap::new(grid).with_cell_size(16.0)).id();
//! # app.update();
//! # let at = |app: &App| app.world().get::<TorchlightMap>(map).unwrap().grid().cell(IVec2::new(7, 3));
//! # let world = app.world_mut();
//! # let door = world.query_filtered::<Entity, With<Door>>().single(world).unwrap();
//! # assert_eq!(at(&app), Cell::WALL);
//! # app.world_mut().run_system_once_with(push, door).unwrap();
//! # app.update();
//! # assert_eq!(at(&app), Cell::OPEN);
//! ```
//!
//! Changes take effect in the next run of the plugin. All queries of `map.grid()` include blockers: a closed door also
//! blocks fields of view and paths.
//!
//! # Several maps
//! A lamp lights every map that contains its position. A [`LightLevel`](crate::LightLevel) reads the map in which its
//! entity is brightest. Light does not flow from one map into another. If maps overlap, as for several floors of a
//! building, or if you use [`LightCell`](crate::LightCell), name the map with `InTorchlightMap`:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! fn setup(mut commands: Commands) {
//!     let [cellar, attic] = [0, 1].map(|_| commands.spawn(TorchlightMap::default()).id());
//!     commands.spawn((LightSource::default(), LightCell::new(3, 3), InTorchlightMap(cellar)));
//!     commands.spawn((LightLevel::default(), LightCell::new(3, 3), InTorchlightMap(attic)));
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::in_schedule(Update)));
//! # app.add_systems(Startup, setup);
//! # for _ in 0..3 { app.update(); }
//! # let world = app.world_mut();
//! # let level = world.query::<&LightLevel>().single(world).unwrap();
//! # assert!(level.map.is_some() && level.luminance == 0.0);
//! ```
//!
//! # Hexagons and diamonds
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! // Hexagons with a point at the top. Odd rows are shifted by half a cell to the east.
//! let settings = LightSettings { neighborhood: Neighborhood::Hexagonal, ..default() };
//! let hexagons = TorchlightMap::new(LightGrid::new(30, 20, settings)?).with_cell_size(24.0);
//! // Isometric: diamonds of 32 x 16 units.
//! let diamonds = TorchlightMap::new(LightGrid::new(30, 30, LightSettings::default())?)
//!     .with_cell_size(32.0)
//!     .with_layout(LightLayout::Diamonds { height: 0.5 });
//! // The map converts between cells and positions, for every layout.
//! for map in [hexagons, diamonds] {
//!     let here = GlobalTransform::from_xyz(100.0, 0.0, 0.0);
//!     let place = map.position_of(&here, Vec2::new(4.0, 7.0));
//!     assert!(map.cell_coordinates(&here, place).distance(Vec2::new(4.0, 7.0)) < 1e-3);
//! }
//! # Ok::<(), LightError>(())
//! ```
//!
//! # Resizing a map
//! A grid cannot be resized. Create a larger one and copy the cells. Here light refills the new grid from its lamps:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! /// A copy of the map with additional columns in the east and rows in the south.
//! fn grown(map: &TorchlightMap, by: UVec2) -> Result<TorchlightMap, LightError> {
//!     let (old, size) = (map.grid(), map.grid().size() + by);
//!     let mut grid = LightGrid::new(size.x, size.y, map.settings)?;
//!     for at in (0..old.height()).flat_map(|y| (0..old.width()).map(move |x| UVec2::new(x, y).as_ivec2())) {
//!         grid.set_cell(at, map.cell(at))?;
//!         grid.set_region(at, old.region(at))?;
//!     }
//!     for region in 0..=u8::MAX {
//!         grid.set_ambient(region, old.ambient(region))?;
//!     }
//!     let new = TorchlightMap::new(grid).with_cell_size(map.cell_size);
//!     Ok(new.with_plane(map.plane).with_layout(map.layout))
//! }
//!
//! fn grow(map: Single<(&mut TorchlightMap, &mut Transform)>) -> Result {
//!     let (mut map, mut place) = map.into_inner();
//!     let larger = grown(&map, UVec2::new(8, 0))?;
//!     // A map is centered on its transform. Move it, so that the old cells stay in place.
//!     let moved = (larger.extent() - map.extent()) * Vec2::new(0.5, -0.5);
//!     place.translation += moved.extend(0.0);
//!     *map = larger;
//!     Ok(())
//! }
//! # use bevy::ecs::system::RunSystemOnce;
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::in_schedule(Update)));
//! # let map = (TorchlightMap::default(), LightFlow::SETTLED, LightTiming::InStep);
//! # let map = app.world_mut().spawn(map).id();
//! # app.world_mut().spawn((LightSource::default(), Transform::from_xyz(3.5, 7.5, 0.0)));
//! # let lit = |app: &mut App| {
//! #     app.update();
//! #     let grid = app.world().get::<TorchlightMap>(map).unwrap().grid();
//! #     (grid.width(), grid.luminance(IVec2::new(33, 24)))
//! # };
//! # let before = lit(&mut app);
//! # app.world_mut().run_system_once::<_, Result, _>(grow).unwrap().unwrap();
//! # let after = lit(&mut app);
//! # assert!(after.0 == 72 && before.1 > 0.1 && (after.1 - before.1).abs() < 2e-3);
//! ```
//!
//! # Many lamps
//! The cost of flowing light depends on the number of cells in which it changes, not on the number of lamps. Each lamp
//! costs a lookup per map in each run of the plugin: 10,000 moving lamps take 4 ms of the main thread. To light a large
//! area, such as a yard by day, use a region with ambient light instead of lamps. It costs nothing once the light is at
//! rest:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! /// `day` is 1 by day and 0 at night.
//! fn sky(map: &mut TorchlightMap, day: f32) -> Result<(), LightError> {
//!     map.set_ambient(1, Vec3::new(0.9, 0.95, 1.0) * day)
//! }
//!
//! let mut map = TorchlightMap::default();
//! for (x, y) in (0..20).flat_map(|y| (0..20).map(move |x| (x, y))) {
//!     map.set_region(IVec2::new(x, y), 1)?;
//! }
//! sky(&mut map, 1.0)?;
//! # Ok::<(), LightError>(())
//! ```
//!
//! In contrast, straight light ([`LightSettings::direct`](crate::lightgrid::LightSettings::direct)) and
//! [`SoftShadows`](crate::SoftShadows) cost time for each lamp, in proportion to the area that it can light.
//!
//! # Cost
//! | operation | cost |
//! |---|---|
//! | `set_cell` | the light that changes because of it |
//! | `fill`, `set_cells`, a new map | every cell, and computing all light again |
//! | a blocker at rest, a lamp without changes | one lookup per run |
//! | a map of [`gray`](crate::lightgrid::LightGrid::gray) light | a third of the memory and time (the same time for settled lamps of one color) |
//! | `FollowsTilemaps`, tile maps at rest or all moving together | one lookup per tile map; if a tile storage was accessed mutably, a comparison of its tiles |
//! | `FollowsTilemaps`, other changes of tile maps | every cell, about as long as spawning the tiles |
//!
//! # Good to know
//! - A grid has up to 16,384 cells per side and 16,777,216 cells in total. Cell (0, 0) is in the north-west. Integer
//!   coordinates are the centers of cells.
//! - `map.cell(at)` returns the map's own cell. `map.grid().cell(at)` returns the cell including blockers.
//! - A blocker fills the whole cell that contains its center. Several blockers in one cell combine, for example smoke
//!   behind glass.
//! - The border of a map reflects flowing light, as a wall does. Lamps more than one cell outside of a map do not light
//!   it.
//! - [`TorchlightMap::settings`](crate::TorchlightMap::settings) determines how far light reaches: change its `falloff`
//!   for all lamps of the map. A stronger lamp reaches further.
//!
//! # Troubleshooting
//! - *Walls are upside down.* Row 0 is at the top, but tile maps count from the bottom. `fill_from_tilemap` converts
//!   this.
//! - *Light leaks through a wall.* A cell of the wall is open or partly transparent. (Walls that touch only at a corner
//!   block light.)
//! - *Lamps light nothing.* Their transforms are outside of the map. Check the cell size and the transform of the map.
//! - *A wall remains after a blocker is removed.* The cell was also set with `set_cell`.
//! - *Cells that I set are lost.* `FollowsTilemaps` overwrites all cells.
//!
//! # See also
//! The examples `hexagons`, `ldtk` and `tiled` of this crate; [`TorchlightMap`](crate::TorchlightMap) for the
//! coordinate system; [`set_relief`](crate::TorchlightMap::set_relief) for maps on terrain.
