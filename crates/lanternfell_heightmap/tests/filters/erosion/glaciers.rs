//! Tests glacial erosion on valleys with known results, and its invariants.

use super::*;

/// Cells of 50 m. A height of 1 is 2000 m.
const RANGE: Scale = Scale {
    spacing: 50.0,
    relief: 2000.0,
};

fn context(size: MapSize) -> FilterContext {
    FilterContext {
        scale: RANGE,
        ..FilterContext::new(size, 0)
    }
}

fn frozen(ice: &GlacialErosion, ground: &Heightmap) -> Heightmap {
    super::frozen(ice, ground, &context(ground.size()))
}

/// A V-shaped valley that descends to the south.
fn valley() -> Heightmap {
    let size = size(81, 120);
    let height = |cell: usize| {
        let (x, y) = (cell % 81, cell / 81);
        0.2 + 0.012 * x.abs_diff(40) as f32 + 0.002 * (119 - y) as f32
    };
    map(size, (0..size.cells()).map(height).collect())
}

pub(crate) const ICE: GlacialErosion = GlacialErosion {
    equilibrium_line: 0.1,
    depth: 200.0,
    width: 1600.0,
    share: 0.02,
};

#[test]
fn v_shaped_valley_becomes_a_trough() {
    let before = valley();
    let after = frozen(&ICE, &before);
    let y = 110;
    let row: Vec<f64> = after.row(y).iter().map(|&z| f64::from(z)).collect();
    let floor = row[40];
    let cut = f64::from(before.get(40, y)) - floor;
    assert!(
        (0.08..0.105).contains(&cut),
        "{cut} of 200 m, which is 0.1, and what the next bed lies deeper"
    );
    // The trough is 200 m deep and 800 m (16 cells) wide on each side. Downhill the bed is slightly
    // lower.
    for off in 0..12 {
        let parabola = floor + 0.1 * (f64::from(off) / 16.0).powi(2);
        for x in [40 - off as usize, 40 + off as usize] {
            let below = parabola - row[x];
            assert!(
                (-1e-6..0.004).contains(&below),
                "{off} cells aside: {below}"
            );
        }
    }
    // Nearly level at the bottom, unlike the V.
    assert!(row[44] - floor < 0.2 * f64::from(before.get(44, y) - before.get(40, y)));
    // Above the trough nothing changes.
    assert_eq!(after.get(2, y), before.get(2, y));
}

#[test]
fn heights_only_decrease() {
    for seed in 0..4 {
        let before = mountains(size(150, 120), seed);
        let after = frozen(&ICE, &before);
        let mut most = 0.0_f32;
        for (cell, (before, after)) in before.heights().iter().zip(after.heights()).enumerate() {
            assert!(after <= before, "seed {seed}, cell {cell}");
            most = most.max(before - after);
        }
        assert!(most > 0.05, "seed {seed}: nothing happened");
    }
}

#[test]
fn no_snow_or_depth_changes_nothing() {
    let before = valley();
    let cases = [
        GlacialErosion {
            equilibrium_line: 2.0,
            ..ICE
        },
        GlacialErosion { share: 1.0, ..ICE },
        GlacialErosion { depth: 0.0, ..ICE },
    ];
    for ice in cases {
        let after = frozen(&ice, &before);
        assert!(after == before, "{ice:?}");
    }
}

#[test]
fn glacier_ends_where_its_ice_has_melted() {
    // A valley that descends from well above the equilibrium line to well below it.
    let size = size(81, 120);
    let height = |cell: usize| {
        let (x, y) = (cell % 81, cell / 81);
        0.1 + 0.004 * x.abs_diff(40) as f32 + 0.006 * (119 - y) as f32
    };
    let before = map(size, (0..size.cells()).map(height).collect());
    let ice = GlacialErosion {
        equilibrium_line: 0.6,
        ..ICE
    };
    let after = frozen(&ice, &before);
    let cut = |y| before.get(40, y) - after.get(40, y);
    assert!(cut(30) > 0.03, "{}", cut(30));
    assert_eq!(cut(110), 0.0);
}

#[test]
fn small_valleys_hang_above_large_ones() {
    // A side valley, whose small catchment contributes little ice, joins the main valley.
    let size = size(121, 160);
    let height = |cell: usize| {
        let (x, y) = (cell % 121, cell / 121);
        let main = 0.012 * x.abs_diff(40) as f32 + 0.002 * (159 - y) as f32;
        let side = 0.012 * y.abs_diff(120) as f32 + 0.003 * x as f32;
        0.2 + if x > 40 { main.min(side) } else { main }
    };
    let before = map(size, (0..size.cells()).map(height).collect());
    let after = frozen(&ICE, &before);
    let cut = |x, y| before.get(x, y) - after.get(x, y);
    let (main, side) = (cut(40, 130), cut(75, 120));
    assert!(side > 0.0 && main > 1.3 * side, "{main} and {side}");
}

#[test]
fn glaciers_do_not_depend_on_threads() {
    let ground = mountains(size(210, 140), 9);
    let one = on_threads(1, || frozen(&ICE, &ground));
    let many = on_threads(5, || frozen(&ICE, &ground));
    assert!(one == many);
}

#[test]
fn canceled_glacial_erosion_keeps_the_map() {
    let ground = mountains(size(60, 60), 8);
    let (mut map, progress) = (ground.clone(), Progress::default());
    progress.cancel();
    let context = context(ground.size());
    let result = ICE.erode(&mut map, &context, &progress);
    assert!(matches!(result, Err(GenerateError::Canceled(_))));
    assert!(map == ground);
}
