//! Compares the lookup of water with a test of every triangle.

use glam::DVec2;

use super::{super::WaterBody, Case, cases, highest};
use lanternfell_heightmap::SeededRng;

fn check(case: &Case, [x, z]: [f32; 2]) -> Option<WaterBody> {
    let edge = case.ground().half_extent();
    if x.abs() > edge.x || z.abs() > edge.y {
        assert_eq!(case.waters.at(x, z), None);
        return None;
    }
    let found = case.waters.at(x, z);
    let ground = f64::from(case.height(x, z));
    let oracle = highest(&case.waters, DVec2::new(x.into(), z.into()), |_| true);
    let say = || {
        format!(
            "{} at {x}, {z}: {found:?}, {oracle:?} over {ground}",
            case.name
        )
    };
    match (found, oracle) {
        (Some(found), Some((height, _))) => {
            assert!((f64::from(found.height) - height).abs() < 0.01, "{}", say());
            let depth = f64::from(found.depth);
            assert!(
                depth > 0.0 && (depth - (height - ground)).abs() < 0.01,
                "{}",
                say()
            );
        }
        (Some(_), None) => panic!("{}", say()),
        (None, Some((height, _))) => assert!(height < ground + 0.01, "{}", say()),
        (None, None) => {}
    }
    Some(found?.body)
}

#[test]
fn lookup_matches_triangles() {
    let mut rng = SeededRng::new(6, b"waters  ");
    let (mut rivers, mut lakes, mut dry) = (0, 0, 0);
    for case in cases() {
        let edge = case.ground().half_extent();
        let positions = |case: &Case| -> Vec<[f32; 3]> {
            let waters = &case.waters;
            let rivers = waters
                .rivers()
                .iter()
                .flat_map(|river| river.mesh().positions.clone());
            let lakes = waters
                .lakes()
                .iter()
                .flat_map(|lake| lake.mesh().positions.clone());
            rivers.chain(lakes).collect()
        };
        let near = positions(&case);
        for turn in 0..500 {
            let mut spread = |reach: f32| reach * (2.0 * rng.unit() as f32 - 1.0);
            let place = if turn % 5 == 0 || near.is_empty() {
                [spread(1.01 * edge.x), spread(1.01 * edge.y)]
            } else {
                let offset = [
                    spread(1.5 * case.scale.spacing),
                    spread(1.5 * case.scale.spacing),
                ];
                let [x, _, z] = near[rng.below(near.len() as u64) as usize];
                // Every second position is exactly on a vertex.
                let part = (turn % 2) as f32;
                [x + part * offset[0], z + part * offset[1]]
            };
            match check(&case, place) {
                Some(WaterBody::River(_)) => rivers += 1,
                Some(WaterBody::Lake(_)) => lakes += 1,
                None => dry += 1,
            }
        }
    }
    assert!(
        rivers > 300 && lakes > 300 && dry > 300,
        "{rivers}, {lakes}, {dry}"
    );
}

#[test]
fn lookup_finds_rivers_along_centerline() {
    for case in cases() {
        for (index, river) in case.waters.rivers().iter().enumerate() {
            for point in river.points.iter().filter(|point| point.depth > 0.05) {
                let [x, y, z] = point.position;
                let water = case.waters.at(x, z);
                let water =
                    water.unwrap_or_else(|| panic!("{}, river {index}: {x}, {z}", case.name));
                assert!(water.height > y - 0.01, "{}: {water:?} at {y}", case.name);
            }
        }
    }
}

#[test]
fn lookup_outside_map_is_none() {
    let case = Case::preset("article-hills", 129, 7, Some((1000.0, 180.0)));
    for at in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30] {
        assert_eq!(case.waters.at(at, 0.0), None);
        assert_eq!(case.waters.at(0.0, at), None);
    }
}
