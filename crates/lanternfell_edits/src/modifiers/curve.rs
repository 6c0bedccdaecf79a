//! The line of a path: a smooth curve through its points.
//!
//! A centripetal Catmull-Rom spline meets all points, has no cusps and no loops between them. It is divided until each
//! piece is almost straight.
//!
//! All steps are additions, multiplications, divisions and square roots of `f64`, which IEEE 754 defines exactly, so the
//! curve has the same bits everywhere.
//!
//! Source: Yuksel, Schaefer and Keyser, *Parameterization and applications of Catmull-Rom curves*, 2011. The evaluation
//! is that of Barry and Goldman, 1988.

use super::{area::Bounds, path::PathPoint};

/// A point of the divided curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Node {
    /// Along x and z in meters.
    pub(super) at: [f64; 2],
    /// The distance from the start of the path along it.
    pub(super) along: f64,
    /// Half of the width of the bed.
    pub(super) half_width: f64,
}

/// How far a piece may be from the curve, in parts of its longest allowed length.
const TOLERANCE: f64 = 1.0 / 512.0;

/// How often a piece between two points can be halved.
const HALVINGS: u32 = 24;

/// Points that are closer than this, in meters, count as one.
const SAME: f64 = 0.001;

/// The divided curve, and the distance along it of each point. A closed curve ends with its first point.
pub(super) struct Curve {
    pub(super) nodes: Vec<Node>,
    /// The distance along the curve, and the height of each point in meters.
    pub(super) knots: Vec<[f64; 2]>,
    pub(super) is_closed: bool,
}

/// How finely a curve is divided.
#[derive(Clone, Copy)]
pub(super) struct Division {
    /// The longest piece in meters.
    pub(super) longest: f64,
    /// Outside of these bounds, pieces are longer.
    pub(super) within: Bounds,
    /// The maximum number of pieces.
    pub(super) most: usize,
}

impl Curve {
    /// Returns `None` if there are not two different points, or if the curve has too many pieces.
    pub(super) fn through(points: &[PathPoint], is_closed: bool, by: Division) -> Option<Self> {
        let mut line: Vec<&PathPoint> = Vec::with_capacity(points.len() + 1);
        for point in points {
            let is_same = |last: &&PathPoint| length(place(last), place(point)) < SAME;
            if !line.last().is_some_and(is_same) {
                line.push(point);
            }
        }
        if is_closed {
            while line.len() > 1 && length(place(line[0]), place(line[line.len() - 1])) < SAME {
                line.pop();
            }
        }
        let (start, is_closed) = (*line.first()?, is_closed && line.len() > 2);
        if is_closed {
            line.push(start);
        }
        let mut curve = Self {
            nodes: vec![Node {
                at: place(start),
                along: 0.0,
                half_width: half_width(start),
            }],
            knots: vec![[0.0, f64::from(start.at[1])]],
            is_closed,
        };
        for index in 1..line.len() {
            let span = Span::new(&line, index, is_closed);
            let widths = [line[index - 1], line[index]].map(half_width);
            curve.add(&span, widths, by)?;
            let height = f64::from(line[index].at[1]);
            curve.knots.push([curve.length(), height]);
        }
        (line.len() > 1 && curve.length().is_finite()).then_some(curve)
    }

    pub(super) fn length(&self) -> f64 {
        self.nodes.last().map_or(0.0, |node| node.along)
    }

    /// The place at a distance along the curve. Before the start and after the end of a curve that is not closed, it is
    /// the first or the last point.
    pub(super) fn at(&self, along: f64) -> Node {
        let along = match self.is_closed {
            true => along.rem_euclid(self.length()),
            false => along.clamp(0.0, self.length()),
        };
        let next = self.nodes.partition_point(|node| node.along < along);
        let next = next.clamp(1, self.nodes.len() - 1);
        let [from, to] = [self.nodes[next - 1], self.nodes[next]];
        let step = to.along - from.along;
        let share = match step > 0.0 {
            true => ((along - from.along) / step).clamp(0.0, 1.0),
            false => 0.0,
        };
        let mix = |from: f64, to: f64| from + (to - from) * share;
        Node {
            at: [0, 1].map(|axis| mix(from.at[axis], to.at[axis])),
            along,
            half_width: mix(from.half_width, to.half_width),
        }
    }

    /// Adds the pieces between two points. Returns `None` if there are too many.
    fn add(&mut self, span: &Span, widths: [f64; 2], by: Division) -> Option<()> {
        let mut pieces = vec![(0.0, 1.0, 0)];
        while let Some((from, to, halvings)) = pieces.pop() {
            let middle = (from + to) / 2.0;
            let [a, b, c] = [from, middle, to].map(|share| span.at(share));
            let long = length(a, b) + length(b, c);
            // The middle of a flat arc of a chord `l` is `sqrt(bend * l / 2)` away from the chord.
            let away = ((long - length(a, c)).max(0.0) * length(a, c) / 2.0).sqrt();
            let is_coarse = long > by.longest || away > by.longest * TOLERANCE;
            let is_near = Bounds::of([a, b, c]).grown(long).meets(by.within);
            if halvings < HALVINGS && (halvings < 2 || is_coarse && is_near) {
                pieces.extend([(middle, to, halvings + 1), (from, middle, halvings + 1)]);
            } else if self.nodes.len() > by.most {
                return None;
            } else {
                let before = self.nodes[self.nodes.len() - 1];
                // Slow at both points, so that edges have no corners there.
                let share = to * to * (3.0 - 2.0 * to);
                self.nodes.push(Node {
                    at: c,
                    along: before.along + length(before.at, c),
                    half_width: widths[0] + (widths[1] - widths[0]) * share,
                });
            }
        }
        Some(())
    }
}

/// The curve between two points, and the parameters of these and of the ones next to them.
struct Span {
    points: [[f64; 2]; 4],
    knots: [f64; 4],
}

impl Span {
    /// The curve that ends at the point `index`.
    fn new(points: &[&PathPoint], index: usize, is_closed: bool) -> Self {
        let (last, at) = (points.len() - 1, |index: usize| place(points[index]));
        let (from, to) = (at(index - 1), at(index));
        // Beyond the ends, the line goes straight on.
        let mirrored =
            |point: [f64; 2], at: [f64; 2]| [0, 1].map(|axis| 2.0 * at[axis] - point[axis]);
        let before = match index {
            1 if is_closed => at(last - 1),
            1 => mirrored(to, from),
            _ => at(index - 2),
        };
        let after = match index {
            _ if index < last => at(index + 1),
            _ if is_closed => at(1),
            _ => mirrored(from, to),
        };
        let points = [before, from, to, after];
        let mut knots = [0.0; 4];
        for index in 1..4 {
            let step = length(points[index - 1], points[index]).sqrt();
            knots[index] = knots[index - 1] + step;
        }
        Self { points, knots }
    }

    /// The point at a share of the way.
    fn at(&self, share: f64) -> [f64; 2] {
        let (points, knots) = (&self.points, &self.knots);
        if share <= 0.0 {
            return points[1];
        }
        if share >= 1.0 {
            return points[2];
        }
        let at = knots[1] + (knots[2] - knots[1]) * share;
        let mix = |a: [f64; 2], b: [f64; 2], from: f64, to: f64| {
            let share = (at - from) / (to - from);
            [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * share)
        };
        let thirds = [0, 1, 2].map(|i| mix(points[i], points[i + 1], knots[i], knots[i + 1]));
        let halves = [0, 1].map(|i| mix(thirds[i], thirds[i + 1], knots[i], knots[i + 2]));
        mix(halves[0], halves[1], knots[1], knots[2])
    }
}

pub(super) fn place(point: &PathPoint) -> [f64; 2] {
    [point.at[0], point.at[2]].map(f64::from)
}

fn half_width(point: &PathPoint) -> f64 {
    f64::from(point.width) / 2.0
}

pub(super) fn length(a: [f64; 2], b: [f64; 2]) -> f64 {
    let [x, z] = [b[0] - a[0], b[1] - a[1]];
    (x * x + z * z).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(places: &[[f32; 2]]) -> Vec<PathPoint> {
        let point = |&[x, z]: &[f32; 2]| PathPoint {
            at: [x, 0.0, z],
            width: 2.0,
        };
        places.iter().map(point).collect()
    }

    fn curve(places: &[[f32; 2]], is_closed: bool, longest: f64) -> Option<Curve> {
        let within = Bounds {
            min: [-1000.0; 2],
            max: [1000.0; 2],
        };
        let most = 5000;
        let by = Division {
            longest,
            within,
            most,
        };
        Curve::through(&points(places), is_closed, by)
    }

    #[test]
    fn meets_all_points_in_short_pieces() {
        let places = [
            [0.0, 0.0],
            [40.0, 0.0],
            [40.0, 30.0],
            [41.0, 30.0],
            [0.0, 90.0],
        ];
        for is_closed in [false, true] {
            let curve = curve(&places, is_closed, 4.0).unwrap();
            for [x, z] in places {
                let place = [x, z].map(f64::from);
                assert!(curve.nodes.iter().any(|node| node.at == place));
            }
            assert_eq!(curve.knots.len(), places.len() + usize::from(is_closed));
            for pair in curve.nodes.windows(2) {
                let step = length(pair[0].at, pair[1].at);
                assert!(step > 0.0 && step <= 4.0);
                assert_eq!(
                    pair[1].along - pair[0].along,
                    (pair[0].along + step) - pair[0].along
                );
            }
            let [first, last] = [&curve.nodes[0], &curve.nodes[curve.nodes.len() - 1]];
            assert_eq!(first.at == last.at, is_closed);
        }
    }

    #[test]
    fn straight_lines_stay_straight() {
        let curve = curve(&[[0.0, 0.0], [10.0, 0.0], [90.0, 0.0]], false, 5.0);
        let curve = curve.unwrap();
        assert!(curve.nodes.iter().all(|node| node.at[1] == 0.0));
        assert_eq!(curve.length(), 90.0);
    }

    #[test]
    fn circles_are_round() {
        let diamond = [[10.0, 0.0], [0.0, 10.0], [-10.0, 0.0], [0.0, -10.0]];
        let curve = curve(&diamond, true, 1.0).unwrap();
        let radii = curve.nodes.iter().map(|node| length(node.at, [0.0; 2]));
        assert!(radii.clone().all(|radius| (8.8..10.1).contains(&radius)));
        // The last piece joins the first one without a corner.
        let count = curve.nodes.len();
        let [a, b, c] = [count - 2, 0, 1].map(|at| curve.nodes[at].at);
        let turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
        assert!((turn / (length(a, b) * length(b, c))).abs() < 0.1);
    }

    #[test]
    fn places_are_at_their_distance() {
        let places = [[0.0, 0.0], [40.0, 0.0], [40.0, 30.0]];
        for is_closed in [false, true] {
            let curve = curve(&places, is_closed, 4.0).unwrap();
            for node in &curve.nodes[1..curve.nodes.len() - 1] {
                assert_eq!(curve.at(node.along), *node);
            }
            let (before, after) = (curve.at(-5.0).at, curve.at(curve.length() + 5.0).at);
            let [first, last] = [0, curve.nodes.len() - 1].map(|at| curve.nodes[at].at);
            if is_closed {
                assert_eq!(curve.at(curve.length()).at, first);
                assert_eq!(before, curve.at(curve.length() - 5.0).at);
                assert!(length(after, curve.at(5.0).at) < 1e-9);
            } else {
                assert_eq!([before, after], [first, last]);
            }
        }
    }

    #[test]
    fn repeated_points_count_once() {
        assert!(curve(&[[1.0, 1.0]; 5], true, 1.0).is_none());
        let twice = [[0.0, 0.0], [0.0, 0.0], [9.0, 0.0], [9.0, 0.0], [0.0, 0.0]];
        let curve = curve(&twice, true, 1.0).unwrap();
        assert!(!curve.is_closed && curve.length() == 9.0);
        assert!(
            curve
                .nodes
                .iter()
                .all(|node| node.at.iter().all(|z| z.is_finite()))
        );
    }

    /// The parameters of two points would be equal.
    #[test]
    fn nearly_equal_points_count_once() {
        let places = [
            [-90.0, 0.0],
            [0.0, 0.0],
            [1e-30, 0.0],
            [90.0, 5.0],
            [-90.0, 1e-9],
        ];
        for is_closed in [false, true] {
            let curve = curve(&places, is_closed, 4.0).unwrap();
            let is_finite = |node: &Node| node.at.iter().all(|along| along.is_finite());
            assert!(curve.nodes.iter().all(is_finite));
            assert_eq!(curve.is_closed, is_closed);
            assert_eq!(curve.knots.len(), 4);
        }
    }

    #[test]
    fn only_near_parts_are_divided() {
        let far = [[-1e7, -1e7], [1e7, 1e7]];
        let divided = curve(&far, false, 10.0).unwrap();
        assert!(divided.nodes.len() < 1500, "{}", divided.nodes.len());
        for pair in divided.nodes.windows(2) {
            let [a, b] = [pair[0].at, pair[1].at];
            let is_inside = a.iter().chain(&b).any(|along| along.abs() < 1000.0);
            assert!(!is_inside || length(a, b) <= 10.0);
        }
        let to_and_fro: Vec<[f32; 2]> = (0..200)
            .map(|x| [x as f32, (x % 2) as f32 * 900.0])
            .collect();
        assert!(curve(&to_and_fro, false, 10.0).is_none());
    }
}
