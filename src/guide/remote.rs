//! Changes a running app from another program, with Bevy's remote protocol.
//!
//! Enable Bevy's feature `bevy_remote` and add its plugins:
//!
//! ```ignore
//! use bevy::remote::{RemotePlugin, http::RemoteHttpPlugin};
//!
//! app.add_plugins((RemotePlugin::default(), RemoteHttpPlugin::default()));
//! ```
//!
//! The app then answers JSON on port 15702. This finds the terrains:
//!
//! ```text
//! curl localhost:15702 -d '{"jsonrpc": "2.0", "id": 1, "method": "world.query", "params":
//!     {"data": {"components": ["lanternfell_terrain::ground::terrain::Terrain"]}}}'
//! ```
//!
//! Components have full type paths. `registry.schema` lists them, for example with the parameters
//! `{"with_crates": ["lanternfell_terrain", "lanternfell_torchlight", "lanternfell_vegetation", "lanternfell_sky"]}`.
//!
//! `world.mutate_components` changes a field:
//!
//! | `component` | `path` | `value` | effect |
//! |---|---|---|---|
//! | `...::Terrain` | `.source.0` | a recipe | generates the terrain again in the background |
//! | `...::Terrain` | `.scale.0.spacing` | `3.0` | scales the terrain; `.0` because the scale is an `Option` |
//! | `...::Water` | `.waves.height` | `0.5` | higher waves |
//! | `...::Vegetation` | `.seed` | `5` | other positions of plants |
//! | `...::LightSource` | `.strength` | `3.0` | a brighter lamp |
//!
//! - A recipe is a single value: it has no fields in paths. Query it, change the JSON, and send all of it.
//! - Resources such as `TimeOfDay` and `Weather` are changed with `world.mutate_resources`.
//! - `world.remove_components` with `Water` removes the sea, and `world.insert_components` brings it back. Missing fields
//!   have their defaults: `{"level": 0.3}` is sufficient.
//! - `world.spawn_entity` with a `Terrain` and a `Transform` adds a terrain.
//! - If a recipe is not valid, the answer is an error and nothing changes. If a scale is not valid, the app logs a warning
//!   and keeps the terrain that is shown.
