//! The choice of regions for a set of viewers.

use bevy::math::I64Vec2;
use lanternfell_heightmap::{MapSize, ParamError};

use super::CellArea;

/// The amount of terrain around viewers, in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Margins {
    /// The distance around each viewer that must be covered.
    distance: i64,
    /// The borders of regions are at multiples of this.
    step: i64,
    /// All cells of the source, or `None` if it is endless.
    bounds: Option<CellArea>,
}

/// The maximum number of cells along a region's side, which is that of a map.
const MOST: i64 = MapSize::MAX_SIDE as i64;

impl Margins {
    /// The largest distance, in cells. A region is a single map, which also includes a margin in which viewers move
    /// before the region is replaced: at least a quarter of the distance.
    pub(crate) const MAX_DISTANCE: f32 = 4096.0;

    /// Creates margins for a distance in meters.
    pub(crate) fn new(
        distance: f32,
        spacing: f32,
        bounds: Option<CellArea>,
    ) -> Result<Self, ParamError> {
        let cells = distance / spacing;
        let most = Self::MAX_DISTANCE;
        if !(1.0..=most).contains(&cells) {
            return Err(ParamError {
                owner: "endless terrain",
                name: "distance",
                value: ParamError::shortest(distance),
                allowed: format!("from 1 to {most} cells, which are {spacing} m wide"),
            });
        }
        Ok(Self::of_cells(cells.ceil() as i64, bounds))
    }

    fn of_cells(distance: i64, bounds: Option<CellArea>) -> Self {
        // At least the side of a tile of edits.
        let step = (distance as u64 / 4).next_power_of_two().clamp(64, 1024) as i64;
        Self {
            distance,
            step,
            bounds,
        }
    }

    /// Smaller margins if a viewer has no terrain at all, because it was moved far or is faster than the generation: a
    /// quarter of the distance, which takes about a twelfth of the time.
    pub(crate) fn near_if_bare(&self, shown: &[CellArea], viewers: &[I64Vec2]) -> Option<Self> {
        let near = Self::of_cells(self.distance / 4, self.bounds);
        // Smaller regions do not take noticeably less time.
        let is_smaller = 2 * near.step <= self.step;
        (is_smaller && viewers.iter().any(|viewer| near.is_bare(*viewer, shown))).then_some(near)
    }

    fn is_bare(&self, viewer: I64Vec2, shown: &[CellArea]) -> bool {
        !self.hold(shown, &[viewer], 1)
    }

    /// The regions that are needed next, in a fixed order.
    ///
    /// Viewers without terrain get a small region first, if it does not touch the regions of the others.
    pub(crate) fn next_regions(&self, viewers: &[I64Vec2], shown: &[CellArea]) -> Vec<CellArea> {
        if let Some(near) = self.near_if_bare(shown, viewers) {
            let (bare, others): (Vec<I64Vec2>, Vec<I64Vec2>) = viewers
                .iter()
                .partition(|viewer| near.is_bare(**viewer, shown));
            let is_used = |region: &&CellArea| others.iter().any(|at| region.contains(*at));
            let used: Vec<CellArea> = shown.iter().filter(is_used).copied().collect();
            let mut regions = near.regions(&bare);
            if !regions
                .iter()
                .any(|new| used.iter().any(|old| old.touches(new)))
            {
                regions.extend(used);
                regions.sort_by_key(|region| region.min.to_array());
                return regions;
            }
        }
        self.regions(&self.ahead(viewers, shown))
    }

    /// Creates margins of `squares` cells on a map, clamped to 2 to `MAX_DISTANCE`. `NaN` counts as 2.
    pub(crate) fn around(squares: f32, bounds: CellArea) -> Self {
        let least = if squares.is_nan() { 0.0 } else { squares };
        let distance = least.clamp(2.0, Self::MAX_DISTANCE).ceil() as i64;
        Self {
            distance,
            step: (distance as u64).next_power_of_two().clamp(8, 256) as i64,
            bounds: Some(bounds),
        }
    }

    /// The region for one viewer. It suffices until the viewer has moved by at least half a step. `None` if the viewer
    /// is far outside the bounds.
    fn region(&self, viewer: I64Vec2) -> Option<CellArea> {
        let region = CellArea::around(viewer, self.distance + self.step).aligned(self.step);
        self.within(region)
    }

    /// The smallest region that is acceptable for a viewer.
    pub(crate) fn least(&self, viewer: I64Vec2) -> Option<CellArea> {
        self.within(CellArea::around(viewer, self.distance))
    }

    fn within(&self, area: CellArea) -> Option<CellArea> {
        match &self.bounds {
            None => Some(area),
            Some(bounds) => area.shared(bounds),
        }
    }

    /// The regions for these viewers, in a fixed order.
    pub(crate) fn regions(&self, viewers: &[I64Vec2]) -> Vec<CellArea> {
        let mut regions: Vec<CellArea> = Vec::new();
        for &viewer in viewers {
            let Some(mut region) = self.region(viewer) else {
                continue;
            };
            // Regions that touch are merged. The merged region may touch others in turn.
            while let Some(other) = regions.iter().position(|other| {
                other.touches(&region) && other.with(&region).longer_side() <= MOST
            }) {
                region = region.with(&regions.swap_remove(other));
            }
            regions.push(region);
        }
        regions.sort_by_key(|region| region.min.to_array());
        regions
    }

    /// The cells around which new regions last longest: those to which the viewers probably move.
    ///
    /// A viewer who has left the middle of its region moves on in the same direction. Regions around these cells also
    /// suffice for the viewers themselves. On a straight way at most three quarters as many regions are needed.
    fn ahead(&self, viewers: &[I64Vec2], regions: &[CellArea]) -> Vec<I64Vec2> {
        let most = I64Vec2::splat(self.step / 2);
        let ahead = |&viewer: &I64Vec2| {
            let of_viewer =
                |region: &&CellArea| region.contains(viewer) && self.is_of_one_viewer(region);
            let moved = match regions.iter().find(of_viewer) {
                Some(region) => viewer - region.middle().as_i64vec2(),
                None => I64Vec2::ZERO,
            };
            viewer + (moved / 2).clamp(-most, most)
        };
        viewers.iter().map(ahead).collect()
    }

    /// Whether a region has the size for one viewer, so that the viewer was near its middle at first: it is neither cut
    /// at the bounds nor merged with another.
    fn is_of_one_viewer(&self, region: &CellArea) -> bool {
        let least = 2 * (self.distance + self.step);
        let most = least + 2 * self.step;
        let sides = region.cells().to_array();
        sides.iter().all(|side| (least..=most + 1).contains(side))
    }

    /// Whether nothing needs to be done: all viewers have terrain around them with some reserve, and each region has a
    /// viewer.
    pub(crate) fn suffice(&self, regions: &[CellArea], viewers: &[I64Vec2]) -> bool {
        self.hold(regions, viewers, self.distance + self.step / 2)
            && regions
                .iter()
                .all(|region| viewers.iter().any(|&viewer| self.needs(viewer, region)))
    }

    fn needs(&self, viewer: I64Vec2, region: &CellArea) -> bool {
        let around = self.region(viewer);
        around.is_some_and(|around| around.touches(region))
    }

    /// Whether regions that are being generated will still be useful for the viewers' current positions.
    pub(crate) fn will_do(&self, regions: &[CellArea], viewers: &[I64Vec2]) -> bool {
        self.hold(regions, viewers, self.distance / 2)
    }

    fn hold(&self, regions: &[CellArea], viewers: &[I64Vec2], cells: i64) -> bool {
        viewers.iter().all(|&viewer| {
            let needed = self.within(CellArea::around(viewer, cells));
            needed.is_none_or(|needed| regions.iter().any(|region| region.holds(&needed)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn margins() -> Margins {
        Margins::new(1000.0, 1.0, None).unwrap()
    }

    #[test]
    fn region_of_one_viewer_suffices_for_half_a_step() {
        let margins = margins();
        let at = |x| [I64Vec2::new(x, -77_000)];
        let regions = margins.regions(&at(123));
        assert_eq!(regions.len(), 1);
        assert!(regions[0].longer_side() <= 2 * 1000 + 4 * 256 + 1);
        for x in [123 - 128, 123, 123 + 128] {
            assert!(margins.suffice(&regions, &at(x)), "{x}");
        }
        for x in [123 - 640, 123 + 640] {
            assert!(!margins.suffice(&regions, &at(x)), "{x}");
            assert!(margins.will_do(&regions, &at(x)), "{x}");
        }
        assert!(!margins.will_do(&regions, &at(2000)));
    }

    /// The number of regions that a viewer needs on a way, if each new one is around the cell that `next` returns.
    fn regions_on_way(way: &[I64Vec2], next: impl Fn(I64Vec2, &[CellArea]) -> I64Vec2) -> usize {
        let margins = margins();
        let (mut regions, mut count) = (Vec::new(), 0);
        for &viewer in way {
            if !margins.suffice(&regions, &[viewer]) {
                regions = margins.regions(&[next(viewer, &regions)]);
                count += 1;
                assert!(margins.suffice(&regions, &[viewer]), "{viewer}");
            }
        }
        count
    }

    #[test]
    fn regions_ahead_last_longer_on_straight_ways() {
        for direction in [(1, 0), (0, -1), (3, 2)] {
            let way: Vec<I64Vec2> = (0..30_000).map(|k| I64Vec2::from(direction) * k).collect();
            let around = regions_on_way(&way, |viewer, _| viewer);
            let ahead = regions_on_way(&way, |viewer, regions| {
                margins().ahead(&[viewer], regions)[0]
            });
            assert!(
                4 * ahead <= 3 * around,
                "{direction:?}: {ahead} of {around}"
            );
        }
    }

    #[test]
    fn regions_ahead_suffice_for_random_jumps() {
        let way: Vec<I64Vec2> = (0_i64..2000)
            .map(|k| I64Vec2::new(k * k % 1709, k * 37 % 1301))
            .collect();
        let ahead = |viewer, regions: &[CellArea]| margins().ahead(&[viewer], regions)[0];
        assert!(regions_on_way(&way, ahead) > 10);
    }

    #[test]
    fn viewers_without_terrain_get_a_small_region_first() {
        let margins = margins();
        let [home, away] = [I64Vec2::ZERO, I64Vec2::new(50_000, 9)];
        let first = margins.next_regions(&[home], &[]);
        let whole = margins.next_regions(&[home], &first);
        let cells = |regions: &[CellArea]| -> i64 {
            regions
                .iter()
                .map(|region| region.cells().element_product())
                .sum()
        };
        assert!(10 * cells(&first) < cells(&whole));
        assert!(!margins.suffice(&first, &[home]) && margins.suffice(&whole, &[home]));
        // It is useful while it is generated, although a viewer moves.
        let near = margins.near_if_bare(&[], &[home]).unwrap();
        assert!(near.will_do(&first, &[home + 100]));
        assert_eq!(margins.near_if_bare(&first, &[home]), None);
        // The others keep their regions.
        let both = margins.next_regions(&[home, away], &whole);
        assert_eq!((both.len(), both[0]), (2, whole[0]));
        assert!(10 * cells(&both[1..]) < cells(&whole));
        let later = margins.next_regions(&[home, away], &both);
        assert!(margins.suffice(&later, &[home, away]));
    }

    #[test]
    fn small_region_that_would_touch_another_is_not_used() {
        let margins = margins();
        let shown = margins.regions(&[I64Vec2::ZERO]);
        let beside = I64Vec2::new(shown[0].max.x + 20, 0);
        assert!(margins.near_if_bare(&shown, &[beside]).is_some());
        let regions = margins.next_regions(&[I64Vec2::ZERO, beside], &shown);
        assert!(regions.len() == 1 && margins.suffice(&regions, &[I64Vec2::ZERO, beside]));
        // Without the first viewer, its region is not needed.
        let regions = margins.next_regions(&[beside], &shown);
        assert!(regions.len() == 1 && !margins.suffice(&regions, &[beside]));
    }

    #[test]
    fn viewers_outside_a_map_need_no_region() {
        let bounds = CellArea {
            min: I64Vec2::ZERO,
            max: I64Vec2::new(9000, 9000),
        };
        let margins = Margins::new(1000.0, 1.0, Some(bounds)).unwrap();
        assert_eq!(margins.near_if_bare(&[], &[I64Vec2::new(-9, 5)]), None);
        let at_border = [I64Vec2::new(0, 5)];
        let shown = margins.next_regions(&at_border, &[]);
        assert_eq!(margins.near_if_bare(&shown, &at_border), None);
    }

    #[test]
    fn regions_contain_their_viewers_and_do_not_touch() {
        let margins = margins();
        let mut random = 7_u64;
        let mut next = || {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) as i64 % 9000 - 4500
        };
        for count in 0..12 {
            let viewers: Vec<I64Vec2> = (0..count).map(|_| I64Vec2::new(next(), next())).collect();
            let regions = margins.regions(&viewers);
            assert!(margins.suffice(&regions, &viewers), "{viewers:?}");
            for (place, region) in regions.iter().enumerate() {
                let others = &regions[place + 1..];
                assert!(
                    others.iter().all(|other| !other.touches(region)),
                    "{regions:?}"
                );
            }
        }
    }

    #[test]
    fn regions_of_a_chain_of_viewers_fit_into_a_map() {
        let margins = margins();
        let viewers: Vec<I64Vec2> = (0..40).map(|k| I64Vec2::new(k * 1000, 0)).collect();
        let regions = margins.regions(&viewers);
        assert!(regions.len() > 1);
        assert!(regions.iter().all(|region| region.longer_side() <= MOST));
        assert!(margins.suffice(&regions, &viewers));
    }

    #[test]
    fn regions_stay_inside_bounds() {
        let bounds = CellArea {
            min: I64Vec2::ZERO,
            max: I64Vec2::new(3000, 5000),
        };
        let margins = Margins::new(1000.0, 1.0, Some(bounds)).unwrap();
        for (x, y) in [(10, 10), (2999, 4999), (-900, 70), (1500, 5400)] {
            let viewer = [I64Vec2::new(x, y)];
            let regions = margins.regions(&viewer);
            assert_eq!(regions.len(), 1, "{x} {y}");
            assert!(bounds.holds(&regions[0]) && margins.suffice(&regions, &viewer));
        }
        let beyond = [I64Vec2::new(-9000, 10)];
        assert!(margins.regions(&beyond).is_empty() && margins.suffice(&[], &beyond));
    }

    #[test]
    fn regions_without_viewers_do_not_suffice() {
        let margins = margins();
        let two = margins.regions(&[I64Vec2::ZERO, I64Vec2::new(50_000, 0)]);
        assert!(!margins.suffice(&two, &[I64Vec2::ZERO]));
        assert!(margins.suffice(&[], &[]));
    }

    #[test]
    fn least_region_will_do_but_does_not_suffice() {
        let margins = margins();
        let viewer = [I64Vec2::new(-5, 77)];
        let least = [margins.least(viewer[0]).unwrap()];
        assert!(margins.will_do(&least, &viewer) && !margins.suffice(&least, &viewer));
    }

    #[test]
    fn rejects_invalid_distances() {
        for distance in [0.0, -1.0, f32::NAN, f32::INFINITY, 4097.0, 0.5] {
            let error = Margins::new(distance, 1.0, None).unwrap_err().to_string();
            assert!(error.contains("distance"), "{error}");
        }
        let largest = Margins::new(4096.0, 1.0, None).unwrap();
        assert!(largest.region(I64Vec2::new(1, -1)).unwrap().longer_side() <= MOST);
    }
}
