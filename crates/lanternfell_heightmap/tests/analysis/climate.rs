//! Temperature, moisture and biomes, on shapes with known answers.

mod biomes;
mod rain;

use crate::common::fnv;
use crate::measures::{minds_its_progress, same_on_any_threads};
use lanternfell_heightmap::{
    FractalNoise, GenerateError, Heightmap, MapSize, Progress, Scale, SeededRng,
    climate::{
        Biome, BiomeMap, BiomeTable, BiomeView, Climate, Moisture, Niche, Rain, TableError,
        Temperature,
    },
};
use lanternfell_test_support::assert_golden;

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

#[test]
fn temperature_decreases_with_height_and_to_the_north() {
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

#[test]
fn shore_is_moist_without_rain() {
    let map = map_of(size(101, 20), |x, _| if x < 20.0 { 0.0 } else { 1.0 });
    let dry = Heightmap::flat(map.size());
    let moisture = Moisture {
        shore: 100.0,
        reach: 0.1,
    }
    .of(&map, 0.5, &dry, &go())
    .unwrap();
    // The center of the first land cell is half a cell from the shore.
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
        "moisture: height is 21, but must be 20, the height of the map"
    );
}

#[test]
fn climate_round_trips_through_ron() {
    let climate = Climate::default();
    let text = ron::to_string(&climate).unwrap();
    assert_eq!(ron::from_str::<Climate>(&text).unwrap(), climate);
    let warm: Climate = ron::from_str("(temperature: (at_sea: 30))").unwrap();
    assert_eq!(warm.temperature.at_sea, 30.0);
    assert!(ron::from_str::<Climate>("(snow: 3)").is_err());
}

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
fn canceled_work_stops() {
    let map = islands(20, 20);
    for (name, measure) in MEASURES {
        minds_its_progress(name, |progress| measure(&map, progress));
    }
}

#[test]
fn small_and_extreme_maps_give_finite_results() {
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
fn errors_name_parameters_out_of_range() {
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
