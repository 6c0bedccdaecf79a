//! Compares wind erosion with a simple simulation and with known properties of dunes.

use super::*;
use lanternfell_heightmap::{Filter, filter::Smooth};

/// Cells of 2 m, so a slab is 60 cm high. A height of 1 is 100 m.
const DESERT: Scale = Scale {
    spacing: 2.0,
    relief: 100.0,
};

const SLAB: f64 = 0.6 / 100.0;

fn context(size: MapSize, seed: u64) -> FilterContext {
    FilterContext {
        scale: DESERT,
        ..FilterContext::new(size, seed)
    }
}

/// A short wind that is not parallel to the axes.
pub(crate) const SHORT: WindErosion = WindErosion {
    wind_from: 200.0,
    sand: 2.0,
    steps: 20,
    hop: 5,
    settling: 0.6,
    angle: 33.0,
};

fn blown(wind: &WindErosion, ground: &Heightmap, seed: u64) -> Heightmap {
    super::blown(wind, ground, &context(ground.size(), seed))
}

/// The number of slabs on each cell of a map that was flat at 0. Checks that it is an integer.
fn slabs(map: &Heightmap) -> Vec<u32> {
    let whole = |&height: &f32| {
        let slabs = f64::from(height) / SLAB;
        assert!((slabs - slabs.round()).abs() < 1e-3, "{slabs} slabs");
        slabs.round() as u32
    };
    map.heights().iter().map(whole).collect()
}

/// The definition of a west wind over flat terrain: one row after the other, cell by cell, comparing all neighbors.
mod plainly {
    use super::*;

    fn next(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(*state)
    }

    fn mix(word: u64) -> u64 {
        let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    fn stream(seed: u64, step: u32, row: usize) -> u64 {
        let which = u64::from(step) << 32 | (row as u64 + 1);
        mix(seed ^ 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(which))
    }

    pub(super) fn blow(wind: &WindErosion, (width, height): (usize, usize), seed: u64) -> Vec<u32> {
        let strewn = wind.sand / 0.6;
        let mut sand = vec![vec![0_u32; width]; height];
        for (y, row) in sand.iter_mut().enumerate() {
            let mut rng = stream(seed, u32::MAX, y);
            for cell in row {
                *cell = (strewn + next(&mut rng) as f64 / 2_f64.powi(64)) as u32;
            }
        }
        for step in 0..wind.steps {
            for (y, row) in sand.iter_mut().enumerate() {
                carry(wind, row, stream(seed, step, y));
            }
            slide(wind, &mut sand);
            slide(wind, &mut sand);
        }
        while slide(wind, &mut sand) {}
        sand.concat()
    }

    fn carry(wind: &WindErosion, row: &mut [u32], mut rng: u64) {
        let lee = (0.267_949_192_431_122_7 / 0.3) as f32;
        // The slip line below a crest descends step by step, and wraps from the end of the row to its start.
        let mut line = f32::NEG_INFINITY;
        let mut calm = vec![false; row.len()];
        for at in (0..row.len()).chain(0..row.len()) {
            line -= lee;
            calm[at] = (row[at] as f32) < line;
            line = line.max(row[at] as f32);
        }
        let sum: f64 = row.iter().map(|&top| f64::from(top)).sum();
        let mean = (sum / row.len() as f64) as f32;
        let most = f64::from(u32::MAX);
        let (on_sand, on_bare) = (
            (wind.settling * most) as u32,
            (2.0 / 3.0 * wind.settling * most) as u32,
        );
        for from in 0..row.len() {
            let word = next(&mut rng);
            if row[from] == 0 || calm[from] || word as u32 >= (0.5 * most) as u32 {
                continue;
            }
            let above = (row[from] as f32 - mean).max(0.0);
            let base = wind.hop as f32;
            let longest = 20.0 * base;
            let hop = (((base + 0.15 * above).min(longest) + 0.5) as usize).min(row.len());
            row[from] -= 1;
            let (mut at, mut toss) = (from, (word >> 32) as u32);
            loop {
                at = (at + hop) % row.len();
                if calm[at] || toss < if row[at] > 0 { on_sand } else { on_bare } {
                    break;
                }
                toss = next(&mut rng) as u32;
            }
            row[at] += 1;
        }
    }

    fn slide(wind: &WindErosion, sand: &mut [Vec<u32>]) -> bool {
        let limit = (wind.angle.to_radians().tan() / 0.3) as f32;
        let (height, width) = (sand.len() as isize, sand[0].len() as isize);
        let old = sand.to_vec();
        let ways = [
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
            (0, -1),
            (1, -1),
        ];
        let mut moved = false;
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let here = old[y as usize][x as usize];
            let mut best = (limit, None);
            for (dx, dy) in ways {
                let (x, y) = (x + dx, y + dy);
                if here > 0 && (0..width).contains(&x) && (0..height).contains(&y) {
                    let near = if dx * dy == 0 {
                        1.0
                    } else {
                        std::f32::consts::FRAC_1_SQRT_2
                    };
                    let fall = (here as f32 - old[y as usize][x as usize] as f32) * near;
                    if fall > best.0 {
                        best = (fall, Some((x, y)));
                    }
                }
            }
            if let Some((to_x, to_y)) = best.1 {
                sand[y as usize][x as usize] -= 1;
                sand[to_y as usize][to_x as usize] += 1;
                moved = true;
            }
        }
        moved
    }
}

#[test]
fn dunes_match_the_simple_simulation() {
    for (seed, (width, height)) in (0..).zip([(40, 30), (64, 5), (3, 9), (2, 2), (25, 60)]) {
        let wind = WindErosion {
            sand: [0.5, 4.0, 12.0][seed as usize % 3],
            steps: 40,
            hop: 1 + seed as u32 * 3,
            ..WindErosion::default()
        };
        let ground = Heightmap::flat(size(width, height));
        let found = slabs(&blown(&wind, &ground, seed));
        let expected = plainly::blow(&wind, (width as usize, height as usize), seed);
        assert_eq!(found, expected, "{wind:?} on {width} x {height}");
    }
}

#[test]
fn sand_is_conserved_and_terrain_is_not_lowered() {
    let size = size(90, 70);
    let ground = mountains(size, 5);
    for wind_from in [0.0, 33.0, 90.0, 200.0, 317.0] {
        let wind = WindErosion {
            wind_from,
            sand: 3.0,
            steps: 50,
            ..WindErosion::default()
        };
        let map = blown(&wind, &ground, 2);
        let lower = ground
            .heights()
            .iter()
            .zip(map.heights())
            .filter(|(a, b)| b < a);
        assert_eq!(lower.count(), 0, "from {wind_from}");
        let strewn = 3.0 / 100.0 * size.cells() as f64;
        let found = sum(&map) - sum(&ground);
        // Exactly 5 slabs on each cell. Only the sums in `f32` are rounded.
        assert!(
            (found - strewn).abs() < 1e-3,
            "from {wind_from}: {found} of {strewn}"
        );
    }
}

#[test]
fn sand_is_not_steeper_than_its_angle() {
    let map = blown(&WindErosion::default(), &Heightmap::flat(size(128, 128)), 3);
    let limit = 33.0_f64.to_radians().tan() * 2.0 / 100.0 + 1e-6;
    for (y, x) in (0..127).flat_map(|y| (0..127).map(move |x| (y, x))) {
        let fall =
            |dx: usize, dy: usize| f64::from((map.get(x, y) - map.get(x + dx, y + dy)).abs());
        assert!(fall(1, 0) <= limit && fall(0, 1) <= limit, "at {x}, {y}");
        assert!(fall(1, 1) <= limit * 2_f64.sqrt(), "at {x}, {y}");
    }
}

/// Dunes on flat terrain, without the steps of single slabs.
fn dunes(wind: &WindErosion, size: MapSize, seed: u64) -> Heightmap {
    let mut map = blown(wind, &Heightmap::flat(size), seed);
    let smooth = Filter::Smooth(Smooth::Gaussian(1.5));
    smooth
        .apply(&mut map, &context(size, 0), &Progress::default())
        .unwrap();
    map
}

#[test]
fn dunes_are_steeper_on_the_lee_side() {
    let wind = WindErosion {
        sand: 5.0,
        ..WindErosion::default()
    };
    let map = dunes(&wind, size(256, 128), 7);
    let per_cell = f64::from(DESERT.relief / DESERT.spacing);
    let cells = (0..map.height()).flat_map(|y| (1..map.width() - 1).map(move |x| (x, y)));
    let rise = |(x, y): (usize, usize)| 0.5 * f64::from(map.get(x + 1, y) - map.get(x - 1, y));
    let slopes: Vec<f64> = cells.map(|cell| rise(cell) * per_cell).collect();
    let share = |of: &dyn Fn(f64) -> bool| {
        slopes.iter().filter(|&&slope| of(slope)).count() as f64 / slopes.len() as f64
    };
    // The fraction of slopes of at least 25 degrees: many on the lee side, fewer on the windward side.
    let (lee, back) = (share(&|slope| slope < -0.47), share(&|slope| slope > 0.47));
    assert!(lee > 0.1 && back < 0.75 * lee, "{lee} and {back}");
}

/// The variation along x relative to that along y. It is above 1 for crests across a wind along x.
fn across(map: &Heightmap) -> f64 {
    let (width, height) = (map.width(), map.height());
    let mut squares = (0.0, 0.0);
    for (y, x) in (0..height - 1).flat_map(|y| (0..width - 1).map(move |x| (y, x))) {
        let here = f64::from(map.get(x, y));
        squares.0 += (f64::from(map.get(x + 1, y)) - here).powi(2);
        squares.1 += (f64::from(map.get(x, y + 1)) - here).powi(2);
    }
    squares.0 / squares.1
}

#[test]
fn crests_are_perpendicular_to_the_wind() {
    for (wind_from, along_x) in [(270.0, true), (90.0, true), (0.0, false), (180.0, false)] {
        let wind = WindErosion {
            wind_from,
            sand: 5.0,
            ..WindErosion::default()
        };
        let ratio = across(&dunes(&wind, size(160, 160), 1));
        let ratio = if along_x { ratio } else { 1.0 / ratio };
        assert!(ratio > 2.0, "from {wind_from}: {ratio}");
    }
}

#[test]
fn bare_area_decreases_with_more_sand() {
    let bare = |sand: f64| {
        let wind = WindErosion {
            sand,
            ..WindErosion::default()
        };
        let slabs = slabs(&blown(&wind, &Heightmap::flat(size(200, 200)), 4));
        let highest = *slabs.iter().max().unwrap();
        let bare = slabs.iter().filter(|&&slabs| slabs == 0).count();
        (bare as f64 / slabs.len() as f64, highest)
    };
    let (little, high) = bare(1.2);
    assert!(
        little > 0.5 && high >= 12,
        "{little} bare, {high} slabs high"
    );
    let (much, _) = bare(9.0);
    assert!(much < 0.1, "{much} bare");
}

#[test]
fn wind_erosion_does_not_depend_on_threads() {
    let ground = mountains(size(120, 90), 8);
    let wind = WindErosion {
        wind_from: 300.0,
        steps: 30,
        ..WindErosion::default()
    };
    let one = on_threads(1, || blown(&wind, &ground, 6));
    let many = on_threads(5, || blown(&wind, &ground, 6));
    assert!(one == many);
}

#[test]
fn canceled_wind_erosion_keeps_the_map() {
    let ground = mountains(size(60, 60), 8);
    let (mut map, progress) = (ground.clone(), Progress::default());
    progress.cancel();
    let context = context(ground.size(), 1);
    let result = WindErosion::default().erode(&mut map, &context, &progress);
    assert!(matches!(result, Err(GenerateError::Canceled(_))));
    assert!(map == ground);
}
