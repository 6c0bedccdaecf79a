//! Flow directions and catchment areas.

use super::*;

/// The cell from which a flood reaches each cell, found by searching the whole shore for its lowest
/// cell.
fn flooded_from(water: Hydrology, ground: &Heightmap) -> Vec<Option<usize>> {
    let heights = ground.heights();
    let outlets = (0..heights.len()).filter(|&cell| is_outlet(water, ground, cell));
    let mut shore: Vec<(f32, usize)> = outlets.map(|cell| (heights[cell], cell)).collect();
    let mut seen = vec![false; heights.len()];
    shore.iter().for_each(|&(_, cell)| seen[cell] = true);
    let mut origins = vec![None; heights.len()];
    let mut pool = VecDeque::new();
    loop {
        let lowest = (0..shore.len()).min_by(|&a, &b| shore[a].partial_cmp(&shore[b]).unwrap());
        let (level, cell) = match (pool.pop_front(), lowest) {
            (Some(wet), _) => wet,
            (None, Some(lowest)) => shore.swap_remove(lowest),
            (None, None) => return origins,
        };
        for neighbor in neighbors(ground.size(), cell) {
            if !std::mem::replace(&mut seen[neighbor], true) {
                origins[neighbor] = Some(cell);
                if heights[neighbor] <= level {
                    pool.push_back((level, neighbor));
                } else {
                    shore.push((heights[neighbor], neighbor));
                }
            }
        }
    }
}

#[test]
fn water_flows_along_the_steepest_path_or_the_flood() {
    for_each_case(|case, water, ground| {
        let drainage = drain(water, ground);
        let levels = drainage.filled().heights();
        let origins = flooded_from(water, ground);
        let width = ground.width();
        for cell in 0..levels.len() {
            let mut expected = origins[cell];
            let mut most = 0.0;
            for next in neighbors(ground.size(), cell) {
                let straight = next % width == cell % width || next / width == cell / width;
                let nearness = if straight {
                    1.0
                } else {
                    1.0 / std::f32::consts::SQRT_2
                };
                let slope = (0.5 * levels[cell] - 0.5 * levels[next]) * nearness;
                if origins[cell].is_some() && slope > most {
                    (most, expected) = (slope, Some(next));
                }
            }
            assert_eq!(receiver(&drainage, cell), expected, "{case}: cell {cell}");
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
