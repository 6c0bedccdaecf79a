//! `info` and `preview`.

use serde_json::Value;

use super::Folder;

/// A cone on a plain, whose statistics are known.
fn cone(folder: &Folder) {
    let row = |y: i32| {
        let cell = |x: i32| (0.9 - 0.1 * f64::from((x - 10).abs().max((y - 10).abs()))).max(0.0);
        let cells: Vec<String> = (0..21).map(|x| cell(x).to_string()).collect();
        cells.join(" ")
    };
    let rows: Vec<String> = (0..21).map(row).collect();
    let text = format!(
        "ncols 21\nnrows 21\nxllcorner 0\nyllcorner 0\ncellsize 10\n{}\n",
        rows.join("\n")
    );
    folder.write("cone.asc", text);
}

#[test]
fn statistics_match_the_map() {
    let folder = Folder::new();
    cone(&folder);
    let json: Value =
        serde_json::from_str(&folder.succeed(
            "info cone.asc --spacing 10 --relief 100 --sea-level 0.45 --histogram 9 --json",
        ))
        .unwrap();
    assert_eq!((&json["width"], &json["height"]), (&21.into(), &21.into()));
    assert_eq!(json["heights"]["min"], 0.0);
    assert!((json["heights"]["max"].as_f64().unwrap() - 0.9).abs() < 1e-6);
    // The land above 0.45 is a square of 9 x 9 cells.
    assert!((json["land_share"].as_f64().unwrap() - 81.0 / 441.0).abs() < 1e-9);
    assert_eq!((&json["islands"], &json["lakes"]), (&1.into(), &0.into()));
    assert_eq!(json["largest_island_square_meters"], 8100.0);
    // Its sides fall by 10 m per 10 m.
    assert!((json["slope_degrees"]["max"].as_f64().unwrap() - 45.0).abs() < 0.01);
    let coast = json["coast_meters"].as_f64().unwrap();
    assert!((320.0..=360.0).contains(&coast), "{coast}");
    let counts: Vec<u64> = json["histogram"]["counts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_u64().unwrap())
        .collect();
    assert_eq!(counts.len(), 9);
    assert_eq!(counts.iter().sum::<u64>(), 441);
    let said = folder.succeed("info cone.asc --histogram 5");
    for part in [
        "21 x 21 cells",
        "0 to 0.9",
        "1 island (",
        "hypsometric integral",
    ] {
        assert!(said.contains(part), "{part} is not in: {said}");
    }
    folder.refuse(
        "info cone.asc --histogram 0",
        &["from 1 to 65536", "from 1 to 65536"],
    );
    folder.refuse("info cone.asc --sea-level NaN", &["sea_level is NaN"]);
    folder.refuse("info cone.asc --spacing 0", &["spacing is 0", "above 0"]);
}

#[test]
fn prints_landscape_statistics() {
    let folder = Folder::new();
    let landscape = |source: &str| -> Value {
        let json = folder.succeed(&format!("info {source} --landscape --json"));
        serde_json::from_str::<Value>(&json).unwrap()["landscape"].clone()
    };
    let alpine = landscape("alpine --resize 256");
    let between = |name: &str, range: std::ops::Range<f64>| {
        let found = alpine[name].as_f64().unwrap();
        assert!(range.contains(&found), "{name} {found}");
    };
    between("bifurcation_ratio", 2.5..6.0);
    between("length_ratio", 1.3..4.0);
    between("hack_exponent", 0.45..0.7);
    between("relative_density", 0.5..1.0);
    between("median_land_slope_degrees", 5.0..60.0);
    assert!(alpine["streams"][0].as_u64() > alpine["streams"][1].as_u64());
    // A cone has no confluences and no irregular coast, and is too small for a fractal dimension.
    cone(&folder);
    let cone = landscape("cone.asc --spacing 10 --relief 100 --sea-level 0.45");
    let slope = cone["median_land_slope_degrees"].as_f64().unwrap();
    assert!((40.0..=46.0).contains(&slope), "{slope}");
    assert_eq!(cone["coast_dimension"], Value::Null);
    let said = folder.succeed("info cone.asc --landscape");
    for part in [
        "median slope of land",
        "Hack's exponent",
        "coast       too short for a fractal dimension",
    ] {
        assert!(said.contains(part), "{part} is not in: {said}");
    }
    let said = folder.succeed("info cone.asc --landscape --sea-level 2");
    assert!(
        said.ends_with("landscape   no land above the sea\n"),
        "{said}"
    );
    let said = folder.succeed("info cone.asc --landscape --sea-level -2");
    assert!(said.ends_with("coast       none\n"), "{said}");
}

#[test]
fn values_have_no_statistics_in_meters() {
    let folder = Folder::new();
    cone(&folder);
    for file in ["slope.tif", "slope.png", "slope.exr"] {
        folder.succeed(&format!("measure cone.asc --what slope -o {file}"));
        let said = folder.succeed(&format!("info {file}"));
        assert!(said.contains(", not heights"), "{said}");
        for word in ["1 unit =", "elevation", "sea ", "coast"] {
            assert!(!said.contains(word), "{file}: {word} is in {said}");
        }
        let facts: Value =
            serde_json::from_str(&folder.succeed(&format!("info {file} --json"))).unwrap();
        assert_eq!(facts["unit"], Value::Null, "{file}");
        assert_eq!(facts["elevation_meters"], Value::Null, "{file}");
    }
    // This survives another command.
    folder.succeed("convert slope.tif -o again.tif");
    assert!(folder.succeed("info again.tif").contains(", not heights"));
}

#[test]
fn preview_shows_land_and_water() {
    let folder = Folder::new();
    cone(&folder);
    let said = folder.succeed("preview cone.asc --sea-level 0.3");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 11, "half as high as wide:\n{said}");
    assert!(lines[0].chars().all(|letter| letter == '~'), "{said}");
    assert!(
        lines[5].starts_with("~~~") && lines[5].contains(['#', '%', '@']),
        "{said}"
    );
    let colored = folder.succeed("preview cone.asc --ink colors --columns 10");
    assert_eq!(colored.lines().count(), 5);
    assert_eq!(colored.matches('▀').count(), 50);
    assert!(colored.contains("\x1b[38;2;") && colored.ends_with("\x1b[0m\n"));
    folder.refuse(
        "preview cone.asc --columns 1",
        &["--columns", "from 2 to 500"],
    );
    folder.refuse("preview cone.asc --sea-level 2", &["sea_level is 2"]);
}

/// Compares the statistics of a map read in bands with those of a map in memory, which a crop of the whole map
/// enforces.
#[track_caller]
fn same_in_bands(folder: &Folder, file: &str, size: &str, options: &str) {
    let json = |more: &str| folder.succeed(&format!("info {file} {options} {more} --json"));
    assert_eq!(json(""), json(&format!("--crop {size}+0+0")), "{file}");
}

#[test]
fn png_in_bands_matches_whole_map() {
    let folder = Folder::new();
    folder.succeed("generate alpine --size 300x200 --resize 230x150 -o alpine.png");
    folder.succeed("generate islands --size 100x70 --bits 8 -o eight.png");
    same_in_bands(&folder, "alpine.png", "230x150", "");
    same_in_bands(
        &folder,
        "eight.png",
        "100x70",
        "--sea-level 0.3 --spacing 12",
    );
    // Without metadata, and with a sidecar.
    let gray = image::open(folder.path("alpine.png"))
        .unwrap()
        .into_luma16();
    gray.save(folder.path("bare.png")).unwrap();
    same_in_bands(&folder, "bare.png", "230x150", "");
    folder.succeed("generate islands --size 100x70 --relief 77 --sidecar -o sidecar.png");
    let small = image::open(folder.path("sidecar.png"))
        .unwrap()
        .into_luma16();
    small.save(folder.path("sidecar.png")).unwrap();
    same_in_bands(&folder, "sidecar.png", "100x70", "");
    assert!(folder.succeed("info sidecar.png").contains("1 unit = 77 m"));
    // A gray image in RGB, and a colored one.
    let colors = image::DynamicImage::from(gray).into_rgb8();
    colors.save(folder.path("gray.png")).unwrap();
    same_in_bands(&folder, "gray.png", "230x150", "");
    image::RgbImage::from_fn(9, 7, |x, y| image::Rgb([u8::from(x == 4 && y == 3), 0, 0]))
        .save(folder.path("colors.png"))
        .unwrap();
    folder.refuse("info colors.png", &["column 4, row 3"]);
    folder.refuse("info alpine.png --seed 3", &["--seed"]);
    folder.refuse("info alpine.png --size 9", &["--size"]);
    let whole = folder.read("alpine.png");
    folder.write("cut.png", &whole[..whole.len() - 200]);
    folder.refuse("info cut.png", &["cut.png", "the PNG is damaged"]);
}

/// A file is read in bands, and a crop of it into memory, even if the crop is the whole map.
#[test]
fn files_in_bands_match_whole_map() {
    let folder = Folder::new();
    folder.succeed("generate islands --size 90x70 --seed 5 --relief 300 --spacing 20 -o a.r32");
    for words in [
        "convert a.r32 --size 90x70 --relief 300 --spacing 20 -o a.tif",
        "convert a.r32 --size 90x70 --relief 300 --spacing 20 -o b.tif --bits 16",
        "convert a.r32 --size 90x70 --relief 300 --spacing 20 -o a.exr",
        "convert a.r32 --size 90x70 --relief 300 --spacing 20 -o a.asc",
        "convert a.r32 --size 90x70 --relief 300 --spacing 20 -o a.png",
        "convert a.r32 --size 90x70 -o a.pgm --sidecar",
        "convert a.r32 --size 90x70 -o b.pgm --bits 8",
    ] {
        folder.succeed(words);
    }
    let header = "ncols 3\nnrows 2\ncellsize 10\nNODATA_value -9\n";
    folder.write("gaps.asc", format!("{header}1 -9 3\n4.5 -9 1e2\n"));
    folder.write(
        "text.pgm",
        "P2 3 2 # a comment\n9\n0 1 2\n# another\n3 4\t9",
    );
    // A chart of depths: larger numbers are lower terrain.
    folder.succeed("convert a.pgm -o depths.asc --sidecar");
    let mut sidecar: Value = serde_json::from_slice(&folder.read("depths.asc.json")).unwrap();
    sidecar["relief"] = (-2.5).into();
    folder.write("depths.asc.json", sidecar.to_string());
    for (words, size) in [
        ("a.tif", "90x70"),
        ("b.tif", "90x70"),
        ("a.exr", "90x70"),
        ("a.asc", "90x70"),
        ("a.png", "90x70"),
        ("a.pgm", "90x70"),
        ("b.pgm", "90x70"),
        ("a.asc --relief 7 --spacing 3 --sea-level 40", "90x70"),
        ("gaps.asc --fill 2", "3x2"),
        ("gaps.asc --fill interpolate", "3x2"),
        ("text.pgm", "3x2"),
        ("depths.asc", "90x70"),
    ] {
        let in_bands = folder.succeed(&format!("info {words} --json"));
        let whole = folder.succeed(&format!("info {words} --json --crop {size}+0+0"));
        assert_eq!(in_bands, whole, "{words}");
    }
    folder.refuse(
        "info gaps.asc",
        &["gaps.asc", "column 1, row 0 has no height"],
    );
    folder.write("short.asc", format!("{header}1 2 3\n4 5"));
    folder.refuse("info short.asc", &["short.asc", "truncated"]);
}
