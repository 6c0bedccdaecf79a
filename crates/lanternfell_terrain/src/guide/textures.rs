//! Problem: a picture of grass, not a color, on land that is a kilometre wide; and rock where it is steep; all in a
//! material of one's own. In the plugin's material pictures take the place of a [layer's](super::layers).
//!
//! Texture coordinates run from 0 to 1 over the whole map. So a picture is laid as often as it fits, by the
//! material's `uv_transform`, and its sampler must repeat it:
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
//!     let recipe = land.recipe().expect("it was made of one");
//!     let (columns, rows) = (recipe.size.width(), recipe.size.height());
//!     // From the first cell to the last, as tiles of 4 m.
//!     let metres = Vec2::new(columns as f32 - 1.0, rows as f32 - 1.0) * recipe.scale().spacing;
//!     let grass = assets.load_builder().with_settings(repeated).load("textures/grass.png");
//!     let meadow = materials.add(StandardMaterial {
//!         base_color_texture: Some(grass),
//!         uv_transform: Affine2::from_scale(metres / 4.0),
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
//! # By the place in the world, and rock on cliffs
//! Laid by metres of the world a texture stays as large as it is when the map gets another size or scale, and
//! goes on from one terrain to the next. A fragment shader needs one line for it, and then all textures of the
//! standard material follow; another texture for steep ground is laid from three sides, so that cliffs do not
//! stretch it.
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
//!     /// Metres that the picture is wide.
//!     tile: f32,
//!     /// The cosine of the slope at which there is as much rock as grass.
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
//!     let picture = |path: &'static str| assets.load_builder().with_settings(repeated).load(path);
//!     let ground = materials.add(GroundMaterial {
//!         base: StandardMaterial {
//!             base_color_texture: Some(picture("textures/grass.png")),
//!             perceptual_roughness: 0.95,
//!             ..default()
//!         },
//!         extension: Rocky {
//!             ground: GroundUniform {
//!                 tile: 4.0,
//!                 steep: 35_f32.to_radians().cos(),
//!                 unused: Vec2::ZERO,
//!             },
//!             rock: picture("textures/rock.png"),
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
//! # What the mesh of a chunk has
//! | attribute | is |
//! |---|---|
//! | `ATTRIBUTE_POSITION` | metres from the chunk's own [`Transform`](bevy::transform::components::Transform), so that it is exact far out |
//! | `ATTRIBUTE_NORMAL` | of length 1, from the full map whatever the level of detail: cells, not chunks, decide |
//! | `ATTRIBUTE_UV_0` | 0 to 1 over the whole map, from west to east and from north to south |
//!
//! Tangents with [`TerrainDetail::tangents`](crate::TerrainDetail::tangents); no colors, no second coordinates;
//! indices of 16 bits. The land is cut otherwise whenever a camera moves, so there is nothing to be painted on
//! vertices: paint a texture, laid by `uv`.
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
//! # To know
//! - A place in the world is exact to 1 mm at 10 km and 1 cm at 100 km from its origin, and textures by it just
//!   so. An [`EndlessTerrain`](crate::EndlessTerrain) whose [origin](crate::EndlessTerrain::origin) is shifted
//!   moves the world below the texture: shift by a whole number of tiles, and nothing is seen.
//! - `uv` over an endless terrain is that of the [window](crate::TerrainWindow), and other windows lie elsewhere:
//!   there it is of no use for tiles, and the place in the world is.
//! - Many layers: one array texture (a `texture_2d_array`, Bevy's `array_texture` example) is one binding for all
//!   of them. WebGL2 leaves an extension of the standard material four.
//!
//! # What goes wrong
//! - Pixels that swarm in the distance: a PNG has no smaller copies of itself, and Bevy makes none. Use KTX2 with
//!   mipmaps (Bevy's feature `ktx2`), and set the sampler's `anisotropy_clamp` to 8 or 16.
//! - The picture once in the north-west corner, and streaks over all else: the sampler clamps, which is Bevy's
//!   default. Of a path that is loaded twice the settings of whoever came first count for both.
//! - A normal map does nothing: Bevy wants tangents for it and, without, passes over it in silence. Turn on
//!   [`TerrainDetail::tangents`](crate::TerrainDetail::tangents), which takes half as much memory again.
//! - Normal maps, roughness and masks are no colors: load them with `settings.is_srgb = false`.
//!
//! # Where to read on
//! [`materials`](super::materials) for what stays and when; `src/shaders/land.wgsl` of this crate, which lays
//! up to sixteen textures over each other; for breaking up repetition Heitz and Neyret, *High-Performance
//! By-Example Noise*, 2018.
