//! Values that change smoothly, and audio blocks.
//!
//! A gain that jumps clicks, and one that is constant within each block buzzes at the block rate. A
//! [`Smooth`] value therefore moves linearly at a limited rate, and reaches its target exactly.

use super::RATE;

/// The number of frames in a block: 1.5 ms.
pub const BLOCK: usize = 64;

/// A value that moves to a target.
#[derive(Debug, Clone, Copy)]
pub struct Smooth {
    value: f32,
    target: f32,
    /// The maximum change per block.
    most: f32,
}

impl Smooth {
    /// Creates a value at rest. It changes by at most `in_a_second` per second.
    pub fn new(value: f32, in_a_second: f32) -> Self {
        Self {
            value,
            target: value,
            most: in_a_second * BLOCK as f32 / RATE as f32,
        }
    }

    /// Sets the target. Ignores values that are not finite.
    pub fn aim(&mut self, target: f32) {
        if target.is_finite() {
            self.target = target;
        }
    }

    /// Sets the value immediately. Only use this while the value is not audible.
    pub fn put(&mut self, value: f32) {
        (self.value, self.target) = (value, value);
    }

    /// The current value.
    pub fn value(self) -> f32 {
        self.value
    }

    /// Advances by one block. Returns the values within it.
    pub fn block(&mut self) -> Ramp {
        let from = self.value;
        let way = (self.target - from).clamp(-self.most, self.most);
        self.value = if way == self.target - from {
            self.target
        } else {
            from + way
        };
        Ramp {
            from,
            step: (self.value - from) / BLOCK as f32,
        }
    }
}

/// A linear ramp within a block.
#[derive(Debug, Clone, Copy)]
pub struct Ramp {
    from: f32,
    step: f32,
}

impl Ramp {
    /// The value at a frame of the block.
    #[inline]
    pub fn at(self, frame: usize) -> f32 {
        self.from + self.step * frame as f32
    }
}

/// A block of stereo samples, and of samples for the reverb.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    /// The left channel.
    pub left: [f32; BLOCK],
    /// The right channel.
    pub right: [f32; BLOCK],
    /// The input of the reverb.
    pub echo: [f32; BLOCK],
}

impl Block {
    /// A silent block.
    pub const SILENT: Self = Self {
        left: [0.0; BLOCK],
        right: [0.0; BLOCK],
        echo: [0.0; BLOCK],
    };

    /// Adds a sample to a frame, with gains for left, right and reverb.
    #[inline]
    pub fn add(&mut self, frame: usize, sample: f32, [left, right, echo]: [f32; 3]) {
        self.left[frame] += left * sample;
        self.right[frame] += right * sample;
        self.echo[frame] += echo * sample;
    }

    /// Multiplies both channels by a gain per frame. Leaves `echo` unchanged.
    pub fn scale(&mut self, gain: impl Fn(usize) -> f32) {
        for frame in 0..BLOCK {
            let gain = gain(frame);
            self.left[frame] *= gain;
            self.right[frame] *= gain;
        }
    }

    /// Adds another block, multiplied by a gain per frame.
    pub fn add_all(&mut self, other: &Self, gain: impl Fn(usize) -> f32) {
        for frame in 0..BLOCK {
            let gain = gain(frame);
            self.left[frame] += gain * other.left[frame];
            self.right[frame] += gain * other.right[frame];
            self.echo[frame] += gain * other.echo[frame];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_reaches_target_without_jumps() {
        let mut number = Smooth::new(1.0, 10.0 / 3.0);
        number.aim(0.0);
        let (mut last, mut blocks) = (1.0_f32, 0);
        while number.value() > 0.0 {
            let ramp = number.block();
            for frame in 0..BLOCK {
                assert!(
                    (ramp.at(frame) - last).abs() < 1e-4,
                    "block {blocks}, frame {frame}"
                );
                last = ramp.at(frame);
            }
            blocks += 1;
            assert!(blocks < 1000, "the target is never reached");
        }
        let seconds = (blocks * BLOCK) as f32 / RATE as f32;
        assert!((0.299..0.303).contains(&seconds), "{seconds}");
        number.aim(f32::NAN);
        number.block();
        assert_eq!(number.value(), 0.0);
    }
}
