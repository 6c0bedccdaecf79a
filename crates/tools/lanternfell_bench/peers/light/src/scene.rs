//! The scene, which is the same for all variants: a floor, walls, and lamps that have no light yet.

use bevy::{
    camera::{RenderTarget, ScalingMode, primitives::Aabb},
    prelude::*,
};

use crate::{
    args::Load,
    map::{Block, Map},
};

/// World units per cell, and the width of the view in cells.
pub const CELL: f32 = 20.0;
const IN_VIEW: f32 = 64.0;

/// Common properties of lamps: their reach in cells, the size of their flame in cells, and their color.
pub const REACH: f32 = 12.0;
pub const FLAME: f32 = 0.5;
pub const WARM: Color = Color::srgb(1.0, 0.8, 0.55);

/// The ambient light, linear.
pub const DARKNESS: f32 = 0.01;

/// The z coordinates of walls and occluders. The floor is at 0.
pub const WALL_Z: f32 = 2.0;
pub const OCCLUDER_Z: f32 = 1.0;

const FLOOR: Color = Color::srgb(0.74, 0.71, 0.67);
const WALL: Color = Color::srgb(0.96, 0.93, 0.89);

/// The radius of the circles of moving lamps in cells, and the time for one round in seconds.
const CIRCLE: f32 = 1.5;
const ROUND: f32 = 4.0;

/// The scene to build, and the image to render it to.
#[derive(Resource, Clone)]
pub struct Plan {
    pub load: Load,
    pub target: Handle<Image>,
}

/// The position of a lamp. Every second lamp moves in a circle around it.
#[derive(Component)]
pub struct Lamp {
    home: Vec2,
    /// The initial angle on the circle in radians. `None` for lamps that do not move.
    start: Option<f32>,
}

pub fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(Color::BLACK))
        .add_systems(PreStartup, (draw_map, hang_lamps, watch))
        .add_systems(Update, move_lamps);
}

/// The world position of a cell's center. Row 0 is at the top, and the center of the map is at the origin.
fn place(map: &Map, cell: Vec2) -> Vec2 {
    let middle = 0.5 * map.side as f32;
    (cell + 0.5 - middle) * Vec2::new(CELL, -CELL)
}

/// The center and the size of a block.
pub fn lie(map: &Map, block: Block) -> (Vec2, Vec2) {
    let size = block.size.as_vec2();
    let middle = block.first.as_vec2() + 0.5 * (size - 1.0);
    (place(map, middle), size * CELL)
}

/// Makes Bevy cull a lamp whose reach is out of view. By default `bevy_lit` culls no lamps, and `bevy_firefly` all or
/// none: whether its visible lamps are lost depends on the order in which systems happen to run.
pub fn within_reach() -> (Visibility, Aabb) {
    let reach = Vec3::new(REACH * CELL, REACH * CELL, 1.0);
    (Visibility::default(), Aabb::from_min_max(-reach, reach))
}

fn draw_map(map: Res<Map>, mut commands: Commands) {
    let side = map.side as f32 * CELL;
    commands.spawn(Sprite::from_color(FLOOR, Vec2::splat(side)));
    for block in map.blocks() {
        let (middle, size) = lie(&map, block);
        let at = Transform::from_translation(middle.extend(WALL_Z));
        commands.spawn((Sprite::from_color(WALL, size), at));
    }
}

fn hang_lamps(plan: Res<Plan>, map: Res<Map>, mut commands: Commands) {
    for (number, cell) in map.lamps(plan.load.lamps).into_iter().enumerate() {
        let home = place(&map, cell.as_vec2());
        let start = (plan.load.moving && number % 2 == 0).then_some(number as f32);
        let at = Transform::from_translation(home.extend(0.0));
        commands.spawn((Lamp { home, start }, at));
    }
}

/// Shows the center of the map. The visible part of the map is independent of the resolution.
fn watch(plan: Res<Plan>, mut commands: Commands) {
    let target = RenderTarget::Image(plan.target.clone().into());
    let projection = Projection::Orthographic(OrthographicProjection {
        scaling_mode: ScalingMode::FixedHorizontal {
            viewport_width: IN_VIEW * CELL,
        },
        ..OrthographicProjection::default_2d()
    });
    commands.spawn((Camera2d, projection, target, Msaa::Off));
}

fn move_lamps(time: Res<Time>, mut lamps: Query<(&Lamp, &mut Transform)>) {
    for (lamp, mut transform) in &mut lamps {
        if let Some(start) = lamp.start {
            let angle = start + core::f32::consts::TAU * time.elapsed_secs() / ROUND;
            let step = CIRCLE * CELL * Vec2::from_angle(angle);
            transform.translation = (lamp.home + step).extend(0.0);
        }
    }
}
