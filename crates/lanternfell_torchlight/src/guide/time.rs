//! How to choose between turn-based and real-time light, and how accurate the light is.
//!
//! A turn-based game needs light that is complete at once and the same on every machine. A real-time game needs light
//! that flows without delaying a frame. Two components of the map control this: [`LightFlow`](crate::LightFlow) selects
//! whether light spreads in steps or is settled, and [`LightTiming`](crate::LightTiming) selects when it is computed.
//!
//! | | `LightTiming::WithinBudget` (default) | `LightTiming::InStep` |
//! |---|---|---|
//! | `LightFlow::Automaton` (default) | spreads visibly, takes at most the budget of a frame | the exact number of steps, no matter how long they take; for replays |
//! | `LightFlow::SETTLED` | settled at once if that is fast, otherwise some frames later | settled at once; for turn-based games and rules |
//!
//! # Turn-based games
//! Run the plugin in your own schedule, once per turn. Systems after
//! [`TorchlightSystems::Publish`](crate::TorchlightSystems::Publish) read the light of this turn:
//!
//! ```
//! use bevy::{ecs::schedule::ScheduleLabel, prelude::*};
//! use lanternfell_torchlight::prelude::*;
//!
//! #[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
//! struct Turn;
//!
//! fn plugin(app: &mut App) {
//!     app.add_plugins(TorchlightPlugin::in_schedule(Turn));
//!     app.add_systems(Startup, setup);
//!     app.add_systems(Turn, walk.before(TorchlightSystems::Collect));
//!     app.add_systems(Turn, guards.after(TorchlightSystems::Publish));
//! }
//!
//! fn setup(mut commands: Commands) {
//!     commands.spawn((TorchlightMap::default(), LightFlow::SETTLED, LightTiming::InStep));
//!     commands.spawn((LightSource::default(), LightLevel::default(), LightCell::new(8, 8)));
//! }
//!
//! /// Plays one turn. For example, add `turn.run_if(input_just_pressed(KeyCode::Space))` to `Update`.
//! fn turn(world: &mut World) {
//!     world.run_schedule(Turn);
//! }
//! # fn walk(mut lamps: Query<&mut LightCell>) { for mut lamp in &mut lamps { lamp.0.x += 1.0; } }
//! # fn guards(levels: Query<&LightLevel>) { assert!(levels.iter().all(|level| level.band == LightBand::Blazing)); }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, plugin));
//! # app.update();
//! # let lit = |app: &mut App, x| {
//! #     let world = app.world_mut();
//! #     world.query::<&TorchlightMap>().single(world).unwrap().grid().luminance(IVec2::new(x, 8))
//! # };
//! # assert_eq!(lit(&mut app, 9), 0.0);
//! # turn(app.world_mut());
//! # let first = lit(&mut app, 9);
//! # turn(app.world_mut());
//! # assert!(first > 0.6 && lit(&mut app, 10) == first && lit(&mut app, 9) < first);
//! ```
//!
//! - The map is dark until the first turn. If players see it earlier, run the schedule once after `setup`.
//! - Use [`LightTiming::InStep`](crate::LightTiming::InStep). Within the budget, light that is computed in the
//!   background is only shown in the next turn.
//! - A [`Flicker`](crate::Flicker) is evaluated in each run of the schedule, so it does not animate a lamp between turns.
//!
//! # Real-time games
//! The defaults are made for real time: light flows at 240 steps per second, at most one cell per step, and takes at
//! most 2 ms of a frame. If old light matters to your game, check its age:
//!
//! ```
//! use std::time::Duration;
//!
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! fn plugin(app: &mut App) {
//!     // For all maps together, on the main thread. The rest is computed in the background.
//!     app.insert_resource(LightBudget(Duration::from_millis(1)));
//!     app.add_systems(Startup, setup).add_systems(Update, watch);
//! }
//!
//! fn setup(mut commands: Commands) {
//!     let slow = LightFlow::Automaton { steps_per_second: 60.0 };
//!     commands.spawn((TorchlightMap::default(), slow));
//! }
//!
//! fn watch(maps: Query<&TorchlightStatus>) {
//!     for status in &maps {
//!         let (age, step) = (status.age(), status.step_time());
//!         if age > Duration::from_millis(200) {
//!             warn_once!("the light is {age:?} old; a step takes {step:?}");
//!         }
//!     }
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::default(), plugin));
//! # for _ in 0..3 { app.update(); }
//! ```
//!
//! The light that you see and query is always complete. It corresponds to the lamps and cells as they were
//! [`age`](crate::TorchlightStatus::age) ago. Cells, sources and blockers themselves are always current.
//!
//! # Pausing
//! Light and flames pause with `Time<Virtual>`. For editors and photo modes, light can continue:
//!
//! ```
//! # use bevy::prelude::*;
//! # use lanternfell_torchlight::prelude::*;
//! # let mut app = App::new();
//! # app.add_plugins(MinimalPlugins);
//! # let tick = std::time::Duration::from_nanos(15_625_000);
//! # app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(tick));
//! app.add_plugins(TorchlightPlugin { runs_while_paused: true, ..default() });
//! # let map = (TorchlightMap::default(), LightTiming::InStep);
//! # let map = app.world_mut().spawn(map).id();
//! # app.world_mut().spawn((LightSource::default(), LightCell::new(30, 30)));
//! # app.world_mut().resource_mut::<Time<Virtual>>().pause();
//! # for _ in 0..4 { app.update(); }
//! # let map = app.world().get::<TorchlightMap>(map).unwrap();
//! # assert!(map.grid().luminance(IVec2::new(31, 30)) > 0.0);
//! ```
//!
//! # Reach, accuracy and conservation
//! **Reach.** [`Falloff::Radius`](crate::lightgrid::Falloff) is the distance in cells at which light of strength 1
//! falls to 1/64 in the open, which is nearly black. Stronger lamps reach further. Reflecting walls increase the reach.
//! Absorbing walls and smoke reduce it. Straight light ends at 256 cells.
//!
//! **Accuracy.** Settled light is accurate to about the tolerance (default: 1/1000).
//! [`Settled`](crate::lightgrid::Settled) contains a proven bound of the error, and whether the tolerance was reached.
//! The precision of `f32` limits the bound: for light of 1 it is at least 0.00017 at a radius of 12, and 0.0015 at 32.
//! Above a radius of about 70 cells the default tolerance is not reached, and at 1000 cells the error can be 0.1. Light
//! that flows in steps comes to rest slightly below settled light: by at most 1/65536 divided by the
//! [decay](crate::lightgrid::LightGrid::decay), the fraction of the light that is lost in each step.
//!
//! **Conservation.** With [`Falloff::Decay(0.0)`](crate::lightgrid::Falloff) and walls of albedo 1
//! ([`Cell::WALL`](crate::lightgrid::Cell::WALL)), steps lose no light, so a lit room stays lit. The conserved quantity
//! is the sum over all cells of the light, times the transparency of the cell, times the weighted transparency of its
//! neighborhood (including itself). A cell next to a wall counts less than one in the open. There are two exceptions:
//! rounding, and the cutoff, which sets light below 1/65536 to zero. The cell of a lamp is held at the strength of the
//! lamp. Decay, black walls, glass and smoke absorb light, so with the default settings light fades.
//!
//! **Range.** Light is never negative, never NaN, and never brighter than the brightest source or ambient light so far.
//! Adding a lamp never darkens a cell, unless its strength is negative.
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::{lightgrid::Source, prelude::*};
//!
//! let lamp = Source::new(IVec2::new(8, 8), Vec3::ONE);
//! let mut room = LightGrid::new(17, 17, LightSettings::default())?;
//! room.set_sources(&[lamp])?;
//! let settled = room.settle(1e-3);
//! assert!(settled.reached && settled.error < 2e-3);
//!
//! // Without decay: the room fills with light, then the lamp is removed.
//! let mut mirrors = LightGrid::new(17, 17, LightSettings { falloff: Falloff::Decay(0.0), ..default() })?;
//! mirrors.set_sources(&[lamp])?;
//! mirrors.step(20_000);
//! mirrors.set_sources(&[])?;
//! mirrors.step(20_000);
//! assert!(mirrors.lights().all(|light| (light - 1.0).abs().max_element() < 1e-3));
//! // Without decay there is no bound of the error.
//! assert_eq!(mirrors.settle(1e-3).error, f32::INFINITY);
//!
//! // In the open, a flash spreads until it is below the cutoff.
//! let mut yard = LightGrid::gray(301, 301, LightSettings { falloff: Falloff::Decay(0.0), ..default() })?;
//! yard.set_sources(&[Source::new(IVec2::splat(150), Vec3::ONE)])?;
//! yard.step(1);
//! yard.set_sources(&[])?;
//! yard.step(20_000);
//! assert!(yard.lights().all(|light| light == Vec3::ZERO));
//! # Ok::<(), LightError>(())
//! ```
//!
//! # Determinism
//! In step, with positions given by [`LightCell`](crate::LightCell), light is bit-identical on every machine, with any
//! number of threads. Replays and networked games can compare it. It may differ in these cases:
//! - within the budget, where the result depends on the speed of the machine;
//! - flowing light in a schedule that runs once per frame, where the number of steps depends on the frame time;
//! - positions from rotated transforms, because sines differ between platforms;
//! - colors that are neither sRGB nor linear, which Bevy converts;
//! - lamps that were spawned in another order, because lamps are processed in the order of their entities.
//!
//! # Cost
//! | | cost |
//! |---|---|
//! | a map at rest | one lookup per lamp, blocker and level |
//! | in step, flowing | the tiles in which light changes, 240 times per second: 1 ms per frame for one lamp in rooms, 9 ms for 256 moving lamps on 1024 x 1024 cells |
//! | in step, settled | the cells whose light changes: 8 ms per frame for 64 moving lamps of one color with a radius of 30 on 256 x 256 cells |
//! | within the budget | at most the budget per frame, no matter how many ticks there are, half of it for light and the rest for textures; memory for a second grid |
//!
//! (Development build, two busy cores. The [README](crate#performance) contains all measurements.)
//!
//! # Good to know
//! - After a long frame, at most the steps of a quarter of a second are made up for. The rest is skipped.
//! - In step, a run makes at most 256 sweeps (passes over the cells that are not settled yet), enough for lights that
//!   reach about 50 cells. The next run continues.
//! - In the plugin's schedule, run systems that move lamps before `Collect`, and systems that read levels after
//!   [`TorchlightSystems::Publish`](crate::TorchlightSystems). Transforms do not need to be propagated first.
//! - Browsers have no threads. Each frame does at least one piece of the work, even if it takes longer than the budget.
//!
//! # Troubleshooting
//! - *Light lags behind a moving torch.* Light moves by at most one cell per step. Use more steps per second, a smaller
//!   radius, or `LightFlow::SETTLED`, which has no lag unless the light exceeds the budget.
//! - *Light fades too slowly after a lamp goes out.* It fades by the decay in each step. Call
//!   [`darken`](crate::TorchlightMap::darken) to remove all light at once.
//! - *The [`age`](crate::TorchlightStatus::age) of the light keeps growing.* The machine is too slow for the settings.
//!   Use fewer steps per second, a smaller radius or gray light.
//! - *In a test, nothing is lit after one `update`.* The first update has a delta time of zero, so no fixed tick runs.
//!   Set a `TimeUpdateStrategy`, or run the plugin in `Update`.
//!
//! # See also
//! [`LightSettings`](crate::lightgrid::LightSettings) for the neighborhood and straight light;
//! [`LightGrid::settle`](crate::lightgrid::LightGrid::settle) for the error bound; [`lightgrid`](crate::lightgrid) for
//! the algorithm.
