//! What the light is doing: numbers in the cells, outlines of the tiles at work.

use bevy::{math::ops, prelude::*, render::render_resource::TextureFormat};
use lanternfell_lightgrid::Tile;
use serde::{Deserialize, Serialize};

use crate::{
    map::LightMap,
    systems::PresentSystems,
    texture::{empty_image, with_map},
    upload::{TexturePatch, TexturePatches},
};

/// Shows what the light of a map is doing, over it. On a map's entity; drawn where its
/// light is. False colors are in [`LightDisplay::heat`](crate::LightDisplay::heat).
#[derive(
    Component, Reflect, Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize,
)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct LightDebug {
    /// The luminance in each cell, in hundredths from 01 to 99; nothing where it is darker.
    pub values: bool,
    /// Outlines of the tiles that the next step visits: from blue, where light changes by
    /// a hundred thousandth, to red, where by a tenth.
    pub tiles: bool,
}

/// On a map's entity while its tiles are shown: a texel for each of them.
#[derive(Component)]
pub(crate) struct TileTexture {
    pub(crate) image: Handle<Image>,
    /// Cells from one tile to the next.
    pub(crate) side: u32,
}

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PostUpdate,
        (make_tile_textures, paint_tile_textures)
            .chain()
            .in_set(PresentSystems::Debug),
    );
}

/// Maps whose tiles are shown have an image of them; others have none.
fn make_tile_textures(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    maps: Query<(Entity, &LightMap, Option<&LightDebug>, Option<&TileTexture>)>,
    leavings: Query<Entity, (With<TileTexture>, Without<LightMap>)>,
) {
    for left in &leavings {
        commands.entity(left).try_remove::<TileTexture>();
    }
    for (entity, map, debug, texture) in &maps {
        if !debug.is_some_and(|debug| debug.tiles) {
            if texture.is_some() {
                commands.entity(entity).try_remove::<TileTexture>();
            }
            continue;
        }
        let side = map.grid().tile_size();
        let size = tiles(map, side);
        let image = texture.and_then(|texture| images.get(&texture.image));
        if image.is_some_and(|image| image.size() == size) {
            continue;
        }
        let image = images.add(empty_image(size, TextureFormat::Rgba8Unorm));
        with_map(&mut commands, entity, move |mut map| {
            map.insert(TileTexture { image, side });
        });
    }
}

/// Tiles from west to east and from north to south.
fn tiles(map: &LightMap, side: u32) -> UVec2 {
    let size = map.grid().size();
    UVec2::new(size.x.div_ceil(side), size.y.div_ceil(side))
}

fn paint_tile_textures(
    maps: Query<(&LightMap, &TileTexture)>,
    mut patches: ResMut<TexturePatches>,
) {
    for (map, texture) in &maps {
        patches.push_whole(TexturePatch {
            image: texture.image.id(),
            first: UVec2::ZERO,
            size: tiles(map, texture.side),
            texels: map.grid().tiles().flat_map(|tile| texel(&tile)).collect(),
        });
    }
}

/// Red: how much the light changed, from a hundred thousandth to a tenth, by its logarithm.
/// Green: whether it is awake.
fn texel(tile: &Tile) -> [u8; 4] {
    let change = (ops::log10(tile.change.max(1e-5)) + 5.0) / 4.0;
    let awake = if tile.awake { u8::MAX } else { 0 };
    [(change.clamp(0.0, 1.0) * 255.0) as u8, awake, 0, u8::MAX]
}
