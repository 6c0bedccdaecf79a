//! How high water stands along a river: never rising downstream, and at its ends as high as what it meets.
//!
//! ```text
//!     ground  ──.         lake
//!     water   - - `──.   ______       a little below its banks; at a lake and
//!                 ` - `─´             a confluence exactly at their level
//! ```
//!
//! The filled ground never rises downstream on the cells that water runs through, so water that keeps a part of
//! its depth below it does not either. Steps of single cells are rounded off downwards, by less than the depth.

use super::{course::mean, reaches::Station};

/// Which part of its depth water stands below its banks.
const FREEBOARD: f64 = 0.25;

/// How often the profile is rounded.
const PASSES: usize = 2;

/// How high water stands at each station, in metres. It ends at `end`, which is no higher than the ground of the
/// last; `None` where it leaves as high as it likes. `depths` are in metres.
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
    fn water_falls_from_lake_to_lake_and_meets_both() {
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
    fn a_tributary_ends_in_the_larger_rivers_water() {
        let stations = stations(&[7.0, 6.0, 5.0, 5.0], |_| false);
        let surfaces = surfaces(&stations, &[0.2; 4], Some(4.0));
        assert_eq!(surfaces[3], 4.0);
        assert!(surfaces.is_sorted_by(|a, b| a >= b), "{surfaces:?}");
    }
}
