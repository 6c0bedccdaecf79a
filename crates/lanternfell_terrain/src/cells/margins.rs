//! Which windows there should be for these viewers.

use bevy::math::I64Vec2;
use lanternfell_heightmap::{MapSize, ParamError};

use super::CellArea;

/// How much ground there is around viewers, in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Margins {
    /// Around each viewer there must be so much.
    distance: i64,
    /// Windows begin and end at whole multiples of this.
    step: i64,
    /// All that there is, if there is an end.
    bounds: Option<CellArea>,
}

/// The most cells along a window's side: those of a map.
const MOST: i64 = MapSize::MAX_SIDE as i64;

impl Margins {
    /// The largest distance, in cells: a window is one map, and a fourth as much again is the margin in which viewers
    /// move before it is replaced.
    pub(crate) const MAX_DISTANCE: f32 = 4096.0;

    /// For a distance in metres.
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
        let distance = cells.ceil() as i64;
        let step = (distance as u64 / 4).next_power_of_two().clamp(32, 1024) as i64;
        Ok(Self {
            distance,
            step,
            bounds,
        })
    }

    /// For so many squares around, on a map; at least 2 (also for no number), and no more than a window can have.
    pub(crate) fn around(squares: f32, bounds: CellArea) -> Self {
        let least = if squares.is_nan() { 0.0 } else { squares };
        let distance = least.clamp(2.0, Self::MAX_DISTANCE).ceil() as i64;
        Self {
            distance,
            step: (distance as u64).next_power_of_two().clamp(8, 256) as i64,
            bounds: Some(bounds),
        }
    }

    /// The window for one viewer: whatever he does, it suffices until he has gone half a step at least. None
    /// of one who is far from all that there is.
    fn window(&self, viewer: I64Vec2) -> Option<CellArea> {
        let window = CellArea::around(viewer, self.distance + self.step).aligned(self.step);
        self.within(window)
    }

    /// The smallest window that does for one viewer, on his cell and around it.
    pub(crate) fn least(&self, viewer: I64Vec2) -> Option<CellArea> {
        self.within(CellArea::around(viewer, self.distance))
    }

    fn within(&self, area: CellArea) -> Option<CellArea> {
        match &self.bounds {
            None => Some(area),
            Some(bounds) => area.shared(bounds),
        }
    }

    /// The windows for these viewers, in a fixed order.
    pub(crate) fn windows(&self, viewers: &[I64Vec2]) -> Vec<CellArea> {
        let mut windows: Vec<CellArea> = Vec::new();
        for &viewer in viewers {
            let Some(mut window) = self.window(viewer) else {
                continue;
            };
            // Each that it touches becomes one with it, and the larger one may touch others.
            while let Some(other) = windows.iter().position(|other| {
                other.touches(&window) && other.with(&window).longer_side() <= MOST
            }) {
                window = window.with(&windows.swap_remove(other));
            }
            windows.push(window);
        }
        windows.sort_by_key(|window| window.min.to_array());
        windows
    }

    /// Whether nothing needs to be done: all have ground around them and on the way, and there is no window
    /// that nobody is in.
    pub(crate) fn suffice(&self, windows: &[CellArea], viewers: &[I64Vec2]) -> bool {
        self.hold(windows, viewers, self.distance + self.step / 2)
            && windows
                .iter()
                .all(|window| viewers.iter().any(|&viewer| self.needs(viewer, window)))
    }

    fn needs(&self, viewer: I64Vec2, window: &CellArea) -> bool {
        let around = self.window(viewer);
        around.is_some_and(|around| around.touches(window))
    }

    /// Whether windows that are being made will be of use, or the viewers are elsewhere by now.
    pub(crate) fn will_do(&self, windows: &[CellArea], viewers: &[I64Vec2]) -> bool {
        self.hold(windows, viewers, self.distance / 2)
    }

    fn hold(&self, windows: &[CellArea], viewers: &[I64Vec2], cells: i64) -> bool {
        viewers.iter().all(|&viewer| {
            let needed = self.within(CellArea::around(viewer, cells));
            needed.is_none_or(|needed| windows.iter().any(|window| window.holds(&needed)))
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
    fn one_viewer_has_one_window_that_suffices_for_a_while() {
        let margins = margins();
        let at = |x| [I64Vec2::new(x, -77_000)];
        let windows = margins.windows(&at(123));
        assert_eq!(windows.len(), 1);
        assert!(windows[0].longer_side() <= 2 * 1000 + 4 * 256 + 1);
        for x in [123 - 128, 123, 123 + 128] {
            assert!(margins.suffice(&windows, &at(x)), "{x}");
        }
        for x in [123 - 640, 123 + 640] {
            assert!(!margins.suffice(&windows, &at(x)), "{x}");
            assert!(margins.will_do(&windows, &at(x)), "{x}");
        }
        assert!(!margins.will_do(&windows, &at(2000)));
    }

    #[test]
    fn windows_hold_their_viewers_and_do_not_touch() {
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
            let windows = margins.windows(&viewers);
            assert!(margins.suffice(&windows, &viewers), "{viewers:?}");
            for (place, window) in windows.iter().enumerate() {
                let others = &windows[place + 1..];
                assert!(
                    others.iter().all(|other| !other.touches(window)),
                    "{windows:?}"
                );
            }
        }
    }

    #[test]
    fn a_chain_of_viewers_is_no_window_larger_than_a_map() {
        let margins = margins();
        let viewers: Vec<I64Vec2> = (0..40).map(|k| I64Vec2::new(k * 1000, 0)).collect();
        let windows = margins.windows(&viewers);
        assert!(windows.len() > 1);
        assert!(windows.iter().all(|window| window.longer_side() <= MOST));
        assert!(margins.suffice(&windows, &viewers));
    }

    #[test]
    fn where_the_world_ends_windows_do() {
        let bounds = CellArea {
            min: I64Vec2::ZERO,
            max: I64Vec2::new(3000, 5000),
        };
        let margins = Margins::new(1000.0, 1.0, Some(bounds)).unwrap();
        for (x, y) in [(10, 10), (2999, 4999), (-900, 70), (1500, 5400)] {
            let viewer = [I64Vec2::new(x, y)];
            let windows = margins.windows(&viewer);
            assert_eq!(windows.len(), 1, "{x} {y}");
            assert!(bounds.holds(&windows[0]) && margins.suffice(&windows, &viewer));
        }
        let beyond = [I64Vec2::new(-9000, 10)];
        assert!(margins.windows(&beyond).is_empty() && margins.suffice(&[], &beyond));
    }

    #[test]
    fn a_window_that_nobody_is_in_is_not_kept() {
        let margins = margins();
        let two = margins.windows(&[I64Vec2::ZERO, I64Vec2::new(50_000, 0)]);
        assert!(!margins.suffice(&two, &[I64Vec2::ZERO]));
        assert!(margins.suffice(&[], &[]));
    }

    #[test]
    fn the_least_window_does_for_its_viewer_and_no_longer() {
        let margins = margins();
        let viewer = [I64Vec2::new(-5, 77)];
        let least = [margins.least(viewer[0]).unwrap()];
        assert!(margins.will_do(&least, &viewer) && !margins.suffice(&least, &viewer));
    }

    #[test]
    fn distances_that_are_none_are_refused() {
        for distance in [0.0, -1.0, f32::NAN, f32::INFINITY, 4097.0, 0.5] {
            let error = Margins::new(distance, 1.0, None).unwrap_err().to_string();
            assert!(error.contains("distance"), "{error}");
        }
        let largest = Margins::new(4096.0, 1.0, None).unwrap();
        assert!(largest.window(I64Vec2::new(1, -1)).unwrap().longer_side() <= MOST);
    }
}
