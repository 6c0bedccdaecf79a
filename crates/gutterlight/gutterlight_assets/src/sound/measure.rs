//! An ear for machines: how loud a sound is, how high its peaks, and what it is made of.
//!
//! For the tests, and for the example `listen`, which takes this file as its own; the library
//! has nothing of it. It knows nothing of the game, so that it can not be as wrong as the game.
//!
//! - **Loudness** is EBU R 128's momentary one (EBU Tech 3341, ITU-R BS.1770-5): both sides
//!   through the K weighting, their mean power over 400 ms, in LUFS. A sound is as loud as its
//!   loudest 400 ms, looked for every 10 ms. A shorter one has silence around it, and so is
//!   softer the shorter it is, as it is to an ear.
//! - **True peak** is what a loudspeaker makes of the samples: the peak of the curve through
//!   them, at four times the rate, in decibels of full scale.
//! - **Spectra** are powers of 24 Bark bands (Zwicker 1961): what the ear keeps apart.

use std::sync::Arc;

use ebur128::{EbuR128, Mode};
use rustfft::{Fft, FftPlanner, num_complex::Complex};

/// Frames between two looks at the loudness, in parts of a second.
const LOOKS: u32 = 100;

/// How loud the loudest 400 ms are, in LUFS; minus infinity for silence. Frames are left and right
/// in turn, so many of them in a second.
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

/// The greatest true peak of both sides, in dBTP; minus infinity for silence.
pub fn true_peak(frames: &[f32], rate: u32) -> Result<f64, ebur128::Error> {
    let mut meter = EbuR128::new(2, rate, Mode::TRUE_PEAK)?;
    meter.add_frames_f32(frames)?;
    // What the filter that looks between the samples still holds.
    meter.add_frames_f32(&[0.0; 64])?;
    let peak = meter.true_peak(0)?.max(meter.true_peak(1)?);
    Ok(20.0 * peak.log10())
}

/// Upper ends of the Bark bands in hertz; the first one begins at 20.
const BARK: [f32; 24] = [
    100.0, 200.0, 300.0, 400.0, 510.0, 630.0, 770.0, 920.0, 1080.0, 1270.0, 1480.0, 1720.0, 2000.0,
    2320.0, 2700.0, 3150.0, 3700.0, 4400.0, 5300.0, 6400.0, 7700.0, 9500.0, 12_000.0, 15_500.0,
];

/// Fourier transforms of pieces of a sound, under a Hann window.
pub struct Spectra {
    fft: Arc<dyn Fft<f32>>,
    window: Vec<f32>,
    rate: u32,
}

impl Spectra {
    /// For pieces of so many samples, so many of which are a second.
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

    /// The powers of the pitches of one piece, from 0 to half the rate; a full sine at one
    /// of them has 1. What the piece lacks is silence.
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

    /// The power of each Bark band over all of a sound.
    pub fn bark(&self, samples: &[f32]) -> [f64; 24] {
        let hop = self.window.len() / 2;
        // Half a window of silence first: every sample is under two windows.
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
