//! A straight line through points, by least squares.

/// Points, as the sums that the line follows from.
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

    /// How many points there are.
    pub(crate) fn points(&self) -> f64 {
        self.points
    }

    /// How the line rises; `None` where all points have one `x`, or some number is none.
    pub(crate) fn slope(&self) -> Option<f64> {
        let spread = self.points * self.xx - self.x * self.x;
        let slope = (self.points * self.xy - self.x * self.y) / spread;
        // Below it is all rounding.
        let wide = spread > 1e-9 * self.points * self.xx;
        Some(slope).filter(|slope| wide && slope.is_finite())
    }

    /// Where a line of that slope through the points' middle crosses the y axis.
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
    fn it_goes_through_the_points() {
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
    fn there_is_none_through_one_place_or_no_number() {
        assert_eq!(line(&[]).slope(), None);
        assert_eq!(line(&[(3.0, 1.0), (3.0, 2.0)]).slope(), None);
        assert_eq!(line(&[(1.0, 1.0), (2.0, f64::NEG_INFINITY)]).slope(), None);
    }
}
