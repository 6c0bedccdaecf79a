//! Compares the quality of the built-in simplex noise with that of the `noise` crate: variance,
//! spectrum and isotropy. It must not be faster at the expense of quality.

use lanternfell_heightmap::{FractalNoise, MapSize, Progress};
use noise::{NoiseFn, Simplex};

const SIDE: usize = 640;

/// One octave of noise without its mean.
struct Sample(Vec<f64>);

impl Sample {
    fn ours(scale: f64, seed: u64) -> Self {
        let islands = FractalNoise {
            octaves: 1,
            scale,
            ..FractalNoise::default()
        };
        let size = MapSize::new(SIDE as u64, SIDE as u64).unwrap();
        let map = islands.generate(size, seed, &Progress::default()).unwrap();
        let noise = map.heights().iter().map(|z| 2.0 * f64::from(*z) - 1.0);
        Self::centered(noise.collect())
    }

    fn theirs(scale: f64, seed: u32) -> Self {
        let noise = Simplex::new(seed);
        let cell = |index: usize| {
            let (x, y) = ((index % SIDE) as f64, (index / SIDE) as f64);
            noise.get([x / scale, y / scale])
        };
        Self::centered((0..SIDE * SIDE).map(cell).collect())
    }

    fn centered(mut noise: Vec<f64>) -> Self {
        let mean = noise.iter().sum::<f64>() / noise.len() as f64;
        noise.iter_mut().for_each(|n| *n -= mean);
        Self(noise)
    }

    /// The mean product of cells at a distance of `(dx, dy)`.
    fn lag(&self, dx: isize, dy: usize) -> f64 {
        let shift = dx.unsigned_abs();
        let row = |y: usize| &self.0[y * SIDE..][..SIDE];
        let mut sum = 0.0;
        for y in 0..SIDE - dy {
            let (here, there) = (row(y), row(y + dy));
            let (here, there) = if dx < 0 {
                (&here[shift..], there)
            } else {
                (here, &there[shift..])
            };
            sum += here.iter().zip(there).map(|(a, b)| a * b).sum::<f64>();
        }
        sum / ((SIDE - dy) * (SIDE - shift)) as f64
    }

    /// The correlations in six directions at a distance of `5 * fifths` cells.
    fn correlations(&self, fifths: usize) -> [f64; 6] {
        let variance = self.lag(0, 0);
        let directions = [(5, 0), (0, 5), (4, 3), (3, 4), (-4, 3), (-3, 4)];
        directions.map(|(dx, dy)| {
            let (dx, dy) = (dx * fifths as isize, dy * fifths);
            self.lag(dx, dy) / variance
        })
    }
}

/// The range of the correlations and their mean.
fn spread(correlations: [f64; 6]) -> (f64, f64) {
    let low = correlations.iter().copied().fold(f64::INFINITY, f64::min);
    let high = correlations
        .iter()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max);
    (high - low, correlations.iter().sum::<f64>() / 6.0)
}

/// The variance relative to the largest square: how much of its range the noise uses.
#[test]
fn variance_is_at_least_that_of_the_noise_crate() {
    let liveliness = |sample: &Sample| {
        let largest = sample.0.iter().fold(0.0_f64, |most, n| most.max(n.abs()));
        sample.lag(0, 0) / (largest * largest)
    };
    for seed in 0..3 {
        let ours = liveliness(&Sample::ours(7.3, seed));
        let theirs = liveliness(&Sample::theirs(7.3, seed as u32));
        assert!(ours > theirs, "{ours}, theirs {theirs}");
    }
}

/// The correlation as a function of the distance is the Fourier transform of the power spectrum.
/// The contributions of the corners decay more slowly in the other noise, so it is slightly
/// coarser. But the band is the same: positive correlation nearby, negative after half a
/// wavelength, and none beyond one wavelength.
#[test]
fn spectrum_is_similar_to_the_noise_crate() {
    for scale in [6.1, 12.7, 23.3] {
        let ours = Sample::ours(scale, 4);
        let theirs = Sample::theirs(scale, 4);
        for fifths in 1..=5 {
            let (_, ours) = spread(ours.correlations(fifths));
            let (_, theirs) = spread(theirs.correlations(fifths));
            let distance = 5.0 * fifths as f64 / scale;
            let words = format!("{distance} wavelengths: {ours}, theirs {theirs}");
            assert!((ours - theirs).abs() < 0.17, "{words}");
            assert!(distance < 1.0 || ours.abs() < 0.02, "{words}");
            // Both are negative there.
            let hollow = (0.6..0.9).contains(&distance);
            assert!(!hollow || (ours < -0.02 && theirs < -0.02), "{words}");
        }
    }
}

#[test]
fn noise_is_more_isotropic_than_the_noise_crate() {
    let worst = |sample: &Sample| {
        let spreads = (1..=4).map(|fifths| spread(sample.correlations(fifths)).0);
        spreads.fold(0.0, f64::max)
    };
    let mut sums = (0.0, 0.0);
    for seed in 0..4 {
        sums.0 += worst(&Sample::ours(9.7, seed));
        sums.1 += worst(&Sample::theirs(9.7, seed as u32));
    }
    assert!(sums.0 < 0.7 * sums.1, "ours {}, theirs {}", sums.0, sums.1);
}
