//! Light from an image on land and water.

use bevy::{math::Affine3A, prelude::*};

/// On a [`Terrain`](crate::Terrain)'s or an [`EndlessTerrain`](crate::EndlessTerrain)'s entity: its land and its water are lit by an
/// image, besides all lamps: light that was worked out by something else, as a grid of torchlight, or painted. It falls
/// from all sides: normals play no part. A change shows at once. One who is under water does not see it on the surface.
///
/// The image is read through the one texture of Bevy's standard material that land and water have no use for (that of what
/// glows), since WebGL2 has no seventeenth. Land in a [material of its own](crate::TerrainMaterial) does not show it; plants
/// of `lanternfell_vegetation` do. As with any texture of Bevy's materials nothing is drawn of them until the image is there:
/// load it before.
///
/// ```
/// use bevy::{math::Affine3A, prelude::*};
/// use lanternfell_terrain::{GroundLight, prelude::*};
///
/// /// A picture of 100 x 100 metres in the middle of the world.
/// fn light(image: Handle<Image>) -> GroundLight {
///     let uv_from_world = Affine3A::from_cols(
///         Vec3::new(0.01, 0.0, 0.0).into(),
///         Vec3::new(0.0, 0.0, 1.0).into(),
///         Vec3::new(0.0, 0.01, 0.0).into(),
///         Vec3::new(0.5, 0.5, 0.0).into(),
///     );
///     GroundLight { image, uv_from_world, ..default() }
/// }
/// # assert_eq!(light(default()).uv_from_world.transform_point3(Vec3::new(50.0, 9.0, -50.0)).xy(), Vec2::X);
/// ```
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct GroundLight {
    /// The light: linear `light / (1 + light)` in each color, so that half is full light and there is no end to
    /// brightness. It is read smoothly between its texels.
    pub image: Handle<Image>,
    /// From a place in the world to the image: x and y become u to the right and v down, both from 0 to 1; z plays no
    /// part. Beyond there is no light, and within four texels of the border, or a sixteenth of the side, it fades.
    pub uv_from_world: Affine3A,
    /// The illuminance of full light, in lux; 3000 by default, by which, at Bevy's usual exposure, land in full light looks
    /// as it is painted. What is below 0 or no number is 0.
    pub illuminance: f32,
}

impl Default for GroundLight {
    fn default() -> Self {
        Self {
            image: Handle::default(),
            uv_from_world: Affine3A::IDENTITY,
            illuminance: 3000.0,
        }
    }
}

impl GroundLight {
    /// What leads from a place in the world to u and to v, for shaders: to be multiplied with x, y, z and 1. With it
    /// `lanternfell_terrain::ground_light::light_at` reads the image.
    pub fn rows(&self) -> [Vec4; 2] {
        let columns = self.uv_from_world.to_cols_array_2d();
        [0, 1].map(|row| Vec4::from(columns.map(|column| column[row])))
    }

    /// How bright white ground is in full light, in candela per square metre.
    pub fn luminance(&self) -> f32 {
        // Written so that NaN is 0.
        self.illuminance.max(0.0) * std::f32::consts::FRAC_1_PI
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_lead_where_the_transform_does() {
        let turned = Affine3A::from_rotation_y(0.4) * Affine3A::from_scale(Vec3::splat(0.02));
        let light = GroundLight {
            uv_from_world: Affine3A::from_translation(Vec3::new(0.5, 0.25, 0.0)) * turned,
            ..default()
        };
        let place = Vec3::new(3.0, -7.0, 11.0);
        let expected = light.uv_from_world.transform_point3(place);
        let [u, v] = light.rows().map(|row| row.dot(place.extend(1.0)));
        assert!((u - expected.x).abs() < 1e-6 && (v - expected.y).abs() < 1e-6);
    }

    #[test]
    fn no_light_is_below_none() {
        for illuminance in [f32::NAN, -1.0, 0.0] {
            let light = GroundLight {
                illuminance,
                ..default()
            };
            assert_eq!(light.luminance(), 0.0);
        }
    }
}
