//! Settings: which parts of the sky the plugin spawns, draws and sets.

use bevy::prelude::*;

/// Which parts of the sky the plugin spawns, draws and sets.
///
/// Turn parts off on slow machines, or to replace them with your own.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Resource, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct SkySettings {
    /// Whether to draw the dome with sun, moon, stars and clouds. Default: `true`.
    ///
    /// Without it, cameras show the clear color, a `Skybox` or Bevy's `Atmosphere`.
    pub dome: bool,
    /// Whether clouds cast shadows. Default: `true`.
    ///
    /// Cost: one full-map draw per shadow cascade.
    pub cloud_shadows: bool,
    /// Whether to draw rain around cameras. Default: `true`.
    pub rain: bool,
    /// The height (y) in meters below which no rain is drawn, such as the water level around the camera. Default:
    /// `f32::MIN`, no limit.
    pub rain_floor: f32,
    /// Whether the plugin spawns a [`CelestialLight`](crate::CelestialLight) when the app has none. Default: `true`.
    ///
    /// Setting it to `false` despawns the plugin's light, but never yours. After you despawn your light, the plugin
    /// spawns its own again. If you despawn the plugin's light, it does not come back.
    pub light: bool,
    /// Whether the plugin sets [`GlobalAmbientLight`]. Default: `true`.
    pub ambient: bool,
    /// The height (y) of the lowest ground, in meters. Default: 0.
    ///
    /// Fog is thickest at this height, and [`cloud_height`](Self::cloud_height) is measured from it.
    pub ground: f32,
    /// The height of the clouds above [`ground`](Self::ground) in meters, from 50 to 20,000. Default: 1500.
    pub cloud_height: f32,
}

impl Default for SkySettings {
    fn default() -> Self {
        Self {
            dome: true,
            cloud_shadows: true,
            rain: true,
            rain_floor: f32::MIN,
            light: true,
            ambient: true,
            ground: 0.0,
            cloud_height: 1500.0,
        }
    }
}

impl SkySettings {
    /// Returns the settings with each field in its valid range. Non-finite values become the default.
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
