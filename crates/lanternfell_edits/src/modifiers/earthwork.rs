//! How the terrain next to the bed of a path or a platform meets it.
//!
//! The terrain at a distance `d` from the bed is clamped between two limits, which open with the slope of the bank:
//!
//! ```text
//!                     upper limit /
//!    terrain ────────┐           /
//!            cut     └──┐       /           Terrain above the upper limit is cut, terrain below the lower one is filled.
//!                       └──____/____ bed
//!                              \
//!                   lower limit \
//! ```
//!
//! A bank with a fixed slope on steep terrain would never end. So the limits get steeper with the distance, and open
//! completely at the reach of the bank: `slope * d / (1 - (d / reach)^2)`.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use serde::{Deserialize, Serialize};

use super::{ModifierError, check};
use crate::base::rounded;

/// Whether a path or a platform lowers the terrain, raises it, both, or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(Reflect),
    reflect(Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
pub enum Earthwork {
    /// Lowers and raises: a road.
    #[default]
    CutAndFill,
    /// Only lowers: a river bed.
    Cut,
    /// Only raises: a dam.
    Fill,
    /// Keeps the heights. Only the [`Pavement`] applies, for example for a footpath.
    None,
}

impl Earthwork {
    /// The height of a cell in millimeters.
    fn applied(self, ground: i32, bed_mm: f64, limit_mm: f64) -> i32 {
        let (low, high) = (rounded(bed_mm - limit_mm), rounded(bed_mm + limit_mm));
        match self {
            Self::CutAndFill => ground.clamp(low, high),
            Self::Cut => ground.min(high),
            Self::Fill => ground.max(low),
            Self::None => ground,
        }
    }
}

/// The slopes between the bed of a path or a platform and the terrain around it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(Reflect),
    reflect(Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
#[serde(default, deny_unknown_fields)]
pub struct Bank {
    /// Rise over run at the bed, from 0.01 to 100. Default: 0.5, which is 27 degrees.
    pub slope: f32,
    /// The distance from the bed in meters at which the bank ends, from 0 to 1000. Where the terrain is too high or low
    /// to meet the bank, the bank is steeper than `slope` toward its end. Default: 12 m.
    pub reach: f32,
}

impl Default for Bank {
    fn default() -> Self {
        Self {
            slope: 0.5,
            reach: 12.0,
        }
    }
}

impl Bank {
    pub(super) fn validate(self) -> Result<(), ModifierError> {
        check("slope of the bank", self.slope, 0.01, 100.0)?;
        check("reach of the bank", self.reach, 0.0, 1000.0)
    }

    /// How far the terrain may be above and below the bed.
    fn limit_mm(self, distance: f64) -> f64 {
        let share = distance / f64::from(self.reach);
        match distance {
            ..=0.0 => 0.0,
            _ if share < 1.0 => f64::from(self.slope) * distance * 1000.0 / (1.0 - share * share),
            _ => f64::INFINITY,
        }
    }
}

/// What covers the bed of a path or a platform.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(Reflect),
    reflect(Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
#[serde(default, deny_unknown_fields)]
pub struct Pavement {
    /// The ground layer that is painted on the bed, from 0 to 15. Default: none.
    pub layer: Option<u8>,
    /// Whether plants grow on the bed. Default: `false`.
    pub plants: bool,
    /// The distance from the bed in meters over which the painted layer fades out, and in which no plants grow, from 0
    /// to 100. Default: 0.5 m.
    pub margin: f32,
}

impl Default for Pavement {
    fn default() -> Self {
        Self {
            layer: None,
            plants: false,
            margin: 0.5,
        }
    }
}

impl Pavement {
    pub(super) fn validate(self) -> Result<(), ModifierError> {
        check("margin of the pavement", self.margin, 0.0, 100.0)?;
        check("layer of the pavement", self.layer.unwrap_or(0), 0, 15)
    }

    /// The layer, and how much of it covers a cell, from 0 to 65536.
    fn paint(self, distance: f64) -> Option<(u8, u32)> {
        let layer = self.layer?;
        let margin = f64::from(self.margin);
        let cover = match distance {
            ..=0.0 => 1.0,
            _ if distance < margin => 1.0 - distance / margin,
            _ => return None,
        };
        Some((layer, (cover * 65_536.0) as u32))
    }

    fn clears(self, distance: f64) -> bool {
        !self.plants && distance <= f64::from(self.margin)
    }
}

/// What a path and a platform have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Works {
    pub(super) earthwork: Earthwork,
    pub(super) bank: Bank,
    pub(super) pavement: Pavement,
}

/// A place near a bed.
pub(super) struct NearBed {
    /// The distance from the edge of the bed in meters. At most 0 on the bed.
    pub(super) distance: f64,
    /// The height of the bed.
    pub(super) mm: f64,
}

impl Works {
    pub(super) fn validate(self) -> Result<(), ModifierError> {
        self.bank.validate()?;
        self.pavement.validate()
    }

    /// The distance from a bed in meters beyond which nothing changes.
    pub(super) fn reach(self) -> f64 {
        let bank = match self.earthwork {
            Earthwork::None => 0.0,
            _ => self.bank.reach,
        };
        f64::from(bank.max(self.pavement.margin))
    }

    pub(super) fn height(self, near: &NearBed, ground: i32) -> i32 {
        let limit = self.bank.limit_mm(near.distance);
        self.earthwork.applied(ground, near.mm, limit)
    }

    pub(super) fn paint(self, near: &NearBed) -> Option<(u8, u32)> {
        self.pavement.paint(near.distance)
    }

    pub(super) fn clears(self, near: &NearBed) -> bool {
        self.pavement.clears(near.distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks_open_completely_at_their_reach() {
        let bank = Bank {
            slope: 0.5,
            reach: 10.0,
        };
        assert_eq!(bank.limit_mm(-1.0), 0.0);
        assert_eq!(bank.limit_mm(5.0), 2500.0 / 0.75);
        assert_eq!(bank.limit_mm(10.0), f64::INFINITY);
        let wall = Bank { reach: 0.0, ..bank };
        assert_eq!(
            (wall.limit_mm(0.0), wall.limit_mm(0.1)),
            (0.0, f64::INFINITY)
        );
    }

    #[test]
    fn cuts_lower_and_fills_raise() {
        let heights = |work: Earthwork| [500, 1000, 1600].map(|z| work.applied(z, 1000.0, 100.0));
        assert_eq!(heights(Earthwork::CutAndFill), [900, 1000, 1100]);
        assert_eq!(heights(Earthwork::Cut), [500, 1000, 1100]);
        assert_eq!(heights(Earthwork::Fill), [900, 1000, 1600]);
        assert_eq!(heights(Earthwork::None), [500, 1000, 1600]);
        let open = Earthwork::CutAndFill.applied(7, 0.0, f64::INFINITY);
        assert_eq!(open, 7);
    }

    #[test]
    fn paint_fades_out_over_the_margin() {
        let pavement = Pavement {
            layer: Some(3),
            margin: 2.0,
            ..Pavement::default()
        };
        assert_eq!(pavement.paint(-4.0), Some((3, 65_536)));
        assert_eq!(pavement.paint(1.0), Some((3, 32_768)));
        assert_eq!(pavement.paint(2.0), None);
        assert!(pavement.clears(2.0) && !pavement.clears(2.1));
    }
}
