//! Debug overlay: numbers in the cells, and outlines of the active tiles.

use bevy::{math::ops, prelude::*, render::render_resource::TextureFormat};
use lanternfell_lightgrid::Tile;
use serde::{Deserialize, Serialize};

use crate::{
    map::TorchlightMap,
    systems::PresentSystems,
    texture::{empty_image, with_map},
    upload::{TexturePatch, TexturePatches},
};

/// Debug overlay over the light of a map. Add it to the entity of the map.
///
/// It is drawn by the cameras that draw the light. For false colors, see
/// [`LightDisplay::heat`](crate::LightDisplay::heat).
#[derive(
    Component, Reflect, Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize,
)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct LightDebug {
    /// Shows the luminance of each cell in hundredths, from 01 to 99. Darker cells show no number.
    pub values: bool,
    /// Outlines the tiles that the next step visits, from blue (light changes by 1/100,000) to red
    /// (by 1/10 or more).
    pub tiles: bool,
}

/// On the entity of a map while its tiles are shown: an image with one texel per tile.
#[derive(Component)]
pub(crate) struct TileTexture {
    pub(crate) image: Handle<Image>,
    /// Cells along a side of a tile.
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

/// Creates the images of maps whose tiles are shown, and removes the others.
fn make_tile_textures(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    maps: Query<(
        Entity,
        &TorchlightMap,
        Option<&LightDebug>,
        Option<&TileTexture>,
    )>,
    leavings: Query<Entity, (With<TileTexture>, Without<TorchlightMap>)>,
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

/// The number of tiles from west to east and from north to south.
fn tiles(map: &TorchlightMap, side: u32) -> UVec2 {
    let size = map.grid().size();
    UVec2::new(size.x.div_ceil(side), size.y.div_ceil(side))
}

fn paint_tile_textures(
    maps: Query<(&TorchlightMap, &TileTexture)>,
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

/// Red: the change of the light, on a logarithmic scale from 1/100,000 to 1/10. Green: whether the
/// tile is awake.
fn texel(tile: &Tile) -> [u8; 4] {
    let change = (ops::log10(tile.change.max(1e-5)) + 5.0) / 4.0;
    let awake = if tile.awake { u8::MAX } else { 0 };
    [(change.clamp(0.0, 1.0) * 255.0) as u8, awake, 0, u8::MAX]
}
