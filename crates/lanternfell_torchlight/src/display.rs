//! How the light of a map is rendered.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::color;

/// How the light of a map is rendered. Changes in `Update` are visible in the same frame.
///
/// In 2D, the light is one quad that multiplies everything below it: sprites, tile maps and meshes up to
/// [`z`](Self::z). Full light leaves colors as they are painted. On a camera with [`Hdr`](bevy::camera::Hdr), light
/// above 1 makes them brighter.
///
/// The quad is visible to the cameras that share a [`RenderLayers`](bevy::camera::visibility::RenderLayers) layer with
/// the map's entity. To render without light, for example in a minimap or in one half of a split screen, put the map on
/// a layer that the camera does not render:
///
/// ```
/// use bevy::{camera::visibility::RenderLayers, prelude::*};
/// use lanternfell_torchlight::prelude::*;
///
/// const LIGHT: usize = 1;
///
/// fn setup(mut commands: Commands) {
///     let grid = LightGrid::new(64, 64, LightSettings::default()).unwrap();
///     commands.spawn((TorchlightMap::new(grid), RenderLayers::layer(LIGHT)));
///     commands.spawn((Camera2d, RenderLayers::from_layers(&[0, LIGHT])));
///     // Renders the same scene without light.
///     let after = Camera { order: 1, ..default() };
///     commands.spawn((Camera2d, after));
/// }
/// # App::new().add_systems(Startup, setup);
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct LightDisplay {
    /// Whether the light is drawn. Default: `true`. Maps in the plane [`Xz`](crate::LightPlane::Xz) are never drawn,
    /// but have a [`LightTexture`](crate::LightTexture) too.
    pub shown: bool,
    /// How light is interpolated between cells.
    pub style: LightStyle,
    /// Gamma correction: light is raised to the power of 1/gamma. Values above 1 brighten dim areas. Clamped to 0.1 to
    /// 10. Default: 1.
    pub gamma: f32,
    /// Factor for the light. Clamped to 0 to 1000. Default: 1.
    pub exposure: f32,
    /// The minimum light on the screen, so that players can find their way in the dark. It does not affect rules.
    /// Default: black.
    #[serde(with = "color")]
    pub floor: Color,
    /// The light outside of the map, up to some thousand cells from its border. With `None`, the surroundings are drawn
    /// without light, as they are painted. Use it only if there is no other map next to this one. Default: `None`.
    #[serde(with = "color::option")]
    pub beyond: Option<Color>,
    /// The distance from the border, in cells, within which the light changes to that of [`beyond`](Self::beyond).
    /// Clamped to 0 to 1000. Default: 4.
    pub edge: f32,
    /// The height of the quad above the map, along its z axis. Default: 100.
    ///
    /// Everything above it is drawn without light and seems to glow. Use that for signs, eyes and names. If your sprites
    /// are at larger z, for example because the game sorts them by y, raise this value above theirs.
    pub z: f32,
    /// Shows the luminance in false colors, from black over blue, green, yellow and red to white (1 or more). Default:
    /// `false`.
    pub heat: bool,
}

/// How light is interpolated between the centers of cells.
#[derive(Reflect, Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[reflect(Debug, Default, Clone, PartialEq, Hash)]
pub enum LightStyle {
    /// A quadratic spline over the neighboring cells. Open cells and walls are interpolated separately, so that no
    /// light leaks through a wall. The default.
    #[default]
    Smooth,
    /// No interpolation: one color per cell.
    Cells,
    /// Smooth, but with this number of bands from black to full light, as in a comic. At least 1.
    Banded(u32),
}

impl Default for LightDisplay {
    fn default() -> Self {
        Self {
            shown: true,
            style: LightStyle::Smooth,
            gamma: 1.0,
            exposure: 1.0,
            floor: Color::BLACK,
            beyond: None,
            edge: 4.0,
            z: 100.0,
            heat: false,
        }
    }
}

impl LightDisplay {
    pub(crate) fn sane_gamma(&self) -> f32 {
        brought(self.gamma, 1.0, 0.1, 10.0)
    }

    pub(crate) fn sane_exposure(&self) -> f32 {
        brought(self.exposure, 1.0, 0.0, 1000.0)
    }

    pub(crate) fn sane_z(&self) -> f32 {
        brought(self.z, 100.0, -1e6, 1e6)
    }

    pub(crate) fn sane_edge(&self) -> f32 {
        brought(self.edge, 4.0, 0.0, 1000.0)
    }

    /// The floor in linear colors.
    pub(crate) fn sane_floor(&self) -> Vec3 {
        linear(self.floor)
    }

    /// The light outside of the map, in linear colors.
    pub(crate) fn sane_beyond(&self) -> Option<Vec3> {
        self.beyond.map(linear)
    }
}

fn linear(color: Color) -> Vec3 {
    let linear = color.to_linear().to_vec3();
    Vec3::from(linear.to_array().map(|value| brought(value, 0.0, 0.0, 1.0)))
}

/// Clamps the value to `least` to `most`. Replaces NaN by `usual`.
fn brought(value: f32, usual: f32, least: f32, most: f32) -> f32 {
    if value.is_nan() {
        return usual;
    }
    value.clamp(least, most)
}
