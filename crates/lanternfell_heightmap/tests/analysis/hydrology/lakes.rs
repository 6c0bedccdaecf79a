//! Lakes, their shores and outlets.

use super::*;

#[test]
fn lakes_are_level_up_to_their_outlets() {
    let progress = Progress::default();
    for_each_case(|case, water, ground| {
        let drainage = drain(water, ground);
        let filled = drainage.filled();
        let found = drainage.lakes(ground, 1, &progress).unwrap();
        let mut cells = vec![0; found.lakes.len()];
        for (cell, &label) in found.labels.iter().enumerate() {
            let depth = filled.heights()[cell] - ground.heights()[cell];
            assert_eq!(found.depths.heights()[cell], depth, "{case}: cell {cell}");
            assert_eq!(label == Lakes::LAND, depth == 0.0, "{case}: cell {cell}");
            if label != Lakes::LAND {
                let lake = &found.lakes[label as usize];
                cells[label as usize] += 1;
                assert_eq!(lake.level, filled.heights()[cell], "{case}: cell {cell}");
                assert!(depth <= lake.depth, "{case}: cell {cell}");
                let around = neighbors(ground.size(), cell).into_iter();
                let same = |n: usize| [label, Lakes::LAND].contains(&found.labels[n]);
                assert!(around.into_iter().all(same), "{case}: cell {cell}");
            }
        }
        for (lake, &cells) in found.lakes.iter().zip(&cells) {
            assert_eq!(lake.cells, cells, "{case}: {lake:?}");
            let (x, y) = (lake.deepest.0 as usize, lake.deepest.1 as usize);
            assert_eq!(
                ground.get(x, y) + lake.depth,
                lake.level,
                "{case}: {lake:?}"
            );
            let (x, y) = (lake.outlet.0 as usize, lake.outlet.1 as usize);
            assert_eq!(ground.get(x, y), lake.level, "{case}: {lake:?}");
            // On the shore, not beyond a plain or another lake.
            assert_eq!(
                found.labels[y * ground.width() + x],
                Lakes::LAND,
                "{case}: {lake:?}"
            );
            let label = found.lakes.iter().position(|other| other == lake);
            let around = neighbors(ground.size(), y * ground.width() + x).into_iter();
            let of_lake = |n| found.labels[n] == label.unwrap() as u32;
            assert!(around.into_iter().any(of_lake), "{case}: {lake:?}");
        }
        let mask = found.mask();
        let wet = mask.heights().iter().filter(|&&z| z == 1.0).count();
        assert_eq!(wet as u32, cells.iter().sum::<u32>(), "{case}");
    });
}

/// Between the first lake and the border there is a plain at the level of the lakes, and another
/// lake.
#[test]
fn outlet_is_on_the_shore_of_its_lake() {
    let progress = Progress::default();
    let valley = [0.9, 0.2, 0.1, 0.5, 0.5, 0.5, 0.3, 0.5, 0.5, 0.5, 0.5, 0.4];
    let heights = [[0.9; 12], valley, [0.9; 12]].concat();
    let ground = Heightmap::from_heights(size(12, 3), heights).unwrap();
    let found = drain(Hydrology::default(), &ground)
        .lakes(&ground, 1, &progress)
        .unwrap();
    let outlets: Vec<_> = found.lakes.iter().map(|lake| lake.outlet).collect();
    assert_eq!(outlets, [(3, 1), (7, 1)]);
}

#[test]
fn small_lakes_are_dropped() {
    let progress = Progress::default();
    let map = ground(size(40, 30), 1 << 20, 3);
    let drainage = drain(Hydrology::default(), &map);
    let all = drainage.lakes(&map, 1, &progress).unwrap();
    let large = drainage.lakes(&map, 5, &progress).unwrap();
    let expected: Vec<_> = all
        .lakes
        .into_iter()
        .filter(|lake| lake.cells >= 5)
        .collect();
    assert!(!expected.is_empty());
    assert_eq!(large.lakes, expected);
    let wet = large
        .labels
        .iter()
        .filter(|&&label| label != Lakes::LAND)
        .count();
    assert_eq!(
        wet as u32,
        expected.iter().map(|lake| lake.cells).sum::<u32>()
    );
    let depths = large.depths.heights().iter().zip(&large.labels);
    assert!(
        depths
            .into_iter()
            .all(|(&z, &label)| (z > 0.0) == (label != Lakes::LAND))
    );
}
