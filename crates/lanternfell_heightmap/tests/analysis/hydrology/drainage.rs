//! Flow directions and catchment areas.

use super::*;

/// The neighbor with the steepest descent of the water; `None` without a descent.
pub(super) fn steepest(size: MapSize, levels: &[f32], cell: usize) -> Option<usize> {
    let width = size.width();
    let (mut most, mut steepest) = (0.0, None);
    for next in neighbors(size, cell) {
        let straight = next % width == cell % width || next / width == cell / width;
        let nearness = if straight {
            1.0
        } else {
            1.0 / std::f32::consts::SQRT_2
        };
        let slope = (0.5 * levels[cell] - 0.5 * levels[next]) * nearness;
        if slope > most {
            (most, steepest) = (slope, Some(next));
        }
    }
    steepest
}

#[test]
fn water_flows_along_the_steepest_path() {
    for_each_case(|case, water, ground| {
        let drainage = drain(water, ground);
        let levels = drainage.filled().heights();
        for cell in 0..levels.len() {
            let found = receiver(&drainage, cell);
            if is_outlet(water, ground, cell) {
                assert_eq!(found, None, "{case}: cell {cell}");
            } else if let Some(expected) = steepest(ground.size(), levels, cell) {
                assert_eq!(found, Some(expected), "{case}: cell {cell}");
            } else {
                let level = found.map(|found| levels[found]);
                assert_eq!(level, Some(levels[cell]), "{case}: cell {cell}");
            }
        }
    });
}

#[test]
fn water_reaches_an_outlet_and_never_flows_uphill() {
    for_each_case(|case, water, ground| {
        let drainage = drain(water, ground);
        let levels = drainage.filled().heights();
        for cell in 0..levels.len() {
            let way = way_out(&drainage, cell);
            assert!(
                way.is_sorted_by(|&a, &b| levels[a] >= levels[b]),
                "{case}: from {cell}"
            );
            let end = way[way.len() - 1];
            assert!(is_outlet(water, ground, end), "{case}: from {cell}");
            assert!(
                drainage
                    .outlets()
                    .any(|(x, y)| y * ground.width() + x == end),
                "{case}: from {cell}"
            );
        }
    });
}

#[test]
fn areas_count_the_paths_through_a_cell() {
    for_each_case(|case, water, ground| {
        let progress = Progress::default();
        let drainage = drain(water, ground);
        let rain = self::ground(ground.size(), 1000, 5);
        let mut areas = vec![0; ground.size().cells()];
        let mut discharge = vec![0.0; areas.len()];
        for cell in 0..areas.len() {
            for at in way_out(&drainage, cell) {
                areas[at] += 1;
                discharge[at] += f64::from(rain.heights()[cell]);
            }
        }
        assert_eq!(drainage.areas(&progress).unwrap(), areas, "{case}");
        let found = drainage.discharge(&rain, &progress).unwrap();
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9 * b.max(1.0);
        assert!(found.iter().zip(&discharge).all(near), "{case}");
        let outlets = drainage.outlets().map(|(x, y)| y * ground.width() + x);
        assert_eq!(
            outlets.map(|cell| areas[cell]).sum::<u32>(),
            areas.len() as u32,
            "{case}"
        );
    });
}

#[test]
fn rejects_rain_of_another_size() {
    let drainage = drain(Hydrology::default(), &Heightmap::flat(size(5, 4)));
    let rain = Heightmap::flat(size(4, 5));
    let error = drainage.discharge(&rain, &Progress::default()).unwrap_err();
    assert!(error.to_string().contains("rain") && error.to_string().contains("5x4"));
    let error = drainage.lakes(&rain, 1, &Progress::default()).unwrap_err();
    assert!(error.to_string().contains("ground"), "{error}");
}
