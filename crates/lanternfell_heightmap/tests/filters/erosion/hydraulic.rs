//! Compares hydraulic erosion with its definition and known properties.

use super::*;

/// Random parameters, limited to acceptable run times.
pub(super) fn any_rain(rng: &mut SeededRng) -> HydraulicErosion {
    HydraulicErosion {
        density: rng.between(0.01, 0.4),
        lifetime: rng.within(1, 70) as u32,
        inertia: rng.between(0.0, 0.9),
        capacity: rng.between(0.5, 20.0),
        min_slope: rng.between(0.0, 0.2),
        erosion: rng.unit(),
        deposition: rng.unit(),
        evaporation: rng.between(0.0, 0.2),
        gravity: rng.between(0.0, 2.0),
        radius: [1.0, 1.6, 3.0, 4.0, 7.5][rng.below(5) as usize],
        coarsest: 16_384,
    }
}

/// Also compares the sediment budget.
#[test]
fn droplets_match_the_definition_exactly() {
    let mut rng = SeededRng::new(1, b"test    ");
    for seed in 0..20 {
        let size = size(2 + rng.below(160), 2 + rng.below(160));
        let (map, rain) = (mountains(size, seed), any_rain(&mut rng));
        let context = FilterContext::new(size, seed);
        let plainly = plainly::Rain::fall(&rain, &map, &context);
        let mut fast = map.clone();
        let progress = Progress::default();
        let budget = rain.erode(&mut fast, &context, &progress).unwrap();
        assert!(fast == plainly.map_from(&map), "{rain:?} on {size:?}");
        let parts = [
            (budget.eroded, plainly.eroded),
            (budget.deposited, plainly.deposited),
            (budget.exported, plainly.exported),
        ];
        for (found, grains) in parts {
            assert_eq!(found, grains * plainly.grain(), "{rain:?} on {size:?}");
        }
    }
}

/// The coarse map is an implementation detail, but its effect is visible from outside.
#[test]
fn large_maps_are_first_eroded_at_half_size() {
    for (width, height, differs) in [(150, 131, true), (70, 3, false), (64, 64, false)] {
        let size = size(width, height);
        let (ground, context) = (mountains(size, 11), FilterContext::new(size, 11));
        let at = |coarsest| {
            let rain = HydraulicErosion {
                lifetime: 20,
                coarsest,
                ..HydraulicErosion::default()
            };
            rained(&rain, &ground, &context)
        };
        assert_eq!(at(64) != at(16_384), differs, "{width} x {height}");
    }
}

#[test]
fn heights_stay_in_the_range_of_the_map() {
    let mut rng = SeededRng::new(2, b"test    ");
    for seed in 0..10 {
        let size = size(2 + rng.below(120), 2 + rng.below(120));
        let (map, rain) = (mountains(size, seed), any_rain(&mut rng));
        let after = rained(&rain, &map, &FilterContext::new(size, seed));
        let (low, high) = map.range();
        let (new_low, new_high) = after.range();
        assert!(new_low >= low && new_high <= high, "{rain:?}");
    }
}

/// Rain digs channels into a slope: along a contour, terrain that was smooth goes up and down. The
/// total height decreases, because water carries material off the map.
#[test]
fn rain_digs_gullies() {
    let size = size(160, 160);
    let wavy = |k: usize| {
        let (x, y) = ((k % 160) as f32, (k / 160) as f32);
        0.9 - x / 200.0 + 0.01 * ((y * 0.31).sin() + (y * 0.17 + x * 0.1).sin())
    };
    let map = map(size, (0..size.cells()).map(wavy).collect());
    let context = FilterContext::new(size, 1);
    let after = rained(&HydraulicErosion::default(), &map, &context);
    let rough = |map: &Heightmap| -> f64 {
        let bend = |y: usize| {
            let z = |y| f64::from(map.get(80, y));
            (z(y - 1) - 2.0 * z(y) + z(y + 1)).abs()
        };
        (40..120).map(bend).sum()
    };
    assert!(rough(&after) > 3.0 * rough(&map), "no gullies");
    assert!(sum(&after) < sum(&map));
}

/// Nothing leaves a bowl: material from its sides is deposited on its floor.
#[test]
fn rain_fills_hollows() {
    let size = size(96, 96);
    let bowl = |k: usize| {
        let (x, y) = ((k % 96) as f32 - 47.5, (k / 96) as f32 - 47.5);
        let wall = (x * x + y * y) / 4512.5;
        wall.min(0.4)
    };
    let map = map(size, (0..size.cells()).map(bowl).collect());
    let rain = HydraulicErosion {
        density: 2.0,
        lifetime: 150,
        ..HydraulicErosion::default()
    };
    let after = rained(&rain, &map, &FilterContext::new(size, 1));
    let floor = |map: &Heightmap| map.range().0;
    assert!(floor(&after) > floor(&map) + 0.005, "{}", floor(&after));
    let lost = (sum(&map) - sum(&after)) / sum(&map);
    assert!((0.0..0.02).contains(&lost), "{lost}");
}

/// Cells at the border differ from their neighbors by no more than inner cells do.
#[test]
fn border_has_no_spikes_or_trenches() {
    let size = size(200, 200);
    for (map, name) in [(mountains(size, 4), "mountains"), (plane(size), "plane")] {
        for radius in [1.0, 2.0, 4.0] {
            let rain = HydraulicErosion {
                radius,
                ..HydraulicErosion::default()
            };
            let after = rained(&rain, &map, &FilterContext::new(size, 4));
            // How far the second of three cells on the way from a border is above the others.
            let bend = |from: usize| -> f64 {
                let along = |k: usize| {
                    let ways = [
                        [(k, from), (k, from + 1), (k, from + 2)],
                        [(from, k), (from + 1, k), (from + 2, k)],
                        [(k, 199 - from), (k, 198 - from), (k, 197 - from)],
                        [(199 - from, k), (198 - from, k), (197 - from, k)],
                    ];
                    ways.map(|way| {
                        let [a, b, c] = way.map(|(x, y)| f64::from(after.get(x, y)));
                        (2.0 * b - a - c).abs()
                    })
                };
                (0..200).flat_map(along).sum::<f64>() / 800.0
            };
            let within = (20..80).map(bend).sum::<f64>() / 60.0;
            let worst = (0..5).map(bend).fold(0.0, f64::max);
            assert!(
                worst < 1.6 * within,
                "{name}, {radius}: {worst}, within {within}"
            );
        }
    }
}

#[test]
fn gullies_depend_on_the_seed() {
    let size = size(100, 100);
    let map = mountains(size, 1);
    let rain = HydraulicErosion::default();
    let at = |seed| rained(&rain, &map, &FilterContext::new(size, seed));
    assert!(at(1) == at(1) && at(1) != at(2));
    let none = HydraulicErosion {
        density: 0.0,
        ..rain
    };
    assert!(rained(&none, &map, &FilterContext::new(size, 1)) == map);
}

/// With the same number of droplets per cell, a larger map of similar terrain is eroded to the same
/// depth.
#[test]
fn depth_does_not_depend_on_map_size() {
    let worn = |side: u64| {
        let size = size(side, side);
        let scale = Scale {
            spacing: 1.0,
            relief: 40.0,
        };
        let map = mountains(size, 1);
        let after = rained(
            &HydraulicErosion::default(),
            &map,
            &FilterContext {
                scale,
                ..FilterContext::new(size, 1)
            },
        );
        let pairs = map.heights().iter().zip(after.heights());
        let depth: f64 = pairs.map(|(a, b)| f64::from((a - b).max(0.0))).sum();
        depth / size.cells() as f64
    };
    let (small, large) = (worn(200), worn(400));
    assert!(
        (0.8..1.25).contains(&(large / small)),
        "{small} and {large}"
    );
}

#[test]
fn traces_mark_erosion_and_deposition() {
    let size = size(120, 90);
    let map = mountains(size, 2);
    let context = FilterContext::new(size, 2);
    let (rain, mut after) = (HydraulicErosion::default(), map.clone());
    let progress = Progress::default();
    let traces = rain.erode_traced(&mut after, &context, &progress).unwrap();
    assert_eq!(progress.fraction(), 1.0);
    assert!(after == rained(&rain, &map, &context));
    let cells = map.heights().iter().zip(after.heights());
    let masks = traces
        .eroded
        .heights()
        .iter()
        .zip(traces.deposited.heights());
    for ((before, after), (&worn, &laid)) in cells.zip(masks) {
        assert_eq!(worn > 0.0, after < before);
        assert_eq!(laid > 0.0, after > before);
        assert!((0.0..1.0).contains(&worn) && (0.0..1.0).contains(&laid));
    }
    let share = |mask: &Heightmap| mask.share_above(0.5);
    assert!(share(&traces.eroded) > 0.05 && share(&traces.deposited) > 0.05);
}
