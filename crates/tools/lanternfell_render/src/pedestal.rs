//! What a map stands in: the sea, or, where nearly all of its border is land, nothing.
//!
//! A piece of land from the middle of a continent must not stand in an ocean. It is shown as
//! what it is, a block cut out of its world on a low plinth, on a plain floor:
//!
//! ```text
//!    island:      _/\__          inland:   /\_/\__/|
//!    ~~~~~~~~~~~~/     \~~~~~             |  cut   |
//!                                         |__side__|  plinth
//!                                    ----------------------- floor
//! ```

use glam::{DVec2, Vec3};

use crate::height_field::HeightField;

/// The share of the border that is land, from which on there is no sea around.
const INLAND: f64 = 0.75;

/// How far the lowest ground is above the floor, in world units.
const PLINTH: f64 = 0.018;

/// The floor: gray, as the table under a model, and no color of land.
pub(super) const FLOOR: Vec3 = Vec3::new(0.150, 0.150, 0.146);

/// How far from the block, in world units, the floor is darker for what stands beside it, and
/// how much at most.
const DIM: (f64, f64) = (0.035, 0.5);

/// The world height of the floor on which inland ground stands, or `None`: it stands in a sea
/// of that world height.
pub(super) fn floor(ground: &HeightField, sea: f64) -> Option<f64> {
    let (mut land, mut all) = (0, 0);
    ground.border(|height| {
        land += usize::from(height > sea);
        all += 1;
    });
    let lowest = (ground.range.0 * ground.rise).min(sea);
    (land as f64 >= INLAND * all as f64).then_some(lowest - PLINTH)
}

/// The share of the sky that the floor sees at `at`, beside ground with that half extent.
pub(super) fn open(at: DVec2, half: DVec2) -> f32 {
    let away = (at.abs() - half).max(DVec2::ZERO).length();
    (1.0 - DIM.1 * libm::exp(-away / DIM.0)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::{Heightmap, MapSize};

    #[test]
    fn only_land_with_a_dry_border_stands_on_a_floor() {
        let size = MapSize::new(20, 20).unwrap();
        // A border of which so many columns are under a sea of 0.5.
        let map = |wet: usize| {
            let heights = (0..400).map(|cell| if cell % 20 < wet { 0.1 } else { 0.9 });
            Heightmap::from_heights(size, heights.collect()).unwrap()
        };
        let floor = |wet| floor(&HeightField::new(&map(wet), 0.2), 0.1);
        assert!((floor(0).unwrap() - (0.1 - PLINTH)).abs() < 1e-9);
        assert_eq!(floor(1), None);
        assert_eq!(floor(20), None);
    }

    #[test]
    fn the_floor_is_darker_beside_the_block() {
        let half = DVec2::new(0.5, 0.3);
        let [near, far] = [0.301, 2.0].map(|z| open(DVec2::new(0.0, z), half));
        assert!(near < 0.6 && far > 0.99, "{near} {far}");
    }
}
