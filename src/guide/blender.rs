//! How to put terrain, plants and lights into a Blender scene, with `bevy_skein`.
//!
//! Version 0.6 of `bevy_skein` supports Bevy 0.19. It stores components in the extras of a glTF file, and inserts them
//! when the file is loaded. Enable Bevy's features `bevy_gltf` and `bevy_remote`, and add the plugin after those of
//! this crate:
//!
//! ```ignore
//! app.add_plugins(bevy_skein::SkeinPlugin::default());
//! ```
//!
//! The documentation of `bevy_skein` describes its Blender add-on, which gets the component types from the running app.
//! Add components to objects: an empty object with `Terrain`, `Vegetation` and `Water` becomes a terrain, and one with
//! `LightSource` a lamp. Export the scene as glTF and load it:
//!
//! ```ignore
//! commands.spawn(WorldAssetRoot(assets.load("level.gltf#Scene0")));
//! ```
//!
//! The add-on cannot edit the fields of a recipe, because a recipe is reflected as a single value. Write it into the
//! extras of the glTF file:
//!
//! ```json
//! {"name": "Island", "extras": {"skein": [
//!     {"lanternfell_terrain::ground::terrain::Terrain": {
//!         "source": {"Recipe": {"version": 1, "seed": 7, "size": [129, 129],
//!             "steps": {"land": {"Generate": {"by": {"Hills": {"island": true}}}}}}},
//!         "scale": {"spacing": 1.5, "relief": 40.0},
//!         "inland_water": null}},
//!     {"lanternfell_terrain::water::Water": {"level": 0.3}}
//! ]}}
//! ```
//!
//! The terrain is centered on the object. Its size comes from its map and scale. If you scale the object, the terrain
//! is scaled too.
