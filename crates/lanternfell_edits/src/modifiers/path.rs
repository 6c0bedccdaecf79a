//! Roads, river beds and dams.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use lanternfell_heightmap::{Canceled, Progress};
use serde::{Deserialize, Serialize};

use super::{
    ModifierError,
    area::{Bounds, Grid, check_position},
    check,
    curve::{Curve, Division},
    earthwork::{Bank, Earthwork, NearBed, Pavement, Works},
    nearest::Pieces,
    profile::{Interpolated, graded, smoothed},
};

/// A point of a path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(Reflect),
    reflect(Clone, Debug, Deserialize, PartialEq, Serialize)
)]
pub struct PathPoint {
    /// Along x, y (up) and z in meters, in the terrain's local space.
    pub at: [f32; 3],
    /// The width of the bed in meters, from 0 to 1000.
    pub width: f32,
}

/// Where a path gets its heights from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(Reflect),
    reflect(Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
pub enum PathHeights {
    /// It follows the terrain, smoothed over its width. Where the terrain is too steep, the largest cut and the largest
    /// fill are as small as the grade allows. Where it crosses the bed of a path or a platform that is applied before
    /// it, it has that one's height, unless that one has [`Earthwork::None`].
    Terrain {
        /// The steepest grade, as rise over run, from 0 to 10.
        max_grade: f32,
    },
    /// It has the heights of its points, and those of a smooth curve between them.
    Points,
}

impl Default for PathHeights {
    /// The terrain, with a grade of at most 8 %.
    fn default() -> Self {
        Self::Terrain { max_grade: 0.08 }
    }
}

/// A bed along a smooth line through points.
#[derive(Debug, Clone, PartialEq)]
pub struct PathModifier {
    /// The points, from 2 to [`MAX_POINTS`](Self::MAX_POINTS), or from 3 if the path is closed.
    pub points: Vec<PathPoint>,
    /// Whether the last point is joined to the first one.
    pub closed: bool,
    /// Where the heights of the bed come from.
    pub heights: PathHeights,
    /// Added to the heights of the bed, in meters, from -1000 to 1000.
    pub offset: f32,
    /// How much the bed falls from its middle to its edges, as fall over run, from -10 to 10. A ditch has a negative one.
    pub camber: f32,
    /// Whether it lowers the terrain, raises it, both, or neither.
    pub earthwork: Earthwork,
    /// The slopes next to it.
    pub bank: Bank,
    /// What covers it.
    pub pavement: Pavement,
}

impl PathModifier {
    /// The largest number of points.
    pub const MAX_POINTS: usize = 4096;

    /// The largest number of pieces of up to 16 cells near the map. A path with more has no effect.
    const MAX_PIECES: usize = 65_536;

    /// The largest number of heights along a path. Longer paths have fewer than two per cell.
    const MAX_HEIGHTS: f64 = 262_144.0;

    pub(super) fn validate(&self) -> Result<(), ModifierError> {
        let least = if self.closed { 3 } else { 2 };
        check(
            "number of points",
            self.points.len(),
            least,
            Self::MAX_POINTS,
        )?;
        for point in &self.points {
            check_position(point.at)?;
            check("width", point.width, 0.0, 1000.0)?;
        }
        if let PathHeights::Terrain { max_grade } = self.heights {
            check("max_grade", max_grade, 0.0, 10.0)?;
        }
        check("offset", self.offset, -1000.0, 1000.0)?;
        check("camber", self.camber, -10.0, 10.0)?;
        self.works().validate()
    }

    fn works(&self) -> Works {
        Works {
            earthwork: self.earthwork,
            bank: self.bank,
            pavement: self.pavement,
        }
    }
}

/// The terrain below a path.
pub(super) trait Terrain {
    /// The height at a position in millimeters, and whether it is on the bed of another path or a platform.
    fn mm(&self, at: [f64; 2]) -> (f64, bool);
}

/// A path with its heights.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PathBed {
    pieces: Pieces,
    /// Heights in millimeters at equal distances along the path.
    profile: Vec<f64>,
    /// The distance between two heights in meters.
    step: f64,
    camber: f64,
    pub(super) works: Works,
}

impl PathBed {
    /// Returns `None` if the points of the path are all at one place, or if it has too many pieces.
    pub(super) fn new(
        path: &PathModifier,
        grid: Grid,
        terrain: &impl Terrain,
        progress: &Progress,
    ) -> Result<Option<Self>, Canceled> {
        let (spacing, works) = (grid.spacing(), path.works());
        let widest = path.points.iter().map(|point| point.width / 2.0);
        let widest = f64::from(widest.fold(0.0, f32::max));
        let by = Division {
            longest: spacing * 16.0,
            within: grid.bounds().grown(works.reach() + widest),
            most: PathModifier::MAX_PIECES,
        };
        let Some(curve) = Curve::through(&path.points, path.closed, by) else {
            return Ok(None);
        };
        let count = (curve.length() / spacing * 2.0).ceil();
        let count = count.clamp(1.0, PathModifier::MAX_HEIGHTS) as usize + 1;
        let step = curve.length() / (count - 1) as f64;
        let profile = match path.heights {
            PathHeights::Points => {
                let heights = Interpolated::new(curve.knots.clone(), curve.is_closed);
                let at = |index: usize| heights.at(index as f64 * step) * 1000.0;
                (0..count).map(at).collect()
            }
            PathHeights::Terrain { max_grade } => {
                let steepest = f64::from(max_grade) * step * 1000.0;
                let mut samples = Samples::of(&curve, (count, step), terrain, progress)?;
                samples.smooth((2.0 * widest / step) as usize, curve.is_closed);
                samples.lower_pins(f64::from(path.offset) * 1000.0);
                graded(&samples.heights, &samples.pinned, steepest, curve.is_closed)
            }
        };
        let offset = f64::from(path.offset) * 1000.0;
        Ok(Some(Self {
            pieces: Pieces::new(curve.nodes, works.reach(), by),
            profile: profile.iter().map(|height| height + offset).collect(),
            step,
            camber: path.camber.into(),
            works,
        }))
    }

    /// The areas of the pieces and of their banks.
    pub(super) fn areas(&self) -> impl Iterator<Item = Bounds> {
        self.pieces.areas()
    }

    /// The parts of the bed near a position, in the order of their distance.
    pub(super) fn near(&self, at: [f64; 2]) -> impl DoubleEndedIterator<Item = NearBed> {
        self.pieces.nearest(at).into_iter().map(|near| {
            let [across, half_width] = near.across;
            let fall = self.camber * across.min(half_width) * 1000.0;
            NearBed {
                distance: near.distance,
                mm: self.height(near.along) - fall,
            }
        })
    }

    /// The height of the middle of the bed in millimeters.
    fn height(&self, along: f64) -> f64 {
        let at = along / self.step;
        let index = (at as usize).min(self.profile.len() - 2);
        let [from, to] = [self.profile[index], self.profile[index + 1]];
        from + (to - from) * (at - index as f64)
    }
}

/// The terrain at equal distances along a path.
struct Samples {
    /// In millimeters.
    heights: Vec<f64>,
    /// Whether the height is that of another bed.
    pinned: Vec<bool>,
}

impl Samples {
    fn of(
        curve: &Curve,
        (count, step): (usize, f64),
        terrain: &impl Terrain,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let (mut heights, mut pinned) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (index, at) in positions(curve, count, step).enumerate() {
            if index % 1024 == 0 {
                progress.check()?;
            }
            let (height, is_bed) = terrain.mm(at);
            heights.push(height);
            pinned.push(is_bed);
        }
        Ok(Self { heights, pinned })
    }

    /// Smooths all heights that are not pinned.
    fn smooth(&mut self, reach: usize, is_closed: bool) {
        let smooth = smoothed(&self.heights, reach, is_closed);
        let heights = self.heights.iter_mut().zip(smooth);
        for ((height, smooth), is_pinned) in heights.zip(&self.pinned) {
            if !is_pinned {
                *height = smooth;
            }
        }
    }

    /// Lowers the pins by what is added to all heights afterwards.
    fn lower_pins(&mut self, by: f64) {
        for (height, is_pinned) in self.heights.iter_mut().zip(&self.pinned) {
            if *is_pinned {
                *height -= by;
            }
        }
    }
}

/// Positions at equal distances along a curve.
fn positions(curve: &Curve, count: usize, step: f64) -> impl Iterator<Item = [f64; 2]> {
    let mut index = 0;
    (0..count).map(move |sample| {
        let along = sample as f64 * step;
        while index + 2 < curve.nodes.len() && curve.nodes[index + 1].along < along {
            index += 1;
        }
        let [from, to] = [&curve.nodes[index], &curve.nodes[index + 1]];
        let share = ((along - from.along) / (to.along - from.along)).clamp(0.0, 1.0);
        [0, 1].map(|axis| from.at[axis] + (to.at[axis] - from.at[axis]) * share)
    })
}
