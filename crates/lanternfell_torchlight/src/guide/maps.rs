//! Problem: the game has its level already, as text, as numbers or as a tile map, and light is to meet the same walls;
//! doors open, walls are dug away, and the level grows.
//!
//! # From what there is
//! A cell says how much of each color it passes, and how much of the rest it throws back: `Cell::OPEN`, `Cell::WALL`,
//! `Cell::BLACK_WALL`, `Cell::glass(color)`, `Cell::smoke(density)`.
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! const CELLAR: [&[u8; 8]; 4] = [b"########", b"#   %  #", b"#   #  #", b"########"];
//!
//! /// From text, cell by cell. Row 0 is at the top.
//! fn cellar() -> Result<LightMap, LightError> {
//!     let mut grid = LightGrid::new(8, 4, LightSettings::default())?;
//!     grid.fill(|cell| match CELLAR[cell.y as usize][cell.x as usize] {
//!         b'#' => Cell::WALL,
//!         b'%' => Cell::glass(Vec3::new(0.3, 0.9, 0.3)),
//!         _ => Cell::OPEN,
//!     })?;
//!     Ok(LightMap::new(grid).with_cell_size(16.0))
//! }
//!
//! /// From numbers, row by row: here heights, of which those above 5 are walls.
//! fn hills(heights: &[f32], width: u32) -> Result<LightMap, LightError> {
//!     let rows = heights.len() as u32 / width;
//!     let mut map = LightMap::new(LightGrid::new(width, rows, LightSettings::default())?);
//!     let cell = |&height: &f32| if height > 5.0 { Cell::WALL } else { Cell::OPEN };
//!     map.set_cells(heights.iter().map(cell).collect())?;
//!     Ok(map)
//! }
//! # assert!(cellar()?.cell(IVec2::new(4, 2)) == Cell::WALL && cellar()?.extent() == Vec2::new(128.0, 64.0));
//! # assert_eq!(hills(&[0.0, 9.0, 0.0, 0.0, 0.0, 9.0], 3)?.cell(IVec2::new(2, 1)), Cell::WALL);
//! # Ok::<(), LightError>(())
//! ```
//!
//! What is built and dug away for good is [`set_cell`](crate::LightMap::set_cell).
//!
//! # From Bevy's tile map
//! The two lie over each other when they have the same transform, and a cell is as large as a tile:
//!
//! ```
//! use bevy::{prelude::*, sprite_render::{TilemapChunk, TilemapChunkTileData}};
//! use lanternfell_torchlight::prelude::*;
//!
//! /// Light on each tile map as soon as there is one, and again when its tiles change.
//! fn light(
//!     mut commands: Commands,
//!     mut chunks: Query<
//!         (Entity, &TilemapChunk, &TilemapChunkTileData, Option<&mut LightMap>),
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
//!         let mut map = LightMap::new(grid).with_cell_size(chunk.tile_display_size.x as f32);
//!         map.fill_from_tilemap(chunk, tiles, solid)?;
//!         commands.entity(entity).insert(map);
//!     }
//!     Ok(())
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::default())).add_systems(Update, light);
//! # // One after the other, so that nothing is made to draw it by.
//! # let mut tiles = vec![None; 12];
//! # tiles[9] = Some(bevy::sprite_render::TileData::from_tileset_index(1));
//! # let chunk = TilemapChunk { chunk_size: UVec2::new(4, 3), tile_display_size: UVec2::splat(8), ..default() };
//! # let chunk = app.world_mut().spawn(chunk).insert(TilemapChunkTileData(tiles)).id();
//! # app.update();
//! # let cell = |app: &App| app.world().get::<LightMap>(chunk).unwrap().cell(IVec2::new(1, 0));
//! # assert_eq!(cell(&app), Cell::WALL);
//! # app.world_mut().get_mut::<TilemapChunkTileData>(chunk).unwrap()[9] = None;
//! # app.update();
//! # assert_eq!(cell(&app), Cell::OPEN);
//! ```
//!
//! Of a level of many chunks each fills its part: [`fill_part_from_tilemap`](crate::LightMap::fill_part_from_tilemap).
//!
//! With the feature `ecs_tilemap` a map follows all tile maps of `bevy_ecs_tilemap`, whatever their shape, and keeps
//! place and size by them; `ecs_ldtk` and `ecs_tiled` do the same for those editors' files (`LdtkLight`, `TiledLight`):
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
//!     for (tile, picture) in &tiles {
//!         match picture.0 {
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
//! # for (x, picture) in [(0, 2), (1, 0)] {
//! #     let at = TilePos { x, y: 0 };
//! #     let tile = world.spawn((at, TilemapId(tilemap), TileTextureIndex(picture))).id();
//! #     storage.set(&at, tile);
//! # }
//! # world.entity_mut(tilemap).insert((
//! #     (size, storage, TilemapGridSize { x: 8.0, y: 8.0 }, TilemapTileSize { x: 8.0, y: 8.0 }),
//! #     (TilemapType::Square, TilemapAnchor::Center, Transform::default()),
//! # ));
//! # for _ in 0..4 { app.update(); }
//! # let world = app.world_mut();
//! # let map = world.query::<&LightMap>().single(world).unwrap();
//! # assert_eq!(map.grid().cells(), [Cell::WALL, Cell::OPEN]);
//! ```
//!
//! # Doors, and whatever else moves
//! A [`LightBlocker`](crate::LightBlocker) lies over the cell in which its entity stands. When it is removed, moves on or
//! is despawned, the map's own cell is back:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! #[derive(Component)]
//! struct Door;
//!
//! fn setup(mut commands: Commands) {
//!     commands.spawn((Door, LightBlocker::default(), Transform::from_xyz(48.0, 16.0, 0.0)));
//!     let cloud = LightBlocker::new(Cell::smoke(0.3));
//!     commands.spawn((cloud, Transform::default()));
//! }
//!
//! /// Run when somebody pushes one.
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
//! # let map = app.world_mut().spawn(LightMap::new(grid).with_cell_size(16.0)).id();
//! # app.update();
//! # let at = |app: &App| app.world().get::<LightMap>(map).unwrap().grid().cell(IVec2::new(7, 3));
//! # let world = app.world_mut();
//! # let door = world.query_filtered::<Entity, With<Door>>().single(world).unwrap();
//! # assert_eq!(at(&app), Cell::WALL);
//! # app.world_mut().run_system_once_with(push, door).unwrap();
//! # app.update();
//! # assert_eq!(at(&app), Cell::OPEN);
//! ```
//!
//! # Several maps
//! A lamp lights each map in whose area it stands, a reader is told of the one in which it is brightest, and no light
//! flows from one into another. For storeys over each other, and wherever a [`LightCell`](crate::LightCell) says the
//! place, say which: `InLightMap`.
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! fn setup(mut commands: Commands) {
//!     let [cellar, attic] = [0, 1].map(|_| commands.spawn(LightMap::default()).id());
//!     commands.spawn((LightSource::default(), LightCell::new(3, 3), InLightMap(cellar)));
//!     commands.spawn((LightLevel::default(), LightCell::new(3, 3), InLightMap(attic)));
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
//! // Hexagons, points up: the odd rows lie half a cell further east.
//! let settings = LightSettings { neighborhood: Neighborhood::Hexagonal, ..default() };
//! let hexagons = LightMap::new(LightGrid::new(30, 20, settings)?).with_cell_size(24.0);
//! // Isometric: squares, seen as diamonds of 32 x 16.
//! let diamonds = LightMap::new(LightGrid::new(30, 30, LightSettings::default())?)
//!     .with_cell_size(32.0)
//!     .with_layout(LightLayout::Diamonds { height: 0.5 });
//! // Where a cell is, and what is where, is asked of the map, whatever its shape.
//! for map in [hexagons, diamonds] {
//!     let here = GlobalTransform::from_xyz(100.0, 0.0, 0.0);
//!     let place = map.position_of(&here, Vec2::new(4.0, 7.0));
//!     assert!(map.cell_at(&here, place).distance(Vec2::new(4.0, 7.0)) < 1e-3);
//! }
//! # Ok::<(), LightError>(())
//! ```
//!
//! # A map that grows
//! A grid has its size for good. A larger one takes its place, and is lit from what stands in it:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! /// The same map with so many columns and rows more, in the east and in the south.
//! fn grown(map: &LightMap, by: UVec2) -> Result<LightMap, LightError> {
//!     let (old, size) = (map.grid(), map.grid().size() + by);
//!     let mut grid = LightGrid::new(size.x, size.y, *old.settings())?;
//!     for at in (0..old.height()).flat_map(|y| (0..old.width()).map(move |x| UVec2::new(x, y).as_ivec2())) {
//!         grid.set_cell(at, map.cell(at))?;
//!         grid.set_region(at, old.region(at))?;
//!     }
//!     for region in 0..=u8::MAX {
//!         grid.set_ambient(region, old.ambient(region))?;
//!     }
//!     let new = LightMap::new(grid).with_cell_size(map.cell_size());
//!     Ok(new.with_plane(map.plane()).with_layout(map.layout()))
//! }
//!
//! fn grow(map: Single<(&mut LightMap, &mut Transform)>) -> Result {
//!     let (mut map, mut place) = map.into_inner();
//!     let larger = grown(&map, UVec2::new(8, 0))?;
//!     // It lies around its middle, so what was there stays where it was only if that moves.
//!     let moved = (larger.extent() - map.extent()) * Vec2::new(0.5, -0.5);
//!     place.translation += moved.extend(0.0);
//!     *map = larger;
//!     Ok(())
//! }
//! # use bevy::ecs::system::RunSystemOnce;
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::in_schedule(Update)));
//! # let map = (LightMap::default(), LightFlow::SETTLED, LightTiming::InStep);
//! # let map = app.world_mut().spawn(map).id();
//! # app.world_mut().spawn((LightSource::default(), Transform::from_xyz(3.5, 7.5, 0.0)));
//! # let lit = |app: &mut App| {
//! #     app.update();
//! #     let grid = app.world().get::<LightMap>(map).unwrap().grid();
//! #     (grid.width(), grid.luminance(IVec2::new(33, 24)))
//! # };
//! # let before = lit(&mut app);
//! # app.world_mut().run_system_once::<_, Result, _>(grow).unwrap().unwrap();
//! # let after = lit(&mut app);
//! # assert!(after.0 == 72 && before.1 > 0.1 && (after.1 - before.1).abs() < 2e-3);
//! ```
//!
//! # Many lamps
//! Flowing light costs by the cells in which it changes, not by the number of lamps. Each lamp costs a look in each run of
//! the plugin, for each map: 4 ms of the main thread for 10,000 that move. What is lit all over (a yard by day, a forge)
//! is no lamp but a region with ambient light, at no cost once it is at rest:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! /// By day 1, by night 0.
//! fn sky(map: &mut LightMap, day: f32) -> Result<(), LightError> {
//!     map.set_ambient(1, Vec3::new(0.9, 0.95, 1.0) * day)
//! }
//!
//! let mut map = LightMap::default();
//! for (x, y) in (0..20).flat_map(|y| (0..20).map(move |x| (x, y))) {
//!     map.set_region(IVec2::new(x, y), 1)?;
//! }
//! sky(&mut map, 1.0)?;
//! # Ok::<(), LightError>(())
//! ```
//!
//! Straight light ([`LightSettings::direct`](crate::lightgrid::LightSettings::direct)) and a
//! [`LightDetail`](crate::LightDetail) do cost for each lamp what it may light.
//!
//! # What it costs
//! | | costs |
//! |---|---|
//! | `set_cell` | the light that changes by it, and no more |
//! | `fill`, `set_cells`, another map | every cell, and all its light anew |
//! | a blocker that stands still, a lamp without change | a look in each run |
//! | a map of [`gray`](crate::lightgrid::LightGrid::gray) light | a third of the memory, and of the time but for settled lamps of one color |
//! | a `FollowsTilemaps` whose tile maps rest, or move all together | a look at each tile map; where a storage was touched, a comparison of it |
//! | one whose tile maps change otherwise | every cell, which takes as long as spawning the tiles |
//!
//! # To know
//! - A grid has up to 16,384 cells a side and 16,777,216 in all. Cells are counted from the north-west; whole numbers
//!   are their middles.
//! - `map.cell(at)` is the map's own, `map.grid().cell(at)` what light meets: with blockers.
//! - A blocker fills the cell of its middle, whole. Several in one cell lie over each other, as smoke behind glass.
//! - A map's border throws flowing light back, as a wall does. Lamps light nothing from further out than a cell.
//! - How far light reaches is the map's ([`set_settings`](crate::LightMap::set_settings)); a stronger lamp reaches further.
//!
//! # What goes wrong
//! - *Walls are upside down.* Row 0 is at the top, and tile maps count from below; `fill_from_tilemap` minds it.
//! - *Light leaks through a wall.* Some cell of it is open, or passes a little. (Walls that touch at a corner hold.)
//! - *Lamps light nothing.* Their transforms say they stand outside: the cell size, or the map's own transform.
//! - *A wall stays where a blocker was.* It was set by `set_cell` as well.
//! - *Cells that were set are gone.* A map that follows tile maps is filled by them.
//!
//! # Where to read on
//! The examples `hexagons`, `ldtk` and `tiled` of this crate; [`LightMap`](crate::LightMap) for the frame;
//! [`set_relief`](crate::LightMap::set_relief) for maps over land.
