//! The input of a race.

use crate::{heights::Heights, map::Map};

/// The reach of a lamp in cells: the default of `LightSettings`.
pub const LAMP_RADIUS: u32 = 12;

/// A map of cells or of heights.
#[derive(Debug, Clone, Copy)]
pub enum Given<'a> {
    /// Floors, walls and doors.
    Cells(&'a Map),
    /// Heights.
    Heights(&'a Heights),
}

impl<'a> From<&'a Map> for Given<'a> {
    fn from(map: &'a Map) -> Self {
        Self::Cells(map)
    }
}

impl<'a> From<&'a Heights> for Given<'a> {
    fn from(ground: &'a Heights) -> Self {
        Self::Heights(ground)
    }
}

#[cfg(test)]
mod tests {
    use lanternfell_lightgrid::{Falloff, LightSettings};

    #[test]
    fn lamp_radius_is_default() {
        let falloff = LightSettings::default().falloff;
        assert_eq!(falloff, Falloff::Radius(super::LAMP_RADIUS as f32));
    }
}
