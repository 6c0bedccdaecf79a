//! Roads, river beds and dams.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use serde::{Deserialize, Serialize};

use super::{
    MapGrid, ModifierError,
    area::{Bounds, check_position},
    check,
    curve::Curve,
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
    /// It follows the terrain, and moves as little earth as its grade allows. Where it crosses a path or a platform that
    /// is applied before it, it meets that one's height.
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
    /// The points, from 2 to [`MAX_POINTS`](Self::MAX_POINTS).
    pub points: Vec<PathPoint>,
    /// Whether the last point is joined to the first one.
    pub closed: bool,
    /// Where the heights of the bed come from.
    pub heights: PathHeights,
    /// Added to the heights of the bed, in meters, from -1000 to 1000.
    pub offset: f32,
    /// How much the bed falls from its middle to its edges, as fall over run, from -10 to 10. A ditch has a negative one.
    pub camber: f32,
    /// Whether it lowers the terrain, raises it, or both.
    pub earthwork: Earthwork,
    /// The slopes next to it.
    pub bank: Bank,
    /// What covers it.
    pub pavement: Pavement,
}

impl PathModifier {
    /// The largest number of points.
    pub const MAX_POINTS: usize = 4096;

    /// The largest number of heights along a path.
    const MAX_HEIGHTS: f64 = 262_144.0;

    pub(super) fn validate(&self) -> Result<(), ModifierError> {
        check("number of points", self.points.len(), 2, Self::MAX_POINTS)?;
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
pub(super) trait Ground {
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
    /// Returns `None` if the points of the path are all at one place.
    pub(super) fn new(path: &PathModifier, grid: MapGrid, ground: &impl Ground) -> Option<Self> {
        let spacing = f64::from(grid.spacing);
        let longest = spacing * 16.0;
        let curve = Curve::through(&path.points, path.closed, longest)?;
        let count = (curve.length() / spacing * 2.0).ceil();
        let count = count.clamp(1.0, PathModifier::MAX_HEIGHTS) as usize + 1;
        let step = curve.length() / (count - 1) as f64;
        let profile = profile(path, &curve, (count, step), ground);
        let works = path.works();
        Some(Self {
            pieces: Pieces::new(curve.nodes, works.reach(), longest),
            profile,
            step,
            camber: path.camber.into(),
            works,
        })
    }

    /// The areas of the pieces and of their banks.
    pub(super) fn areas(&self) -> Vec<Bounds> {
        self.pieces.areas().collect()
    }

    pub(super) fn near(&self, at: [f64; 2]) -> Option<NearBed> {
        let near = self.pieces.nearest(at)?;
        let [across, half_width] = near.across;
        let fall = self.camber * across.min(half_width) * 1000.0;
        Some(NearBed {
            distance: near.distance,
            mm: self.height(near.along) - fall,
        })
    }

    fn height(&self, along: f64) -> f64 {
        let at = along / self.step;
        let index = (at as usize).min(self.profile.len() - 2);
        let [from, to] = [self.profile[index], self.profile[index + 1]];
        from + (to - from) * (at - index as f64)
    }
}

/// The heights of the middle of the bed in millimeters.
fn profile(
    path: &PathModifier,
    curve: &Curve,
    (count, step): (usize, f64),
    ground: &impl Ground,
) -> Vec<f64> {
    let offset = f64::from(path.offset) * 1000.0;
    let mut profile = match path.heights {
        PathHeights::Points => {
            let heights = Interpolated::new(curve.knots.clone(), path.closed);
            let at = |index: usize| heights.at(index as f64 * step) * 1000.0;
            (0..count).map(at).collect()
        }
        PathHeights::Terrain { max_grade } => {
            let samples = samples(curve, count, step).map(|at| ground.mm(at));
            let (heights, pinned): (Vec<f64>, Vec<bool>) = samples.unzip();
            let widest = path.points.iter().map(|point| point.width);
            let reach = f64::from(widest.fold(0.0, f32::max)) / step;
            let mut smooth = smoothed(&heights, reach as usize, path.closed);
            for (at, _) in pinned.iter().enumerate().filter(|(_, pinned)| **pinned) {
                smooth[at] = heights[at];
            }
            let steepest = f64::from(max_grade) * step * 1000.0;
            graded(&smooth, &pinned, steepest, path.closed)
        }
    };
    for height in &mut profile {
        *height += offset;
    }
    profile
}

/// Positions at equal distances along a curve.
fn samples(curve: &Curve, count: usize, step: f64) -> impl Iterator<Item = [f64; 2]> {
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
