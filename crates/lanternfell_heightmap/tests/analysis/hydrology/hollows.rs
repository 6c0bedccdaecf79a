//! Filling, sloped filling and breaching of hollows.

use super::*;

/// Starts with water everywhere and lowers it until nothing changes (Planchon and Darboux 2001).
fn sunk_water(water: Hydrology, ground: &Heightmap) -> Vec<f32> {
    let heights = ground.heights();
    let start = |cell| match is_outlet(water, ground, cell) {
        true => heights[cell],
        false => f32::INFINITY,
    };
    let mut levels: Vec<f32> = (0..heights.len()).map(start).collect();
    loop {
        let before = levels.clone();
        for cell in 0..levels.len() {
            let around = neighbors(ground.size(), cell).into_iter();
            let lowest = around.map(|n| levels[n]).fold(f32::INFINITY, f32::min);
            levels[cell] = levels[cell].min(heights[cell].max(lowest));
        }
        if levels == before {
            return levels;
        }
    }
}

#[test]
fn fill_matches_sinking_water() {
    for_each_case(|case, water, ground| {
        let mut filled = ground.clone();
        water.fill(&mut filled, &Progress::default()).unwrap();
        assert_eq!(filled.heights(), sunk_water(water, ground), "{case}");
        let once = filled.clone();
        water.fill(&mut filled, &Progress::default()).unwrap();
        assert_eq!(filled, once, "{case}");
        assert_eq!(drain(water, ground).filled(), &once, "{case}");
    });
}

#[test]
fn sloped_fill_has_a_lower_neighbor_everywhere() {
    for_each_case(|case, water, ground| {
        let mut sloped = ground.clone();
        water
            .fill_sloped(&mut sloped, &Progress::default())
            .unwrap();
        let levels = sunk_water(water, ground);
        for (cell, &z) in sloped.heights().iter().enumerate() {
            assert!(
                z >= levels[cell] && z - levels[cell] < 1e-4,
                "{case}: cell {cell}"
            );
            let lower = neighbors(ground.size(), cell)
                .into_iter()
                .any(|neighbor| sloped.heights()[neighbor] < z);
            assert!(
                lower || is_outlet(water, ground, cell),
                "{case}: cell {cell}"
            );
            let dry = levels[cell] == ground.heights()[cell];
            assert!(
                z == ground.heights()[cell] || !dry || z - levels[cell] < 1e-4,
                "{case}: cell {cell}"
            );
        }
    });
}

#[test]
fn breach_removes_hollows_and_only_lowers() {
    for_each_case(|case, water, ground| {
        let mut breached = ground.clone();
        water.breach(&mut breached, &Progress::default()).unwrap();
        let pairs = breached.heights().iter().zip(ground.heights());
        assert!(
            pairs.clone().all(|(after, before)| after <= before),
            "{case}"
        );
        assert_eq!(breached.range().0, ground.range().0, "{case}");
        let mut filled = breached.clone();
        water.fill(&mut filled, &Progress::default()).unwrap();
        assert_eq!(filled, breached, "{case}");
    });
}

#[test]
fn breach_is_one_channel_along_the_valley() {
    // Two pits behind a rim. The breach follows the lower terrain between them and to the gap.
    #[rustfmt::skip]
    let heights = vec![
        9.0, 9.0, 9.0, 9.0, 9.0, 9.0,
        9.0, 2.0, 3.0, 5.0, 8.0, 0.0,
        9.0, 6.0, 6.0, 6.0, 9.0, 9.0,
        9.0, 9.0, 9.0, 9.0, 9.0, 9.0,
    ];
    let mut map = Heightmap::from_heights(size(6, 4), heights).unwrap();
    Hydrology::default()
        .breach(&mut map, &Progress::default())
        .unwrap();
    assert_eq!(map.row(1), [9.0, 2.0, 2.0, 2.0, 2.0, 0.0]);
    assert_eq!(map.row(2), [9.0, 6.0, 6.0, 6.0, 9.0, 9.0]);
}
