//! The power of a single frequency in a sound, for tests.
//!
//! Goertzel's algorithm (1958) computes one bin of a Fourier transform at any frequency.

use super::RATE;

/// The mean power at a frequency in hertz. A full-scale sine has a quarter.
pub fn power_at(samples: &[f32], hertz: f32) -> f64 {
    let turn = 2.0 * libm::cos(core::f64::consts::TAU * f64::from(hertz) / f64::from(RATE));
    let (mut last, mut before) = (0.0, 0.0);
    for &sample in samples {
        (last, before) = (f64::from(sample) + turn * last - before, last);
    }
    let length = samples.len().max(1) as f64;
    (last * last + before * before - turn * last * before) / (length * length)
}

/// The mean power from `low` to `high` hertz, over windows of 20 ms with bins of 50 hertz.
pub fn power_between(samples: &[f32], low: u32, high: u32) -> f64 {
    let piece = RATE as usize / 50;
    let power = |part: &[f32]| -> f64 {
        let bins = (low..high).step_by(50);
        bins.map(|hertz| power_at(part, hertz as f32)).sum()
    };
    let pieces = samples.len().div_ceil(piece).max(1);
    samples.chunks(piece).map(power).sum::<f64>() / pieces as f64
}
