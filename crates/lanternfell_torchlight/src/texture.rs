//! The light of a map as an image: a texel for each cell.
//!
//! ```text
//! red, green, blue   light / (1 + light), as sRGB: 0 is dark, 1/2 (linear) is full light,
//!                    and the brightest lamp still is below 1
//! alpha              1 for an open cell, 0 for a wall
//! ```
//!
//! A tile of the grid in which no light changed is not looked at. Those that did change are
//! sent to the GPU and nowhere else ([`upload`](crate::upload)): the main world keeps no
//! copy, and the renderer's texture is written into, not replaced.

use std::{sync::Arc, time::Duration};

use bevy::{
    asset::RenderAssetUsages,
    image::{Image, ImageSampler},
    math::ops,
    platform::time::Instant,
    prelude::*,
    render::{
        render_resource::{Extent3d, TextureDimension, TextureFormat},
        renderer::RenderDevice,
    },
};
use lanternfell_lightgrid::LightGrid;

use crate::{
    blocker::Cover,
    detail::DetailWork,
    map::LightMap,
    systems::PresentSystems,
    timing::{LightBudget, LightTiming, Spent},
    upload::{TexturePatch, TexturePatches},
};

/// On a map's entity, in an app that draws: the light as an image, kept up to date on the
/// GPU. Another one when the map's size changes.
///
/// A texel for each cell, row 0 first. What a shader reads is linear `light / (1 + light)`
/// for each color, so `light = texel / (1 - texel)`; alpha is 1 for open cells and 0 for
/// walls.
#[derive(Component, Reflect, Debug, Default, Clone, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
// A clone of the map gets an image of its own.
#[component(clone_behavior = Ignore)]
pub struct LightTexture(pub Handle<Image>);

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Curve>()
        .add_systems(
            PostUpdate,
            (make_textures, paint_textures)
                .chain()
                .in_set(PresentSystems::Paint),
        )
        .add_observer(remove_texture);
}

/// Queues `work` on a map's entity. It is not done when by then somebody else's command has
/// taken away the entity or its [`LightMap`].
pub(crate) fn with_map(
    commands: &mut Commands,
    map: Entity,
    work: impl FnOnce(EntityWorldMut) + Send + 'static,
) {
    commands.queue(move |world: &mut World| {
        if let Ok(entity) = world.get_entity_mut(map)
            && entity.contains::<LightMap>()
        {
            work(entity);
        }
    });
}

/// The largest side of a texture where the device does not say.
pub(crate) const USUAL_LIMIT: u32 = 8192;

/// Every map has an image of its size.
fn make_textures(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    device: Option<Res<RenderDevice>>,
    maps: Query<(Entity, &LightMap, Option<&LightTexture>)>,
) {
    let limit = device.map_or(USUAL_LIMIT, |device| {
        device.limits().max_texture_dimension_2d
    });
    for (entity, map, texture) in &maps {
        let size = map.grid.size();
        let image = texture.and_then(|texture| images.get(&texture.0));
        if image.is_some_and(|image| image.size() == size) {
            continue;
        }
        if size.max_element() > limit {
            if texture.is_some() {
                commands.entity(entity).try_remove::<LightTexture>();
            }
            error_once!("a light map of {size} cells is not drawn: the GPU takes {limit} a side");
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

/// An image that is on the GPU only, to be written with [`TexturePatches`].
pub(crate) fn empty_image(size: UVec2, format: TextureFormat) -> Image {
    let size = Extent3d {
        width: size.x,
        height: size.y,
        depth_or_array_layers: 1,
    };
    let usage = RenderAssetUsages::RENDER_WORLD;
    Image::new_uninit(size, TextureDimension::D2, format, usage)
}

/// Sends what has changed to the images: as much as the budget has time for, and at least a tile, of
/// maps that keep to it. The rest has its turn in the next frames.
pub(crate) fn paint_textures(
    mut maps: Query<(
        &mut LightMap,
        &LightTexture,
        &LightTiming,
        Option<&mut DetailWork>,
    )>,
    (budget, mut spent): (Res<LightBudget>, ResMut<Spent>),
    curve: Res<Curve>,
    mut patches: ResMut<TexturePatches>,
) {
    // What the renderer has not taken yet must not grow; what is dirty stays so in the grid.
    if !patches.is_empty() {
        return;
    }
    for (mut map, texture, timing, mut detail) in &mut maps {
        let began = Instant::now();
        let time = match timing {
            LightTiming::InStep => Duration::MAX,
            LightTiming::WithinBudget => spent.left(*budget),
        };
        let map = map.bypass_change_detection();
        let image = texture.0.id();
        let texels = Texels {
            curve: &curve,
            cover: &map.cover,
        };
        if map.shown_by.0 != Some(image) {
            map.shown_by.0 = Some(image);
            map.grid.drain_changes(|_, _, _| ());
            let size = map.grid.size();
            let all = texels.patch(&map.grid, image, UVec2::ZERO, size);
            if let Some(detail) = &mut detail {
                detail.changed(UVec2::ZERO, size);
            }
            patches.push_whole(all);
            continue;
        }
        map.grid.drain_changes_while(|grid, first, size| {
            patches.push(texels.patch(grid, image, first, size));
            if let Some(detail) = &mut detail {
                detail.changed(first, size);
            }
            began.elapsed() < time
        });
        if *timing == LightTiming::WithinBudget {
            spent.spend(began.elapsed());
        }
    }
}

/// From light to bytes.
struct Texels<'a> {
    curve: &'a Curve,
    cover: &'a Cover,
}

impl Texels<'_> {
    fn patch(
        &self,
        grid: &LightGrid,
        image: AssetId<Image>,
        first: UVec2,
        size: UVec2,
    ) -> TexturePatch {
        let mut texels = Vec::with_capacity((size.x * size.y * 4) as usize);
        for y in first.y..first.y + size.y {
            for x in first.x..first.x + size.x {
                let at = UVec2::new(x, y).as_ivec2();
                let [red, green, blue] = grid.light(at).to_array().map(|l| self.curve.code(l));
                let alpha = if self.is_wall(grid, at) { 0 } else { u8::MAX };
                texels.extend([red, green, blue, alpha]);
            }
        }
        TexturePatch {
            image,
            first,
            size,
            texels,
        }
    }

    /// Whether the map itself has a wall here. Things that move have soft edges.
    fn is_wall(&self, grid: &LightGrid, at: IVec2) -> bool {
        let below = || self.cover.base(at).is_none_or(|base| base.is_opaque());
        grid.is_opaque(at) && below()
    }
}

/// The sRGB code of `light / (1 + light)`, by a table.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Curve(Arc<[u8]>);

impl Curve {
    /// More than sRGB's steep beginning has codes (12.92 times 255), so none is left out.
    const LAST: u16 = 4095;

    pub(crate) fn code(&self, light: f32) -> u8 {
        let part = light / (1.0 + light);
        let place = (part * f32::from(Self::LAST) + 0.5) as usize;
        self.0[place.min(usize::from(Self::LAST))]
    }
}

impl Default for Curve {
    /// IEC 61966-2-1.
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

/// The [`LightMap`] was taken from its entity: its image goes too.
fn remove_texture(remove: On<Remove, LightMap>, mut commands: Commands) {
    if let Ok(mut entity) = commands.get_entity(remove.entity) {
        entity.try_remove::<LightTexture>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_texel_gives_the_light_back() {
        let curve = Curve::default();
        for light in [0.0, 0.001, 0.01, 0.1, 0.5, 1.0, 4.0] {
            let texel = Srgba::rgb_u8(curve.code(light), 0, 0);
            let texel = LinearRgba::from(texel).red;
            let back = texel / (1.0 - texel);
            // Half a code is 1/6500 in the dark, and 2 % of full light.
            let off = (back - light).abs();
            assert!(
                off < 0.0004 + 0.02 * light * (1.0 + light),
                "{light} {back}"
            );
        }
    }

    #[test]
    fn brighter_light_never_has_a_lower_code() {
        let curve = Curve::default();
        let codes: Vec<u8> = (0..64_000).map(|n| curve.code(n as f32 * 0.001)).collect();
        assert!(codes.is_sorted());
        let full = usize::from(curve.code(1e9));
        assert_eq!((codes[0], full), (0, 255));
    }
}
