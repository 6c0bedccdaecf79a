//! A control map as textures.

use bevy::{
    asset::RenderAssetUsages,
    image::{Image, ImageSampler, ImageSamplerDescriptor},
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};
use lanternfell_surface::layers::ControlMap;

/// The images of a control map before they are added to `Assets<Image>`.
pub(crate) struct CoverImages {
    layers: Image,
    /// `None` if the previous image is still valid.
    relief: Option<Image>,
}

/// The textures of a terrain's cover that the terrain shader reads. On the terrain's entity.
#[derive(Component, Debug, Clone, PartialEq, Eq)]
pub(crate) struct CoverTextures {
    pub(crate) layers: Handle<Image>,
    pub(crate) relief: Handle<Image>,
}

impl CoverImages {
    pub(crate) fn new(map: &ControlMap) -> Self {
        let (bytes, levels) = with_levels(size(map), map.relief());
        let mut relief = image(size(map), bytes, TextureFormat::Rgba8Unorm);
        relief.texture_descriptor.mip_level_count = levels;
        relief.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor::linear());
        Self {
            relief: Some(relief),
            ..Self::of_layers(map)
        }
    }

    /// Builds the images for a map that differs from the previous one only in its layers.
    pub(crate) fn of_layers(map: &ControlMap) -> Self {
        let bytes = map.texels().as_flattened().to_vec();
        Self {
            layers: image(size(map), bytes, TextureFormat::Rg8Unorm),
            relief: None,
        }
    }

    /// Adds the images as assets, and reuses the previous relief image if there is no new one. `None` if there is no
    /// previous one to reuse.
    pub(crate) fn add_to(
        self,
        images: &mut Assets<Image>,
        before: Option<&CoverTextures>,
    ) -> Option<CoverTextures> {
        let relief = match self.relief {
            Some(relief) => images.add(relief),
            None => before?.relief.clone(),
        };
        let layers = images.add(self.layers);
        Some(CoverTextures { layers, relief })
    }
}

fn size(map: &ControlMap) -> UVec2 {
    UVec2::new(map.size().width() as u32, map.size().height() as u32)
}

/// An image whose first mip level has this size. `bytes` may include more levels.
fn image(size: UVec2, bytes: Vec<u8>, format: TextureFormat) -> Image {
    let mut image = Image::new_uninit(
        Extent3d {
            width: size.x,
            height: size.y,
            depth_or_array_layers: 1,
        },
        TextureDimension::D2,
        format,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.data = Some(bytes);
    image
}

/// The texels of all mip levels in order, and the number of levels. Each texel is the mean of four texels of the level
/// before.
fn with_levels(mut size: UVec2, texels: &[[u8; 4]]) -> (Vec<u8>, u32) {
    let levels = size.max_element().ilog2() + 1;
    let mut bytes = texels.as_flattened().to_vec();
    let mut level = texels.to_vec();
    for _ in 1..levels {
        let half = (size / 2).max(UVec2::ONE);
        level = halved(&level, size, half);
        size = half;
        bytes.extend_from_slice(level.as_flattened());
    }
    (bytes, levels)
}

fn halved(texels: &[[u8; 4]], size: UVec2, half: UVec2) -> Vec<[u8; 4]> {
    let last = size - 1;
    let texel = |x: u32, y: u32| texels[(y.min(last.y) * size.x + x.min(last.x)) as usize];
    let mut smaller = Vec::with_capacity((half.x * half.y) as usize);
    for y in 0..half.y {
        for x in 0..half.x {
            let four =
                [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| texel(2 * x + dx, 2 * y + dy));
            let mean = |part: usize| {
                let sum: u32 = four.iter().map(|texel| u32::from(texel[part])).sum();
                ((sum + 2) / 4) as u8
            };
            smaller.push([0, 1, 2, 3].map(mean));
        }
    }
    smaller
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mip_levels_are_means_down_to_one_texel() {
        let texels: Vec<[u8; 4]> = (0..12).map(|k| [k * 20, 100, 0, 255]).collect();
        let (bytes, levels) = with_levels(UVec2::new(4, 3), &texels);
        // 4 x 3, 2 x 1, 1 x 1.
        assert_eq!((levels, bytes.len()), (3, 4 * (12 + 2 + 1)));
        assert_eq!(bytes[48..52], [50, 100, 0, 255]);
        assert_eq!(bytes[56..60], [70, 100, 0, 255]);
    }
}
