//! The sea and the climate of elevation models.

use std::fmt::Write as _;

use lanternfell_heightmap::{
    CoordinateSystem, Heightmap, MapSize, Progress, hydrology::Hydrology, is_land,
};
use lanternfell_io::{self as io, Format, ReadOptions};
use serde_json::Value;

use super::Folder;

const SIDE: usize = 64;

/// An ESRI ASCII grid in degrees near Lisbon, with these heights in meters.
fn write_grid(folder: &Folder, name: &str, height: impl Fn(usize, usize) -> f32) -> Heightmap {
    let size = MapSize::new(SIDE as u64, SIDE as u64).unwrap();
    let map = Heightmap::from_fn(size, height).unwrap();
    let mut text =
        format!("ncols {SIDE}\nnrows {SIDE}\nxllcorner -9.2\nyllcorner 38.7\ncellsize 0.001\n");
    for z in map.heights() {
        write!(text, "{z} ").unwrap();
    }
    folder.write(&format!("{name}.asc"), text);
    let degrees = io::gdal_projection(CoordinateSystem::Geographic(4326)).unwrap();
    folder.write(&format!("{name}.prj"), degrees);
    map
}

/// A valley from north to south, from 200 m in its north to 150 m, between slopes up to 1200 m.
fn valley(x: usize, y: usize) -> f32 {
    let slope = (x as f32 - 31.5).abs() / 31.5;
    (200.0 - 50.0 * y as f32 / 63.0 + 1000.0 * slope).round()
}

/// A hill of 218 m on a coast. The sea is at 0 m, without depths.
fn coast(x: usize, y: usize) -> f32 {
    let off = (x as f32 - 44.0).hypot(y as f32 - 32.0);
    (218.0 - 12.0 * off).max(if x < 30 { 0.0 } else { 5.0 })
}

fn read(folder: &Folder, name: &str) -> Heightmap {
    let map = io::read(&folder.read(name), Format::Tiff, &ReadOptions::default());
    map.unwrap().heights
}

fn info(folder: &Folder, words: &str) -> Value {
    serde_json::from_str(&folder.succeed(&format!("info {words} --json"))).unwrap()
}

/// The pixels of a natural view from above.
fn top(folder: &Folder, words: &str) -> image::RgbImage {
    folder.succeed(&format!("render {words} --view top -o top.png"));
    let image = image::load_from_memory(&folder.read("top.png")).unwrap();
    image.into_rgb8()
}

fn is_water(image::Rgb([red, _, blue]): image::Rgb<u8>) -> bool {
    blue > red.saturating_add(10)
}

/// Source: report 9 on the release candidate: `catchment`, rivers and `render` treated the lowest 4 % of an inland
/// elevation model as sea.
#[test]
fn inland_model_has_no_sea() {
    let folder = Folder::new();
    let map = write_grid(&folder, "inland", valley);
    let facts = info(&folder, "inland.asc");
    assert_eq!(facts["sea_level_meters"], 0.0);
    assert_eq!(facts["has_sea"], false);
    assert_eq!(facts["land_share"], 1.0);
    let said = folder.succeed("info inland.asc");
    assert!(
        said.contains("sea         none, all above 0.000 m"),
        "{said}"
    );

    let said = folder.succeed("measure inland.asc --what catchment -o c.tif");
    assert!(said.contains(", no sea, all above 0 m, "), "{said}");
    let progress = Progress::default();
    let drainage = Hydrology::default().drain(&map, &progress).unwrap();
    let areas = drainage.areas(&progress).unwrap();
    let found = read(&folder, "c.tif");
    assert!(
        found
            .heights()
            .iter()
            .zip(&areas)
            .all(|(&a, &b)| a == b as f32)
    );
    // The river of the valley leaves in the south, and not into a sea in its middle.
    assert!(found.get(31, 63).max(found.get(32, 63)) > 1800.0);
    folder.succeed("measure inland.asc --what rivers --river-area 200 -o r.tif");
    let rivers = read(&folder, "r.tif");
    assert!((20..63).all(|y| rivers.get(31, y).max(rivers.get(32, y)) > 0.0));
    folder.succeed("measure inland.asc --what land -o l.tif");
    assert_eq!(read(&folder, "l.tif").range(), (1.0, 1.0));
    assert!(
        top(&folder, "inland.asc")
            .pixels()
            .all(|&pixel| !is_water(pixel))
    );
    for view in ["perspective --picture 64x36", "contours", "biomes"] {
        folder.succeed(&format!("render inland.asc --view {view} -o view.png"));
    }

    // A sea from the user.
    let said = folder.succeed("measure inland.asc --what land --sea-level 400 -o l.tif");
    assert!(said.contains(", sea at 400 m, "), "{said}");
    let land = read(&folder, "l.tif");
    for (&land, &z) in land.heights().iter().zip(map.heights()) {
        assert_eq!(land == 1.0, z > 400.0);
    }
    let image = top(&folder, "inland.asc --sea-level 400");
    assert!(is_water(*image.get_pixel(32, 50)) && !is_water(*image.get_pixel(3, 50)));
}

/// A crop of a generated map without the sea has none either, with the same numbers in meters or from 0 to 1.
#[test]
fn generated_map_keeps_its_sea() {
    let folder = Folder::new();
    let recipe = "volcano --size 128 --relief 500";
    let sea = info(&folder, recipe)["sea_level_meters"].as_f64().unwrap();
    folder.succeed(&format!("generate {recipe} -o v.tif"));
    folder.succeed(&format!("generate {recipe} -o v.png"));
    for words in ["v.tif", "v.png", "v.tif --crop 20x20+54+54"] {
        let found = info(&folder, words);
        let level = found["sea_level_meters"].as_f64().unwrap();
        assert!(sea > 1.0 && (level - sea).abs() < 1e-3, "{words}: {level}");
    }
    assert_eq!(info(&folder, "v.tif --crop 20x20+54+54")["has_sea"], false);
    let image = top(&folder, "v.tif --crop 20x20+54+54");
    assert!(image.pixels().all(|&pixel| !is_water(pixel)));
    // Its climate is relative: 22 degrees at the sea, -8 degrees at height 1.
    let said = folder.succeed("measure volcano --size 128 --what temperature -o t.tif");
    assert!(said.contains(", sea at 276 m, "), "{said}");
    let of_recipe = read(&folder, "t.tif");
    folder.succeed("measure v.tif --what temperature -o t.tif");
    let of_file = read(&folder, "t.tif");
    assert_eq!(of_recipe.range().1, 22.0);
    for (a, b) in of_recipe.heights().iter().zip(of_file.heights()) {
        assert!((a - b).abs() < 0.01, "{a} {b}");
    }
}

/// Source: report 10: a hill of 218 m near Lisbon had -8 degrees Celsius.
#[test]
fn climate_of_a_model_follows_altitude_and_latitude() {
    let folder = Folder::new();
    let map = write_grid(&folder, "lisbon", coast);
    let said = folder.succeed("measure lisbon.asc --what temperature -o t.tif");
    assert!(said.contains(", sea at 0 m, "), "{said}");
    let warmth = read(&folder, "t.tif");
    let at_sea = warmth.get(0, 32);
    assert!((at_sea - 17.0).abs() < 3.0, "{at_sea}");
    for x in 0..SIDE {
        let expected = at_sea - 0.0065 * map.get(x, 32);
        let found = warmth.get(x, 32);
        assert!(
            (found - expected).abs() < 1e-3,
            "{x}: {found}, not {expected}"
        );
    }
    folder.succeed("measure lisbon.asc --what temperature --warmth 30 -o t.tif");
    assert_eq!(read(&folder, "t.tif").get(0, 32), 30.0);
    // Hills of 218 m have neither a rain shadow nor tundra.
    folder.succeed("measure lisbon.asc --what moisture -o m.tif");
    let (low, high) = read(&folder, "m.tif").range();
    assert!(high < 3.0 * low, "{low} {high}");
    let said = folder.succeed("measure lisbon.asc --what biomes -o b.tif");
    assert!(!said.contains("tundra") && !said.contains("snow"), "{said}");
    // Without a coordinate system, the temperature at the sea is the default.
    std::fs::remove_file(folder.path("lisbon.prj")).unwrap();
    folder.succeed("measure lisbon.asc --what temperature -o t.tif");
    let warmth = read(&folder, "t.tif");
    assert_eq!(warmth.get(0, 32), 22.0);
    assert!((warmth.range().0 - (22.0 - 0.0065 * 218.0)).abs() < 1e-3);
}

/// Source: report 11: cells at exactly sea level were sea for `measure` and sand for `render`, and a sea 0.1 m above
/// them was foam.
#[test]
fn cells_at_the_sea_level_are_sea_everywhere() {
    let folder = Folder::new();
    let map = write_grid(&folder, "coast", coast);
    // Also with heights that are stretched for `render`.
    let lower = |x: usize, y: usize| coast(x, y) - if (x, y) == (63, 63) { 9.0 } else { 0.0 };
    write_grid(&folder, "hole", lower);
    for (words, sea_level) in [
        ("coast.asc", 0.0),
        ("hole.asc", 0.0),
        ("coast.asc --sea-level 0.1", 0.1),
        ("coast.asc --sea-level 5", 5.0),
    ] {
        folder.succeed(&format!("measure {words} --what land -o land.tif"));
        folder.succeed(&format!("measure {words} --what biomes -o biomes.tif"));
        let (land, biomes) = (read(&folder, "land.tif"), read(&folder, "biomes.tif"));
        let image = top(&folder, words);
        for y in 0..SIDE - 1 {
            for x in 0..SIDE {
                let dry = is_land(map.get(x, y), sea_level);
                assert_eq!(land.get(x, y) == 1.0, dry, "{words}: land at {x}, {y}");
                assert_eq!(biomes.get(x, y) < 253.0, dry, "{words}: biome at {x}, {y}");
                // Foam covers the first few cells.
                let far = if sea_level < 5.0 { x < 24 } else { x < 12 };
                if far || dry {
                    let pixel = *image.get_pixel(x as u32, y as u32);
                    assert_eq!(is_water(pixel), !dry, "{words}: {pixel:?} at {x}, {y}");
                }
            }
        }
    }
}

/// Integers round 0 m up or down. The sea level must follow, or the whole plane of the sea is land.
#[test]
fn sea_of_integer_maps_is_at_their_0_m() {
    let folder = Folder::new();
    for low in [-10.0, -11.0, -12.0, -13.0] {
        write_grid(&folder, "sea", |x, y| match (x, y) {
            (0, 0) => low,
            (63, 63) => 1000.0,
            (..30, _) => 0.0,
            _ => 40.0 + x as f32,
        });
        folder.succeed("measure sea.asc --what land -o land.tif");
        let expected = read(&folder, "land.tif");
        for output in ["sea.png", "sea16.tif --bits 16", "sea8.tif --bits 8"] {
            folder.succeed(&format!("convert sea.asc -o {output}"));
            let (file, _) = output.split_once(' ').unwrap_or((output, ""));
            let said = folder.succeed(&format!("measure {file} --what land -o land.tif"));
            assert_eq!(read(&folder, "land.tif"), expected, "{low}, {said}");
        }
    }
}
