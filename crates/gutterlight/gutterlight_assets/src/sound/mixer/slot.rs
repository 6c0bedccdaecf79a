//! A sound that is playing.

use crate::sound::{
    bank::ClipId,
    cue::Path,
    filter::OnePole,
    smooth::{BLOCK, Block},
};

/// The length of the fade-out of a replaced sound, in samples: 6 ms.
const YIELD: f32 = 256.0;

/// Positions are 32.32 fixed-point numbers: exact for any length, while an `f32` would lose the
/// fraction after seconds.
const WHOLE: u64 = 1 << 32;

/// A playing sound.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    clip_id: ClipId,
    position: u64,
    step: u64,
    wait: u32,
    gains: [f32; 3],
    low_pass: Option<[OnePole; 2]>,
    strength: f32,
    /// Falls from 1 to 0 while it fades out.
    left: f32,
    yields: bool,
}

impl Slot {
    /// Creates a sound of a given strength along a path.
    pub fn new(clip_id: ClipId, path: Path, strength: f32) -> Self {
        let [left, right, _] = path.gains;
        Self {
            clip_id,
            position: 0,
            step: (f64::from(path.rate) * WHOLE as f64) as u64,
            wait: path.wait,
            gains: path.gains,
            low_pass: path.low_pass.map(|hertz| [OnePole::new(hertz); 2]),
            strength: strength * left.max(right),
            left: 1.0,
            yields: false,
        }
    }

    /// The clip.
    pub fn clip_id(&self) -> ClipId {
        self.clip_id
    }

    /// Whether it is fading out because another sound needs its slot.
    pub fn yields(&self) -> bool {
        self.yields
    }

    /// Starts the fade-out.
    pub fn give_way(&mut self) {
        self.yields = true;
    }

    /// Whether nothing of it has been heard.
    pub fn is_unheard(&self) -> bool {
        self.position == 0
    }

    /// The priority: the strength, reduced by the part that has already played.
    pub fn weight(&self, length: usize) -> f32 {
        let gone = (self.position / WHOLE) as f32 / length.max(1) as f32;
        self.strength * (1.0 - 0.8 * gone)
    }

    /// Adds its next block. Returns whether there is more.
    pub fn add_to(&mut self, block: &mut Block, samples: &[f32]) -> bool {
        for frame in 0..BLOCK {
            if self.wait > 0 {
                self.wait -= 1;
                continue;
            }
            let Some(mut sample) = self.next(samples) else {
                return false;
            };
            if let Some([first, second]) = &mut self.low_pass {
                // Two poles in series: 12 decibels per octave, as through a wall.
                sample = second.low(first.low(sample));
            }
            if self.yields {
                self.left -= 1.0 / YIELD;
                sample *= self.left.max(0.0);
            }
            block.add(frame, sample, self.gains);
        }
        // The fade takes whole blocks (256 samples are four), so a test at the end of a block is
        // enough.
        self.left > 0.0
    }

    /// The next sample, linearly interpolated. After the end only the tail of the low-pass follows,
    /// for a moment.
    fn next(&mut self, samples: &[f32]) -> Option<f32> {
        let index = (self.position / WHOLE) as usize;
        let part = (self.position % WHOLE) as f32 / WHOLE as f32;
        self.position += self.step;
        // The filter still holds energy when the clip ends. Cutting it would click.
        let tail = if self.low_pass.is_some() { 512 } else { 0 };
        if index >= samples.len() + tail {
            return None;
        }
        let sample = |index: usize| samples.get(index).copied().unwrap_or(0.0);
        Some(sample(index) + part * (sample(index + 1) - sample(index)))
    }
}

#[cfg(test)]
mod tests {
    use gutterlight_rules::Sound;

    use super::*;
    use crate::sound::{Bank, Cue};

    #[test]
    fn give_way_fades_out() {
        let cue = Cue::new(Sound::Door);
        let Some(place) = Bank::new().clip_id(cue.sound, 0) else {
            panic!("there is a door");
        };
        let (path, samples) = (cue.path(), [1.0; 2000]);
        let mut slot = Slot::new(place, path, 1.0);
        let mut heard = Vec::new();
        for number in 0..8 {
            let mut block = Block::SILENT;
            if number == 2 {
                slot.give_way();
            }
            let more = slot.add_to(&mut block, &samples);
            assert_eq!(more, number < 5, "{number}");
            heard.extend(block.left);
        }
        assert!(heard[1] > 0.5);
        assert_eq!(heard[7 * BLOCK], 0.0);
        for pair in heard.windows(2) {
            assert!((pair[1] - pair[0]).abs() < 0.01, "{pair:?}");
        }
    }
}
