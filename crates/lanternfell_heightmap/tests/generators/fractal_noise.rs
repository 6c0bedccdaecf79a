//! Compares simplex islands with their definition, point by point in `f64`, and with their known
//! properties.

use crate::common::fnv;
use lanternfell_heightmap::{
    Canceled, FractalNoise, FractalNoiseDraws, GenerateError, Generator, Heightmap, MapSize, Mask,
    OctaveDraws, Progress, SeededRng, Variant,
};
use lanternfell_test_support::assert_golden;
use proptest::prelude::*;

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn generate(islands: &FractalNoise, size: MapSize, seed: u64) -> Heightmap {
    islands.generate(size, seed, &Progress::default()).unwrap()
}

fn tile(islands: &FractalNoise, seed: u64, origin: (i64, i64), size: MapSize) -> Heightmap {
    let draws = islands.draw(size, seed);
    islands
        .tile(&draws, origin, size, &Progress::default())
        .unwrap()
}

/// The gradient at a corner of the lattice, from its definition: the angle is a hash, and sine and
/// cosine are approximated by parabolas.
fn slope(i: i64, j: i64, seed: u32) -> (f64, f64) {
    let linear = (i as u32)
        .wrapping_mul(0x9E37_79B1)
        .wrapping_add((j as u32).wrapping_mul(0x85EB_CA77));
    let hash = linear ^ seed;
    let hash = (hash ^ (hash >> 15)).wrapping_mul(0x2C1B_3C6D);
    let half_turns = f64::from(hash as i32) / 2_147_483_648.0;
    let sine = 4.0 * half_turns * (1.0 - half_turns.abs());
    let quarter = half_turns.abs() - 0.5;
    let cosine = -4.0 * quarter * (1.0 - quarter.abs());
    (sine, cosine)
}

/// Simplex noise by its definition: the sum over the three corners of the triangle around the
/// point.
fn simplex(x: f64, y: f64, seed: u32) -> f64 {
    let unskew = (3.0 - 3_f64.sqrt()) / 6.0;
    let skew = (x + y) * (3_f64.sqrt() - 1.0) / 2.0;
    let (i, j) = ((x + skew).floor(), (y + skew).floor());
    let east = x - i > y - j;
    let middle = if east { (i + 1.0, j) } else { (i, j + 1.0) };
    let mut sum = 0.0;
    for (i, j) in [(i, j), middle, (i + 1.0, j + 1.0)] {
        let (dx, dy) = (x - i + (i + j) * unskew, y - j + (i + j) * unskew);
        let reach = 0.5 - dx * dx - dy * dy;
        if reach > 0.0 {
            let (slope_x, slope_y) = slope(i as i64, j as i64, seed);
            sum += reach.powi(4) * (slope_x * dx + slope_y * dy);
        }
    }
    93.5 * sum
}

/// The height of one cell by its definition, without a mask.
fn height(
    islands: &FractalNoise,
    draws: &FractalNoiseDraws,
    (x, y): (i64, i64),
    noise: &dyn Fn(f64, f64, u32) -> f64,
) -> f64 {
    let look_up = |octave: &OctaveDraws, scale: f64, (x, y): (f64, f64)| {
        let [from_x, from_y] = octave.offset;
        noise(from_x + x / scale, from_y + y / scale, octave.hash)
    };
    let cell = (x as f64, y as f64);
    let shift = draws
        .warp
        .map(|octave| islands.warp * look_up(&octave, islands.scale, cell));
    let place = (cell.0 + shift[0], cell.1 + shift[1]);
    let amplitude = |k: usize| islands.gain.powi(k as i32);
    let total: f64 = (0..draws.octaves.len()).map(amplitude).sum();
    let mut sum = 0.0;
    for (k, octave) in draws.octaves.iter().enumerate() {
        let n = look_up(
            octave,
            islands.scale / islands.lacunarity.powi(k as i32),
            place,
        );
        let value = match islands.variant {
            Variant::Fbm => (n + 1.0) / 2.0,
            Variant::Ridged => 1.0 - n.abs(),
            Variant::Billowed => n.abs(),
        };
        let part = amplitude(k) / total * value;
        sum += if islands.quantized {
            (255.0 * part).floor() / 255.0
        } else {
            part
        };
    }
    sum
}

fn any_islands(rng: &mut SeededRng) -> FractalNoise {
    FractalNoise {
        octaves: 1 + rng.below(6) as u32,
        scale: [243.0, 100.0, 17.5, 1000.0][rng.below(4) as usize],
        lacunarity: [3.0, 2.0, 1.7][rng.below(3) as usize],
        gain: [1.0 / 3.0, 0.5, 0.6][rng.below(3) as usize],
        variant: [Variant::Fbm, Variant::Ridged, Variant::Billowed][rng.below(3) as usize],
        warp: [0.0, 20.0, 150.0][rng.below(3) as usize],
        exact: rng.below(4) == 0,
        ..FractalNoise::default()
    }
}

fn wavelength(islands: &FractalNoise, k: u32) -> f64 {
    islands.scale / islands.lacunarity.powi(k as i32)
}

/// The maximum error of the noise of an octave, which is from -1 to 1.
fn noise_error(wavelength: f64) -> f64 {
    1e-6 + if wavelength < 1.0 {
        0.0
    } else {
        1e-4 / wavelength
    }
}

/// The weight of octave `k` in the height, for noise from -1 to 1.
fn share(islands: &FractalNoise, k: u32) -> f64 {
    let amplitude = |k: u32| islands.gain.powi(k as i32);
    let total: f64 = (0..islands.octaves).map(amplitude).sum();
    let halved = if islands.variant == Variant::Fbm {
        0.5
    } else {
        1.0
    };
    halved * amplitude(k) / total
}

/// The maximum error of a height.
fn tolerance(islands: &FractalNoise) -> f64 {
    if islands.warp > 0.0 {
        // Positions have an error of 1e-3 cells, and octaves finer than a cell are steep.
        return 3e-4 * (1.0 + 1.0 / wavelength(islands, islands.octaves - 1));
    }
    let octaves = (0..islands.octaves).map(|k| {
        // Long wavelengths are sampled at few cells and interpolated, with an error of up to 5e-5
        // each.
        let is_long = wavelength(islands, k) >= 20.0 && !islands.exact;
        let between = if is_long { 5e-5 } else { 0.0 };
        share(islands, k) * noise_error(wavelength(islands, k)) + between
    });
    // Rounding errors of the additions in `f32`.
    octaves.sum::<f64>() + 5e-7
}

#[test]
fn rows_match_the_definition() {
    let mut rng = SeededRng::new(1, b"test    ");
    for seed in 0..60 {
        let islands = any_islands(&mut rng);
        let size = size(2 + rng.below(300), 2 + rng.below(20));
        let place = |rng: &mut SeededRng| rng.below(4_000_000) as i64 - 2_000_000;
        let (x, y) = (place(&mut rng), place(&mut rng));
        let map = tile(&islands, seed, (x, y), size);
        let islands_draws = islands.draw(MapSize::default(), seed);
        let tolerance = tolerance(&islands);
        for cell in 0..size.cells() {
            let (east, south) = (cell % size.width(), cell / size.width());
            let at = (x + east as i64, y + south as i64);
            let expected = height(&islands, &islands_draws, at, &simplex).clamp(0.0, 1.0);
            let found = f64::from(map.get(east, south));
            assert!(
                (found - expected).abs() < tolerance,
                "{islands:?} at {at:?}: {found}, not {expected}"
            );
        }
    }
}

/// Any wavelength, including 0.3 cells and down to a thousandth of a cell.
#[test]
fn octaves_of_any_wavelength_match_the_definition() {
    let noise = |octaves, scale, lacunarity| FractalNoise {
        octaves,
        scale,
        lacunarity,
        gain: 1.0,
        ..FractalNoise::default()
    };
    let named = [
        noise(1, 0.3, 3.0),
        noise(3, 0.3, 3.0),
        noise(3, 0.1, 9.9),
        noise(1, 0.999, 2.0),
        noise(1, 1.0, 2.0),
        noise(8, 243.0, 3.0),
    ];
    let mut rng = SeededRng::new(13, b"test    ");
    let sample = (0..300).map(|_| noise(1, 10_f64.powf(rng.between(-1.0, 3.0)), 2.0));
    let all = named.into_iter().chain(sample.collect::<Vec<_>>());
    for (seed, islands) in (0..).zip(all) {
        let variant = [Variant::Fbm, Variant::Ridged, Variant::Billowed][seed as usize % 3];
        for exact in [false, true] {
            let islands = FractalNoise {
                variant,
                exact,
                ..islands.clone()
            };
            let origin = (rng.below(16_000) as i64, rng.below(16_000) as i64);
            let tile = tile(&islands, seed, origin, size(384, 4));
            let draws = islands.draw(MapSize::default(), seed);
            for (cell, z) in tile.heights().iter().enumerate() {
                let at = (origin.0 + cell as i64 % 384, origin.1 + cell as i64 / 384);
                let expected = height(&islands, &draws, at, &simplex).clamp(0.0, 1.0);
                let off = (f64::from(*z) - expected).abs();
                assert!(off < tolerance(&islands), "{islands:?} at {at:?}: {off}");
            }
        }
    }
}

/// The article's own formula, with its scales written out.
#[test]
fn defaults_match_the_article() {
    let islands = FractalNoise::default();
    let draws = islands.draw(MapSize::default(), 3);
    let map = generate(&islands, size(200, 150), 3);
    let scales = [243.0, 81.0, 27.0, 9.0, 3.0];
    let article = |cell: usize| {
        let (x, y) = (cell % 200, cell / 200);
        let octaves = scales.iter().zip(&draws.octaves);
        let shares = octaves.map(|(s, octave)| {
            let [from_x, from_y] = octave.offset;
            let noise = simplex(from_x + x as f64 / s, from_y + y as f64 / s, octave.hash);
            s / 363.0 * (noise + 1.0) / 2.0
        });
        shares.sum::<f64>()
    };
    let heights = map.heights().iter().enumerate();
    let errors: Vec<f64> = heights
        .map(|(cell, z)| (f64::from(*z) - article(cell)).abs())
        .collect();
    // A step of a 16-bit image is 1.5e-5.
    let most = errors.iter().copied().fold(0.0, f64::max);
    assert!(most < 1e-4, "off by up to {most}");
    let squares = errors.iter().map(|error| error * error).sum::<f64>();
    let typical = (squares / errors.len() as f64).sqrt();
    assert!(typical < 1.2e-5, "typically off by {typical}");
}

#[test]
fn quantized_heights_are_multiples_of_1_255th() {
    let islands = FractalNoise {
        quantized: true,
        ..FractalNoise::default()
    };
    let map = generate(&islands, size(150, 90), 5);
    for z in map.heights() {
        let steps = (z * 255.0).round();
        assert_eq!(*z, steps / 255.0, "not the one number that is {steps}/255");
        assert_eq!(
            *z > FractalNoise::SEA_LEVEL,
            steps > 127.0,
            "land begins at 128"
        );
    }
}

/// For each cell: the height by definition in quantization steps, and the number of octaves that
/// are so close to a step that they may be rounded either way.
fn steps(islands: &FractalNoise, draws: &FractalNoiseDraws, (x, y): (i64, i64)) -> (f64, f64) {
    let octaves = draws.octaves.iter().zip(0..);
    octaves.fold((0.0, 0.0), |(steps, near), (octave, k)| {
        let (scale, [from_x, from_y]) = (wavelength(islands, k), octave.offset);
        let place = (from_x + x as f64 / scale, from_y + y as f64 / scale);
        let noise = simplex(place.0, place.1, octave.hash);
        let share = 255.0 * share(islands, k);
        let part = match islands.variant {
            Variant::Fbm => share * (noise + 1.0),
            Variant::Ridged => share * (1.0 - noise.abs()),
            Variant::Billowed => share * noise.abs(),
        };
        let apart = (part - part.round()).abs();
        // Includes the rounding error of the octave itself in `f32`.
        let may_be = share * noise_error(scale) + 255.0 * 2e-7;
        (
            steps + part.floor(),
            near + f64::from(u8::from(apart < may_be)),
        )
    })
}

#[test]
fn quantized_octaves_are_exact_except_near_steps() {
    let mut rng = SeededRng::new(14, b"test    ");
    let (mut cells, mut may_differ) = (0, 0);
    for seed in 0..60 {
        let islands = FractalNoise {
            quantized: true,
            warp: 0.0,
            ..any_islands(&mut rng)
        };
        let draws = islands.draw(MapSize::default(), seed);
        let map = generate(&islands, size(150, 40), seed);
        for (i, z) in map.heights().iter().enumerate() {
            let (expected, near) = steps(&islands, &draws, ((i % 150) as i64, (i / 150) as i64));
            let found = f64::from((z * 255.0).round());
            let off = (found - expected.clamp(0.0, 255.0)).abs();
            assert!(
                off <= near,
                "{islands:?}, cell {i}: {found}, not {expected}"
            );
            cells += 1;
            may_differ += usize::from(near > 0.0);
        }
    }
    assert!(may_differ * 20 < cells, "{may_differ} of {cells} cells");
}

#[test]
fn tiles_match_exactly() {
    let mut rng = SeededRng::new(2, b"test    ");
    for seed in 0..20 {
        let islands = FractalNoise {
            quantized: seed % 3 == 0,
            ..any_islands(&mut rng)
        };
        let whole = tile(&islands, seed, (-700, 1_000_003), size(300, 40));
        for _ in 0..10 {
            let (x, y) = (rng.below(200), rng.below(30));
            let part = size(2 + rng.below(98), 2 + rng.below(8));
            let origin = (-700 + x as i64, 1_000_003 + y as i64);
            let tile = tile(&islands, seed, origin, part);
            for south in 0..part.height() {
                let row = &whole.row(y as usize + south)[x as usize..][..part.width()];
                assert_eq!(tile.row(south), row, "{islands:?}, {origin:?}");
            }
        }
    }
}

#[test]
fn map_is_the_tile_at_the_origin() {
    for warp in [0.0, 70.0] {
        let islands = FractalNoise {
            warp,
            ..FractalNoise::default()
        };
        let map = generate(&islands, size(200, 30), 8);
        assert_eq!(tile(&islands, 8, (0, 0), size(200, 30)), map);
        let masked = FractalNoise {
            mask: Mask::Radial,
            ..islands.clone()
        };
        assert_eq!(tile(&masked, 8, (0, 0), size(200, 30)), map);
        // An additional octave does not change the draws of the others.
        let finer = FractalNoise {
            octaves: 6,
            ..islands.clone()
        };
        assert_eq!(
            finer.draw(MapSize::default(), 8).octaves[..5],
            islands.draw(MapSize::default(), 8).octaves[..]
        );
        assert_eq!(
            finer.draw(MapSize::default(), 8).warp,
            islands.draw(MapSize::default(), 8).warp
        );
    }
}

#[test]
fn detail_does_not_depend_on_the_origin() {
    let islands = FractalNoise::default();
    let roughness = |origin| {
        let map = tile(&islands, 1, origin, size(400, 400));
        let rows = (0..400).map(|y| map.row(y));
        let steps = rows.flat_map(|row| row.windows(2).map(|pair| f64::from(pair[0] - pair[1])));
        let jumps = steps
            .clone()
            .fold(0.0, |most, step| f64::max(most, step.abs()));
        assert!(jumps < 0.06, "a jump of {jumps} at {origin:?}");
        steps.map(f64::abs).sum::<f64>()
    };
    let here = roughness((0, 0));
    for origin in [
        (10_000_000, -3),
        (-50_000_000, 50_000_000),
        (1 << 32, 1 << 32),
    ] {
        let there = roughness(origin);
        assert!(
            (there / here - 1.0).abs() < 0.25,
            "{there} at {origin:?}, {here} here"
        );
    }
}

#[test]
fn half_of_the_map_is_land() {
    let shares = |islands: &FractalNoise| -> Vec<f64> {
        let map = |seed| generate(islands, size(512, 512), seed);
        (0..40)
            .map(|seed| map(seed).share_above(FractalNoise::SEA_LEVEL))
            .collect()
    };
    let plain = shares(&FractalNoise::default());
    let mean = plain.iter().sum::<f64>() / 40.0;
    assert!((0.47..0.54).contains(&mean), "{mean}");
    assert!(
        plain.iter().all(|share| (0.35..0.65).contains(share)),
        "{plain:?}"
    );
    let within = plain
        .iter()
        .filter(|share| (0.41..0.57).contains(*share))
        .count();
    assert!(within > 30, "{plain:?}");

    let article = FractalNoise {
        quantized: true,
        ..FractalNoise::default()
    };
    let article = shares(&article).iter().sum::<f64>() / 40.0;
    assert!(
        (0.46..0.52).contains(&article) && article < mean,
        "{article}"
    );
    for (variant, share) in [(Variant::Ridged, 0.6), (Variant::Billowed, 0.4)] {
        let islands = FractalNoise {
            variant,
            ..FractalNoise::default()
        };
        let found = shares(&islands).iter().sum::<f64>() / 40.0;
        assert!((found - share).abs() < 0.08, "{variant:?}: {found}");
    }
}

/// In the article all octaves start at the same point, where the noise is 0.
#[test]
fn corner_is_land_half_of_the_time() {
    let corner = |seed| generate(&FractalNoise::default(), size(2, 2), seed).get(0, 0);
    let land = (0..400)
        .filter(|&seed| corner(seed) > FractalNoise::SEA_LEVEL)
        .count();
    assert!((150..250).contains(&land), "{land} of 400");
}

/// One octave of noise, from -1 to 1.
fn one_octave(seed: u64, side: u64) -> Vec<f64> {
    let islands = FractalNoise {
        octaves: 1,
        scale: 5.3,
        ..FractalNoise::default()
    };
    let map = generate(&islands, size(side, side), seed);
    map.heights()
        .iter()
        .map(|z| 2.0 * f64::from(*z) - 1.0)
        .collect()
}

#[test]
fn noise_is_centered_and_fills_its_range() {
    for seed in 0..4 {
        let noise = one_octave(seed, 600);
        let cells = noise.len() as f64;
        let mean = noise.iter().sum::<f64>() / cells;
        let deviation = (noise.iter().map(|n| n * n).sum::<f64>() / cells).sqrt();
        assert!(mean.abs() < 0.01, "mean {mean}");
        assert!((0.50..0.55).contains(&deviation), "deviation {deviation}");
        let most = noise.iter().fold(0.0_f64, |most, n| most.max(n.abs()));
        assert!((0.98..=1.0).contains(&most), "{most}");
    }
}

#[test]
fn noise_is_isotropic_and_uncorrelated_at_distance() {
    let side = 600;
    let noise = one_octave(9, side as u64);
    let lag = |dx: usize, dy: usize, mirrored: bool| {
        let mut sum = 0.0;
        for y in 0..side - dy {
            for x in 0..side - dx {
                let (from, to) = if mirrored { (x + dx, x) } else { (x, x + dx) };
                sum += noise[y * side + from] * noise[(y + dy) * side + to];
            }
        }
        sum / ((side - dx) * (side - dy)) as f64
    };
    let variance = lag(0, 0, false);
    for step in 1..5 {
        let (east, south) = (lag(step, 0, false), lag(0, step, false));
        assert!(
            (east - south).abs() < 0.02 * variance,
            "{step}: {east}, {south}"
        );
        let (down, up) = (lag(step, step, false), lag(step, step, true));
        assert!((down - up).abs() < 0.02 * variance, "{step}: {down}, {up}");
    }
    for (dx, dy) in [(9, 0), (0, 9), (7, 7), (16, 0), (0, 23), (50, 3), (128, 0)] {
        let rest = lag(dx, dy, false);
        assert!(rest.abs() < 0.01 * variance, "{rest} at {dx}, {dy}");
    }
}

#[test]
fn noise_is_smooth_across_triangles_and_blocks() {
    let islands = FractalNoise {
        octaves: 1,
        scale: 200.0,
        ..FractalNoise::default()
    };
    let map = generate(&islands, size(1000, 200), 4);
    for y in 0..200 {
        for bent in map.row(y).windows(3) {
            let bend = f64::from(bent[0]) - 2.0 * f64::from(bent[1]) + f64::from(bent[2]);
            assert!(bend.abs() < 6e-4, "{bend} in row {y}");
        }
    }
}

#[test]
fn masks_lower_the_border_and_keep_the_center() {
    let open = generate(&FractalNoise::default(), size(101, 61), 6);
    for mask in [Mask::Radial, Mask::Square] {
        let islands = FractalNoise {
            mask,
            ..FractalNoise::default()
        };
        let map = generate(&islands, size(101, 61), 6);
        for x in 0..101 {
            assert_eq!((map.get(x, 0), map.get(x, 60)), (0.0, 0.0));
        }
        for y in 0..61 {
            assert_eq!((map.get(0, y), map.get(100, y)), (0.0, 0.0));
        }
        for (z, before) in map.heights().iter().zip(open.heights()) {
            assert!(z <= before);
        }
        assert_eq!(map.row(30)[40..60], open.row(30)[40..60]);
        // The radial mask is an ellipse, so its corners are below the sea. Those of the square mask
        // are not.
        let corner = map.get(12, 8);
        assert_eq!(corner == 0.0, mask == Mask::Radial, "{corner}");
    }
}

/// Noise sources of the `noise` crate instead of the built-in noise.
#[cfg(feature = "noise")]
mod other_sources {
    use noise::NoiseFn;

    use super::*;

    #[test]
    fn external_noise_uses_the_same_sum() {
        let source = noise::Simplex::new(4);
        let lookup = |x: f64, y: f64, _: u32| source.get([x, y]);
        let mut rng = SeededRng::new(3, b"test    ");
        for seed in 0..10 {
            let islands = any_islands(&mut rng);
            let islands_draws = islands.draw(MapSize::default(), seed);
            let size = size(140, 9);
            let map = islands.evaluate_with(&source, size, &islands_draws, &Progress::default());
            for (i, z) in map.unwrap().heights().iter().enumerate() {
                let at = ((i % 140) as i64, (i / 140) as i64);
                let expected = height(&islands, &islands_draws, at, &lookup).clamp(0.0, 1.0);
                assert!(
                    (f64::from(*z) - expected).abs() < 2e-5,
                    "{islands:?}: {z}, not {expected}"
                );
            }
        }
    }

    struct Constant(f64);

    impl NoiseFn<f64, 2> for Constant {
        fn get(&self, _: [f64; 2]) -> f64 {
            self.0
        }
    }

    #[test]
    fn invalid_noise_values_are_clamped() {
        let islands = FractalNoise::default();
        let cases = [
            (5.0, 1.0),
            (-3.0, 0.0),
            (f64::NAN, 0.5),
            (f64::INFINITY, 1.0),
            (f64::NEG_INFINITY, 0.0),
        ];
        for (value, expected) in cases {
            let source = Constant(value);
            let map = islands.evaluate_with(
                &source,
                size(5, 5),
                &islands.draw(size(5, 5), 1),
                &Progress::default(),
            );
            for z in map.unwrap().heights() {
                assert!((z - expected).abs() < 1e-6, "{value}: {z}");
            }
        }
    }
}

#[test]
fn rejects_invalid_draws() {
    let islands = FractalNoise::default();
    let refused = |draws: &FractalNoiseDraws| {
        let result = islands.evaluate(size(9, 9), draws, &Progress::default());
        result.unwrap_err().to_string()
    };
    let mut draws = islands.draw(MapSize::default(), 1);
    draws.octaves.pop();
    assert_eq!(
        refused(&draws),
        "fractal-noise: octaves is 5, but must be 4, the number of drawn octaves"
    );
    for offset in [f64::NAN, f64::INFINITY, 1e300] {
        let mut draws = islands.draw(MapSize::default(), 1);
        draws.octaves[2].offset[1] = offset;
        assert!(refused(&draws).contains("offset is"));
        let mut draws = islands.draw(MapSize::default(), 1);
        draws.warp[1].offset[0] = offset;
        assert!(refused(&draws).contains("offset is"));
    }
}

#[test]
fn rejects_tiles_beyond_the_plane() {
    let islands = FractalNoise::default();
    let draws = islands.draw(MapSize::default(), 1);
    let at = |origin| islands.tile(&draws, origin, size(4, 4), &Progress::default());
    for far in [
        i64::MIN,
        -FractalNoise::MAX_ORIGIN - 1,
        FractalNoise::MAX_ORIGIN + 1,
        i64::MAX,
    ] {
        let error = at((far, 0)).unwrap_err().to_string();
        assert!(
            error.contains("origin x") && error.contains("from -1099511627776"),
            "{error}"
        );
        assert!(at((0, far)).unwrap_err().to_string().contains("origin y"));
    }
    assert!(at((FractalNoise::MAX_ORIGIN, -FractalNoise::MAX_ORIGIN)).is_ok());
}

#[test]
fn errors_name_parameters_out_of_range() {
    let wrong: [(&str, &str); 15] = [
        ("octaves", "0"),
        ("octaves", "17"),
        ("octaves", "16"),
        ("scale", "0"),
        ("scale", "-243"),
        ("scale", "NaN"),
        ("scale", "inf"),
        ("lacunarity", "0.5"),
        ("lacunarity", "NaN"),
        ("gain", "0"),
        ("gain", "1.01"),
        ("gain", "NaN"),
        ("warp", "-1"),
        ("warp", "1001"),
        ("warp", "NaN"),
    ];
    for (name, value) in wrong {
        let mut generator = Generator::from(FractalNoise::default());
        generator.set(name, value).unwrap();
        let error = generator.validate(size(9, 9)).unwrap_err();
        assert_eq!(
            (error.owner, error.name),
            ("fractal-noise", name),
            "{value}: {error}"
        );
        assert!(
            generator
                .generate(size(9, 9), 1, &Progress::default())
                .is_err()
        );
    }
    let fine = FractalNoise {
        octaves: 13,
        ..FractalNoise::default()
    };
    assert_eq!(
        fine.validate(size(9, 9)).unwrap_err().to_string(),
        "fractal-noise: octaves is 13, but must be at most 12 with this scale and lacunarity, \
         because the next octave is finer than a thousandth of a cell"
    );
    let flat = FractalNoise {
        octaves: 16,
        lacunarity: 1.0,
        gain: 1.0,
        ..FractalNoise::default()
    };
    assert_eq!(flat.validate(size(9, 9)), Ok(()));
}

#[test]
fn choices_can_be_set_by_name() {
    let mut generator = Generator::from(FractalNoise::default());
    generator.set("variant", "billowed").unwrap();
    generator.set("mask", "square").unwrap();
    generator.set("quantized", "true").unwrap();
    let expected = FractalNoise {
        variant: Variant::Billowed,
        mask: Mask::Square,
        quantized: true,
        ..FractalNoise::default()
    };
    assert_eq!(generator, Generator::from(expected));
    let error = generator.set("mask", "round").unwrap_err().to_string();
    assert_eq!(
        error,
        "fractal-noise: mask is `round`, but must be none, radial or square"
    );
    assert!(generator.set("variant", "Plain").is_err());
    assert!(
        generator
            .set("sea", "1")
            .unwrap_err()
            .to_string()
            .contains("octaves, ")
    );
}

#[test]
fn ron_fields_are_optional_but_unknown_ones_fail() {
    let islands: FractalNoise = ron::from_str("(octaves: 3, variant: Ridged)").unwrap();
    let expected = FractalNoise {
        octaves: 3,
        variant: Variant::Ridged,
        ..FractalNoise::default()
    };
    assert_eq!(islands, expected);
    let text = ron::to_string(&islands).unwrap();
    assert_eq!(ron::from_str::<FractalNoise>(&text).unwrap(), islands);
    assert!(ron::from_str::<FractalNoise>("(quantum: true)").is_err());
}

#[test]
fn draws_round_trip_through_ron() {
    let islands = FractalNoise::default();
    let draws = islands.draw(MapSize::default(), 9);
    let text = ron::to_string(&draws).unwrap();
    let read: FractalNoiseDraws = ron::from_str(&text).unwrap();
    assert_eq!(read, draws);
    let heights = |draws| islands.evaluate(size(30, 20), draws, &Progress::default());
    assert_eq!(heights(&read), heights(&draws));
    // Unusable values are rejected where they are used.
    let mut far = read.clone();
    far.octaves[2].offset[1] = f64::INFINITY;
    assert!(matches!(heights(&far), Err(GenerateError::Param(error)) if error.name == "offset"));
    assert!(ron::from_str::<OctaveDraws>("(offset:(1,2),hash:3,seed:4)").is_err());
}

#[test]
fn canceled_work_stops_and_progress_completes() {
    let progress = Progress::default();
    let islands = FractalNoise::default();
    islands.generate(size(70, 70), 1, &progress).unwrap();
    assert!(progress.fraction() > 0.999);
    progress.cancel();
    let result = islands.generate(size(70, 70), 1, &progress);
    assert_eq!(result, Err(GenerateError::Canceled(Canceled)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn valid_parameters_give_zero_to_one(
        octaves in 1_u32..17,
        scale in prop_oneof![0.1..10.0, 10.0..1e6],
        lacunarity in 1.0..16.0,
        gain in 0.001..1.0,
        warp in prop_oneof![Just(0.0), 0.0..1000.0],
        quantized: bool,
        seed: u64,
        x in -FractalNoise::MAX_ORIGIN..FractalNoise::MAX_ORIGIN,
        y in -FractalNoise::MAX_ORIGIN..FractalNoise::MAX_ORIGIN,
    ) {
        let variant = [Variant::Fbm, Variant::Ridged, Variant::Billowed][(seed % 3) as usize];
        let islands = FractalNoise {
            octaves, scale, lacunarity, gain, warp, quantized, variant, ..FractalNoise::default()
        };
        if islands.validate(size(2, 2)).is_ok() {
            let tile = tile(&islands, seed, (x, y), size(40, 10));
            prop_assert!(tile.heights().iter().all(|z| (0.0..=1.0).contains(z)));
        }
    }
}

/// If these bits changed, the map of every seed would change.
#[test]
fn maps_match_pinned_hashes() {
    let variants = [
        FractalNoise::default(),
        FractalNoise {
            variant: Variant::Ridged,
            mask: Mask::Radial,
            ..FractalNoise::default()
        },
        FractalNoise {
            variant: Variant::Billowed,
            mask: Mask::Square,
            ..FractalNoise::default()
        },
        FractalNoise {
            quantized: true,
            ..FractalNoise::default()
        },
        FractalNoise {
            warp: 60.0,
            octaves: 8,
            lacunarity: 2.0,
            gain: 0.5,
            ..FractalNoise::default()
        },
    ];
    let hashes = variants.map(|islands| fnv(&generate(&islands, size(300, 200), 42)));
    let names = PINNED.map(|(name, _)| name);
    assert_golden(names.into_iter().zip(hashes), &PINNED);
}

const PINNED: [(&str, u64); 5] = [
    ("default", 0x4e03_ec6e_a48e_a9ce),
    ("ridged", 0xbd31_ce8a_38db_0137),
    ("billowed", 0x2579_84e4_7cee_91c6),
    ("quantized", 0x08cb_6fa8_94b2_793a),
    ("warped", 0x2132_f989_bc5d_c02d),
];

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for (variant, warp) in [
        (Variant::Fbm, 0.0),
        (Variant::Ridged, 0.0),
        (Variant::Fbm, 30.0),
    ] {
        let islands = FractalNoise {
            variant,
            warp,
            mask: Mask::Radial,
            ..FractalNoise::default()
        };
        let map = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build()
                .unwrap()
                .install(|| generate(&islands, size(203, 150), 5))
        };
        let one = map(1);
        for threads in [2, 7] {
            assert!(map(threads) == one, "{islands:?} on {threads} threads");
        }
    }
}
