//! Nothing gets louder than a ceiling, and what is loud is turned down, not bent.
//!
//! It hears a block before it lets it out, 1.5 ms later, so that the gain is down when a peak
//! comes. The gain goes in a straight line over each block; between two blocks it is at most
//! what either of them allows, so that on the whole line it is at most what its block allows:
//!
//! ```text
//!   peak     .   .   #   .   .   .
//!   gain   --------.       ..-----      down within a block, before the peak
//!                   `-----'             up again by 15 decibels in a second
//! ```
//!
//! Up slowly, because a gain that hurries up after each blow is heard as breathing, and one that
//! follows the waves of a low tone bends them.
//!
//! It holds samples. Between two of them a loudspeaker may go higher, for what is in this
//! game by less than the decibel that is left for it: that is measured.

use crate::sound::{
    RATE,
    clip::gain,
    smooth::{BLOCK, Block},
};

/// No sample gets above this: 2 decibels below full scale.
pub const CEILING: f32 = 0.794;

/// By how many decibels in a second the gain goes up.
const RISE: f32 = 15.0;

/// The limiter.
#[derive(Debug, Clone, Copy)]
pub struct Limiter {
    /// What has come in and has not gone out.
    held: Block,
    /// The most gain that it allows.
    allowed: f32,
    /// The gain at its beginning.
    gain: f32,
    /// By what the gain grows in a block, at most.
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
    /// Takes a block, and puts the one before it in its place.
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

    /// What comes out of a second of a tone, left, of such strengths.
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
    fn loud_is_held_and_soft_is_left_alone() {
        for sample in limited(|_| 40.0) {
            assert!(sample.abs() <= 1.0001 * CEILING, "{sample}");
        }
        for (index, sample) in limited(|_| 0.7).into_iter().skip(BLOCK).enumerate() {
            assert_eq!(sample, 0.7 * sine(0.01 * (index % 100) as f32), "{index}");
        }
    }

    #[test]
    fn it_is_down_before_a_blow_and_up_slowly_after_it() {
        let blow = 10_000..10_200;
        let heard = limited(|index| if blow.contains(&index) { 4.0 } else { 0.2 });
        assert!(heard.iter().all(|sample| sample.abs() <= 1.0001 * CEILING));
        let gain = |from: usize| {
            let part = &heard[from..from + 200];
            part.iter().fold(0.0_f32, |peak, x| x.abs().max(peak)) / 0.2
        };
        assert!((gain(9_000) - 1.0).abs() < 1e-3);
        // From a fifth it takes 0.93 s to 1.
        let [soon, later] = [gain(10_400), gain(10_400 + RATE as usize / 2)];
        assert!((0.19..0.22).contains(&soon), "{soon}");
        assert!((0.44..0.5).contains(&later), "{later}");
    }
}
