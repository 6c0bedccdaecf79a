//! The water level along a river. It never rises downstream, and matches the water at both ends.
//!
//! ```text
//!     ground  ──.         lake
//!     water   - - `──.   ______       slightly below its banks; at a lake and a
//!                 ` - `─´             confluence exactly at the level of that water
//! ```
//!
//! The filled ground never rises downstream along the cells of a river. So the water, which is
//! below it by a fixed fraction of its depth, does not rise either. Steps between single cells are
//! smoothed downwards, by less than the depth.

use super::{course::mean, reaches::Station};

/// The height of the banks above the water, as a fraction of its depth.
const FREEBOARD: f64 = 0.25;

/// The number of smoothing passes.
const PASSES: usize = 2;

/// Returns the water level at each station in meters.
///
/// The last level is `end`, which must not be above the ground of the last station. With `None` it
/// is free. `depths` are in meters.
pub(super) fn surfaces(stations: &[Station], depths: &[f64], end: Option<f64>) -> Vec<f64> {
    let free = stations.iter().zip(depths).map(|(station, depth)| {
        let banks = f64::from(u8::from(!station.in_lake));
        station.level - banks * FREEBOARD * depth
    });
    let free: Vec<f64> = free.collect();
    let mut smooth = free.clone();
    mean(&mut smooth, PASSES);
    let mut lowest = f64::INFINITY;
    let floor = end.unwrap_or(f64::NEG_INFINITY);
    let mut surfaces = Vec::with_capacity(free.len());
    for ((station, depth), (free, smooth)) in
        stations.iter().zip(depths).zip(free.iter().zip(smooth))
    {
        let rounded = if station.in_lake {
            *free
        } else {
            smooth.clamp(free - depth, *free)
        };
        lowest = rounded.min(lowest);
        surfaces.push(lowest.max(floor));
    }
    if let (Some(end), Some(last)) = (end, surfaces.last_mut()) {
        *last = end.min(*last);
    }
    surfaces
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;

    fn stations(levels: &[f64], lake: impl Fn(usize) -> bool) -> Vec<Station> {
        let station = |(at, &level): (usize, &f64)| Station {
            at: DVec2::new(at as f64, 0.0),
            area: 1.0,
            level,
            in_lake: lake(at),
        };
        levels.iter().enumerate().map(station).collect()
    }

    #[test]
    fn level_falls_from_lake_to_lake() {
        let levels = [9.0, 9.0, 9.0, 8.0, 8.0, 5.0, 4.9, 4.0, 4.0, 4.0];
        let stations = stations(&levels, |at| !(2..7).contains(&at));
        let surfaces = surfaces(&stations, &[0.4; 10], Some(4.0));
        assert_eq!(surfaces[..2], [9.0; 2]);
        assert_eq!(surfaces[7..], [4.0; 3]);
        assert!(surfaces.is_sorted_by(|a, b| a >= b), "{surfaces:?}");
        for (surface, level) in surfaces.iter().zip(levels) {
            assert!(
                *surface <= level && *surface >= level - 0.5 - 1e-9,
                "{surfaces:?}"
            );
        }
    }

    #[test]
    fn tributary_ends_at_level_of_larger_river() {
        let stations = stations(&[7.0, 6.0, 5.0, 5.0], |_| false);
        let surfaces = surfaces(&stations, &[0.2; 4], Some(4.0));
        assert_eq!(surfaces[3], 4.0);
        assert!(surfaces.is_sorted_by(|a, b| a >= b), "{surfaces:?}");
    }
}
