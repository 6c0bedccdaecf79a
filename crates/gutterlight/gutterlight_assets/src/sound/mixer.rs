//! The mixer: one-shot sounds, loops, a reverb, and silence.
//!
//! The game has its own mixer instead of an audio engine, because silence is a rule of this game, and because the mixer
//! is tested without a device. It fills a slice with samples, and the same calls give the same samples.
//!
//! ```text
//!    cues -> slots: rate, low-pass, pan ----+-> effects volume --+
//!                                          +-> echo -> reverb ---+-> master -> limiter
//!    scene -> loops -----------------------+-> ambience volume --+      -> silence -> out
//! ```
//!
//! It works in blocks of 64 frames for any requested length, so that the samples do not depend on the sizes of the
//! requests. A change is heard from the next block on, 1.5 ms later. The limiter, which needs to look ahead, delays
//! each block by another 1.5 ms.
//!
//! **Silence.** [`Mixer::hush`] fades everything out in 0.3 s. Then the output is exactly zero, and all sounds are
//! dropped. [`Mixer::lift`] ends the silence: the next sound is heard at once, and the loops fade in over four seconds.
//!
//! **Pause.** [`Mixer::pause`] fades everything out in 30 ms and then stops time.
//! [`Mixer::resume`] continues where it was.
//!
//! **Polyphony.** At most 24 sounds play at a time. One more replaces the sound with the least weight, which fades out
//! in 6 ms, unless the new sound itself has the least.

mod limiter;
mod reverb;
mod slot;

use std::sync::Arc;

use super::{
    bank::Bank,
    cue::{Cue, within},
    loops::{Loops, Scene},
    smooth::{BLOCK, Block, Smooth},
};
use limiter::Limiter;
use reverb::Reverb;
use slot::Slot;

/// Sounds at a time.
const MOST: usize = 24;

/// Additional slots for sounds that fade out because they were replaced.
const YIELDING: usize = 8;

/// The rate of the fade to silence, per second: 0.3 s.
const HUSH: f32 = 1.0 / 0.3;

/// The rate of the fade-in of the loops: four seconds.
const RETURN: f32 = 0.25;

/// The rate of the fade of a pause: 30 ms.
const PAUSE: f32 = 1.0 / 0.03;

/// Volumes from 0 to 1; 0.5 is perceived as half as loud.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Volumes {
    /// Master volume.
    pub master: f32,
    /// Volume of single sounds.
    pub effects: f32,
    /// Volume of loops.
    pub ambience: f32,
}

impl Default for Volumes {
    fn default() -> Self {
        Self {
            master: 0.8,
            effects: 1.0,
            ambience: 0.8,
        }
    }
}

/// The mixer.
#[derive(Debug)]
pub struct Mixer {
    bank: Arc<Bank>,
    slots: [Option<Slot>; MOST + YIELDING],
    loops: Loops,
    reverb: Reverb,
    limiter: Limiter,
    master: Smooth,
    effects: Smooth,
    ambience: Smooth,
    /// 0 while silent.
    open: Smooth,
    /// 0 until the loops start to fade in.
    back: Smooth,
    hushed: bool,
    /// 0 while paused.
    awake: Smooth,
    paused: bool,
    ready: Block,
    /// The number of frames of the ready block that have been taken.
    gone: usize,
}

impl Mixer {
    /// Creates a mixer for a bank. The seed determines the random parts of the loops, which fade in.
    pub fn new(bank: Arc<Bank>, seed: u64) -> Self {
        let scene = Scene::default();
        let volumes = Volumes::default();
        let mut mixer = Self {
            bank,
            slots: [None; MOST + YIELDING],
            loops: Loops::new(seed, scene),
            reverb: Reverb::new(scene.theme),
            limiter: Limiter::default(),
            master: Smooth::new(taper(volumes.master), 20.0),
            effects: Smooth::new(taper(volumes.effects), 20.0),
            ambience: Smooth::new(taper(volumes.ambience), 20.0),
            open: Smooth::new(1.0, HUSH),
            back: Smooth::new(0.0, RETURN),
            hushed: false,
            awake: Smooth::new(1.0, PAUSE),
            paused: false,
            ready: Block::SILENT,
            gone: BLOCK,
        };
        mixer.back.aim(1.0);
        mixer
    }

    /// Plays a sound, unless there is silence.
    pub fn play(&mut self, cue: Cue) {
        if self.hushed {
            return;
        }
        let Some(place) = self.bank.clip_id(cue.sound, cue.variation) else {
            return;
        };
        let slot = Slot::new(place, cue.path(), self.bank.strength(place));
        // If more sounds fade out than there are extra slots, the new sound is dropped.
        if self.make_room(&slot)
            && let Some(free) = self.slots.iter_mut().find(|slot| slot.is_none())
        {
            *free = Some(slot);
        }
    }

    /// Whether there is room for a sound, after the one with the least weight has been told to fade out.
    fn make_room(&mut self, new: &Slot) -> bool {
        let playing = self.slots.iter().flatten().filter(|slot| !slot.yields());
        if playing.count() < MOST {
            return true;
        }
        let weight = |slot: &Slot| slot.weight(self.bank.samples(slot.clip_id()).len());
        let lightest = self
            .slots
            .iter_mut()
            .filter(|slot| slot.is_some_and(|slot| !slot.yields()))
            .min_by(|a, b| {
                let [a, b] = [a, b].map(|slot| slot.as_ref().map_or(0.0, weight));
                a.total_cmp(&b)
            });
        match lightest {
            Some(slot) if slot.as_ref().is_some_and(|old| weight(old) <= weight(new)) => {
                // Nothing of it has been heard, so it can be cut without a click.
                if slot.is_some_and(|old| old.is_unheard()) {
                    *slot = None;
                } else if let Some(old) = slot {
                    old.give_way();
                }
                true
            }
            _ => false,
        }
    }

    /// Changes the scene.
    pub fn set_scene(&mut self, scene: Scene) {
        self.loops.aim(scene);
        self.reverb.aim(scene.theme);
    }

    /// Sets the volumes.
    pub fn set_volumes(&mut self, volumes: Volumes) {
        self.master.aim(taper(volumes.master));
        self.effects.aim(taper(volumes.effects));
        self.ambience.aim(taper(volumes.ambience));
    }

    /// Fades everything out.
    pub fn hush(&mut self) {
        self.hushed = true;
        self.open.aim(0.0);
    }

    /// Ends the silence. Sounds are heard at once, and loops fade in slowly.
    pub fn lift(&mut self) {
        // Nothing sounds, so gains may jump. During the fade to silence they must not: then everything fades back in.
        if self.hushed && self.is_silent() {
            self.open.put(1.0);
            self.back.put(0.0);
            self.back.aim(1.0);
        }
        self.hushed = false;
        self.open.aim(1.0);
    }

    /// Whether there is silence, after [`Self::hush`].
    pub fn is_silent(&self) -> bool {
        self.hushed && self.open.value() <= 0.0
    }

    /// Fades everything out, and then stops time.
    pub fn pause(&mut self) {
        self.paused = true;
        self.awake.aim(0.0);
    }

    /// Continues after [`Self::pause`].
    pub fn resume(&mut self) {
        self.paused = false;
        self.awake.aim(1.0);
    }

    /// Fills `out` with the next frames, interleaved left and right.
    pub fn fill(&mut self, out: &mut [f32]) {
        for frame in out.chunks_mut(2) {
            if self.gone == BLOCK {
                self.next_block();
                self.gone = 0;
            }
            let both = [self.ready.left[self.gone], self.ready.right[self.gone]];
            frame.copy_from_slice(&both[..frame.len()]);
            self.gone += 1;
        }
    }

    fn next_block(&mut self) {
        self.ready = Block::SILENT;
        if self.paused && self.awake.value() <= 0.0 {
            return;
        }
        // Before the test for silence, so that a pause during the silence also completes.
        let awake = self.awake.block();
        if self.is_silent() {
            // The tails must not sound when the silence ends.
            self.slots.fill(None);
            self.reverb.clear();
            self.limiter = Limiter::default();
            return;
        }
        self.add_loops();
        self.add_slots();
        self.reverb.add_to(&mut self.ready);
        let master = self.master.block();
        self.ready.scale(|frame| master.at(frame));
        self.limiter.step(&mut self.ready);
        // After the limiter, which delays by a block: only here a gain of 0 means exact zeros. Squared, as volumes are
        // in `taper`.
        let open = self.open.block();
        self.ready
            .scale(|frame| open.at(frame) * open.at(frame) * awake.at(frame));
    }

    fn add_loops(&mut self) {
        let (ambience, back) = (self.ambience.block(), self.back.block());
        let mut block = Block::SILENT;
        self.loops.add_to(&mut block);
        self.ready
            .add_all(&block, |frame| ambience.at(frame) * back.at(frame));
    }

    fn add_slots(&mut self) {
        let effects = self.effects.block();
        let mut block = Block::SILENT;
        for place in &mut self.slots {
            if let Some(slot) = place
                && !slot.add_to(&mut block, self.bank.samples(slot.clip_id()))
            {
                *place = None;
            }
        }
        self.ready.add_all(&block, |frame| effects.at(frame));
    }
}

/// Converts a volume to a gain: half as loud to the ear is about a third of the amplitude.
fn taper(volume: f32) -> f32 {
    let volume = within(volume, 0.0, 1.0);
    volume * volume
}

#[cfg(test)]
mod tests {
    use gutterlight_rules::{Bark, Ground, Sound};

    use super::*;
    use crate::sound::SoundName;

    fn playing(mixer: &Mixer, cue: Cue) -> usize {
        let place = mixer.bank.clip_id(cue.sound, cue.variation);
        let slots = mixer.slots.iter().flatten();
        slots
            .filter(|slot| Some(slot.clip_id()) == place && !slot.yields())
            .count()
    }

    #[test]
    fn lightest_sound_is_replaced() {
        let mut mixer = Mixer::new(Arc::new(Bank::new()), 1);
        let (shout, step) = (
            Cue::new(Sound::Voice(Bark::Thief)),
            Cue::new(Sound::Steps(Ground::Carpet)),
        );
        mixer.play(shout);
        mixer.fill(&mut [0.0; 256]);
        for _ in 0..100 {
            mixer.play(step);
        }
        assert_eq!(
            (playing(&mixer, shout), playing(&mixer, step)),
            (1, MOST - 1)
        );
        mixer.fill(&mut [0.0; 256]);
        for _ in 0..7 {
            mixer.play(shout);
        }
        assert_eq!(
            (playing(&mixer, shout), playing(&mixer, step)),
            (8, MOST - 8)
        );
        for _ in 0..100 {
            mixer.play(shout);
            mixer.fill(&mut [0.0; 1024]);
        }
        mixer.play(Cue::new(SoundName::MenuMove));
        assert_eq!(playing(&mixer, Cue::new(SoundName::MenuMove)), 0);
        assert!(playing(&mixer, shout) >= MOST - 1);
    }

    #[test]
    fn finished_sounds_free_their_slots() {
        let mut mixer = Mixer::new(Arc::new(Bank::new()), 1);
        for _ in 0..10 {
            mixer.play(Cue::new(Sound::Lock).muffled(1.0));
        }
        mixer.fill(&mut vec![0.0; 2 * 44_100]);
        assert!(mixer.slots.iter().all(Option::is_none));
    }
}
