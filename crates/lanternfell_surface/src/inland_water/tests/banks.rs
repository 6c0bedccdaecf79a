//! Tests of how water surfaces meet the ground.

use std::collections::HashMap;

use glam::DVec2;

use super::{super::WaterBody, Case, cases, highest};
use crate::inland_water::ribbon::{ACROSS, doubled_area};

/// The rounding error of a height in meters.
fn rounding(height: f32) -> f32 {
    0.002 + 4e-7 * height.abs()
}

fn between(a: [f32; 3], b: [f32; 3], part: f32) -> [f32; 3] {
    [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * part)
}

#[test]
fn bed_under_centerline_is_deep_enough() {
    let mut asked = 0;
    for case in cases() {
        for river in case.waters.rivers() {
            for pair in river.points.windows(2) {
                for part in [0.0, 0.2, 0.5, 0.77, 1.0] {
                    let [x, y, z] = between(pair[0].position, pair[1].position, part);
                    let depth = pair[0].depth + (pair[1].depth - pair[0].depth) * part;
                    let ground = case.height(x, z);
                    let deep = ground <= y - depth + rounding(y);
                    assert!(deep, "{}: {ground} under {y} - {depth}", case.name);
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > 10_000, "{asked}");
}

/// The height of an edge above the ground or standing water.
fn hangs(case: &Case, [x, y, z]: [f32; 3]) -> f32 {
    let over = y - case.height(x, z).max(case.sea());
    if over < 0.02 {
        return over;
    }
    let at = DVec2::new(x.into(), z.into());
    let lake = highest(&case.waters, at, |body| matches!(body, WaterBody::Lake(_)));
    lake.map_or(over, |(level, _)| y - level as f32)
}

#[test]
fn no_river_edge_hangs_in_the_air() {
    let mut sunk = 0;
    for case in cases() {
        for (index, river) in case.waters.rivers().iter().enumerate() {
            let positions = &river.mesh().positions;
            for (row, pair) in positions.windows(ACROSS + 1).enumerate().step_by(ACROSS) {
                sunk += u32::from(pair[0][1] < positions[row + 2][1]);
                let right = &positions[row + ACROSS - 1..];
                let edges = [(pair[0], pair[ACROSS]), (right[0], right[ACROSS])];
                for (from, to) in edges {
                    for part in [0.0, 0.31, 0.5, 0.83, 1.0] {
                        let place = between(from, to, part);
                        let air = hangs(&case, place);
                        assert!(
                            air < 0.02,
                            "{}, river {index}: {air} at {place:?}",
                            case.name
                        );
                    }
                }
            }
        }
    }
    assert!(sunk > 0, "no edge had to be sunk");
}

#[test]
fn springs_start_in_the_ground() {
    let mut springs = 0;
    for case in cases() {
        let rivers = case.waters.rivers().iter();
        for river in rivers.filter(|river| river.from_lake.is_none()) {
            let row = &river.mesh().positions[..ACROSS];
            for pair in row.windows(2) {
                for part in [0.0, 0.4, 0.9] {
                    let air = hangs(&case, between(pair[0], pair[1], part));
                    assert!(air < 0.02, "{}: {air}", case.name);
                }
            }
            springs += 1;
        }
    }
    assert!(springs > 20, "{springs}");
}

#[test]
fn no_lake_edge_hangs_in_the_air() {
    let mut shores = 0;
    for case in cases() {
        let edge = case.ground().half_extent();
        for lake in case.waters.lakes() {
            let mesh = lake.mesh();
            let mut sides: HashMap<[u32; 2], u32> = HashMap::new();
            for corners in mesh.indices.as_chunks::<3>().0 {
                for [a, b] in [[0, 1], [1, 2], [2, 0]] {
                    let side = [corners[a].min(corners[b]), corners[a].max(corners[b])];
                    *sides.entry(side).or_default() += 1;
                }
            }
            for side in sides
                .iter()
                .filter(|&(_, &triangles)| triangles == 1)
                .map(|(side, _)| side)
            {
                let [a, b] = side.map(|at| mesh.positions[at as usize]);
                for part in [0.0, 0.5, 1.0] {
                    let [x, y, z] = between(a, b, part);
                    let border = x.abs() >= edge.x || z.abs() >= edge.y;
                    let air = y - case.height(x, z);
                    assert!(border || air < 0.02, "{}: {air} at {x}, {z}", case.name);
                    shores += 1;
                }
            }
        }
    }
    assert!(shores > 1000, "{shores}");
}

#[test]
fn all_triangles_face_up() {
    for case in cases() {
        let rivers = case.waters.rivers().iter();
        let rivers = rivers.map(|river| (&river.mesh().positions, &river.mesh().indices));
        let lakes = case.waters.lakes().iter();
        let lakes = lakes.map(|lake| (&lake.mesh().positions, &lake.mesh().indices));
        for (positions, indices) in rivers.chain(lakes) {
            assert!(!indices.is_empty(), "{}", case.name);
            for corners in indices.as_chunks::<3>().0 {
                let corners = corners.map(|at| positions[at as usize]);
                assert!(doubled_area(corners) > 0.0, "{}: {corners:?}", case.name);
            }
        }
        for river in case.waters.rivers() {
            let mesh = river.mesh();
            let vertices = ACROSS * river.points.len();
            let lists = [
                mesh.positions.len(),
                mesh.flow.len(),
                mesh.turbulence.len(),
                mesh.distances.len(),
            ];
            assert_eq!(lists, [vertices; 4]);
            assert!(river.length() > 0.0);
        }
    }
}
