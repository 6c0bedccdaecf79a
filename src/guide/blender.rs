//! Puts terrain, plants and lights into a scene of Blender, with `bevy_skein`.
//!
//! Version 0.6 is for Bevy 0.19. It stores components in the extras of a glTF file and inserts them when the file is
//! loaded. Enable Bevy's features `bevy_gltf` and `bevy_remote`, and add the plugin after those of this crate:
//!
//! ```ignore
//! app.add_plugins(bevy_skein::SkeinPlugin::default());
//! ```
//!
//! Its documentation describes the add-on for Blender, which fetches the types from the running app. Add components to
//! objects: an empty object with `Terrain`, `Vegetation` and `Water` is a terrain, and one with `LightSource` is a lamp.
//! Save as glTF and load the scene:
//!
//! ```ignore
//! commands.spawn(WorldAssetRoot(assets.load("level.gltf#Scene0")));
//! ```
//!
//! A recipe has no fields in Blender, because it is a single value. Write it into the extras of the glTF file:
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
//! The terrain appears at the object's position. Its size is that of its map, so scale the object only to scale the
//! terrain.
