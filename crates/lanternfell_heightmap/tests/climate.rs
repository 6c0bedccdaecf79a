//! How warm, how wet and what grows, on shapes of which the answer is known.

mod common;
#[path = "common/golden.rs"]
mod golden;
#[path = "common/measures.rs"]
mod measures;

use common::fnv;
use golden::assert_golden;
use lanternfell_heightmap::{
    FractalNoise, GenerateError, Heightmap, MapSize, Progress, Scale, SeededRng,
    climate::{
        Biome, BiomeMap, BiomeTable, BiomeView, Climate, Moisture, Niche, Rain, TableError,
        Temperature,
    },
};
use measures::{minds_its_progress, same_on_any_threads};

fn go() -> Progress {
    Progress::default()
}

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn map_of(size: MapSize, height: impl Fn(f64, f64) -> f64) -> Heightmap {
    let place = |i: usize| ((i % size.width()) as f64, (i / size.width()) as f64);
    let heights = (0..size.cells()).map(|i| height(place(i).0, place(i).1) as f32);
    Heightmap::from_heights(size, heights.collect()).unwrap()
}

fn islands(width: u64, height: u64) -> Heightmap {
    FractalNoise::default()
        .generate(size(width, height), 3, &go())
        .unwrap()
}

/// A round mountain in the middle of the sea at 0.5, as high as 1.
fn mountain(side: u64) -> Heightmap {
    let middle = (side - 1) as f64 / 2.0;
    map_of(size(side, side), |x, y| {
        let radius = f64::hypot(x - middle, y - middle) / middle;
        (1.0 - radius).max(0.4)
    })
}

/// The mean over cells within `reach` sides of a point, in sides from the middle.
fn mean_near(map: &Heightmap, (east, south): (f64, f64), reach: f64) -> f64 {
    let side = map.width() as f64;
    let middle = (side - 1.0) / 2.0;
    let (mut sum, mut count) = (0.0, 0.0);
    for (i, &z) in map.heights().iter().enumerate() {
        let x = (i % map.width()) as f64 - middle - east * side;
        let y = (i / map.width()) as f64 - middle - south * side;
        if f64::hypot(x, y) <= reach * side {
            sum += f64::from(z);
            count += 1.0;
        }
    }
    sum / count
}

// Temperature.

#[test]
fn it_is_colder_above_and_in_the_north() {
    let map = map_of(size(5, 5), |x, _| 0.25 * x);
    let temperature = Temperature {
        at_sea: 20.0,
        at_top: -10.0,
        southwards: 8.0,
    };
    let warmth = temperature.of(&map, 0.5, &go()).unwrap();
    for (x, expected) in [(0, 20.0), (1, 20.0), (2, 20.0), (3, 5.0), (4, -10.0)] {
        assert_eq!(warmth.get(x, 2), expected, "column {x}");
        assert_eq!(warmth.get(x, 0), expected - 4.0, "column {x}");
        assert_eq!(warmth.get(x, 4), expected + 4.0, "column {x}");
    }
}

// Rain.

#[test]
fn the_windward_side_is_wet_and_the_lee_dry_from_wherever_it_blows() {
    let map = mountain(160);
    let mut found = Vec::new();
    for wind_from in [0.0, 20.0, 45.0, 90.0, 137.0, 180.0, 270.0, 315.0, -45.0] {
        let rain = Rain {
            wind_from,
            ..Rain::default()
        }
        .of(&map, 0.5, &go())
        .unwrap();
        let (east, south) = (wind_from.to_radians().sin(), -wind_from.to_radians().cos());
        let at = |part: f64| mean_near(&rain, (part * east, part * south), 0.03);
        let (windward, lee, shadow) = (at(0.15), at(-0.15), at(-0.22));
        assert!(windward > 2.0 * lee, "{wind_from}: {windward}, {lee}");
        // Less than over the sea before the mountain.
        assert!(
            shadow < 0.6 * at(0.35),
            "{wind_from}: {shadow}, {}",
            at(0.35)
        );
        found.push((windward, lee, shadow));
    }
    // The mountain is round, so no direction is different from others.
    for (windward, lee, shadow) in &found {
        assert!((windward / found[0].0 - 1.0).abs() < 0.03, "{found:?}");
        assert!((lee / found[0].1 - 1.0).abs() < 0.03, "{found:?}");
        assert!((shadow / found[0].2 - 1.0).abs() < 0.05, "{found:?}");
    }
}

#[test]
fn a_quarter_turned_the_rain_is_a_quarter_turned() {
    let mut rng = SeededRng::new(1, b"test    ");
    let size = size(24, 24);
    let heights = (0..size.cells()).map(|_| rng.unit() as f32).collect();
    let map = Heightmap::from_heights(size, heights).unwrap();
    let turned = map_of(size, |x, y| map.get(y as usize, 23 - x as usize).into());
    for wind_from in [10.0, 70.0, 100.0] {
        let rain = |map, wind_from| {
            Rain {
                wind_from,
                ..Rain::default()
            }
            .of(map, 0.5, &go())
            .unwrap()
        };
        let (one, other) = (rain(&map, wind_from), rain(&turned, wind_from + 90.0));
        for (x, y) in (0..24).flat_map(|x| (0..24).map(move |y| (x, y))) {
            let (a, b) = (other.get(x, y), one.get(y, 23 - x));
            assert!((a / b - 1.0).abs() < 1e-3, "{x}, {y}: {a}, {b}");
        }
    }
}

#[test]
fn a_map_of_more_cells_has_the_same_rain() {
    let rain = |side| Rain::default().of(&mountain(side), 0.5, &go()).unwrap();
    // The last is averaged down.
    let rains = [100, 300, 1500].map(rain);
    for at in [
        (0.2, 0.0),
        (-0.2, 0.0),
        (0.0, 0.2),
        (0.0, -0.2),
        (0.0, 0.0),
        (-0.4, 0.0),
    ] {
        let found = rains.each_ref().map(|rain| mean_near(rain, at, 0.03));
        assert!(
            (found[0] / found[1] - 1.0).abs() < 0.05,
            "{at:?}: {found:?}"
        );
        assert!(
            (found[2] / found[1] - 1.0).abs() < 0.05,
            "{at:?}: {found:?}"
        );
    }
}

#[test]
fn over_an_endless_sea_it_rains_alike() {
    let sea = Heightmap::flat(size(60, 40));
    let full = Rain {
        humidity: 1.0,
        fetch: 0.001,
        ..Rain::default()
    };
    for &rain in full.of(&sea, 0.5, &go()).unwrap().heights() {
        assert!((rain / 2000.0 - 1.0).abs() < 0.03, "{rain}");
    }
    let dry = Rain {
        humidity: 0.0,
        fetch: 100.0,
        ..Rain::default()
    };
    assert!(dry.of(&sea, 0.5, &go()).unwrap().range().1 < 1.0);
}

#[test]
fn land_dries_out_downwind_of_the_sea() {
    let land = map_of(size(200, 50), |x, _| if x < 5.0 { 0.0 } else { 0.5001 });
    let rain = Rain {
        wind_from: 270.0,
        ..Rain::default()
    }
    .of(&land, 0.5, &go())
    .unwrap();
    let row = &rain.row(25)[5..];
    assert!(row.windows(2).all(|pair| pair[1] <= pair[0] * 1.0001));
    assert!(row[194] < 0.7 * row[0]);
    let dry = Rain {
        wind_from: 270.0,
        inland: 0.0,
        ..Rain::default()
    };
    assert!(dry.of(&land, 0.5, &go()).unwrap().get(199, 25) < 0.8 * row[194]);
}

#[test]
fn an_endless_land_has_no_wet_border_wherever_the_wind_is_from() {
    let plain = map_of(size(120, 80), |_, _| 0.5001);
    // Higher in the south, and with hills: no border of any side must stand out.
    let hills = map_of(size(120, 80), |x, y| {
        0.6 + 0.0005 * y + 0.02 * f64::sin(x / 9.0) * f64::sin(y / 7.0)
    });
    for wind_from in [0.0, 60.0, 180.0, 240.0, 300.0] {
        let rain = |map: &Heightmap| {
            Rain {
                wind_from,
                ..Rain::default()
            }
            .of(map, 0.5, &go())
            .unwrap()
        };
        let (low, high) = rain(&plain).range();
        assert!(high < 1.02 * low, "{wind_from}: {low} to {high}");
        let (low, high) = rain(&hills).range();
        assert!(high < 2.0 * low, "{wind_from}: {low} to {high}");
    }
}

// Moisture.

#[test]
fn the_shore_is_wet_without_rain() {
    let map = map_of(size(101, 20), |x, _| if x < 20.0 { 0.0 } else { 1.0 });
    let dry = Heightmap::flat(map.size());
    let moisture = Moisture {
        shore: 100.0,
        reach: 0.1,
    }
    .of(&map, 0.5, &dry, &go())
    .unwrap();
    // A cell from the coast, half a cell from the shore.
    for (x, cells) in [(20, 0.5), (30, 10.5), (60, 40.5), (10, 0.0)] {
        let expected = 100.0 * f64::exp(-cells / 10.1);
        assert!(
            (f64::from(moisture.get(x, 7)) - expected).abs() < 1e-3,
            "column {x}"
        );
    }
    let other = Heightmap::flat(size(101, 21));
    let error = Moisture::default()
        .of(&map, 0.5, &other, &go())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "moisture: height is 21, but must be 20, as the map"
    );
}

// Biomes.

fn biome(name: &str, niches: &[(f32, f32)]) -> Biome {
    let niche = |&(temperature, moisture)| Niche {
        temperature,
        moisture,
    };
    Biome {
        name: name.to_owned(),
        color: [1, 2, 3],
        niches: niches.iter().map(niche).collect(),
    }
}

#[test]
fn the_nearest_niche_wins() {
    let table = BiomeTable::default();
    let mut rng = SeededRng::new(2, b"test    ");
    for _ in 0..2000 {
        let (temperature, moisture) = (rng.between(-30.0, 35.0), rng.between(0.0, 5000.0));
        let distance = |niche: &Niche| {
            let root = moisture.sqrt() - f64::from(niche.moisture).sqrt();
            f64::hypot(temperature - f64::from(niche.temperature), root)
        };
        let nearest = |biome: &Biome| biome.niches.iter().map(distance).fold(f64::MAX, f64::min);
        let found = nearest(&table.biomes[table.nearest(temperature as f32, moisture as f32)]);
        let best = table.biomes.iter().map(nearest).fold(f64::MAX, f64::min);
        assert!(found < best + 1e-3, "{temperature}, {moisture}");
    }
}

#[test]
fn every_default_biome_grows_somewhere_and_in_its_own_climate() {
    let table = BiomeTable::default();
    assert_eq!(table.validate(), Ok(()));
    for (number, biome) in table.biomes.iter().enumerate() {
        for niche in &biome.niches {
            assert_eq!(
                table.nearest(niche.temperature, niche.moisture),
                number,
                "{}",
                biome.name
            );
        }
    }
    // Places that everybody knows: Sahara, Amazon, Serengeti, Paris, Yakutsk, Vostok.
    let places = [
        (25.0, 30.0, "desert"),
        (26.5, 2400.0, "tropical rain forest"),
        (23.0, 700.0, "savanna"),
        (11.0, 650.0, "temperate forest"),
        (2.0, 550.0, "taiga"),
        (-55.0, 20.0, "ice"),
    ];
    for (temperature, moisture, name) in places {
        assert_eq!(
            table.biomes[table.nearest(temperature, moisture)].name,
            name
        );
    }
}

#[test]
fn tables_that_can_not_be_used_are_refused() {
    let table = |biomes| BiomeTable {
        biomes,
        ..BiomeTable::default()
    };
    let one = || biome("one", &[(5.0, 100.0)]);
    assert_eq!(table(vec![one()]).validate(), Ok(()));
    assert_eq!(table(vec![]).validate(), Err(TableError::Count(0)));
    let many = (0..251)
        .map(|k| biome(&k.to_string(), &[(0.0, k as f32)]))
        .collect();
    assert_eq!(table(many).validate(), Err(TableError::Count(251)));
    let twice = table(vec![one(), biome("one", &[(6.0, 1.0)])]).validate();
    assert_eq!(twice, Err(TableError::Twice("one".to_owned())));
    let nowhere = table(vec![one(), biome("two", &[])]).validate();
    assert_eq!(nowhere, Err(TableError::Nowhere("two".to_owned())));
    let nameless = table(vec![one(), biome(" ", &[(0.0, 0.0)])]).validate();
    assert_eq!(nameless, Err(TableError::Nameless(1)));
    let same = table(vec![one(), biome("two", &[(0.0, 0.0), (5.0, 100.0)])]).validate();
    assert_eq!(
        same.unwrap_err().to_string(),
        "biomes: `one` and `two` have the same niche"
    );
    for niche in [
        (f32::NAN, 1.0),
        (101.0, 1.0),
        (1.0, -1.0),
        (1.0, f32::INFINITY),
    ] {
        assert!(
            table(vec![biome("one", &[niche])]).validate().is_err(),
            "{niche:?}"
        );
    }
    let frozen = BiomeTable {
        freezing: f32::NAN,
        ..BiomeTable::default()
    };
    assert!(
        frozen
            .validate()
            .unwrap_err()
            .to_string()
            .contains("freezing is NaN")
    );
}

#[test]
fn climates_come_back_from_files() {
    let climate = Climate::default();
    let text = ron::to_string(&climate).unwrap();
    assert_eq!(ron::from_str::<Climate>(&text).unwrap(), climate);
    let warm: Climate = ron::from_str("(temperature: (at_sea: 30))").unwrap();
    assert_eq!(warm.temperature.at_sea, 30.0);
    assert!(ron::from_str::<Climate>("(snow: 3)").is_err());
}

#[test]
fn water_is_ocean_lake_or_ice() {
    let map = map_of(size(30, 30), |x, y| {
        let radius = f64::hypot(x - 14.5, y - 14.5);
        if (4.0..12.0).contains(&radius) {
            0.7
        } else {
            0.3
        }
    });
    let biomes = Climate::default().biomes(&map, &go()).unwrap();
    assert_eq!(biomes.get(0, 0), BiomeMap::OCEAN);
    assert_eq!(biomes.get(14, 14), BiomeMap::LAKE);
    assert_eq!((biomes.name(0, 0), biomes.name(14, 14)), ("ocean", "lake"));
    assert_ne!(biomes.name(14, 6), "ocean");
    let land = map.heights().iter().filter(|&&z| z > 0.5).count() as u64;
    assert_eq!(biomes.areas().iter().sum::<u64>(), land);
    let temperature = Temperature {
        at_sea: -20.0,
        at_top: -40.0,
        southwards: 0.0,
    };
    let cold = Climate {
        temperature,
        ..Climate::default()
    };
    let biomes = cold.biomes(&map, &go()).unwrap();
    assert_eq!(biomes.name(14, 14), "sea ice");
    assert_eq!(biomes.name(14, 6), "ice");
}

#[test]
fn an_island_has_several_biomes() {
    let map = islands(256, 256);
    let biomes = Climate::default().biomes(&map, &go()).unwrap();
    let land: u64 = biomes.areas().iter().sum();
    let common = biomes
        .areas()
        .iter()
        .filter(|&&cells| 50 * cells > land)
        .count();
    assert!(common >= 6, "{:?}", biomes.areas());
}

#[test]
fn an_atlas_has_the_table_s_colors_where_nothing_else_is() {
    let map = map_of(size(20, 10), |x, _| if x < 10.0 { 0.0 } else { 0.8 });
    let climate = Climate {
        table: BiomeTable {
            biomes: vec![biome("one", &[(0.0, 0.0)])],
            ..BiomeTable::default()
        },
        ..Climate::default()
    };
    let biomes = climate.biomes(&map, &go()).unwrap();
    let scale = Scale::of_size(map.size());
    let draw = |view: BiomeView| view.draw(&map, &biomes, scale, &go()).unwrap();
    let picture = draw(BiomeView::default());
    assert_eq!(picture.pixel(15, 5), [1, 2, 3]);
    assert_eq!(picture.pixel(2, 5), biomes.table().ocean);
    let other = Heightmap::flat(size(21, 10));
    let error = BiomeView::default()
        .draw(&other, &biomes, scale, &go())
        .unwrap_err();
    assert!(
        error.to_string().contains("width is 20, but must be 21"),
        "{error}"
    );
}

// All of them.

type Measure = (
    &'static str,
    fn(&Heightmap, &Progress) -> Result<Heightmap, TableError>,
);

const MEASURES: [Measure; 5] = [
    ("temperature", |map, progress| {
        Ok(Temperature::default().of(map, 0.5, progress)?)
    }),
    ("rain", |map, progress| {
        Ok(Rain::default().of(map, 0.5, progress)?)
    }),
    ("moisture", |map, progress| {
        Ok(Moisture::default().of(map, 0.5, &Heightmap::flat(map.size()), progress)?)
    }),
    ("biomes", |map, progress| {
        let biomes = Climate::default().biomes(map, progress)?;
        let numbers = biomes.cells().iter().map(|&cell| cell.into()).collect();
        Ok(Heightmap::from_heights(map.size(), numbers).unwrap())
    }),
    ("atlas", |map, progress| {
        let biomes = Climate::default().biomes(map, &progress.part(0, 2))?;
        let scale = Scale::of_size(map.size());
        let picture = BiomeView::default().draw(map, &biomes, scale, &progress.part(1, 2))?;
        let pixels = picture.bytes().as_chunks::<3>().0.iter();
        let grays = pixels.map(|pixel| pixel.iter().map(|&byte| f32::from(byte)).sum());
        Ok(Heightmap::from_heights(map.size(), grays.collect()).unwrap())
    }),
];

#[test]
fn golden_hashes() {
    let golden = [
        ("temperature", 0x57d8_5c0f_2918_c274),
        ("rain", 0xceae_db0f_45b1_a19f),
        ("moisture", 0xcc91_e3ee_47cb_fe5b),
        ("biomes", 0xf515_bedb_6430_307c),
        ("atlas", 0xdd06_4f46_34fc_2b76),
    ];
    let map = islands(96, 64);
    let found = MEASURES.map(|(name, measure)| (name, fnv(&measure(&map, &go()).unwrap())));
    assert_golden(found, &golden);
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let map = islands(150, 140);
    for (name, measure) in MEASURES {
        same_on_any_threads(name, || measure(&map, &go()).unwrap());
    }
}

#[test]
fn cancelled_work_stops() {
    let map = islands(20, 20);
    for (name, measure) in MEASURES {
        minds_its_progress(name, |progress| measure(&map, progress));
    }
}

#[test]
fn the_smallest_and_the_wildest_maps_have_a_climate() {
    let wild = vec![f32::MAX, f32::MIN, 0.6, -0.0, 1e-45, 3.0];
    let maps = [
        Heightmap::flat(size(2, 2)),
        map_of(size(2, 2), |_, _| 1.0),
        Heightmap::from_heights(size(2, 3), wild.clone()).unwrap(),
        Heightmap::from_heights(size(3, 2), wild).unwrap(),
        map_of(size(5000, 2), |x, _| (x / 5000.0).sin()),
    ];
    for (number, map) in maps.iter().enumerate() {
        for (name, measure) in MEASURES {
            let measured = measure(map, &go()).unwrap();
            let finite = measured.heights().iter().all(|z| z.is_finite());
            assert!(finite, "{name} of map {number}");
        }
    }
    let extreme = Rain {
        wind_from: -360.0,
        rate: 10_000.0,
        humidity: 1.0,
        inland: 1.0,
        fetch: 0.001,
        reach: 100.0,
        lift: 10.0,
        drift: 0.0001,
        spread: 1.0,
        recycling: 1.0,
    };
    for (number, map) in maps.iter().enumerate() {
        let rain = extreme.of(map, 0.5, &go()).unwrap();
        let fine = rain.heights().iter().all(|&z| z.is_finite() && z >= 0.0);
        assert!(fine, "map {number}");
    }
}

#[test]
fn parameters_out_of_range_are_refused_by_name() {
    let map = Heightmap::flat(size(3, 3));
    let refused = |result: Result<Heightmap, GenerateError>, words: &str| {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let rain = Rain::default();
    for (rain, words) in [
        (
            Rain {
                wind_from: 361.0,
                ..rain
            },
            "rain: wind_from is 361",
        ),
        (Rain { rate: -1.0, ..rain }, "rate is -1"),
        (
            Rain {
                humidity: 1.1,
                ..rain
            },
            "humidity is 1.1",
        ),
        (Rain { fetch: 0.0, ..rain }, "fetch is 0"),
        (Rain { reach: 0.0, ..rain }, "reach is 0"),
        (
            Rain {
                lift: f64::NAN,
                ..rain
            },
            "lift is NaN",
        ),
        (Rain { drift: 0.0, ..rain }, "drift is 0"),
        (
            Rain {
                spread: 2.0,
                ..rain
            },
            "spread is 2",
        ),
        (
            Rain {
                recycling: 2.0,
                ..rain
            },
            "recycling is 2",
        ),
    ] {
        refused(rain.of(&map, 0.5, &go()), words);
    }
    refused(
        rain.of(&map, 1.0, &go()),
        "sea_level is 1, but must be finite and below 1",
    );
    refused(rain.of(&map, f32::NEG_INFINITY, &go()), "sea_level");
    let cold = Temperature {
        at_sea: -61.0,
        ..Temperature::default()
    };
    refused(cold.of(&map, 0.5, &go()), "at_sea is -61");
    let dry = Moisture {
        reach: 0.0,
        ..Moisture::default()
    };
    refused(dry.of(&map, 0.5, &map, &go()), "moisture: reach is 0");
    let climate = Climate {
        sea_level: f32::NAN,
        ..Climate::default()
    };
    assert!(climate.biomes(&map, &go()).is_err());
    let view = BiomeView {
        shore: 1.5,
        ..BiomeView::default()
    };
    assert!(
        view.validate()
            .unwrap_err()
            .to_string()
            .contains("shore is 1.5")
    );
}
