//! How to save and load a game with its doors, its lamps and its light.
//!
//! A [`TorchlightMap`](crate::TorchlightMap) is saved with its own cells and the light on them, so the light does not
//! have to spread again after loading. Blockers are not part of the saved cells. A closed door is saved as a door, not
//! as a wall.
//!
//! # With serde
//! Write your own save format that contains the map and your game's entities. Save the other components of the map too,
//! such as [`LightTiming`](crate::LightTiming) and [`LightDisplay`](crate::LightDisplay), if you changed them.
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
//!     map: TorchlightMap,
//!     flow: LightFlow,
//!     thresholds: LightThresholds,
//!     /// The position of each door, and its blocker if it is closed.
//!     doors: Vec<(LightCell, Option<LightBlocker>)>,
//!     lamps: Vec<(LightCell, LightSource, Option<Flicker>)>,
//! }
//!
//! fn save(
//!     map: Single<(&TorchlightMap, &LightFlow, &LightThresholds)>,
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
//! /// Despawn the old map, doors and lamps first.
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
//! #     app.add_observer(|add: On<Add, TorchlightMap>, mut commands: Commands| {
//! #         commands.entity(add.entity).insert(LightTiming::InStep);
//! #     });
//! #     app
//! # }
//! # let mut today = app();
//! # let mut grid = LightGrid::new(15, 9, LightSettings::default())?;
//! # grid.fill(|cell| if cell.x == 7 && cell.y != 4 { Cell::WALL } else { Cell::OPEN })?;
//! # today.world_mut().spawn((TorchlightMap::new(grid), LightFlow::SETTLED));
//! # today.world_mut().spawn((Door, LightBlocker::default(), LightCell::new(7, 4)));
//! # today.world_mut().spawn((LightSource::default(), LightCell::new(3, 4)));
//! # today.update();
//! # let text = today.world_mut().run_system_once::<_, Result<String>, _>(save).unwrap().unwrap();
//! # let mut tomorrow = app();
//! # tomorrow.world_mut().run_system_once_with::<_, _, Result, _>(load, text).unwrap().unwrap();
//! # let light = |app: &mut App| -> Vec<Vec3> {
//! #     let world = app.world_mut();
//! #     world.query::<&TorchlightMap>().single(world).unwrap().grid().lights().collect()
//! # };
//! # assert_eq!(light(&mut tomorrow), light(&mut today));
//! # let door = |app: &mut App| {
//! #     app.update();
//! #     let world = app.world_mut();
//! #     let map = world.query::<&TorchlightMap>().single(world).unwrap();
//! #     (map.cell(IVec2::new(7, 4)), map.grid().cell(IVec2::new(7, 4)))
//! # };
//! # assert_eq!(door(&mut tomorrow), (Cell::OPEN, Cell::WALL));
//! # Ok::<(), LightError>(())
//! ```
//!
//! To keep a valid file if the program is killed while saving, write to a temporary file next to the old one, then
//! rename it.
//!
//! # In scenes
//! All components are reflected, and the plugin registers them. A `DynamicWorld` (Bevy's feature
//! `bevy_world_serialization`) saves and loads them with everything else, and maps the entity in
//! [`InTorchlightMap`](crate::InTorchlightMap). To do it manually for any component:
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
//!     Ok(C::from_reflect(&*read).ok_or("the text is another component")?)
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::default()));
//! # let registry = app.world().resource::<AppTypeRegistry>();
//! # let lamp = LightSource::new(Color::srgb(0.2, 0.4, 1.0)).with_radius(0.5);
//! # assert_eq!(from_text::<LightSource>(&to_text(&lamp, registry)?, registry)?, lamp);
//! # let display = LightDisplay { style: LightStyle::Banded(3), ..default() };
//! # assert_eq!(from_text::<LightDisplay>(&to_text(&display, registry)?, registry)?, display);
//! # let map = TorchlightMap::default().with_cell_size(8.0);
//! # assert_eq!(from_text::<TorchlightMap>(&to_text(&map, registry)?, registry)?.cell_size, 8.0);
//! # Ok::<(), BevyError>(())
//! ```
//!
//! # A grid without Bevy
//! A server or a level validator can use a [`LightGrid`](crate::lightgrid::LightGrid) alone. It implements serde,
//! including its sources. A grid that is saved, loaded and stepped has the same light, bit for bit, as one that is only
//! stepped.
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
//! # What is saved
//! With serde, colors are stored as linear red, green, blue and alpha, so the light is bit-identical after loading.
//! Missing fields get their default values.
//!
//! | | serde | scenes |
//! |---|---|---|
//! | [`TorchlightMap`](crate::TorchlightMap): its own cells, light, regions, ambient light, relief, settings, cell size, plane, layout | yes | yes |
//! | [`LightSource`](crate::LightSource), [`LightBlocker`](crate::LightBlocker), [`LightCell`](crate::LightCell), [`Flicker`](crate::Flicker), [`ShadowCaster`](crate::ShadowCaster) | yes | yes |
//! | [`LightFlow`](crate::LightFlow), [`LightTiming`](crate::LightTiming), [`LightThresholds`](crate::LightThresholds), [`LightDisplay`](crate::LightDisplay), [`SoftShadows`](crate::SoftShadows), [`LightDebug`](crate::LightDebug) | yes | yes |
//! | for tile maps: `FollowsTilemaps`, `LightTile`, `TiledLight`, `LdtkLight` | yes | yes |
//! | [`InTorchlightMap`](crate::InTorchlightMap), [`LightLevel`](crate::LightLevel), which refer to entities | no | yes |
//! | [`NormalMap`](crate::NormalMap) | no | the path of its image |
//! | [`LightTexture`](crate::LightTexture), [`DetailTexture`](crate::DetailTexture), the quads of the maps | created again | exclude them |
//! | [`TorchlightStatus`](crate::TorchlightStatus) | no | yes, but the plugin overwrites it |
//! | the fraction of the next step | no | no |
//!
//! # Good to know
//! - Sizes, ranges and lengths are checked before memory is allocated, and errors describe what is wrong. You can load
//!   files from players.
//! - Cells and light are run-length encoded. A map at rest with dark rooms is small. Flowing light takes 3 numbers per
//!   cell. A binary format needs about a third of the size of RON.
//! - Each file has a version. A file of another version is rejected with an error.
//! - Save the [`TorchlightMap`](crate::TorchlightMap), not `map.grid()`, whose cells include the blockers.
//! - A [`Flicker`](crate::Flicker) depends on the game's clock. If the clock restarts, the flicker restarts too. After
//!   loading, only lamps without a flicker are bit-identical.
//! - Levels are computed again in the first run. If you save [`LightLevel`](crate::LightLevel), loading causes no
//!   [`LightBandChanged`](crate::LightBandChanged). If you do not, one is triggered for each entity that is not
//!   `Hidden`.
//!
//! # Troubleshooting
//! - *A door has become a permanent wall.* Its cell was set with `set_cell`, or the grid was saved instead of the map.
//! - *A scene does not load.* The app has no `TorchlightPlugin`, which registers the types.
//! - *A warning about an ephemeral handle.* The scene contains textures. Exclude [`LightTexture`](crate::LightTexture)
//!   and the other textures. They are created again.
//! - *A lamp lights the wrong map.* `InTorchlightMap` contains an entity, which has another ID after loading. Scenes
//!   map it automatically. With serde, save an identifier of the map.
//!
//! # See also
//! [`TorchlightMap`](crate::TorchlightMap) for what it saves; `examples/light_sandbox` (`files.rs`) for text files that
//! people can edit.
