//! Light on a hexagonal tile map of `bevy_ecs_tilemap`: a cave. Dig with the left mouse button, and put rock back with
//! the right one. A torch follows the mouse.

use bevy::{
    asset::RenderAssetUsages,
    camera::ScalingMode,
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};
use bevy_ecs_tilemap::{helpers::hex_grid::neighbors::HexNeighbors, prelude::*};
use lanternfell_headless::OrHeadless;
use lanternfell_random::SeededRng;
use lanternfell_torchlight::{FollowsTilemaps, LightTile, prelude::*};

const ROWS: HexCoordSystem = HexCoordSystem::RowEven;
const KIND: TilemapType = TilemapType::Hexagon(ROWS);
const SIZE: TilemapSize = TilemapSize { x: 32, y: 22 };
/// The size of a tile in pixels.
const TILE: UVec2 = UVec2::new(32, 36);
const GRID: TilemapGridSize = TilemapGridSize {
    x: TILE.x as f32,
    y: TILE.y as f32,
};
const TILE_SIZE: TilemapTileSize = TilemapTileSize {
    x: TILE.x as f32,
    y: TILE.y as f32,
};

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins.or_headless(), TilemapPlugin))
        .add_plugins(TorchlightPlugin::default())
        .insert_resource(ClearColor(Color::BLACK))
        .add_systems(Startup, setup)
        .add_systems(Update, (carry_torch, dig, show_rocks).chain())
        .run()
}

fn setup(mut commands: Commands, mut images: ResMut<Assets<Image>>) {
    let tilemap = commands.spawn_empty().id();
    let mut storage = TileStorage::empty(SIZE);
    let rocks = cavern();
    for at in (0..SIZE.y).flat_map(|y| (0..SIZE.x).map(move |x| TilePos { x, y })) {
        let tile = TileBundle {
            position: at,
            tilemap_id: TilemapId(tilemap),
            ..default()
        };
        let tile = commands.spawn(tile).id();
        if rocks[at.to_index(&SIZE)] {
            commands.entity(tile).insert(LightTile::default());
        }
        storage.set(&at, tile);
    }
    commands.entity(tilemap).insert(TilemapBundle {
        size: SIZE,
        grid_size: GRID,
        tile_size: TILE_SIZE,
        map_type: KIND,
        storage,
        texture: TilemapTexture::Single(images.add(tiles())),
        anchor: TilemapAnchor::Center,
        ..default()
    });
    // One light map over the whole tile map.
    commands.spawn(FollowsTilemaps::default());
    let cold = LightSource::new(Color::srgb(0.4, 0.7, 1.0)).with_strength(3.0);
    commands.spawn((cold, Transform::from_xyz(290.0, 150.0, 0.0)));
    let warm = LightSource::default().with_strength(4.0);
    let place = Transform::from_xyz(-120.0, -20.0, 0.0);
    commands.spawn((Torch, warm, Flicker::torch(7), place));
    let scaling_mode = ScalingMode::AutoMin {
        min_width: 1040.0,
        min_height: 600.0,
    };
    let projection = OrthographicProjection {
        scaling_mode,
        ..OrthographicProjection::default_2d()
    };
    commands.spawn((Camera2d, Projection::Orthographic(projection)));
}

/// Where there is rock: random at first, then smoothed by the majority of the six neighbors.
fn cavern() -> Vec<bool> {
    let mut rng = SeededRng::new(5, b"cavern  ");
    let mut rocks: Vec<bool> = (0..SIZE.count()).map(|_| rng.unit() < 0.42).collect();
    for _ in 0..4 {
        let is_rock = |at: &TilePos| {
            let around = HexNeighbors::get_neighboring_positions(at, &SIZE, &ROWS);
            let open = around
                .iter()
                .filter(|at| !rocks[at.to_index(&SIZE)])
                .count();
            open < 3 + usize::from(!rocks[at.to_index(&SIZE)])
        };
        let tiles = (0..SIZE.y).flat_map(|y| (0..SIZE.x).map(move |x| TilePos { x, y }));
        rocks = tiles.map(|at| is_rock(&at)).collect();
    }
    rocks
}

/// A tileset with two tiles: floor and rock.
fn tiles() -> Image {
    let mut pixels = Vec::new();
    for y in 0..TILE.y {
        for x in 0..2 * TILE.x {
            let is_rock = x >= TILE.x;
            let from_middle =
                (Vec2::new((x % TILE.x) as f32, y as f32) + 0.5) / TILE.as_vec2() - 0.5;
            let Vec2 { x: across, y: down } = from_middle.abs();
            // Distances to the vertical and the slanted sides: 1 at the border.
            let rim = (2.0 * across).max(across + 2.0 * down);
            let speck = ((x * 7 + y * 13) ^ (x * y)) % 9;
            let tone = if is_rock { 150.0 } else { 104.0 } + speck as f32;
            // Rocks have a bright border, floor tiles a dark one.
            let edge = if is_rock { 1.25 } else { 0.7 };
            let tone = if rim > 0.88 { tone * edge } else { tone };
            let alpha = if rim < 1.0 { 255 } else { 0 };
            pixels.extend([tone as u8, (0.94 * tone) as u8, (0.86 * tone) as u8, alpha]);
        }
    }
    let size = Extent3d {
        width: 2 * TILE.x,
        height: TILE.y,
        depth_or_array_layers: 1,
    };
    Image::new(
        size,
        TextureDimension::D2,
        pixels,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::RENDER_WORLD | RenderAssetUsages::MAIN_WORLD,
    )
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
        torch.translation = place.extend(0.0);
    }
}

/// Digs at the torch, which follows the mouse.
fn dig(
    mut commands: Commands,
    buttons: Res<ButtonInput<MouseButton>>,
    torch: Single<&Transform, With<Torch>>,
    tilemap: Single<&TileStorage>,
) {
    let place = torch.translation.truncate();
    let at = TilePos::from_world_pos(
        &place,
        &SIZE,
        &GRID,
        &TILE_SIZE,
        &KIND,
        &TilemapAnchor::Center,
    );
    let Some(tile) = at.and_then(|at| tilemap.get(&at)) else {
        return;
    };
    if buttons.pressed(MouseButton::Left) {
        commands.entity(tile).remove::<LightTile>();
    } else if buttons.pressed(MouseButton::Right) {
        commands.entity(tile).insert(LightTile::default());
    }
}

/// Shows a tile that blocks light as rock.
fn show_rocks(mut tiles: Query<(Has<LightTile>, &mut TileTextureIndex)>) {
    for (is_rock, mut picture) in &mut tiles {
        picture.set_if_neq(TileTextureIndex(u32::from(is_rock)));
    }
}
