//! Nothing gets louder than 1.
//!
//! Two things in a row. First a gain for both sides that goes down within a millisecond when much
//! sounds at once, and up again over a fifth of a second: it keeps what is loud clean. What is
//! too quick for it is bent softly below 1, which is what makes the promise.

use crate::sound::{RATE, clip::soften};

/// Above this the gain goes down.
const CEILING: f32 = 0.7;

/// In how many seconds it goes down, and up.
const TIMES: [f32; 2] = [0.001, 0.2];

/// The limiter.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limiter {
    /// How loud it is, as followed.
    loud: f32,
}

impl Limiter {
    /// The next frame.
    #[inline]
    pub fn step(&mut self, both: [f32; 2]) -> [f32; 2] {
        let now = both[0].abs().max(both[1].abs());
        let time = TIMES[usize::from(now < self.loud)];
        self.loud += (now - self.loud) * (1.0 / (time * RATE as f32));
        if self.loud < 1e-9 {
            self.loud = 0.0;
        }
        let gain = if self.loud > CEILING {
            CEILING / self.loud
        } else {
            1.0
        };
        both.map(|sample| soften(gain * sample))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loud_is_held_and_soft_is_left_alone() {
        let mut limiter = Limiter::default();
        for index in 0..RATE {
            let loud = 40.0 * crate::sound::wave::sine(0.01 * index as f32);
            let both = limiter.step([loud, -loud]);
            assert!(
                both.iter().all(|sample| sample.abs() <= 1.0),
                "{index}: {both:?}"
            );
        }
        let mut limiter = Limiter::default();
        for index in 0..RATE {
            let soft = 0.5 * crate::sound::wave::sine(0.01 * index as f32);
            assert_eq!(limiter.step([soft, 0.0]), [soft, 0.0], "at {index}");
        }
    }
}
