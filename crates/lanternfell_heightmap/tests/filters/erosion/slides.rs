//! Compares thermal erosion with its definition and known properties.

use super::*;

/// The definition of sliding: all neighbors of all cells, in integers.
fn slide_plainly(talus: &ThermalErosion, ground: &Heightmap, context: &FilterContext) -> Heightmap {
    let (low, high) = ground.range();
    let (low, high) = (f64::from(low), f64::from(high));
    let grain = 2_f64.powi(((high - low) / 2_f64.powi(24)).log2().ceil() as i32);
    let (width, height) = (ground.width() as i64, ground.height() as i64);
    let count = |z: &f32| ((f64::from(*z) - low) / grain).floor() as i64;
    let first: Vec<i64> = ground.heights().iter().map(count).collect();
    let tangent = libm::tan(talus.angle.to_radians());
    let cell = f64::from(context.scale.spacing) / f64::from(context.scale.relief);
    let limit = tangent * cell / grain;
    let mut grains = first.clone();
    for _ in 0..talus.passes {
        let old = grains.clone();
        for k in 0..old.len() as i64 {
            let (x, y) = (k % width, k / width);
            for (dx, dy) in (-1..2).flat_map(|dy| (-1..2).map(move |dx| (dx, dy))) {
                let diagonal = dx != 0 && dy != 0;
                let (limit, weight) = if diagonal {
                    ((limit * 2_f64.sqrt()).max(32.0).floor(), 0.05)
                } else {
                    (limit.max(8.0).floor(), 0.2)
                };
                let (x, y) = (x + dx, y + dy);
                if !(0..width).contains(&x) || !(0..height).contains(&y) {
                    continue;
                }
                let fall = old[k as usize] - old[(y * width + x) as usize];
                let excess = fall.abs() as f64 - limit;
                if excess > 0.0 {
                    let share = (talus.rate * weight) as f32;
                    let flow = (excess as f32 * share).round_ties_even().max(1.0) as i64;
                    grains[k as usize] -= fall.signum() * flow;
                }
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
fn sliding_matches_the_definition_exactly() {
    let mut rng = SeededRng::new(4, b"test    ");
    for seed in 0..80 {
        let angle = match seed % 4 {
            0 => [0.0, 0.001][rng.below(2) as usize],
            _ => rng.between(0.0, 60.0),
        };
        // Narrow maps slide for a long time: every row comes to rest and starts moving again.
        let (size, passes) = match seed % 8 {
            0 | 3 => (size(2 + rng.below(4), 2 + rng.below(6)), 400),
            _ => (size(2 + rng.below(150), 2 + rng.below(40)), rng.below(30)),
        };
        let talus = ThermalErosion {
            angle,
            passes: passes as u32,
            rate: [rng.unit(), 0.01 * rng.unit()][rng.below(2) as usize],
        };
        // Odd seeds use a plain with towers, where most blocks are at rest until the scree reaches
        // them.
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
fn maximum_slope_does_not_increase() {
    let mut rng = SeededRng::new(5, b"test    ");
    for rate in [0.001, 0.05, 0.5, 1.0] {
        let size = size(2 + rng.below(40), 2 + rng.below(40));
        let any = (0..size.cells()).map(|_| rng.unit() as f32);
        let mut map = map(size, any.collect());
        let context = FilterContext::new(size, 0);
        let talus = ThermalErosion {
            angle: 30.0,
            passes: 1,
            rate,
        };
        // A pass may add the rounding to grains, which are 2^-24 of the range.
        let grains = 8.0 / (1 << 24) as f32;
        let steepest = |map: &Heightmap| {
            let (axis, diagonal) = steepest(map);
            axis.max(diagonal / 2_f32.sqrt())
        };
        for _ in 0..60 {
            let before = steepest(&map);
            map = slid(&talus, &map, &context);
            assert!(steepest(&map) <= before + grains);
        }
    }
}

/// For any rate and map: the process ends because nothing moves, before the passes run out. Then no
/// slope exceeds the angle by more than documented.
#[test]
fn enough_passes_reach_the_angle() {
    let mut rng = SeededRng::new(10, b"test    ");
    let cases = [
        (1.0, 25.0),
        (0.3, 0.0),
        (0.01, 40.0),
        (0.01, 25.0),
        (1.0, 0.0),
        (0.1, 40.0),
    ];
    for (round, (rate, angle)) in cases.into_iter().enumerate() {
        let size = size(2 + rng.below(14), 2 + rng.below(14));
        let ground = match round % 3 {
            0 => mountains(size, 6),
            1 => map(size, (0..size.cells()).map(|_| rng.unit() as f32).collect()),
            _ => map(
                size,
                (0..size.cells()).map(|k| ((k / 5) % 4) as f32).collect(),
            ),
        };
        let context = FilterContext::new(size, 0);
        let talus = ThermalErosion {
            angle,
            passes: 100_000,
            rate,
        };
        let rest = slid(&talus, &ground, &context);
        let (low, high) = ground.range();
        assert!(rest.range().0 >= low && rest.range().1 <= high);
        let per_cell = (talus.angle as f32).to_radians().tan() / context.scale.steepness();
        let (axis, diagonal) = steepest(&rest);
        let more = (high - low) * 1e-6;
        let words = format!("{talus:?} on {size:?}: {axis} and {diagonal} for {per_cell}");
        assert!(axis <= per_cell + more, "{words}");
        assert!(diagonal <= per_cell * 2_f32.sqrt() + 4.0 * more, "{words}");
        let fewer = ThermalErosion {
            passes: 99_000,
            ..talus
        };
        assert!(slid(&fewer, &ground, &context) == rest, "{words}");
        let whole = sum(&ground);
        assert!((sum(&rest) - whole).abs() < 1e-7 * whole, "{words}");
    }
}

/// Compares neighboring cells at the border with those inside: no more material slides between
/// them.
#[test]
fn border_cells_slide_like_inner_cells() {
    let (size, talus) = (
        size(40, 30),
        ThermalErosion {
            angle: 30.0,
            passes: 1,
            rate: 1.0,
        },
    );
    let context = FilterContext::new(size, 0);
    let step = |k: usize| f32::from(u8::from(k % 40 >= 20));
    let ground = map(size, (0..size.cells()).map(step).collect());
    let after = slid(&talus, &ground, &context);
    let loss = |y: usize| ground.get(20, y) - after.get(20, y);
    // An inner cell loses material to three neighbors, a border cell to only two.
    let limit = 30_f64.to_radians().tan() / f64::from(context.scale.steepness());
    let (axis, diagonal) = (0.2 * (1.0 - limit), 0.05 * (1.0 - limit * 2_f64.sqrt()));
    for (y, expected) in [
        (0, axis + diagonal),
        (15, axis + 2.0 * diagonal),
        (29, axis + diagonal),
    ] {
        assert!(
            (f64::from(loss(y)) - expected).abs() < 1e-6,
            "{y}: {}",
            loss(y)
        );
    }
}

#[test]
fn sliding_is_symmetric() {
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
fn gentle_slopes_and_zero_passes_change_nothing() {
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
