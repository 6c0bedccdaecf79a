//! Problem: in a game in turns light is to be right at once, and the same on every machine; in one in real time it is
//! to flow, and no frame may wait for it.
//!
//! Two components on the map say it: [`LightFlow`](crate::LightFlow) where light is going,
//! [`LightTiming`](crate::LightTiming) when it is worked out.
//!
//! | | `LightTiming::WithinBudget`, the default | `LightTiming::InStep` |
//! |---|---|---|
//! | `LightFlow::Automaton`, the default | it spreads before one's eyes, and costs a frame no more than the budget | the same, step for step, however long that takes: replays |
//! | `LightFlow::SETTLED` | at once where there is little to do, else a moment later, whole | at once: games in turns, rules |
//!
//! # Turns
//! The plugin works in a schedule of your choice. In one that is run once a turn, light is that of this turn, and a
//! system behind it reads what everybody stands in:
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
//!     commands.spawn((LightMap::default(), LightFlow::SETTLED, LightTiming::InStep));
//!     commands.spawn((LightSource::default(), LightLevel::default(), LightCell::new(8, 8)));
//! }
//!
//! /// In an exclusive system, say when a key was pressed.
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
//! #     world.query::<&LightMap>().single(world).unwrap().grid().luminance(IVec2::new(x, 8))
//! # };
//! # assert_eq!(lit(&mut app, 9), 0.0);
//! # turn(app.world_mut());
//! # let first = lit(&mut app, 9);
//! # turn(app.world_mut());
//! # assert!(first > 0.6 && lit(&mut app, 10) == first && lit(&mut app, 9) < first);
//! ```
//!
//! # Real time
//! Nothing has to be set: light flows at 240 steps a second, a cell at most in each, and takes 2 ms of a frame. Who
//! acts on old light asks how old it is:
//!
//! ```
//! use std::time::Duration;
//!
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! fn plugin(app: &mut App) {
//!     // All maps together, on the main thread; the rest is done in the background.
//!     app.insert_resource(LightBudget(Duration::from_millis(1)));
//!     app.add_systems(Startup, setup).add_systems(Update, watch);
//! }
//!
//! fn setup(mut commands: Commands) {
//!     let slow = LightFlow::Automaton { steps_per_second: 60.0 };
//!     commands.spawn((LightMap::default(), slow));
//! }
//!
//! fn watch(maps: Query<&LightMap>) {
//!     for map in &maps {
//!         if map.age() > Duration::from_millis(200) {
//!             warn_once!("the light is {:?} old; a step takes {:?}", map.age(), map.step_time());
//!         }
//!     }
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::default(), plugin));
//! # for _ in 0..3 { app.update(); }
//! ```
//!
//! What is shown and read is always a whole light: that of lamps and cells as they were, `age` ago. Cells, sources and
//! blockers themselves are those of now.
//!
//! # A pause
//! Light and flames stand still while `Time<Virtual>` does. For editors and photographs light can go on:
//!
//! ```
//! # use bevy::prelude::*;
//! # use lanternfell_torchlight::prelude::*;
//! # let mut app = App::new();
//! # app.add_plugins(MinimalPlugins);
//! # let tick = std::time::Duration::from_nanos(15_625_000);
//! # app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(tick));
//! app.add_plugins(TorchlightPlugin::default().going_on_in_pause());
//! # let map = (LightMap::default(), LightTiming::InStep);
//! # let map = app.world_mut().spawn(map).id();
//! # app.world_mut().spawn((LightSource::default(), LightCell::new(30, 30)));
//! # app.world_mut().resource_mut::<Time<Virtual>>().pause();
//! # for _ in 0..4 { app.update(); }
//! # let map = app.world().get::<LightMap>(map).unwrap();
//! # assert!(map.grid().luminance(IVec2::new(31, 30)) > 0.0);
//! ```
//!
//! # How far, how exact, and what is kept
//! **Reach.** [`Falloff::Radius`](crate::lightgrid::Falloff) is in how many cells of open ground light of strength 1
//! falls to 1/64, which is hardly above black; a stronger lamp reaches further. Walls that throw light back carry it
//! further, black ones and smoke less far. Light in straight lines ends at 256 cells.
//!
//! **Tolerance.** Settled light is off by about the tolerance at most, 1/1000 if nothing is said. That is proven, where
//! numbers allow it: [`Settled`](crate::lightgrid::Settled) has the bound, and whether the tolerance was reached. Light
//! of 1 can not be told to be nearer than 0.00017 at a radius of 12 and 0.0015 at 32; beyond a radius of some seventy
//! cells the tolerance is not reached, and at 1000 light can be off by a tenth. Steps end at most 1/65536 divided by
//! the decay below settled light.
//!
//! **What is kept.** With [`Falloff::Decay(0.0)`](crate::lightgrid::Falloff) and walls of albedo 1
//! ([`Cell::WALL`](crate::lightgrid::Cell::WALL)) steps lose no light: a room that was lit stays so. What is kept is
//! not the plain sum: each cell counts by what it passes, times what it and its neighbors pass (as they weigh in the
//! average), which is less beside a wall than in the open. It is kept but for rounding, and but for cells with less
//! than 1/65536, which counts as none. A lamp's cell is held at the lamp's strength, whatever flows away; and decay, black
//! walls, glass and smoke swallow light. So with the usual settings nothing is kept: light fades.
//!
//! **Bounds.** Light is never negative, never NaN, never brighter than the brightest source or ambient light has been.
//! Another lamp darkens nothing, unless it is a darkness.
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
//! // Without decay: first it fills with light, then the lamp goes.
//! let mut mirrors = LightGrid::new(17, 17, LightSettings { falloff: Falloff::Decay(0.0), ..default() })?;
//! mirrors.set_sources(&[lamp])?;
//! mirrors.step(20_000);
//! mirrors.set_sources(&[])?;
//! mirrors.step(20_000);
//! assert!(mirrors.lights().all(|light| (light - 1.0).abs().max_element() < 1e-3));
//! // Where nothing is lost there is no bound either.
//! assert_eq!(mirrors.settle(1e-3).error, f32::INFINITY);
//!
//! // On open ground a flash spreads until there is less than counts.
//! let mut yard = LightGrid::gray(301, 301, LightSettings { falloff: Falloff::Decay(0.0), ..default() })?;
//! yard.set_sources(&[Source::new(IVec2::splat(150), Vec3::ONE)])?;
//! yard.step(1);
//! yard.set_sources(&[])?;
//! yard.step(20_000);
//! assert!(yard.lights().all(|light| light == Vec3::ZERO));
//! # Ok::<(), LightError>(())
//! ```
//!
//! # The same bits everywhere
//! In step, with places given by [`LightCell`](crate::LightCell), light has the same bits on every machine, with any
//! number of threads: replays and networks may compare it. Not promised is that
//! - within the budget: it depends on how fast the machine is;
//! - of flowing light in a schedule whose clock is the frames': how many steps are due depends on those;
//! - of places by transforms that were turned: sines differ;
//! - of colors that are neither sRGB nor linear: Bevy converts them;
//! - of lamps that were spawned in another order: they are gone through in the order of their entities.
//!
//! # What it costs
//! | | costs |
//! |---|---|
//! | a map at rest | a glance at each lamp, blocker and level |
//! | in step, flowing | the tiles in which light changes, 240 times a second: 1 ms a frame for a lamp in rooms, 9 ms for 256 that move on 1024 x 1024 cells |
//! | in step, settled | the cells whose light changes: 8 ms a frame for 64 lamps of one color, of radius 30, that move on 256 x 256 cells |
//! | within the budget | half of it for light, the other for textures, once a frame however many ticks there are; a second grid |
//!
//! (A development build, two busy cores; the [README](crate#how-much-of-a-frame-it-takes) has all numbers.)
//!
//! # To know
//! - What was missed in a hitch is left out: no more steps are due than those of a quarter of a second.
//! - In step at most 256 sweeps are made in a run, enough for lights that reach some fifty cells. The next goes on.
//! - A system that reads fresh levels runs after [`TorchlightSystems::Publish`](crate::TorchlightSystems), one that
//!   moves lamps before `Collect`. Transforms need not have been propagated.
//! - In a browser there are no threads: a piece is done in every frame, be it longer than the budget.
//!
//! # What goes wrong
//! - *Light lags behind a torch.* Steps are few, or the radius large: it is the way of the automaton. `SETTLED` has no lag.
//! - *The dark comes too late when a lamp goes out.* It fades by the decay in each step; `darken` of
//!   [`LightMap`](crate::LightMap::darken) is a switch.
//! - *`age` grows and grows.* More is asked than the machine does: fewer steps a second, a smaller radius, `gray`.
//! - *In a test nothing is lit after one `update`.* Its first takes no time, so no fixed tick has run: set a
//!   `TimeUpdateStrategy`, or give the plugin `Update`.
//!
//! # Where to read on
//! [`LightSettings`](crate::lightgrid::LightSettings) for roundness and straight light;
//! [`LightGrid::settle`](crate::lightgrid::LightGrid::settle) for the bound; [`lightgrid`](crate::lightgrid) for the
//! rule itself.
