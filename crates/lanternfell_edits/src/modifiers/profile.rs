//! The heights along a path.
//!
//! Problem: a road must not be steeper than its grade, and should stay near the terrain.
//!
//! Idea: among all profiles within the grade that are nowhere below the terrain, there is a lowest one: the road that
//! only fills. Among those nowhere above the terrain, there is a highest one: the road that only cuts. Their mean is
//! within the grade too. No other profile within the grade has a smaller maximum distance from the terrain.
//!
//! ```text
//!        ____________              filled
//!       / __________ \
//!      / /   /\     \ \            mean
//!     / / __/  \_____\ \
//!    /_/_/  cut       \_\_
//! ```
//!
//! Where a path crosses the bed of another, both must have one height. To reach these *pins*, the profile is clamped
//! between the lines that fall and those that rise from each pin with the grade.
//!
//! Cost: O(n) for n samples. Two sweeps compute the limits of all samples before and after each one.

/// Returns the highest profile within the grade that exceeds no height. `step` is the largest difference of neighbors.
fn below(heights: &[f64], step: f64, is_closed: bool) -> Vec<f64> {
    let mut profile = heights.to_vec();
    let sweep = |profile: &mut Vec<f64>| {
        for at in 1..profile.len() {
            profile[at] = profile[at].min(profile[at - 1] + step);
        }
        for at in (1..profile.len()).rev() {
            profile[at - 1] = profile[at - 1].min(profile[at] + step);
        }
    };
    sweep(&mut profile);
    if is_closed && let [first, .., last] = &mut profile[..] {
        // Both are the same place.
        *first = first.min(*last);
        *last = *first;
        sweep(&mut profile);
    }
    profile
}

/// Returns the lowest profile within the grade that is below no height.
fn above(heights: &[f64], step: f64, is_closed: bool) -> Vec<f64> {
    let negative = |heights: &[f64]| -> Vec<f64> { heights.iter().map(|height| -height).collect() };
    negative(&below(&negative(heights), step, is_closed))
}

/// Returns a profile within the grade that is near the heights, and meets those that are pinned. If two pins cannot be
/// reached within the grade, it is between them.
pub(super) fn graded(heights: &[f64], pinned: &[bool], step: f64, is_closed: bool) -> Vec<f64> {
    let means = |a: Vec<f64>, b: Vec<f64>| -> Vec<f64> {
        a.iter().zip(&b).map(|(a, b)| (a + b) / 2.0).collect()
    };
    let profile = means(
        below(heights, step, is_closed),
        above(heights, step, is_closed),
    );
    if !pinned.contains(&true) {
        return profile;
    }
    let only = |other: f64| -> Vec<f64> {
        let pairs = heights.iter().zip(pinned);
        pairs
            .map(|(&height, &pinned)| if pinned { height } else { other })
            .collect()
    };
    let most = below(&only(f64::INFINITY), step, is_closed);
    let least = above(&only(f64::NEG_INFINITY), step, is_closed);
    let limits = least.iter().zip(&most);
    let limited = profile
        .iter()
        .zip(limits)
        .map(|(&height, (&least, &most))| match least <= most {
            true => height.clamp(least, most),
            false => (least + most) / 2.0,
        });
    limited.collect()
}

/// Returns the means of the heights of up to `reach` neighbors on each side.
pub(super) fn smoothed(heights: &[f64], reach: usize, is_closed: bool) -> Vec<f64> {
    let count = heights.len();
    let reach = reach.min(count.saturating_sub(1) / 2);
    // Sums of the first heights. On a closed path, the first and the last height are the same.
    let period = count - usize::from(is_closed && count > 1);
    let mut sums = Vec::with_capacity(count + 1);
    let mut sum = 0.0;
    for height in heights {
        sums.push(sum);
        sum += height;
    }
    sums.push(sum);
    let between = |from: usize, to: usize| sums[to] - sums[from];
    let around = |at: usize| match is_closed {
        true => {
            let (from, to) = (at + period - reach, at + period + reach + 1);
            let whole = between(0, period);
            let until = |end: usize| (end / period) as f64 * whole + between(0, end % period);
            (until(to) - until(from)) / (to - from) as f64
        }
        // The window gets shorter toward the ends, which keep their heights.
        false => {
            let reach = reach.min(at).min(count - 1 - at);
            between(at - reach, at + reach + 1) / (2 * reach + 1) as f64
        }
    };
    (0..count).map(around).collect()
}

/// A curve through heights at distances along a path, which never exceeds the heights of neighboring knots.
///
/// Source: Fritsch and Butland, *A method for constructing local monotone piecewise cubic interpolants*, 1984.
pub(super) struct Interpolated {
    knots: Vec<[f64; 2]>,
    slopes: Vec<f64>,
}

impl Interpolated {
    /// The distances must increase.
    pub(super) fn new(knots: Vec<[f64; 2]>, is_closed: bool) -> Self {
        let rise = |pair: &[[f64; 2]]| {
            let [[from, low], [to, high]] = [pair[0], pair[1]];
            [to - from, (high - low) / (to - from)]
        };
        let rises: Vec<[f64; 2]> = knots.windows(2).map(rise).collect();
        // The weighted harmonic mean of the slopes on both sides. 0 at a top or a bottom.
        let between = |[before, a]: [f64; 2], [after, b]: [f64; 2]| {
            if a * b <= 0.0 {
                return 0.0;
            }
            let (first, second) = (2.0 * after + before, after + 2.0 * before);
            (first + second) / (first / a + second / b)
        };
        let inner = rises.windows(2).map(|pair| between(pair[0], pair[1]));
        let ends = match (rises.first(), rises.last()) {
            (Some(&first), Some(&last)) if is_closed => [between(last, first); 2],
            (Some(first), Some(last)) => [first[1], last[1]],
            _ => [0.0; 2],
        };
        let slopes = [ends[0]]
            .into_iter()
            .chain(inner)
            .chain([ends[1]])
            .collect();
        Self { knots, slopes }
    }

    pub(super) fn at(&self, along: f64) -> f64 {
        let after = self.knots.partition_point(|knot| knot[0] <= along);
        let index = after.clamp(1, self.knots.len() - 1);
        let [[from, low], [to, high]] = [self.knots[index - 1], self.knots[index]];
        let (length, t) = (to - from, ((along - from) / (to - from)).clamp(0.0, 1.0));
        let slopes = [self.slopes[index - 1], self.slopes[index]].map(|slope| slope * length);
        let (square, rest) = (t * t, 1.0 - t);
        low * (1.0 + 2.0 * t) * rest * rest
            + slopes[0] * t * rest * rest
            + high * square * (3.0 - 2.0 * t)
            - slopes[1] * square * rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_random::SeededRng;

    fn random(seed: u64, count: usize) -> Vec<f64> {
        let mut random = SeededRng::new(seed, b"modifier");
        (0..count).map(|_| random.within(0, 999).into()).collect()
    }

    fn steepest(profile: &[f64]) -> f64 {
        let steps = profile.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        steps.fold(0.0, f64::max)
    }

    /// The definition: the limits that each sample sets for all others.
    #[test]
    fn limits_are_those_of_all_samples() {
        for seed in 0..20 {
            let heights = random(seed, 60);
            for is_closed in [false, true] {
                let mut heights = heights.clone();
                heights[59] = if is_closed { heights[0] } else { heights[59] };
                let fast = below(&heights, 35.0, is_closed);
                for (at, &found) in fast.iter().enumerate() {
                    let limit = |(other, height): (usize, &f64)| {
                        let apart = at.abs_diff(other);
                        let apart = if is_closed {
                            apart.min(59 - apart)
                        } else {
                            apart
                        };
                        height + 35.0 * apart as f64
                    };
                    let slow = heights
                        .iter()
                        .enumerate()
                        .map(limit)
                        .fold(f64::MAX, f64::min);
                    assert_eq!(found, slow);
                }
            }
        }
    }

    #[test]
    fn profiles_meet_pins_within_the_grade() {
        for seed in 0..50 {
            let heights = random(seed, 200);
            let mut pinned = vec![false; 200];
            // 100 samples of 11 reach any difference.
            (pinned[20], pinned[130]) = (true, true);
            let profile = graded(&heights, &pinned, 11.0, false);
            assert!(steepest(&profile) <= 11.0 + 1e-9);
            assert_eq!((profile[20], profile[130]), (heights[20], heights[130]));
        }
    }

    #[test]
    fn pins_that_are_too_steep_are_not_reached() {
        let (heights, pinned) = ([0.0, 0.0, 100.0], [true, false, true]);
        assert_eq!(graded(&heights, &pinned, 10.0, false), [40.0, 50.0, 60.0]);
    }

    #[test]
    fn gentle_terrain_is_followed() {
        let heights: Vec<f64> = (0..50).map(|at| 3.0 * f64::from(at)).collect();
        assert_eq!(graded(&heights, &[false; 50], 3.0, false), heights);
    }

    #[test]
    fn means_keep_the_ends_and_join_them() {
        let line: Vec<f64> = (0..9).map(f64::from).collect();
        assert_eq!(smoothed(&line, 3, false), line);
        let peak = [0.0, 0.0, 9.0, 0.0, 0.0];
        assert_eq!(smoothed(&peak, 1, false), [0.0, 3.0, 3.0, 3.0, 0.0]);
        let closed = [8.0, 0.0, 0.0, 4.0, 8.0];
        assert_eq!(
            smoothed(&closed, 1, true),
            [4.0, 8.0 / 3.0, 4.0 / 3.0, 4.0, 4.0]
        );
        assert_eq!(smoothed(&[5.0], 4, false), [5.0]);
    }

    #[test]
    fn interpolation_never_overshoots() {
        let knots = vec![
            [0.0, 0.0],
            [10.0, 5.0],
            [11.0, 5.0],
            [30.0, 50.0],
            [40.0, 2.0],
        ];
        let curve = Interpolated::new(knots.clone(), false);
        for pair in knots.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            assert_eq!((curve.at(from[0]), curve.at(to[0])), (from[1], to[1]));
            let range = from[1].min(to[1]) - 1e-9..=from[1].max(to[1]) + 1e-9;
            for step in 0..=50 {
                let along = from[0] + (to[0] - from[0]) * f64::from(step) / 50.0;
                assert!(range.contains(&curve.at(along)));
            }
        }
    }
}
