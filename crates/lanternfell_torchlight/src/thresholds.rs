//! From which luminance on something is dim, lit, blazing.

use bevy::prelude::*;
use lanternfell_lightgrid::LightBands;
use serde::{Deserialize, Serialize};

/// Where one word for light ends and the next begins, on a map's entity: for all
/// [`LightLevel`](crate::LightLevel)s in it.
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
