//! Normals from the outline of a sprite, as if it were inflated.

use bevy::{
    asset::RenderAssetUsages,
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};

/// Why [`rounded_normals`] cannot compute normals for an image.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RoundedError {
    /// The pixels cannot be read, for example because the image is compressed.
    #[error("cannot read the outline of this image")]
    Unreadable(#[from] bevy::image::TextureAccessError),
    /// The image has more than 4096 pixels per side.
    #[error("an image of {0} pixels is too large: `rounded_normals` allows 4096 per side")]
    TooLarge(UVec2),
}

/// The maximum side of an image, in pixels.
const MAX_SIDE: u32 = 4096;

/// Computes normals for a sprite from its outline, for a [`NormalMap`](crate::NormalMap). The result looks like a
/// rounded pebble.
///
/// The outline is where alpha reaches 0.5. The surface rises over `radius` pixels from the edge (clamped to 1 to 1024),
/// and is flat further inside. The border of the image is not an edge. You can use a whole sprite sheet if its figures
/// do not touch.
///
/// # Errors
///
/// The pixels cannot be read, or the image has more than 4096 pixels per side.
pub fn rounded_normals(sprite: &Image, radius: f32) -> Result<Image, RoundedError> {
    let size = sprite.size();
    if size.max_element() > MAX_SIDE {
        return Err(RoundedError::TooLarge(size));
    }
    let radius = if radius.is_nan() {
        1.0
    } else {
        radius.clamp(1.0, 1024.0)
    };
    let mut inside = Vec::with_capacity(size.element_product() as usize);
    for y in 0..size.y {
        for x in 0..size.x {
            inside.push(sprite.get_color_at(x, y)?.alpha() >= 0.5);
        }
    }
    let heights = heights(&inside, size, radius);
    let height = |at: IVec2| {
        let at = at.clamp(IVec2::ZERO, size.as_ivec2() - 1).as_usizevec2();
        heights[at.y * size.x as usize + at.x]
    };
    let mut texels = Vec::with_capacity(inside.len() * 4);
    for y in 0..size.y as i32 {
        for x in 0..size.x as i32 {
            let at = IVec2::new(x, y);
            let right = 0.5 * (height(at + IVec2::X) - height(at - IVec2::X));
            let down = 0.5 * (height(at + IVec2::Y) - height(at - IVec2::Y));
            let normal = Vec3::new(-right, down, 1.0).normalize();
            let codes = (normal * 0.5 + 0.5) * 255.0;
            texels.extend(codes.to_array().map(|code| code.round() as u8));
            texels.push(u8::MAX);
        }
    }
    let extent = Extent3d {
        width: size.x,
        height: size.y,
        depth_or_array_layers: 1,
    };
    let mut image = Image::new(
        extent,
        TextureDimension::D2,
        texels,
        TextureFormat::Rgba8Unorm,
        RenderAssetUsages::default(),
    );
    image.sampler = sprite.sampler.clone();
    Ok(image)
}

/// The height of each pixel: a quarter of a circle from the edge.
fn heights(inside: &[bool], size: UVec2, radius: f32) -> Vec<f32> {
    let height = |distance: f32| {
        let flat = (1.0 - distance / radius).max(0.0);
        radius * (1.0 - flat * flat).sqrt()
    };
    let squared = squared_distances(inside, size, radius.ceil());
    let mut distances: Vec<f32> = squared.into_iter().map(f32::sqrt).collect();
    for _ in 0..(radius / 4.0).min(MOST_SMOOTHED) as u32 {
        smooth(&mut distances, size);
    }
    distances.into_iter().map(height).collect()
}

/// More passes of smoothing change little.
const MOST_SMOOTHED: f32 = 8.0;

/// Replaces each pixel by the weighted mean of its neighborhood, with weights 1, 2, 1 along both axes. Without it, the
/// corners of the pixel outline cause visible facets.
fn smooth(distances: &mut [f32], size: UVec2) {
    let (width, height) = (size.x as usize, size.y as usize);
    let before = distances.to_vec();
    for (n, distance) in distances.iter_mut().enumerate() {
        let (x, y) = (n % width, n / width);
        let along = |row: usize| {
            let at = |x: usize| before[row * width + x];
            at(x.saturating_sub(1)) + 2.0 * at(x) + at((x + 1).min(width - 1))
        };
        let sum = along(y.saturating_sub(1)) + 2.0 * along(y) + along((y + 1).min(height - 1));
        *distance = sum / 16.0;
    }
}

/// The squared distance of each pixel to the nearest pixel that is not inside, at most `most` squared.
///
/// First computes the distance within each column, and then the minimum along each row. Source: P. Felzenszwalb and D.
/// Huttenlocher, "Distance Transforms of Sampled Functions", 2012. Instead of their lower envelope, it searches the row
/// until the distance along the row alone is larger than the minimum so far.
fn squared_distances(inside: &[bool], size: UVec2, most: f32) -> Vec<f32> {
    let (width, height) = (size.x as usize, size.y as usize);
    let mut in_column = vec![most; inside.len()];
    for x in 0..width {
        let mut sweep = |rows: &mut dyn Iterator<Item = usize>| {
            let mut away = most;
            for y in rows {
                let place = y * width + x;
                away = if inside[place] {
                    (away + 1.0).min(most)
                } else {
                    0.0
                };
                in_column[place] = in_column[place].min(away);
            }
        };
        sweep(&mut (0..height));
        sweep(&mut (0..height).rev());
    }
    let mut distances = Vec::with_capacity(inside.len());
    for row in in_column.chunks(width.max(1)) {
        for (x, own) in row.iter().enumerate() {
            let mut least = own * own;
            for step in 1..width {
                let along = (step * step) as f32;
                if along >= least {
                    break;
                }
                let sides = [x.checked_sub(step), Some(x + step)];
                for other in sides.into_iter().flatten().filter_map(|x| row.get(x)) {
                    least = least.min(other * other + along);
                }
            }
            distances.push(least);
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disc(side: u32, radius: f32) -> Image {
        let middle = 0.5 * (side as f32 - 1.0);
        let alpha = |n: u32| {
            let at = UVec2::new(n % side, n / side).as_vec2() - middle;
            if at.length() <= radius { 255 } else { 0 }
        };
        Image::new(
            Extent3d {
                width: side,
                height: side,
                depth_or_array_layers: 1,
            },
            TextureDimension::D2,
            (0..side * side)
                .flat_map(|n| [200, 100, 50, alpha(n)])
                .collect(),
            TextureFormat::Rgba8UnormSrgb,
            RenderAssetUsages::default(),
        )
    }

    fn normal(image: &Image, x: u32, y: u32) -> Vec3 {
        image.get_color_at(x, y).unwrap().to_linear().to_vec3() * 2.0 - 1.0
    }

    #[test]
    fn disc_becomes_a_ball() {
        let normals = rounded_normals(&disc(65, 30.0), 30.0).unwrap();
        let off = |x: u32, y: u32| {
            let away = (Vec2::new(x as f32, y as f32) - 32.0) * Vec2::new(1.0, -1.0);
            let ball = away.extend((31.0 * 31.0 - away.length_squared()).sqrt()) / 31.0;
            normal(&normals, x, y).distance(ball)
        };
        for (x, y) in [(20, 32), (44, 32), (32, 20), (32, 44), (22, 40), (45, 25)] {
            assert!(off(x, y) < 0.06, "{} at {x}, {y}", off(x, y));
        }
        // And it has no facets.
        for n in 0..65 * 65 {
            let (x, y) = (n % 65, n / 65);
            let away = Vec2::new(x as f32, y as f32).distance(Vec2::splat(32.0));
            assert!(away > 27.0 || off(x, y) < 0.09, "{} at {x}, {y}", off(x, y));
        }
        assert!(normal(&normals, 32, 32).z > 0.99);
        assert!(normal(&normals, 0, 0).z > 0.99, "outside of the disc");
    }

    #[test]
    fn distances_match_brute_force() {
        let size = UVec2::new(17, 11);
        let inside: Vec<bool> = (0..187_u32)
            .map(|n| n.wrapping_mul(2_654_435_761) >> 29 != 0)
            .collect();
        let at = |n: usize| Vec2::new((n % 17) as f32, (n / 17) as f32);
        let outside = || (0..187).filter(|&n| !inside[n]);
        for (n, squared) in squared_distances(&inside, size, 4.0)
            .into_iter()
            .enumerate()
        {
            let nearest = outside().map(|other| at(n).distance_squared(at(other)));
            assert_eq!(squared, nearest.fold(16.0, f32::min), "{n}");
        }
    }

    #[test]
    fn rejects_compressed_images() {
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
        let error = rounded_normals(&compressed, 3.0).unwrap_err().to_string();
        assert!(error.starts_with("cannot read the outline"), "{error}");
        // An image without an outline gives flat normals, quickly.
        let opaque = rounded_normals(&disc(2048, 9999.0), 20.0).unwrap();
        assert!(normal(&opaque, 0, 1000).z > 0.99);
        for radius in [f32::NAN, -1.0, 1e9] {
            let flat = rounded_normals(&disc(3, 99.0), radius).unwrap();
            assert!(normal(&flat, 1, 1).z > 0.99);
        }
    }
}
