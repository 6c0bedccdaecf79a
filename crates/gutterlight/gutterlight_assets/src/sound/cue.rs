//! Cues: requests to play a sound at a position.
//!
//! - Panning uses constant power: the squares of the left and right gains add up to 1, so a sound
//!   that moves around the thief keeps its loudness.
//! - Distance makes a sound weaker, duller and later, with more reverb. It gets weaker less quickly
//!   than in reality: at 20 cells it must still be audible, because players rely on it.
//! - A door or a curtain in the way removes mainly high frequencies.

use gutterlight_rules::{Direction, IVec2, Sound};

use super::{RATE, name::SoundName};

/// The maximum effective pan. The other ear still hears the sound.
const WIDEST: f32 = 0.85;

/// The distance in cells at which a sound has half its strength.
const HALF: f32 = 7.0;

/// Low-pass frequencies above this are not audible, so the filter is skipped. In hertz.
const OPEN: f32 = 15_000.0;

/// A request to play a sound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cue {
    /// The sound.
    pub sound: SoundName,
    /// The pan, from -1 (left) to 1 (right).
    pub pan: f32,
    /// The distance in cells along the path of the sound.
    pub distance: f32,
    /// How much is in the way, from 0 (nothing) to 1 (a closed door).
    pub muffled: f32,
    /// The strength relative to the sound's own loudness, from 0 to [`Self::STRONGEST`]. 0.5 is a
    /// sneaked step, 1 a walked one, and 2 a run one.
    pub gain: f32,
    /// The variation, which wraps around. For a voice, the ID of the guard.
    pub variation: u32,
}

/// How a cue reaches the ears.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Path {
    /// The gains for the left ear, the right ear, and the reverb.
    pub gains: [f32; 3],
    /// The cutoff of the low-pass in hertz, if there is one.
    pub low_pass: Option<f32>,
    /// The delay in samples.
    pub wait: u32,
    /// The playback rate. 1 is the original speed.
    pub rate: f32,
}

impl Cue {
    /// The maximum of [`Self::gain`]: 6 decibels.
    pub const STRONGEST: f32 = 2.0;

    /// A cue at the thief's position, with the sound's own loudness.
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

    /// Places the cue in a direction, `steps` cells away. For sounds that are heard but not seen.
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

    /// Places the cue at an offset from the thief in cells, to the east and south.
    pub fn at_offset(self, offset: IVec2) -> Self {
        let (x, y) = (offset.x as f32, offset.y as f32);
        let distance = libm::sqrtf(x * x + y * y);
        Self {
            // Sounds next to the thief are not panned fully to one side.
            pan: side(x, y) * (0.5 * distance).min(1.0),
            distance,
            ..self
        }
    }

    /// Sets how much is in the way.
    pub fn muffled(self, muffled: f32) -> Self {
        Self { muffled, ..self }
    }

    /// Sets the strength.
    pub fn gain(self, gain: f32) -> Self {
        Self { gain, ..self }
    }

    /// Sets the variation.
    pub fn variation(self, variation: u32) -> Self {
        Self { variation, ..self }
    }

    /// Computes the path to the ears. Values out of range are clamped.
    pub(super) fn path(self) -> Path {
        let pan = within(self.pan, -1.0, 1.0);
        let distance = within(self.distance, 0.0, 200.0);
        let muffled = within(self.muffled, 0.0, 1.0);
        let own = within(self.gain, 0.0, Self::STRONGEST);
        let gain = own * (1.0 - 0.35 * muffled) * HALF / (HALF + distance);
        // A pan from -1 to 1 maps to a quarter turn, whose sine and cosine are the gains.
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

    /// The reverb gain, which increases with distance. Menus have no reverb.
    fn echo(self, distance: f32) -> f32 {
        match self.sound {
            SoundName::MenuMove
            | SoundName::MenuChoose
            | SoundName::MenuBack
            | SoundName::MenuRefuse => 0.0,
            _ => 0.14 + 0.75 * distance / (distance + 10.0),
        }
    }

    /// The playback rate, which varies between steps and between guards. Playing a voice faster
    /// raises both the pitch and the formants, like a smaller throat.
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

/// The sine of the angle from north: how far a direction points to the right.
fn side(x: f32, y: f32) -> f32 {
    let length = libm::sqrtf(x * x + y * y);
    if length > 0.0 { x / length } else { 0.0 }
}

/// Clamps a number to a range. NaN becomes the lower end.
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
    fn power_does_not_depend_on_direction() {
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
    fn distance_makes_sounds_weaker_duller_and_later() {
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
    fn invalid_values_are_clamped() {
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
    fn guards_have_different_voices() {
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
