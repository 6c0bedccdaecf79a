//! The luminance from which something is dim, lit or blazing.

use bevy::prelude::*;
use lanternfell_lightgrid::LightBands;
use serde::{Deserialize, Serialize};

/// The thresholds between the bands of light on a map, for all [`LightLevel`](crate::LightLevel)s
/// in it.
#[derive(
    Component,
    Reflect,
    Debug,
    Default,
    Clone,
    Copy,
    PartialEq,
    Deref,
    DerefMut,
    Serialize,
    Deserialize,
)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct LightThresholds(pub LightBands);
