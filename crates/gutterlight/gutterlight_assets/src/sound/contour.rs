//! How something changes over time: a line through points, and a fall that never ends.

use super::RATE;

/// A line through points of (second, value), level before the first and after the last. What
/// swells, glides or opens follows one.
#[derive(Debug, Clone, Copy)]
pub struct Contour<'a>(pub &'a [(f32, f32)]);

impl Contour<'_> {
    /// Its value at a second.
    pub fn at(self, time: f32) -> f32 {
        let next = self.0.partition_point(|&(when, _)| when <= time);
        match (
            next.checked_sub(1).map(|last| self.0[last]),
            self.0.get(next),
        ) {
            (Some((when, from)), Some(&(then, to))) => {
                from + (to - from) * (time - when) / (then - when)
            }
            (Some((_, value)), None) | (None, Some(&(_, value))) => value,
            (None, None) => 0.0,
        }
    }
}

/// What dies away, as what was struck does: by the same part in every sample.
#[derive(Debug, Clone, Copy)]
pub struct Decay {
    value: f32,
    part: f32,
}

impl Decay {
    /// From 1, by 60 decibels in so many seconds.
    pub fn new(ring: f32) -> Self {
        Self {
            value: 1.0,
            part: decay_part(ring),
        }
    }

    /// The next value.
    #[inline]
    pub fn step(&mut self) -> f32 {
        let value = self.value;
        self.value *= self.part;
        value
    }
}

/// The part that is left after one sample of what falls by 60 decibels in so many seconds.
pub fn decay_part(ring: f32) -> f32 {
    // A thousandth is 2 to the power of -9.966.
    libm::exp2f(-9.966 / (ring.max(1e-4) * RATE as f32))
}

/// From 0 to 1 while `value` goes from `low` to `high`, without a corner at either end.
pub fn smooth_step(low: f32, high: f32, value: f32) -> f32 {
    let part = ((value - low) / (high - low)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contour_goes_through_its_points() {
        let contour = Contour(&[(1.0, 10.0), (2.0, 20.0), (4.0, 0.0)]);
        let values = [0.0, 1.0, 1.5, 2.0, 3.0, 4.0, 9.0].map(|time| contour.at(time));
        assert_eq!(values, [10.0, 10.0, 15.0, 20.0, 10.0, 0.0, 0.0]);
        assert_eq!(Contour(&[]).at(1.0), 0.0);
    }

    #[test]
    fn a_decay_falls_by_a_thousand_in_its_time() {
        let mut decay = Decay::new(0.5);
        let last = (0..=RATE / 2).map(|_| decay.step()).last();
        assert!(
            last.is_some_and(|left| (left - 1e-3).abs() < 1e-5),
            "{last:?}"
        );
    }
}
