//! Values over time: piecewise linear contours, and exponential decay.

use super::RATE;

/// A piecewise linear function through points of (seconds, value). It is constant before the first
/// and after the last point. Levels, pitches and filters follow contours.
#[derive(Debug, Clone, Copy)]
pub struct Contour<'a>(pub &'a [(f32, f32)]);

impl Contour<'_> {
    /// The value at a time in seconds.
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

/// An exponential decay, like that of a struck object: each sample is multiplied by the same
/// factor.
#[derive(Debug, Clone, Copy)]
pub struct Decay {
    value: f32,
    part: f32,
}

impl Decay {
    /// Starts at 1 and falls by 60 decibels in `ring` seconds.
    pub fn new(ring: f32) -> Self {
        Self {
            value: 1.0,
            part: decay_part(ring),
        }
    }

    /// Returns the next value.
    #[inline]
    pub fn step(&mut self) -> f32 {
        let value = self.value;
        self.value *= self.part;
        value
    }
}

/// The factor per sample of a decay by 60 decibels in `ring` seconds.
pub fn decay_part(ring: f32) -> f32 {
    // A thousandth is 2 to the power of -9.966.
    libm::exp2f(-9.966 / (ring.max(1e-4) * RATE as f32))
}

/// Smoothly interpolates from 0 to 1 while `value` goes from `low` to `high`.
pub fn smooth_step(low: f32, high: f32, value: f32) -> f32 {
    let part = ((value - low) / (high - low)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contour_interpolates_its_points() {
        let contour = Contour(&[(1.0, 10.0), (2.0, 20.0), (4.0, 0.0)]);
        let values = [0.0, 1.0, 1.5, 2.0, 3.0, 4.0, 9.0].map(|time| contour.at(time));
        assert_eq!(values, [10.0, 10.0, 15.0, 20.0, 10.0, 0.0, 0.0]);
        assert_eq!(Contour(&[]).at(1.0), 0.0);
    }

    #[test]
    fn decay_falls_by_60_decibels() {
        let mut decay = Decay::new(0.5);
        let last = (0..=RATE / 2).map(|_| decay.step()).last();
        assert!(
            last.is_some_and(|left| (left - 1e-3).abs() < 1e-5),
            "{last:?}"
        );
    }
}
