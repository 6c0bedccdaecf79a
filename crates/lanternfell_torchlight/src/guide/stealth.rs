//! How to write stealth rules: which entities are lit, who sees whom, paths through the shadows, and which lamp lights
//! a cell.
//!
//! # How well an entity is lit
//! Add a [`LightLevel`](crate::LightLevel) to the entity. It receives the light of the cell at its position, and its
//! band. The bands are, from dark to bright, `Hidden`, `Dim`, `Lit` and `Blazing`. When the band changes, the event
//! [`LightBandChanged`](crate::LightBandChanged) is triggered on the entity. Use an observer to react to it:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! #[derive(Component)]
//! struct Thief;
//!
//! fn plugin(app: &mut App) {
//!     app.add_systems(Startup, setup).add_observer(notice);
//! }
//!
//! fn setup(mut commands: Commands) -> Result {
//!     let mut grid = LightGrid::new(40, 20, LightSettings::default())?;
//!     grid.fill(|cell| if cell.x == 20 && cell.y != 10 { Cell::WALL } else { Cell::OPEN })?;
//!     commands.spawn((
//!         TorchlightMap::new(grid),
//!         // Rules want the current, settled light.
//!         LightFlow::SETTLED,
//!         LightTiming::InStep,
//!         // The luminance from which an entity is dim, lit and blazing. (These are the defaults.)
//!         LightThresholds(LightBands { from: [1.0 / 32.0, 1.0 / 6.0, 0.6], hysteresis: 0.1 }),
//!     ));
//!     commands.spawn((LightSource::default(), LightCell::new(12, 10)));
//!     commands.spawn((Thief, LightLevel::default(), LightCell::new(3, 10)));
//!     Ok(())
//! }
//!
//! fn notice(change: On<LightBandChanged>, thieves: Query<&LightLevel, With<Thief>>) {
//!     let Ok(level) = thieves.get(change.entity) else { return };
//!     if change.before < LightBand::Lit && change.now >= LightBand::Lit {
//!         info!("There he is, at {:.2}!", level.luminance);
//!     }
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::default(), plugin));
//! # let tick = std::time::Duration::from_nanos(15_625_000);
//! # app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(tick));
//! # let mut band = |x, app: &mut App| {
//! #     let world = app.world_mut();
//! #     if let Ok(mut at) = world.query_filtered::<&mut LightCell, With<Thief>>().single_mut(world) {
//! #         *at = LightCell::new(x, 10);
//! #     }
//! #     app.update();
//! #     app.update();
//! #     let world = app.world_mut();
//! #     world.query::<&LightLevel>().single(world).unwrap().band
//! # };
//! # use LightBand::*;
//! # assert_eq!([3, 10, 12, 39].map(|x| band(x, &mut app)), [Dim, Lit, Blazing, Hidden]);
//! ```
//!
//! Near a threshold the band does not change until the luminance passes it by `hysteresis`, a fraction of the
//! threshold. This prevents a flickering torch from changing the band all the time. A creature with better eyes can use
//! its own bands: [`grid.band(cell, &bands, None)`](crate::lightgrid::LightGrid::band).
//!
//! # Who sees whom
//! An entity is seen if it is lit and in the field of view. The field of view is symmetric: if A sees B, then B sees A.
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::{lightgrid::FieldOfView, prelude::*};
//!
//! #[derive(Component)]
//! struct Guard;
//!
//! #[derive(Component)]
//! struct Thief;
//!
//! fn plugin(app: &mut App) {
//!     // In the schedule of the plugin, after it has updated the levels.
//!     app.add_systems(FixedPostUpdate, look.after(TorchlightSystems::Publish));
//! }
//!
//! fn look(
//!     mut view: Local<FieldOfView>, // reuses its memory
//!     map: Single<(&TorchlightMap, &GlobalTransform)>,
//!     guards: Query<&GlobalTransform, With<Guard>>,
//!     thieves: Query<(&GlobalTransform, &LightLevel), With<Thief>>,
//! ) {
//!     let (map, place) = *map;
//!     for guard in &guards {
//!         let Some(eye) = map.cell_at(place, guard.translation()) else { continue };
//!         map.grid().field_of_view(&mut view, eye, 30); // up to 30 cells away
//!         for (thief, level) in &thieves {
//!             let cell = map.cell_at(place, thief.translation());
//!             if cell.is_some_and(|cell| view.contains(cell)) && level.band >= LightBand::Dim {
//!                 info!("Halt!");
//!             }
//!         }
//!     }
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::default(), plugin));
//! # app.update();
//! # let map = TorchlightMap::default();
//! # let mut view = FieldOfView::default();
//! # map.grid().field_of_view(&mut view, IVec2::splat(20), 30);
//! # assert!(view.contains(IVec2::new(30, 20)) && !view.contains(IVec2::new(60, 20)));
//! ```
//!
//! # Paths through the dark
//! These functions query the grid of the map. `next_step` returns the next step of a rat that avoids light. `dark_path`
//! returns the whole path of a thief. Characters that do not move from cell to cell can move against the
//! [`gradient`](crate::lightgrid::LightGrid::gradient).
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::{lightgrid::{Exposure, PathOptions, DarkPath, PathError}, prelude::*};
//!
//! fn next_step(map: &TorchlightMap, rat: IVec2) -> Option<IVec2> {
//!     let grid = map.grid();
//!     let next = grid.darkest_neighbor(rat)?;
//!     // This is the darkest neighbor, but the current cell may be darker.
//!     (grid.luminance(next) < grid.luminance(rat)).then_some(next)
//! }
//!
//! fn dark_path(map: &TorchlightMap, from: IVec2, to: IVec2) -> Result<DarkPath, PathError> {
//!     // A cell in full light is worth a detour of 16 cells. Stops with an error after 20,000 cells.
//!     let options = PathOptions { weight: 16.0, most_expanded: 20_000, ..default() };
//!     map.grid().darkest_path(from, to, &options, |cell| !map.grid().is_opaque(cell))
//! }
//!
//! /// How much light falls on someone who takes this path.
//! fn risk(map: &TorchlightMap, path: &DarkPath, thresholds: &LightThresholds) -> Result<Exposure, LightError> {
//!     map.grid().exposure(path.cells.iter().copied(), thresholds)
//! }
//! # let mut grid = LightGrid::new(40, 20, LightSettings::default())?;
//! # grid.set_sources(&[lanternfell_torchlight::lightgrid::Source::new(IVec2::new(18, 10), Vec3::ONE)])?;
//! # grid.settle(1e-3);
//! # let map = TorchlightMap::new(grid);
//! # let step = next_step(&map, IVec2::new(15, 10)).unwrap();
//! # assert!(step.x < 15);
//! # let path = dark_path(&map, IVec2::new(3, 10), IVec2::new(36, 10))?;
//! # let risk = risk(&map, &path, &LightThresholds::default())?;
//! # assert!(risk.at_least(LightBand::Lit) == 0 && path.length > 33.0);
//! # Ok::<(), BevyError>(())
//! ```
//!
//! # Which lamp lights a cell
//! [`contributions`](crate::lightgrid::LightGrid::contributions) computes the part of each lamp in the light of a cell.
//! [`glow`](crate::lightgrid::LightGrid::glow) is cheaper: it walks toward brighter cells and returns the lamp at the
//! end. To find out how dark a cell would be without a lamp, try it on a copy of the grid:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! /// The entity that lights this cell most, and the luminance without it.
//! fn culprit(map: &TorchlightMap, cell: IVec2) -> Result<Option<(Entity, f32)>, LightError> {
//!     let Some(lamp) = map.grid().contributions(cell, 1e-3)?.main_source() else { return Ok(None) };
//!     let mut copy = map.grid().clone();
//!     let mut what_if = copy.what_if();
//!     what_if.extinguish(lamp)?;
//!     what_if.settle(1e-3);
//!     let left = what_if.luminance(cell);
//!     Ok(map.source_entity(lamp).map(|entity| (entity, left)))
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::in_schedule(Update)));
//! # let map = app.world_mut().spawn((TorchlightMap::default(), LightFlow::SETTLED, LightTiming::InStep)).id();
//! # let near = app.world_mut().spawn((LightSource::default(), LightCell::new(20, 20))).id();
//! # app.world_mut().spawn((LightSource::default(), LightCell::new(40, 20)));
//! # app.update();
//! # let map = app.world().get::<TorchlightMap>(map).unwrap();
//! # let cell = IVec2::new(23, 20);
//! # let (lamp, left) = culprit(map, cell)?.unwrap();
//! # assert!(lamp == near && left < 0.3 * map.grid().luminance(cell));
//! # assert_eq!(map.source_entity(map.grid().glow(cell).unwrap().source.unwrap()), Some(near));
//! # assert_eq!(culprit(&TorchlightMap::default(), cell)?, None);
//! # Ok::<(), LightError>(())
//! ```
//!
//! # Cost
//! | query | cost |
//! |---|---|
//! | a level, the light of a cell, `darkest_neighbor` | a few reads |
//! | `exposure` | one read per cell of the path |
//! | `darkest_path` | 0.2 to 0.4 µs per expanded cell: 0.02 ms to a cell 20 away, 7 ms across 256 x 256 cells of rooms |
//! | `contributions` | on 256 x 256 cells: 0.3 ms in rooms, 2 ms in the open at a radius of 12, 72 ms at a radius of 40; use [`contributions_within`](crate::lightgrid::LightGrid::contributions_within) to limit it |
//! | extinguishing a lamp on a copy | about 1 ms for 256 x 256 cells, 10 to 40 ms for 1024 x 1024, nearly all of it for the copy |
//!
//! # Good to know
//! - Use [`LightTiming::InStep`](crate::LightTiming::InStep) for rules. By default, the light of a large map may be
//!   some frames old (see [`time`](super::time)).
//! - Bands depend on luminance, which weights green most. A blue lamp is therefore darker for rules than it looks.
//!   `level.light` contains the colors.
//! - For flowing light, the contribution of a lamp is an upper bound of the light that is lost without it. If several
//!   lamps are in one cell, the strongest gets the whole contribution.
//! - The index of a source is valid until the plugin runs again, because lamps without light are not in the list. Store
//!   the entity instead.
//! - Walls receive light. An entity inside a wall can be blazing, and does not block light.
//!
//! # Troubleshooting
//! - *An entity is never lit.* It has no [`LightLevel`](crate::LightLevel), or neither a `Transform` nor a
//!   [`LightCell`](crate::LightCell). `level.map` is `None` for entities outside of all maps.
//! - *An event is triggered at startup.* A new entity starts as `Hidden`, and then gets the band of its cell.
//! - *Something visible on the screen is hidden for guards.* `floor`, `exposure` and `gamma` of
//!   [`LightDisplay`](crate::LightDisplay), [`SoftShadows`](crate::SoftShadows) and
//!   [`ShadowCaster`](crate::ShadowCaster) affect the screen only. Set
//!   [`LightSettings::direct`](crate::lightgrid::LightSettings::direct) to the value of `SoftShadows::direct`, so that
//!   rules and screen have similar shadows.
//! - *Guards react one frame late.* Their system runs in `Update`, but the levels are from the last fixed tick, before
//!   anything moved in this `Update`. Move characters in `FixedUpdate`, and run the rules as in `look` above. Another
//!   cause is `GlobalTransform`: until transforms are propagated in `PostUpdate`, it is that of the previous frame.
//!   Levels use the current `Transform`s.
//!
//! # See also
//! `examples/torch_stealth`, a stealth game; `examples/lantern_watch`, a guard on terrain;
//! [`lightgrid`](crate::lightgrid) for all queries of a grid.
