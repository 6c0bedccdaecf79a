//! When a ball on a straight way first touches a triangle.
//!
//! Idea: a ball touches a triangle when its middle comes to the triangle grown by the radius all round:
//! two flat faces, three round edges, three round corners. That body is convex, so if the way comes in
//! through a face, nothing is touched before; else the first of edges and corners counts.
//!
//! ```text
//!      .------------.        the middle comes in through a face,
//!    (   ==========   )  <-  through an edge or a corner
//!      `------------'
//! ```
//!
//! Cylinders and balls are met where `(t - t0)^2 = (r^2 - d^2) / s`: `t0` when the middle is nearest to the
//! axis, `d` how near, `s` its speed across. Computed from that place, small balls keep their radius far
//! from home.
//!
//! Source: Ericson, *Real-Time Collision Detection*, 2005, 5.1.5 and 5.5.6; for `d`, Haines, Günther and
//! Akenine-Möller, *Precision Improvements for Ray/Sphere Intersection*, Ray Tracing Gems, 2019.

use glam::DVec3;

/// The first touch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    /// How far the ball has come.
    pub(super) time: f64,
    /// The point of the triangle.
    pub(super) point: DVec3,
}

/// What rounding may put a point beside a triangle, by its sides: rather touched twice than not at all.
const SLACK: f64 = 1e-12;

/// When a ball with its middle at `origin` first touches the triangle, going in the unit direction; 0 if
/// it touches it from the start.
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
    // The face on the side that it comes from.
    let reach = if away > 0.0 { radius } else { -radius };
    let comes = away.abs() > radius && away * speed < 0.0;
    let time = (reach - away) / speed;
    let point = origin + time * direction - reach * normal;
    (comes && contains(triangle, point)).then_some(Touch { time, point })
}

/// Whether a point of the triangle's plane lies in it.
fn contains([a, b, c]: [DVec3; 3], point: DVec3) -> bool {
    let (ab, ac, ap) = (b - a, c - a, point - a);
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
    let across = |vector: DVec3| vector - edge * (vector.dot(edge) / length);
    let time = touch_middle(across(away), across(direction), radius)?;
    let along = (away + time * direction).dot(edge) / length;
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

/// When what begins at `away` comes within `radius` of 0, from further away.
fn touch_middle(away: DVec3, direction: DVec3, radius: f64) -> Option<f64> {
    let speed = direction.length_squared();
    let nearest = -away.dot(direction) / speed;
    let rest = radius * radius - (away + nearest * direction).length_squared();
    let time = nearest - (rest / speed).sqrt();
    // NaN, of what stands still or passes by, fails too.
    (time >= 0.0).then_some(time)
}

/// The point of a triangle that is closest to `point`.
pub(super) fn closest(point: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let (ab, ac) = (b - a, c - a);
    let from_a = point - a;
    let (d1, d2) = (ab.dot(from_a), ac.dot(from_a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let from_b = point - b;
    let (d3, d4) = (ab.dot(from_b), ac.dot(from_b));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let of_c = d1 * d4 - d3 * d2;
    if of_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let from_c = point - c;
    let (d5, d6) = (ab.dot(from_c), ac.dot(from_c));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let of_b = d5 * d2 - d1 * d6;
    if of_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let of_a = d3 * d6 - d5 * d4;
    if of_a <= 0.0 && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let whole = of_a + of_b + of_c;
    a + ab * (of_b / whole) + ac * (of_c / whole)
}
