//! A formant synthesizer: a voice without words.
//!
//! ```text
//!    lungs -> glottis: pulses, and air that hisses through -> mouth: five formants -> lips
//! ```
//!
//! - The glottis opens slowly and closes quickly. A tense voice closes faster, which makes it brighter (Rosenberg
//!   1971). The lips radiate the derivative of the flow.
//! - The mouth is a chain of resonances (Fant 1960; Klatt 1980). The frequencies of the first two determine the vowel
//!   (Peterson, Barney 1952); they glide from one vowel to the next.
//! - No two pulses are equal: without jitter and shimmer the voice would sound like a horn.
//!
//! The input is a list of [`Syllable`]s. Speech libraries produce words, and this game needs voices without them.

use super::{
    RATE,
    clip::{Clip, MOVE},
    contour::Contour,
    filter::OnePole,
    noise::Noise,
    texture::{Puff, puff},
};

/// A vowel: its formants in hertz, for a man.
pub type Vowel = [f32; 5];

/// As in *father*.
pub const AH: Vowel = [730.0, 1090.0, 2440.0, 3400.0, 4400.0];
/// As in *there*.
pub const EH: Vowel = [530.0, 1700.0, 2450.0, 3400.0, 4400.0];
/// As in *who*.
pub const OO: Vowel = [310.0, 870.0, 2240.0, 3200.0, 4200.0];
/// As in *thief*.
pub const EE: Vowel = [280.0, 2250.0, 2900.0, 3500.0, 4500.0];
/// As in *go*.
pub const OH: Vowel = [470.0, 880.0, 2400.0, 3300.0, 4300.0];
/// As in *but*.
pub const UH: Vowel = [600.0, 1200.0, 2400.0, 3350.0, 4350.0];
/// As in *rats*.
pub const AE: Vowel = [680.0, 1650.0, 2400.0, 3400.0, 4400.0];
/// A hum behind shut lips.
pub const MM: Vowel = [250.0, 950.0, 2150.0, 3200.0, 4200.0];

/// The bandwidths of the formants, in hertz.
const WIDTHS: Vowel = [80.0, 100.0, 150.0, 220.0, 320.0];

/// A chain of five formants lacks the many above, which would raise the high frequencies. Above this frequency, in
/// hertz, some level is added back.
const LIFT: f32 = 1500.0;

/// A piece of speech.
#[derive(Debug, Clone, Copy)]
pub struct Syllable {
    /// The start, in seconds.
    pub at: f32,
    /// The duration, in seconds.
    pub length: f32,
    /// The pitch at the start and at the end, in hertz.
    pub pitch: (f32, f32),
    /// The vowel at the start and at the end.
    pub vowel: (Vowel, Vowel),
    /// The level, from 0 to 1.
    pub loud: f32,
    /// The hiss at the start, from 0 to 1: 0.2 for a soft onset, 1 for an *s*.
    pub hiss: f32,
}

/// A manner of speaking.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// From 0, a murmur, to 1, a shout.
    pub tense: f32,
    /// The amount of breath noise, from 0 to 1.
    pub breath: f32,
    /// How unsteady the pitch is. 0.01 is a calm voice.
    pub shaky: f32,
}

/// Renders syllables, with a peak of 1.
pub fn speak(noise: &mut Noise, manner: Manner, syllables: &[Syllable]) -> Clip {
    let end = syllables
        .iter()
        .map(|syllable| syllable.at + syllable.length)
        .fold(0.0, f32::max);
    let mut clip = Clip::silent(end + 0.05);
    for syllable in syllables {
        let one = say(noise, manner, *syllable);
        clip.add(syllable.at, syllable.loud, one.as_slice());
    }
    clip.peaked()
}

/// Renders one syllable.
fn say(noise: &mut Noise, manner: Manner, syllable: Syllable) -> Clip {
    let hiss = Puff {
        hertz: 5200.0,
        narrow: 0.7,
        rise: 0.015,
        ring: 0.05 + 0.1 * syllable.hiss,
    };
    let begins = 0.03 * syllable.hiss;
    // Long syllables have a long release.
    let release = 0.07_f32.max(0.33 * syllable.length);
    let level = Contour(&[
        (begins, 0.0),
        (begins + 0.03, 1.0),
        (syllable.length - release, 0.9),
        (syllable.length, 0.0),
    ]);
    let spoken = voice(noise, manner, syllable).under(level);
    spoken.with(0.0, 0.12 * syllable.hiss, &puff(noise, hiss))
}

/// Renders a syllable at constant level.
fn voice(noise: &mut Noise, manner: Manner, syllable: Syllable) -> Clip {
    let (mut glottis, mut mouth) = (Glottis::new(manner), Mouth::default());
    let mut lips = OnePole::new(LIFT);
    let lift = 1.5 + 3.5 * manner.tense;
    let moves = Contour(&[(0.0, 0.0), (0.25, 0.2), (1.0, 1.0)]);
    let (from, to) = syllable.pitch;
    let mut clip = Clip::silent(syllable.length);
    // Formants are retuned every 0.7 ms only. Their state is kept, so this does not click.
    for (index, piece) in clip.as_mut_slice().chunks_mut(MOVE).enumerate() {
        let time = (index * MOVE) as f32 / RATE as f32;
        let way = moves.at(time / syllable.length);
        mouth.shape(syllable.vowel, way);
        let hertz = from + (to - from) * way;
        for sample in piece {
            let spoken = mouth.step(glottis.step(hertz, noise));
            // A shelf filter: the tenser the voice, the brighter.
            *sample = spoken + lift * lips.high(spoken);
        }
    }
    clip
}

/// The source of the voice.
#[derive(Debug, Clone, Copy)]
struct Glottis {
    phase: f32,
    flow: f32,
    pitch_off: f32,
    strength: f32,
    wander: OnePole,
    manner: Manner,
}

impl Glottis {
    fn new(manner: Manner) -> Self {
        Self {
            phase: 0.0,
            flow: 0.0,
            pitch_off: 0.0,
            strength: 1.0,
            wander: OnePole::new(6.0),
            manner,
        }
    }

    /// Returns the next sample at a pitch in hertz.
    fn step(&mut self, hertz: f32, noise: &mut Noise) -> f32 {
        let air = noise.white();
        let Manner {
            tense,
            breath,
            shaky,
        } = self.manner;
        // Behind a low-pass at 6 Hz white noise is weak: some 60 times weaker.
        let wander = 1.0 + 60.0 * shaky * self.wander.low(air);
        self.phase += hertz * wander * (1.0 + self.pitch_off) / RATE as f32;
        if self.phase >= 1.0 {
            self.phase -= 1.0;
            // Jitter and shimmer change between pulses only: within one they would be heard as noise.
            self.pitch_off = 0.5 * shaky * noise.white();
            self.strength = 1.0 + (0.04 + 2.0 * shaky) * noise.white();
        }
        let flow = self.strength * pulse(self.phase, tense);
        // The derivative grows with the pitch. Dividing by it keeps the level the same at any pitch.
        let change = (flow - self.flow) * RATE as f32 / (hertz * 12.0);
        self.flow = flow;
        change + breath * (0.3 + flow) * 0.12 * air
    }
}

/// The glottal flow at a phase: opens slowly, closes quickly, and stays closed.
fn pulse(phase: f32, tense: f32) -> f32 {
    let open = 0.5 - 0.14 * tense;
    let shut = 0.22 - 0.13 * tense;
    if phase < open {
        let part = phase / open;
        part * part * (3.0 - 2.0 * part)
    } else if phase < open + shut {
        let part = (phase - open) / shut;
        1.0 - part * part
    } else {
        0.0
    }
}

/// The resonances of the mouth, in a chain.
#[derive(Debug, Clone, Copy, Default)]
struct Mouth {
    formants: [Formant; 5],
}

#[derive(Debug, Clone, Copy, Default)]
struct Formant {
    gain: f32,
    turn: f32,
    loss: f32,
    last: [f32; 2],
}

impl Mouth {
    fn shape(&mut self, (from, to): (Vowel, Vowel), way: f32) {
        for (index, formant) in self.formants.iter_mut().enumerate() {
            let hertz = from[index] + (to[index] - from[index]) * way;
            formant.tune(hertz, WIDTHS[index]);
        }
    }

    fn step(&mut self, flow: f32) -> f32 {
        let through = |sound, formant: &mut Formant| formant.step(sound);
        self.formants.iter_mut().fold(flow, through)
    }
}

impl Formant {
    fn tune(&mut self, hertz: f32, width: f32) {
        let part = libm::expf(-core::f32::consts::PI * width / RATE as f32);
        // The two-pole resonator of Klatt. The quarter period turns the sine into a cosine.
        self.turn = 2.0 * part * super::wave::sine(hertz / RATE as f32 + 0.25);
        self.loss = part * part;
        // Unit gain at 0 Hz, so that the chain keeps the level of the low frequencies for any vowel.
        self.gain = 1.0 - self.turn + self.loss;
    }

    fn step(&mut self, sound: f32) -> f32 {
        let next = self.gain * sound + self.turn * self.last[0] - self.loss * self.last[1];
        self.last = [next, self.last[0]];
        next
    }
}

#[cfg(test)]
mod tests {
    use super::super::goertzel::power_between;
    use super::*;

    const CALM: Manner = Manner {
        tense: 0.3,
        breath: 0.2,
        shaky: 0.01,
    };

    fn vowel(vowel: Vowel) -> Clip {
        let syllable = Syllable {
            at: 0.0,
            length: 0.5,
            pitch: (110.0, 110.0),
            vowel: (vowel, vowel),
            loud: 1.0,
            hiss: 0.0,
        };
        speak(&mut Noise::new(1), CALM, &[syllable])
    }

    #[test]
    fn vowels_have_power_at_their_formants() {
        let (ee, ah) = (vowel(EE), vowel(AH));
        let share = |clip: &Clip, low, high| {
            power_between(clip.as_slice(), low, high) / power_between(clip.as_slice(), 100, 4000)
        };
        assert!(share(&ee, 1900, 3000) > 3.0 * share(&ee, 700, 1500));
        assert!(share(&ah, 600, 1300) > 10.0 * share(&ah, 1900, 3000));
    }
}
