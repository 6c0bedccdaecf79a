//! How to use tiled textures, such as grass and rock, in your own material. To replace a texture in the plugin's
//! material, see the guide to [layers](super::layers).
//!
//! Texture coordinates run from 0 to 1 over the whole map. Set the material's `uv_transform` to the number of
//! repetitions, and the address mode of the sampler to `Repeat`:
//!
//! ```
//! use bevy::{
//!     image::{ImageAddressMode, ImageLoaderSettings, ImageSampler, ImageSamplerDescriptor},
//!     math::Affine2,
//!     prelude::*,
//! };
//! use lanternfell_terrain::prelude::*;
//!
//! fn repeated(settings: &mut ImageLoaderSettings) {
//!     settings.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
//!         address_mode_u: ImageAddressMode::Repeat,
//!         address_mode_v: ImageAddressMode::Repeat,
//!         ..ImageSamplerDescriptor::linear()
//!     });
//! }
//!
//! fn setup(
//!     mut commands: Commands,
//!     assets: Res<AssetServer>,
//!     mut materials: ResMut<Assets<StandardMaterial>>,
//! ) {
//!     let land = Terrain::default();
//!     let recipe = land.recipe().expect("the default source is a recipe");
//!     let (columns, rows) = (recipe.size.width(), recipe.size.height());
//!     // The distance from the first cell to the last. One tile of the texture is 4 m wide.
//!     let meters = Vec2::new(columns as f32 - 1.0, rows as f32 - 1.0) * recipe.scale().spacing;
//!     let grass = assets.load_builder().with_settings(repeated).load("textures/grass.png");
//!     let meadow = materials.add(StandardMaterial {
//!         base_color_texture: Some(grass),
//!         uv_transform: Affine2::from_scale(meters / 4.0),
//!         perceptual_roughness: 0.95,
//!         ..default()
//!     });
//!     commands.spawn((land, TerrainMaterial(meadow)));
//! }
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/draw.rs"));
//! # fn main() {
//! #     let mut app = draw::app(|app: &mut App| { app.add_systems(Startup, setup); });
//! #     draw::until(&mut app, 0.1, |[red, green, blue]| green > red.max(blue).saturating_add(15));
//! # }
//! ```
//!
//! # Map by world position, with rock on cliffs
//! If textures are mapped by world position, they keep their size when the map gets another size or scale, and continue
//! from one terrain to the next. This takes one line in a fragment shader, for all textures of the standard material. A
//! second texture is used on steep slopes. It is projected along three axes, so that it does not stretch on cliffs.
//!
//! ```
//! use bevy::{
//!     image::{ImageAddressMode, ImageLoaderSettings, ImageSampler, ImageSamplerDescriptor},
//!     pbr::{ExtendedMaterial, MaterialExtension},
//!     prelude::*,
//!     render::render_resource::{AsBindGroup, ShaderType},
//!     shader::ShaderRef,
//! };
//! use lanternfell_terrain::{TerrainMaterialPlugin, prelude::*};
//!
//! type GroundMaterial = ExtendedMaterial<StandardMaterial, Rocky>;
//!
//! #[derive(Asset, TypePath, AsBindGroup, Debug, Clone)]
//! struct Rocky {
//!     #[uniform(100)]
//!     ground: GroundUniform,
//!     #[texture(101)]
//!     #[sampler(102)]
//!     rock: Handle<Image>,
//! }
//!
//! #[derive(ShaderType, Debug, Clone)]
//! struct GroundUniform {
//!     /// The width of the texture in meters.
//!     tile: f32,
//!     /// The cosine of the slope at which rock and grass have equal shares.
//!     steep: f32,
//!     unused: Vec2,
//! }
//!
//! impl MaterialExtension for Rocky {
//!     fn fragment_shader() -> ShaderRef {
//!         "shaders/ground.wgsl".into()
//!     }
//! }
//!
//! fn ground_plugin(app: &mut App) {
//!     app.add_plugins((
//!         MaterialPlugin::<GroundMaterial>::default(),
//!         TerrainMaterialPlugin::<GroundMaterial>::default(),
//!     ))
//!     .add_systems(Startup, setup);
//! }
//!
//! fn setup(
//!     mut commands: Commands,
//!     assets: Res<AssetServer>,
//!     mut materials: ResMut<Assets<GroundMaterial>>,
//! ) {
//!     let texture = |path: &'static str| assets.load_builder().with_settings(repeated).load(path);
//!     let ground = materials.add(GroundMaterial {
//!         base: StandardMaterial {
//!             base_color_texture: Some(texture("textures/grass.png")),
//!             perceptual_roughness: 0.95,
//!             ..default()
//!         },
//!         extension: Rocky {
//!             ground: GroundUniform {
//!                 tile: 4.0,
//!                 steep: 35_f32.to_radians().cos(),
//!                 unused: Vec2::ZERO,
//!             },
//!             rock: texture("textures/rock.png"),
//!         },
//!     });
//!     commands.spawn((Terrain::default(), TerrainMaterial(ground)));
//! }
//! # fn repeated(settings: &mut ImageLoaderSettings) {
//! #     settings.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
//! #         address_mode_u: ImageAddressMode::Repeat,
//! #         address_mode_v: ImageAddressMode::Repeat,
//! #         ..ImageSamplerDescriptor::linear()
//! #     });
//! # }
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/draw.rs"));
//! # fn main() {
//! #     let mut app = draw::app(ground_plugin);
//! #     draw::until(&mut app, 0.02, |[red, green, blue]| green > red.max(blue).saturating_add(15));
//! #     draw::until(&mut app, 0.01, |[red, green, blue]| red > green.max(blue).saturating_add(15));
//! # }
//! ```
//!
//! `assets/shaders/ground.wgsl`:
//! ```wgsl
#![doc = include_str!("shaders/ground.wgsl")]
//! ```
//!
//! # Vertex attributes of chunks
//! | attribute | value |
//! |---|---|
//! | `ATTRIBUTE_POSITION` | meters, relative to the chunk's own [`Transform`](bevy::transform::components::Transform) for precision far from the origin |
//! | `ATTRIBUTE_NORMAL` | unit normals of the full-resolution map at every level of detail, so lighting does not change with it |
//! | `ATTRIBUTE_UV_0` | 0 to 1 over the whole map, from west to east and from north to south |
//!
//! [`TerrainDetail::tangents`](crate::TerrainDetail::tangents) adds tangents. There are no vertex colors and no second
//! texture coordinates. Indices have 16 bits.
//!
//! Chunks are rebuilt whenever a camera moves, so you cannot paint on vertices. Paint on a texture instead, and sample
//! it with `uv`.
//!
//! ```
//! # use bevy::{asset::AssetPlugin, mesh::MeshPlugin, prelude::*};
//! # use lanternfell_terrain::prelude::*;
//! use lanternfell_terrain::TerrainChunk;
//!
//! fn look(chunks: Query<&Mesh3d, With<TerrainChunk>>, meshes: Res<Assets<Mesh>>) {
//!     for chunk in &chunks {
//!         let Some(mesh) = meshes.get(chunk) else { continue };
//!         assert!(mesh.contains_attribute(Mesh::ATTRIBUTE_POSITION));
//!         assert!(mesh.contains_attribute(Mesh::ATTRIBUTE_NORMAL));
//!         assert!(mesh.contains_attribute(Mesh::ATTRIBUTE_UV_0));
//!         assert!(!mesh.contains_attribute(Mesh::ATTRIBUTE_TANGENT));
//!     }
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), MeshPlugin, TerrainPlugin));
//! # app.add_systems(PostUpdate, look);
//! # app.add_observer(|_: On<TerrainReady>, mut exit: MessageWriter<AppExit>| { exit.write(AppExit::Success); });
//! # app.add_systems(Last, |chunks: Query<(), With<TerrainChunk>>, exit: MessageReader<AppExit>| {
//! #     assert!(exit.is_empty() || !chunks.is_empty());
//! # });
//! # app.world_mut().spawn(Terrain::default());
//! # assert!(app.run().is_success());
//! ```
//!
//! # Notes
//! - World positions are exact to 1 mm at 10 km from the origin, and to 1 cm at 100 km. The same is true for textures
//!   mapped by them. When you shift the [origin](crate::EndlessTerrain::origin) of an
//!   [`EndlessTerrain`](crate::EndlessTerrain), the texture moves relative to the terrain. Shift by a whole number of
//!   tiles to make this invisible.
//! - On an endless terrain, `uv` covers the [region](crate::TerrainRegion). Regions have different positions, so do not
//!   use `uv` for tiling there; use the world position.
//! - For many textures, use one array texture (`texture_2d_array`, see Bevy's `array_texture` example), which needs a
//!   single binding. On WebGL2, an extension of the standard material can use four textures.
//!
//! # Common mistakes
//! - *Pixels flicker in the distance.* PNG files have no mipmaps, and Bevy does not generate them. Use KTX2 files with
//!   mipmaps (Bevy's feature `ktx2`), and set the sampler's `anisotropy_clamp` to 8 or 16.
//! - *The texture appears once in the northwest corner, with streaks everywhere else.* The sampler clamps, which is
//!   Bevy's default. If the same path is loaded twice, both handles get the settings of the first load.
//! - *A normal map has no effect.* Bevy ignores normal maps on meshes without tangents. Enable
//!   [`TerrainDetail::tangents`](crate::TerrainDetail::tangents), which adds half of the vertex memory.
//! - *Normal, roughness or mask textures look wrong.* They are not colors: load them with `settings.is_srgb = false`.
//!
//! # See also
//! [`materials`](super::materials) for how materials follow changes; `src/shaders/land.wgsl` of this crate, which
//! blends up to sixteen textures; Heitz and Neyret, *High-Performance By-Example Noise*, 2018, for hiding repetition.
