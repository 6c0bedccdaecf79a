//! The texture of one layer, either procedural or built from images.

use bevy::{color::ColorToComponents, prelude::*};
use lanternfell_textures::{GroundKind, GroundTexture, synthesize};

/// The source of a texture.
pub(crate) enum Source {
    Procedural(GroundKind),
    Images(LoadedImages),
}

/// Loaded images.
pub(crate) struct LoadedImages {
    pub(crate) color: Box<Image>,
    /// Normal map, height map, roughness and occlusion.
    pub(crate) maps: [Option<Box<Image>>; 4],
    pub(crate) roughness: f32,
}

/// The seed of the procedural patterns.
const SEED: u64 = 1;

/// A texture with all its mip levels.
#[derive(PartialEq)]
pub(crate) struct MadeTexture {
    /// The average color in linear RGB.
    pub(crate) average: Vec3,
    /// Texels per side. 0 if the texture could not be made.
    pub(crate) size: u32,
    pub(crate) color: Vec<u8>,
    pub(crate) material: Vec<u8>,
    /// Whether at least one map could not be read and was left out.
    pub(crate) left_out: bool,
}

impl MadeTexture {
    /// Builds the texture. If it can not be built, or its color image can not be read, the result has size 0.
    pub(crate) fn of(source: &Source, size: u32) -> Self {
        let made = match source {
            Source::Procedural(kind) => {
                synthesize(*kind, size, SEED).ok().map(|made| (made, false))
            }
            Source::Images(images) => images.texture(size),
        };
        let Some((texture, left_out)) = made else {
            return Self {
                average: super::GRAY,
                size: 0,
                color: Vec::new(),
                material: Vec::new(),
                left_out: false,
            };
        };
        let levels = texture.mip_chain();
        Self {
            average: Vec3::from(texture.average_color()),
            size,
            color: levels.color_height,
            material: levels.normal_material,
            left_out,
        }
    }

    /// Whether there are four bytes for each texel of each mip level.
    #[cfg(any(test, all(target_arch = "wasm32", feature = "web-worker")))]
    pub(crate) fn is_whole(&self) -> bool {
        let mut texels = 0;
        let mut side = self.size as usize;
        while side > 0 {
            texels += side * side;
            side /= 2;
        }
        [&self.color, &self.material].map(Vec::len) == [4 * texels; 2]
    }
}

impl LoadedImages {
    /// Resamples the images to `size`. The flag is true if a map could not be read and was left out. Returns `None` if
    /// the color can not be read.
    fn texture(&self, size: u32) -> Option<(GroundTexture, bool)> {
        let colors = resized(&self.color, size, linear)?;
        // Maps hold plain numbers: the stored values are used, even if the image was loaded as sRGB.
        let maps = self
            .maps
            .each_ref()
            .map(|map| resized(map.as_deref()?, size, as_stored));
        let left_out = (0..4).any(|map| self.maps[map].is_some() && maps[map].is_none());
        let [normals, heights, roughness, occlusion] = &maps;
        let red = |map: &Option<Vec<Vec4>>, index: usize| Some(map.as_ref()?[index].x);
        let mut color_height = Vec::with_capacity(4 * colors.len());
        let mut normal_material = Vec::with_capacity(4 * colors.len());
        for (index, color) in colors.iter().enumerate() {
            let srgb = LinearRgba::from_vec4(*color);
            let [r, g, b, alpha] = Srgba::from(srgb).to_u8_array();
            color_height.extend([r, g, b, red(heights, index).map_or(alpha, byte)]);
            // Green points to the top of the image, but v grows toward the bottom.
            let [x, y] = normals.as_ref().map_or([128; 2], |normals| {
                [byte(normals[index].x), 255 - byte(normals[index].y)]
            });
            let rough = self.roughness * red(roughness, index).unwrap_or(1.0);
            let lit = red(occlusion, index).unwrap_or(1.0);
            normal_material.extend([x, y, byte(rough), byte(lit)]);
        }
        let texture = GroundTexture::from_pixels(size, color_height, normal_material).ok()?;
        Some((texture, left_out))
    }
}

fn linear(color: Color) -> Vec4 {
    color.to_linear().to_vec4()
}

fn as_stored(color: Color) -> Vec4 {
    match color {
        Color::Srgba(color) => color.to_vec4(),
        color => linear(color),
    }
}

fn byte(share: f32) -> u8 {
    (share.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

/// Resamples an image to `size` x `size` texels. Each texel is the mean of the area that it covers.
fn resized(image: &Image, size: u32, numbers: fn(Color) -> Vec4) -> Option<Vec<Vec4>> {
    /// Samples per texel along each axis.
    const SAMPLES: u32 = 4;
    let from = image.size();
    if from.min_element() == 0 {
        return None;
    }
    let mut texels = Vec::with_capacity((size * size) as usize);
    for y in 0..size {
        for x in 0..size {
            let mut sum = Vec4::ZERO;
            for sample in 0..SAMPLES * SAMPLES {
                let within = UVec2::new(sample % SAMPLES, sample / SAMPLES).as_vec2() + 0.5;
                let share = (UVec2::new(x, y).as_vec2() + within / SAMPLES as f32) / size as f32;
                let at = (share * from.as_vec2()).as_uvec2().min(from - 1);
                sum += numbers(image.get_color_at(at.x, at.y).ok()?);
            }
            texels.push(sum / (SAMPLES * SAMPLES) as f32);
        }
    }
    Some(texels)
}

#[cfg(test)]
mod tests {
    use bevy::{
        asset::RenderAssetUsages,
        render::render_resource::{Extent3d, TextureDimension, TextureFormat},
    };

    use super::*;

    /// Texels along a side.
    const SIDE: u32 = 32;

    fn image(width: u32, format: TextureFormat, bytes: &[u8]) -> Box<Image> {
        let size = Extent3d {
            width,
            height: (bytes.len() / 4) as u32 / width,
            depth_or_array_layers: 1,
        };
        let usages = RenderAssetUsages::default();
        let image = Image::new(size, TextureDimension::D2, bytes.to_vec(), format, usages);
        Box::new(image)
    }

    fn of(color: Box<Image>, normal: Option<Box<Image>>) -> MadeTexture {
        with(color, [normal, None, None, None])
    }

    fn with(color: Box<Image>, maps: [Option<Box<Image>>; 4]) -> MadeTexture {
        let source = Source::Images(LoadedImages {
            color,
            maps,
            roughness: 0.6,
        });
        MadeTexture::of(&source, SIDE)
    }

    /// 4 x 4 texels in a compressed format, whose pixels Bevy can not read.
    fn compressed() -> Box<Image> {
        let size = Extent3d {
            width: 4,
            height: 4,
            depth_or_array_layers: 1,
        };
        let (format, usages) = (TextureFormat::Bc1RgbaUnorm, RenderAssetUsages::default());
        Box::new(Image::new_uninit(
            size,
            TextureDimension::D2,
            format,
            usages,
        ))
    }

    #[test]
    fn reads_height_roughness_and_occlusion_maps_and_skips_unreadable_ones() {
        let color = || image(1, TextureFormat::Rgba8UnormSrgb, &[200, 40, 10, 77]);
        let map = |red: u8| Some(image(1, TextureFormat::Rgba8Unorm, &[red, 9, 9, 255]));
        let made = with(color(), [None, map(30), map(128), map(200)]);
        assert_eq!(made.color[..4], [200, 40, 10, 30]);
        assert_eq!(made.material[..4], [128, 128, 77, 200]);
        assert!(!made.left_out);
        let made = with(color(), [Some(compressed()), None, map(255), None]);
        assert_eq!(made.color[..4], [200, 40, 10, 77]);
        assert_eq!(made.material[..4], [128, 128, 153, 255]);
        assert!(made.left_out);
    }

    #[test]
    fn image_keeps_colors_heights_and_orientation() {
        let (west, east) = ([200, 40, 10, 255], [20, 90, 250, 0]);
        let color = image(2, TextureFormat::Rgba8UnormSrgb, &[west, east].concat());
        let made = of(color, None);
        assert_eq!((made.size, made.color.len()), (SIDE, 4 * 1365));
        for (index, texel) in made.color[..4 * 1024].chunks_exact(4).enumerate() {
            let expected = if index % 32 < 16 { west } else { east };
            assert_eq!(texel, expected, "{index}");
        }
        // The normals are flat, and the roughness is the configured one.
        assert_eq!(made.material[..4], [128, 128, 153, 255]);
        // The average is of linear light, not of sRGB bytes.
        let light = |[r, g, b, _]: [u8; 4]| Srgba::rgb_u8(r, g, b);
        let [west, east] = [west, east].map(|color| LinearRgba::from(light(color)).to_vec3());
        let average = (west + east) / 2.0;
        assert!(made.average.distance(average) < 0.01, "{}", made.average);
    }

    #[test]
    fn flips_green_of_normal_maps_in_linear_and_srgb() {
        let color = image(1, TextureFormat::Rgba8UnormSrgb, &[255; 4]);
        for format in [TextureFormat::Rgba8Unorm, TextureFormat::Rgba8UnormSrgb] {
            let normal = image(1, format, &[150, 100, 240, 255]);
            let made = of(color.clone(), Some(normal));
            assert_eq!(made.material[..2], [150, 155], "{format:?}");
        }
    }

    #[test]
    fn downsampling_averages_pixels() {
        let bytes: Vec<u8> = (0..64 * 64)
            .flat_map(|k| [(k % 2) as u8 * 255; 4])
            .collect();
        let made = of(image(64, TextureFormat::Rgba8Unorm, &bytes), None);
        assert!((made.average.x - 0.5).abs() < 0.01, "{}", made.average);
    }

    #[test]
    fn unreadable_image_gives_no_texture() {
        assert_eq!(of(compressed(), None).size, 0);
    }
}
