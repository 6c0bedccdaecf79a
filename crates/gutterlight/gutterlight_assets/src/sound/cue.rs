//! What the front end asks for: a sound, from somewhere; and how it then reaches the ears.
//!
//! - Left and right by angle, at constant power: the squares of both sides add up to 1, so that
//!   a sound that goes round the thief is as loud all the way.
//! - Distance makes it weaker, duller, later and more of an echo. It gets weaker by less than
//!   it would in the open: at twenty cells it still has to be heard, for the game is played
//!   by it.
//! - A door or a curtain on the way takes the high tones first.

use gutterlight_rules::{Direction, IVec2, Sound};

use super::{RATE, name::SoundName};

/// How far to one side a sound goes at most: the other ear still hears it.
const WIDEST: f32 = 0.85;

/// At so many cells a sound is half as strong.
const HALF: f32 = 7.0;

/// Above this pitch nothing is taken away, so no filter is needed, in hertz.
const OPEN: f32 = 15_000.0;

/// A sound that is to be played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cue {
    /// Which.
    pub sound: SoundName,
    /// From -1, left, to 1, right.
    pub pan: f32,
    /// How far away it is, in cells along its way.
    pub distance: f32,
    /// How much is in its way, from 0, nothing, to 1, a shut door.
    pub muffled: f32,
    /// How strong it is, from 0 to [`Self::STRONGEST`], beside its own loudness: 0.5 for a step
    /// that is sneaked, 1 for one that is walked, 2 for one that is run.
    pub gain: f32,
    /// Which variation; any number. For a voice, whose: the id of the guard.
    pub variation: u32,
}

/// How a cue reaches the ears.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Path {
    /// Strength at the left and the right ear, and into the reverb.
    pub gains: [f32; 3],
    /// Pitch of the low-pass on the way, in hertz, if there is one.
    pub low_pass: Option<f32>,
    /// Samples until it arrives.
    pub wait: u32,
    /// How quickly it is played: 1 is as made.
    pub rate: f32,
}

impl Cue {
    /// The most that [`Self::gain`] can be: 6 decibels.
    pub const STRONGEST: f32 = 2.0;

    /// Here, in the middle, at its own loudness.
    pub fn new(sound: impl Into<SoundName>) -> Self {
        Self {
            sound: sound.into(),
            pan: 0.0,
            distance: 0.0,
            muffled: 0.0,
            gain: 1.0,
            variation: 0,
        }
    }

    /// From a direction, so many steps away, as a sound that is heard and not seen.
    pub fn towards(self, direction: Option<Direction>, steps: u16) -> Self {
        let pan = direction.map_or(0.0, |direction| {
            let step = direction.step();
            side(step.x as f32, step.y as f32)
        });
        Self {
            pan,
            distance: f32::from(steps),
            ..self
        }
    }

    /// From a cell that is so far east and south of the thief.
    pub fn at_offset(self, offset: IVec2) -> Self {
        let (x, y) = (offset.x as f32, offset.y as f32);
        let distance = libm::sqrtf(x * x + y * y);
        Self {
            // What is beside one is not wholly in one ear.
            pan: side(x, y) * (0.5 * distance).min(1.0),
            distance,
            ..self
        }
    }

    /// With so much in its way.
    pub fn muffled(self, muffled: f32) -> Self {
        Self { muffled, ..self }
    }

    /// So strong.
    pub fn gain(self, gain: f32) -> Self {
        Self { gain, ..self }
    }

    /// In this variation.
    pub fn variation(self, variation: u32) -> Self {
        Self { variation, ..self }
    }

    /// How it reaches the ears. Numbers out of range are brought into it.
    pub(super) fn path(self) -> Path {
        let pan = within(self.pan, -1.0, 1.0);
        let distance = within(self.distance, 0.0, 200.0);
        let muffled = within(self.muffled, 0.0, 1.0);
        let own = within(self.gain, 0.0, Self::STRONGEST);
        let gain = own * (1.0 - 0.35 * muffled) * HALF / (HALF + distance);
        // From -1 to 1 is a quarter turn; its sine and cosine are the two sides.
        let quarter = core::f32::consts::FRAC_PI_4 * (1.0 + WIDEST * pan);
        let octaves = 0.11 * distance + 4.2 * muffled;
        let low_pass = 18_000.0 * libm::exp2f(-octaves);
        let later = 0.0015 * distance + 0.025 * muffled;
        Path {
            gains: [
                gain * libm::cosf(quarter),
                gain * libm::sinf(quarter),
                gain * self.echo(distance),
            ],
            low_pass: (low_pass < OPEN).then(|| low_pass.max(220.0)),
            wait: (later.min(0.12) * RATE as f32) as u32,
            rate: self.rate(),
        }
    }

    /// How much of it goes into the reverb: more, the farther it is. Menus are in no room.
    fn echo(self, distance: f32) -> f32 {
        match self.sound {
            SoundName::MenuMove
            | SoundName::MenuChoose
            | SoundName::MenuBack
            | SoundName::MenuRefuse => 0.0,
            _ => 0.14 + 0.75 * distance / (distance + 10.0),
        }
    }

    /// No two steps are alike, and no two throats: a smaller throat speaks higher, and its
    /// vowels are higher too, which is just what playing it more quickly does.
    fn rate(self) -> f32 {
        let spread = match self.sound {
            SoundName::World(Sound::Voice(_) | Sound::Call) => 0.08,
            sound if sound.terms().variations > 1 => 0.03,
            _ => 0.0,
        };
        let hash = self.variation.wrapping_mul(0x9E37_79B1) >> 16;
        1.0 + spread * (hash as f32 / 32_768.0 - 1.0)
    }
}

/// The sine of the way's angle from north: how far it is to the right.
fn side(x: f32, y: f32) -> f32 {
    let length = libm::sqrtf(x * x + y * y);
    if length > 0.0 { x / length } else { 0.0 }
}

/// A number in its range; the lower end for what is no number.
pub(super) fn within(value: f32, low: f32, high: f32) -> f32 {
    if value.is_nan() {
        low
    } else {
        value.clamp(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOOR: Cue = Cue {
        sound: SoundName::World(Sound::Door),
        pan: 0.0,
        distance: 0.0,
        muffled: 0.0,
        gain: 1.0,
        variation: 0,
    };

    #[test]
    fn power_is_the_same_all_around() {
        for direction in Direction::ALL {
            let [left, right, _] = DOOR.towards(Some(direction), 0).path().gains;
            assert!(
                (left * left + right * right - 1.0).abs() < 1e-4,
                "{direction:?}"
            );
            let east = direction.step().x;
            assert_eq!((right - left).abs() > 0.1, east != 0, "{direction:?}");
            assert!((right - left) * east as f32 >= 0.0, "{direction:?}");
        }
    }

    #[test]
    fn what_is_far_is_weaker_duller_and_later() {
        let paths = [0, 3, 9, 27].map(|steps| DOOR.towards(None, steps).path());
        for pair in paths.windows(2) {
            assert!(pair[1].gains[0] < pair[0].gains[0], "{pair:?}");
            assert!(pair[1].wait > pair[0].wait, "{pair:?}");
            assert!(pair[1].low_pass.is_some(), "{pair:?}");
            assert!(
                pair[1].low_pass < pair[0].low_pass || pair[0].low_pass.is_none(),
                "{pair:?}"
            );
        }
        let shut = DOOR.muffled(1.0).path();
        assert!(shut.low_pass.is_some_and(|hertz| hertz < 1200.0));
        assert!(shut.wait > 500);
    }

    #[test]
    fn nonsense_is_brought_into_range() {
        let cue = Cue {
            pan: f32::NAN,
            distance: -3.0,
            muffled: f32::INFINITY,
            gain: f32::NAN,
            ..DOOR
        };
        let path = cue.path();
        assert!(path.gains.iter().all(|gain| gain.is_finite()));
        assert!(path.low_pass.is_some_and(f32::is_finite));
        assert_eq!(DOOR.at_offset(IVec2::ZERO).path(), DOOR.path());
    }

    #[test]
    fn each_guard_has_a_voice() {
        let rates = [0, 1, 2, 3, 4].map(|id| {
            let cue = Cue::new(Sound::Call).variation(id);
            cue.path().rate
        });
        for (index, rate) in rates.iter().enumerate() {
            assert!((0.91..=1.09).contains(rate), "guard {index}: {rate}");
            assert!(!rates[..index].contains(rate), "{rates:?}");
        }
        assert_eq!(Cue::new(SoundName::Victory).variation(7).path().rate, 1.0);
    }
}
