//! Pulls a way through a row of doors tight, as a string would be.
//!
//! Problem: which polygons a way leads through is known, and so the doors from each to the next. Through
//! their middles it would zigzag.
//!
//! Idea: what is seen from the last corner through all doors so far is a wedge. Each door narrows it.
//! Where the next door lies beside the wedge altogether, the string lies against the end of an earlier
//! door: that is the next corner, and one looks on from there.
//!
//! ```text
//!        |\        |
//!    from *   - - -|- - - - - -  the wedge
//!        |/        |  \
//!                      corner, where the doors behind lie below
//! ```
//!
//! Cost: each door is looked at once after every corner before it: for ways of some dozen doors that
//! is nothing. The result is the shortest way through these doors.
//!
//! Source: Lee and Preparata, *Euclidean shortest paths in the presence of rectilinear barriers*,
//! Networks 14, 1984; in the form that Mikko Mononen gave it (*Simple Stupid Funnel Algorithm*, 2010).

use bevy::math::Vec2;

/// The corners of the shortest way through these doors, `from` left out and `to` the last.
///
/// Of each door the ends are given in one order: the first always to the same hand of who goes through.
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

/// The next corner of a way that has come from `apex` and goes through the doors from `next` on, and
/// the door that it is an end of; `None` where `to` is seen.
fn corner_after(apex: Vec2, to: Vec2, doors: &[[Vec2; 2]], next: usize) -> Option<(Vec2, usize)> {
    let goal = [to, to];
    let ahead = doors.iter().chain([&goal]).enumerate().skip(next);
    // The sides of the wedge: how far each has come in, and by the end of which door.
    let mut wedge: [Option<(Vec2, usize)>; 2] = [None; 2];
    for (number, door) in ahead {
        for (side, &end) in door.iter().enumerate() {
            let other = wedge[1 - side];
            // Beyond the other side of the wedge: the string lies against that one.
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

/// Whether `end`, seen from `apex`, lies beyond `limit` on that side of the wedge. Nothing does where
/// `apex` itself is the limit: from an end of a door one sees all that lies behind it.
fn outwards(apex: Vec2, limit: Vec2, end: Vec2, side: usize) -> bool {
    let turn = (limit - apex).perp_dot(end - apex);
    if side == 0 { turn > 0.0 } else { turn < 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_terrain::heightmap::SeededRng;

    /// Doors in a row, one behind the other, so that what lies between two is convex; as they lie, and
    /// turned.
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

    /// The shortest way through so many places of each door.
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

    /// How far the nearest place of a way lies from a door that it goes through.
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
    fn no_way_through_the_doors_is_shorter() {
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
    fn doors_that_share_an_end_turn_about_it() {
        let corner = Vec2::new(0.0, 0.0);
        let outer = [(-1.0, 0.0), (-1.0, 1.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)];
        let doors = outer.map(|(x, y)| [Vec2::new(x, y), corner]);
        let (from, to) = (Vec2::new(-0.5, -1.0), Vec2::new(0.5, -1.0));
        assert_eq!(pull(from, to, &doors), [corner, to]);
        assert_eq!(pull(from, to, &[]), [to]);
    }
}
