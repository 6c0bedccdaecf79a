//! How the terrain is rendered: meshes at several levels of detail, and their material.

pub(crate) mod chunk;
pub(crate) mod custom_material;
pub(crate) mod default_material;
pub(crate) mod detail;
pub(crate) mod patches;
pub(crate) mod textures;

use bevy::{asset::embedded_asset, prelude::*, shader::load_shader_library};

/// Systems for all apps. Chunks only spawn in apps with `Assets<Mesh>`.
pub(crate) fn plugin(app: &mut App) {
    app.add_plugins(patches::plugin);
}

/// Systems and shaders that need a renderer.
pub(crate) fn rendering(app: &mut App) {
    load_shader_library!(app, "shaders/noise.wgsl");
    load_shader_library!(app, "shaders/caustics.wgsl");
    load_shader_library!(app, "shaders/ground_light.wgsl");
    embedded_asset!(app, "shaders/land.wgsl");
    app.add_plugins((
        default_material::plugin,
        textures::plugin,
        custom_material::TerrainMaterialPlugin::<StandardMaterial>::default(),
    ));
}
