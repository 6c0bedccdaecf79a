//! Sliding ground: against its definition, and the facts known of it.

use super::*;

/// The definition of sliding: all neighbors of all cells, beyond the border the nearest
/// cell within, in whole numbers.
fn slide_plainly(talus: &ThermalErosion, ground: &Heightmap, context: &FilterContext) -> Heightmap {
    let (low, high) = ground.range();
    let (low, high) = (f64::from(low), f64::from(high));
    let grain = 2_f64.powi(((high - low) / 2_f64.powi(24)).log2().ceil() as i32);
    let origin = ((low + high) / 2.0 / grain).round() * grain;
    let (width, height) = (ground.width() as i64, ground.height() as i64);
    let count = |z: &f32| ((f64::from(*z) - origin) / grain).round() as i64;
    let first: Vec<i64> = ground.heights().iter().map(count).collect();
    let tangent = libm::tan(talus.angle.to_radians());
    let cell = f64::from(context.scale.spacing) / f64::from(context.scale.relief);
    let limit = (tangent * cell / grain).min(f64::from(1 << 26));
    let mut grains = first.clone();
    for _ in 0..talus.passes {
        let old = grains.clone();
        for k in 0..old.len() as i64 {
            let (x, y) = (k % width, k / width);
            for (dx, dy) in (-1..2).flat_map(|dy| (-1..2).map(move |dx| (dx, dy))) {
                let diagonal = dx != 0 && dy != 0;
                let limit = if diagonal {
                    limit * 2_f64.sqrt()
                } else {
                    limit
                } as f32;
                let weight = if diagonal { 0.05 } else { 0.2 };
                let (x, y) = ((x + dx).clamp(0, width - 1), (y + dy).clamp(0, height - 1));
                let fall = (old[k as usize] - old[(y * width + x) as usize]) as f32;
                let excess = fall - fall.clamp(-limit, limit);
                let flow = (excess * (talus.rate * weight) as f32).round_ties_even() as i64;
                grains[k as usize] -= flow;
            }
        }
    }
    assert_eq!(grains.iter().sum::<i64>(), first.iter().sum::<i64>());
    let cells = ground.heights().iter().zip(first.iter().zip(&grains));
    let heights = cells.map(|(&z, (first, last))| {
        if first == last {
            return z;
        }
        (f64::from(z) + (last - first) as f64 * grain).clamp(low, high) as f32
    });
    map(ground.size(), heights.collect())
}

#[test]
fn sliding_is_the_definition_s_bit_for_bit() {
    let mut rng = SeededRng::new(4, b"test    ");
    for seed in 0..80 {
        let angle = match seed % 4 {
            0 => [0.0, 0.001][rng.below(2) as usize],
            _ => rng.between(0.0, 60.0),
        };
        // Narrow ones slide for long: every row comes to rest and is stirred again.
        let (size, passes) = match seed % 8 {
            0 | 3 => (size(2 + rng.below(4), 2 + rng.below(6)), 400),
            _ => (size(2 + rng.below(150), 2 + rng.below(40)), rng.below(30)),
        };
        let talus = ThermalErosion {
            angle,
            passes: passes as u32,
            rate: rng.unit(),
        };
        // Or a plain with towers, where most blocks are at rest until the scree comes.
        let towers = |k: usize| if k.is_multiple_of(313) { 1.0 } else { 0.0 };
        let map = match seed % 2 {
            0 => mountains(size, seed),
            _ => map(size, (0..size.cells()).map(towers).collect()),
        };
        let context = FilterContext::new(size, 0);
        let fast = slid(&talus, &map, &context);
        assert!(
            fast == slide_plainly(&talus, &map, &context),
            "{talus:?} on {size:?}"
        );
    }
}

/// The largest difference between neighbors, along the axes and along the diagonals.
fn steepest(map: &Heightmap) -> (f32, f32) {
    let (width, height) = (map.width(), map.height());
    let (mut axis, mut diagonal) = (0_f32, 0_f32);
    for y in 0..height {
        for x in 0..width {
            let z = map.get(x, y);
            let (east, south) = (x + 1 < width, y + 1 < height);
            let apart = |fits: bool, x: usize, y: usize| {
                if fits { (z - map.get(x, y)).abs() } else { 0.0 }
            };
            axis = axis.max(apart(east, x + 1, y)).max(apart(south, x, y + 1));
            diagonal = diagonal.max(apart(east && south, x + 1, y + 1));
            diagonal = diagonal.max(apart(x > 0 && south, x.wrapping_sub(1), y + 1));
        }
    }
    (axis, diagonal)
}

#[test]
fn the_steepest_slope_never_gets_steeper() {
    let mut rng = SeededRng::new(5, b"test    ");
    for rate in [0.05, 0.5, 1.0] {
        let size = size(2 + rng.below(40), 2 + rng.below(40));
        let any = (0..size.cells()).map(|_| rng.unit() as f32);
        let mut map = map(size, any.collect());
        let context = FilterContext::new(size, 0);
        let talus = ThermalErosion {
            angle: 30.0,
            passes: 1,
            rate,
        };
        // Rounding to grains, a 2^24th, is what a pass may add.
        let grains = 8.0 / (1 << 24) as f32;
        for _ in 0..60 {
            let before = steepest(&map);
            map = slid(&talus, &map, &context);
            let after = steepest(&map);
            assert!(after.0 <= before.0 + grains && after.1 <= before.1 + grains);
        }
    }
}

#[test]
fn with_enough_passes_no_slope_is_above_the_angle() {
    let size = size(60, 50);
    let map = mountains(size, 6);
    let context = FilterContext::new(size, 0);
    let talus = ThermalErosion {
        angle: 25.0,
        passes: 100_000,
        rate: 1.0,
    };
    let rest = slid(&talus, &map, &context);
    let per_cell = 25_f32.to_radians().tan() / context.scale.steepness();
    let (axis, diagonal) = steepest(&rest);
    assert!(steepest(&map).0 > 1.2 * per_cell, "nothing to do");
    assert!(axis <= 1.0001 * per_cell && diagonal <= 1.0001 * per_cell * 2_f32.sqrt());
    // It ended because nothing moved, not because all passes were over.
    let fewer = ThermalErosion {
        passes: 20_000,
        ..talus
    };
    assert!(slid(&fewer, &map, &context) == rest);
    let whole = sum(&map);
    assert!((sum(&rest) - whole).abs() < 1e-6 * whole);
}

#[test]
fn a_mirrored_map_slides_to_its_mirror_image() {
    let (wide, tall) = (size(75, 40), size(40, 75));
    let ground = mountains(wide, 8);
    let at = |x: usize, y: usize| ground.get(x, y);
    let turned = |size: MapSize, from: &dyn Fn(usize, usize) -> f32| {
        let cell = |k: usize| from(k % size.width(), k / size.width());
        map(size, (0..size.cells()).map(cell).collect())
    };
    let context = FilterContext::new(wide, 0);
    let talus = ThermalErosion {
        angle: 15.0,
        ..ThermalErosion::default()
    };
    let after = slid(&talus, &ground, &context);
    assert!(after != ground);
    let then = |x: usize, y: usize| after.get(x, y);
    let slid = |map: Heightmap| slid(&talus, &map, &context);
    let east = slid(turned(wide, &|x, y| at(74 - x, y)));
    assert!(east == turned(wide, &|x, y| then(74 - x, y)));
    let south = slid(turned(wide, &|x, y| at(x, 39 - y)));
    assert!(south == turned(wide, &|x, y| then(x, 39 - y)));
    let across = slid(turned(tall, &|x, y| at(y, x)));
    assert!(across == turned(tall, &|x, y| then(y, x)));
}

#[test]
fn gentle_slopes_and_no_passes_change_nothing() {
    let size = size(64, 64);
    let map = mountains(size, 9);
    let context = FilterContext::new(size, 0);
    let default = ThermalErosion::default();
    for talus in [
        ThermalErosion {
            passes: 0,
            ..default
        },
        ThermalErosion {
            rate: 0.0,
            ..default
        },
        ThermalErosion {
            angle: 89.0,
            ..default
        },
    ] {
        assert!(slid(&talus, &map, &context) == map, "{talus:?}");
    }
}
