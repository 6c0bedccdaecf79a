//! Named levels of brightness, for game rules and UI.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use serde::{Deserialize, Serialize};

use crate::error::{LightError, check_range};

/// How well something is lit, as a named level. Ordered from dark to bright.
#[derive(
    Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, Deserialize, Hash, PartialEq, Serialize)
)]
pub enum LightBand {
    /// Practically dark.
    #[default]
    Hidden,
    /// Only the outline is visible.
    Dim,
    /// Plainly visible.
    Lit,
    /// Visible from far away.
    Blazing,
}

impl LightBand {
    /// All bands, from dark to bright.
    pub const ALL: [Self; 4] = [Self::Hidden, Self::Dim, Self::Lit, Self::Blazing];
}

/// The thresholds between [`LightBand`]s.
///
/// Hysteresis keeps something near a threshold in its previous band, so that a flickering torch
/// does not make rules flicker.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
#[serde(default, deny_unknown_fields)]
pub struct LightBands {
    /// The luminance at which [`Dim`](LightBand::Dim), [`Lit`](LightBand::Lit) and
    /// [`Blazing`](LightBand::Blazing) begin, in ascending order. Default: 1/32, 1/6 and 0.6.
    pub from: [f32; 3],
    /// The fraction of a threshold by which the luminance must exceed it, or fall below it, before
    /// the band changes. From 0 to 0.99. Default: 0.1.
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
    /// The band of this luminance. `before` is the previous band for hysteresis, or `None` to use
    /// the plain thresholds.
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

    /// Checks that the thresholds are in ascending order from 0, and the hysteresis is from 0 to
    /// 0.99.
    ///
    /// # Errors
    ///
    /// [`LightError::Range`] with the first value that is not.
    pub fn validate(&self) -> Result<(), LightError> {
        let mut least = 0.0;
        for threshold in self.from {
            check_range("bands.from", threshold, least, f32::MAX)?;
            least = threshold;
        }
        check_range("bands.hysteresis", self.hysteresis, 0.0, 0.99)
    }
}
