//! Plucked strings (Karplus-Strong).
//!
//! A burst of noise, one wave long, circulates in a delay line. Each round averages neighboring
//! samples, so that high frequencies decay first (Karplus, Strong 1983). An all-pass filter
//! provides the fractional part of the delay (Jaffe, Smith 1983).

use super::{RATE, clip::Clip, contour::decay_part, filter::OnePole, noise::Noise};

/// Renders a string with a frequency in hertz that decays by 60 decibels in `ring` seconds, with a
/// peak of 1. `soft` is the cutoff in hertz of the excitation.
pub fn pluck(noise: &mut Noise, hertz: f32, ring: f32, soft: f32) -> Clip {
    let round = RATE as f32 / hertz.max(20.0);
    // Averaging delays by half a sample.
    let whole = (round - 0.6) as usize;
    let rest = round - 0.5 - whole as f32;
    let all_pass = (1.0 - rest) / (1.0 + rest);
    let keep = libm::powf(decay_part(ring), round).min(0.9999);
    let mut finger = OnePole::new(soft);
    let mut string: Vec<f32> = (0..whole).map(|_| finger.low(noise.white())).collect();
    let (mut at, mut last, mut held) = (0, 0.0, 0.0);
    let clip = Clip::render(ring, |_| {
        let sample = string[at];
        let mean = keep * 0.5 * (sample + last);
        last = sample;
        let delayed = all_pass * mean + held;
        held = mean - all_pass * delayed;
        string[at] = delayed;
        at += 1;
        if at == whole {
            at = 0;
        }
        sample
    });
    clip.peaked()
}

#[cfg(test)]
mod tests {
    use super::super::goertzel::power_at;
    use super::*;

    #[test]
    fn string_has_its_frequency() {
        for hertz in [146.83, 440.0, 659.26] {
            let string = pluck(&mut Noise::new(2), hertz, 1.5, 4000.0);
            let part = &string.as_slice()[4000..24_000];
            let here = power_at(part, hertz);
            let detuned = [0.97, 1.03].map(|ratio| power_at(part, ratio * hertz));
            assert!(here > 20.0 * detuned[0].max(detuned[1]), "{hertz}");
        }
    }
}
