//! Distances at which the levels of detail change.
//!
//! ```text
//!   0 m           near            middle              gone
//!   |-- Near ------|-- Middle ------|-- Far -------------|
//!   |-- Near ------|-- Middle -------------|  plants without a far level
//! ```
//!
//! The distances grow roughly in proportion to the plant's height. At a border, the two levels fade into each other.

use lanternfell_plants::grow::FarLevel;

/// Largest drawing distance in meters, which the shader's encoding allows.
pub(crate) const FURTHEST: f32 = 4096.0;

/// Plants without a far level are drawn up to about this many times their height.
const SMALL: f32 = 55.0;

/// Plants with a far level are drawn up to this many times their height: about three pixels on a typical screen.
const LARGE: f32 = 300.0;

/// Whether the plant has a far level. Plants without one (grass and herbs) have their own plots.
pub(crate) fn is_seen_from_afar(far: FarLevel) -> bool {
    match far {
        FarLevel::Impostor | FarLevel::Mesh => true,
        FarLevel::None => false,
    }
}

/// Upper limit of the near level in meters, because near meshes have many triangles.
const MOST_NEAR: f32 = 100.0;

/// Upper limit of the middle level in meters.
const MOST_MIDDLE: f32 = 400.0;

/// Settings for all plants of a terrain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Limits {
    /// Factor for all distances.
    pub(crate) detail: f32,
    /// Largest drawing distance in meters.
    pub(crate) distance: f32,
}

impl Limits {
    /// Clamps the values. NaN becomes the default.
    pub(crate) fn new(detail: f32, distance: f32) -> Self {
        let number = |number: f32, usual: f32| if number.is_nan() { usual } else { number };
        Self {
            detail: number(detail, 1.0).clamp(0.1, 10.0),
            distance: number(distance, 2000.0).clamp(0.0, FURTHEST),
        }
    }

    /// Clamps the distance of custom entities. NaN becomes 0.
    pub(crate) fn own(distance: f32, limits: Self) -> f32 {
        let distance = if distance.is_nan() { 0.0 } else { distance };
        distance.clamp(0.0, limits.distance)
    }
}

/// The distances in meters at which the levels of a plant end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Borders {
    /// End of the near level.
    pub(crate) near: f32,
    /// End of the middle level.
    pub(crate) middle: f32,
    /// End of the last level.
    pub(crate) gone: f32,
}

impl Borders {
    /// The borders of a plant `height` meters tall. `lot` is a random number from 0 to 1 per plant. It gives each small
    /// plant its own end, so that grass thins out with distance without a visible edge.
    pub(crate) fn new(far: FarLevel, height: f32, limits: Limits, lot: f32) -> Self {
        let Limits { detail, distance } = limits;
        let near = (detail * (4.0 + 2.0 * height)).min(MOST_NEAR).min(distance);
        if is_seen_from_afar(far) {
            return Self {
                near,
                middle: (detail * (9.0 + 5.0 * height))
                    .min(MOST_MIDDLE)
                    .min(distance),
                gone: (detail.max(0.5) * LARGE * height * (0.7 + 0.3 * lot)).min(distance),
            };
        }
        let gone = (detail * (8.0 + SMALL * height))
            .min(MOST_MIDDLE)
            .min(distance);
        let gone = gone * (0.3 + 0.7 * lot);
        Self {
            near: near.min(gone),
            middle: gone,
            gone,
        }
    }

    /// How far around an eye each level must exist, for plants up to `height` meters tall.
    pub(crate) fn reach(far: FarLevel, height: f32, limits: Limits) -> [f32; 3] {
        let most = Self::new(far, height, limits, 1.0);
        // Include the band over which two levels fade.
        [most.near, most.middle, most.gone].map(|border| border * (1.0 + BAND))
    }
}

/// Half width of the fade between two levels, relative to the border's distance. Must match `plants.wgsl`.
pub(crate) const BAND: f32 = 0.08;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_end_in_order_and_within_reach() {
        for far in [FarLevel::Impostor, FarLevel::Mesh, FarLevel::None] {
            for height in [0.05, 0.4, 1.0, 12.0, 40.0, 9000.0] {
                for detail in [0.0, 0.25, 1.0, 3.0, f32::INFINITY, f32::NAN] {
                    for distance in [-1.0, 0.0, 30.0, 2000.0, f32::INFINITY, f32::NAN] {
                        let limits = Limits::new(detail, distance);
                        let reaches = Borders::reach(far, height, limits);
                        for lot in [0.0, 0.5, 1.0] {
                            let Borders { near, middle, gone } =
                                Borders::new(far, height, limits, lot);
                            assert!(near <= middle, "{far:?} {near} {middle}");
                            assert!((0.0..=limits.distance).contains(&gone));
                            assert!(near <= MOST_NEAR && middle <= MOST_MIDDLE);
                            let ends = [near, middle, gone];
                            assert!(ends.iter().zip(reaches).all(|(end, reach)| *end <= reach));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn far_grass_thins_out_and_trees_reach_the_limit() {
        let limits = Limits::new(1.0, 2000.0);
        let gone = |far, height, lot| Borders::new(far, height, limits, lot).gone;
        assert!(gone(FarLevel::None, 0.5, 0.0) < 0.5 * gone(FarLevel::None, 0.5, 1.0));
        assert!(gone(FarLevel::None, 0.5, 1.0) < 60.0);
        assert_eq!(gone(FarLevel::Impostor, 12.0, 0.0), 2000.0);
    }
}
