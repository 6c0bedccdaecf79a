//! The shortest complete app with torchlight: a cellar with a cold lamp, and a torch that follows the mouse.

use bevy::{camera::ScalingMode, prelude::*};
use lanternfell::{lightgrid::Cell, prelude::*};

/// `#` is a wall. Each cell is a square of 60 pixels.
const CELLAR: [&[u8; 20]; 11] = [
    b"####################",
    b"#        #         #",
    b"#        #         #",
    b"#  #  #  #         #",
    b"#                  #",
    b"#  #  #  #####  ####",
    b"#        #         #",
    b"#        #  #   #  #",
    b"####  ####         #",
    b"#           #   #  #",
    b"####################",
];

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins.or_headless(), TorchlightPlugin::default()))
        .insert_resource(ClearColor(Color::BLACK))
        .add_systems(Startup, setup)
        .add_systems(Update, carry_torch)
        .run()
}

fn setup(mut commands: Commands) -> Result {
    let mut grid = LightGrid::new(20, 11, LightSettings::default())?;
    for (row, cells) in CELLAR.iter().enumerate() {
        for (column, &cell) in cells.iter().enumerate() {
            let (x, y) = (column as f32 * 60.0 - 570.0, 300.0 - row as f32 * 60.0);
            let mut stone = 0.42 + 0.03 * ((column * 7 + row * 11) % 5) as f32;
            if cell == b'#' {
                stone *= 1.7;
                grid.set_cell(IVec2::new(column as i32, row as i32), Cell::new(0.0, 0.7))?;
            }
            let color = Color::srgb(stone, 0.95 * stone, 0.9 * stone);
            let slab = Sprite::from_color(color, Vec2::splat(59.0));
            commands.spawn((slab, Transform::from_xyz(x, y, 0.0)));
        }
    }
    commands.spawn(TorchlightMap::new(grid).with_cell_size(60.0));
    let cold = LightSource::new(Color::srgb(0.35, 0.65, 1.0)).with_strength(2.5);
    commands.spawn((cold, LightCell::new(16, 2)));
    let warm = LightSource::default().with_strength(4.0);
    // The sprite of the flame is above the light layer, which is at z = 100.
    let flame = Sprite::from_color(Color::srgb(1.0, 0.9, 0.6), Vec2::splat(10.0));
    let place = Transform::from_xyz(-150.0, 60.0, 200.0);
    commands.spawn((Torch, warm, Flicker::torch(7), flame, place));
    let whole_cellar = ScalingMode::AutoMin {
        min_width: 1200.0,
        min_height: 660.0,
    };
    commands.spawn((
        Camera2d,
        Projection::Orthographic(OrthographicProjection {
            scaling_mode: whole_cellar,
            ..OrthographicProjection::default_2d()
        }),
    ));
    Ok(())
}

#[derive(Component)]
struct Torch;

fn carry_torch(
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut torch: Single<&mut Transform, With<Torch>>,
) {
    let (camera, view) = *camera;
    let cursor = window.cursor_position();
    if let Some(place) = cursor.and_then(|cursor| camera.viewport_to_world_2d(view, cursor).ok()) {
        torch.translation = place.extend(200.0);
    }
}
