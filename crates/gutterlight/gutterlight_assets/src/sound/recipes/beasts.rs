//! Sounds of the hound.

use crate::sound::{
    RATE,
    clip::{Clip, MOVE},
    contour::Contour,
    filter::Svf,
    noise::Noise,
    wave::{Oscillator, sine},
};

/// A howl that rises to its note, holds it, and falls. A voice without consonants: a few harmonics,
/// a mouth filter that follows the pitch, and some breath.
pub fn howl(noise: &mut Noise) -> Clip {
    let note = noise.between(590.0, 690.0);
    let hertz = Contour(&[
        (0.0, 0.5 * note),
        (0.14, 0.62 * note),
        // The voice breaks from one register to the next.
        (0.19, 0.8 * note),
        (0.36, note),
        (0.75, 1.03 * note),
        (1.1, 0.94 * note),
        (1.6, 0.6 * note),
        (1.9, 0.47 * note),
    ]);
    let level = Contour(&[
        (0.0, 0.0),
        (0.1, 0.35),
        (0.4, 1.0),
        (1.0, 0.9),
        (1.5, 0.4),
        (1.95, 0.0),
    ]);
    let mut tone = Oscillator::default();
    let (mut mouth, mut air) = (Svf::new(900.0, 1.6), Svf::new(1800.0, 1.2));
    let mut clip = Clip::silent(1.95);
    for (index, piece) in clip.as_mut_slice().chunks_mut(MOVE).enumerate() {
        let time = (index * MOVE) as f32 / RATE as f32;
        let sways = 0.013 * sine(5.6 * time) * (time - 0.3).clamp(0.0, 1.0);
        let hertz = hertz.at(time) * (1.0 + sways);
        mouth.tune(1.35 * hertz, 1.6);
        // Rough while it rises, clear while it holds.
        let rough = 0.25 * (1.0 - 2.0 * time).max(0.08);
        for sample in piece {
            let voice = throat(tone.turn(hertz)) * (1.0 + rough * noise.white());
            let sung = mouth.step(voice);
            let breath = 0.1 * air.step(noise.pink()).band;
            *sample = sung.low + 0.6 * sung.band + breath;
        }
    }
    clip.under(level)
}

/// Six harmonics with decreasing amplitudes.
fn throat(phase: f32) -> f32 {
    const WEIGHTS: [f32; 6] = [1.0, 0.42, 0.3, 0.14, 0.08, 0.05];
    let harmonics = WEIGHTS.iter().zip(1..);
    harmonics
        .map(|(weight, number)| weight * sine(number as f32 * phase))
        .sum()
}
