//! The bank of all sounds.

use std::collections::BTreeMap;

use super::{clip::gain, name::SoundName};

/// The index of a clip in a [`Bank`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClipId(u16);

/// All variations of all sounds. A bank never changes, so it can be shared.
#[derive(Debug)]
pub struct Bank {
    clips: Vec<Ready>,
    /// The index of the first variation of each sound, and the number of variations.
    places: BTreeMap<SoundName, (u16, u32)>,
}

/// A finished clip.
#[derive(Debug)]
struct Ready {
    samples: Vec<f32>,
    strength: f32,
}

impl Bank {
    /// Synthesizes all sounds: 110 seconds, 20 MB, in about 0.15 s.
    pub fn new() -> Self {
        let mut bank = Self {
            clips: Vec::new(),
            places: BTreeMap::new(),
        };
        for name in SoundName::all() {
            let terms = name.terms();
            let first = bank.clips.len() as u16;
            bank.places.insert(name, (first, terms.variations));
            for variation in 0..terms.variations {
                let samples = name.make(variation).finish(terms.loudness, terms.longest);
                let strength = gain(terms.loudness);
                bank.clips.push(Ready { samples, strength });
            }
        }
        bank
    }

    /// The clip of a variation of a sound. `variation` wraps around.
    pub fn clip_id(&self, name: SoundName, variation: u32) -> Option<ClipId> {
        let &(first, variations) = self.places.get(&name)?;
        Some(ClipId(first + (variation % variations.max(1)) as u16))
    }

    /// The samples of a clip.
    pub fn samples(&self, id: ClipId) -> &[f32] {
        let clip = self.clips.get(usize::from(id.0));
        clip.map_or(&[], |clip| &clip.samples)
    }

    /// The strength of the loudest 50 ms of a clip.
    pub fn strength(&self, id: ClipId) -> f32 {
        let clip = self.clips.get(usize::from(id.0));
        clip.map_or(0.0, |clip| clip.strength)
    }
}

impl Default for Bank {
    fn default() -> Self {
        Self::new()
    }
}
