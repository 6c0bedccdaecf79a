//! Problem: does the guard see the thief, where is it dark, by which way does one keep to the shadows, and whose
//! torch gave him away?
//!
//! # How lit somebody is
//! Whoever wants to know it has a [`LightLevel`](crate::LightLevel): the light of the cell in which he stands, and a
//! word for it. When the word changes, a [`LightBandChanged`](crate::LightBandChanged) is written.
//!
//! ```
//! use bevy::{app::FixedPostUpdate, prelude::*};
//! use lanternfell_torchlight::prelude::*;
//!
//! #[derive(Component)]
//! struct Thief;
//!
//! fn plugin(app: &mut App) {
//!     app.add_systems(Startup, setup);
//!     // In the plugin's schedule, once the levels are those of this moment.
//!     app.add_systems(FixedPostUpdate, notice.after(TorchlightSystems::Publish));
//! }
//!
//! fn setup(mut commands: Commands) -> Result {
//!     let mut grid = LightGrid::new(40, 20, LightSettings::default())?;
//!     grid.fill(|cell| if cell.x == 20 && cell.y != 10 { Cell::WALL } else { Cell::OPEN })?;
//!     commands.spawn((
//!         LightMap::new(grid),
//!         // The light of this very moment, at rest: what rules want.
//!         LightFlow::SETTLED,
//!         LightTiming::InStep,
//!         // From which luminance on something is dim, lit, blazing. (These are the usual ones.)
//!         LightThresholds(LightBands { from: [1.0 / 32.0, 1.0 / 6.0, 0.6], hysteresis: 0.1 }),
//!     ));
//!     commands.spawn((LightSource::default(), LightCell::new(12, 10)));
//!     commands.spawn((Thief, LightLevel::default(), LightCell::new(3, 10)));
//!     Ok(())
//! }
//!
//! fn notice(mut changes: MessageReader<LightBandChanged>, thieves: Query<&LightLevel, With<Thief>>) {
//!     for change in changes.read() {
//!         let Ok(level) = thieves.get(change.entity) else { continue };
//!         if change.before < LightBand::Lit && change.now >= LightBand::Lit {
//!             info!("There he is, at {:.2}!", level.luminance);
//!         }
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
//! Around a threshold the word stays for a while (`hysteresis`, a part of the threshold), so that a flickering torch
//! does not make guards flicker. Who sees better than others asks with bands of his own:
//! [`grid.band(cell, &bands, None)`](crate::lightgrid::LightGrid::band).
//!
//! # Who sees whom
//! Seen is what is lit and in sight. Sight is symmetric: whoever you see could see you.
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
//! fn look(
//!     mut view: Local<FieldOfView>, // keeps its memory
//!     map: Single<(&LightMap, &GlobalTransform)>,
//!     guards: Query<&GlobalTransform, With<Guard>>,
//!     thieves: Query<(&GlobalTransform, &LightLevel), With<Thief>>,
//! ) {
//!     let (map, place) = *map;
//!     let cell = |at: &GlobalTransform| {
//!         let at = map.cell_at(place, at.translation());
//!         map.grid().settings().neighborhood.cell_at(at)
//!     };
//!     for guard in &guards {
//!         map.grid().look(&mut view, cell(guard), 30);
//!         for (thief, level) in &thieves {
//!             if view.contains(cell(thief)) && level.band >= LightBand::Dim {
//!                 info!("Halt!");
//!             }
//!         }
//!     }
//! }
//! # bevy::ecs::system::assert_is_system(look);
//! # let map = LightMap::default();
//! # let mut view = FieldOfView::default();
//! # map.grid().look(&mut view, IVec2::splat(20), 30);
//! # assert!(view.contains(IVec2::new(30, 20)) && !view.contains(IVec2::new(60, 20)));
//! ```
//!
//! # Into the dark
//! All of it is asked of the map's grid. `whither` is a step for a rat that shuns light, `way` a thief's whole way. Who
//! does not walk in cells follows the [`gradient`](crate::lightgrid::LightGrid::gradient) down.
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::{lightgrid::{Exposure, Walk, Way, WayError}, prelude::*};
//!
//! fn whither(map: &LightMap, rat: IVec2) -> Option<IVec2> {
//!     let grid = map.grid();
//!     let next = grid.darkest_neighbor(rat)?;
//!     // Of those around it is the darkest, but here it may be darker still.
//!     (grid.luminance(next) < grid.luminance(rat)).then_some(next)
//! }
//!
//! fn way(map: &LightMap, from: IVec2, to: IVec2) -> Result<Way, WayError> {
//!     // A cell in full light is worth a detour of 16 cells. It gives up where that takes too long.
//!     let walk = Walk { weight: 16.0, most_expanded: 20_000, ..default() };
//!     map.grid().darkest_way(from, to, &walk, |cell| !map.grid().is_opaque(cell))
//! }
//!
//! /// How much light falls on whoever goes there.
//! fn risk(map: &LightMap, way: &Way, thresholds: &LightThresholds) -> Result<Exposure, LightError> {
//!     map.grid().exposure(way.cells.iter().copied(), thresholds)
//! }
//! # let mut grid = LightGrid::new(40, 20, LightSettings::default())?;
//! # grid.set_sources(&[lanternfell_torchlight::lightgrid::Source::new(IVec2::new(18, 10), Vec3::ONE)])?;
//! # grid.settle(1e-3);
//! # let map = LightMap::new(grid);
//! # let step = whither(&map, IVec2::new(15, 10)).unwrap();
//! # assert!(step.x < 15);
//! # let way = way(&map, IVec2::new(3, 10), IVec2::new(36, 10))?;
//! # let risk = risk(&map, &way, &LightThresholds::default())?;
//! # assert!(risk.at_least(LightBand::Lit) == 0 && way.length > 33.0);
//! # Ok::<(), BevyError>(())
//! ```
//!
//! # Whose lamp is it
//! [`contributions`](crate::lightgrid::LightGrid::contributions) divides the light of a cell among the lamps.
//! [`glow`](crate::lightgrid::LightGrid::glow) is the cheap answer: it walks towards more light, and names the lamp
//! that stands where it ends. How dark it will be once a lamp is out is tried on a copy:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! /// The entity that lights this cell most, and how bright it is there without.
//! fn culprit(map: &LightMap, cell: IVec2) -> Result<Option<(Entity, f32)>, LightError> {
//!     let Some(lamp) = map.grid().contributions(cell, 1e-3)?.main_source() else { return Ok(None) };
//!     let mut copy = map.grid().clone();
//!     let mut what_if = copy.what_if();
//!     what_if.put_out(lamp)?;
//!     what_if.settle(1e-3);
//!     let left = what_if.luminance(cell);
//!     Ok(map.source_entity(lamp).map(|entity| (entity, left)))
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::in_schedule(Update)));
//! # let map = app.world_mut().spawn((LightMap::default(), LightFlow::SETTLED, LightTiming::InStep)).id();
//! # let near = app.world_mut().spawn((LightSource::default(), LightCell::new(20, 20))).id();
//! # app.world_mut().spawn((LightSource::default(), LightCell::new(40, 20)));
//! # app.update();
//! # let map = app.world().get::<LightMap>(map).unwrap();
//! # let cell = IVec2::new(23, 20);
//! # let (lamp, left) = culprit(map, cell)?.unwrap();
//! # assert!(lamp == near && left < 0.3 * map.grid().luminance(cell));
//! # assert_eq!(map.source_entity(map.grid().glow(cell).unwrap().source.unwrap()), Some(near));
//! # assert_eq!(culprit(&LightMap::default(), cell)?, None);
//! # Ok::<(), LightError>(())
//! ```
//!
//! # What it costs
//! | question | costs |
//! |---|---|
//! | a level, a cell's light, `darkest_neighbor` | a few reads |
//! | `exposure` | a read for each cell of the way |
//! | `darkest_way` | 0.2 to 0.4 microseconds for each cell that the search goes on from: 0.02 ms to a cell 20 away, 7 ms across 256 x 256 cells of rooms |
//! | `contributions` | on 256 x 256 cells 0.3 ms in rooms, 2 ms on open ground at a radius of 12, 72 ms at a radius of 40; [`contributions_within`](crate::lightgrid::LightGrid::contributions_within) bounds it |
//! | a lamp put out on a copy | about 1 ms with 256 x 256 cells, 10 to 40 with 1024 x 1024, nearly all of it for the copy |
//!
//! # To know
//! - [`LightTiming::InStep`](crate::LightTiming::InStep) is for rules: with the default, the light of a large map is
//!   that of a moment ago ([`time`](super::time)).
//! - Bands are of luminance, which weighs green most: a blue lamp hides more than it seems. `level.light` has the colors.
//! - A part in `contributions` is not what is missing when that lamp goes; that is at most the part. Of lamps in one
//!   cell the strongest has it all.
//! - A number of a source is good until the plugin runs again: lamps without light are not in the list. Keep the
//!   entity.
//! - Walls receive light. What stands in one may be blazing, and is not in anybody's way.
//!
//! # What goes wrong
//! - *Nobody is ever lit.* No [`LightLevel`](crate::LightLevel) on the entity, or neither a `Transform` nor a
//!   [`LightCell`](crate::LightCell); `level.map` is none where it stands in no map.
//! - *A message comes at the start.* Something new was `Hidden` before.
//! - *What is plain to see on screen is hidden to guards.* [`LightDisplay`](crate::LightDisplay)'s `floor`, `exposure`
//!   and `gamma` are for the eye alone, and so are [`LightDetail`](crate::LightDetail) and
//!   [`ShadowCaster`](crate::ShadowCaster). With [`LightSettings::direct`](crate::lightgrid::LightSettings::direct) as
//!   large as the detail's share rules see about the same shadows.
//! - *Guards lag by a frame.* Their system runs in `Update`, and sees the last tick's levels.
//!
//! # Where to read on
//! `examples/torch_stealth.rs`, a game of which light is the rule; `examples/lantern_watch`, a guard over land;
//! [`lightgrid`](crate::lightgrid) for all that a grid answers.
