//! Tests of the loudness meter with signals from the standards (EBU Tech 3341, the table of its
//! minimum requirements).

use crate::sound::{
    RATE,
    measure::{Spectra, momentary, true_peak},
    wave::sine,
};

/// A stereo tone with a duration in seconds and a peak in decibels relative to full scale.
fn tone(hertz: f32, decibels: f32, seconds: f32) -> Vec<f32> {
    let peak = libm::powf(10.0, decibels / 20.0);
    let frames = (seconds * RATE as f32) as usize;
    let sample = |index: usize| {
        let turns = f64::from(hertz) * index as f64 / f64::from(RATE);
        peak * sine(turns.fract() as f32)
    };
    (0..frames).flat_map(|index| [sample(index); 2]).collect()
}

fn loudness(frames: &[f32]) -> f64 {
    momentary(frames, RATE).expect("a rate")
}

#[track_caller]
fn assert_near(found: f64, expected: f64, within: f64) {
    let off = (found - expected).abs();
    assert!(off <= within, "{found}, expected {expected}");
}

#[test]
fn tone_reads_the_standard_value() {
    assert_near(loudness(&tone(1000.0, -23.0, 2.0)), -23.0, 0.1);
    assert_near(loudness(&tone(1000.0, -33.0, 2.0)), -33.0, 0.1);
    // One channel alone has half the power.
    let mut left = tone(1000.0, -23.0, 2.0);
    left.iter_mut()
        .skip(1)
        .step_by(2)
        .for_each(|right| *right = 0.0);
    assert_near(loudness(&left), -26.0, 0.1);
}

#[test]
fn short_tone_is_found_at_any_offset() {
    for offset in 0..8 {
        let silence = vec![0.0; 2 * (offset * RATE as usize / 50)];
        let frames = [silence, tone(1000.0, -23.0, 0.4)].concat();
        assert_near(loudness(&frames), -23.0, 0.1);
    }
    // A quarter of the window has a quarter of the power.
    assert_near(loudness(&tone(1000.0, -23.0, 0.1)), -29.0, 0.2);
    assert_eq!(loudness(&[0.0; 2000]), f64::NEG_INFINITY);
    assert_eq!(loudness(&[]), f64::NEG_INFINITY);
}

#[test]
fn k_weighting_follows_frequency() {
    // The K weighting at these frequencies, relative to 1 kHz.
    for (hertz, weight) in [(38.0, -6.7), (100.0, -1.9), (10_000.0, 3.3)] {
        assert_near(loudness(&tone(hertz, -23.0, 2.0)), -23.0 + weight, 0.4);
    }
}

#[test]
fn true_peak_finds_intersample_peaks() {
    // A quarter of the sample rate, shifted by 45 degrees: no sample is above 0.71 of the peak.
    let quarter =
        [1.0_f32, 1.0, -1.0, -1.0].map(|sign| sign * 0.5 * core::f32::consts::FRAC_1_SQRT_2);
    let frames: Vec<f32> = quarter
        .into_iter()
        .cycle()
        .take(8000)
        .flat_map(|sample| [sample; 2])
        .collect();
    let peak = true_peak(&frames, RATE).expect("a rate");
    assert!((-6.4..=-5.8).contains(&peak), "{peak}");
}

#[test]
fn tone_is_in_its_bark_band() {
    let both = tone(1000.0, 0.0, 1.0);
    let left: Vec<f32> = both.into_iter().step_by(2).collect();
    let bands = Spectra::new(2048, RATE).bark(&left);
    let whole: f64 = bands.iter().sum();
    // The band from 920 to 1080 hertz.
    assert!(bands[8] > 0.99 * whole, "{bands:?}");
}
