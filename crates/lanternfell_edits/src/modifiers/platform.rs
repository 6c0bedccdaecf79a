//! Level terrain below a building.

use super::{
    ModifierError, Placement,
    area::Bounds,
    check,
    earthwork::{Bank, Earthwork, NearBed, Pavement, Works},
};

/// A level rectangle.
#[derive(Debug, Clone, PartialEq)]
pub struct PlatformModifier {
    /// Its center, and the direction of the side `size[0]`.
    pub placement: Placement,
    /// The lengths of its sides in meters, each from 0 to 10,000.
    pub size: [f32; 2],
    /// The radius of its corners in meters, from 0 to 5000. Half of the shorter side makes a circle of a square.
    pub corner_radius: f32,
    /// Whether it lowers the terrain, raises it, both, or neither.
    pub earthwork: Earthwork,
    /// The slopes around it.
    pub bank: Bank,
    /// What covers it.
    pub pavement: Pavement,
}

impl PlatformModifier {
    /// Creates a square of 10 x 10 m with the default earthwork, bank and pavement.
    pub fn at(placement: Placement) -> Self {
        Self {
            placement,
            size: [10.0; 2],
            corner_radius: 0.0,
            earthwork: Earthwork::default(),
            bank: Bank::default(),
            pavement: Pavement::default(),
        }
    }

    pub(super) fn validate(&self) -> Result<(), ModifierError> {
        self.placement.validate()?;
        for side in self.size {
            check("size", side, 0.0, 10_000.0)?;
        }
        check("corner_radius", self.corner_radius, 0.0, 5000.0)?;
        self.works().validate()
    }

    pub(super) fn works(&self) -> Works {
        Works {
            earthwork: self.earthwork,
            bank: self.bank,
            pavement: self.pavement,
        }
    }

    pub(super) fn bounds(&self) -> Bounds {
        let half = self.size.map(|side| f64::from(side) / 2.0);
        self.placement.bounds(half).grown(self.works().reach())
    }

    /// The distance to a rounded rectangle.
    pub(super) fn near(&self, at: [f64; 2]) -> NearBed {
        let along = self.placement.local(at);
        let half = self.size.map(|side| f64::from(side) / 2.0);
        let radius = f64::from(self.corner_radius).min(half[0]).min(half[1]);
        let beyond = [0, 1].map(|axis| along[axis].abs() - (half[axis] - radius));
        let [x, z] = beyond.map(|distance| distance.max(0.0));
        let inside = beyond[0].max(beyond[1]).min(0.0);
        NearBed {
            distance: (x * x + z * z).sqrt() + inside - radius,
            mm: self.placement.mm(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_a_rotated_rounded_rectangle() {
        let mut platform = PlatformModifier {
            size: [8.0, 4.0],
            ..PlatformModifier::at(Placement {
                at: [10.0, 5.0, 20.0],
                // `size[0]` is along z.
                direction: [0.0, 1.0],
            })
        };
        let distance = |platform: &PlatformModifier, x, z| platform.near([x, z]).distance;
        assert_eq!(distance(&platform, 10.0, 20.0), -2.0);
        assert_eq!(distance(&platform, 10.0, 24.0), 0.0);
        assert_eq!(distance(&platform, 12.0 + 3.0, 24.0 + 4.0), 5.0);
        platform.corner_radius = 50.0;
        // A capsule of radius 2.
        assert_eq!(distance(&platform, 10.0, 24.0), 0.0);
        assert_eq!(distance(&platform, 13.0, 26.0), 5.0 - 2.0);
        assert_eq!(platform.near([0.0; 2]).mm, 5000.0);
    }
}
