//! Light as a word: what rules and players call it.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use serde::{Deserialize, Serialize};

use crate::error::{LightError, check_range};

/// How lit something is, in a word. Ordered from dark to bright.
#[derive(
    Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, Deserialize, Hash, PartialEq, Serialize)
)]
pub enum LightBand {
    /// As good as dark.
    #[default]
    Hidden,
    /// An outline.
    Dim,
    /// Plain to see.
    Lit,
    /// From afar.
    Blazing,
}

impl LightBand {
    /// All, from dark to bright.
    pub const ALL: [Self; 4] = [Self::Hidden, Self::Dim, Self::Lit, Self::Blazing];
}

/// Where one band ends and the next begins.
///
/// With hysteresis: something in the twilight between two bands stays in the one in which
/// it was, so that a flickering torch does not make rules flicker.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
#[serde(default, deny_unknown_fields)]
pub struct LightBands {
    /// The luminance from which something is dim, lit, and blazing; rising.
    pub from: [f32; 3],
    /// By which part of a threshold the luminance must pass it before the band changes,
    /// from 0 to below 1.
    pub hysteresis: f32,
}

impl Default for LightBands {
    fn default() -> Self {
        Self {
            from: [1.0 / 32.0, 1.0 / 6.0, 0.6],
            hysteresis: 0.1,
        }
    }
}

impl LightBands {
    /// The band of something of this luminance that was in the band `before`; of something
    /// new without.
    pub fn band(&self, luminance: f32, before: Option<LightBand>) -> LightBand {
        let mut band = LightBand::Hidden;
        for (threshold, above) in
            self.from
                .into_iter()
                .zip([LightBand::Dim, LightBand::Lit, LightBand::Blazing])
        {
            let margin = match before {
                None => 1.0,
                Some(before) if before >= above => 1.0 - self.hysteresis,
                Some(_) => 1.0 + self.hysteresis,
            };
            if luminance >= threshold * margin {
                band = above;
            }
        }
        band
    }

    /// An error unless the thresholds rise from 0 and the hysteresis is from 0 to below 1.
    pub fn validate(&self) -> Result<(), LightError> {
        let mut least = 0.0;
        for threshold in self.from {
            check_range("bands.from", threshold, least, f32::MAX)?;
            least = threshold;
        }
        check_range("bands.hysteresis", self.hysteresis, 0.0, 0.99)
    }
}
