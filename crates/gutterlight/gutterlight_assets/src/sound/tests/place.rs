//! Tests of the position of sounds in stereo, through the whole mixer with reverb.

use core::f32::consts::TAU;

use gutterlight_rules::{Direction, Ground, IVec2, Sound};

use super::{RATE, draw, power, quiet};
use crate::sound::{
    Cue, SoundName,
    measure::{Spectra, momentary},
};

/// Both channels of a cue on its own.
fn heard(cue: Cue) -> [Vec<f32>; 2] {
    let mut mixer = quiet();
    mixer.play(cue);
    draw(&mut mixer, 1.2)
}

/// The level of the right channel relative to the left, in decibels.
fn balance([left, right]: &[Vec<f32>; 2]) -> f64 {
    10.0 * (power(right) / power(left)).log10()
}

fn loudness([left, right]: &[Vec<f32>; 2]) -> f64 {
    let frames: Vec<f32> = left.iter().zip(right).flat_map(|(l, r)| [*l, *r]).collect();
    momentary(&frames, RATE).expect("a rate")
}

#[test]
fn directions_are_on_their_side() {
    for direction in Direction::ALL {
        let side = direction.step().x;
        for cue in [
            Cue::new(Sound::Steps(Ground::Stone)).towards(Some(direction), 3),
            Cue::new(Sound::Steps(Ground::Stone)).at_offset(direction.step() * 3),
        ] {
            let balance = balance(&heard(cue));
            match side {
                0 => assert!(balance.abs() < 1.5, "{direction:?}: {balance}"),
                _ => assert!(balance * f64::from(side) > 3.0, "{direction:?}: {balance}"),
            }
        }
    }
}

/// Checks the constant-power law: the gains are the cosine and the sine of one angle.
#[test]
fn pan_has_constant_power() {
    // Menus have no reverb, which is on both sides.
    for step in -10..=10_i8 {
        let pan = 0.1 * f32::from(step);
        let cue = Cue {
            pan,
            ..Cue::new(SoundName::MenuChoose)
        };
        let [left, right] = heard(cue).map(|side| power(&side).sqrt());
        let angle = right.atan2(left);
        let expected = core::f64::consts::FRAC_PI_4 * (1.0 + 0.85 * f64::from(pan));
        assert!((angle - expected).abs() < 1e-3, "{pan}: {angle} {expected}");
    }
}

#[test]
fn loudness_does_not_depend_on_direction() {
    let ring = (0..16).map(|number| {
        let angle = TAU * number as f32 / 16.0;
        let offset = IVec2::new((20.0 * angle.cos()) as i32, (20.0 * angle.sin()) as i32);
        Cue {
            distance: 4.0,
            ..Cue::new(Sound::Pebble).at_offset(offset)
        }
    });
    let all: Vec<f64> = ring.map(|cue| loudness(&heard(cue))).collect();
    let least = all.iter().copied().fold(f64::MAX, f64::min);
    let most = all.iter().copied().fold(f64::MIN, f64::max);
    assert!(most - least < 0.5, "{all:?}");
}

#[test]
fn distance_reduces_loudness() {
    for name in [Sound::Steps(Ground::Stone), Sound::Call, Sound::Door] {
        let far = [0, 2, 5, 10, 20, 40];
        let all = far.map(|steps| loudness(&heard(Cue::new(name).towards(None, steps))));
        for pair in all.windows(2) {
            assert!(pair[0] - pair[1] > 1.0, "{name:?}: {all:?}");
        }
    }
}

/// The loss through a closed door below 400 hertz and above 2000, in decibels.
#[test]
fn doors_make_sounds_softer_and_duller() {
    let spectra = Spectra::new(2048, RATE);
    for name in [Sound::Steps(Ground::Gravel), Sound::Call, Sound::Fight] {
        let cue = Cue::new(name).towards(None, 4);
        let [open, shut] = [0.0, 1.0].map(|muffled| {
            let [left, _] = heard(cue.muffled(muffled));
            let bands = spectra.bark(&left);
            [bands[..4].iter().sum::<f64>(), bands[13..].iter().sum()]
        });
        let [low, high] = [0, 1].map(|end| 10.0 * (open[end] / shut[end]).log10());
        assert!(low > 1.0, "{name:?}: {low}");
        assert!(high > low + 12.0, "{name:?}: {low} {high}");
        let wall = loudness(&heard(cue)) - loudness(&heard(cue.muffled(1.0)));
        assert!(wall > 4.0, "{name:?}: {wall}");
    }
}
