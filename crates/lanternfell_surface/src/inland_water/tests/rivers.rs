//! Tests of rivers: levels, flow and course.

use super::{super::RiverEnd, cases};

#[test]
fn level_never_rises_and_matches_ends() {
    let mut ends = [0; 4];
    for case in cases() {
        let (rivers, lakes) = (case.waters.rivers(), case.waters.lakes());
        for (index, river) in rivers.iter().enumerate() {
            let say = || format!("{}, river {index}", case.name);
            let heights: Vec<f32> = river.points.iter().map(|point| point.position[1]).collect();
            assert!(
                heights.is_sorted_by(|a, b| a >= b),
                "{}: {heights:?}",
                say()
            );
            let last = river.points[river.points.len() - 1].position;
            let near = |a: f32, b: f32| (a - b).abs() <= 1e-6 * b.abs().max(1.0);
            match river.end {
                RiverEnd::Sea => {
                    assert!(near(last[1], case.sea()), "{}", say());
                    ends[0] += 1;
                }
                RiverEnd::Lake(lake) => {
                    assert_eq!(last[1], lakes[lake].level, "{}", say());
                    ends[1] += 1;
                }
                RiverEnd::River(main) => {
                    assert!(main < index, "{}", say());
                    let meets = rivers[main]
                        .points
                        .iter()
                        .any(|point| point.position == last);
                    assert!(meets, "{} ends at {last:?}", say());
                    ends[2] += 1;
                }
                RiverEnd::Outlet => ends[3] += 1,
            }
            if let Some(lake) = river.from_lake {
                assert_eq!(heights[0], lakes[lake].level, "{}", say());
            }
        }
    }
    assert!(ends.iter().all(|&ends| ends > 0), "{ends:?}");
}

#[test]
fn tributaries_meet_level_of_larger_river() {
    for case in cases() {
        for river in case.waters.rivers() {
            let RiverEnd::River(main) = river.end else {
                continue;
            };
            // Where a tributary already flows inside the larger river, both have the same level.
            let main = &case.waters.rivers()[main].points;
            let last = &river.points[river.points.len() - 2];
            let away = |position: [f32; 3]| {
                let [x, z] = [0, 2].map(|axis| position[axis] - last.position[axis]);
                x * x + z * z
            };
            let nearest = main
                .iter()
                .min_by(|a, b| away(a.position).total_cmp(&away(b.position)))
                .unwrap();
            let step = last.position[1] - nearest.position[1];
            let inside = away(nearest.position) < 0.9 * nearest.half_width * nearest.half_width;
            assert!(!inside || step.abs() < 0.01, "{}: {step}", case.name);
        }
    }
}

#[test]
fn steep_water_is_turbulent_and_flat_water_calm() {
    let (mut calm, mut falls) = (0, 0);
    for case in cases() {
        for river in case.waters.rivers() {
            for (pair, window) in river.points.windows(2).zip(river.points.windows(7)) {
                let [x, y, z] =
                    [0, 1, 2].map(|axis| window[6].position[axis] - window[0].position[axis]);
                let chord = (x * x + z * z).sqrt();
                let roughness = window[3].turbulence;
                assert!((0.0..=1.0).contains(&roughness), "{}", case.name);
                if -y < 0.005 * chord {
                    assert!(roughness < 0.01, "{}: {roughness}", case.name);
                    calm += 1;
                } else if -y > 0.6 * chord {
                    assert!(roughness > 0.95, "{}: {roughness}", case.name);
                    falls += 1;
                }
                let way = [0, 2].map(|axis| pair[1].position[axis] - pair[0].position[axis]);
                let ahead = way[0] * pair[0].velocity[0] + way[1] * pair[0].velocity[1];
                assert!(ahead >= 0.0, "{}: water runs back", case.name);
            }
        }
    }
    assert!(calm > 20 && falls > 20, "{calm}, {falls}");
}

#[test]
fn rivers_are_smooth() {
    let (mut turns, mut sharp) = (0, 0);
    for case in cases() {
        for river in case.waters.rivers() {
            for points in river.points.windows(3) {
                let way = |a: usize| {
                    [0, 2].map(|axis| points[a + 1].position[axis] - points[a].position[axis])
                };
                let ([ax, az], [bx, bz]) = (way(0), way(1));
                let (dot, cross) = (ax * bx + az * bz, ax * bz - az * bx);
                turns += 1;
                // More than 25 degrees within one cell.
                sharp += u32::from(cross.abs() > 0.466 * dot);
            }
        }
    }
    // A staircase has about one in four.
    assert!(turns > 3000 && sharp * 50 < turns, "{sharp} of {turns}");
}
