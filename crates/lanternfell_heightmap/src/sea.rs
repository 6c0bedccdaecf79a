//! The one rule for what is land and what is sea.

/// Whether a cell of this height is land: strictly above the sea level. A cell at or below the sea level is sea.
///
/// Everything that separates land from sea uses this rule: regions, coasts, rain, biomes, drainage, renderers and the
/// command line. A sea level below all heights means that there is no sea.
///
/// The rule fits elevation models, which store the sea as 0 m. It also fits Leib's islands, where land is `255 z > 127`.
///
/// ```
/// use lanternfell_heightmap::is_land;
///
/// assert!(is_land(0.1, 0.0));
/// assert!(!is_land(0.0, 0.0) && !is_land(-0.1, 0.0));
/// ```
#[inline(always)]
pub fn is_land(height: f32, sea_level: f32) -> bool {
    height > sea_level
}

/// The sea level of a map whose range was stretched to 0 to 1, as by [`Heightmap::normalize`](crate::Heightmap). It
/// divides the cells into land and sea as before, except that cells which are above the sea by less than the precision
/// of `f32` may become sea. It is at most 1, and below 0 if there was no sea.
pub fn stretched_sea_level(sea_level: f32, (low, high): (f32, f32)) -> f32 {
    /// Below it, an `f32` has fewer digits than a sea level needs.
    const LOWEST: f64 = -1e6;
    let span = f64::from(high) - f64::from(low);
    if span > 0.0 {
        // The same operations as for the heights, so that equal numbers stay equal.
        let share = (f64::from(sea_level) - f64::from(low)) * (1.0 / span);
        return share.clamp(LOWEST, 1.0) as f32;
    }
    if is_land(low, sea_level) { -1.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Heightmap, MapSize, SeededRng};

    #[test]
    fn stretch_keeps_land_and_sea() {
        let mut rng = SeededRng::new(5, b"sea     ");
        let size = MapSize::new(9, 7).unwrap();
        for round in 0..200 {
            let (offset, relief) = (900.0 * rng.unit() - 500.0, 1.0 + 700.0 * rng.unit());
            let mut map = Heightmap::from_fn(size, |_, _| {
                // Whole numbers, as in many elevation models.
                (offset + relief * rng.unit()).round() as f32
            })
            .unwrap();
            let sea_level = if round % 2 == 0 {
                map.get(round % 9, 3)
            } else {
                (offset + relief * rng.unit()) as f32
            };
            let before: Vec<bool> = map
                .heights()
                .iter()
                .map(|&z| is_land(z, sea_level))
                .collect();
            let sea_level = stretched_sea_level(sea_level, map.range());
            map.normalize();
            let after = map.heights().iter().map(|&z| is_land(z, sea_level));
            assert!(before.into_iter().eq(after), "round {round}");
        }
        assert!(stretched_sea_level(3.0, (5.0, 9.0)) < 0.0);
        assert_eq!(stretched_sea_level(12.0, (5.0, 9.0)), 1.0);
        assert_eq!(stretched_sea_level(5.0, (5.0, 5.0)), 0.0);
        assert!(stretched_sea_level(4.0, (5.0, 5.0)) < 0.0);
        assert!(stretched_sea_level(0.0, (5.0, 5.0_f32.next_up())).is_finite());
    }
}
