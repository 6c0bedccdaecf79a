//! Everything together: sounds that happen, loops, a room round them, and silence.
//!
//! It is ours and not an audio engine's, because silence is a rule of this game, and because it is
//! tested without a device: it fills a slice with samples, the same ones for the same calls.
//!
//! ```text
//!    cues -> slots: rate, low-pass, pan ----+-> effects volume --+
//!                                          +-> echo -> reverb ---+-> master -> limiter
//!    scene -> loops -----------------------+-> ambience volume --+      -> silence -> out
//! ```
//!
//! It works in blocks of 64 frames, whatever is asked for, so that the same calls give the
//! same samples however they are drawn: what is set is heard from the next block on, 1.5 ms
//! later, and the limiter, which has to know what comes, holds each for 1.5 ms more.
//!
//! **Silence.** [`Mixer::hush`] lets everything fade in 0.3 s; then there is nothing, exactly
//! zero, and what was sounding is forgotten. [`Mixer::lift`] ends it: the next sound comes out
//! of nothing at once, and the loops come back over four seconds.
//!
//! **Pause.** [`Mixer::pause`] lets everything fade in 30 ms; then all stands still, and
//! [`Mixer::resume`] goes on with it where it was.
//!
//! **Room for all.** At most 24 sounds at a time. One more takes the place of the one that will
//! be missed least, which fades in 6 ms, unless it is itself that one.

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

/// Places for those that fade because they had to yield.
const YIELDING: usize = 8;

/// How much of one changes in a second while hushing: all in 0.3 s.
const HUSH: f32 = 1.0 / 0.3;

/// The same for the loops as they come back: four seconds.
const RETURN: f32 = 0.25;

/// The same for a pause: all in 30 ms.
const PAUSE: f32 = 1.0 / 0.03;

/// How loud things are to be, each from 0 to 1; half is half as loud to the ear.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Volumes {
    /// Everything.
    pub master: f32,
    /// What happens.
    pub effects: f32,
    /// What goes on.
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

/// Plays everything.
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
    /// 0 in silence.
    open: Smooth,
    /// 0 as long as the loops have not begun to come back.
    back: Smooth,
    hushed: bool,
    /// 0 in a pause.
    awake: Smooth,
    paused: bool,
    ready: Block,
    /// Frames of the ready block that are gone.
    gone: usize,
}

impl Mixer {
    /// Plays what is in a bank; the chance of its loops is from a seed. The loops fade in.
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
        if self.make_room(&slot)
            && let Some(free) = self.slots.iter_mut().find(|slot| slot.is_none())
        {
            *free = Some(slot);
        }
    }

    /// Whether a place is free for a sound, after the one that matters least has yielded.
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

    /// Goes to a scene.
    pub fn set_scene(&mut self, scene: Scene) {
        self.loops.aim(scene);
        self.reverb.aim(scene.theme);
    }

    /// Sets how loud things are.
    pub fn set_volumes(&mut self, volumes: Volumes) {
        self.master.aim(taper(volumes.master));
        self.effects.aim(taper(volumes.effects));
        self.ambience.aim(taper(volumes.ambience));
    }

    /// Lets everything fade to nothing.
    pub fn hush(&mut self) {
        self.hushed = true;
        self.open.aim(0.0);
    }

    /// Ends the silence: sounds are heard at once, loops come back slowly.
    pub fn lift(&mut self) {
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

    /// Lets everything fade, and then stand still.
    pub fn pause(&mut self) {
        self.paused = true;
        self.awake.aim(0.0);
    }

    /// Goes on after [`Self::pause`].
    pub fn resume(&mut self) {
        self.paused = false;
        self.awake.aim(1.0);
    }

    /// The next frames, left and right in turn.
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
        let awake = self.awake.block();
        if self.is_silent() {
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
        // Last, so that nothing is left in the limiter when they are at nothing.
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

/// A volume as a gain: the ear takes a third of the strength for half as loud.
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
    fn the_least_missed_yields() {
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
    fn what_is_over_leaves_its_place() {
        let mut mixer = Mixer::new(Arc::new(Bank::new()), 1);
        for _ in 0..10 {
            mixer.play(Cue::new(Sound::Lock).muffled(1.0));
        }
        mixer.fill(&mut vec![0.0; 2 * 44_100]);
        assert!(mixer.slots.iter().all(Option::is_none));
    }
}
