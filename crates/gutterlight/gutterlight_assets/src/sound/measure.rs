//! Measurements: loudness, true peaks and spectra.
//!
//! This file is used by the tests, and included by the example `listen`. It is not part of the
//! library. It does not share code with the game, so that it cannot have the same bugs.
//!
//! - **Loudness** is the momentary loudness of EBU R 128 (EBU Tech 3341, ITU-R BS.1770-5): the mean
//!   power of both channels over 400 ms after K weighting, in LUFS. The loudness of a sound is that
//!   of its loudest 400 ms, searched every 10 ms. Shorter sounds are surrounded by silence and
//!   therefore measure softer, as they do for the ear.
//! - **True peak** is the peak of the reconstructed signal, at four times the sample rate, in
//!   decibels relative to full scale.
//! - **Spectra** are powers of the 24 Bark bands (Zwicker 1961), which the ear can separate.

use std::sync::Arc;

use ebur128::{EbuR128, Mode};
use rustfft::{Fft, FftPlanner, num_complex::Complex};

/// The number of loudness measurements per second.
const LOOKS: u32 = 100;

/// The loudness of the loudest 400 ms, in LUFS. Minus infinity for silence. `frames` are
/// interleaved stereo samples.
pub fn momentary(frames: &[f32], rate: u32) -> Result<f64, ebur128::Error> {
    let mut meter = EbuR128::new(2, rate, Mode::M)?;
    let silence = vec![0.0; 2 * (4 * rate / 10) as usize];
    let mut loudest = f64::NEG_INFINITY;
    meter.add_frames_f32(&silence)?;
    for part in [frames, &silence] {
        for look in part.chunks(2 * (rate / LOOKS) as usize) {
            meter.add_frames_f32(look)?;
            loudest = loudest.max(meter.loudness_momentary()?);
        }
    }
    Ok(loudest)
}

/// The maximum true peak of both channels, in dBTP. Minus infinity for silence.
pub fn true_peak(frames: &[f32], rate: u32) -> Result<f64, ebur128::Error> {
    let mut meter = EbuR128::new(2, rate, Mode::TRUE_PEAK)?;
    meter.add_frames_f32(frames)?;
    // Flush the oversampling filter.
    meter.add_frames_f32(&[0.0; 64])?;
    let peak = meter.true_peak(0)?.max(meter.true_peak(1)?);
    Ok(20.0 * peak.log10())
}

/// The upper limits of the Bark bands in hertz. The first band begins at 20.
const BARK: [f32; 24] = [
    100.0, 200.0, 300.0, 400.0, 510.0, 630.0, 770.0, 920.0, 1080.0, 1270.0, 1480.0, 1720.0, 2000.0,
    2320.0, 2700.0, 3150.0, 3700.0, 4400.0, 5300.0, 6400.0, 7700.0, 9500.0, 12_000.0, 15_500.0,
];

/// Fourier transforms with a Hann window.
pub struct Spectra {
    fft: Arc<dyn Fft<f32>>,
    window: Vec<f32>,
    rate: u32,
}

impl Spectra {
    /// Prepares transforms of `length` samples at a sample rate.
    pub fn new(length: usize, rate: u32) -> Self {
        let turn = core::f32::consts::TAU / length as f32;
        Self {
            fft: FftPlanner::new().plan_fft_forward(length),
            window: (0..length)
                .map(|index| 0.5 - 0.5 * (turn * index as f32).cos())
                .collect(),
            rate,
        }
    }

    /// The powers of all bins of a block, from 0 to half the sample rate. A full-scale sine at a
    /// bin has 1. Blocks that are too short are padded with silence.
    pub fn powers(&self, piece: &[f32]) -> Vec<f32> {
        let length = self.window.len();
        let mut bins = vec![Complex::default(); length];
        for ((bin, sample), weight) in bins.iter_mut().zip(piece).zip(&self.window) {
            bin.re = sample * weight;
        }
        self.fft.process(&mut bins);
        let full = 16.0 / (length * length) as f32;
        let half = &bins[..=length / 2];
        half.iter().map(|bin| full * bin.norm_sqr()).collect()
    }

    /// The power of each Bark band over the whole sound.
    pub fn bark(&self, samples: &[f32]) -> [f64; 24] {
        let hop = self.window.len() / 2;
        // Half a window of silence first, so that every sample is in two windows.
        let padded = [&vec![0.0; hop][..], samples].concat();
        let mut bands = [0.0; 24];
        for from in (0..padded.len()).step_by(hop) {
            for (bin, power) in self.powers(&padded[from..]).into_iter().enumerate() {
                let hertz = bin as f32 * self.rate as f32 / self.window.len() as f32;
                let band = BARK.iter().position(|&end| hertz < end);
                if let Some(band) = band.filter(|_| hertz >= 20.0) {
                    bands[band] += f64::from(power);
                }
            }
        }
        bands
    }
}
