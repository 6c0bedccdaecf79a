//! Plans which chunks of terrain ("plots") need plant meshes for the current cameras.
//!
//! ```text
//!   +---+---+---+---+---+      n  near level
//!   |   | m | m | m |   |      m  middle level
//!   +---+---+---+---+---+      far level: plots eight times as wide, up to the view distance
//!   |   | m | n | m |   |      herbs, which number in the thousands: smaller plots for their near level
//!   +---+---+-o-+---+---+      o  camera
//! ```

use bevy::{math::DVec2, prelude::*};

/// A level of detail that has its own plots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PlotKind {
    /// Impostors or far meshes of large plants.
    Far,
    /// Middle level of large plants.
    Middle,
    /// Near level of large plants.
    Near,
    /// Middle level of grass, ferns and flowers.
    Herbs,
    /// Near level of grass, ferns and flowers.
    NearHerbs,
}

/// Width of the square scatter cells, in meters.
pub(crate) const CELL: f64 = 32.0;

/// Width of the scatter cells for the near level of herbs, in meters.
pub(crate) const SMALL_CELL: f64 = 8.0;

impl PlotKind {
    pub(crate) const ALL: [Self; 5] = [
        Self::Far,
        Self::Middle,
        Self::Near,
        Self::Herbs,
        Self::NearHerbs,
    ];

    /// Scatter cells per side of a plot.
    pub(crate) const fn cells(self) -> i64 {
        match self {
            Self::Far => 8,
            Self::Middle | Self::Near | Self::Herbs | Self::NearHerbs => 1,
        }
    }

    /// Width of a plot, in meters.
    pub(crate) const fn side(self) -> f64 {
        let cell = match self {
            Self::NearHerbs => SMALL_CELL,
            Self::Far | Self::Middle | Self::Near | Self::Herbs => CELL,
        };
        cell * self.cells() as f64
    }

    pub(crate) const fn is_herbs(self) -> bool {
        matches!(self, Self::Herbs | Self::NearHerbs)
    }
}

/// A square chunk of terrain at one level of detail. `index` counts plots from the origin of the plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Plot {
    pub(crate) kind: PlotKind,
    pub(crate) index: [i64; 2],
}

impl Plot {
    /// North-west corner on the plane, in meters.
    pub(crate) fn corner(&self) -> DVec2 {
        DVec2::from(self.index.map(|index| index as f64)) * self.kind.side()
    }

    /// The scatter cells of the plot.
    pub(crate) fn cells(self) -> impl Iterator<Item = [i64; 2]> {
        let count = self.kind.cells();
        let first = self.index.map(|index| index * count);
        (0..count * count).map(move |cell| [first[0] + cell % count, first[1] + cell / count])
    }
}

/// A camera or viewer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Eye {
    /// Position on the plane, in meters.
    pub(crate) place: DVec2,
    /// Height above the highest possible terrain in meters, at least 0.
    pub(crate) above: f64,
}

impl Eye {
    /// Distance to the nearest point of a square.
    fn distance(&self, index: [i64; 2], side: f64) -> f64 {
        let corner = DVec2::from(index.map(|index| index as f64)) * side;
        let nearest = self.place.clamp(corner, corner + side);
        self.place.distance(nearest).hypot(self.above)
    }
}

/// Bounds of the terrain on the plane, in meters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Land {
    pub(crate) min: DVec2,
    pub(crate) max: DVec2,
}

/// Distance in meters that cameras can move before plots are planned again.
pub(crate) const STEP: f64 = 2.0;

/// Whether the previous plan is still valid: same revision, and all eyes within [`STEP`].
pub(crate) fn is_planned(before: &Option<(Vec<Eye>, u64)>, now: &[Eye], revision: u64) -> bool {
    let is_near = |(before, now): (&Eye, &Eye)| {
        let (aside, up) = (before.place.distance(now.place), before.above - now.above);
        aside.hypot(up) <= STEP
    };
    before.as_ref().is_some_and(|(eyes, of)| {
        *of == revision && eyes.len() == now.len() && eyes.iter().zip(now).all(is_near)
    })
}

/// The plots of a kind within `reach` meters of any eye, with the distance to the nearest eye.
pub(crate) fn wanted(kind: PlotKind, reach: f64, eyes: &[Eye], land: &Land) -> Vec<(Plot, f64)> {
    let squares = squares(kind.side(), reach, eyes, land).into_iter();
    squares
        .map(|(index, distance)| (Plot { kind, index }, distance))
        .collect()
}

/// The squares of width `side` within `reach` meters of any eye, sorted by index, with the distance to the nearest eye.
pub(crate) fn squares(side: f64, reach: f64, eyes: &[Eye], land: &Land) -> Vec<([i64; 2], f64)> {
    let mut squares = Vec::new();
    // `above` is part of each distance, so an eye higher than `reach` reaches nothing.
    for eye in eyes.iter().filter(|eye| eye.above < reach) {
        let first = (eye.place - reach).max(land.min) / side;
        // Exclusive end: a square that starts at the border of the terrain is outside.
        let last = (eye.place + reach).min(land.max) / side;
        let (first, last) = (first.floor().as_i64vec2(), last.ceil().as_i64vec2());
        for y in first.y..last.y {
            for x in first.x..last.x {
                let distance = eye.distance([x, y], side);
                if distance < reach {
                    squares.push(([x, y], distance));
                }
            }
        }
    }
    // Several eyes may reach one square. Sort by index, then distance, and keep the nearest.
    squares.sort_by(|(a, near), (b, far)| a.cmp(b).then(near.total_cmp(far)));
    squares.dedup_by_key(|(index, _)| *index);
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eye(x: f64, y: f64, above: f64) -> Eye {
        let place = DVec2::new(x, y);
        Eye { place, above }
    }

    const LAND: Land = Land {
        min: DVec2::splat(-500.0),
        max: DVec2::new(500.0, 480.0),
    };

    /// Reference implementation that tests every plot.
    fn slow(kind: PlotKind, reach: f64, eyes: &[Eye]) -> Vec<Plot> {
        let mut plots = Vec::new();
        for x in -70..70 {
            for y in -70..70 {
                let plot = Plot {
                    kind,
                    index: [x, y],
                };
                let (min, max) = (plot.corner(), plot.corner() + plot.kind.side());
                let on_land = min.cmplt(LAND.max).all() && max.cmpgt(LAND.min).all();
                let seen = eyes
                    .iter()
                    .any(|eye| eye.distance(plot.index, plot.kind.side()) < reach);
                if on_land && seen {
                    plots.push(plot);
                }
            }
        }
        plots
    }

    #[test]
    fn plots_within_reach_are_listed_once() {
        let eyes = [
            eye(10.0, -20.0, 0.0),
            eye(40.0, -20.0, 0.0),
            eye(490.0, 470.0, 60.0),
        ];
        for kind in PlotKind::ALL {
            for reach in [5.0, 33.0, 90.0, 700.0] {
                let found: Vec<Plot> = wanted(kind, reach, &eyes, &LAND)
                    .into_iter()
                    .map(|(plot, _)| plot)
                    .collect();
                assert_eq!(found, slow(kind, reach, &eyes), "{kind:?} {reach}");
            }
        }
    }

    #[test]
    fn distance_is_to_the_nearest_eye() {
        let eyes = [eye(0.0, 0.0, 0.0), eye(100.0, 0.0, 0.0)];
        let found = wanted(PlotKind::Near, 60.0, &eyes, &LAND);
        let of = |x| {
            let plot = |(plot, _): &&(Plot, f64)| plot.index == [x, 0];
            found.iter().find(plot).map(|(_, distance)| *distance)
        };
        assert_eq!((of(0), of(1), of(2)), (Some(0.0), Some(32.0), Some(4.0)));
        // From high above, nothing is near.
        assert_eq!(
            wanted(PlotKind::Near, 60.0, &[eye(0.0, 0.0, 61.0)], &LAND),
            []
        );
    }

    #[test]
    fn cells_fill_their_plot() {
        let plot = Plot {
            kind: PlotKind::Far,
            index: [-1, 2],
        };
        let cells: Vec<[i64; 2]> = plot.cells().collect();
        assert_eq!((cells.len(), cells[0], cells[63]), (64, [-8, 16], [-1, 23]));
        assert_eq!(plot.corner(), DVec2::new(-256.0, 512.0));
    }
}
