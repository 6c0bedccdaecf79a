//! Land, sea and climate of elevation models: the sea is at 0 m, cells at the sea level are sea, and temperatures depend
//! on altitude and latitude.

use super::*;
use lanternfell_heightmap::{
    CoordinateSystem, Elevation, MapFrame,
    climate::{BiomeMap, Climate, Location, Rain, Temperature},
    hydrology::Hydrology,
    is_land,
};

/// Cells at, just below and just above a sea level of 0.3, and others.
fn stairs() -> Heightmap {
    const STEPS: [f32; 5] = [0.0, 0.299_999_97, 0.3, 0.300_000_03, 1.0];
    assert!(STEPS.is_sorted_by(|a, b| a < b));
    let size = MapSize::new(25, 20).unwrap();
    Heightmap::from_fn(size, |x, y| STEPS[(x / 5 + y / 4) % 5]).unwrap()
}

/// Source: report 11 on the release candidate: cells at exactly sea level were sea in one place and land in another.
#[test]
fn every_analysis_has_the_same_sea() {
    let (map, sea_level) = (stairs(), 0.3);
    let land: Vec<bool> = map
        .heights()
        .iter()
        .map(|&height| is_land(height, sea_level))
        .collect();
    assert_eq!(
        map.share_above(sea_level),
        land.iter().filter(|land| **land).count() as f64 / land.len() as f64
    );
    let find = FindRegions {
        sea_level,
        ..FindRegions::default()
    };
    let regions = find.of(&map, &go()).unwrap();
    let distance = CoastDistance { sea_level }.of(&map, UNIT, &go()).unwrap();
    let water = Hydrology {
        sea_level: Some(sea_level),
        border: false,
    };
    let drainage = water.drain(&map, &go()).unwrap();
    let mut outlets = vec![false; land.len()];
    for (x, y) in drainage.outlets() {
        outlets[y * map.width() + x] = true;
    }
    let climate = Climate::default();
    let biomes = climate.biomes_of(&map, sea_level, &go()).unwrap();
    for (cell, &land) in land.iter().enumerate() {
        let (x, y) = (cell % map.width(), cell / map.width());
        let height = map.get(x, y);
        let region = regions.list()[regions.labels()[cell] as usize];
        assert_eq!(region.land, land, "region of {height}");
        assert_eq!(distance.get(x, y) > 0.0, land, "coast at {height}");
        assert_eq!(!outlets[cell], land, "outlet at {height}");
        assert_eq!(
            biomes.get(x, y) < BiomeMap::SEA_ICE,
            land,
            "biome of {height}"
        );
    }
    // The coast is between cells of different kinds.
    assert!(coast_length(&map, sea_level, UNIT, &go()).unwrap() > 0.0);
    let below = coast_length(&map, 0.3_f32.next_down(), UNIT, &go()).unwrap();
    assert!(below > 0.0);
}

/// A map in meters with hills up to 218 m and this southwest corner in degrees.
fn hills(corner: [f64; 2]) -> (Heightmap, MapFrame) {
    let size = MapSize::new(40, 30).unwrap();
    let map = Heightmap::from_fn(size, |x, y| {
        (218.0 - 12.0 * (x as f32 - 20.0).hypot(y as f32 - 15.0)).max(-3.0)
    });
    let mut frame = MapFrame::of_size(size);
    (frame.elevation, frame.elevation_is_explicit) = (Elevation::METERS, true);
    frame.place.corner = corner;
    frame.place.cell = [0.001; 2];
    frame.place_is_explicit = true;
    frame.place.system = Some(CoordinateSystem::Geographic(4326));
    (map.unwrap(), frame)
}

/// Source: report 9: an inland elevation model had a sea in the lowest 4 % of its range.
#[test]
fn sea_of_a_map_in_meters_is_at_0_m() {
    let (map, mut frame) = hills([-9.2, 38.7]);
    assert_eq!(frame.sea_level(), Some(0.0));
    // The same map from 0 to 1.
    let (low, _) = map.range();
    frame.elevation = frame.elevation.stretched(map.range());
    let sea = frame.sea_level().unwrap();
    assert!((sea - 3.0 / 221.0).abs() < 1e-6 && low == -3.0, "{sea}");
    // An inland map: the sea is below all heights.
    frame.elevation.offset = 500.0;
    assert!(frame.sea_level().unwrap() < 0.0);
    // A recipe keeps its sea, also in meters.
    frame.scenery.sea_level = Some(510.0);
    assert!((frame.sea_level().unwrap() - 10.0 / 221.0).abs() < 1e-6);
    frame.scenery.sea_level = None;
    frame.elevation_is_explicit = false;
    assert_eq!(frame.sea_level(), None);
    frame.elevation_is_explicit = true;
    assert_eq!(frame.of_values(Elevation::METERS).sea_level(), None);
}

/// Source: report 10: a hill of 218 m near Lisbon had -8 degrees Celsius.
#[test]
fn temperature_follows_altitude_and_latitude() {
    for (name, corner, at_sea) in [
        ("Lisbon", [-9.2, 38.7], 17.0),
        ("Oslo", [10.7, 59.9], 6.0),
        ("Cape Town", [18.4, -33.9], 17.3),
    ] {
        let (map, frame) = hills(corner);
        let location = Location::new(&frame, map.size(), 0.0);
        let warmth = |location| {
            let temperature = Temperature::default();
            temperature.of(&map, location, &go()).unwrap()
        };
        let found = warmth(location);
        assert!((f64::from(found.get(0, 0)) - at_sea).abs() < 4.0, "{name}");
        for y in 0..map.height() {
            for x in 0..map.width() {
                // The sea has the temperature of 0 m, and every row is as warm as its latitude.
                let colder = found.get(0, y) - found.get(x, y);
                let expected = 0.0065 * map.get(x, y).max(0.0);
                assert!((colder - expected).abs() < 1e-4, "{name}: {x}, {y}");
            }
        }
        let poleward = found.get(0, 0) - found.get(0, 29);
        assert!((poleward < 0.0) == (corner[1] > 0.0), "{name}: {poleward}");
        // Without a georeference, the temperature at 0 m is that of the parameters.
        assert_eq!(warmth(location.without_latitudes()).get(0, 0), 22.0);
        // The same map, stretched.
        let (mut stretched, mut frame) = (map.clone(), frame);
        stretched.normalize();
        frame.elevation = frame.elevation.stretched(map.range());
        let location = Location::new(&frame, map.size(), frame.sea_level().unwrap());
        let other = Temperature::default().of(&stretched, location, &go());
        let other = other.unwrap();
        for (a, b) in found.heights().iter().zip(other.heights()) {
            assert!((a - b).abs() < 1e-3, "{name}: {a} {b}");
        }
    }
}

/// Terrain high above the sea, and terrain below 0 m, have the temperature of their altitude.
#[test]
fn temperature_is_that_of_the_altitude_without_sea() {
    let (mut map, mut frame) = hills([-78.5, -0.2]);
    frame.elevation.offset = 2632.0;
    let sea = frame.sea_level().unwrap();
    let location = Location::new(&frame, map.size(), sea);
    let summit = |map: &Heightmap, location| {
        let warmth = Temperature::default().of(map, location, &go()).unwrap();
        f64::from(warmth.get(20, 15))
    };
    // Quito.
    let found = summit(&map, location);
    assert!((found - 13.0).abs() < 4.0, "{found}");
    let at_sea = found + 0.0065 * 2850.0;
    // A sea above the terrain has the temperature of its surface.
    let flooded = Location::new(&frame, map.size(), 300.0);
    let expected = at_sea - 0.0065 * 2932.0;
    assert!((summit(&map, flooded) - expected).abs() < 1e-4);
    // Land below 0 m is warmer.
    frame.elevation.offset = -648.0;
    let low = Location::new(&frame, map.size(), -1000.0);
    let expected = at_sea + 0.0065 * 430.0;
    assert!((summit(&map, low) - expected).abs() < 1e-4);
    // Numbers that cannot be altitudes are clamped.
    map = Heightmap::from_fn(map.size(), |_, _| f32::MAX).unwrap();
    let expected = at_sea - 0.0065 * 11_000.0;
    assert!((summit(&map, low) - expected).abs() < 1e-3);
}

/// The shadow of hills of 218 m is as small as they are, and not as large as behind mountains of 4.6 km.
#[test]
fn rain_follows_altitude() {
    let (map, frame) = hills([-9.2, 38.7]);
    let mut relative = map.clone();
    relative.normalize();
    let rain = Rain::default();
    let location = Location::new(&frame, map.size(), 0.0);
    let spread = |rain: Heightmap| rain.range().1 / rain.range().0;
    let low = spread(rain.of(&map, location, &go()).unwrap());
    let high = spread(rain.of(&relative, 3.0 / 221.0, &go()).unwrap());
    assert!(low < 2.0 && high > 3.0 * low, "{low} {high}");
    // Mountains of 4.6 km are those of the parameters.
    let mut tall = frame;
    tall.elevation.relief = 30.0 / 0.0065 / 218.0;
    let location = Location::new(&tall, map.size(), 0.0);
    let found = rain.of(&map, location, &go()).unwrap();
    let scaled = Heightmap::from_heights(
        map.size(),
        map.heights().iter().map(|z| z / 218.0).collect(),
    );
    let expected = rain.of(&scaled.unwrap(), 0.0, &go()).unwrap();
    for (a, b) in found.heights().iter().zip(expected.heights()) {
        assert!((a / b - 1.0).abs() < 1e-3, "{a} {b}");
    }
}

/// The climate of recipes, and of maps without meters, only depends on the parameters and not on the relief.
#[test]
fn climate_of_recipes_is_relative() {
    let (map, mut frame) = hills([-9.2, 38.7]);
    let (size, sea) = (map.size(), 0.25);
    frame.place.system = None;
    frame.scenery.sea_level = Some(3.0);
    assert_eq!(Location::new(&frame, size, sea), Location::from(sea));
    // A georeferenced map is no map of a recipe, even if its sea is known.
    frame.place.system = Some(CoordinateSystem::Projected(32_629));
    assert_ne!(Location::new(&frame, size, sea), Location::from(sea));
    frame.scenery.sea_level = None;
    frame.elevation_is_explicit = false;
    assert_eq!(Location::new(&frame, size, sea), Location::from(sea));
}
