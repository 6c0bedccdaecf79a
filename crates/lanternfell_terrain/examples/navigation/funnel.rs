//! Shortens a path through a sequence of doors, like pulling a string tight.
//!
//! Problem: the polygons of a path are known, and so are the doors between them. A path through the middles of the
//! doors would zigzag.
//!
//! Idea: the region visible from the last corner through all doors so far is a wedge. Each door narrows it. If the next
//! door is completely outside the wedge, the string touches the end of an earlier door. This is the next corner, and a
//! new wedge starts there.
//!
//! ```text
//!        |\        |
//!    from *   - - -|- - - - - -  the wedge
//!        |/        |  \
//!                      corner, if the doors after it are below
//! ```
//!
//! Cost: each door is visited once for each corner before it, which is negligible for paths with some dozen doors. The
//! result is the shortest path through these doors.
//!
//! Source: Lee and Preparata, *Euclidean shortest paths in the presence of rectilinear barriers*,
//! Networks 14, 1984; in the form that Mikko Mononen gave it (*Simple Stupid Funnel Algorithm*, 2010).

use bevy::math::Vec2;

/// Returns the corners of the shortest path through these doors, without `from` and including `to`.
///
/// The first end of each door must be on the same side of the direction of travel.
pub fn pull(from: Vec2, to: Vec2, doors: &[[Vec2; 2]]) -> Vec<Vec2> {
    let mut way = Vec::new();
    let mut apex = from;
    let mut next = 0;
    while let Some((corner, door)) = corner_after(apex, to, doors, next) {
        way.push(corner);
        apex = corner;
        next = door + 1;
    }
    way.push(to);
    way
}

/// The first corner of a path that starts at `apex` and passes the doors from `next` on, and the index of the door that
/// it is an end of. `None` if `to` is visible.
fn corner_after(apex: Vec2, to: Vec2, doors: &[[Vec2; 2]], next: usize) -> Option<(Vec2, usize)> {
    let goal = [to, to];
    let ahead = doors.iter().chain([&goal]).enumerate().skip(next);
    // The sides of the wedge: the end of a door that limits each side, and its index.
    let mut wedge: [Option<(Vec2, usize)>; 2] = [None; 2];
    for (number, door) in ahead {
        for (side, &end) in door.iter().enumerate() {
            let other = wedge[1 - side];
            // If the end is beyond the other side of the wedge, the string touches that side.
            if let Some((limit, at)) = other
                && outwards(apex, limit, end, 1 - side)
            {
                return Some((limit, at));
            }
            if wedge[side].is_none_or(|(limit, _)| !outwards(apex, limit, end, side)) {
                wedge[side] = Some((end, number));
            }
        }
    }
    None
}

/// Whether `end`, seen from `apex`, is beyond `limit` on the given side of the wedge. Never true if `apex` is the limit
/// itself: everything behind a door is visible from its end.
fn outwards(apex: Vec2, limit: Vec2, end: Vec2, side: usize) -> bool {
    let turn = (limit - apex).perp_dot(end - apex);
    if side == 0 { turn > 0.0 } else { turn < 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_terrain::heightmap::SeededRng;

    /// Doors in a row, one behind the other, so that the space between two is convex. Unrotated and rotated.
    fn any_doors(turned: Vec2, rng: &mut SeededRng) -> Vec<[Vec2; 2]> {
        let number = rng.below(7);
        let mut between = |low, high| rng.between(low, high) as f32;
        let mut x = 0.0;
        let door = |_| {
            x += between(0.05, 2.0);
            let (low, width) = (between(-9.0, 3.0), between(0.0, 9.0));
            [Vec2::new(x, low + width), Vec2::new(x, low)].map(|end| turned.rotate(end))
        };
        (0..number).map(door).collect()
    }

    fn length(from: Vec2, way: &[Vec2]) -> f32 {
        let starts = [from].into_iter().chain(way.iter().copied());
        starts.zip(way).map(|(a, b)| a.distance(*b)).sum()
    }

    /// The length of the shortest path through `places` sample points on each door.
    fn slow(from: Vec2, to: Vec2, doors: &[[Vec2; 2]], places: u16) -> f32 {
        let mut reached = vec![(from, 0.0)];
        for [a, b] in doors {
            let place = |number: u16| a.lerp(*b, f32::from(number) / f32::from(places));
            let shortest = |at: Vec2| {
                let lengths = reached
                    .iter()
                    .map(|(from, length)| length + from.distance(at));
                (at, lengths.fold(f32::INFINITY, f32::min))
            };
            reached = (0..=places).map(|number| shortest(place(number))).collect();
        }
        let lengths = reached
            .iter()
            .map(|(from, length)| length + from.distance(to));
        lengths.fold(f32::INFINITY, f32::min)
    }

    /// The distance between a path and a door that it passes.
    fn misses(from: Vec2, way: &[Vec2], [a, b]: [Vec2; 2]) -> f32 {
        let starts = [from].into_iter().chain(way.iter().copied());
        let nearest = |(start, &end): (Vec2, &Vec2)| {
            let places = (0..=400_u16).map(|step| start.lerp(end, f32::from(step) / 400.0));
            let misses = |at: Vec2| {
                let along = (at - a).dot(b - a) / (b - a).length_squared();
                at.distance(a.lerp(b, along.clamp(0.0, 1.0)))
            };
            places.map(misses).fold(f32::INFINITY, f32::min)
        };
        starts.zip(way).map(nearest).fold(f32::INFINITY, f32::min)
    }

    #[test]
    fn path_is_shortest_through_its_doors() {
        let mut rng = SeededRng::new(1, b"funnel  ");
        let (mut straight, mut bent) = (0, 0);
        for round in 0..300 {
            let turned = Vec2::from_angle(rng.between(0.0, 6.3) as f32);
            let doors = any_doors(turned, &mut rng);
            let mut end = |x| turned.rotate(Vec2::new(x, rng.between(-6.0, 6.0) as f32));
            let (from, to) = (end(0.0), end(13.0));
            let way = pull(from, to, &doors);
            assert_eq!(way.last(), Some(&to));
            for door in &doors {
                let misses = misses(from, &way, *door);
                assert!(
                    misses < 0.03,
                    "{round}: {misses} m beside {door:?}, by {way:?}"
                );
            }
            let (found, slow) = (length(from, &way), slow(from, to, &doors, 150));
            assert!(
                found <= slow + 1e-3,
                "{round}: {found} m, but {slow} m will do"
            );
            assert!(
                found >= slow - 0.02,
                "{round}: {found} m is too short: {slow} m"
            );
            if way.len() == 1 {
                straight += 1;
            } else {
                bent += 1;
            }
        }
        assert!(straight > 0 && bent > 100, "{straight}, {bent}");
    }

    #[test]
    fn doors_with_a_common_end_turn_around_it() {
        let corner = Vec2::new(0.0, 0.0);
        let outer = [(-1.0, 0.0), (-1.0, 1.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)];
        let doors = outer.map(|(x, y)| [Vec2::new(x, y), corner]);
        let (from, to) = (Vec2::new(-0.5, -1.0), Vec2::new(0.5, -1.0));
        assert_eq!(pull(from, to, &doors), [corner, to]);
        assert_eq!(pull(from, to, &[]), [to]);
    }
}
