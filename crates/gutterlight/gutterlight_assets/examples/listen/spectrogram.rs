//! Spectrograms: time to the right, frequency upward, brightness for power.
//!
//! The frequency axis is logarithmic, so octaves have the same height. Each row shows the maximum
//! power of its frequencies, so that thin lines stay visible.

use std::error::Error;

use gutterlight_assets::sound::RATE;

use crate::measure::Spectra;

/// The width of a spectrogram, in pixels.
pub const WIDTH: usize = 640;
/// The height of a spectrogram, in pixels.
pub const HEIGHT: usize = 160;

/// The length of a transform in samples: 46 ms, with bins of 22 hertz.
const PIECE: usize = 2048;

/// The lowest and the highest frequency, in hertz.
pub const PITCHES: [f32; 2] = [40.0, 16_000.0];

/// The powers shown as black and as white, in decibels relative to a full-scale sine.
const SHADES: [f32; 2] = [-96.0, -22.0];

/// A color ramp from black through violet and orange to pale yellow. Its lightness is perceptually
/// even, so it also works for color-blind viewers.
const COLORS: [[f32; 3]; 6] = [
    [9.0, 8.0, 15.0],
    [45.0, 18.0, 74.0],
    [120.0, 30.0, 100.0],
    [205.0, 66.0, 62.0],
    [247.0, 150.0, 60.0],
    [253.0, 240.0, 190.0],
];

/// The vertical position of a frequency, from 0 to 1.
pub fn height_of(hertz: f32) -> f32 {
    let [low, high] = PITCHES;
    (hertz / low).ln() / (high / low).ln()
}

/// Renders the mean of both channels as a PNG file.
pub fn draw(frames: &[f32]) -> Result<Vec<u8>, Box<dyn Error>> {
    let middle: Vec<f32> = frames
        .chunks_exact(2)
        .map(|both| 0.5 * (both[0] + both[1]))
        .collect();
    let spectra = Spectra::new(PIECE, RATE);
    let padded = [&vec![0.0; PIECE / 2][..], &middle].concat();
    let mut pixels = vec![0; 3 * WIDTH * HEIGHT];
    for x in 0..WIDTH {
        let from = (x * middle.len() / WIDTH).min(padded.len());
        let powers = spectra.powers(&padded[from..]);
        for y in 0..HEIGHT {
            let at = 3 * (y * WIDTH + x);
            let color = color(shade(strongest(&powers, HEIGHT - 1 - y)));
            pixels[at..at + 3].copy_from_slice(&color);
        }
    }
    png(&pixels)
}

/// The maximum power of a row, counted from below.
fn strongest(powers: &[f32], row: usize) -> f32 {
    let [low, high] = PITCHES;
    let hertz = |row: usize| low * (high / low).powf(row as f32 / HEIGHT as f32);
    let bin = |hertz: f32| hertz * PIECE as f32 / RATE as f32;
    let (from, to) = (bin(hertz(row)), bin(hertz(row + 1)));
    let within = from.ceil() as usize..=to.floor() as usize;
    if within.is_empty() {
        // Low rows are narrower than a bin, so interpolate between bins.
        let (below, part) = (from as usize, from.fract());
        return powers[below] + part * (powers[below + 1] - powers[below]);
    }
    powers[within].iter().copied().fold(0.0, f32::max)
}

/// The brightness of a power, from 0 to 1.
fn shade(power: f32) -> f32 {
    let decibels = 10.0 * power.max(1e-12).log10();
    let [black, white] = SHADES;
    ((decibels - black) / (white - black)).clamp(0.0, 1.0)
}

fn color(shade: f32) -> [u8; 3] {
    let place = shade * (COLORS.len() - 1) as f32;
    let below = (place as usize).min(COLORS.len() - 2);
    let part = place - below as f32;
    core::array::from_fn(|ink| {
        let (dark, bright) = (COLORS[below][ink], COLORS[below + 1][ink]);
        (dark + part * (bright - dark)) as u8
    })
}

fn png(pixels: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, WIDTH as u32, HEIGHT as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(pixels)?;
    Ok(file)
}
