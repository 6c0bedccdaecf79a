//! The ground is told by ear: steps on different grounds are much farther from each other than
//! those on the same one.
//!
//! Two sounds are as far apart as their spectra and their shapes in time are: the root of the
//! mean square of the differences, in decibels, over 24 Bark bands, and the same over the first
//! 600 ms in pieces of thirty, about what an ear takes together, both as sides of a right angle. How loud they are is
//! left out, each is taken beside its own loudest band and moment; and what is 40 decibels
//! below that, nobody hears.

use gutterlight_rules::{Ground, Sound};

use super::{RATE, bank, clip, power};
use crate::sound::{SoundName, measure::Spectra};

/// What is heard beside the loudest, in decibels.
const HEARD: f64 = 40.0;

/// So long is what is taken together, in samples, and so many are looked at.
const PIECE: usize = RATE as usize * 3 / 100;
const PIECES: usize = 20;

/// How many times as far as two steps on one ground those on different ones are.
const APART: f64 = 1.5;

/// How a sound is told from others.
struct Character {
    name: SoundName,
    bands: Vec<f64>,
    shape: Vec<f64>,
}

/// In decibels below the loudest.
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

/// Every variation of every kind of step.
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

/// The mean distance of different sounds of one kind from those of another.
fn between(all: &[Character], one: SoundName, other: SoundName) -> f64 {
    let of = |name| all.iter().filter(move |step| step.name == name);
    let pairs = of(one).flat_map(|step| of(other).map(move |next| (step, next)));
    let different = pairs.filter(|(step, next)| !core::ptr::eq(*step, *next));
    mean(different.map(|(step, next)| step.distance(next)))
}

#[test]
fn grounds_are_told_apart() {
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
    assert!(near.is_empty(), "too near to each other:\n{near}");
}

/// Whoever hears one step knows the ground: the step that is most like it is on the same one.
#[test]
fn every_step_is_most_like_those_on_the_same_ground() {
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
