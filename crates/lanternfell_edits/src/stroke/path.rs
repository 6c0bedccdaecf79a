//! The line of a stroke: its corners, its length, and points at equal distances along it.
//!
//! The corners are found by the algorithm of Ramer, Douglas and Peucker. Where the line turns by
//! more than a right angle, there is always a corner, so that moving to and fro along a line is not
//! reduced to its ends.
//!
//! A corner by which the line turns by only a few degrees, between positions that are less than a
//! cell apart, may be found one position off.
//!
//! Cost: O(n log n) comparisons for n positions of an ordinary line, O(n^2) at most.
//!
//! Source: Douglas and Peucker, *Algorithms for the reduction of the number of points required to
//! represent a digitized line or its caricature*, 1973.

use super::Stroke;

/// The largest distance from a line that counts as straight. Rounding moves each position, and each
/// end of the line, by less than 0.71 units.
const TOLERANCE: i128 = 2;

/// How often corners are found again between their neighbors.
const SETTLE: usize = 3;

/// The smallest distance between positions of a drag: 1/16 of a cell.
const APART: i128 = 16;

/// Lengths along a line are in 1/256 of a unit.
const FINE: u32 = 8;

/// Returns the corners of a line.
pub(super) fn corners(positions: impl IntoIterator<Item = [i64; 2]>) -> Vec<[i64; 2]> {
    let mut line: Vec<[i64; 2]> = positions.into_iter().collect();
    line.dedup();
    let is_turn = |&at: &usize| dot(line[at], line[at - 1], line[at + 1]) > 0;
    let last = line.len().saturating_sub(1);
    let turns: Vec<usize> = (1..last).filter(is_turn).collect();
    let ends = [&[0][..], &turns, &[last]].concat();
    let mut kept = ends.clone();
    let mut parts: Vec<(usize, usize)> = ends.windows(2).map(|pair| (pair[0], pair[1])).collect();
    while let Some((from, to)) = parts.pop() {
        if let Some(corner) = farthest(&line, from, to) {
            kept.push(corner);
            parts.extend([(from, corner), (corner, to)]);
        }
    }
    kept.sort_unstable();
    kept.dedup();
    for _ in 0..SETTLE {
        kept = settled(&line, &kept, &turns);
    }
    kept.into_iter()
        .filter_map(|at| line.get(at).copied())
        .collect()
}

/// Returns the positions that are not close to the last one before them.
pub(super) fn thinned(positions: &[[i64; 2]]) -> Vec<[i64; 2]> {
    let mut kept: Vec<[i64; 2]> = Vec::with_capacity(positions.len());
    for &position in positions {
        let is_close = |&last: &[i64; 2]| dot(last, position, position) < APART * APART;
        if !kept.last().is_some_and(is_close) {
            kept.push(position);
        }
    }
    kept
}

/// Finds each corner again between the corners next to it.
///
/// The first corners are farthest from long lines, to which a part of the line can be parallel.
/// Then any position of that part can be the farthest, and it is no corner.
fn settled(line: &[[i64; 2]], kept: &[usize], turns: &[usize]) -> Vec<usize> {
    let mut settled = vec![kept[0]];
    for three in kept.windows(3) {
        let from = settled[settled.len() - 1];
        match turns.binary_search(&three[1]) {
            Ok(_) => settled.push(three[1]),
            Err(_) => settled.extend(farthest(line, from, three[2])),
        }
    }
    if kept.len() > 1 {
        settled.push(kept[kept.len() - 1]);
    }
    settled
}

/// The position that is farthest from the straight line between two positions, if it is farther
/// than the tolerance.
fn farthest(line: &[[i64; 2]], from: usize, to: usize) -> Option<usize> {
    let (a, b) = (*line.get(from)?, *line.get(to)?);
    let square = dot(a, b, b);
    // Distances are compared as squares, times the square of the line's length.
    let far = |&at: &usize| {
        let p = line[at];
        let along = dot(a, b, p);
        if along <= 0 {
            dot(a, p, p).saturating_mul(square.max(1))
        } else if along >= square {
            dot(b, p, p).saturating_mul(square.max(1))
        } else {
            let across = cross(a, b, p);
            across.saturating_mul(across)
        }
    };
    // The first one wins, so that the result does not depend on the iterator.
    let best = (from + 1..to).rev().max_by_key(far)?;
    let limit = (TOLERANCE * TOLERANCE).saturating_mul(square.max(1));
    (far(&best) > limit).then_some(best)
}

fn from(a: [i64; 2], b: [i64; 2]) -> [i128; 2] {
    [0, 1].map(|axis| i128::from(b[axis]) - i128::from(a[axis]))
}

/// The dot product of the vectors from `a` to `b` and from `a` to `c`. It saturates for points that
/// no valid stroke has.
fn dot(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i128 {
    let ([bx, by], [cx, cy]) = (from(a, b), from(a, c));
    bx.saturating_mul(cx).saturating_add(by.saturating_mul(cy))
}

/// The cross product of the same vectors.
fn cross(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i128 {
    let ([bx, by], [cx, cy]) = (from(a, b), from(a, c));
    bx.saturating_mul(cy).saturating_sub(by.saturating_mul(cx))
}

/// Returns the length of a line, rounded down, or `None` if it is far too long.
pub(super) fn length(points: &[[i64; 2]]) -> Option<i64> {
    let mut sum = 0_i64;
    for pair in points.windows(2) {
        let step = from(pair[0], pair[1]);
        let most = i128::from(Stroke::MAX_LENGTH);
        if step.iter().any(|axis| axis.abs() > most) {
            return None;
        }
        sum = sum.checked_add(fine_length(pair[0], pair[1]))?;
    }
    Some(sum >> FINE)
}

/// The distance of two points in 1/256 of a unit, rounded down.
fn fine_length(a: [i64; 2], b: [i64; 2]) -> i64 {
    let square = (dot(a, b, b) as u128) << (2 * FINE);
    // Below 2^52, the correctly rounded root of `f64` never reaches the next integer.
    match square < 1 << 52 {
        true => (square as u64 as f64).sqrt() as i64,
        false => square.isqrt() as i64,
    }
}

/// Returns the first point, and further points at equal distances along the line.
pub(super) fn dabs(points: &[[i64; 2]], spacing: i64) -> Vec<[i64; 2]> {
    let mut dabs: Vec<[i64; 2]> = points.first().copied().into_iter().collect();
    let spacing = spacing << FINE;
    let mut next = spacing;
    for pair in points.windows(2) {
        let length = fine_length(pair[0], pair[1]);
        while next <= length {
            // At most 2^24 units times 2^33 fine units.
            let along = |axis: usize| {
                let step = pair[1][axis] - pair[0][axis];
                pair[0][axis] + (step * next + length / 2).div_euclid(length)
            };
            dabs.push([along(0), along(1)]);
            next += spacing;
        }
        next -= length;
    }
    dabs
}

/// The form of points in files: each as the step from the point before it, which is a small number.
pub(super) mod steps {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in crate::stroke) fn serialize<S: Serializer>(
        points: &[[i64; 2]],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut before = [0_i64; 2];
        let step = |&point: &[i64; 2]| {
            let step = [0, 1].map(|axis| point[axis].wrapping_sub(before[axis]));
            before = point;
            step
        };
        let steps: Vec<[i64; 2]> = points.iter().map(step).collect();
        steps.serialize(serializer)
    }

    pub(in crate::stroke) fn deserialize<'a, D: Deserializer<'a>>(
        deserializer: D,
    ) -> Result<Vec<[i64; 2]>, D::Error> {
        let mut points = Vec::<[i64; 2]>::deserialize(deserializer)?;
        let mut before = [0_i64; 2];
        for point in &mut points {
            // Wraps back exactly. The validation of the stroke checks the range.
            *point = [0, 1].map(|axis| point[axis].wrapping_add(before[axis]));
            before = *point;
        }
        Ok(points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_random::SeededRng;

    /// Samples each straight part of a line at `count` rounded positions, and its corners exactly.
    fn sampled(corners: &[[i64; 2]], count: i64) -> Vec<[i64; 2]> {
        let mut samples = vec![corners[0]];
        for pair in corners.windows(2) {
            for part in 1..=count {
                let along = |axis: usize| {
                    let step = (pair[1][axis] - pair[0][axis]) * part;
                    pair[0][axis] + (step as f64 / count as f64).round() as i64
                };
                samples.push([along(0), along(1)]);
            }
        }
        samples
    }

    #[test]
    fn corners_do_not_depend_on_the_number_of_samples() {
        let mut rng = SeededRng::new(3, b"test    ");
        for case in 0..300 {
            let place = |rng: &mut SeededRng| [(); 2].map(|()| rng.within(-60_000, 60_000).into());
            let ends: Vec<[i64; 2]> = (0..2 + case % 4).map(|_| place(&mut rng)).collect();
            let is_sharp = |three: &[[i64; 2]]| {
                let long = fine_length(three[0], three[1]).max(fine_length(three[1], three[2]));
                let chord = fine_length(three[0], three[2]);
                let height =
                    (cross(three[0], three[1], three[2]) << (2 * FINE)) / i128::from(chord);
                height.abs() * 20 > i128::from(long)
            };
            if !ends.windows(3).all(is_sharp) {
                continue;
            }
            for count in [1, 29, 30, 240] {
                assert_eq!(corners(sampled(&ends, count)), ends, "{count} samples");
            }
        }
    }

    #[test]
    fn moving_to_and_fro_keeps_its_turns() {
        let line = [[0, 0], [5000, 0], [1000, 0], [5000, 0], [0, 0]];
        assert_eq!(corners(sampled(&line, 50)), line);
        assert_eq!(corners([[7, 7]; 20]), [[7, 7]]);
        assert_eq!(corners([]), [[0_i64; 2]; 0]);
    }

    #[test]
    fn all_positions_stay_near_the_corners() {
        let mut rng = SeededRng::new(4, b"test    ");
        let mut at = [0, 0];
        let line: Vec<[i64; 2]> = (0..500)
            .map(|_| {
                at = at.map(|axis: i64| axis + i64::from(rng.within(-20, 30)));
                at
            })
            .collect();
        let kept = corners(line.iter().copied());
        assert!(kept.len() < 490, "{}", kept.len());
        for point in line {
            let near = kept.windows(2).any(|pair| {
                let all = [pair[0], point, pair[1]];
                farthest(&all, 0, 2).is_none()
            });
            assert!(near, "{point:?}");
        }
    }

    #[test]
    fn lengths_are_rounded_down() {
        let mut rng = SeededRng::new(5, b"test    ");
        for case in 0..200_000 {
            let far = [300, 1 << 18, 1 << 24][case % 3];
            let end = [(); 2].map(|()| i64::from(rng.within(-far, far)));
            let square = (dot([0, 0], end, end) as u128) << (2 * FINE);
            assert_eq!(fine_length([0, 0], end), square.isqrt() as i64, "{end:?}");
        }
    }

    #[test]
    fn dabs_are_at_equal_distances() {
        let points = [[100, -50], [7000, 3000], [7000, 3001], [-2000, 9000]];
        let dabs = dabs(&points, 640);
        assert_eq!(dabs.len() as i64, 1 + length(&points).unwrap() / 640);
        for pair in dabs.windows(2) {
            let apart = ((dot(pair[0], pair[1], pair[1])) as f64).sqrt();
            let corner = pair[0][0] > 6000 && pair[1][1] > 2900;
            assert!((apart - 640.0).abs() < 1.5 || corner, "{pair:?}");
        }
    }

    #[test]
    fn extreme_positions_do_not_overflow() {
        let far = [[i64::MIN; 2], [i64::MAX; 2], [i64::MIN, i64::MAX], [0, 0]];
        assert!(!corners(far).is_empty());
        assert_eq!(length(&far), None);
    }
}
