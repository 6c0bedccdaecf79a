//! Biomes: the table, its niches, the map and the image.

use super::*;

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
fn nearest_niche_wins() {
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
fn default_biomes_are_nearest_to_their_niches() {
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
    // Well-known places: Sahara, Amazon, Serengeti, Paris, Yakutsk, Vostok.
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
fn rejects_invalid_tables() {
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
    assert_eq!(twice, Err(TableError::DuplicateName("one".to_owned())));
    let nowhere = table(vec![one(), biome("two", &[])]).validate();
    assert_eq!(nowhere, Err(TableError::NoNiche("two".to_owned())));
    let nameless = table(vec![one(), biome(" ", &[(0.0, 0.0)])]).validate();
    assert_eq!(nameless, Err(TableError::MissingName(1)));
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
fn island_has_several_biomes() {
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
fn atlas_uses_the_colors_of_the_table() {
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
