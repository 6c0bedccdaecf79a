//! Water on land, against slow and obvious ways to find it.

mod common;
#[path = "common/golden.rs"]
mod golden;

use std::collections::VecDeque;

use common::fnv;
use golden::assert_golden;
use lanternfell_heightmap::{
    FractalNoise, GenerateError, Heightmap, MapSize, Progress, SeededRng,
    hydrology::{Drainage, Hydrology, Lakes, River, Rivers},
};

const SEAS: [Hydrology; 4] = [
    Hydrology {
        sea_level: None,
        border: true,
    },
    Hydrology {
        sea_level: Some(0.3),
        border: true,
    },
    Hydrology {
        sea_level: Some(0.3),
        border: false,
    },
    Hydrology {
        sea_level: None,
        border: false,
    },
];

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

/// Random ground; with few steps it has many flats and ties.
fn ground(size: MapSize, steps: u64, seed: u64) -> Heightmap {
    let mut rng = SeededRng::new(seed, b"ground  ");
    let height = |_| rng.below(steps + 1) as f32 / steps as f32;
    Heightmap::from_heights(size, (0..size.cells()).map(height).collect()).unwrap()
}

fn islands(size: MapSize) -> Heightmap {
    let islands = FractalNoise {
        scale: 60.0,
        ..FractalNoise::default()
    };
    islands.generate(size, 7, &Progress::default()).unwrap()
}

/// Small maps of every kind, each with every kind of sea; each case has a name.
fn for_each_case(mut check: impl FnMut(&str, Hydrology, &Heightmap)) {
    let sizes = [(2, 2), (2, 9), (9, 2), (3, 3), (13, 10), (24, 31)];
    for (seed, (width, height)) in (0..).zip(sizes.into_iter().cycle().take(24)) {
        let steps = [3, 12, 1 << 20][seed as usize % 3];
        let ground = ground(size(width, height), steps, seed);
        for water in SEAS {
            let case = format!("{width}x{height} in {steps} steps, seed {seed}, {water:?}");
            check(&case, water, &ground);
        }
    }
}

fn drain(water: Hydrology, ground: &Heightmap) -> Drainage {
    water.drain(ground, &Progress::default()).unwrap()
}

fn neighbors(size: MapSize, cell: usize) -> Vec<usize> {
    // Clockwise from the east, as documented.
    let around = [
        (1, 0),
        (1, 1),
        (0, 1),
        (-1, 1),
        (-1, 0),
        (-1, -1),
        (0, -1),
        (1, -1),
    ];
    let (width, height) = (size.width() as i64, size.height() as i64);
    let (x, y) = (cell as i64 % width, cell as i64 / width);
    let places = around.map(|(dx, dy)| (x + dx, y + dy)).into_iter();
    let on_map = places.filter(|(x, y)| (0..width).contains(x) && (0..height).contains(y));
    on_map.map(|(x, y)| (y * width + x) as usize).collect()
}

fn is_outlet(water: Hydrology, ground: &Heightmap, cell: usize) -> bool {
    let heights = ground.heights();
    let (x, y) = (cell % ground.width(), cell / ground.width());
    let border = x == 0 || y == 0 || x + 1 == ground.width() || y + 1 == ground.height();
    let low = ground.range().0;
    let sea = water.sea_level.filter(|&sea| low <= sea);
    let first_lowest = heights.iter().position(|&z| z == low);
    sea.is_some_and(|sea| heights[cell] <= sea)
        || (water.border && border)
        || (sea.is_none() && !water.border && first_lowest == Some(cell))
}

/// Water everywhere, which sinks until nothing changes (Planchon and Darboux 2001).
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

/// Where a flood comes from, by looking through all of the shore for its lowest cell.
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

fn receiver(drainage: &Drainage, cell: usize) -> Option<usize> {
    let width = drainage.size().width();
    let (x, y) = drainage.receiver(cell % width, cell / width)?;
    Some(y * width + x)
}

/// The cells from this one to its outlet.
fn way_out(drainage: &Drainage, cell: usize) -> Vec<usize> {
    let way: Vec<usize> = std::iter::successors(Some(cell), |&cell| receiver(drainage, cell))
        .take(drainage.size().cells() + 1)
        .collect();
    assert!(
        way.len() <= drainage.size().cells(),
        "water runs in a circle"
    );
    way
}

#[test]
fn hollows_fill_to_where_sinking_water_stops() {
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
fn sloped_water_has_a_lower_neighbor_everywhere() {
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
fn breached_ground_has_no_hollows_and_no_new_heights() {
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
fn a_breach_is_one_channel_along_the_valley() {
    // Two pits behind a rim; the lower ground between them and to the gap is kept to.
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

#[test]
fn water_takes_the_steepest_way_or_that_of_the_flood() {
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
fn all_water_leaves_and_none_runs_uphill() {
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
fn areas_are_the_numbers_of_ways_through_a_cell() {
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
fn rain_of_another_size_is_refused() {
    let drainage = drain(Hydrology::default(), &Heightmap::flat(size(5, 4)));
    let rain = Heightmap::flat(size(4, 5));
    let error = drainage.discharge(&rain, &Progress::default()).unwrap_err();
    assert!(error.to_string().contains("rain") && error.to_string().contains("5x4"));
    let error = drainage.lakes(&rain, 1, &Progress::default()).unwrap_err();
    assert!(error.to_string().contains("ground"), "{error}");
}

/// Strahler's order, by its definition.
fn strahler(drainage: &Drainage, areas: &[u32], least: u32, cell: usize) -> u8 {
    let donors = neighbors(drainage.size(), cell)
        .into_iter()
        .filter(|&donor| receiver(drainage, donor) == Some(cell) && areas[donor] >= least);
    let orders: Vec<u8> = donors
        .map(|donor| strahler(drainage, areas, least, donor))
        .collect();
    let highest = orders.iter().copied().max().unwrap_or(1);
    highest + u8::from(orders.iter().filter(|&&order| order == highest).count() > 1)
}

fn cells_of(river: &River, width: usize) -> Vec<usize> {
    let points = river.points.iter();
    points
        .map(|p| p.y as usize * width + p.x as usize)
        .collect()
}

#[test]
fn rivers_hold_every_cell_with_enough_water_once() {
    let progress = Progress::default();
    for_each_case(|case, water, ground| {
        let (width, cells) = (ground.width(), ground.size().cells());
        let drainage = drain(water, ground);
        let areas = drainage.areas(&progress).unwrap();
        for least in [1, 4, 20] {
            let rivers = Rivers {
                share: (f64::from(least) / cells as f64).min(1.0),
                ..Rivers::default()
            };
            let least = least.min(cells as u32);
            let lines = rivers.lines(&drainage, &progress).unwrap();
            let mut times = vec![0; cells];
            for (index, river) in lines.iter().enumerate() {
                let way = cells_of(river, width);
                let (&end, own) = way.split_last().unwrap();
                own.iter().for_each(|&cell| times[cell] += 1);
                assert!(
                    way.windows(2)
                        .all(|w| receiver(&drainage, w[0]) == Some(w[1])),
                    "{case}, {least} cells: river {index}"
                );
                assert!(
                    river.points.is_sorted_by_key(|point| point.area),
                    "{case}, {least} cells: river {index}"
                );
                let last = own[own.len() - 1];
                assert_eq!(
                    river.order,
                    strahler(&drainage, &areas, least, last),
                    "{case}, {least} cells: river {index}"
                );
                match river.joins {
                    None => assert_eq!(
                        receiver(&drainage, end),
                        None,
                        "{case}, {least} cells: river {index}"
                    ),
                    Some(main) => {
                        assert!(
                            (main as usize) < index,
                            "{case}, {least} cells: river {index}"
                        );
                        let main = cells_of(&lines[main as usize], width);
                        assert!(
                            main[..main.len() - 1].contains(&end),
                            "{case}, {least} cells: river {index}"
                        );
                    }
                }
            }
            for cell in 0..cells {
                let river = areas[cell] >= least && receiver(&drainage, cell).is_some();
                assert_eq!(
                    times[cell],
                    u32::from(river),
                    "{case}, {least} cells: cell {cell}"
                );
            }
        }
    });
}

#[test]
fn a_river_keeps_to_its_larger_branch() {
    let progress = Progress::default();
    let map = islands(size(150, 130));
    let drainage = drain(Hydrology::default(), &map);
    let areas = drainage.areas(&progress).unwrap();
    let lines = Rivers::default().lines(&drainage, &progress).unwrap();
    let joining = lines.iter().filter(|river| river.joins.is_some());
    assert!(joining.clone().count() > 20);
    for river in joining {
        let way = cells_of(river, 150);
        let (end, own) = (way[way.len() - 1], way[way.len() - 2]);
        let main = cells_of(&lines[river.joins.unwrap() as usize], 150);
        let at = main.iter().position(|&cell| cell == end).unwrap();
        assert!(areas[main[at - 1]] >= areas[own], "at {end}");
    }
}

#[test]
fn smoothing_keeps_the_ends_and_shortens_the_way() {
    let length = |river: &River| -> f32 {
        let steps = river.points.windows(2);
        steps
            .map(|w| (w[1].x - w[0].x).hypot(w[1].y - w[0].y))
            .sum()
    };
    let drainage = drain(Hydrology::default(), &islands(size(150, 130)));
    let rivers = Rivers::default()
        .lines(&drainage, &Progress::default())
        .unwrap();
    let long = |(_, river): &(usize, &River)| river.points.len() > 20;
    for (number, river) in rivers.iter().enumerate().filter(long) {
        let mut smooth = river.clone();
        smooth.smooth(4);
        assert_eq!(smooth.points[0], river.points[0], "river {number}");
        assert_eq!(smooth.points.last(), river.points.last(), "river {number}");
        assert!(length(&smooth) < 1.0001 * length(river), "river {number}");
        let moved = smooth.points.iter().zip(&river.points);
        assert!(
            moved
                .into_iter()
                .all(|(a, b)| (a.x - b.x).hypot(a.y - b.y) < 2.0),
            "river {number}"
        );
    }
}

#[test]
fn masks_are_wide_where_much_water_runs() {
    let progress = Progress::default();
    let drainage = drain(Hydrology::default(), &islands(size(150, 130)));
    let mask = |width| {
        let rivers = Rivers {
            width,
            ..Rivers::default()
        };
        rivers.mask(&drainage, &progress).unwrap()
    };
    let (narrow, wide) = (mask(0.0), mask(0.1));
    let areas = drainage.areas(&progress).unwrap();
    let least = 150 * 130 / 1000;
    for (cell, &area) in areas.iter().enumerate() {
        let river = area > least && receiver(&drainage, cell).is_some();
        assert!(!river || narrow.heights()[cell] == 1.0, "cell {cell}");
        assert!(
            wide.heights()[cell] >= narrow.heights()[cell],
            "cell {cell}"
        );
    }
    let sum = |mask: &Heightmap| mask.heights().iter().sum::<f32>();
    assert!(sum(&wide) > 1.2 * sum(&narrow));
    assert_eq!(wide.range(), (0.0, 1.0));
}

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

/// A plain at the lakes' own level, and another lake, lie between the first and the border.
#[test]
fn a_lake_ends_where_its_shore_begins() {
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
fn puddles_are_dry_land() {
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

#[test]
fn any_heights_will_do() {
    let progress = Progress::default();
    let heights = vec![
        f32::MAX,
        f32::MIN,
        0.0,
        f32::MAX,
        -0.0,
        f32::MAX,
        f32::MIN,
        f32::MAX,
        1e-45,
    ];
    let map = Heightmap::from_heights(size(3, 3), heights).unwrap();
    for water in SEAS {
        let drainage = drain(water, &map);
        let lakes = drainage.lakes(&map, 1, &progress).unwrap();
        for mut made in [map.clone(), map.clone(), map.clone(), lakes.depths]
            .into_iter()
            .enumerate()
        {
            match made.0 {
                0 => water.fill(&mut made.1, &progress).unwrap(),
                1 => water.fill_sloped(&mut made.1, &progress).unwrap(),
                2 => water.breach(&mut made.1, &progress).unwrap(),
                _ => {}
            }
            assert!(
                made.1.heights().iter().all(|z| z.is_finite()),
                "{water:?}: {}",
                made.0
            );
        }
    }
}

#[test]
fn wrong_parameters_are_refused_by_name() {
    for level in [f32::NAN, f32::INFINITY] {
        let water = Hydrology {
            sea_level: Some(level),
            border: true,
        };
        let mut map = Heightmap::flat(size(3, 3));
        let error = water.fill(&mut map, &Progress::default()).unwrap_err();
        assert!(error.to_string().contains("sea_level"), "{error}");
        assert!(
            water.drain(&map, &Progress::default()).is_err(),
            "{water:?}"
        );
    }
    for bad in [-0.1, 1.1, f64::NAN] {
        let share = Rivers {
            share: bad,
            ..Rivers::default()
        };
        assert!(
            share.validate().unwrap_err().to_string().contains("share"),
            "{bad}"
        );
    }
    for bad in [-0.1, 0.11, 1.0, f64::NAN] {
        let width = Rivers {
            width: bad,
            ..Rivers::default()
        };
        assert!(
            width.validate().unwrap_err().to_string().contains("width"),
            "{bad}"
        );
    }
    assert!(ron::from_str::<Hydrology>("(sea_level: Some(0.2))").is_ok());
    assert!(ron::from_str::<Hydrology>("(see_level: Some(0.2))").is_err());
    assert_eq!(ron::from_str::<Rivers>("()").unwrap(), Rivers::default());
}

#[test]
fn cancelled_work_leaves_the_map_as_it_was() {
    let progress = Progress::default();
    let map = islands(size(300, 200));
    let drainage = drain(Hydrology::default(), &map);
    progress.cancel();
    let water = Hydrology::default();
    let mut same = map.clone();
    let cancelled = |result: Result<(), GenerateError>| {
        assert!(matches!(result, Err(GenerateError::Cancelled(_))));
    };
    cancelled(water.fill(&mut same, &progress));
    cancelled(water.fill_sloped(&mut same, &progress));
    cancelled(water.breach(&mut same, &progress));
    cancelled(water.drain(&same, &progress).map(drop));
    cancelled(drainage.discharge(&same, &progress).map(drop));
    cancelled(drainage.lakes(&same, 1, &progress).map(drop));
    cancelled(Rivers::default().lines(&drainage, &progress).map(drop));
    cancelled(Rivers::default().mask(&drainage, &progress).map(drop));
    assert!(drainage.areas(&progress).is_err());
    assert_eq!(same, map);
}

#[test]
fn progress_reaches_the_end() {
    let map = islands(size(300, 200));
    let ends = |work: &dyn Fn(&Progress)| {
        let progress = Progress::default();
        work(&progress);
        assert_eq!(progress.fraction(), 1.0);
    };
    let drainage = drain(Hydrology::default(), &map);
    ends(&|progress| {
        Hydrology::default()
            .fill(&mut map.clone(), progress)
            .unwrap();
    });
    ends(&|progress| {
        Hydrology::default()
            .breach(&mut map.clone(), progress)
            .unwrap();
    });
    ends(&|progress| drop(Hydrology::default().drain(&map, progress).unwrap()));
    ends(&|progress| drop(drainage.areas(progress).unwrap()));
    ends(&|progress| drop(drainage.lakes(&map, 1, progress).unwrap()));
    ends(&|progress| drop(Rivers::default().lines(&drainage, progress).unwrap()));
    ends(&|progress| drop(Rivers::default().mask(&drainage, progress).unwrap()));
}

#[test]
fn threads_do_not_matter() {
    let map = islands(size(203, 150));
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let drainage = drain(Hydrology::default(), &map);
            let areas = drainage.areas(&Progress::default()).unwrap();
            (drainage, areas)
        })
    };
    assert_eq!(with_threads(1), with_threads(2));
    assert_eq!(with_threads(1), with_threads(7));
}

#[test]
fn the_bits_are_pinned() {
    let progress = Progress::default();
    let map = islands(size(300, 200));
    let water = Hydrology {
        sea_level: Some(0.5),
        border: true,
    };
    let mut made = [
        map.clone(),
        map.clone(),
        map.clone(),
        map.clone(),
        map.clone(),
    ];
    water.fill(&mut made[0], &progress).unwrap();
    water.fill_sloped(&mut made[1], &progress).unwrap();
    water.breach(&mut made[2], &progress).unwrap();
    let drainage = drain(water, &map);
    made[3] = drainage
        .discharge(&map, &progress)
        .map(|water| {
            let water = water.into_iter().map(|water| water as f32).collect();
            Heightmap::from_heights(map.size(), water).unwrap()
        })
        .unwrap();
    made[4] = Rivers::default().mask(&drainage, &progress).unwrap();
    let names = PINNED.map(|(name, _)| name);
    let hashes = made.map(|map| fnv(&map));
    assert_golden(names.into_iter().zip(hashes), &PINNED);
}

const PINNED: [(&str, u64); 5] = [
    ("filled", 0x028a_3d33_9043_fd68),
    ("filled sloped", 0xac2d_a236_9e3f_9876),
    ("breached", 0x6718_ee05_ec6e_3a18),
    ("discharge", 0x31ee_cf32_59b7_1a64),
    ("rivers", 0xc3be_7703_6c1e_7b88),
];
