//! How to change a running app from another program, with the Bevy Remote Protocol.
//!
//! Enable Bevy's feature `bevy_remote` and add its plugins:
//!
//! ```ignore
//! use bevy::remote::{RemotePlugin, http::RemoteHttpPlugin};
//!
//! app.add_plugins((RemotePlugin::default(), RemoteHttpPlugin::default()));
//! ```
//!
//! The app then answers JSON-RPC requests over HTTP on port 15702. This request lists the terrains:
//!
//! ```text
//! curl localhost:15702 -d '{"jsonrpc": "2.0", "id": 1, "method": "world.query", "params":
//!     {"data": {"components": ["lanternfell_terrain::ground::terrain::Terrain"]}}}'
//! ```
//!
//! Requests name components by their full type path. `registry.schema` lists the types, for example with the parameters
//! `{"with_crates": ["lanternfell_terrain", "lanternfell_torchlight", "lanternfell_vegetation", "lanternfell_sky"]}`.
//!
//! `world.mutate_components` changes a field:
//!
//! | `component` | `path` | `value` | effect |
//! |---|---|---|---|
//! | `...::Terrain` | `.source.0` | a recipe | regenerates the terrain in the background |
//! | `...::Terrain` | `.scale.0.spacing` | `3.0` | scales the terrain; `.0` because the scale is an `Option` |
//! | `...::Water` | `.waves.height` | `0.5` | higher waves |
//! | `...::Vegetation` | `.seed` | `5` | other positions of plants |
//! | `...::LightSource` | `.strength` | `3.0` | a brighter lamp |
//!
//! - A recipe is reflected as a single value, so a path cannot end at one of its fields. Query the recipe, change the
//!   JSON, and send the whole recipe.
//! - `world.mutate_resources` changes resources, such as `TimeOfDay` and `Weather`.
//! - `world.remove_components` with `Water` removes the sea, and `world.insert_components` inserts it again. Missing
//!   fields get their defaults, so `{"level": 0.3}` is sufficient.
//! - `world.trigger_event` with `lanternfell_terrain::ground::edits::event::EditTerrain` digs and builds:
//!   `{"entity": 4294967210, "author": 1, "edit": {"Stroke": {"brush": {"Lower": {"mm": 800}}, "radius": 5.0,
//!   "points": [[0.0, 0.0], [20.0, 8.0]], "falloff": "Smooth", "strength": 1.0}}}`. The edit `"Undo"` fills the ditch.
//! - `world.spawn_entity` with a `Terrain` and a `Transform` adds a terrain.
//! - An invalid recipe returns an error, and nothing changes. With an invalid scale, the app logs a warning and keeps
//!   the terrain that is shown.
