//! Tests that grounds can be told by ear: steps on different grounds differ much more than steps on the same ground.
//!
//! The distance of two sounds combines their spectra and their envelopes: the root mean square of the differences in
//! decibels, over the 24 Bark bands and over the first 600 ms in windows of 30 ms, about the integration time of the
//! ear. Both are combined as the sides of a right angle. Loudness is ignored: each sound is measured relative to its
//! own loudest band and window. Everything more than 40 decibels below that counts as inaudible.

use gutterlight_rules::{Ground, Sound};

use super::{RATE, bank, clip, power};
use crate::sound::{SoundName, measure::Spectra};

/// The audible range below the loudest value, in decibels.
const HEARD: f64 = 40.0;

/// The length of a window in samples, and the number of windows.
const PIECE: usize = RATE as usize * 3 / 100;
const PIECES: usize = 20;

/// The minimum ratio of the distance between grounds to the distance within a ground.
const APART: f64 = 1.5;

/// The features of a sound.
struct Character {
    name: SoundName,
    bands: Vec<f64>,
    shape: Vec<f64>,
}

/// Powers in decibels relative to the loudest.
fn below_loudest(powers: &[f64]) -> Vec<f64> {
    let loudest = powers.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let below = |power: &f64| 10.0 * (power / loudest).max(1e-9).log10();
    powers
        .iter()
        .map(|power| below(power).max(-HEARD))
        .collect()
}

fn root_mean_square(one: &[f64], other: &[f64]) -> f64 {
    let squares = one.iter().zip(other).map(|(a, b)| (a - b).powi(2));
    (squares.sum::<f64>() / one.len() as f64).sqrt()
}

impl Character {
    fn of(name: SoundName, variation: u32, spectra: &Spectra) -> Self {
        let bank = bank();
        let samples = clip(&bank, name, variation);
        let mut shape: Vec<f64> = samples.chunks(PIECE).map(power).collect();
        shape.resize(PIECES, 0.0);
        Self {
            name,
            bands: below_loudest(&spectra.bark(samples)),
            shape: below_loudest(&shape),
        }
    }

    fn distance(&self, other: &Self) -> f64 {
        let bands = root_mean_square(&self.bands, &other.bands);
        bands.hypot(root_mean_square(&self.shape, &other.shape))
    }
}

/// All variations of all kinds of steps.
fn all() -> Vec<Character> {
    let spectra = Spectra::new(2048, RATE);
    let kinds = Ground::ALL
        .map(Sound::Steps)
        .into_iter()
        .chain([Sound::Paws]);
    kinds
        .map(SoundName::World)
        .flat_map(|name| (0..name.terms().variations).map(move |number| (name, number)))
        .map(|(name, number)| Character::of(name, number, &spectra))
        .collect()
}

fn mean(distances: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = distances.fold((0.0, 0.0), |(sum, count), d| (sum + d, count + 1.0));
    sum / count
}

/// The mean distance between different sounds of two kinds.
fn between(all: &[Character], one: SoundName, other: SoundName) -> f64 {
    let of = |name| all.iter().filter(move |step| step.name == name);
    let pairs = of(one).flat_map(|step| of(other).map(move |next| (step, next)));
    let different = pairs.filter(|(step, next)| !core::ptr::eq(*step, *next));
    mean(different.map(|(step, next)| step.distance(next)))
}

#[test]
fn grounds_sound_different() {
    let all = all();
    let mut names: Vec<SoundName> = all.iter().map(|step| step.name).collect();
    names.dedup();
    let mut near = String::new();
    for (index, &one) in names.iter().enumerate() {
        for &other in &names[..index] {
            let within = between(&all, one, one).max(between(&all, other, other));
            let ratio = between(&all, one, other) / within;
            if ratio < APART {
                near += &format!("{one:?} {other:?}: {ratio:.2}\n");
            }
        }
    }
    assert!(near.is_empty(), "too similar:\n{near}");
}

/// Checks that the most similar other step is always on the same ground.
#[test]
fn nearest_step_is_on_the_same_ground() {
    let all = all();
    for (index, step) in all.iter().enumerate() {
        let others = all.iter().enumerate().filter(|&(other, _)| other != index);
        let nearest = others
            .map(|(_, other)| other)
            .min_by(|a, b| step.distance(a).total_cmp(&step.distance(b)));
        let nearest = nearest.map(|other| other.name);
        assert_eq!(nearest, Some(step.name), "{index}");
    }
}
