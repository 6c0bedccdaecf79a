//! Problem: light is to look like that of this game: soft or crisp, smooth or in bands, with shapes, for an eye that
//! gets used to the dark.
//!
//! Everything on this page is for the screen. Rules read the same numbers whatever is set here.
//!
//! # How a map is shown
//! In 2D the light is a layer that multiplies what lies below it. [`LightDisplay`](crate::LightDisplay) says how:
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
//!         // `Smooth`, `Cells` (each cell in one color), or so many steps, as in a comic.
//!         style: LightStyle::Banded(4),
//!         // Above 1 lifts what is dim.
//!         gamma: 1.4,
//!         // The least light on screen.
//!         floor: Color::srgb(0.05, 0.05, 0.09),
//!         // Day outside; over 6 cells from the border the map's own light goes over into it.
//!         beyond: Some(Color::WHITE),
//!         edge: 6.0,
//!         ..default()
//!     };
//!     let grid = LightGrid::new(80, 50, LightSettings::default())?;
//!     commands.spawn((LightMap::new(grid).with_cell_size(16.0), display));
//!     commands.spawn((Player, LightLevel::default(), Transform::default()));
//!     Ok(())
//! }
//!
//! /// The player's eyes get used to where he stands.
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
//! The layer lies at [`z`](crate::LightDisplay::z) 100 over the map. What is above that shines by itself: names, eyes,
//! flames.
//!
//! # Crisp and soft shadows
//! The light of a cell is one number. [`LightDetail`](crate::LightDetail) shows it in cells two to eight times finer
//! a side, with the shadows of walls, glass and figures:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_torchlight::prelude::*;
//!
//! fn setup(mut commands: Commands) -> Result {
//!     // Rules, too, see light that goes straight, as far as cells can show it.
//!     let settings = LightSettings { direct: 0.8, ..default() };
//!     let grid = LightGrid::new(80, 50, settings)?;
//!     commands.spawn((LightMap::new(grid), LightDetail { finer: 4, direct: 0.8, ..default() }));
//!     // The larger the flame, the softer the shadow. In cells, up to 1; a quarter if nothing is said.
//!     commands.spawn((LightSource::default().with_radius(0.6), LightCell::new(30, 20)));
//!     // A figure of which the shadow is seen, and which rules do not see.
//!     commands.spawn((ShadowCaster { radius: 0.3 }, LightCell::new(34, 21)));
//!     Ok(())
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TorchlightPlugin::default()));
//! # app.add_systems(Startup, setup);
//! # app.update();
//! ```
//!
//! # Shapes
//! A sprite with a [`NormalMap`](crate::NormalMap) is brighter on the sides that face the light, on a map whose detail
//! has `directions`. [`rounded_normals`](crate::rounded_normals) makes normals of an outline, where nobody painted any:
//!
//! ```
//! use bevy::{platform::collections::HashMap, prelude::*};
//! use lanternfell_torchlight::{prelude::*, rounded_normals};
//!
//! /// A sprite that is to look round.
//! #[derive(Component)]
//! struct Round;
//!
//! fn round(
//!     mut commands: Commands,
//!     sprites: Query<(Entity, &Sprite), (With<Round>, Without<NormalMap>)>,
//!     mut images: ResMut<Assets<Image>>,
//!     // Of each picture once: sprites with the same two are drawn together.
//!     mut made: Local<HashMap<AssetId<Image>, Handle<Image>>>,
//! ) -> Result {
//!     for (entity, sprite) in &sprites {
//!         let picture = sprite.image.id();
//!         if !made.contains_key(&picture) {
//!             let Some(image) = images.get(picture) else { continue }; // not loaded yet
//!             let normals = rounded_normals(image, 12.0)?;
//!             made.insert(picture, images.add(normals));
//!         }
//!         commands.entity(entity).insert(NormalMap::new(made[&picture].clone()));
//!     }
//!     Ok(())
//! }
//!
//! fn setup(mut commands: Commands) -> Result {
//!     let grid = LightGrid::new(80, 50, LightSettings::default())?;
//!     commands.spawn((LightMap::new(grid), LightDetail { directions: true, ..default() }));
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
//! The layer is seen by the cameras that share a layer with the map's entity, as everything is:
//!
//! ```
//! use bevy::{camera::visibility::RenderLayers, prelude::*};
//! use lanternfell_torchlight::prelude::*;
//!
//! const LIGHT: usize = 1;
//!
//! fn setup(mut commands: Commands) {
//!     commands.spawn((LightMap::default(), RenderLayers::layer(LIGHT)));
//!     commands.spawn((Camera2d, RenderLayers::from_layers(&[0, LIGHT])));
//!     // A map of the whole level for the designer: without light.
//!     commands.spawn((Camera2d, Camera { order: 1, ..default() }));
//! }
//! # bevy::ecs::system::assert_is_system(setup);
//! ```
//!
//! # Light in a material of your own
//! [`LightTexture`](crate::LightTexture) is the light as an image, a texel for each cell, row 0 first;
//! [`DetailTexture`](crate::DetailTexture) the same in fine cells. Both are kept up to date on the GPU. So mist that
//! lies above the layer shows the light that it lies in, and in 3D, where no layer is drawn, a floor is lit:
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
//!     let map = LightMap::new(LightGrid::new(16, 9, LightSettings::default())?).with_cell_size(10.0);
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
//! /// The image comes a frame after the map, and is another one when the map's size changes.
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
//! #     // Red around the lamp, and less so far from it.
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
//! # What it costs
//! | what | costs |
//! |---|---|
//! | the layer | one quad over the map; tiles whose light changed are sent, 4 bytes a cell |
//! | a change of a display | its material is prepared anew for the GPU |
//! | a detail | worked out in the background. On the GPU 4 bytes a fine cell; beside it 1, some 30 for each cell, and for each lamp 4 for each fine cell that it may light (16 with glass or smoke) |
//! | `directions` | 2 bytes more for each fine cell, and about as much time again |
//! | a normal map | a quad over the sprite; those with the same pictures on one map share a material |
//!
//! # To know
//! - Full light (1) shows things as they are painted. Brighter light goes over into white, or on a camera with
//!   `Hdr` is brighter.
//! - A detail comes a frame or more after the map's light. Until all of it has been painted once, the map is shown
//!   without.
//! - There is no detail for hexagons, nor where [`style`](crate::LightDisplay::style) is `Cells`. Land under a map
//!   hides nothing from it.
//! - `beyond` is for a map that has no other one beside it.
//! - Where light comes from is in [`DirectionTexture`](crate::DirectionTexture), for materials.
//!
//! # What goes wrong
//! - *Nothing is dark.* There is no [`LightMap`](crate::LightMap) there, it lies in [`LightPlane::Xz`](crate::LightPlane),
//!   or the sprites lie above `z` 100. *Everything is black:* no lamp stands in the map: its cells may be 1 unit large
//!   while sprites are 16 ([`with_cell_size`](crate::LightMap::with_cell_size)).
//! - *Names and bars are dark.* They are sprites or text below the layer. Put them above; the user interface is.
//! - *A sprite has no shape.* The map's detail has no `directions`; the sprite's middle lies in no map; it is scaled
//!   to fit, cut into slices or repeated; of sprites that overlap two have the same z.
//! - *`rounded_normals` can not read a picture.* It is compressed, or was loaded for the GPU alone
//!   (`RenderAssetUsages::RENDER_WORLD`).
//! - *A material shows flat gray walls.* In walls, alpha is 0: sample with `textureLoad`, or mind it.
//!
//! # Where to read on
//! `examples/normal_maps.rs`; `examples/light_sandbox` (`F` for the detail); `src/shaders/torchlight.wgsl` of this
//! crate, which mixes open cells and walls each among themselves.
