//! The choice of windows for a set of viewers.

use bevy::math::I64Vec2;
use lanternfell_heightmap::{MapSize, ParamError};

use super::CellArea;

/// The amount of terrain around viewers, in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Margins {
    /// The distance around each viewer that must be covered.
    distance: i64,
    /// The borders of windows are at multiples of this.
    step: i64,
    /// All cells of the source, or `None` if it is endless.
    bounds: Option<CellArea>,
}

/// The maximum number of cells along a window's side, which is that of a map.
const MOST: i64 = MapSize::MAX_SIDE as i64;

impl Margins {
    /// The largest distance, in cells. A window is a single map, which also includes a margin of a quarter of the
    /// distance, in which viewers move before the window is replaced.
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
        let distance = cells.ceil() as i64;
        let step = (distance as u64 / 4).next_power_of_two().clamp(32, 1024) as i64;
        Ok(Self {
            distance,
            step,
            bounds,
        })
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

    /// The window for one viewer. It suffices until the viewer has moved by at least half a step. `None` if the viewer
    /// is far outside the bounds.
    fn window(&self, viewer: I64Vec2) -> Option<CellArea> {
        let window = CellArea::around(viewer, self.distance + self.step).aligned(self.step);
        self.within(window)
    }

    /// The smallest window that is acceptable for a viewer.
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
            // Windows that touch are merged. The merged window may touch others in turn.
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

    /// Whether nothing needs to be done: all viewers have terrain around them with some reserve, and each window has a
    /// viewer.
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

    /// Whether windows that are being generated will still be useful for the viewers' current positions.
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
    fn window_of_one_viewer_suffices_for_half_a_step() {
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
    fn windows_contain_their_viewers_and_do_not_touch() {
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
    fn windows_of_a_chain_of_viewers_fit_into_a_map() {
        let margins = margins();
        let viewers: Vec<I64Vec2> = (0..40).map(|k| I64Vec2::new(k * 1000, 0)).collect();
        let windows = margins.windows(&viewers);
        assert!(windows.len() > 1);
        assert!(windows.iter().all(|window| window.longer_side() <= MOST));
        assert!(margins.suffice(&windows, &viewers));
    }

    #[test]
    fn windows_stay_inside_bounds() {
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
    fn windows_without_viewers_do_not_suffice() {
        let margins = margins();
        let two = margins.windows(&[I64Vec2::ZERO, I64Vec2::new(50_000, 0)]);
        assert!(!margins.suffice(&two, &[I64Vec2::ZERO]));
        assert!(margins.suffice(&[], &[]));
    }

    #[test]
    fn least_window_will_do_but_does_not_suffice() {
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
        assert!(largest.window(I64Vec2::new(1, -1)).unwrap().longer_side() <= MOST);
    }
}
