//! Problem: the game that the player leaves today is to go on tomorrow, with its doors, its lamps, and the light that was.
//!
//! A [`LightMap`](crate::LightMap) is saved with its own cells and the light on them, so that nothing has to flow
//! again. What stands in it is saved as what it is: doors that are closed as doors, not as walls.
//!
//! # By serde
//! A save of your own: the map as it is, and of everything else what your game knows of it.
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Component)]
//! struct Door;
//!
//! #[derive(Serialize, Deserialize)]
//! struct Save {
//!     map: LightMap,
//!     flow: LightFlow,
//!     thresholds: LightThresholds,
//!     /// Where doors stand, and whether they are closed.
//!     doors: Vec<(LightCell, Option<LightBlocker>)>,
//!     lamps: Vec<(LightCell, LightSource, Option<Flicker>)>,
//! }
//!
//! fn save(
//!     map: Single<(&LightMap, &LightFlow, &LightThresholds)>,
//!     doors: Query<(&LightCell, Option<&LightBlocker>), With<Door>>,
//!     lamps: Query<(&LightCell, &LightSource, Option<&Flicker>)>,
//! ) -> Result<String> {
//!     let (map, &flow, &thresholds) = *map;
//!     let lamps = lamps.iter().map(|(&at, &lamp, flicker)| (at, lamp, flicker.copied()));
//!     Ok(ron::to_string(&Save {
//!         map: map.clone(),
//!         flow,
//!         thresholds,
//!         doors: doors.iter().map(|(&at, closed)| (at, closed.copied())).collect(),
//!         lamps: lamps.collect(),
//!     })?)
//! }
//!
//! fn load(text: In<String>, mut commands: Commands) -> Result {
//!     let save: Save = ron::from_str(&text)?;
//!     commands.spawn((save.map, save.flow, save.thresholds));
//!     for (at, closed) in save.doors {
//!         let mut door = commands.spawn((Door, at));
//!         if let Some(blocker) = closed {
//!             door.insert(blocker);
//!         }
//!     }
//!     for (at, lamp, flicker) in save.lamps {
//!         let mut lamp = commands.spawn((lamp, at));
//!         if let Some(flicker) = flicker {
//!             lamp.insert(flicker);
//!         }
//!     }
//!     Ok(())
//! }
//! # use bevy::ecs::system::RunSystemOnce;
//! # fn app() -> App {
//! #     let mut app = App::new();
//! #     app.add_plugins((MinimalPlugins, TorchlightPlugin::in_schedule(Update)));
//! #     app.add_observer(|add: On<Add, LightMap>, mut commands: Commands| {
//! #         commands.entity(add.entity).insert(LightTiming::InStep);
//! #     });
//! #     app
//! # }
//! # let mut today = app();
//! # let mut grid = LightGrid::new(15, 9, LightSettings::default())?;
//! # grid.fill(|cell| if cell.x == 7 && cell.y != 4 { Cell::WALL } else { Cell::OPEN })?;
//! # today.world_mut().spawn((LightMap::new(grid), LightFlow::SETTLED));
//! # today.world_mut().spawn((Door, LightBlocker::default(), LightCell::new(7, 4)));
//! # today.world_mut().spawn((LightSource::default(), LightCell::new(3, 4)));
//! # today.update();
//! # let text = today.world_mut().run_system_once::<_, Result<String>, _>(save).unwrap().unwrap();
//! # let mut tomorrow = app();
//! # tomorrow.world_mut().run_system_once_with::<_, _, Result, _>(load, text).unwrap().unwrap();
//! # let light = |app: &mut App| -> Vec<Vec3> {
//! #     let world = app.world_mut();
//! #     world.query::<&LightMap>().single(world).unwrap().grid().lights().collect()
//! # };
//! # assert_eq!(light(&mut tomorrow), light(&mut today));
//! # let door = |app: &mut App| {
//! #     app.update();
//! #     let world = app.world_mut();
//! #     let map = world.query::<&LightMap>().single(world).unwrap();
//! #     (map.cell(IVec2::new(7, 4)), map.grid().cell(IVec2::new(7, 4)))
//! # };
//! # assert_eq!(door(&mut tomorrow), (Cell::OPEN, Cell::WALL));
//! # Ok::<(), LightError>(())
//! ```
//!
//! The file should be written beside the old one and then renamed, so that a program that is killed meanwhile leaves a
//! whole one.
//!
//! # In scenes
//! All components are reflected, and the plugin registers them. So a `DynamicWorld` (Bevy's feature
//! `bevy_world_serialization`) saves and loads them with all else, and knows which entity an
//! [`InLightMap`](crate::InLightMap) names. By hand it is this, for any component:
//!
//! ```
//! use bevy::{
//!     ecs::reflect::AppTypeRegistry,
//!     prelude::*,
//!     reflect::serde::{ReflectDeserializer, ReflectSerializer},
//! };
//! use lanternfell_torchlight::prelude::*;
//! use serde::de::DeserializeSeed;
//!
//! fn to_text(component: &dyn PartialReflect, registry: &AppTypeRegistry) -> Result<String> {
//!     Ok(ron::to_string(&ReflectSerializer::new(component, &registry.read()))?)
//! }
//!
//! fn from_text<C: FromReflect>(text: &str, registry: &AppTypeRegistry) -> Result<C> {
//!     let registry = registry.read();
//!     let mut text = ron::Deserializer::from_str(text)?;
//!     let read = ReflectDeserializer::new(&registry).deserialize(&mut text)?;
//!     Ok(C::from_reflect(&*read).ok_or("it is something else")?)
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::default()));
//! # let registry = app.world().resource::<AppTypeRegistry>();
//! # let lamp = LightSource::new(Color::srgb(0.2, 0.4, 1.0)).with_radius(0.5);
//! # assert_eq!(from_text::<LightSource>(&to_text(&lamp, registry)?, registry)?, lamp);
//! # let display = LightDisplay { style: LightStyle::Banded(3), ..default() };
//! # assert_eq!(from_text::<LightDisplay>(&to_text(&display, registry)?, registry)?, display);
//! # let map = LightMap::default().with_cell_size(8.0);
//! # assert_eq!(from_text::<LightMap>(&to_text(&map, registry)?, registry)?.cell_size(), 8.0);
//! # Ok::<(), BevyError>(())
//! ```
//!
//! # A grid without an engine
//! A server, or a level's proof, has a [`LightGrid`](crate::lightgrid::LightGrid) alone. It is serde, too, with its
//! sources: saved, loaded and stepped it has the same light, to the last bit, as one that was only stepped.
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::{lightgrid::Source, prelude::*};
//!
//! let mut grid = LightGrid::new(40, 20, LightSettings::default())?;
//! grid.set_sources(&[Source::new(IVec2::new(7, 3), Vec3::ONE)])?;
//! grid.step(30);
//! let text = ron::to_string(&grid)?;
//! grid.step(30);
//!
//! let mut loaded: LightGrid = ron::from_str(&text)?;
//! loaded.step(30);
//! assert!(loaded.lights().eq(grid.lights()));
//! # Ok::<(), BevyError>(())
//! ```
//!
//! # What is kept
//! By serde colors are linear red, green, blue and alpha, so that light is the same to the last bit; fields that are left
//! out are as by default.
//!
//! | | by serde | in scenes |
//! |---|---|---|
//! | [`LightMap`](crate::LightMap): its own cells, light, regions, ambient light, land, settings, size, plane, layout | yes | yes |
//! | [`LightSource`](crate::LightSource), [`LightBlocker`](crate::LightBlocker), [`LightCell`](crate::LightCell), [`Flicker`](crate::Flicker), [`ShadowCaster`](crate::ShadowCaster) | yes | yes |
//! | [`LightFlow`](crate::LightFlow), [`LightTiming`](crate::LightTiming), [`LightThresholds`](crate::LightThresholds), [`LightDisplay`](crate::LightDisplay), [`LightDetail`](crate::LightDetail), [`LightDebug`](crate::LightDebug) | yes | yes |
//! | of tile maps `FollowsTilemaps`, `LightTile`, `TiledLight`, `LdtkLight` | yes | yes |
//! | [`InLightMap`](crate::InLightMap), [`LightLevel`](crate::LightLevel): they name entities | no | yes |
//! | [`NormalMap`](crate::NormalMap) | no | its image by its path |
//! | [`LightTexture`](crate::LightTexture), [`DetailTexture`](crate::DetailTexture), the layers' quads | made again | leave them out |
//! | the part of a step that is due, the [`age`](crate::LightMap::age) | no | no |
//!
//! # To know
//! - What is read is checked before memory is taken for it: sizes, ranges, lengths. An error says what is wrong, so files of
//!   players may be read.
//! - Cells and light are runs of like ones: a map at rest, with dark rooms, is small. Flowing light is not: 3 numbers a
//!   cell. A binary format has about a third of RON.
//! - Files of all earlier versions are read.
//! - Save [`LightMap`](crate::LightMap), not `map.grid()`: that has the blockers as cells.
//! - Flames go by the clock of the game. If that begins anew, so do they: the light is the same only for lamps without
//!   a [`Flicker`](crate::Flicker).
//! - The levels are filled in again in the first run. Saved with their band, entities cross no threshold by being
//!   loaded; without, a [`LightBandChanged`](crate::LightBandChanged) comes for each that is lit.
//!
//! # What goes wrong
//! - *A door is a wall for ever.* It was set by `set_cell`, or the grid was saved in place of the map.
//! - *A scene does not load.* It is read without `TorchlightPlugin`, which registers the types.
//! - *A warning of an ephemeral handle.* The textures were saved: deny
//!   [`LightTexture`](crate::LightTexture) and its like. They are made anew.
//! - *A lamp lights another map.* `InLightMap` names an entity, which is another one after loading. Scenes map it; by
//!   serde save which map it is.
//!
//! # Where to read on
//! [`LightMap`](crate::LightMap) for what it is; `examples/light_sandbox` (`files.rs`) for drawings as files that
//! people edit.
