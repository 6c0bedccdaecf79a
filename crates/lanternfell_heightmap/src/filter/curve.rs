//! A curve drawn through points, from each height to a new one.
//!
//! Problem: a beach, a shelf, a steep top: more than a power or a clamp can say.
//!
//! Idea: a smooth curve through a few points. A plain cubic spline swings out between
//! them, so hills become pits where the user drew a rise. A *monotone* cubic does not: it
//! rises where the points rise and falls where they fall.
//!
//! ```text
//!   1 |            .--*        the slope at each point is the mean of its two chords';
//!     |          .'            0 at a peak, a dip and along a level; and where the two
//!     |    *---*'              slopes of a chord are too steep for it, both are
//!   0 |*-'                     shortened together
//!     +----------------
//! ```
//!
//! Steps: chords; slopes; shorten where `a^2 + b^2 > 9`, `a` and `b` being the slopes at
//! the chord's ends over its own. Between two points Hermite's cubic. Before the first and
//! after the last point the curve is level.
//!
//! Source: Fritsch and Carlson, *Monotone Piecewise Cubic Interpolation*, 1980.

use serde::{Deserialize, Serialize};

use super::{MAX_HEIGHT, apply::Apply, finite, levels, part::Locality};
use crate::{
    FilterContext, GenerateError, Heightmap, MapSize, ParamError, Progress, Scale, parameter,
};

/// Each height `x` becomes the `y` of a smooth curve through these points `(x, y)`, which
/// never swings beyond them.
///
/// In a recipe `Curve([(0, 0), (0.5, 0.2), (1, 1)])`. From 2 to 64 points, each `x` at
/// least a thousand-millionth above the one before, both from -1,000,000 to 1,000,000. By default nothing changes between
/// 0 and 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Curve(pub Vec<(f64, f64)>);

parameter::lists! {
    Curve, "a list of pairs, as [(0, 0), (1, 1)],";
}

/// Between the `x` of two points: of much nearer ones the slope would not be a number.
const LEAST_GAP: f64 = 1e-9;

/// The curve from one point to the next, as a cubic in the distance from the first.
#[derive(Debug, Clone, Copy)]
struct Piece {
    x: f64,
    /// Of the distance's powers from 0 to 3.
    factors: [f64; 4],
    /// The two points' heights, the lower first: no rounding leads beyond.
    bounds: (f64, f64),
}

impl Default for Curve {
    fn default() -> Self {
        Self(vec![(0.0, 0.0), (1.0, 1.0)])
    }
}

impl Curve {
    /// The most points.
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
            let allowed = format_args!(
                "at least {LEAST_GAP} above that of the point before, which is {before}"
            );
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

/// The slope at each point, from the chords between them.
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
