//! Computes when a ball that moves along a straight line first touches a triangle.
//!
//! Idea: a ball touches a triangle when its center reaches the triangle inflated by the radius:
//! two flat faces, three round edges, three round corners. That body is convex. If the line
//! enters through a face, nothing is touched earlier. Otherwise the first of the edges and
//! corners counts.
//!
//! ```text
//!      .------------.        the center enters through a face,
//!    (   ==========   )  <-  through an edge or a corner
//!      `------------'
//! ```
//!
//! Cylinders and spheres are hit where `(t - t0)^2 = (r^2 - d^2) / s`. Here `t0` is the time when
//! the center is nearest to the axis, `d` the distance then, and `s` the squared speed across the
//! axis. Computed from that point, small radii stay precise far from the origin.
//!
//! Source: Ericson, *Real-Time Collision Detection*, 2005, 5.1.5 and 5.5.6; for `d`, Haines, Günther and
//! Akenine-Möller, *Precision Improvements for Ray/Sphere Intersection*, Ray Tracing Gems, 2019.

use glam::DVec3;

/// The first touch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    /// The distance that the ball has moved.
    pub(super) time: f64,
    /// The point of the triangle.
    pub(super) point: DVec3,
}

/// The tolerance of the inside test, relative to the sides of the triangle. A ball should rather
/// touch two neighbors than fall between them.
const SLACK: f64 = 1e-12;

/// When a ball with its center at `origin` first touches the triangle, moving in the unit
/// direction. 0 if it touches the triangle at the start.
pub(super) fn touch(
    origin: DVec3,
    direction: DVec3,
    radius: f64,
    triangle: [DVec3; 3],
) -> Option<Touch> {
    let point = closest(origin, triangle);
    if point.distance_squared(origin) <= radius * radius {
        return Some(Touch { time: 0.0, point });
    }
    // Edges and corners are computed only if the faces are missed: they cost a square root each.
    touch_face(origin, direction, radius, triangle).or_else(|| {
        let [a, b, c] = triangle;
        let edges = [(a, b), (b, c), (c, a)];
        let edges = edges.map(|edge| touch_edge(origin, direction, radius, edge));
        let corners = triangle.map(|corner| touch_corner(origin, direction, radius, corner));
        let all = edges.into_iter().chain(corners).flatten();
        all.min_by(|a, b| a.time.total_cmp(&b.time))
    })
}

fn touch_face(origin: DVec3, direction: DVec3, radius: f64, triangle: [DVec3; 3]) -> Option<Touch> {
    let [a, b, c] = triangle;
    let normal = (b - a).cross(c - a).normalize();
    let (away, speed) = (normal.dot(origin - a), normal.dot(direction));
    // The face on the side that the ball comes from.
    let reach = if away > 0.0 { radius } else { -radius };
    // Inside the slab only edges and corners can be hit. A ball that moves parallel to the face
    // has speed 0, and the infinite `time` is never used.
    let comes = away.abs() > radius && away * speed < 0.0;
    let time = (reach - away) / speed;
    let point = origin + time * direction - reach * normal;
    (comes && contains(triangle, point)).then_some(Touch { time, point })
}

/// Whether a point in the triangle's plane is inside the triangle.
fn contains([a, b, c]: [DVec3; 3], point: DVec3) -> bool {
    let (ab, ac, ap) = (b - a, c - a, point - a);
    // Barycentric coordinates by Cramer's rule (Ericson 3.4).
    let (bb, bc, cc) = (ab.dot(ab), ab.dot(ac), ac.dot(ac));
    let (pb, pc) = (ap.dot(ab), ap.dot(ac));
    let whole = bb * cc - bc * bc;
    let (v, w) = ((cc * pb - bc * pc) / whole, (bb * pc - bc * pb) / whole);
    v >= -SLACK && w >= -SLACK && v + w <= 1.0 + SLACK
}

fn touch_edge(
    origin: DVec3,
    direction: DVec3,
    radius: f64,
    (from, to): (DVec3, DVec3),
) -> Option<Touch> {
    let (edge, away) = (to - from, origin - from);
    let length = edge.length_squared();
    // Projected along the edge, the cylinder is a circle in the plane across it.
    let across = |vector: DVec3| vector - edge * (vector.dot(edge) / length);
    let time = touch_middle(across(away), across(direction), radius)?;
    let along = (away + time * direction).dot(edge) / length;
    // Beyond its ends the cylinder is not part of the body. The corners cover that range.
    (0.0..=1.0).contains(&along).then(|| Touch {
        time,
        point: from + along * edge,
    })
}

fn touch_corner(origin: DVec3, direction: DVec3, radius: f64, corner: DVec3) -> Option<Touch> {
    let time = touch_middle(origin - corner, direction, radius)?;
    Some(Touch {
        time,
        point: corner,
    })
}

/// When a point that starts at `away` comes within `radius` of 0, from further away.
fn touch_middle(away: DVec3, direction: DVec3, radius: f64) -> Option<f64> {
    let speed = direction.length_squared();
    let nearest = -away.dot(direction) / speed;
    let rest = radius * radius - (away + nearest * direction).length_squared();
    let time = nearest - (rest / speed).sqrt();
    // NaN fails too: it means that nothing moves or that the point passes by.
    (time >= 0.0).then_some(time)
}

/// The point of a triangle that is closest to `point`.
pub(super) fn closest(point: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let (ab, ac) = (b - a, c - a);
    let from_a = point - a;
    let (d1, d2) = (ab.dot(from_a), ac.dot(from_a));
    // Each test finds one Voronoi region of the triangle (Ericson 5.1.5): first corner A, ...
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let from_b = point - b;
    let (d3, d4) = (ab.dot(from_b), ac.dot(from_b));
    // ... corner B, ...
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let of_c = d1 * d4 - d3 * d2;
    // ... edge AB, ...
    if of_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let from_c = point - c;
    let (d5, d6) = (ab.dot(from_c), ac.dot(from_c));
    // ... corner C, ...
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let of_b = d5 * d2 - d1 * d6;
    // ... edge AC, ...
    if of_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let of_a = d3 * d6 - d5 * d4;
    // ... edge BC, ...
    if of_a <= 0.0 && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    // ... and the face. The `of_` values are barycentric coordinates, not yet divided by their
    // sum.
    let whole = of_a + of_b + of_c;
    a + ab * (of_b / whole) + ac * (of_c / whole)
}
