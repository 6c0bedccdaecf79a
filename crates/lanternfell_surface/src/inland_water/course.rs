//! The centerline of a river as a smooth line near its cells.
//!
//! Problem: water flows from cell to cell in one of eight directions, which looks like a staircase.
//! But if the line is smoothed too much, it leaves its valley, and its bed becomes a gorge through
//! the hillsides.
//!
//! Idea: smooth the line, then undo as much of each point's move as the terrain requires:
//!
//! ```text
//!     cells    ─┐               smooth   ·-.              kept   ─.
//!               └─┐     ->                  `-.     ->             `.   between valley
//!                 │                            \                    |   walls, the line
//!                 └─                            `-.                  `- keeps to the cells
//! ```
//!
//! Steps:
//! 1. Replace each point by the mean of itself and its neighbors, in several passes.
//! 2. For each point, find the largest fraction of its move at which the ground is not far above or
//!    below the water.
//! 3. Smooth these fractions along the river, and apply them.
//! 4. Relax bends that are tighter than the river is wide.
//!
//! Cost: O(points) for each of about ten to sixty passes.

use glam::DVec2;

use super::{ground::Ground, reaches::Station};

/// The minimum number of smoothing passes. They are enough to smooth the staircase of a straight
/// line in any direction.
const LEAST_PASSES: usize = 10;

/// The maximum number of smoothing passes, for the widest rivers.
const MOST_PASSES: usize = 60;

/// Smoothing passes over the kept fractions, so that they do not form a staircase themselves.
const PART_PASSES: usize = 6;

/// Smoothing passes after that.
const LAST_PASSES: usize = 3;

/// The minimum radius of a bend, in half widths of the river.
const LEAST_RADIUS: f64 = 1.3;

/// The maximum number of passes that relax tight bends. Most rivers need none.
const BEND_PASSES: usize = 80;

/// The allowed distance of the ground under a smoothed course from the water level.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerance {
    /// The distance above, in meters.
    pub(super) above: f64,
    /// The distance below, in meters.
    pub(super) below: f64,
}

/// Returns the smoothed positions of the stations. The first and the last stay. `half_widths` are
/// in cells.
pub(super) fn rounded(
    stations: &[Station],
    half_widths: &[f64],
    ground: &Ground,
    tolerance: impl Fn(usize) -> Tolerance,
) -> Vec<DVec2> {
    let cells: Vec<DVec2> = stations.iter().map(|station| station.at).collect();
    let widest = half_widths.iter().copied().fold(0.0, f64::max);
    let passes = LEAST_PASSES + (2.0 * widest * widest) as usize;
    let mut places = cells.clone();
    mean(&mut places, passes.min(MOST_PASSES));
    let parts = (0..cells.len()).map(|at| {
        let (tolerance, level) = (tolerance(at), stations[at].level);
        let fits = |part: &f64| {
            let above = ground.at(cells[at].lerp(places[at], *part)) - level;
            above <= tolerance.above && -above <= tolerance.below
        };
        [1.0, 0.75, 0.5, 0.25].into_iter().find(fits).unwrap_or(0.0)
    });
    let mut parts: Vec<f64> = parts.collect();
    mean(&mut parts, PART_PASSES);
    for ((place, &cell), &part) in places.iter_mut().zip(&cells).zip(&parts) {
        *place = cell.lerp(*place, part);
    }
    mean(&mut places, LAST_PASSES);
    relax(&mut places, half_widths);
    places
}

/// Smooths all values except the first and the last, in `passes` passes: each becomes a mean of
/// itself (weight 1/2) and its neighbors (1/4 each).
pub(super) fn mean<T>(values: &mut [T], passes: usize)
where
    T: Copy + std::ops::Add<Output = T> + std::ops::Mul<f64, Output = T>,
{
    for _ in 0..passes {
        let mut before = values[0];
        for at in 1..values.len().saturating_sub(1) {
            let here = values[at];
            values[at] = before * 0.25 + here * 0.5 + values[at + 1] * 0.25;
            before = here;
        }
    }
}

/// Relaxes bends that are too tight.
fn relax(places: &mut [DVec2], half_widths: &[f64]) {
    for _ in 0..BEND_PASSES {
        let mut changed = false;
        let mut before = places[0];
        for at in 1..places.len().saturating_sub(1) {
            let (here, after) = (places[at], places[at + 1]);
            if bend(before, here, after) * LEAST_RADIUS * half_widths[at] > 1.0 {
                places[at] = before * 0.25 + here * 0.5 + after * 0.25;
                changed = true;
            }
            before = here;
        }
        if !changed {
            return;
        }
    }
}

/// Returns the curvature of a line at a point in 1/cell: the angle divided by the length.
fn bend(before: DVec2, here: DVec2, after: DVec2) -> f64 {
    let (to, from) = (here - before, after - here);
    let length = 0.5 * (to.length() + from.length());
    let sine = to.perp_dot(from).abs();
    let angle = libm::atan2(sine, to.dot(from));
    if length > 0.0 { angle / length } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::{Heightmap, MapSize, Scale};

    fn stair(steps: usize) -> Vec<Station> {
        let station = |at: usize| Station {
            at: DVec2::new(5.0 + at as f64, 5.0 + (at / 2) as f64),
            area: 100.0,
            level: 0.0,
            in_lake: false,
        };
        (0..steps).map(station).collect()
    }

    fn ground(height: impl FnMut(usize, usize) -> f32) -> Ground {
        let size = MapSize::new(64, 48).unwrap();
        let map = Heightmap::from_fn(size, height).unwrap();
        Ground::of(
            &map,
            Scale {
                spacing: 1.0,
                relief: 1.0,
            },
        )
    }

    /// The largest curvature of a line.
    fn sharpest(places: &[DVec2]) -> f64 {
        let bends = places.windows(3).map(|at| bend(at[0], at[1], at[2]));
        bends.fold(0.0, f64::max)
    }

    #[test]
    fn smooths_staircase_and_keeps_ends() {
        let stations = stair(40);
        let tolerance = |_| Tolerance {
            above: 0.5,
            below: 0.5,
        };
        let places = rounded(&stations, &[1.0; 40], &ground(|_, _| 0.0), tolerance);
        assert_eq!((places[0], places[39]), (stations[0].at, stations[39].at));
        assert!(sharpest(&places) < 0.1, "{}", sharpest(&places));
    }

    #[test]
    fn stays_on_cells_between_walls() {
        let stations = stair(40);
        let free = |at: DVec2| stations.iter().any(|station| station.at == at);
        let walls = ground(|x, y| {
            let wall = !free(DVec2::new(x as f64, y as f64));
            20.0 * f32::from(u8::from(wall))
        });
        let tolerance = |_| Tolerance {
            above: 0.5,
            below: 0.5,
        };
        let places = rounded(&stations, &[0.5; 40], &walls, tolerance);
        for (place, station) in places.iter().zip(&stations) {
            assert!(
                place.distance(station.at) < 0.5,
                "{place} of {}",
                station.at
            );
        }
    }

    #[test]
    fn bends_are_not_tighter_than_width() {
        // East, then at a right angle south.
        let mut stations = stair(60);
        for (at, station) in stations.iter_mut().enumerate() {
            station.at = DVec2::new(5.0 + at.min(30) as f64, 5.0 + at.max(30) as f64 - 30.0);
        }
        let tolerance = |_| Tolerance {
            above: 0.5,
            below: 0.5,
        };
        let half_widths = [3.0; 60];
        let places = rounded(&stations, &half_widths, &ground(|_, _| 0.0), tolerance);
        assert!(sharpest(&places) * 3.0 < 1.0, "{}", sharpest(&places));
    }
}
