//! Light on terrain and water from a texture.

use bevy::{math::Affine3A, prelude::*};

/// Adds light from a texture to a terrain and its water, in addition to all lamps.
///
/// Insert it on the entity of a [`Terrain`](crate::Terrain) or an [`EndlessTerrain`](crate::EndlessTerrain). Use it for
/// light that another system computes, such as torchlight on a grid, or for painted light. The light comes from all
/// directions, so normals have no effect. Changes show immediately.
///
/// ```
/// use bevy::{math::Affine3A, prelude::*};
/// use lanternfell_terrain::{TerrainLight, prelude::*};
///
/// /// Maps the image to 100 x 100 meters around the origin of the world.
/// fn light(image: Handle<Image>) -> TerrainLight {
///     let uv_from_world = Affine3A::from_cols(
///         Vec3::new(0.01, 0.0, 0.0).into(),
///         Vec3::new(0.0, 0.0, 1.0).into(),
///         Vec3::new(0.0, 0.01, 0.0).into(),
///         Vec3::new(0.5, 0.5, 0.0).into(),
///     );
///     TerrainLight { image, uv_from_world, ..default() }
/// }
/// # assert_eq!(light(default()).uv_from_world.transform_point3(Vec3::new(50.0, 9.0, -50.0)).xy(), Vec2::X);
/// ```
///
/// # Limits
/// - A terrain with its own [`TerrainMaterial`](crate::TerrainMaterial) ignores it. Plants of `lanternfell_vegetation`
///   use it.
/// - As for all textures of Bevy materials, terrain and water are not rendered until the image is loaded. Load it
///   beforehand.
/// - A camera under water does not see the light on the water surface.
/// - The image is bound as the emissive texture of Bevy's standard material, which terrain and water do not use
///   otherwise, because WebGL2 allows no seventeenth texture.
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct TerrainLight {
    /// The light, encoded as linear `light / (1 + light)` in each channel. 0.5 is full light, and 1 is 100 times as
    /// bright. It is filtered with a quadratic B-spline, which needs a linear sampler (the default).
    pub image: Handle<Image>,
    /// Transforms a world position to texture coordinates: x becomes u (to the right) and y becomes v (down), both from
    /// 0 to 1. z is ignored.
    ///
    /// There is no light outside of the image. It fades within four texels of the border, or within a sixteenth of the
    /// side if that is less.
    pub uv_from_world: Affine3A,
    /// The illuminance of full light in lux. Default: 3000, at which terrain in full light has the colors of its
    /// textures at Bevy's default exposure. Negative values and NaN count as 0.
    pub illuminance: f32,
}

impl Default for TerrainLight {
    fn default() -> Self {
        Self {
            image: Handle::default(),
            uv_from_world: Affine3A::IDENTITY,
            illuminance: 3000.0,
        }
    }
}

impl TerrainLight {
    /// The two rows of [`uv_from_world`](Self::uv_from_world), for shaders: the dot product of each with `(x, y, z, 1)`
    /// gives u and v.
    ///
    /// The shader function `lanternfell_terrain::ground_light::light_at` samples the image with them.
    pub fn rows(&self) -> [Vec4; 2] {
        let columns = self.uv_from_world.to_cols_array_2d();
        [0, 1].map(|row| Vec4::from(columns.map(|column| column[row])))
    }

    /// The luminance of a white surface in full light, in candela per square meter.
    pub fn luminance(&self) -> f32 {
        // `max` returns 0 for NaN.
        self.illuminance.max(0.0) * std::f32::consts::FRAC_1_PI
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_match_the_transform() {
        let turned = Affine3A::from_rotation_y(0.4) * Affine3A::from_scale(Vec3::splat(0.02));
        let light = TerrainLight {
            uv_from_world: Affine3A::from_translation(Vec3::new(0.5, 0.25, 0.0)) * turned,
            ..default()
        };
        let place = Vec3::new(3.0, -7.0, 11.0);
        let expected = light.uv_from_world.transform_point3(place);
        let [u, v] = light.rows().map(|row| row.dot(place.extend(1.0)));
        assert!((u - expected.x).abs() < 1e-6 && (v - expected.y).abs() < 1e-6);
    }

    #[test]
    fn invalid_illuminance_counts_as_zero() {
        for illuminance in [f32::NAN, -1.0, 0.0] {
            let light = TerrainLight {
                illuminance,
                ..default()
            };
            assert_eq!(light.luminance(), 0.0);
        }
    }
}
