//! Chooses what surrounds the map: a sea, or a floor if most of its border is land.
//!
//! A terrain from the middle of a continent must not appear as an island in an ocean. It is shown
//! as a block that was cut out of its surroundings, on a low plinth on a plain floor:
//!
//! ```text
//!    island:      _/\__          inland:   /\_/\__/|
//!    ~~~~~~~~~~~~/     \~~~~~             |  cut   |
//!                                         |__side__|  plinth
//!                                    ----------------------- floor
//! ```

use glam::{DVec2, Vec3};

use crate::height_field::HeightField;

/// The share of land along the border from which on the terrain has no sea around it.
const INLAND: f64 = 0.75;

/// The height of the lowest terrain above the floor, in world units.
const PLINTH: f64 = 0.018;

/// The color of the floor: gray like the table under a model, unlike any color of the terrain.
pub(super) const FLOOR: Vec3 = Vec3::new(0.150, 0.150, 0.146);

/// How far from the block the floor is darkened by it, in world units, and by how much at most.
const DIM: (f64, f64) = (0.035, 0.5);

/// The world height of the floor below inland terrain. `None` if the terrain is in a sea at world
/// height `sea`.
pub(super) fn floor(ground: &HeightField, sea: f64) -> Option<f64> {
    let (mut land, mut all) = (0, 0);
    ground.border(|height| {
        land += usize::from(height > sea);
        all += 1;
    });
    let lowest = (ground.range.0 * ground.rise).min(sea);
    (land as f64 >= INLAND * all as f64).then_some(lowest - PLINTH)
}

/// The share of the sky that is visible from the floor at `at`, next to terrain of half extent
/// `half`.
pub(super) fn open(at: DVec2, half: DVec2) -> f32 {
    let away = (at.abs() - half).max(DVec2::ZERO).length();
    (1.0 - DIM.1 * libm::exp(-away / DIM.0)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::{Heightmap, MapSize};

    #[test]
    fn only_dry_borders_get_a_floor() {
        let size = MapSize::new(20, 20).unwrap();
        // A map whose westernmost `wet` columns are below a sea of 0.5.
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
    fn floor_is_darker_near_the_block() {
        let half = DVec2::new(0.5, 0.3);
        let [near, far] = [0.301, 2.0].map(|z| open(DVec2::new(0.0, z), half));
        assert!(near < 0.6 && far > 0.99, "{near} {far}");
    }
}
