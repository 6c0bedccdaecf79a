//! Measures Rust crates that the workspace cannot depend on: `simdnoise` and `symbios-ground`.
//! Called by `lanternfell_bench`. Its `peers.rs` describes the format of the sheet and of the
//! output.
//!
//! ```text
//! job N simdnoise OCTAVES SCALE LACUNARITY GAIN   fractal simplex noise with the widest SIMD
//! job N value OCTAVES SCALE LACUNARITY GAIN       symbios-ground: FbmNoise
//! job N diamond_square                            symbios-ground: DiamondSquare
//! job N droplets NUMBER                           symbios-ground: HydraulicErosion, on the given heights
//! job N slides PASSES TALUS                       symbios-ground: ThermalErosion
//! job N normals                                   symbios-ground: normals of all cells
//! job N normalize                                 symbios-ground: normalize
//! ```

use std::{
    env, fs,
    hint::black_box,
    process::ExitCode,
    time::{Duration, Instant},
};

use simdnoise::NoiseBuilder;
use symbios_ground::{
    DiamondSquare, FbmNoise, HeightMap, HydraulicErosion, TerrainGenerator, ThermalErosion,
};

const SEED: u64 = 7;

/// The content of a sheet.
#[derive(Default)]
struct Sheet {
    side: usize,
    heights: Vec<f32>,
    goal: Duration,
    jobs: Vec<String>,
}

fn main() -> ExitCode {
    let Some(path) = env::args().nth(1) else {
        println!("{}, in a separate process", env!("PEERS"));
        return ExitCode::SUCCESS;
    };
    match read_sheet(&path).and_then(|sheet| run(&sheet)) {
        Some(()) => ExitCode::SUCCESS,
        None => {
            eprintln!("cannot read the sheet");
            ExitCode::FAILURE
        }
    }
}

fn read_sheet(path: &str) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    for line in fs::read_to_string(path).ok()?.lines() {
        let (key, rest) = line.split_once(' ')?;
        match key {
            "ground" => {
                let (side, path) = rest.split_once(' ').unwrap_or((rest, ""));
                sheet.side = side.parse().ok()?;
                if !path.is_empty() {
                    let bytes = fs::read(path).ok()?;
                    let (words, _) = bytes.as_chunks::<4>();
                    sheet.heights = words
                        .iter()
                        .map(|&bytes| f32::from_le_bytes(bytes))
                        .collect();
                }
            }
            "seconds" => sheet.goal = Duration::from_secs_f64(rest.parse().ok()?),
            "job" => sheet.jobs.push(rest.to_owned()),
            _ => (),
        }
    }
    Some(sheet)
}

fn run(sheet: &Sheet) -> Option<()> {
    for job in &sheet.jobs {
        let words: Vec<&str> = job.split(' ').collect();
        let [number, task, parameters @ ..] = &words[..] else {
            return None;
        };
        let numbers = parameters.iter().map(|word| word.parse().ok());
        let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
        let (nanoseconds, heights) = measure(sheet, task, &numbers)?;
        let (mean, deviation, grain) = shape(&heights, sheet.side);
        println!("result {number} {nanoseconds} {mean} {deviation} {grain}");
    }
    Some(())
}

/// Nanoseconds per call, and the resulting heights.
fn measure(sheet: &Sheet, task: &str, numbers: &[f64]) -> Option<(f64, Vec<f32>)> {
    let side = sheet.side;
    let given = || map_of(sheet);
    let new = || HeightMap::new(side, side, 1.0);
    // Creating the empty map is part of generating a map.
    let made = |generator: &dyn TerrainGenerator| {
        let make = |(): &mut ()| {
            let mut map = new();
            generator.generate(&mut map);
            map
        };
        let (time, map) = time(sheet.goal, || (), make);
        (time, map.data().to_vec())
    };
    let changed = |change: &dyn Fn(&mut HeightMap)| {
        let mut last = new();
        let (time, ()) = time(sheet.goal, given, |map: &mut HeightMap| {
            change(map);
            std::mem::swap(&mut last, map);
        });
        (time, last.data().to_vec())
    };
    Some(match (task, numbers) {
        ("simdnoise", &[octaves, scale, lacunarity, gain]) => {
            let mut builder = NoiseBuilder::fbm_2d(side, side);
            builder
                .with_seed(SEED as i32)
                .with_octaves(octaves as u8)
                .with_freq((1.0 / scale) as f32)
                .with_lacunarity(lacunarity as f32)
                .with_gain(gain as f32);
            // The crate has its own range of values. The conversion to 0 to 1 is not measured.
            let (time, (noise, low, high)) = time(sheet.goal, || (), |()| builder.generate());
            let height = |n: f32| (n - low) / (high - low);
            (time, noise.into_iter().map(height).collect())
        }
        ("value", &[octaves, scale, lacunarity, gain]) => made(&FbmNoise {
            octaves: octaves as u32,
            persistence: gain as f32,
            lacunarity: lacunarity as f32,
            base_frequency: (side as f64 / scale) as f32,
            ..FbmNoise::new(SEED)
        }),
        ("diamond_square", &[]) => made(&DiamondSquare::new(SEED, 0.6)),
        ("droplets", &[number]) => {
            let num_drops = number as u32;
            let erosion = HydraulicErosion {
                num_drops,
                ..HydraulicErosion::new(SEED)
            };
            changed(&|map| erosion.erode(map))
        }
        ("slides", &[passes, talus]) => {
            let erosion = ThermalErosion::new()
                .with_iterations(passes as u32)
                .with_talus_angle(talus as f32);
            changed(&|map| erosion.erode(map))
        }
        ("normals", &[]) => changed(&|map| {
            black_box(map.normals_grid());
        }),
        ("normalize", &[]) => changed(&|map| map.normalize()),
        _ => return None,
    })
}

fn map_of(sheet: &Sheet) -> HeightMap {
    let mut map = HeightMap::new(sheet.side, sheet.side, 1.0);
    for (z, height) in map.data_mut().iter_mut().zip(&sheet.heights) {
        *z = *height;
    }
    map
}

/// Nanoseconds per call of `work`. `prepare` is called before each call and not measured. The first
/// calls warm up, for as long as the measured calls. If a call takes ten times the goal, it is
/// called only once.
fn time<P, T>(
    goal: Duration,
    prepare: impl Fn() -> P,
    mut work: impl FnMut(&mut P) -> T,
) -> (f64, T) {
    let mut once = || {
        let mut prepared = prepare();
        let start = Instant::now();
        let result = black_box(work(&mut prepared));
        (start.elapsed(), result)
    };
    let mut call_for_goal = || {
        let (mut spent, mut result) = once();
        let mut calls = 1_u32;
        while spent < goal {
            let (time, last) = once();
            (spent, calls, result) = (spent + time, calls + 1, last);
        }
        (spent, calls, result)
    };
    let (mut spent, mut calls, mut result) = call_for_goal();
    if spent < 10 * goal {
        (spent, calls, result) = call_for_goal();
    }
    (spent.as_nanos() as f64 / f64::from(calls), result)
}

/// Mean, deviation and grain, as in `heights.rs` of the benchmark.
fn shape(heights: &[f32], side: usize) -> (f64, f64, f64) {
    let number = heights.len() as f64;
    let mean = heights.iter().copied().map(f64::from).sum::<f64>() / number;
    let square = |a: f32, b: f64| (f64::from(a) - b).powi(2);
    let deviation = heights.iter().map(|&z| square(z, mean)).sum::<f64>() / number;
    let east = heights.chunks_exact(side).flat_map(|row| row.windows(2));
    let east: f64 = east.map(|pair| square(pair[0], pair[1].into())).sum();
    let south = heights.iter().zip(&heights[side..]);
    let south: f64 = south.map(|(&a, &b)| square(a, b.into())).sum();
    let steps = (2 * side * (side - 1)) as f64;
    let deviation = deviation.sqrt();
    (mean, deviation, ((east + south) / steps).sqrt() / deviation)
}
