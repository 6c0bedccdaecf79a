//! How the light of a map is shown.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::color;

/// How the light of a map is shown over it. On a map's entity; a change shows at once.
///
/// In 2D the light is drawn as one layer that multiplies what lies below it: sprites, tile
/// maps and meshes up to [`z`](Self::z). Full light leaves them as they are painted. On a
/// camera with [`Hdr`](bevy::camera::Hdr) light above 1 makes them brighter than that.
///
/// The layer is drawn by the cameras that see the map's entity: those of its
/// [`RenderLayers`](bevy::camera::visibility::RenderLayers), where it has any. So a camera is left out
/// (of a minimap, or of one half of a split screen) by a layer that it does not draw:
///
/// ```
/// use bevy::{camera::visibility::RenderLayers, prelude::*};
/// use lanternfell_torchlight::prelude::*;
///
/// const LIGHT: usize = 1;
///
/// fn setup(mut commands: Commands) {
///     let grid = LightGrid::new(64, 64, LightSettings::default()).unwrap();
///     commands.spawn((LightMap::new(grid), RenderLayers::layer(LIGHT)));
///     commands.spawn((Camera2d, RenderLayers::from_layers(&[0, LIGHT])));
///     // Sees the same without light.
///     let after = Camera { order: 1, ..default() };
///     commands.spawn((Camera2d, after));
/// }
/// # App::new().add_systems(Startup, setup);
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct LightDisplay {
    /// Whether the layer is drawn. Never for maps in the plane
    /// [`Xz`](crate::LightPlane::Xz); the [`LightTexture`](crate::LightTexture) is there
    /// all the same.
    pub shown: bool,
    /// Between cells: smooth, in steps, or not at all.
    pub style: LightStyle,
    /// The eye's curve: light is shown as its 1/gamma-th power. Above 1 lifts what is dim;
    /// 1 by default. Brought into 0.1 to 10.
    pub gamma: f32,
    /// The light is multiplied by this before it is shown; 1 by default. Brought into 0 to
    /// 1000.
    pub exposure: f32,
    /// The least light there is on screen, for players to find their way in the dark; rules
    /// do not see it. Black by default.
    #[serde(with = "color")]
    pub floor: Color,
    /// The light beyond the map's border, some thousand cells far. By default none is drawn there: what lies
    /// beyond is as it is painted. Only for a map that has no other one beside it.
    #[serde(with = "color::option")]
    pub beyond: Option<Color>,
    /// In how many cells from its border the map's light goes over into the one
    /// [`beyond`](Self::beyond); 4 by default. Brought into 0 to 1000.
    pub edge: f32,
    /// How high the layer lies over the map, along its z; 100 by default. What is to shine
    /// by itself (signs, eyes, names) goes above.
    pub z: f32,
    /// Shows the luminance in false colors: from black over blue, green, yellow and red
    /// to white for 1 and more.
    pub heat: bool,
}

/// What becomes of the light between the middles of cells.
#[derive(Reflect, Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[reflect(Debug, Default, Clone, PartialEq, Hash)]
pub enum LightStyle {
    /// A quadratic spline through all cells around; open cells and walls each among
    /// themselves, so that no light leaks through a wall. The default.
    #[default]
    Smooth,
    /// Each cell in its own light.
    Cells,
    /// Smooth, but in so many steps from black to full light, as in a comic; 1 at least.
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

    /// The floor, linear.
    pub(crate) fn sane_floor(&self) -> Vec3 {
        linear(self.floor)
    }

    /// The light beyond, linear.
    pub(crate) fn sane_beyond(&self) -> Option<Vec3> {
        self.beyond.map(linear)
    }
}

fn linear(color: Color) -> Vec3 {
    let linear = color.to_linear().to_vec3();
    Vec3::from(linear.to_array().map(|value| brought(value, 0.0, 0.0, 1.0)))
}

/// The value from `least` to `most`, and if it is no number, `usual`.
fn brought(value: f32, usual: f32, least: f32, most: f32) -> f32 {
    if value.is_nan() {
        return usual;
    }
    value.clamp(least, most)
}
