//! Compares ridged multifractals with their definition, and checks that they tile and match the
//! older ridged noise.

use lanternfell_heightmap::{
    FractalNoise, FractalNoiseDraws, Generator, Heightmap, MapSize, Progress, Recipe,
    RidgedMultifractal, SeededRng, Variant,
};
use lanternfell_random::Fnv1a;
use lanternfell_test_support::assert_golden;

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn map(ridged: &RidgedMultifractal, size: MapSize, seed: u64) -> Heightmap {
    ridged.generate(size, seed, &Progress::default()).unwrap()
}

/// The absolute noise of each octave, one map each.
fn magnitudes(ridged: &RidgedMultifractal, size: MapSize, seed: u64) -> Vec<Heightmap> {
    let draws = ridged.draw(size, seed);
    let octaves = draws.octaves.iter().zip(0..);
    let magnitude = |(octave, k)| {
        let alone = FractalNoise {
            octaves: 1,
            scale: ridged.scale / ridged.lacunarity.powi(k),
            variant: Variant::Billowed,
            ..FractalNoise::default()
        };
        let draws = FractalNoiseDraws {
            warp: draws.warp,
            octaves: vec![octave],
        };
        alone.evaluate(size, &draws, &Progress::default()).unwrap()
    };
    octaves.map(|(octave, k)| magnitude((*octave, k))).collect()
}

/// A height by the formulas of the module, in `f64`.
fn plainly(ridged: &RidgedMultifractal, magnitudes: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut total, mut weight, mut amplitude) = (0.0, 0.0, 1.0, 1.0);
    for n in magnitudes {
        let furthest = ridged.offset.max(1.0 - ridged.offset);
        let crest = (ridged.offset - n).abs() / furthest;
        let sharp = crest + ridged.sharpness * (crest * crest - crest);
        let height = weight * sharp;
        sum += amplitude * height;
        total += amplitude;
        amplitude *= ridged.gain;
        weight = 1.0 - ridged.feedback + ridged.feedback * (2.0 * height).min(1.0);
    }
    sum / total
}

#[test]
fn heights_match_the_definition() {
    let mut rng = SeededRng::new(3, b"test    ");
    for _ in 0..24 {
        let ridged = RidgedMultifractal {
            octaves: 1 + rng.below(6) as u32,
            scale: [17.0, 60.0, 256.0][rng.below(3) as usize],
            lacunarity: [2.0, 2.3][rng.below(2) as usize],
            gain: [0.35, 0.5, 0.7][rng.below(3) as usize],
            offset: [0.6, 1.0, 1.3][rng.below(3) as usize],
            sharpness: [0.0, 0.5, 1.0][rng.below(3) as usize],
            feedback: [0.0, 0.4, 1.0][rng.below(3) as usize],
            warp: 0.0,
            period: None,
            exact: rng.below(2) == 0,
        };
        let (seed, size) = (rng.word(), size(70, 50));
        let made = map(&ridged, size, seed);
        let octaves = magnitudes(&ridged, size, seed);
        for y in 0..size.height() {
            for x in 0..size.width() {
                let at = octaves.iter().map(|octave| f64::from(octave.get(x, y)));
                let (found, exact) = (f64::from(made.get(x, y)), plainly(&ridged, at));
                let words = format!("{ridged:?} at {x}, {y}: {found}, not {exact}");
                assert!((found - exact).abs() < 2e-3, "{words}");
            }
        }
    }
}

#[test]
fn heights_stay_within_zero_to_one() {
    let mut rng = SeededRng::new(4, b"test    ");
    for _ in 0..60 {
        let ridged = RidgedMultifractal {
            octaves: 1 + rng.below(16) as u32,
            scale: [0.1, 3.0, 48.0, 1e6][rng.below(4) as usize],
            lacunarity: rng.between(1.0, 4.0),
            gain: rng.between(0.01, 1.0),
            offset: rng.between(0.5, 2.0),
            sharpness: rng.unit(),
            feedback: rng.unit(),
            warp: rng.between(0.0, 90.0),
            period: [None, Some(96), Some(3)][rng.below(3) as usize],
            exact: rng.below(2) == 0,
        };
        let size = size(40, 33);
        if ridged.validate(size).is_ok() {
            let made = map(&ridged, size, rng.word());
            assert!(
                made.heights().iter().all(|z| (0.0..=1.0).contains(z)),
                "{ridged:?}"
            );
        }
    }
}

/// Detail grows on the ridges: with feedback, low terrain is smoother than without.
#[test]
fn feedback_keeps_valleys_smooth() {
    let roughness = |feedback| {
        let ridged = RidgedMultifractal {
            feedback,
            scale: 128.0,
            ..RidgedMultifractal::default()
        };
        let made = map(&ridged, size(256, 256), 1);
        let mut low: Vec<(f32, f32)> = (1..255)
            .flat_map(|y| (1..255).map(move |x| (x, y)))
            .map(|(x, y)| {
                let z = made.get(x, y);
                let around = made.get(x + 1, y) + made.get(x - 1, y);
                (z, (2.0 * z - around).abs())
            })
            .collect();
        low.sort_by(|a, b| a.0.total_cmp(&b.0));
        low[..low.len() / 5]
            .iter()
            .map(|(_, bend)| bend)
            .sum::<f32>()
    };
    assert!(roughness(1.0) < 0.5 * roughness(0.0));
}

#[test]
fn period_repeats_exactly_without_seams() {
    for (scale, period, warp) in [(32.0, 96_u32, 0.0), (50.0, 50, 0.0), (20.0, 60, 15.0)] {
        let ridged = RidgedMultifractal {
            octaves: 4,
            scale,
            lacunarity: 2.3,
            warp,
            period: Some(period),
            ..RidgedMultifractal::default()
        };
        let (made, period) = (map(&ridged, size(210, 200), 5), period as usize);
        for y in 0..200 {
            for x in 0..210 {
                let z = made.get(x % period, y % period);
                assert_eq!(made.get(x, y).to_bits(), z.to_bits(), "{ridged:?}");
            }
        }
        // No step across the seam is much larger than elsewhere, along both axes.
        let step = |x: usize, y: usize, dx, dy| (made.get(x + dx, y + dy) - made.get(x, y)).abs();
        for (dx, dy) in [(1, 0), (0, 1)] {
            let seam = (0..190).map(|k| match dx {
                1 => step(period - 1, k, dx, dy),
                _ => step(k, period - 1, dx, dy),
            });
            let inside = (0..190).flat_map(|k| (1..period - 2).map(move |at| (k, at)));
            let inside = inside.map(|(k, at)| match dx {
                1 => step(at, k, dx, dy),
                _ => step(k, at, dx, dy),
            });
            let (seam, inside) = (seam.fold(0.0, f32::max), inside.fold(0.0, f32::max));
            assert!(seam <= 1.2 * inside, "{ridged:?}: {seam}, inside {inside}");
        }
    }
}

/// With simple ridges it equals the ridged variant of [`FractalNoise`].
#[test]
fn simple_ridges_match_fractal_noise() {
    let noise = FractalNoise {
        octaves: 2,
        scale: 210.0,
        lacunarity: 3.1,
        gain: 0.12,
        variant: Variant::Ridged,
        warp: 45.0,
        ..FractalNoise::default()
    };
    let ridged = RidgedMultifractal {
        octaves: noise.octaves,
        scale: noise.scale,
        lacunarity: noise.lacunarity,
        gain: noise.gain,
        warp: noise.warp,
        offset: 1.0,
        sharpness: 0.0,
        feedback: 0.0,
        ..RidgedMultifractal::default()
    };
    let made = |generator: Generator| {
        let recipe = Recipe::new(size(90, 70), 5, generator);
        recipe.generate(&Progress::default()).unwrap()
    };
    assert_eq!(made(noise.into()), made(ridged.into()));
}

#[test]
fn maps_match_pinned_hashes() {
    let usual = RidgedMultifractal::default();
    let others = [
        usual.clone(),
        RidgedMultifractal {
            offset: 0.7,
            sharpness: 0.5,
            feedback: 0.6,
            warp: 30.0,
            scale: 80.0,
            ..usual.clone()
        },
        RidgedMultifractal {
            scale: 50.0,
            period: Some(150),
            ..usual
        },
    ];
    let hashes = others.map(|ridged| Fnv1a::of_floats(map(&ridged, size(301, 203), 7).heights()));
    let names = ["default", "folded and warped", "tile"];
    assert_golden(names.into_iter().zip(hashes), &PINNED);
}

const PINNED: [(&str, u64); 3] = [
    ("default", 0x445a_6409_8f93_8749),
    ("folded and warped", 0x71b4_ec21_bfe6_51f4),
    ("tile", 0x0eff_47ca_1193_78fa),
];

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for period in [None, Some(128)] {
        let ridged = RidgedMultifractal {
            scale: 64.0,
            period,
            ..RidgedMultifractal::default()
        };
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            pool.install(|| map(&ridged, size(200, 150), 4))
        };
        assert_eq!(with(1), with(3), "{period:?}");
    }
}

#[test]
fn errors_name_parameters_out_of_range() {
    let refused = |ridged: RidgedMultifractal| {
        let error = ridged.validate(size(8, 8)).unwrap_err();
        error.to_string()
    };
    let usual = RidgedMultifractal::default;
    let gain = refused(RidgedMultifractal {
        gain: 0.0,
        ..usual()
    });
    assert_eq!(gain, "ridged: gain is 0, but must be above 0 and at most 1");
    let octaves = refused(RidgedMultifractal {
        octaves: 16,
        scale: 1.0,
        ..usual()
    });
    assert!(
        octaves.starts_with("ridged: octaves is 16, but must be at most 10"),
        "{octaves}"
    );
    let period = refused(RidgedMultifractal {
        period: Some(400),
        ..usual()
    });
    assert!(period.contains("a scale of 200 would fit"), "{period}");
}
