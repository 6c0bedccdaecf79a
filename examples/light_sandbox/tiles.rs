//! The drawing in full light: a tile map with a generated tile set.
//!
//! A tile has 16x16 pixels. Each material has several variants to avoid a visible pattern.

use bevy::{
    asset::RenderAssetUsages,
    image::ImageSampler,
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
    sprite_render::{TileData, TilemapChunk, TilemapChunkTileData},
};

use crate::drawing::{Drawing, Hue, Material};

/// Side of a tile, in pixels and in world units.
pub const TILE: u32 = 16;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, draw_tile_set)
        .add_systems(Update, update_tilemap.run_if(resource_changed::<Drawing>));
}

#[derive(Resource)]
struct TileSet(Handle<Image>);

/// The kinds of tiles in the order of the tile set, with their number of variants.
const KINDS: [(TileKind, u16); 6] = [
    (TileKind::Floor, 6),
    (TileKind::Wall, 6),
    (TileKind::Black, 3),
    (TileKind::Mirror, 2),
    (TileKind::Smoke, 3),
    (TileKind::Glass, 2),
];

#[derive(Clone, Copy, PartialEq)]
enum TileKind {
    Floor,
    Wall,
    Black,
    Mirror,
    Smoke,
    Glass,
}

impl TileKind {
    fn of(material: Material) -> Self {
        match material {
            Material::Floor => Self::Floor,
            Material::Wall => Self::Wall,
            Material::Black => Self::Black,
            Material::Mirror => Self::Mirror,
            Material::Smoke => Self::Smoke,
            Material::Glass(_) => Self::Glass,
        }
    }

    /// The tile of a cell. The variant is a hash of the position.
    fn tile(self, cell: IVec2) -> u16 {
        let before = KINDS.iter().take_while(|(kind, _)| *kind != self);
        let first: u16 = before.map(|(_, variants)| variants).sum();
        let variants = KINDS
            .iter()
            .find(|(kind, _)| *kind == self)
            .map_or(1, |k| k.1);
        first + (noise(cell.x as u32, cell.y as u32, 77) * f32::from(variants)) as u16
    }

    /// The color of a pixel in full light.
    fn pixel(self, x: u32, y: u32, variant: u32) -> Vec3 {
        match self {
            Self::Floor => floor(x, y, variant),
            Self::Wall => bricks(x, y, variant) * Vec3::new(0.56, 0.50, 0.46),
            Self::Black => bricks(x, y, variant + 40) * Vec3::new(0.17, 0.17, 0.20),
            Self::Mirror => mirror(x, y, variant),
            Self::Smoke => smoke(x, y, variant),
            Self::Glass => glass(x, y),
        }
    }
}

fn draw_tile_set(mut commands: Commands, mut images: ResMut<Assets<Image>>) {
    let mut pixels = Vec::new();
    for (kind, variants) in KINDS {
        for variant in 0..u32::from(variants) {
            for y in 0..TILE {
                for x in 0..TILE {
                    let color = kind.pixel(x, y, variant).clamp(Vec3::ZERO, Vec3::ONE);
                    let [r, g, b] = (color * 255.0).round().to_array().map(|c| c as u8);
                    pixels.extend([r, g, b, 255]);
                }
            }
        }
    }
    let mut image = Image::new(
        Extent3d {
            width: TILE,
            height: TILE,
            depth_or_array_layers: KINDS.iter().map(|(_, variants)| u32::from(*variants)).sum(),
        },
        TextureDimension::D2,
        pixels,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.sampler = ImageSampler::nearest();
    commands.insert_resource(TileSet(images.add(image)));
}

/// Updates the tile map. In Bevy's tile map the first row is at the bottom.
fn update_tilemap(
    drawing: Res<Drawing>,
    set: Res<TileSet>,
    mut map: Query<(Entity, &TilemapChunk, &mut TilemapChunkTileData)>,
    mut commands: Commands,
) {
    let size = drawing.size();
    let mut tiles = vec![None; (size.x * size.y) as usize];
    for (cell, material) in drawing.cells() {
        let row = size.y as i32 - 1 - cell.y;
        tiles[(row * size.x as i32 + cell.x) as usize] = Some(tile(cell, material));
    }
    for (entity, chunk, mut data) in &mut map {
        if chunk.chunk_size == size {
            data.0 = tiles;
            return;
        }
        commands.entity(entity).despawn();
    }
    commands.spawn((
        TilemapChunk {
            chunk_size: size,
            tile_display_size: UVec2::splat(TILE),
            tileset: set.0.clone(),
            ..default()
        },
        TilemapChunkTileData(tiles),
    ));
}

fn tile(cell: IVec2, material: Material) -> TileData {
    let mut tile = TileData::from_tileset_index(TileKind::of(material).tile(cell));
    if let Material::Glass(hue) = material {
        // A white tint would hide the lead. The other hues are darker.
        let tint = if hue == Hue::White { 0.9 } else { 1.0 };
        tile.color = (hue.color().to_linear() * tint).into();
    }
    tile
}

/// A hash of three numbers, from 0 to 1.
fn noise(x: u32, y: u32, seed: u32) -> f32 {
    let mut bits =
        x.wrapping_mul(0x8DA6_B343) ^ y.wrapping_mul(0xD816_3841) ^ seed.wrapping_mul(0xCB1A_B31F);
    bits = (bits ^ bits >> 15).wrapping_mul(0x2C1B_3C6D);
    bits = (bits ^ bits >> 12).wrapping_mul(0x297A_2D39);
    ((bits ^ bits >> 15) >> 8) as f32 / (1 << 24) as f32
}

/// Worn flagstones, one or four per tile.
fn floor(x: u32, y: u32, variant: u32) -> Vec3 {
    let side = if variant % 3 == 2 { TILE / 2 } else { TILE };
    let (inside_x, inside_y) = (x % side, y % side);
    let stone = noise(x / side, y / side, 300 + variant);
    let shade =
        0.60 + 0.07 * stone + 0.05 * noise(x, y, variant) + 0.03 * noise(x / 3, y / 3, variant + 9);
    let joint = inside_x == 0 || inside_y == 0;
    let edge = inside_x == 1 || inside_y == 1;
    let shade = if joint {
        0.48
    } else if edge {
        shade + 0.05
    } else {
        shade
    };
    Vec3::new(0.98, 0.96, 1.0) * shade
}

/// Courses of bricks with mortar, as a shade.
fn bricks(x: u32, y: u32, variant: u32) -> Vec3 {
    let course = y / 4;
    let along = (x + 4 * (course % 2)) % 8;
    let brick = (x + 4 * (course % 2)) / 8;
    if y % 4 == 3 || along == 7 {
        return Vec3::splat(0.55);
    }
    let own = noise(brick, course, 50 + variant);
    let lit_edge = if y.is_multiple_of(4) { 0.10 } else { 0.0 };
    let shade = 0.92 + 0.22 * own + lit_edge + 0.08 * noise(x, y, 90 + variant);
    shade * Vec3::new(1.0, 0.98 - 0.03 * own, 0.96 - 0.05 * own)
}

/// A mirror with two glints, in a thin frame.
fn mirror(x: u32, y: u32, variant: u32) -> Vec3 {
    if x == 0 || y == 0 || x == TILE - 1 || y == TILE - 1 {
        return Vec3::new(0.45, 0.42, 0.34);
    }
    let diagonal = (x + y + 5 * variant) % TILE;
    let glint = if matches!(diagonal, 3 | 4 | 7) {
        0.2
    } else {
        0.0
    };
    Vec3::new(0.62, 0.72, 0.78) + glint + 0.08 * (1.0 - y as f32 / TILE as f32)
}

/// The floor below wisps of smoke.
fn smoke(x: u32, y: u32, variant: u32) -> Vec3 {
    let wisp = |size: u32| noise(x / size, y / size, 400 + variant);
    let thickness = 0.5 + 0.25 * wisp(4) + 0.25 * wisp(2);
    floor(x, y, 0).lerp(Vec3::new(0.80, 0.82, 0.88), thickness)
}

/// Four nearly white panes separated by lead. The tile map tints them.
fn glass(x: u32, y: u32) -> Vec3 {
    let lead = matches!(x, 0 | 15) || matches!(y, 0 | 15) || x == 8 || y == 8;
    if lead {
        return Vec3::splat(0.22);
    }
    let pane = noise(x / 8, y / 8, 500);
    Vec3::splat(0.82 + 0.14 * pane + 0.06 * noise(x, y, 501))
}
