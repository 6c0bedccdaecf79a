//! What the numbers in a file mean, why, and which cells have no height.
//!
//! Source of the cases: reports of users with elevation models whose heights are within 0 to 1 m, whose no-data values
//! are not declared, and whose georeference is in a world file. `verify/gdal.py` compares them with GDAL.

use lanternfell_heightmap::{ElevationModel, Heightmap, MapSize};
use lanternfell_io::{self as io, Format, ReadOptions};
use serde_json::Value;

use super::Folder;

/// A little-endian TIFF of `columns` columns, in one strip, as simple programs write it.
fn tiff(columns: usize, bits: u16, sample_format: u32, bytes: &[u8]) -> Vec<u8> {
    let rows = bytes.len() / (usize::from(bits) / 8) / columns;
    let tags: [(u16, u16, u32); 9] = [
        (256, 4, columns as u32),
        (257, 4, rows as u32),
        (258, 3, bits.into()),
        (259, 3, 1),
        (262, 3, 1),
        (273, 4, 8 + 2 + 9 * 12 + 4),
        (278, 4, rows as u32),
        (279, 4, bytes.len() as u32),
        (339, 3, sample_format),
    ];
    let mut file = b"II\x2a\0\x08\0\0\0".to_vec();
    file.extend((tags.len() as u16).to_le_bytes());
    for (tag, kind, value) in tags {
        file.extend(tag.to_le_bytes());
        file.extend(kind.to_le_bytes());
        file.extend(1_u32.to_le_bytes());
        file.extend(value.to_le_bytes());
    }
    file.extend([0; 4]);
    file.extend(bytes);
    file
}

fn floats(columns: usize, numbers: &[f32]) -> Vec<u8> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|z| z.to_le_bytes()).collect();
    tiff(columns, 32, 3, &bytes)
}

const WORDS: [u16; 12] = [
    0, 1, 7, 100, 250, 999, 1234, 2000, 3000, 4000, 50_000, 65_535,
];

fn words() -> Vec<u8> {
    let bytes: Vec<u8> = WORDS.iter().flat_map(|z| z.to_le_bytes()).collect();
    tiff(4, 16, 1, &bytes)
}

/// A coast from 0.1 to 0.9 m.
fn coast() -> Vec<f32> {
    (0..12).map(|cell| 0.1 + cell as f32 * 0.8 / 11.0).collect()
}

fn read(folder: &Folder, name: &str) -> ElevationModel {
    io::read(&folder.read(name), Format::Tiff, &ReadOptions::default()).unwrap()
}

/// Returns the statistics of a map, which must be the same if it is read in bands and if it is in memory.
#[track_caller]
pub(super) fn info(folder: &Folder, words: &str, size: &str) -> Value {
    let bands = folder.succeed(&format!("info {words} --json"));
    let whole = folder.succeed(&format!("info {words} --json --crop {size}+0+0"));
    assert_eq!(bands, whole, "{words}");
    serde_json::from_str(&bands).unwrap()
}

const WORLD: &str = "10\n0\n0\n-10\n500005\n4999995\n";

#[test]
fn info_names_meaning_and_reason() {
    let folder = Folder::new();
    folder.write("coast.tif", floats(4, &coast()));
    folder.write("words.tif", words());
    folder.write("dem.tif", floats(4, &coast()));
    folder.write("dem.tfw", WORLD);
    folder.write(
        "grid.asc",
        "ncols 4\nnrows 3\ncellsize 10\n0.1 0.2 0.3 0.4\n0.5 0.6 0.7 0.8\n0.9 0.8 0.7 0.6\n",
    );
    folder.succeed("generate hills --size 64 --set radius_max=20 --relief 300 -o a.png");
    folder.succeed("generate hills --size 64 --set radius_max=20 --relief 300 -o a.r16 --sidecar");
    for (name, size, heights, reason) in [
        (
            "coast.tif",
            "4x3",
            "0 to 1 of a relief of 0.64 m",
            "no unit, no georeference, all values within 0 to 1",
        ),
        (
            "words.tif",
            "4x3",
            "0 to 1 of a relief of 0.64 m",
            "integers without a unit, a georeference or a no-data value",
        ),
        ("dem.tif", "4x3", "meters", "dem.tfw has a georeference"),
        ("grid.asc", "4x3", "meters", "the format stores elevations"),
        (
            "coast.tif --read-heights meters",
            "4x3",
            "meters",
            "--read-heights meters",
        ),
        (
            "grid.asc --read-heights unit",
            "4x3",
            "0 to 1 of a relief of 6.4 m",
            "--read-heights unit",
        ),
        (
            "coast.tif --relief 20",
            "4x3",
            "0 to 1 of a relief of 20 m",
            "--relief",
        ),
        (
            "a.png",
            "64x64",
            "0 to 1 of a relief of 300 m",
            "the file has a sidecar",
        ),
        (
            "a.r16",
            "64x64",
            "0 to 1 of a relief of 300 m",
            "described in a.r16.json",
        ),
        (
            "a.r16 --read-heights meters",
            "64x64",
            "meters",
            "--read-heights meters",
        ),
    ] {
        let found = info(&folder, name, size);
        assert_eq!(found["meaning"]["heights"], heights, "{name}");
        assert_eq!(found["meaning"]["reason"], reason, "{name}");
        let said = folder.succeed(&format!("info {name}"));
        assert!(
            said.contains(&format!("\nheights: {heights} ({reason})\n")),
            "{said}"
        );
    }
    let said = folder.succeed("info hills --size 64 --set radius_max=20");
    assert!(said.contains("(from the recipe)"), "{said}");
    let said = folder.refuse_unit();
    assert!(said.contains("1234"), "{said}");
}

impl Folder {
    /// Returns the error for heights outside 0 to 1 that are read as such.
    fn refuse_unit(&self) -> String {
        self.write("high.tif", floats(2, &[0.0, 1.0, 2.0, 1234.0]));
        let words = "convert high.tif --read-heights unit -o never.tif";
        self.refuse(words, &["from 0 to 1"]);
        super::text(&self.command(words).output().unwrap().stderr)
    }
}

/// A 16-bit TIFF in meters with only a world file, and the same for PNG and PGM.
#[test]
fn world_file_makes_integers_meters() {
    let folder = Folder::new();
    folder.write("a.tif", words());
    folder.write("a.tfw", WORLD);
    let image = image::ImageBuffer::<image::Luma<u16>, _>::from_raw(4, 3, WORDS.to_vec());
    image.unwrap().save(folder.path("b.png")).unwrap();
    folder.write("b.pgw", WORLD);
    let bytes: Vec<u8> = WORDS.iter().flat_map(|z| z.to_be_bytes()).collect();
    folder.write("c.pgm", [&b"P5\n4 3\n65535\n"[..], &bytes].concat());
    folder.write("c.wld", WORLD);
    image::open(folder.path("b.png"))
        .unwrap()
        .save(folder.path("d.png"))
        .unwrap();
    let xml =
        "<PAMDataset><GeoTransform>500000, 10, 0, 5000000, 0, -10</GeoTransform></PAMDataset>";
    folder.write("d.png.aux.xml", xml);
    let numbers = WORDS.map(f32::from);
    for (name, file) in [
        ("a.tif", "a.tfw"),
        ("b.png", "b.pgw"),
        ("c.pgm", "c.wld"),
        ("d.png", "d.png.aux.xml"),
    ] {
        folder.succeed(&format!("convert {name} -o out.tif"));
        let found = read(&folder, "out.tif");
        assert_eq!(found.heights.heights(), numbers, "{name}");
        assert_eq!(found.frame.place.corner, [500_000.0, 4_999_970.0], "{name}");
        let facts = info(&folder, name, "4x3");
        assert_eq!(facts["elevation_meters"]["highest"], 65_535.0, "{name}");
        assert_eq!(facts["relief"], 1.0, "{name}");
        let reason = format!("{file} has a georeference");
        assert_eq!(facts["meaning"]["reason"], reason, "{name}");
        // The other meaning is one option away.
        let facts = info(&folder, &format!("{name} --read-heights unit"), "4x3");
        assert_eq!(facts["heights"]["max"], 1.0, "{name}");
        assert_eq!(
            facts["meaning"]["heights"], "0 to 1 of a relief of 6.4 m",
            "{name}"
        );
    }
}

/// The tool's own integers keep their meaning, also next to a world file.
#[test]
fn own_integers_round_trip_exactly() {
    let folder = Folder::new();
    folder.write("a.tif", words());
    folder.write("a.tfw", WORLD);
    folder.succeed("convert a.tif -o dem.tif");
    for (name, more) in [
        ("b.png", ""),
        ("c.png", "--sidecar"),
        ("d.png", "--bits 8"),
        ("e.tif", "--bits 16"),
        ("f.tif", "--bits 8"),
        ("g.pgm", "--sidecar"),
        ("h.r16", "--sidecar"),
    ] {
        folder.succeed(&format!("convert dem.tif -o {name} {more}"));
        let (stem, _) = name.split_once('.').unwrap();
        folder.write(&format!("{stem}.wld"), WORLD);
        let facts = info(&folder, name, "4x3");
        assert_eq!(facts["elevation_meters"]["lowest"], 0.0, "{name}");
        assert_eq!(facts["elevation_meters"]["highest"], 65_535.0, "{name}");
        assert_eq!(facts["corner"][0], 500_000.0, "{name}");
        // A second round trip changes nothing.
        let once = folder.read(name);
        let kept = more.replace("--sidecar", "");
        folder.succeed(&format!("convert {name} -o again_{name} {kept}"));
        assert_eq!(folder.read(&format!("again_{name}")), once, "{name}");
    }
    // Without its sidecar, GDAL's metadata has the scale and the offset.
    std::fs::remove_file(folder.path("g.pgm.json")).unwrap();
    let facts = info(&folder, "g.pgm", "4x3");
    assert_eq!(facts["elevation_meters"]["highest"], 65_535.0);
    assert_eq!(facts["corner"][0], 500_000.0);
}

#[test]
fn nodata_option_and_infinite_cells_are_filled() {
    let folder = Folder::new();
    let numbers = [
        1.0,
        2.0,
        -9999.0,
        4.0,
        f32::NEG_INFINITY,
        6.0,
        7.0,
        -32_768.0,
        9.0,
        10.0,
        f32::NAN,
        12.0,
    ];
    folder.write("a.tif", floats(4, &numbers));
    let bytes: Vec<u8> = numbers.iter().flat_map(|z| z.to_le_bytes()).collect();
    folder.write("b.r32", &bytes);
    let mut expected = numbers;
    for cell in [2, 4, 7, 10] {
        expected[cell] = 5.0;
    }
    let options = "--nodata -9999 --nodata -32768 --fill 5";
    for source in ["a.tif", "b.r32 --size 4x3"] {
        folder.succeed(&format!("convert {source} {options} -o out.tif"));
        let found = read(&folder, "out.tif");
        assert_eq!(found.heights.heights(), expected, "{source}");
        info(&folder, &format!("{source} {options}"), "4x3");
        folder.refuse(
            &format!("convert {source} --nodata -inf -o never.tif"),
            &["column 0, row 1", "no height", "--fill"],
        );
        folder.refuse(
            &format!("convert {source} -o never.tif"),
            &["column 0, row 1 is -inf", "--fill"],
        );
        // Every command that reads a map has the options.
        for command in ["render", "mesh", "filter", "measure"] {
            let more = match command {
                "mesh" => "-o out.obj",
                "filter" => "--by Normalize -o out.tif",
                "measure" => "--what slope -o out.tif",
                _ => "-o out.png",
            };
            folder.succeed(&format!(
                "{command} {source} {options} --read-heights meters {more} -q"
            ));
        }
        folder.succeed(&format!("preview {source} {options}"));
    }
    // Integers: numbers of the file.
    folder.write("c.tif", words());
    folder.succeed("convert c.tif --read-heights meters --nodata 65535 --fill 3 -o out.tif");
    assert_eq!(read(&folder, "out.tif").heights.get(3, 2), 3.0);
    let facts = info(&folder, "c.tif --nodata 65535 --fill 0", "4x3");
    assert_eq!(facts["elevation_meters"]["lowest"], 0.0);
    for (words, parts) in [
        ("info c.tif --nodata x", ["--nodata", "must be a number"]),
        (
            "info c.tif --read-heights feet",
            ["--read-heights", "meters"],
        ),
        (
            "info hills --nodata 3",
            ["--nodata", "only for heightmap files"],
        ),
        (
            "info hills --read-heights unit",
            ["--read-heights", "only for heightmap files"],
        ),
        (
            "info hills --fill 3",
            ["--fill", "only for heightmap files"],
        ),
    ] {
        folder.refuse(words, &parts);
    }
    folder.succeed("generate hills --size 64 --set radius_max=20 -o a.png");
    folder.refuse("info a.png --fill 3", &["--fill needs --nodata", "PNG"]);
    info(&folder, "a.png --nodata 0 --fill interpolate", "64x64");
}

/// Undeclared no-data values, which `info` suspects.
#[test]
fn info_warns_about_undeclared_no_data() {
    let folder = Folder::new();
    let terrain = |cell: usize| 120.0 + (cell * 37 % 780) as f32;
    let map = |number: f32| -> Vec<f32> {
        let height = |cell| {
            if cell % 100 == 3 {
                number
            } else {
                terrain(cell)
            }
        };
        (0..2000).map(height).collect()
    };
    for (number, side) in [
        ("-9999", "below"),
        ("-32768", "below"),
        ("-3.4028235e38", "below"),
        ("65535", "above"),
    ] {
        folder.write("a.tif", floats(50, &map(number.parse().unwrap())));
        let said = folder.succeed("info a.tif");
        let line = said.lines().find(|line| line.starts_with("warning "));
        let line = line.unwrap_or_else(|| panic!("{said}"));
        let words = format!("1.0 % of the cells have the height {number}, far {side} the others");
        assert!(line.contains(&words), "{line}");
        assert!(line.contains(&format!("--nodata {number} ")), "{line}");
        let facts = info(&folder, "a.tif", "50x40");
        let suspect = &facts["suspected_no_data"];
        let expected: f64 = number.parse().unwrap();
        assert!((suspect["number"].as_f64().unwrap() / expected - 1.0).abs() < 1e-6);
        assert_eq!(suspect["share"], 0.01);
        let filled = format!("a.tif --nodata {number} --fill interpolate");
        let facts = info(&folder, &filled, "50x40");
        assert_eq!(facts["suspected_no_data"], Value::Null, "{number}");
    }
    // As a number of the file, also if integers are fractions.
    let size = MapSize::new(50, 40).unwrap();
    let fraction = |z: f32| if z > 60_000.0 { 1.0 } else { z / 65_535.0 };
    let heights = map(65_535.0).into_iter().map(fraction).collect();
    let heights = Heightmap::from_heights(size, heights).unwrap();
    let mut png = Vec::new();
    io::write_png(&heights, io::PngDepth::Sixteen, &mut png).unwrap();
    folder.write("b.png", png);
    assert_eq!(
        info(&folder, "b.png", "50x40")["suspected_no_data"]["number"],
        65_535.0
    );
    folder.write(
        "c.tif",
        floats(50, &(0..2000).map(terrain).collect::<Vec<_>>()),
    );
    assert!(!folder.succeed("info c.tif").contains("warning"));
}
