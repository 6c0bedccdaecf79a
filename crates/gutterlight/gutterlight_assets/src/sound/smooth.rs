//! Numbers that go where they are sent, and never jump.
//!
//! A gain that jumps clicks, and one that is set anew for each block buzzes at the rate of
//! the blocks. So each goes in a straight line, at most so far in a second, and arrives exactly.

use super::RATE;

/// Everything is made in blocks of so many frames: 1.5 ms.
pub const BLOCK: usize = 64;

/// A number on its way.
#[derive(Debug, Clone, Copy)]
pub struct Smooth {
    value: f32,
    target: f32,
    /// How far it goes in a block, at most.
    most: f32,
}

impl Smooth {
    /// At rest; it will go by at most so much in a second.
    pub fn new(value: f32, in_a_second: f32) -> Self {
        Self {
            value,
            target: value,
            most: in_a_second * BLOCK as f32 / RATE as f32,
        }
    }

    /// Sends it somewhere.
    pub fn aim(&mut self, target: f32) {
        if target.is_finite() {
            self.target = target;
        }
    }

    /// Puts it somewhere at once. Only while nothing is heard of it.
    pub fn put(&mut self, value: f32) {
        (self.value, self.target) = (value, value);
    }

    /// Where it is.
    pub fn value(self) -> f32 {
        self.value
    }

    /// Goes on by a block: the line on which it goes.
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

/// The line on which a number goes within a block.
#[derive(Debug, Clone, Copy)]
pub struct Ramp {
    from: f32,
    step: f32,
}

impl Ramp {
    /// Its value at a frame of the block.
    #[inline]
    pub fn at(self, frame: usize) -> f32 {
        self.from + self.step * frame as f32
    }
}

/// A block of both sides, and of what goes into the reverb.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    /// The left side.
    pub left: [f32; BLOCK],
    /// The right side.
    pub right: [f32; BLOCK],
    /// Into the reverb.
    pub echo: [f32; BLOCK],
}

impl Block {
    /// Nothing at all.
    pub const SILENT: Self = Self {
        left: [0.0; BLOCK],
        right: [0.0; BLOCK],
        echo: [0.0; BLOCK],
    };

    /// Adds a sample to a frame.
    #[inline]
    pub fn add(&mut self, frame: usize, sample: f32, [left, right, echo]: [f32; 3]) {
        self.left[frame] += left * sample;
        self.right[frame] += right * sample;
        self.echo[frame] += echo * sample;
    }

    /// Makes both sides as strong as a ramp says.
    pub fn scale(&mut self, gain: impl Fn(usize) -> f32) {
        for frame in 0..BLOCK {
            let gain = gain(frame);
            self.left[frame] *= gain;
            self.right[frame] *= gain;
        }
    }

    /// Adds all of another one, along a ramp.
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
    fn it_arrives_exactly_and_never_jumps() {
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
            assert!(blocks < 1000, "it never arrives");
        }
        let seconds = (blocks * BLOCK) as f32 / RATE as f32;
        assert!((0.299..0.303).contains(&seconds), "{seconds}");
        number.aim(f32::NAN);
        number.block();
        assert_eq!(number.value(), 0.0);
    }
}
