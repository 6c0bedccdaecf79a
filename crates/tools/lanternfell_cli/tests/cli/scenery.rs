//! A file of a recipe's map keeps the sea level, snow line and land cover of the recipe.

use serde_json::Value;

use super::Folder;

/// Files of the atoll, and the options that write them. PNG, TIFF and OpenEXR contain the metadata themselves.
const FILES: [(&str, &str); 6] = [
    ("a.png", ""),
    ("a.tif", ""),
    ("a.exr", ""),
    ("a.asc", "--sidecar"),
    ("a.pgm", "--sidecar"),
    ("a.r16", "--sidecar"),
];

const ATOLL: &str = "atoll --size 128 --spacing 48 --relief 220";

fn info(folder: &Folder, words: &str) -> Value {
    serde_json::from_str(&folder.succeed(&format!("info {words} --json"))).unwrap()
}

fn number(facts: &Value, name: &str) -> f64 {
    facts[name].as_f64().unwrap()
}

/// Returns the bytes of a map's top view.
fn top(folder: &Folder, map: &str) -> Vec<u8> {
    folder.succeed(&format!("render {map} --view top -o top.png"));
    let picture = image::load_from_memory(&folder.read("top.png")).unwrap();
    picture.into_rgb8().into_raw()
}

/// Returns the mean difference of the bytes.
fn difference(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    let sum: u64 = a
        .iter()
        .zip(b)
        .map(|(a, b)| u64::from(a.abs_diff(*b)))
        .sum();
    sum as f64 / a.len() as f64
}

#[test]
fn file_is_rendered_like_its_recipe() {
    let folder = Folder::new();
    let (facts, expected) = (info(&folder, ATOLL), top(&folder, ATOLL));
    assert_eq!(facts["sea_level_meters"], 110.0);
    for (file, options) in FILES {
        folder.succeed(&format!("generate {ATOLL} {options} -o {file}"));
        let found = info(&folder, file);
        assert!(
            (number(&found, "sea_level_meters") - 110.0).abs() < 1e-4,
            "{file}"
        );
        assert_eq!(found["cover"], "temperate", "{file}");
        assert_eq!(found["snow_line_meters"], 1000.0, "{file}");
        let share = number(&found, "land_share") - number(&facts, "land_share");
        assert!(share.abs() < 2e-3, "{file}: {share}");
        let difference = difference(&expected, &top(&folder, file));
        // PGM and RAW with 16 bits are off by a few millimeters.
        assert!(difference < 0.1, "{file}: {difference}");
    }
    // Without metadata, the sea level is the default.
    folder.succeed(&format!("generate {ATOLL} -o bare.pgm"));
    assert_ne!(info(&folder, "bare.pgm")["sea_level_meters"], 110.0);
}

#[test]
fn image_keeps_sea_level_without_scale() {
    let folder = Folder::new();
    let expected = top(&folder, "islands --size 96");
    folder.succeed("generate islands --size 96 -o i.png");
    assert!(difference(&expected, &top(&folder, "i.png")) < 0.1);
    let sea = info(&folder, "islands --size 96")["sea_level"].clone();
    assert_eq!(info(&folder, "i.png")["sea_level"], sea);
    assert_eq!(info(&folder, "i.png")["cover"], Value::Null);
}

#[test]
fn keeps_desert() {
    let folder = Folder::new();
    folder.succeed("generate mesas --size 96 -o m.tif");
    assert_eq!(info(&folder, "m.tif")["cover"], "desert");
    assert!(difference(&top(&folder, "mesas --size 96"), &top(&folder, "m.tif")) < 0.1);
    let said = folder.succeed("info m.tif");
    assert!(said.contains("m above it, desert\n"), "{said}");
}

#[test]
fn changes_keep_the_sea_level() {
    let folder = Folder::new();
    folder.succeed(&format!("generate {ATOLL} -o a.tif"));
    for (words, size) in [
        ("--normalize -o b.png", 128),
        ("--resize 64 -o b.exr", 64),
        ("--crop 100x90+3+7 -o b.tif", 100),
        ("--heights unit -o b.asc --sidecar", 128),
    ] {
        let file = words.split_whitespace().find(|word| word.starts_with("b."));
        folder.succeed(&format!("convert a.tif {words}"));
        let found = info(&folder, file.unwrap());
        assert_eq!(found["width"], size, "{words}");
        assert!(
            (number(&found, "sea_level_meters") - 110.0).abs() < 1e-3,
            "{words}"
        );
        assert_eq!(found["cover"], "temperate", "{words}");
    }
    // In a map from 0 to 1, the sea level is a fraction.
    let found = info(&folder, "b.png");
    let (low, high) = (
        &found["elevation_meters"]["lowest"],
        &found["elevation_meters"]["highest"],
    );
    let share = (110.0 - low.as_f64().unwrap()) / (high.as_f64().unwrap() - low.as_f64().unwrap());
    assert!((number(&found, "sea_level") - share).abs() < 1e-5);
    // Doubling the relief also doubles the height of the sea.
    let twice = info(&folder, "a.tif --relief 2");
    assert!((number(&twice, "sea_level_meters") - 220.0).abs() < 1e-3);
    assert_eq!(twice["land_share"], info(&folder, "a.tif")["land_share"]);
    // Values that are not heights have no land cover.
    folder.succeed("measure a.tif --what slope -o slope.tif");
    assert_eq!(info(&folder, "slope.tif")["cover"], Value::Null);
}

#[test]
fn rejects_damaged_sea_in_one_line() {
    let folder = Folder::new();
    folder.succeed(&format!("generate {ATOLL} -o a.tif"));
    folder.succeed(&format!("generate {ATOLL} --sidecar -o a.pgm"));
    let change = |bytes: Vec<u8>, from: &str, to: &str| {
        let place = bytes
            .windows(from.len())
            .position(|part| part == from.as_bytes());
        let place = place.unwrap();
        [&bytes[..place], to.as_bytes(), &bytes[place + from.len()..]].concat()
    };
    for (from, to, words) in [
        ("LEVEL\">110<", "LEVEL\">inf<", "the TIFF's sea level `inf`"),
        ("LINE\">1000<", "LINE\">-100<", "snow_line is -100"),
        (
            "COVER\">temperate<",
            "COVER\">snow-flak<",
            "the TIFF's cover is `snow-flak`",
        ),
    ] {
        folder.write("bad.tif", change(folder.read("a.tif"), from, to));
        folder.refuse("info bad.tif", &["bad.tif", words]);
    }
    // An invalid sidecar is ignored.
    let json = change(folder.read("a.pgm.json"), "110.0", "\"deep\"");
    folder.write("a.pgm.json", json);
    assert_ne!(info(&folder, "a.pgm")["sea_level_meters"], 110.0);
}
