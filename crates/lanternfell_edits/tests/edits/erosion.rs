//! What the erode brush does to a hill.

use std::sync::Arc;

use lanternfell_edits::{Brush, CellRect, Edits, Falloff, FlatBase, Stroke};

/// A cone of 60 cells and 90 m, and what is left of it.
fn hill() -> [Vec<i32>; 2] {
    let mut edits = Edits::new(Arc::new(FlatBase::default()));
    let cone = Stroke {
        falloff: Falloff::Linear,
        ..Stroke::along(Brush::Raise { mm: 90_000 }, 60 * 256, [[0, 0]])
    };
    edits.stroke(1, cone).unwrap();
    let area = CellRect::new(-80, -80, 161, 161);
    let before = edits.heights_mm(area);
    for seed in 0..4 {
        let brush = Brush::Erode { seed, steps: 24 };
        let rain = Stroke::along(brush, 80 * 256, [[0, 0]]);
        edits.stroke(1, rain).unwrap();
    }
    [before, edits.heights_mm(area)]
}

#[test]
fn erosion_moves_a_hill_to_its_foot() {
    let [before, after] = hill();
    let mean_change = |from: i64, to: i64| {
        let changes = before.iter().zip(&after).enumerate();
        let within = changes.filter(|(at, _)| {
            let (x, y) = (*at as i64 % 161 - 80, *at as i64 / 161 - 80);
            (from * from..to * to).contains(&(x * x + y * y))
        });
        let all: Vec<i64> = within
            .map(|(_, (a, b))| i64::from(*b) - i64::from(*a))
            .collect();
        all.iter().sum::<i64>() / all.len() as i64
    };
    assert!(mean_change(0, 20) < -200, "{}", mean_change(0, 20));
    assert!(mean_change(55, 70) > 50, "{}", mean_change(55, 70));
    // No pits below the plane, and nothing above the peak.
    assert!(after.iter().all(|height| (0..=90_000).contains(height)));
    // Nothing leaves the hill, except what droplets carry out of the brush.
    let sum = |heights: &[i32]| heights.iter().map(|&height| i64::from(height)).sum::<i64>();
    let lost = sum(&before) - sum(&after);
    assert!(lost.abs() * 20 < sum(&before), "{lost}");
}
