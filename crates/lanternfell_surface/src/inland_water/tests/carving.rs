//! Tests of how much the terrain is changed.

use super::{
    super::{
        around,
        bed::{LEVEE, REACH},
    },
    Case, cases,
};
use crate::inland_water::WaterBody;
use lanternfell_heightmap::Progress;
use lanternfell_heightmap::hydrology::Drainage;

/// Returns, for the nearest point of a river, the distance of a cell beyond its half width and the
/// half width, both in cells. Also returns the largest depth of the points within three cells of
/// the channel.
fn nearest(case: &Case, cell: usize) -> (f32, f32, f32) {
    let (column, row) = (cell % case.map.width(), cell / case.map.width());
    let at = case.ground().vertex(column, row);
    let mut found = (f32::INFINITY, 0.0);
    let mut depth: f32 = 0.0;
    for point in case.waters.rivers().iter().flat_map(|river| &river.points) {
        let [x, z] = [point.position[0] - at.x, point.position[2] - at.z];
        let away = (x * x + z * z).sqrt() / case.scale.spacing;
        let half_width = point.half_width / case.scale.spacing;
        if away - half_width < found.0 {
            found = (away - half_width, half_width);
        }
        if away < half_width + 3.0 {
            depth = depth.max(point.depth);
        }
    }
    (found.0, found.1, depth)
}

fn drained(case: &Case) -> Drainage {
    case.hydrology
        .drain(&case.before, &Progress::default())
        .unwrap()
}

#[test]
fn carving_is_limited_and_near_rivers() {
    let mut changed = 0;
    for case in cases() {
        let (width, height) = (case.map.width(), case.map.height());
        let drainage = drained(&case);
        let filled = drainage.filled().heights();
        let relief = case.scale.relief;
        for cell in 0..width * height {
            let [before, after] = [&case.before, &case.map].map(|map| map.heights()[cell] * relief);
            if before == after {
                continue;
            }
            changed += 1;
            let mut rise: f32 = 0.0;
            around(cell, (width, height), |neighbor| {
                let steep = (filled[neighbor] - filled[cell]) * relief;
                rise = rise.max(steep.abs());
            });
            let (beyond, half_width, depth) = nearest(&case, cell);
            let silted = (filled[cell] * relief - before).max(0.0);
            let say = || {
                let (x, y) = (cell % width, cell / width);
                format!(
                    "{}, cell ({x}, {y}): {before} -> {after}, depth {depth}, rise {rise}, silted {silted}",
                    case.name
                )
            };
            let (cut, raised) = (before - after, after - before);
            assert!(cut <= 3.0 * depth + rise + 0.01, "{}", say());
            assert!(raised <= LEVEE as f32 * depth + silted + 0.01, "{}", say());
            let far = beyond > half_width + REACH as f32 + 1.0;
            assert!(
                !far || (cut <= 0.0 && raised <= silted + 0.01),
                "{}: {beyond}",
                say()
            );
        }
    }
    assert!(changed > 5000, "{changed}");
}

#[test]
fn lakes_keep_their_level() {
    let mut lakes = 0;
    for case in cases() {
        let drainage = drained(&case);
        for (index, lake) in case.waters.lakes().iter().enumerate() {
            assert!(
                lake.depth >= 0.5 && lake.area >= 600.0 && lake.cells >= 6,
                "{}",
                case.name
            );
            // In the deep part of a lake, the water is as high as in the filled ground.
            let levels = drainage
                .filled()
                .heights()
                .iter()
                .map(|z| z * case.scale.relief);
            let cells = levels.zip(case.before.heights()).enumerate();
            let deep = cells.filter(|&(_, (level, ground))| {
                (level - lake.level).abs() < 1e-3
                    && level - ground * case.scale.relief > 0.4 * lake.depth
            });
            let (mut found, mut wet) = (0, 0);
            for (cell, _) in deep {
                wet += 1;
                let at = case
                    .ground()
                    .vertex(cell % case.map.width(), cell / case.map.width());
                let Some(water) = case.waters.at(at.x, at.z) else {
                    panic!("{}, lake {index}: dry at {at}", case.name);
                };
                let level = water.height - lake.level;
                assert!(level > -0.01, "{}: {water:?}", case.name);
                // Where a river falls into the lake, the river is higher.
                if water.body == WaterBody::Lake(index) {
                    assert!(level < 0.01, "{}: {water:?}", case.name);
                    found += 1;
                }
            }
            assert!(
                2 * found >= wet && found > 0,
                "{}, lake {index}: {found} of {wet}",
                case.name
            );
            lakes += 1;
        }
    }
    assert!(lakes > 20, "{lakes}");
}

#[test]
fn island_has_a_few_rivers() {
    for seed in 1..=6 {
        let case = Case::preset("article-hills", 257, seed, Some((1500.0, 200.0)));
        let rivers = case.waters.rivers().len();
        assert!((1..=12).contains(&rivers), "seed {seed}: {rivers}");
    }
}
