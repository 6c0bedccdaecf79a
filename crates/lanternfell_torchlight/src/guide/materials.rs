//! How to change the appearance of light: soft or sharp, smooth or in bands, with normal maps and eye adaptation.
//!
//! Everything on this page affects the screen only. Rules read the same values with any of these settings.
//!
//! # Display settings
//! In 2D, the light is a quad that multiplies everything below it. [`LightDisplay`](crate::LightDisplay) controls how
//! it is rendered:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! #[derive(Component)]
//! struct Player;
//!
//! fn setup(mut commands: Commands) -> Result {
//!     let display = LightDisplay {
//!         // `Smooth`, `Cells` (one color per cell), or a number of bands.
//!         style: LightStyle::Banded(4),
//!         // Values above 1 brighten dim areas.
//!         gamma: 1.4,
//!         // The minimum light on the screen.
//!         floor: Color::srgb(0.05, 0.05, 0.09),
//!         // Full light outside of the map, blended in over 6 cells from its border.
//!         beyond: Some(Color::WHITE),
//!         edge: 6.0,
//!         ..default()
//!     };
//!     let grid = LightGrid::new(80, 50, LightSettings::default())?;
//!     commands.spawn((TorchlightMap::new(grid).with_cell_size(16.0), display));
//!     commands.spawn((Player, LightLevel::default(), Transform::default()));
//!     Ok(())
//! }
//!
//! /// The player's eyes adapt to the light around.
//! fn adapt(time: Res<Time>, player: Single<&LightLevel, With<Player>>, mut maps: Query<&mut LightDisplay>) {
//!     let wanted = (0.4 / player.luminance.max(0.01)).clamp(1.0, 5.0);
//!     for mut display in &mut maps {
//!         display.exposure.smooth_nudge(&wanted, 1.5, time.delta_secs());
//!     }
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::default()));
//! # app.add_systems(Startup, setup).add_systems(Update, adapt);
//! # let tick = std::time::Duration::from_nanos(15_625_000);
//! # app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(tick));
//! # for _ in 0..300 { app.update(); }
//! # let world = app.world_mut();
//! # let exposure = world.query::<&LightDisplay>().single(world).unwrap().exposure;
//! # assert!(exposure > 4.9, "{exposure}");
//! ```
//!
//! The quad is at [`z`](crate::LightDisplay::z) 100 above the map. Draw names, eyes and flames above it to make them
//! glow. If sprites glow that should not, they are above it: games that sort sprites by y, for example, often use
//! larger z. Raise `LightDisplay::z` above theirs. A 2D camera draws up to z 1000 by default.
//!
//! # Sharp and soft shadows
//! A cell has one light value. [`SoftShadows`](crate::SoftShadows) renders the light at two to eight times the
//! resolution of the cells, with shadows of walls, glass and figures:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! fn setup(mut commands: Commands) -> Result {
//!     // With `direct`, rules also see straight light, at the resolution of the cells.
//!     let settings = LightSettings { direct: 0.8, ..default() };
//!     let grid = LightGrid::new(80, 50, settings)?;
//!     commands.spawn((TorchlightMap::new(grid), SoftShadows { subdivisions: 4, direct: 0.8, ..default() }));
//!     // The larger the flame, the softer the shadow. The radius is in cells, from 0 to 1. Default: 0.25.
//!     commands.spawn((LightSource::default().with_radius(0.6), LightCell::new(30, 20)));
//!     // A figure that casts a shadow on the screen. Rules do not see it.
//!     commands.spawn((ShadowCaster { radius: 0.3 }, LightCell::new(34, 21)));
//!     Ok(())
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::default()));
//! # app.add_systems(Startup, setup);
//! # app.update();
//! ```
//!
//! # Normal maps
//! A sprite with a [`NormalMap`](crate::NormalMap) is brighter on the sides that face the light. This needs
//! [`SoftShadows::directions`](crate::SoftShadows::directions) on the map. For sprites without painted normals,
//! [`rounded_normals`](crate::rounded_normals) computes them from the outline:
//!
//! ```
//! use bevy::{platform::collections::HashMap, prelude::*};
//! use lanternfell_torchlight::{prelude::*, rounded_normals};
//!
//! /// A sprite that should look round.
//! #[derive(Component)]
//! struct Round;
//!
//! fn round(
//!     mut commands: Commands,
//!     sprites: Query<(Entity, &Sprite), (With<Round>, Without<NormalMap>)>,
//!     mut images: ResMut<Assets<Image>>,
//!     // One normal map per image: sprites that share both images are drawn together.
//!     mut made: Local<HashMap<AssetId<Image>, Handle<Image>>>,
//! ) -> Result {
//!     for (entity, sprite) in &sprites {
//!         let id = sprite.image.id();
//!         if !made.contains_key(&id) {
//!             let Some(image) = images.get(id) else { continue }; // not loaded yet
//!             let normals = rounded_normals(image, 12.0)?;
//!             made.insert(id, images.add(normals));
//!         }
//!         commands.entity(entity).insert(NormalMap::new(made[&id].clone()));
//!     }
//!     Ok(())
//! }
//!
//! fn setup(mut commands: Commands) -> Result {
//!     let grid = LightGrid::new(80, 50, LightSettings::default())?;
//!     commands.spawn((TorchlightMap::new(grid), SoftShadows { directions: true, ..default() }));
//!     Ok(())
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, AssetPlugin::default(), ImagePlugin::default(), TorchlightPlugin::default()));
//! # app.add_systems(Startup, setup).add_systems(Update, round);
//! # let image = Image::new_fill(
//! #     bevy::render::render_resource::Extent3d { width: 8, height: 8, depth_or_array_layers: 1 },
//! #     bevy::render::render_resource::TextureDimension::D2,
//! #     &[255; 4],
//! #     bevy::render::render_resource::TextureFormat::Rgba8UnormSrgb,
//! #     bevy::asset::RenderAssetUsages::default(),
//! # );
//! # let image = app.world_mut().resource_mut::<Assets<Image>>().add(image);
//! # for _ in 0..2 { app.world_mut().spawn((Round, Sprite::from_image(image.clone()))); }
//! # app.update();
//! # let world = app.world_mut();
//! # let normals: Vec<_> = world.query::<&NormalMap>().iter(world).map(|normals| normals.image.id()).collect();
//! # assert!(normals.len() == 2 && normals[0] == normals[1]);
//! ```
//!
//! # One camera without light
//! The quad uses the render layers of the map's entity. A camera without that layer shows the scene without light:
//!
//! ```
//! use bevy::{camera::visibility::RenderLayers, prelude::*};
//! use lanternfell_torchlight::prelude::*;
//!
//! const LIGHT: usize = 1;
//!
//! fn setup(mut commands: Commands) {
//!     commands.spawn((TorchlightMap::default(), RenderLayers::layer(LIGHT)));
//!     commands.spawn((Camera2d, RenderLayers::from_layers(&[0, LIGHT])));
//!     // An overview for the designer, without light.
//!     commands.spawn((Camera2d, Camera { order: 1, ..default() }));
//! }
//! # bevy::ecs::system::assert_is_system(setup);
//! ```
//!
//! # Light in your own material
//! [`LightTexture`](crate::LightTexture) contains the light as an image with one texel per cell, row 0 first.
//! [`DetailTexture`](crate::DetailTexture) contains the same at the resolution of `SoftShadows`. Both are kept up to
//! date on the GPU. Sample them to light things above the quad, such as this mist, or a floor in 3D, where no quad is
//! drawn:
//!
//! ```
//! use bevy::{
//!     prelude::*,
//!     render::render_resource::AsBindGroup,
//!     shader::ShaderRef,
//!     sprite_render::{AlphaMode2d, Material2d, Material2dPlugin},
//! };
//! use lanternfell_torchlight::prelude::*;
//!
//! #[derive(Asset, TypePath, AsBindGroup, Clone, Default)]
//! struct Mist {
//!     #[texture(0)]
//!     #[sampler(1)]
//!     light: Handle<Image>,
//! }
//!
//! impl Material2d for Mist {
//!     fn fragment_shader() -> ShaderRef {
//!         "shaders/mist.wgsl".into()
//!     }
//!
//!     fn alpha_mode(&self) -> AlphaMode2d {
//!         AlphaMode2d::Blend
//!     }
//! }
//!
//! fn mist_plugin(app: &mut App) {
//!     app.add_plugins(Material2dPlugin::<Mist>::default());
//!     app.add_systems(Startup, setup).add_systems(Update, follow);
//! }
//!
//! fn setup(
//!     mut commands: Commands,
//!     mut meshes: ResMut<Assets<Mesh>>,
//!     mut materials: ResMut<Assets<Mist>>,
//! ) -> Result {
//!     let map = TorchlightMap::new(LightGrid::new(16, 9, LightSettings::default())?).with_cell_size(10.0);
//!     let mist = (
//!         Mesh2d(meshes.add(Rectangle::from_size(map.extent()))),
//!         MeshMaterial2d(materials.add(Mist::default())),
//!         Transform::from_xyz(0.0, 0.0, 150.0), // above the layer
//!     );
//!     commands.spawn((map, children![mist]));
//!     commands.spawn((LightSource::new(Color::srgb(1.0, 0.3, 0.2)), LightCell::new(5, 4)));
//!     Ok(())
//! }
//!
//! /// The image is created in `PostUpdate`, so this system sees it one frame after the map is spawned. It is replaced
//! /// when the size of the map changes.
//! fn follow(
//!     maps: Query<(&LightTexture, &Children), Changed<LightTexture>>,
//!     mists: Query<&MeshMaterial2d<Mist>>,
//!     mut materials: ResMut<Assets<Mist>>,
//! ) {
//!     for (texture, children) in &maps {
//!         for mist in mists.iter_many(children) {
//!             if let Some(mut mist) = materials.get_mut(mist) {
//!                 mist.light = texture.0.clone();
//!             }
//!         }
//!     }
//! }
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/draw.rs"));
//! # fn main() {
//! #     // Red near the lamp, darker far from it.
//! #     let mut app = draw::app(mist_plugin);
//! #     draw::until(&mut app, 0.01, |[red, green, blue]| red > 140 && red > green.max(blue).saturating_add(20));
//! #     draw::until(&mut app, 0.2, |[red, green, blue]| red.max(green).max(blue) < 110);
//! # }
//! ```
//!
//! `assets/shaders/mist.wgsl`:
//! ```wgsl
#![doc = include_str!("shaders/mist.wgsl")]
//! ```
//!
//! # Cost
//! | feature | cost |
//! |---|---|
//! | the light of a map | one quad; 4 bytes per cell are sent for each tile whose light changed |
//! | a changed `LightDisplay` | its material is prepared again for the GPU |
//! | `SoftShadows` | computed in the background. GPU memory: 4 bytes per texel. CPU memory: 1 byte per texel, about 30 bytes per cell, and for each lamp 4 bytes per texel that it can light (16 with glass or smoke) |
//! | `SoftShadows::directions` | 2 more bytes of GPU memory per texel, and about twice the time |
//! | `NormalMap` | one quad per sprite; sprites with the same images on one map share a material |
//!
//! # Good to know
//! - Light of 1 shows colors as they are painted. Brighter light blends into white, or gets brighter on a camera with
//!   `Hdr`.
//! - The shadows of `SoftShadows` appear one or more frames after the light of the map. Until the whole map has been
//!   rendered once, it is shown without them.
//! - `SoftShadows` does not support hexagons, and is not shown with the [`style`](crate::LightDisplay::style) `Cells`.
//!   It ignores the relief of a map.
//! - Use `beyond` only if there is no other map next to it.
//! - [`DirectionTexture`](crate::DirectionTexture) contains the direction of the light, for your own materials.
//!
//! # Troubleshooting
//! - *Nothing is dark.* There is no [`TorchlightMap`](crate::TorchlightMap) at this position, it is in the plane
//!   [`LightPlane::Xz`](crate::LightPlane), or the sprites are above `z` 100.
//! - *Everything is black.* No lamp is inside the map. Check whether the cells are 1 unit wide while sprites are 16
//!   ([`with_cell_size`](crate::TorchlightMap::with_cell_size)).
//! - *Names and health bars are dark.* They are sprites or text below the quad. Move them above `z` 100, or draw them
//!   in the user interface.
//! - *A normal map has no effect.* The map has no `SoftShadows` with `directions`; or the center of the sprite is
//!   outside of all maps; or the sprite is scaled to fit, sliced or tiled; or it overlaps a sprite with the same z.
//! - *`rounded_normals` cannot read an image.* It is compressed, or was loaded for the GPU only
//!   (`RenderAssetUsages::RENDER_WORLD`).
//! - *A material shows flat gray walls.* Alpha is 0 in walls. Sample with `textureLoad`, or handle alpha.
//!
//! # See also
//! `examples/normal_maps.rs`; `examples/light_sandbox` (press `F` for soft shadows); `src/shaders/torchlight.wgsl` of
//! this crate, which filters open cells and walls separately.
