//! The colors of the land, and where each of them lies.

use bevy::prelude::*;

/// Sand, grass, rock and snow, and where each of them lies. A change shows at once.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct TerrainColors {
    /// The beach and the sea floor.
    pub sand: Color,
    /// The darker tone of the grass.
    pub grass: Color,
    /// The lighter tone of the grass.
    pub meadow: Color,
    /// Steep ground.
    pub rock: Color,
    /// The highest ground.
    pub snow: Color,
    /// Metres above the sea up to which sand lies.
    pub sand_height: f32,
    /// The slope in degrees from which there is rock instead of grass.
    pub rock_slope: f32,
    /// The height from which there is snow, from 0 to 1 on the map; above 1 for none.
    pub snow_line: f32,
    /// Metres across the largest patches of the two tones of grass.
    pub patches: f32,
}

impl Default for TerrainColors {
    fn default() -> Self {
        Self {
            sand: Color::srgb(0.74, 0.66, 0.48),
            grass: Color::srgb(0.18, 0.30, 0.10),
            meadow: Color::srgb(0.38, 0.42, 0.18),
            rock: Color::srgb(0.38, 0.36, 0.33),
            snow: Color::srgb(0.93, 0.95, 0.98),
            sand_height: 1.6,
            rock_slope: 39.0,
            snow_line: 0.82,
            patches: 42.0,
        }
    }
}
