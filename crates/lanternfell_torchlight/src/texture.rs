//! The light of a map as an image with one texel per cell.
//!
//! ```text
//! red, green, blue   light / (1 + light), as sRGB: 0 is dark, 1/2 (linear) is full light,
//!                    and the brightest lamp is still below 1
//! alpha              1 for an open cell, 0 for a wall
//! ```
//!
//! [`paint`](crate::paint) writes the changes into the image.

use std::sync::Arc;

use bevy::{
    asset::RenderAssetUsages,
    image::{Image, ImageSampler},
    math::ops,
    prelude::*,
    render::{
        render_resource::{Extent3d, TextureDimension, TextureFormat},
        renderer::RenderDevice,
    },
};

use crate::{map::TorchlightMap, systems::PresentSystems};

/// The light of a map as an image, for your own materials. The plugin adds it to each map in an app that renders, and
/// keeps it up to date on the GPU.
///
/// The image has one texel per cell, row 0 first. A shader reads linear `light / (1 + light)` for each color, so
/// `light = texel / (1 - texel)`. Alpha is 1 for open cells and 0 for walls. The image is replaced when the size of the
/// map changes.
#[derive(Component, Reflect, Debug, Default, Clone, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
// A clone of the map gets its own image.
#[component(clone_behavior = Ignore)]
pub struct LightTexture(pub Handle<Image>);

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Curve>()
        .add_systems(PostUpdate, make_textures.in_set(PresentSystems::Paint))
        .add_observer(remove_texture);
}

/// Queues `work` on the entity of a map. It is skipped if another command removed the entity or its [`TorchlightMap`]
/// first.
pub(crate) fn with_map(
    commands: &mut Commands,
    map: Entity,
    work: impl FnOnce(EntityWorldMut) + Send + 'static,
) {
    commands.queue(move |world: &mut World| {
        if let Ok(entity) = world.get_entity_mut(map)
            && entity.contains::<TorchlightMap>()
        {
            work(entity);
        }
    });
}

/// The maximum side of a texture if there is no render device to ask.
pub(crate) const USUAL_LIMIT: u32 = 8192;

/// Creates an image of the right size for every map.
pub(crate) fn make_textures(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    device: Option<Res<RenderDevice>>,
    maps: Query<(Entity, &TorchlightMap, Option<&LightTexture>)>,
) {
    let limit = device.map_or(USUAL_LIMIT, |device| {
        device.limits().max_texture_dimension_2d
    });
    for (entity, map, texture) in &maps {
        let size = map.data.grid.size();
        let image = texture.and_then(|texture| images.get(&texture.0));
        if image.is_some_and(|image| image.size() == size) {
            continue;
        }
        if size.max_element() > limit {
            if texture.is_some() {
                commands.entity(entity).try_remove::<LightTexture>();
            }
            error_once!(
                "a light map of {size} cells is not drawn: the GPU allows {limit} texels per side"
            );
            continue;
        }
        let mut image = empty_image(size, TextureFormat::Rgba8UnormSrgb);
        image.sampler = ImageSampler::linear();
        let texture = LightTexture(images.add(image));
        with_map(&mut commands, entity, |mut map| {
            map.insert(texture);
        });
    }
}

/// Creates an image that exists on the GPU only. Write to it with [`TexturePatches`](crate::upload::TexturePatches).
pub(crate) fn empty_image(size: UVec2, format: TextureFormat) -> Image {
    let size = Extent3d {
        width: size.x,
        height: size.y,
        depth_or_array_layers: 1,
    };
    let usage = RenderAssetUsages::RENDER_WORLD;
    Image::new_uninit(size, TextureDimension::D2, format, usage)
}

/// Lookup table for the sRGB code of `light / (1 + light)`.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Curve(Arc<[u8]>);

impl Curve {
    /// More entries than the steepest part of the sRGB curve has codes (12.92 times 255), so no code is skipped.
    const LAST: u16 = 4095;

    pub(crate) fn code(&self, light: f32) -> u8 {
        let part = light / (1.0 + light);
        let place = (part * f32::from(Self::LAST) + 0.5) as usize;
        self.0[place.min(usize::from(Self::LAST))]
    }
}

impl Default for Curve {
    /// Formula: IEC 61966-2-1.
    fn default() -> Self {
        let code = |place: u16| {
            let linear = f32::from(place) / f32::from(Self::LAST);
            let encoded = if linear <= 0.003_130_8 {
                12.92 * linear
            } else {
                1.055 * ops::powf(linear, 1.0 / 2.4) - 0.055
            };
            (encoded * 255.0 + 0.5) as u8
        };
        Self((0..=Self::LAST).map(code).collect())
    }
}

/// Removes the image when the [`TorchlightMap`] is removed.
fn remove_texture(remove: On<Remove, TorchlightMap>, mut commands: Commands) {
    if let Ok(mut entity) = commands.get_entity(remove.entity) {
        entity.try_remove::<LightTexture>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texel_decodes_to_light() {
        let curve = Curve::default();
        for light in [0.0, 0.001, 0.01, 0.1, 0.5, 1.0, 4.0] {
            let texel = Srgba::rgb_u8(curve.code(light), 0, 0);
            let texel = LinearRgba::from(texel).red;
            let back = texel / (1.0 - texel);
            // Half a code is 1/6500 in the dark, and 2 % at full light.
            let off = (back - light).abs();
            assert!(
                off < 0.0004 + 0.02 * light * (1.0 + light),
                "{light} {back}"
            );
        }
    }

    #[test]
    fn codes_are_monotonic() {
        let curve = Curve::default();
        let codes: Vec<u8> = (0..64_000).map(|n| curve.code(n as f32 * 0.001)).collect();
        assert!(codes.is_sorted());
        let full = usize::from(curve.code(1e9));
        assert_eq!((codes[0], full), (0, 255));
    }
}
