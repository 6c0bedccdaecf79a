//! Torchlight on sprites with normal maps: cobbles, pillars, barrels and coins.
//!
//! A torch follows the mouse, or circles the hall without one. The textures are generated, and
//! `rounded_normals` computes the normal maps from their outlines.

use bevy::{
    asset::RenderAssetUsages,
    camera::ScalingMode,
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};
use lanternfell::{heightmap::SeededRng, prelude::*, torchlight::rounded_normals};

/// Size of the hall in cells. A cell is 40 pixels wide.
const HALL: UVec2 = UVec2::new(24, 14);
const CELL: f32 = 40.0;

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins.or_headless(), TorchlightPlugin::default()))
        .insert_resource(ClearColor(Color::BLACK))
        .add_systems(Startup, setup)
        .add_systems(Update, carry_torch)
        .run()
}

fn setup(mut commands: Commands, mut images: ResMut<Assets<Image>>) -> Result {
    let grid = LightGrid::new(HALL.x, HALL.y, LightSettings::default())?;
    let detail = SoftShadows {
        subdivisions: 8,
        directions: true,
        ..default()
    };
    commands.spawn((TorchlightMap::new(grid).with_cell_size(CELL), detail));

    let size = HALL.as_vec2() * CELL;
    let mortar = Sprite::from_color(Color::srgb(0.17, 0.15, 0.13), size);
    commands.spawn((mortar, Transform::from_xyz(0.0, 0.0, -1.0)));
    let floor = Stones::scattered(size.as_uvec2(), 26.0);
    commands.spawn(shaped(&mut images, floor.picture([0.52, 0.5, 0.47]), 13.0)?);
    let pillar = shaped(&mut images, stone(40, 19.0, [0.66, 0.62, 0.55]), 19.0)?;
    let barrel = shaped(&mut images, stone(30, 13.0, [0.6, 0.4, 0.22]), 13.0)?;
    let coin = shaped(&mut images, stone(11, 4.6, [0.85, 0.66, 0.26]), 3.6)?;
    let place = |x: f32, y: f32| {
        let middle = (HALL.as_vec2() - 1.0) * 0.5;
        let at = (Vec2::new(x, y) - middle) * Vec2::new(CELL, -CELL);
        Transform::from_translation(at.extend(1.0))
    };
    for (x, y) in [(6, 4), (6, 9), (12, 4), (12, 9), (18, 4), (18, 9)] {
        let caster = ShadowCaster { radius: 0.5 };
        commands.spawn((pillar.clone(), caster, place(x as f32, y as f32)));
    }
    for (x, y) in [
        (9.0, 6.2),
        (9.8, 6.9),
        (9.0, 7.4),
        (15.3, 3.1),
        (3.0, 10.4),
        (20.6, 8.6),
    ] {
        commands.spawn((barrel.clone(), ShadowCaster { radius: 0.36 }, place(x, y)));
    }
    let mut rng = SeededRng::new(3, b"coins   ");
    for n in 0..60 {
        let spread = anywhere(&mut rng) - anywhere(&mut rng);
        let mut place = place(15.0 + 1.4 * spread.x, 7.5 + spread.y);
        place.translation.z += 0.01 * n as f32;
        commands.spawn((coin.clone(), place));
    }
    let cold = LightSource::new(Color::srgb(0.35, 0.6, 1.0)).with_strength(3.0);
    commands.spawn((cold, place(22.0, 1.0)));
    let warm = LightSource::default().with_strength(5.0).with_radius(0.4);
    let flame = Sprite::from_color(Color::srgb(1.0, 0.9, 0.6), Vec2::splat(8.0));
    commands.spawn((Torch, warm, Flicker::torch(7), flame, Transform::default()));
    commands.spawn((
        Camera2d,
        Projection::Orthographic(OrthographicProjection {
            scaling_mode: ScalingMode::AutoMin {
                min_width: size.x,
                min_height: size.y,
            },
            ..OrthographicProjection::default_2d()
        }),
    ));
    Ok(())
}

/// Returns a random point in the unit square.
fn anywhere(rng: &mut SeededRng) -> Vec2 {
    Vec2::new(rng.unit() as f32, rng.unit() as f32)
}

/// Creates a sprite and its normal map. The normals are rounded over `radius` pixels from the outline inwards.
/// Transparent pixels show the mortar below.
fn shaped(images: &mut Assets<Image>, picture: Image, radius: f32) -> Result<(Sprite, NormalMap)> {
    let normals = images.add(rounded_normals(&picture, radius)?);
    let sprite = Sprite::from_image(images.add(picture));
    Ok((sprite, NormalMap::new(normals).with_depth(1.0)))
}

/// The stones of a cobbled floor. Each pixel belongs to its nearest center. Pixels about as near to two centers are
/// mortar.
struct Stones {
    size: UVec2,
    every: f32,
    /// One center in each square of `every` pixels, including a border of squares around the image.
    middles: Vec<Vec2>,
    columns: usize,
}

impl Stones {
    fn scattered(size: UVec2, every: f32) -> Self {
        let mut rng = SeededRng::new(9, b"cobbles ");
        let squares = (size.as_vec2() / every).ceil().as_usizevec2() + 3;
        let middles = (0..squares.x * squares.y).map(|n| {
            let square = Vec2::new((n % squares.x) as f32, (n / squares.x) as f32) - 1.0;
            (square + 0.15 + 0.7 * anywhere(&mut rng)) * every
        });
        Self {
            size,
            every,
            middles: middles.collect(),
            columns: squares.x,
        }
    }

    fn picture(&self, color: [f32; 3]) -> Image {
        image(self.size, |at| {
            let square = (at / self.every).floor().as_usizevec2();
            let around = (0..9).map(|n| (square.y + n / 3) * self.columns + square.x + n % 3);
            let mut near: Vec<(f32, usize)> =
                around.map(|n| (self.middles[n].distance(at), n)).collect();
            near.sort_by(|a, b| a.0.total_cmp(&b.0));
            let shade = 0.85 + 0.3 * ((near[0].1 * 37 % 16) as f32 / 16.0);
            (near[1].0 - near[0].0 > 3.0).then_some(color.map(|part| part * shade))
        })
    }
}

/// A single round stone.
fn stone(side: u32, radius: f32, color: [f32; 3]) -> Image {
    let middle = 0.5 * side as f32;
    image(UVec2::splat(side), |at| {
        (at.distance(Vec2::splat(middle)) < radius).then_some(color)
    })
}

/// Creates an image from a function of pixel centers to sRGB colors. `None` is transparent.
fn image(size: UVec2, color: impl Fn(Vec2) -> Option<[f32; 3]>) -> Image {
    let mut texels = Vec::new();
    for y in 0..size.y {
        for x in 0..size.x {
            let here = color(UVec2::new(x, y).as_vec2() + 0.5);
            texels.extend(here.unwrap_or_default().map(|part| (part * 255.0) as u8));
            texels.push(if here.is_some() { 255 } else { 0 });
        }
    }
    let extent = Extent3d {
        width: size.x,
        height: size.y,
        depth_or_array_layers: 1,
    };
    let usages = RenderAssetUsages::default();
    Image::new(
        extent,
        TextureDimension::D2,
        texels,
        TextureFormat::Rgba8UnormSrgb,
        usages,
    )
}

#[derive(Component)]
struct Torch;

/// Moves the torch to the mouse, or in an ellipse without one.
fn carry_torch(
    time: Res<Time>,
    window: Option<Single<&Window>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut torch: Single<&mut Transform, With<Torch>>,
) {
    let (camera, view) = *camera;
    let cursor = window.and_then(|window| window.cursor_position());
    let place = cursor.and_then(|cursor| camera.viewport_to_world_2d(view, cursor).ok());
    let round = Vec2::from_angle(2.2 - 0.3 * time.elapsed_secs()) * Vec2::new(200.0, 110.0);
    // The sprite of the flame is above the light layer, which is at z = 100.
    torch.translation = place.unwrap_or(round).extend(200.0);
}
