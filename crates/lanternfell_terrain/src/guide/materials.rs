//! Problem: the land in a material of your own, which stays on it through everything that happens to the land.
//!
//! A [`TerrainMaterial`](crate::TerrainMaterial) beside the [`Terrain`](crate::Terrain) is all:
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
//! #     let mut dressed = world.query_filtered::<(), With<MeshMaterial3d<LandMaterial>>>();
//! #     assert_eq!(dressed.iter(world).count(), 0);
//! # }
//! ```
//!
//! # Bevy's standard material, and more
//! An [`ExtendedMaterial`](bevy::pbr::ExtendedMaterial) keeps Bevy's lights, shadows and fog and changes what
//! they fall on. Here snow lies above a height. Such a material wants two plugins, Bevy's and a
//! [`TerrainMaterialPlugin`](crate::TerrainMaterialPlugin); add both after `DefaultPlugins` and `TerrainPlugin`.
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
//!     // Numbers below 100 are the standard material's.
//!     #[uniform(100)]
//!     snow: SnowUniform,
//! }
//!
//! #[derive(ShaderType, Debug, Clone)]
//! struct SnowUniform {
//!     /// Linear.
//!     color: Vec4,
//!     /// Metres above the terrain's height 0, and over how many the snow begins.
//!     line: f32,
//!     fade: f32,
//!     /// WebGL2 takes whole sixteens of bytes.
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
//! #     // Its foam is white, too.
//! #     let world = app.world_mut();
//! #     world.query::<&mut Water>().single_mut(world).unwrap().shown = false;
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
//! # Nothing but your own
//! A [`Material`](bevy::pbr::Material) is drawn by your shader alone: no lights but those that it has itself, all
//! textures and buffers free for you. Here a map in shades:
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
//! /// A color, which is linear, and the number after it have 16 bytes together.
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
//! /// What the material knows of the land is told to it when there is other land.
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
//! # What stays
//! | when | then |
//! |---|---|
//! | the recipe, the scale or a file changes | the old land keeps the material until the new one is complete, which has it from its first frame on |
//! | cameras move, and chunks come and go | each has it before it is shown |
//! | another handle is inserted | it shows at once |
//! | the asset itself is changed (`Assets::get_mut`) | it shows at once, and no chunk is touched: so for sliders and animations |
//! | the component is removed | the plugin's own material is back |
//! | the terrain is an [`EndlessTerrain`](crate::EndlessTerrain) | the component belongs beside that; all its windows have the material |
//!
//! # To know
//! - All chunks of a terrain share the one handle, and so one bind group. A change of the asset costs the same
//!   however many there are.
//! - [`TerrainLayers`](crate::TerrainLayers) mean nothing to other materials than the plugin's. The sea stays;
//!   [`Water`](crate::Water) has it hidden.
//! - Height 0 is the lowest ground there can be, and the top is `scale().relief` metres above; the sea is at
//!   [`Water::surface_y`](crate::Water::surface_y). All are metres in the terrain's frame.
//! - A shader is given places and normals in the world and [texture coordinates](super::textures) over the whole
//!   map. `get_world_from_local` is the frame of the chunk: as high as the terrain, but elsewhere on it.
//! - For a deferred renderer an extension names its shader as `deferred_fragment_shader` too, and the shader ends
//!   otherwise: see Bevy's `extended_material` example.
//!
//! # What goes wrong
//! - Without its [`TerrainMaterialPlugin`](crate::TerrainMaterialPlugin) a material is not put on, and a warning
//!   says so. That for [`StandardMaterial`](bevy::pbr::StandardMaterial) is there already.
//! - Two `TerrainMaterial`s of different materials on one terrain are both drawn, one through the other. Remove
//!   one first.
//! - A `MeshMaterial3d` that is inserted on chunks by hand is lost when they go, which is as soon as the camera
//!   moves.
//! - A uniform whose size is no multiple of 16 bytes works everywhere but in a browser with WebGL2. There, too, a
//!   stage has 16 textures: Bevy's view and standard material use twelve.
//! - A scene saves the component, but its material only by the path of the file that it came from.
//!
//! # Where to read on
//! `examples/custom_material.rs` (contour lines, switched on and off); [`textures`](super::textures); for a
//! library, whose shaders have no folder of assets, Bevy's `embedded_asset!`.
