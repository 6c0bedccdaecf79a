//! Colors as they are saved: linear red, green, blue, and alpha, so that light is the same to the last bit.

use bevy::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::source::linear;

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

/// Where there may be none.
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
