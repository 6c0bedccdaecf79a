//! From how far away which level of detail is drawn.
//!
//! ```text
//!   0 m           near            middle              gone
//!   |-- Near ------|-- Middle ------|-- Far -------------|
//!   |-- Near ------|-- Middle -------------|  what is too small for a picture of itself
//! ```
//!
//! A plant that is twice as high keeps its levels about twice as far; the two that meet at a border fade into each other.

use lanternfell_plants::grow::FarLevel;

/// Up to how many metres from an eye something is drawn, at most: as the shader's numbers reach.
pub(crate) const FURTHEST: f32 = 4096.0;

/// What is not so large as to be seen from afar is drawn up to so many times its height.
const SMALL: f32 = 55.0;

/// What has a far level is drawn up to so many times its height: to about three pixels of a usual screen.
const LARGE: f32 = 300.0;

/// Whether it is large enough to be drawn beyond its middle level. What is not, grass and herbs, has plots of its own.
pub(crate) fn is_seen_from_afar(far: FarLevel) -> bool {
    match far {
        FarLevel::Impostor | FarLevel::Mesh => true,
        FarLevel::None => false,
    }
}

/// However high a plant is, its near level ends here: there are many of its triangles.
const MOST_NEAR: f32 = 100.0;

/// And its middle level here.
const MOST_MIDDLE: f32 = 400.0;

/// What is set for all plants of a terrain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Limits {
    /// Times the usual distances.
    pub(crate) detail: f32,
    /// Beyond it nothing is drawn, in metres.
    pub(crate) distance: f32,
}

impl Limits {
    /// Of what somebody has set, which may be anything.
    pub(crate) fn new(detail: f32, distance: f32) -> Self {
        let number = |number: f32, usual: f32| if number.is_nan() { usual } else { number };
        Self {
            detail: number(detail, 1.0).clamp(0.1, 10.0),
            distance: number(distance, 2000.0).clamp(0.0, FURTHEST),
        }
    }

    /// How far something is there that is to be so far.
    pub(crate) fn own(distance: f32, limits: Self) -> f32 {
        let distance = if distance.is_nan() { 0.0 } else { distance };
        distance.clamp(0.0, limits.distance)
    }
}

/// The distances at which the levels of one plant end, in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Borders {
    /// Of the near level.
    pub(crate) near: f32,
    /// Of the middle one.
    pub(crate) middle: f32,
    /// Of all.
    pub(crate) gone: f32,
}

impl Borders {
    /// Of a plant that is `height` metres high; `lot`, from 0 to 1, thins small ones out the further they are, each at its
    /// own distance, so that grass has no end that one sees.
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

    /// How far around an eye each level of plants must be there that are so high at most.
    pub(crate) fn reach(far: FarLevel, height: f32, limits: Limits) -> [f32; 3] {
        let most = Self::new(far, height, limits, 1.0);
        // The band over which one level fades into the next is a part of the border.
        [most.near, most.middle, most.gone].map(|border| border * (1.0 + BAND))
    }
}

/// Over how much of a border's distance two levels fade into each other, to both sides; as in `plants.wgsl`.
pub(crate) const BAND: f32 = 0.08;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_end_one_after_the_other_and_no_plant_before_its_reach() {
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
    fn far_grass_thins_out_and_trees_are_seen_to_the_horizon() {
        let limits = Limits::new(1.0, 2000.0);
        let gone = |far, height, lot| Borders::new(far, height, limits, lot).gone;
        assert!(gone(FarLevel::None, 0.5, 0.0) < 0.5 * gone(FarLevel::None, 0.5, 1.0));
        assert!(gone(FarLevel::None, 0.5, 1.0) < 60.0);
        assert_eq!(gone(FarLevel::Impostor, 12.0, 0.0), 2000.0);
    }
}
