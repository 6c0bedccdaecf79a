//! What of the sky is drawn.

use bevy::prelude::*;

/// What the plugin draws and sets: for weak machines, and for apps with a sky of their own.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Resource, Debug, Default, Clone, PartialEq)]
pub struct SkySettings {
    /// The dome with sun, moon, stars and clouds; yes by default. Without it cameras show what is behind: the clear color, a
    /// `Skybox` or Bevy's `Atmosphere`.
    pub dome: bool,
    /// Shadows of clouds on all that gets the sun's; yes by default. They cost each shadow map one full picture.
    pub cloud_shadows: bool,
    /// Streaks of rain around cameras; yes by default.
    pub rain: bool,
    /// y at which drops end: the surface of the water around the camera; as low as can be by default.
    pub rain_floor: f32,
    /// Whether [`GlobalAmbientLight`] is set by the sky; yes by default.
    pub ambient: bool,
    /// y of low ground, in metres; 0 by default. Fog is thickest there, and clouds are above it.
    pub ground: f32,
    /// Metres from there to the clouds; 1500 by default.
    pub cloud_height: f32,
}

impl Default for SkySettings {
    fn default() -> Self {
        Self {
            dome: true,
            cloud_shadows: true,
            rain: true,
            rain_floor: f32::MIN,
            ambient: true,
            ground: 0.0,
            cloud_height: 1500.0,
        }
    }
}

impl SkySettings {
    /// The same with all fields as they can be.
    pub(crate) fn checked(self) -> Self {
        let usual = Self::default();
        let finite = |value: f32, usual: f32| if value.is_finite() { value } else { usual };
        Self {
            ground: finite(self.ground, usual.ground),
            rain_floor: finite(self.rain_floor, usual.rain_floor),
            cloud_height: finite(self.cloud_height, usual.cloud_height).clamp(50.0, 20_000.0),
            ..self
        }
    }
}
