//! A curve through points that maps each height to a new one.
//!
//! Problem: a beach, a continental shelf or a steep summit needs a height profile that no power function or clamp
//! produces.
//!
//! Idea: a smooth curve through a few points. An ordinary cubic spline overshoots between the points, so a rise that
//! the user drew can contain a dip. A *monotone* cubic does not overshoot: it rises where the points rise and falls
//! where they fall.
//!
//! ```text
//!   1 |            .--*        The slope at a point is the mean of the slopes of its
//!     |          .'            two chords, or 0 at a peak, at a dip and next to a level
//!     |    *---*'              chord. Where both slopes are too steep for the chord
//!   0 |*-'                     between them, both are reduced by the same factor.
//!     +----------------
//! ```
//!
//! Steps: compute the slopes of the chords, then the slopes at the points. Let `a` and `b` be the slopes at the ends of
//! a chord, divided by the slope of the chord. Where `a^2 + b^2 > 9`, reduce both. Interpolate with cubic Hermite
//! polynomials. Before the first and after the last point the curve is constant.
//!
//! Source: Fritsch and Carlson, *Monotone Piecewise Cubic Interpolation*, 1980.

use serde::{Deserialize, Serialize};

use super::{MAX_HEIGHT, apply::Apply, finite, levels, part::Locality};
use crate::{
    FilterContext, GenerateError, Heightmap, MapSize, ParamError, Progress, Scale, parameter,
};

/// A smooth curve through the points `(x, y)`, which maps each height `x` to a height `y`.
///
/// Between two points the curve stays within their heights. In a recipe: `Curve([(0, 0), (0.5, 0.2), (1, 1)])`.
///
/// There must be 2 to 64 points. All numbers must be from -1,000,000 to 1,000,000, and each `x` must be at least 1e-9
/// above the previous one. The default keeps heights from 0 to 1 unchanged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Curve(pub Vec<(f64, f64)>);

parameter::lists! {
    Curve, "a list of pairs, such as [(0, 0), (1, 1)],";
}

/// The minimum distance between the `x` of two points. For much smaller distances the slope would not be finite.
const LEAST_GAP: f64 = 1e-9;

/// The curve between two points, as a cubic polynomial of the distance from the first point.
#[derive(Debug, Clone, Copy)]
struct Piece {
    x: f64,
    /// The coefficients of the powers 0 to 3.
    factors: [f64; 4],
    /// The lower and the higher of the two points' heights. Results are clamped to them against rounding errors.
    bounds: (f64, f64),
}

impl Default for Curve {
    fn default() -> Self {
        Self(vec![(0.0, 0.0), (1.0, 1.0)])
    }
}

impl Curve {
    /// The maximum number of points.
    pub const MAX_POINTS: usize = 64;

    fn pieces(&self) -> Vec<Piece> {
        let pairs = || self.0.windows(2).map(|pair| (pair[0], pair[1]));
        let chords: Vec<f64> = pairs().map(|(a, b)| (b.1 - a.1) / (b.0 - a.0)).collect();
        let slopes = slopes(&chords);
        pairs()
            .zip(chords.iter().zip(slopes.windows(2)))
            .map(|((a, b), (&chord, slopes))| {
                let length = b.0 - a.0;
                let (start, end) = (slopes[0], slopes[1]);
                let square = (3.0 * chord - 2.0 * start - end) / length;
                let cube = (start + end - 2.0 * chord) / (length * length);
                Piece {
                    x: a.0,
                    factors: [a.1, start, square, cube],
                    bounds: (a.1.min(b.1), a.1.max(b.1)),
                }
            })
            .collect()
    }
}

impl Apply for Curve {
    fn validate(&self) -> Result<(), ParamError> {
        let count = self.0.len() as f64;
        ParamError::check_range("curve", "points", count, 2.0, Self::MAX_POINTS as f64)?;
        for &(x, y) in &self.0 {
            ParamError::check_range("curve", "x", x, -MAX_HEIGHT, MAX_HEIGHT)?;
            ParamError::check_range("curve", "y", y, -MAX_HEIGHT, MAX_HEIGHT)?;
        }
        self.0.windows(2).try_for_each(|pair| {
            let (before, x) = (pair[0].0, pair[1].0);
            let allowed =
                format_args!("at least {LEAST_GAP} above the x of the previous point, {before}");
            ParamError::check(x - before >= LEAST_GAP, "curve", "x", x, allowed)
        })
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let pieces = self.pieces();
        let (first, last) = (self.0[0], self.0[self.0.len() - 1]);
        Ok(levels::each(map, progress, |z| {
            let x = f64::from(z).clamp(first.0, last.0);
            let piece = pieces.partition_point(|piece| piece.x <= x).max(1) - 1;
            pieces[piece].at(x)
        })?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::exact(0)
    }
}

impl Piece {
    fn at(&self, x: f64) -> f32 {
        let [a, b, c, d] = self.factors;
        let t = x - self.x;
        let y = a + t * (b + t * (c + t * d));
        finite(y.clamp(self.bounds.0, self.bounds.1))
    }
}

/// The slope at each point, computed from the slopes of the chords between the points.
fn slopes(chords: &[f64]) -> Vec<f64> {
    let last = chords.len() - 1;
    let mean = |pair: &[f64]| {
        let turns = pair[0] * pair[1] <= 0.0;
        if turns {
            0.0
        } else {
            0.5 * (pair[0] + pair[1])
        }
    };
    let mut slopes = vec![chords[0]];
    slopes.extend(chords.windows(2).map(mean));
    slopes.push(chords[last]);
    for (k, &chord) in chords.iter().enumerate() {
        if chord == 0.0 {
            (slopes[k], slopes[k + 1]) = (0.0, 0.0);
            continue;
        }
        let (a, b) = (slopes[k] / chord, slopes[k + 1] / chord);
        let length = (a * a + b * b).sqrt();
        if length > 3.0 {
            slopes[k] = 3.0 / length * a * chord;
            slopes[k + 1] = 3.0 / length * b * chord;
        }
    }
    slopes
}
