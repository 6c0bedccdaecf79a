//! Hydraulic erosion neither creates nor loses material, on any map and with any parameters.

use lanternfell_heightmap::erosion::SedimentBudget;

use super::*;

/// The sum of the heights, and the sum of their absolute values.
fn sums(map: &Heightmap) -> (f64, f64) {
    let heights = || map.heights().iter().map(|&z| f64::from(z));
    (heights().sum(), heights().map(f64::abs).sum())
}

/// Erodes the map and checks the budget against the change of the heights.
fn balanced(rain: &HydraulicErosion, map: &Heightmap, context: &FilterContext) -> SedimentBudget {
    let mut after = map.clone();
    let budget = rain
        .erode(&mut after, context, &Progress::default())
        .unwrap();
    let (before, whole) = sums(map);
    let words = || format!("{budget:?} of {whole} by {rain:?} on {:?}", map.size());
    let parts = [budget.eroded, budget.deposited, budget.exported];
    assert!(parts.iter().all(|&part| part >= 0.0), "{}", words());
    let kept = budget.eroded - budget.deposited - budget.exported;
    assert!(kept.abs() <= 1e-9 * budget.eroded, "{}", words());
    let lost = before - sums(&after).0;
    let off = (lost - budget.exported).abs();
    assert!(off <= 1e-6 * whole, "{off} off: {}", words());
    let (low, high) = map.range();
    assert!(
        after.range().0 >= low && after.range().1 <= high,
        "{}",
        words()
    );
    budget
}

/// A map of this kind, with its name.
fn any_ground(kind: usize, size: MapSize, rng: &mut SeededRng) -> (&'static str, Heightmap) {
    let (width, cells) = (size.width(), size.cells());
    let seed = rng.below(1 << 30);
    let of = |name, height: &mut dyn FnMut(usize, usize) -> f32| {
        let cells = (0..cells).map(|k| height(k % width, k / width));
        (name, map(size, cells.collect()))
    };
    match kind {
        0 => ("mountains", mountains(size, seed)),
        1 => of("spikes", &mut |_, _| {
            f32::from(u8::from(rng.below(40) == 0))
        }),
        2 => of("pits", &mut |_, _| f32::from(u8::from(rng.below(40) > 0))),
        3 => of("cliffs", &mut |x, y| ((x / 7 + y / 9) % 3) as f32),
        4 => of("white noise", &mut |_, _| rng.unit() as f32),
        5 => of("high above 0", &mut |x, y| 3000.0 + ((x * y) % 50) as f32),
        6 => of("below 0", &mut |x, y| -0.01 * (x as f32) - 0.02 * y as f32),
        7 => of("one spike", &mut |x, y| {
            f32::from(u8::from((x, y) == (1, 1)))
        }),
        8 => of("hardly any relief", &mut |x, _| {
            1.0 + (x % 2) as f32 * f32::EPSILON
        }),
        _ => of("up and down by far", &mut |x, _| {
            [1e-9, 1e9, -3e5, 7.0][x % 4]
        }),
    }
}

/// Parameters at the ends of their ranges, as far as the run time allows.
fn extreme_rain(rng: &mut SeededRng, cells: usize) -> HydraulicErosion {
    let mut either = |a: f64, b: f64| if rng.below(2) == 0 { a } else { b };
    HydraulicErosion {
        density: either(0.01, (40_000.0 / cells as f64).min(64.0)),
        lifetime: either(1.0, 247.0) as u32,
        inertia: either(0.0, 0.99),
        capacity: either(4.0, 100.0),
        min_slope: either(0.0, 1.0),
        erosion: either(0.3, 1.0),
        deposition: either(0.0, 1.0),
        evaporation: either(0.0, 1.0),
        gravity: either(0.0, 100.0),
        radius: [either(1.0, 2.0), either(4.0, 8.0)][usize::from(cells.is_multiple_of(2))],
        coarsest: either(64.0, 16_384.0) as u32,
    }
}

#[test]
fn eroded_material_is_deposited_or_carried_out() {
    let mut rng = SeededRng::new(6, b"test    ");
    let mut moved = [0; 10];
    for round in 0..240 {
        let (kind, side) = (round % 10, 2 + rng.below(150));
        let size = match round % 3 {
            0 => size(side, 2 + rng.below(150)),
            1 => [size(2, 2), size(2, 3), size(3, 2), size(5, 5)][rng.below(4) as usize],
            _ => [size(2, side), size(side, 3), size(side, 6)][rng.below(3) as usize],
        };
        let (name, ground) = any_ground(kind, size, &mut rng);
        let rain = if rng.below(2) == 0 {
            extreme_rain(&mut rng, size.cells())
        } else {
            let coarsest = 64 << rng.below(3);
            HydraulicErosion {
                coarsest,
                ..hydraulic::any_rain(&mut rng)
            }
        };
        let relief = [1e-3, 40.0, Scale::MAX][rng.below(3) as usize];
        let scale = Scale {
            spacing: 1.0,
            relief,
        };
        let seed = rng.below(1000);
        let context = FilterContext {
            scale,
            ..FilterContext::new(size, seed)
        };
        let budget = balanced(&rain, &ground, &context);
        moved[kind] += usize::from(budget.eroded > 0.0);
        assert!(budget.eroded.is_finite(), "{name}");
    }
    assert!(moved.iter().all(|&times| times > 4), "{moved:?}");
}

/// An earlier version clamped spikes to the range and thereby created an eighth of this map's
/// material.
#[test]
fn isolated_spikes_do_not_grow() {
    let size = size(800, 600);
    let spike = |k: usize| k.is_multiple_of(977);
    let height = |k: usize| if spike(k) { 1.0 } else { 0.1 };
    let ground = map(size, (0..size.cells()).map(height).collect());
    let rain = HydraulicErosion {
        density: 0.1,
        ..HydraulicErosion::default()
    };
    let budget = balanced(&rain, &ground, &FilterContext::new(size, 1));
    assert!(budget.eroded > 1.0);
}

/// On a cone, whose sides all lead to the border, much of the eroded material leaves the map.
#[test]
fn sediment_leaves_cones_and_stays_in_bowls() {
    let size = size(160, 140);
    let cone = |k: usize| {
        let (x, y) = ((k % 160) as f32 - 79.5, (k / 160) as f32 - 69.5);
        1.0 - (x * x + y * y).sqrt() / 110.0
    };
    let hill = map(size, (0..size.cells()).map(cone).collect());
    let bowl = map(size, hill.heights().iter().map(|z| 1.0 - z).collect());
    let (rain, context) = (HydraulicErosion::default(), FilterContext::new(size, 1));
    let out = |ground| {
        let budget = balanced(&rain, ground, &context);
        budget.exported / budget.eroded
    };
    let (hill, bowl) = (out(&hill), out(&bowl));
    assert!(hill > 0.2, "{hill}");
    // Except for material that was eroded next to the border and fell over it.
    assert!(bowl < 0.02, "{bowl}");
}

/// The floors of pits rise in plains from which water and sediment flow into them.
#[test]
fn pits_do_not_get_deeper() {
    let mut rng = SeededRng::new(7, b"test    ");
    for round in 0..6 {
        let size = size(150, 150);
        let wavy = |k: usize| 0.5 + 0.02 * ((k % 150) as f32 * 0.4).sin();
        let mut heights: Vec<f32> = (0..size.cells()).map(wavy).collect();
        let pits: Vec<usize> = (0..81)
            .map(|k| (10 + 15 * (k / 9)) * 150 + 10 + 15 * (k % 9))
            .collect();
        for &pit in &pits {
            heights[pit] = rng.between(0.0, 0.45) as f32;
        }
        let ground = map(size, heights);
        let rain = HydraulicErosion {
            density: 1.0,
            radius: [1.0, 2.0, 4.0][round % 3],
            coarsest: [64, 512][round / 3],
            ..HydraulicErosion::default()
        };
        let after = rained(&rain, &ground, &FilterContext::new(size, round as u64));
        for pit in pits {
            let (was, is) = (ground.heights()[pit], after.heights()[pit]);
            assert!(is >= was, "{was} became {is} by {rain:?}");
        }
    }
}
