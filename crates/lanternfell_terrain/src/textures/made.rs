//! One layer's texture, made by code or of pictures.

use bevy::{color::ColorToComponents, prelude::*};
use lanternfell_textures::{GroundKind, GroundTexture, synthesize};

/// What a texture is made of.
pub(crate) enum Source {
    Made(GroundKind),
    Pictures {
        color: Box<Image>,
        normal: Option<Box<Image>>,
        roughness: f32,
    },
}

/// Other numbers, other grass.
const SEED: u64 = 1;

/// A texture with all its levels.
#[derive(PartialEq)]
pub(crate) struct MadeTexture {
    /// Linear.
    pub(crate) average: Vec3,
    /// 0 where there is none.
    pub(crate) size: u32,
    pub(crate) color: Vec<u8>,
    pub(crate) material: Vec<u8>,
}

impl MadeTexture {
    /// What can not be made or read has no size.
    pub(crate) fn of(source: &Source, size: u32) -> Self {
        let texture = match source {
            Source::Made(kind) => synthesize(*kind, size, SEED).ok(),
            Source::Pictures {
                color,
                normal,
                roughness,
            } => of_pictures(color, normal.as_deref(), *roughness, size),
        };
        let Some(texture) = texture else {
            return Self {
                average: super::GRAY,
                size: 0,
                color: Vec::new(),
                material: Vec::new(),
            };
        };
        let levels = texture.mip_chain();
        Self {
            average: Vec3::from(texture.average_color()),
            size,
            color: levels.color_height,
            material: levels.normal_material,
        }
    }

    /// Whether there are four bytes for each texel of each level.
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

/// Pictures brought to that size.
fn of_pictures(
    color: &Image,
    normal: Option<&Image>,
    roughness: f32,
    size: u32,
) -> Option<GroundTexture> {
    let colors = resized(color, size, linear)?;
    // A normal map's numbers are meant as they are, whatever it was loaded as.
    let normals = normal.map(|normal| resized(normal, size, as_stored));
    let mut color_height = Vec::with_capacity(4 * colors.len());
    let mut normal_material = Vec::with_capacity(4 * colors.len());
    let roughness = byte(roughness);
    for (index, color) in colors.iter().enumerate() {
        let srgb = LinearRgba::from_vec4(*color);
        let [r, g, b, height] = Srgba::from(srgb).to_u8_array();
        color_height.extend([r, g, b, height]);
        let [x, y] = match &normals {
            None => [128; 2],
            Some(normals) => {
                let normal = normals.as_ref()?[index];
                // Green points to the top of a picture, and v to its bottom.
                [byte(normal.x), 255 - byte(normal.y)]
            }
        };
        normal_material.extend([x, y, roughness, 255]);
    }
    GroundTexture::from_pixels(size, color_height, normal_material).ok()
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

/// Texels of a picture at another size: each the mean of what it covers.
fn resized(image: &Image, size: u32, numbers: fn(Color) -> Vec4) -> Option<Vec<Vec4>> {
    /// Looked at for each texel, along both axes.
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
        let source = Source::Pictures {
            color,
            normal,
            roughness: 0.6,
        };
        MadeTexture::of(&source, SIDE)
    }

    #[test]
    fn a_picture_keeps_its_colors_heights_and_sides() {
        let (west, east) = ([200, 40, 10, 255], [20, 90, 250, 0]);
        let color = image(2, TextureFormat::Rgba8UnormSrgb, &[west, east].concat());
        let made = of(color, None);
        assert_eq!((made.size, made.color.len()), (SIDE, 4 * 1365));
        for (index, texel) in made.color[..4 * 1024].chunks_exact(4).enumerate() {
            let expected = if index % 32 < 16 { west } else { east };
            assert_eq!(texel, expected, "{index}");
        }
        // Flat, and as rough as was said.
        assert_eq!(made.material[..4], [128, 128, 153, 255]);
        // Of light, not of bytes.
        let light = |[r, g, b, _]: [u8; 4]| Srgba::rgb_u8(r, g, b);
        let [west, east] = [west, east].map(|color| LinearRgba::from(light(color)).to_vec3());
        let average = (west + east) / 2.0;
        assert!(made.average.distance(average) < 0.01, "{}", made.average);
    }

    #[test]
    fn a_normal_maps_green_is_turned_whatever_it_was_loaded_as() {
        let color = image(1, TextureFormat::Rgba8UnormSrgb, &[255; 4]);
        for format in [TextureFormat::Rgba8Unorm, TextureFormat::Rgba8UnormSrgb] {
            let normal = image(1, format, &[150, 100, 240, 255]);
            let made = of(color.clone(), Some(normal));
            assert_eq!(made.material[..2], [150, 155], "{format:?}");
        }
    }

    #[test]
    fn many_pixels_become_their_mean() {
        let bytes: Vec<u8> = (0..64 * 64)
            .flat_map(|k| [(k % 2) as u8 * 255; 4])
            .collect();
        let made = of(image(64, TextureFormat::Rgba8Unorm, &bytes), None);
        assert!((made.average.x - 0.5).abs() < 0.01, "{}", made.average);
    }

    #[test]
    fn what_can_not_be_read_is_no_texture() {
        let compressed = Image::new_uninit(
            Extent3d {
                width: 4,
                height: 4,
                depth_or_array_layers: 1,
            },
            TextureDimension::D2,
            TextureFormat::Bc1RgbaUnorm,
            RenderAssetUsages::default(),
        );
        assert_eq!(of(Box::new(compressed), None).size, 0);
        let color = image(1, TextureFormat::Rgba8UnormSrgb, &[255; 4]);
        let empty = Box::new(Image::new_uninit(
            Extent3d {
                width: 1,
                height: 1,
                depth_or_array_layers: 1,
            },
            TextureDimension::D2,
            TextureFormat::Rgba8Unorm,
            RenderAssetUsages::default(),
        ));
        assert_eq!(of(color, Some(empty)).size, 0);
    }
}
