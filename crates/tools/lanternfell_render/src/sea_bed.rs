//! A bed for seas without depths.
//!
//! Most elevation models store the sea as a plane at 0 m. Water without depth is transparent, and waves would break
//! everywhere on it: a sea of wet sand and foam. So the bed of such a sea is lowered with the distance to the shore, as
//! it is beyond the border of the map (`water.rs`):
//!
//! ```text
//!    land ___                          ___ land
//!            \________ plane _________/           as stored
//!             `-._                _.-'
//!                 `--..______..--'                as drawn
//! ```
//!
//! A sea has no depths if more than half of its cells have exactly the same height, close below the sea level. The
//! candidate for that height is found by Boyer and Moore's majority vote. Seas with depths keep all their heights.
//!
//! Cost: O(1) per cell if two neighbors below the sea level have the same height. Otherwise only a comparison of
//! neighbors.
//!
//! Source of the vote: Boyer and Moore, *MJRTY, a fast majority vote algorithm*, 1991.

use std::borrow::Cow;

use lanternfell_heightmap::{
    Heightmap, Progress, Scale,
    analysis::{CoastDistance, FindRegions, Regions},
    is_land,
};

use crate::{RenderError, water};

/// The depth up to which a plane may be a sea without depths, in heights above the sea.
const SHALLOW: f32 = 0.01;

/// The depth of the lowest bed in world units. There, the water looks deep on every map.
const DEEPEST: f64 = 0.03;

/// Returns the map with a bed below each sea without depths. `rise` is the world height of a height of 1.
pub(super) fn with_bed<'a>(
    map: &'a Heightmap,
    sea_level: f32,
    rise: f64,
    progress: &Progress,
) -> Result<Cow<'a, Heightmap>, RenderError> {
    let sea = Sea::at(sea_level);
    if !sea.may_be_plane(map) {
        return Ok(Cow::Borrowed(map));
    }
    let find = FindRegions {
        sea_level,
        ..FindRegions::default()
    };
    let regions = find.of(map, &progress.span(0.0, 0.4))?;
    let planes = sea.planes(map, &regions);
    if !planes.contains(&true) {
        progress.step(1, 1)?;
        return Ok(Cow::Borrowed(map));
    }
    let cells = Scale {
        spacing: 1.0,
        relief: 1.0,
    };
    let coast = CoastDistance { sea_level };
    let distance = coast.of(map, cells, &progress.span(0.4, 0.9))?;
    let cell = 1.0 / (map.width().max(map.height()) - 1) as f64;
    let lowered = |x: usize, y: usize| {
        let height = map.get(x, y);
        if !planes[regions.at(x, y).label as usize] {
            return height;
        }
        let way = f64::from(-distance.get(x, y)).max(0.0) * cell;
        height - (water::bed_depth(way).min(DEEPEST) / rise) as f32
    };
    let lowered = Heightmap::from_fn(map.size(), lowered);
    progress.step(1, 1)?;
    Ok(lowered.map_or(Cow::Borrowed(map), Cow::Owned))
}

/// The range of heights in which a plane may be a sea without depths.
struct Sea {
    level: f32,
    lowest: f32,
}

impl Sea {
    fn at(level: f32) -> Self {
        let lowest = level - SHALLOW * (1.0 - level);
        Self { level, lowest }
    }

    fn has(&self, height: f32) -> bool {
        !is_land(height, self.level) && height >= self.lowest
    }

    /// Whether two neighbors in a row are in a plane.
    fn may_be_plane(&self, map: &Heightmap) -> bool {
        let level = |pair: &[f32]| pair[0] == pair[1] && self.has(pair[0]);
        (0..map.height()).any(|y| map.row(y).windows(2).any(level))
    }

    /// For each region, whether it is a sea without depths.
    fn planes(&self, map: &Heightmap, regions: &Regions) -> Vec<bool> {
        let cells = || map.heights().iter().zip(regions.labels());
        // The candidate of each region, and its lead over all other heights.
        let mut votes = vec![(0.0_f32, 0_u64); regions.list().len()];
        for (&height, &label) in cells() {
            let (candidate, lead) = &mut votes[label as usize];
            if *lead == 0 {
                (*candidate, *lead) = (height, 1);
            } else if *candidate == height {
                *lead += 1;
            } else {
                *lead -= 1;
            }
        }
        let mut counts = vec![0_u64; votes.len()];
        for (&height, &label) in cells() {
            counts[label as usize] += u64::from(votes[label as usize].0 == height);
        }
        let regions = regions.list().iter().zip(votes).zip(counts);
        regions
            .map(|((region, (height, _)), count)| self.has(height) && 2 * count > region.cells)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::MapSize;

    fn bed(map: &Heightmap, sea_level: f32) -> Cow<'_, Heightmap> {
        with_bed(map, sea_level, 0.2, &Progress::default()).unwrap()
    }

    /// A plane at this height with an island, whose shore is 10 cells from the center.
    fn island(plane: f32) -> Heightmap {
        let size = MapSize::new(81, 81).unwrap();
        Heightmap::from_fn(size, |x, y| {
            let off = (x as f32 - 40.0).hypot(y as f32 - 40.0);
            (1.0 - off / 10.0).max(plane)
        })
        .unwrap()
    }

    #[test]
    fn plane_falls_away_from_the_shore() {
        for (plane, sea_level) in [(0.0, 0.0), (0.0, 0.005), (0.3, 0.3), (0.3, 0.305)] {
            let map = island(plane);
            let bed = bed(&map, sea_level);
            let mut last = sea_level;
            for x in 0..81 {
                let (stored, drawn) = (map.get(40 + x / 2, 40), bed.get(40 + x / 2, 40));
                if is_land(stored, sea_level) {
                    assert_eq!(stored, drawn, "land at {x}");
                    continue;
                }
                assert!(drawn < stored && drawn <= last, "{x}: {drawn} of {stored}");
                last = drawn;
            }
            let deep = f64::from(plane - bed.get(0, 0)) * 0.2;
            assert!((deep - DEEPEST).abs() < 1e-6, "{deep}");
        }
    }

    #[test]
    fn seas_with_depths_stay() {
        // Deeper than a plane without depths.
        let deep = island(0.0);
        assert!(matches!(bed(&deep, 0.02), Cow::Borrowed(_)));
        // A shelf near the sea level that is less than half of the sea.
        let size = MapSize::new(60, 40).unwrap();
        let shelf = Heightmap::from_fn(size, |x, _| match x {
            0..35 => 0.001 * x as f32,
            35..45 => 0.1,
            _ => 0.9,
        });
        let shelf = shelf.unwrap();
        assert_eq!(*bed(&shelf, 0.1), shelf);
        // No sea.
        assert!(matches!(bed(&deep, -1.0), Cow::Borrowed(_)));
    }

    /// Only the sea without depths changes if there is another one.
    #[test]
    fn each_sea_counts_alone() {
        let size = MapSize::new(60, 40).unwrap();
        let map = Heightmap::from_fn(size, |x, _| match x {
            0..20 => 0.005 * x as f32,
            20..40 => 0.9,
            _ => 0.2,
        });
        let map = map.unwrap();
        let bed = bed(&map, 0.2);
        for x in 0..40 {
            assert_eq!(bed.get(x, 7), map.get(x, 7), "{x}");
        }
        assert!((40..60).all(|x| bed.get(x, 7) < 0.2));
    }
}
