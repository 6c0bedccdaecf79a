//! Conversion of colors to linear values, for the grid and for saved components, so that loaded light is bit-identical.

use bevy::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) fn serialize<S: Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    numbers(*color).serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
    <[f32; 4]>::deserialize(deserializer).map(color)
}

fn numbers(color: Color) -> [f32; 4] {
    linear(color).extend(color.alpha()).to_array()
}

fn color(numbers: [f32; 4]) -> Color {
    LinearRgba::from_f32_array(numbers).into()
}

/// The same for an optional color.
pub(crate) mod option {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(
        color: &Option<Color>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        color.map(numbers).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Color>, D::Error> {
        let numbers = <Option<[f32; 4]>>::deserialize(deserializer)?;
        Ok(numbers.map(color))
    }
}

/// The color in linear red, green and blue.
///
/// Colors given as sRGB or linear give the same bits on every machine. Bevy's own conversion does not guarantee this,
/// and game rules depend on light.
pub(crate) fn linear(color: Color) -> Vec3 {
    if let Color::LinearRgba(linear) = color {
        return linear.to_vec3();
    }
    color.to_srgba().to_vec3().map(|code| {
        // IEC 61966-2-1.
        if code <= 0.04045 {
            code.max(0.0) / 12.92
        } else {
            libm::powf((code + 0.055) / 1.055, 2.4)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_bevys_linear_colors() {
        for code in 0..=20 {
            let code = 0.05 * code as f32;
            let color = Color::srgb(code, 1.0 - code, 0.5 * code);
            let bevys = color.to_linear().to_vec3();
            assert!(linear(color).distance(bevys) < 1e-6, "{code}");
            assert_eq!(linear(color.to_linear().into()), bevys, "{code}");
        }
    }
}
