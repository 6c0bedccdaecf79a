//! Which squares of land are wanted for which eyes.
//!
//! ```text
//!   +---+---+---+---+---+      n  near: what one walks up to
//!   |   | m | m | m |   |      m  middle
//!   +---+---+---+---+---+      far: squares eight times as wide, as far as one sees
//!   |   | m | n | m |   |      herbs, of which there are thousands: small squares for their near level
//!   +---+---+-o-+---+---+      o  an eye
//! ```

use bevy::{math::DVec2, prelude::*};

/// What is made for a square of land.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PlotKind {
    /// Pictures and few triangles, for all that is seen from afar.
    Far,
    /// The middle level of the same.
    Middle,
    /// The near one.
    Near,
    /// The middle level of grass, ferns and flowers.
    Herbs,
    /// Their near one.
    NearHerbs,
}

/// Side of the square cells that plants are scattered in, in metres.
pub(crate) const CELL: f64 = 32.0;

/// The same for the near level of herbs.
pub(crate) const SMALL_CELL: f64 = 8.0;

impl PlotKind {
    pub(crate) const ALL: [Self; 5] = [
        Self::Far,
        Self::Middle,
        Self::Near,
        Self::Herbs,
        Self::NearHerbs,
    ];

    /// Cells along a side.
    pub(crate) const fn cells(self) -> i64 {
        match self {
            Self::Far => 8,
            Self::Middle | Self::Near | Self::Herbs | Self::NearHerbs => 1,
        }
    }

    /// A side, in metres.
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

/// A square of land with what is made for it. Its north-west corner is a whole number of its sides from the plane's
/// origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Plot {
    pub(crate) kind: PlotKind,
    pub(crate) index: [i64; 2],
}

impl Plot {
    /// The north-west corner on the plane, in metres.
    pub(crate) fn corner(&self) -> DVec2 {
        DVec2::from(self.index.map(|index| index as f64)) * self.kind.side()
    }

    /// Its cells.
    pub(crate) fn cells(self) -> impl Iterator<Item = [i64; 2]> {
        let count = self.kind.cells();
        let first = self.index.map(|index| index * count);
        (0..count * count).map(move |cell| [first[0] + cell % count, first[1] + cell / count])
    }
}

/// Somebody who looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Eye {
    /// On the plane, in metres.
    pub(crate) place: DVec2,
    /// How far above the highest land, or 0.
    pub(crate) above: f64,
}

impl Eye {
    /// How far the nearest of a square is.
    fn distance(&self, index: [i64; 2], side: f64) -> f64 {
        let corner = DVec2::from(index.map(|index| index as f64)) * side;
        let nearest = self.place.clamp(corner, corner + side);
        self.place.distance(nearest).hypot(self.above)
    }
}

/// The land's border on the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Land {
    pub(crate) min: DVec2,
    pub(crate) max: DVec2,
}

/// Cameras move so many metres before it is looked again what is wanted.
pub(crate) const STEP: f64 = 2.0;

/// Whether what is wanted was looked for where these eyes still are, and of that revision.
pub(crate) fn is_planned(before: &Option<(Vec<Eye>, u64)>, now: &[Eye], revision: u64) -> bool {
    let is_near = |(before, now): (&Eye, &Eye)| {
        let (aside, up) = (before.place.distance(now.place), before.above - now.above);
        aside.hypot(up) <= STEP
    };
    before.as_ref().is_some_and(|(eyes, of)| {
        *of == revision && eyes.len() == now.len() && eyes.iter().zip(now).all(is_near)
    })
}

/// The plots of a kind nearer than `reach` metres to any eye, and how far each is from the nearest.
pub(crate) fn wanted(kind: PlotKind, reach: f64, eyes: &[Eye], land: &Land) -> Vec<(Plot, f64)> {
    let squares = squares(kind.side(), reach, eyes, land).into_iter();
    squares
        .map(|(index, distance)| (Plot { kind, index }, distance))
        .collect()
}

/// The squares with that side nearer than `reach` metres to any eye, in the order of their indices, and how far each
/// is from the nearest.
pub(crate) fn squares(side: f64, reach: f64, eyes: &[Eye], land: &Land) -> Vec<([i64; 2], f64)> {
    let mut squares = Vec::new();
    // An eye high above is far from everything below: `above` is a leg of each distance.
    for eye in eyes.iter().filter(|eye| eye.above < reach) {
        let first = (eye.place - reach).max(land.min) / side;
        // A square that begins where the land ends has none.
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
    // Several eyes may want one square: sorted by index, then distance, the nearest of each remains.
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

    /// As who looks at every plot of the plane does.
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
    fn all_within_reach_are_wanted_once() {
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
    fn the_distance_is_that_to_the_nearest_eye() {
        let eyes = [eye(0.0, 0.0, 0.0), eye(100.0, 0.0, 0.0)];
        let found = wanted(PlotKind::Near, 60.0, &eyes, &LAND);
        let of = |x| {
            let plot = |(plot, _): &&(Plot, f64)| plot.index == [x, 0];
            found.iter().find(plot).map(|(_, distance)| *distance)
        };
        assert_eq!((of(0), of(1), of(2)), (Some(0.0), Some(32.0), Some(4.0)));
        // Land that is looked down on from high above has nothing near.
        assert_eq!(
            wanted(PlotKind::Near, 60.0, &[eye(0.0, 0.0, 61.0)], &LAND),
            []
        );
    }

    #[test]
    fn a_plots_cells_fill_it() {
        let plot = Plot {
            kind: PlotKind::Far,
            index: [-1, 2],
        };
        let cells: Vec<[i64; 2]> = plot.cells().collect();
        assert_eq!((cells.len(), cells[0], cells[63]), (64, [-8, 16], [-1, 23]));
        assert_eq!(plot.corner(), DVec2::new(-256.0, 512.0));
    }
}
