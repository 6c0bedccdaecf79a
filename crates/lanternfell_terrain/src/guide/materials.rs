//! How to render the terrain with your own material.
//!
//! Insert a [`TerrainMaterial`](crate::TerrainMaterial) on the entity of the [`Terrain`](crate::Terrain):
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! fn setup(mut commands: Commands, mut materials: ResMut<Assets<StandardMaterial>>) {
//!     let clay = materials.add(StandardMaterial {
//!         base_color: Color::srgb(0.8, 0.4, 0.2),
//!         perceptual_roughness: 0.9,
//!         ..default()
//!     });
//!     commands.spawn((Terrain::default(), TerrainMaterial(clay)));
//! }
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/draw.rs"));
//! # fn main() {
//! #     let mut app = draw::app(|app: &mut App| { app.add_systems(Startup, setup); });
//! #     let is_clay = |[red, _, blue]: [u8; 3]| red > blue.saturating_add(40);
//! #     draw::until(&mut app, 0.1, is_clay);
//! #     let world = app.world_mut();
//! #     let mut terrains = world.query::<&mut Terrain>();
//! #     terrains.single_mut(world).unwrap().recipe_mut().unwrap().seed = 9;
//! #     draw::until(&mut app, 0.1, is_clay);
//! #     let world = app.world_mut();
//! #     let mut chunks = world.query_filtered::<Has<MeshMaterial3d<StandardMaterial>>, With<lanternfell_terrain::TerrainChunk>>();
//! #     assert!(chunks.iter(world).all(|is_clay| is_clay));
//! #     let mut dressed = world.query_filtered::<(), With<MeshMaterial3d<DefaultTerrainMaterial>>>();
//! #     assert_eq!(dressed.iter(world).count(), 0);
//! # }
//! ```
//!
//! # Extend Bevy's standard material
//! An [`ExtendedMaterial`](bevy::pbr::ExtendedMaterial) keeps Bevy's lights, shadows and fog, and changes the surface
//! that they act on. This example adds snow above a height. The material needs Bevy's `MaterialPlugin` and a
//! [`TerrainMaterialPlugin`](crate::TerrainMaterialPlugin). Add both after `DefaultPlugins` and `TerrainPlugin`.
//!
//! ```
//! use bevy::{
//!     pbr::{ExtendedMaterial, MaterialExtension},
//!     prelude::*,
//!     render::render_resource::{AsBindGroup, ShaderType},
//!     shader::ShaderRef,
//! };
//! use lanternfell_terrain::{TerrainMaterialPlugin, prelude::*};
//!
//! type SnowyMaterial = ExtendedMaterial<StandardMaterial, Snow>;
//!
//! #[derive(Asset, TypePath, AsBindGroup, Debug, Clone)]
//! struct Snow {
//!     // Bindings below 100 belong to the standard material.
//!     #[uniform(100)]
//!     snow: SnowUniform,
//! }
//!
//! #[derive(ShaderType, Debug, Clone)]
//! struct SnowUniform {
//!     /// Linear RGBA.
//!     color: Vec4,
//!     /// The snow line in meters above the terrain's height 0, and half the width of its transition.
//!     line: f32,
//!     fade: f32,
//!     /// On WebGL2 the size must be a multiple of 16 bytes.
//!     unused: Vec2,
//! }
//!
//! impl MaterialExtension for Snow {
//!     fn fragment_shader() -> ShaderRef {
//!         "shaders/snow.wgsl".into()
//!     }
//! }
//!
//! fn snow_plugin(app: &mut App) {
//!     app.add_plugins((
//!         MaterialPlugin::<SnowyMaterial>::default(),
//!         TerrainMaterialPlugin::<SnowyMaterial>::default(),
//!     ))
//!     .add_systems(Startup, setup);
//! }
//!
//! fn setup(mut commands: Commands, mut materials: ResMut<Assets<SnowyMaterial>>) {
//!     let snowy = materials.add(SnowyMaterial {
//!         base: Color::srgb(0.36, 0.30, 0.20).into(),
//!         extension: Snow {
//!             snow: SnowUniform { color: Vec4::ONE, line: 16.0, fade: 2.0, unused: Vec2::ZERO },
//!         },
//!     });
//!     commands.spawn((Terrain::default(), TerrainMaterial(snowy)));
//! }
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/draw.rs"));
//! # fn main() {
//! #     let mut app = draw::app(snow_plugin);
//! #     draw::until_ready(&mut app);
//! #     // Remove the sea: its foam is white too.
//! #     let world = app.world_mut();
//! #     let terrain = world.query_filtered::<Entity, With<Water>>().single(world).unwrap();
//! #     world.entity_mut(terrain).remove::<Water>();
//! #     draw::until(&mut app, 0.02, |[red, green, blue]| red.min(green).min(blue) > 150);
//! #     draw::until(&mut app, 0.02, |[red, _, blue]| red > blue.saturating_add(20));
//! # }
//! ```
//!
//! `assets/shaders/snow.wgsl`:
//! ```wgsl
#![doc = include_str!("shaders/snow.wgsl")]
//! ```
//!
//! # Write the whole shader
//! With a [`Material`](bevy::pbr::Material) of your own, your shader does everything: there is no lighting unless you
//! compute it, and all textures and buffers are free for your use. This example renders a shaded relief map:
//!
//! ```
//! use bevy::{
//!     prelude::*,
//!     render::render_resource::{AsBindGroup, ShaderType},
//!     shader::ShaderRef,
//! };
//! use lanternfell_terrain::{TerrainMaterialPlugin, prelude::*};
//!
//! #[derive(Asset, TypePath, AsBindGroup, Debug, Clone)]
//! struct Relief {
//!     #[uniform(0)]
//!     relief: ReliefUniform,
//! }
//!
//! /// Each linear color takes 16 bytes together with the number after it.
//! #[derive(ShaderType, Debug, Clone)]
//! struct ReliefUniform {
//!     low: Vec3,
//!     bottom: f32,
//!     high: Vec3,
//!     top: f32,
//! }
//!
//! impl Material for Relief {
//!     fn fragment_shader() -> ShaderRef {
//!         "shaders/relief.wgsl".into()
//!     }
//! }
//!
//! fn relief_plugin(app: &mut App) {
//!     app.add_plugins((
//!         MaterialPlugin::<Relief>::default(),
//!         TerrainMaterialPlugin::<Relief>::default(),
//!     ))
//!     .add_systems(Startup, setup)
//!     .add_observer(fit);
//! }
//!
//! fn setup(mut commands: Commands, mut materials: ResMut<Assets<Relief>>) {
//!     let (low, high) = (Vec3::new(0.05, 0.25, 0.05), Vec3::new(0.9, 0.3, 0.1));
//!     let relief = ReliefUniform { low, bottom: 0.0, high, top: 1.0 };
//!     let shades = materials.add(Relief { relief });
//!     commands.spawn((Terrain::default(), TerrainMaterial(shades)));
//! }
//!
//! /// Updates the material's heights whenever there is a new terrain.
//! fn fit(
//!     ready: On<TerrainReady>,
//!     lands: Query<(&TerrainSurface, &TerrainMaterial<Relief>)>,
//!     mut materials: ResMut<Assets<Relief>>,
//! ) {
//!     let Ok((ground, shades)) = lands.get(ready.entity) else { return };
//!     if let Some(mut shades) = materials.get_mut(&shades.0) {
//!         shades.relief.bottom = ground.water_level();
//!         shades.relief.top = ground.surface().scale().relief;
//!     }
//! }
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/draw.rs"));
//! # fn main() {
//! #     let mut app = draw::app(relief_plugin);
//! #     draw::until(&mut app, 0.02, |[red, green, _]| red > green.saturating_add(20));
//! #     draw::until(&mut app, 0.02, |[red, green, blue]| green > red.max(blue).saturating_add(20));
//! # }
//! ```
//!
//! `assets/shaders/relief.wgsl`:
//! ```wgsl
#![doc = include_str!("shaders/relief.wgsl")]
//! ```
//!
//! # Changes at run time
//! | when | what happens |
//! |---|---|
//! | the recipe, the scale or a file changes | the old terrain keeps the material until the new one is complete; the new one has it from its first frame on |
//! | chunks are spawned and despawned, because cameras move | each chunk has the material before it is shown |
//! | another handle is inserted | it is used immediately |
//! | the material asset is changed (`Assets::get_mut`) | the change shows immediately, and no chunk is modified; use this for sliders and animations |
//! | the component is removed | the terrain uses the plugin's material again |
//! | the terrain is an [`EndlessTerrain`](crate::EndlessTerrain) | insert the component on its entity; all its regions use the material |
//!
//! # Notes
//! - All chunks of a terrain share one material handle and one bind group, so the cost of changing the asset does not
//!   depend on the number of chunks.
//! - [`TerrainLayers`](crate::TerrainLayers) only affect the plugin's own material. The sea is still rendered; remove
//!   [`Water`](crate::Water) for a terrain without one.
//! - All heights are in meters in the terrain's local space. Height 0 is the lowest possible point, and
//!   `scale().relief` is the highest, except where [`TerrainEdits`](crate::TerrainEdits) dig deeper or build higher.
//!   The sea is at [`Water::surface_y`](crate::Water::surface_y).
//! - A shader gets positions and normals in world space, and [texture coordinates](super::textures) that cover the
//!   whole map. `get_world_from_local` is the transform of the chunk: its y is that of the terrain, but its x and z
//!   differ for each chunk.
//! - For deferred rendering, an extension also has to return its shader from `deferred_fragment_shader`, and the shader
//!   has to return a different output. See Bevy's `extended_material` example.
//!
//! # Common mistakes
//! - *The material has no effect, and a warning is logged.* Its [`TerrainMaterialPlugin`](crate::TerrainMaterialPlugin)
//!   is missing. The plugin for [`StandardMaterial`](bevy::pbr::StandardMaterial) is always added.
//! - *A material disappears when another one is inserted.* A terrain has one material. A `TerrainMaterial` of another
//!   type replaces the previous one, and a warning is logged.
//! - *A `MeshMaterial3d` that you inserted on chunks is lost.* Chunks are despawned as soon as the camera moves. Use
//!   `TerrainMaterial`.
//! - *A uniform works natively but not in a browser.* On WebGL2 its size must be a multiple of 16 bytes. WebGL2 also
//!   allows only 16 textures per shader stage, and Bevy's view and standard material use twelve of them.
//! - *A scene does not restore the material.* A scene saves the component, but only the path of the file that the
//!   material came from.
//!
//! # See also
//! `examples/custom_material.rs` (contour lines that can be toggled); [`textures`](super::textures); Bevy's
//! `embedded_asset!` for shaders in a library, which has no asset folder.
