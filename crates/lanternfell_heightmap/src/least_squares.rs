//! Line fitting by least squares.

/// Points, stored as the sums from which the line is computed.
#[derive(Default)]
pub(crate) struct Line {
    points: f64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
}

impl Line {
    pub(crate) fn add(&mut self, x: f64, y: f64) {
        self.points += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.xy += x * y;
    }

    /// The number of points.
    pub(crate) fn points(&self) -> f64 {
        self.points
    }

    /// The slope of the line; `None` if all points have the same `x`, or a coordinate is not finite.
    pub(crate) fn slope(&self) -> Option<f64> {
        let spread = self.points * self.xx - self.x * self.x;
        let slope = (self.points * self.xy - self.x * self.y) / spread;
        // A smaller spread is only rounding error.
        let wide = spread > 1e-9 * self.points * self.xx;
        Some(slope).filter(|slope| wide && slope.is_finite())
    }

    /// The height at `x = 0` of the line with this slope through the mean of the points.
    pub(crate) fn height_at_0(&self, slope: f64) -> f64 {
        (self.y - slope * self.x) / self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: &[(f64, f64)]) -> Line {
        let mut line = Line::default();
        points.iter().for_each(|&(x, y)| line.add(x, y));
        line
    }

    #[test]
    fn line_fits_the_points() {
        let exact = line(&[(1.0, 5.0), (2.0, 7.0), (4.0, 11.0)]);
        let slope = exact.slope().unwrap();
        assert!((slope - 2.0).abs() < 1e-12 && (exact.height_at_0(slope) - 3.0).abs() < 1e-12);
        // Anscombe's first set, *Graphs in statistical analysis*, 1973: 3 + 0.5 x.
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [
            8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68,
        ];
        let points: Vec<(f64, f64)> = x.into_iter().zip(y).collect();
        let slope = line(&points).slope().unwrap();
        assert!((slope - 0.500).abs() < 1e-3, "{slope}");
    }

    #[test]
    fn slope_is_none_without_spread_or_finite_points() {
        assert_eq!(line(&[]).slope(), None);
        assert_eq!(line(&[(3.0, 1.0), (3.0, 2.0)]).slope(), None);
        assert_eq!(line(&[(1.0, 1.0), (2.0, f64::NEG_INFINITY)]).slope(), None);
    }
}
