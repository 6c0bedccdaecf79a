//! Hydrology, compared with slow and obvious algorithms.

mod dinf;
mod drainage;
mod flats;
mod hollows;
mod lakes;
mod rivers;

use crate::common::fnv;
use lanternfell_heightmap::{
    FractalNoise, GenerateError, Heightmap, MapSize, Progress, SeededRng,
    hydrology::{Drainage, Hydrology, Lakes, River, Rivers},
};
use lanternfell_test_support::assert_golden;

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

/// Random terrain. With few steps it has many flat areas and ties.
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

/// Small maps of every kind, each with every kind of sea. Each case has a name.
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
fn extreme_heights_give_finite_results() {
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
fn errors_name_parameters_out_of_range() {
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
fn canceled_work_keeps_the_map() {
    let progress = Progress::default();
    let map = islands(size(300, 200));
    let drainage = drain(Hydrology::default(), &map);
    progress.cancel();
    let water = Hydrology::default();
    let mut same = map.clone();
    let canceled = |result: Result<(), GenerateError>| {
        assert!(matches!(result, Err(GenerateError::Canceled(_))));
    };
    canceled(water.fill(&mut same, &progress));
    canceled(water.fill_sloped(&mut same, &progress));
    canceled(water.breach(&mut same, &progress));
    canceled(water.drain(&same, &progress).map(drop));
    canceled(drainage.discharge(&same, &progress).map(drop));
    canceled(drainage.lakes(&same, 1, &progress).map(drop));
    canceled(Rivers::default().lines(&drainage, &progress).map(drop));
    canceled(Rivers::default().mask(&drainage, &progress).map(drop));
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
fn number_of_threads_does_not_matter() {
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
fn maps_match_pinned_hashes() {
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
    ("filled", 0xb8b4_be39_bfa9_c861),
    ("filled sloped", 0x1163_9b93_e14a_3866),
    ("breached", 0xf09b_c8be_ad3d_d050),
    ("discharge", 0x4760_cf1b_2708_37f2),
    ("rivers", 0x0d1a_c277_452d_41e8),
];
