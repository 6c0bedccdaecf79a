//! A look-ahead limiter, which reduces the gain before loud peaks instead of clipping them.
//!
//! It delays the signal by one block (1.5 ms), so that the gain is already down when a peak
//! arrives. Within a block, the gain is linear. At each block boundary, it is at most what both
//! adjacent blocks allow, and therefore at most what the block allows everywhere in between:
//!
//! ```text
//!   peak     .   .   #   .   .   .
//!   gain   --------.       ..-----      down within a block, before the peak
//!                   `-----'             up again by 15 decibels per second
//! ```
//!
//! The gain rises slowly: a fast rise after each peak would be heard as pumping, and a gain that
//! follows the waves of a low tone would distort it.
//!
//! The ceiling applies to samples. Between samples, the reconstructed signal may be higher. For the
//! sounds of this game, measurements show that it stays within the remaining headroom.

use crate::sound::{
    RATE,
    clip::gain,
    smooth::{BLOCK, Block},
};

/// The maximum sample value: 2 decibels below full scale.
pub const CEILING: f32 = 0.794;

/// The rate at which the gain rises, in decibels per second.
const RISE: f32 = 15.0;

/// The limiter.
#[derive(Debug, Clone, Copy)]
pub struct Limiter {
    /// The delayed block.
    held: Block,
    /// The maximum gain that the delayed block allows.
    allowed: f32,
    /// The gain at the start of the delayed block.
    gain: f32,
    /// The maximum factor by which the gain rises per block.
    rise: f32,
}

impl Default for Limiter {
    fn default() -> Self {
        Self {
            held: Block::SILENT,
            allowed: 1.0,
            gain: 1.0,
            rise: gain(RISE * BLOCK as f32 / RATE as f32),
        }
    }
}

impl Limiter {
    /// Takes a block, and replaces it with the previous one.
    pub fn step(&mut self, block: &mut Block) {
        let allowed = (CEILING / peak(block).max(CEILING)).min(1.0);
        let from = self.gain;
        let to = (from * self.rise).min(1.0).min(self.allowed).min(allowed);
        let slope = (to - from) / BLOCK as f32;
        let out = core::mem::replace(&mut self.held, *block);
        for frame in 0..BLOCK {
            let gain = from + slope * frame as f32;
            block.left[frame] = gain * out.left[frame];
            block.right[frame] = gain * out.right[frame];
        }
        (self.gain, self.allowed) = (to, allowed);
    }
}

fn peak(block: &Block) -> f32 {
    let both = block.left.iter().chain(&block.right);
    both.fold(0.0, |peak, sample| sample.abs().max(peak))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sound::wave::sine;

    /// The left output for one second of a tone with this amplitude.
    fn limited(strength: impl Fn(usize) -> f32) -> Vec<f32> {
        let mut limiter = Limiter::default();
        let mut heard = Vec::new();
        for number in 0..RATE as usize / BLOCK {
            let mut block = Block::SILENT;
            for frame in 0..BLOCK {
                let index = number * BLOCK + frame;
                block.left[frame] = strength(index) * sine(0.01 * (index % 100) as f32);
                block.right[frame] = -0.5 * block.left[frame];
            }
            limiter.step(&mut block);
            heard.extend(block.left);
        }
        heard
    }

    #[test]
    fn loud_is_limited_and_soft_is_unchanged() {
        for sample in limited(|_| 40.0) {
            assert!(sample.abs() <= 1.0001 * CEILING, "{sample}");
        }
        for (index, sample) in limited(|_| 0.7).into_iter().skip(BLOCK).enumerate() {
            assert_eq!(sample, 0.7 * sine(0.01 * (index % 100) as f32), "{index}");
        }
    }

    #[test]
    fn gain_falls_before_a_peak_and_rises_slowly() {
        let blow = 10_000..10_200;
        let heard = limited(|index| if blow.contains(&index) { 4.0 } else { 0.2 });
        assert!(heard.iter().all(|sample| sample.abs() <= 1.0001 * CEILING));
        let gain = |from: usize| {
            let part = &heard[from..from + 200];
            part.iter().fold(0.0_f32, |peak, x| x.abs().max(peak)) / 0.2
        };
        assert!((gain(9_000) - 1.0).abs() < 1e-3);
        // The gain takes 0.93 s from 0.2 to 1.
        let [soon, later] = [gain(10_400), gain(10_400 + RATE as usize / 2)];
        assert!((0.19..0.22).contains(&soon), "{soon}");
        assert!((0.44..0.5).contains(&later), "{later}");
    }
}
