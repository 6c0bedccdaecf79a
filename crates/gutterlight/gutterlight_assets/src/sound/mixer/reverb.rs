//! A reverb with a feedback delay network.
//!
//! Four delay lines feed each other. Each gets its own output minus half the sum of all outputs, a
//! Householder matrix. It preserves the power and mixes all lines, so that after a few rounds no
//! single echoes can be heard (Jot, Chaigne 1991). A low-pass in each line makes high frequencies
//! decay faster, like air and cloth do. The lengths have no common divisor.
//!
//! Each theme has its own room. When the theme changes, the reverb fades out in 50 ms, changes its
//! lengths while silent, and fades in again.

use gutterlight_rules::Theme;

use crate::sound::{
    contour::decay_part,
    filter::OnePole,
    smooth::{BLOCK, Block, Smooth},
};

/// The lengths of the delay lines in the largest room, in samples. They are prime.
const LENGTHS: [usize; 4] = [1999, 2477, 3001, 3583];

/// The acoustics of a room.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Walls {
    /// The size relative to the largest room.
    size: f32,
    /// The reverberation time (60 decibels) in seconds.
    ring: f32,
    /// The cutoff of the low-pass in hertz.
    dull: f32,
    /// The level.
    strength: f32,
}

const fn walls(theme: Theme) -> Walls {
    let (size, ring, dull, strength) = match theme {
        Theme::Cellars => (0.36, 0.7, 3200.0, 0.5),
        Theme::Cistern => (0.85, 2.6, 4200.0, 0.62),
        Theme::Chapel => (0.7, 1.5, 2300.0, 0.45),
        Theme::Catacombs => (0.55, 1.3, 1700.0, 0.55),
        Theme::Sanctum => (1.0, 3.2, 3000.0, 0.62),
    };
    Walls {
        size,
        ring,
        dull,
        strength,
    }
}

/// The reverb.
#[derive(Debug)]
pub struct Reverb {
    lines: [Line; 4],
    now: Walls,
    wanted: Walls,
    open: Smooth,
}

/// A delay line with its losses.
#[derive(Debug)]
struct Line {
    samples: Vec<f32>,
    length: usize,
    at: usize,
    keep: f32,
    damp: OnePole,
}

impl Line {
    fn set(&mut self, longest: usize, walls: Walls) {
        // At least an odd number, so that smaller rooms have no simple ratios either.
        self.length = ((longest as f32 * walls.size) as usize | 1).clamp(1, longest);
        self.at = 0;
        self.keep = libm::powf(decay_part(walls.ring), self.length as f32);
        self.damp = OnePole::new(walls.dull);
        self.samples.fill(0.0);
    }

    fn read(&mut self) -> f32 {
        self.keep * self.damp.low(self.samples[self.at])
    }

    fn write(&mut self, sample: f32) {
        // Flush inaudible values, which would otherwise circulate forever as denormal numbers.
        self.samples[self.at] = if sample.abs() < 1e-9 { 0.0 } else { sample };
        self.at += 1;
        if self.at >= self.length {
            self.at = 0;
        }
    }
}

impl Reverb {
    /// The room of a theme.
    pub fn new(theme: Theme) -> Self {
        let walls = walls(theme);
        let lines = LENGTHS.map(|longest| {
            let mut line = Line {
                samples: vec![0.0; longest],
                length: longest,
                at: 0,
                keep: 0.0,
                damp: OnePole::new(walls.dull),
            };
            line.set(longest, walls);
            line
        });
        Self {
            lines,
            now: walls,
            wanted: walls,
            open: Smooth::new(1.0, 20.0),
        }
    }

    /// Changes to the room of another theme.
    pub fn aim(&mut self, theme: Theme) {
        self.wanted = walls(theme);
    }

    /// Clears all delay lines.
    pub fn clear(&mut self) {
        for (line, longest) in self.lines.iter_mut().zip(LENGTHS) {
            line.set(longest, self.wanted);
        }
        self.now = self.wanted;
        self.open.put(1.0);
    }

    /// Adds the reverb to a block.
    pub fn add_to(&mut self, block: &mut Block) {
        if self.wanted != self.now {
            self.open.aim(0.0);
            if self.open.value() <= 0.0 {
                self.clear();
                self.open.put(0.0);
                self.open.aim(1.0);
            }
        }
        let open = self.open.block();
        for frame in 0..BLOCK {
            let [left, right] = self.step(open.at(frame) * block.echo[frame]);
            let gain = self.now.strength * open.at(frame);
            block.left[frame] += gain * left;
            block.right[frame] += gain * right;
        }
        for line in &mut self.lines {
            line.damp.settle();
        }
    }

    fn step(&mut self, sample: f32) -> [f32; 2] {
        let back = self.lines.each_mut().map(Line::read);
        let half = 0.5 * back.iter().sum::<f32>();
        let signs = [1.0, -1.0, 1.0, -1.0];
        for ((line, back), sign) in self.lines.iter_mut().zip(back).zip(signs) {
            line.write(back - half + sign * sample);
        }
        [back[0] + back[1] - back[2], back[0] - back[3] + back[2]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sound::{RATE, wave::sine};

    fn ring(theme: Theme, seconds: f32) -> (f32, f32) {
        let mut reverb = Reverb::new(theme);
        let blocks = (seconds * RATE as f32) as usize / BLOCK;
        let mut powers = Vec::new();
        for index in 0..blocks {
            let mut block = Block::SILENT;
            if index == 0 {
                block.echo[0] = 1.0;
            }
            reverb.add_to(&mut block);
            let power = block.left.iter().chain(&block.right).map(|x| x * x);
            powers.push(power.sum::<f32>());
        }
        let (early, late) = powers.split_at(blocks / 2);
        (early.iter().sum(), late.iter().sum())
    }

    #[test]
    fn reverb_rings_and_decays() {
        for (theme, seconds) in [(Theme::Cellars, 0.7), (Theme::Sanctum, 3.2)] {
            let (early, late) = ring(theme, 2.2 * seconds);
            assert!(early > 0.01, "{theme:?} {early}");
            assert!(late < 1e-5 * early, "{theme:?} {early} {late}");
        }
        let [small, large] = [Theme::Cellars, Theme::Cistern].map(|theme| {
            let (early, late) = ring(theme, 1.0);
            late / early
        });
        assert!(large > 20.0 * small, "{small} {large}");
    }

    #[test]
    fn room_change_does_not_click() {
        let mut reverb = Reverb::new(Theme::Cistern);
        // The largest difference between samples: in the old room, during the change, in the new
        // room.
        let (mut last, mut steps) = (0.0_f32, [0.0_f32; 3]);
        let second = RATE as usize / BLOCK;
        for index in 0..10 * second {
            let mut block = Block::SILENT;
            for (frame, echo) in block.echo.iter_mut().enumerate() {
                *echo = sine(((index * BLOCK + frame) % 400) as f32 * 0.0025);
            }
            if index == 3 * second {
                reverb.aim(Theme::Sanctum);
            }
            reverb.add_to(&mut block);
            let when = usize::from(index >= 3 * second) + usize::from(index >= 4 * second);
            for sample in block.left {
                steps[when] = steps[when].max((sample - last).abs());
                last = sample;
            }
        }
        assert!(reverb.now == walls(Theme::Sanctum));
        assert!(steps[1] < 1.2 * steps[0].max(steps[2]), "{steps:?}");
    }
}
