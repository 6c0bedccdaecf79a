//! `convert`: all formats, pipes, sidecars, images in recipes.

use std::{
    io::Write,
    process::{Output, Stdio},
};

use lanternfell_heightmap::{ElevationModel, Heightmap, MapSize, Progress};
use lanternfell_io::{self as io, RawFormat};

use super::{Folder, text};

/// Runs the program with these bytes on standard input.
fn fed(folder: &Folder, words: &str, input: &[u8]) -> Output {
    let mut command = folder.command(words);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let bytes = input.to_vec();
    // The program closes the pipe if it rejects its input.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&bytes)));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    output
}

#[test]
fn float_formats_are_lossless_and_others_within_their_error() {
    let folder = Folder::new();
    folder.succeed("generate hills --size 64x48 --set radius_max=20 -o a.r32");
    let size = MapSize::new(64, 48).unwrap();
    let original = io::read_raw(&folder.read("a.r32"), size, RawFormat::R32).unwrap();
    for (ending, error) in [
        ("tif", 0.0),
        ("exr", 0.0),
        ("asc", 0.0),
        ("xyz", 0.0),
        ("png", 0.5 / 65_535.0),
        ("pgm", 0.5 / 65_535.0),
    ] {
        let unit = "--heights unit";
        folder.succeed(&format!("convert a.r32 --size 64x48 {unit} -o b.{ending}"));
        folder.succeed(&format!("convert b.{ending} -o c.r32"));
        let again = io::read_raw(&folder.read("c.r32"), size, RawFormat::R32).unwrap();
        for (a, b) in original.heights().iter().zip(again.heights()) {
            assert!(
                (a - b).abs() <= error + f32::EPSILON * error,
                "{ending}: {a} became {b}"
            );
        }
    }
    for ending in ["obj", "stl", "glb"] {
        folder.succeed(&format!("convert b.png -o b.{ending}"));
        folder.refuse(
            &format!("convert b.{ending} -o c.png"),
            &["can be written but not read"],
        );
    }
}

#[test]
fn bits_and_raw_format_options() {
    let folder = Folder::new();
    folder.succeed("generate hills --size 64 --set radius_max=20 -o a.png --bits 8");
    folder.succeed("convert a.png -o a.raw --to-raw-format u16 --to-big-endian");
    folder.succeed("convert a.raw --size 64 --raw-format u16 --big-endian -o b.png --bits 8");
    let pixels = |name: &str| io::read_png(&folder.read(name)).unwrap();
    assert_eq!(pixels("a.png"), pixels("b.png"));
    folder.succeed("convert a.png -o a.tif --bits 8");
    folder.succeed("convert a.tif -o c.png --bits 8");
    assert_eq!(pixels("a.png"), pixels("c.png"));
    folder.refuse("convert a.png -o b.exr --bits 8", &["--bits", ".tif"]);
    folder.refuse(
        "convert a.png -o b.r16 --to-raw-format f32",
        &["only for .raw files"],
    );
    folder.refuse(
        "convert a.png --raw-format f32 -o b.raw",
        &["only for .raw files"],
    );
    folder.refuse(
        "convert a.png --size 64 -o b.raw",
        &["--size", ".png", "contains its size"],
    );
    folder.refuse("convert a.png --seed 4 -o b.raw", &["--seed"]);
}

/// A new map with an old name must not be read with the old metadata.
#[test]
fn updates_old_sidecars() {
    let folder = Folder::new();
    folder.succeed("generate hills --size 64 --set radius_max=20 -o a.r16 --sidecar");
    folder.succeed("generate hills --size 32x128 --set radius_max=9 -o a.r16");
    assert!(folder.succeed("info a.r16").contains("32 x 128 cells"));
    // A file that is not a sidecar is not replaced.
    folder.write("b.r16.json", "{}");
    folder.succeed("generate hills --size 64 --set radius_max=20 -o b.r16");
    assert_eq!(folder.read("b.r16.json"), b"{}");
    // If the sidecar cannot be written, the map is not written either.
    std::fs::create_dir(folder.path("c.r16.json")).unwrap();
    folder.refuse(
        "generate hills --size 64 -o c.r16 --sidecar",
        &["c.r16.json"],
    );
}

#[test]
fn keeps_georeference() {
    let folder = Folder::new();
    let grid = "ncols 3\nnrows 2\nxllcorner 500000\nyllcorner 4000000\ncellsize 30\n";
    folder.write("dem.asc", format!("{grid}-50 100.5 700\n20 30 40\n"));
    folder.succeed("convert dem.asc -o dem.tif");
    folder.succeed("convert dem.tif -o back.asc");
    let back = text(&folder.read("back.asc"));
    assert!(back.starts_with(grid), "{back}");
    let json: serde_json::Value =
        serde_json::from_str(&folder.succeed("info dem.tif --json")).unwrap();
    assert_eq!(json["corner"], serde_json::json!([500_000.0, 4_000_000.0]));
    // Heights outside 0 to 1 are meters.
    assert_eq!(
        (&json["spacing"], &json["relief"]),
        (&30.0.into(), &1.0.into())
    );
    assert_eq!(json["sea_level"], 0.0);
    // Options override the file.
    folder.succeed("convert dem.tif --spacing 10 -o other.asc");
    assert!(text(&folder.read("other.asc")).contains("xllcorner 0\nyllcorner 0\ncellsize 10\n"));
    // With half the cell size, the outermost cells keep their positions.
    folder.write(
        "row.asc",
        "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 30\n0 1 2 0 1 2 0 1 2\n",
    );
    folder.succeed("convert row.asc --resize 5 -o fine.asc");
    let fine = text(&folder.read("fine.asc"));
    assert!(
        fine.contains("xllcorner 7.5\nyllcorner 7.5\ncellsize 15\n"),
        "{fine}"
    );
    assert!(fine.contains("0.0 0.5 1.0 1.5 2.0"), "{fine}");
}

#[test]
fn fits_heights_into_range() {
    let folder = Folder::new();
    folder.write(
        "a.asc",
        "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n-0.5 0.25 1 1.5\n",
    );
    let heights = |words: &str| {
        folder.succeed(words);
        folder.succeed("convert b.png --heights unit -o c.asc");
        let text = text(&folder.read("c.asc"));
        let words = text.split_whitespace().skip(10);
        words
            .map(|word| word.parse().unwrap())
            .collect::<Vec<f32>>()
    };
    let near = |found: Vec<f32>, expected: [f32; 4]| {
        let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
        assert!(
            off.fold(0.0, f32::max) < 1e-4,
            "found {found:?}, expected {expected:?}"
        );
    };
    near(heights("convert a.asc -o b.png"), [0.0, 0.375, 0.75, 1.0]);
    near(
        heights("convert a.asc --clamp -o b.png"),
        [0.0, 0.25, 1.0, 1.0],
    );
    near(
        heights("convert a.asc --normalize -o b.png"),
        [0.0, 0.375, 0.75, 1.0],
    );
    near(
        heights("filter a.asc --by Invert --clamp -o b.png"),
        [1.0, 0.75, 0.0, 0.0],
    );
    folder.refuse("convert a.asc --clamp --normalize -o b.png", &["--clamp"]);
    folder.succeed("generate volcano --resize 64 --clamp -o small.png");
    assert!(folder.succeed("info small.png").contains("64 x 64 cells"));
    folder.refuse("generate volcano --resize 64 -o small.ron", &["--resize"]);
}

#[test]
fn sidecar_describes_raw() {
    let folder = Folder::new();
    folder.succeed("generate hills --size 64x48 --set radius_max=20 --spacing 30 --relief 700 -o a.r16 --sidecar");
    let json: serde_json::Value = serde_json::from_slice(&folder.read("a.r16.json")).unwrap();
    assert_eq!(
        (&json["width"], &json["spacing"], &json["relief"]),
        (&64.into(), &[30.0, 30.0].into(), &700.0.into())
    );
    folder.succeed("convert a.r16 -o b.raw --to-raw-format f32 --sidecar");
    folder.succeed("convert b.raw -o c.asc");
    assert!(
        text(&folder.read("c.asc"))
            .to_lowercase()
            .contains("cellsize 30")
    );
    folder.write("a.r16.json", "{\"version\": 1}");
    folder.refuse("convert a.r16 -o d.png", &["a.r16.json", "missing"]);
    folder.refuse("convert b.raw --big-endian -o d.png", &["--big-endian"]);
    folder.refuse(
        "convert b.raw -o d.tif --sidecar",
        &["--sidecar is only for .png, .raw"],
    );
    folder.refuse(
        "convert b.raw -o - --format raw --sidecar",
        &["--sidecar needs a file"],
    );
}

#[test]
fn pipes_transfer_maps_and_recipes() {
    let folder = Folder::new();
    folder.succeed("generate hills --size 64 --set radius_max=20 -o a.png");
    let piped = folder
        .command("generate hills --size 64 --set radius_max=20 -o - --format png")
        .output()
        .unwrap();
    assert_eq!(piped.stdout, folder.read("a.png"));
    assert_eq!(text(&piped.stderr), "");
    let to_tiff = "convert - --heights unit -o - --format tif";
    let tiff = fed(&folder, to_tiff, &piped.stdout);
    assert_eq!(io::Format::sniff(&tiff.stdout), Some(io::Format::Tiff));
    let again = fed(&folder, "convert - -o b.png", &tiff.stdout);
    assert!(again.status.success(), "{}", text(&again.stderr));
    let pixels = |name: &str| io::read_png(&folder.read(name)).unwrap();
    assert_eq!(pixels("b.png"), pixels("a.png"));
    let recipe = folder
        .command("generate hills --size 64 --set radius_max=20 -o - --format ron")
        .output()
        .unwrap();
    let made = fed(&folder, "convert - --seed 0 -o c.png", &recipe.stdout);
    assert!(made.status.success(), "{}", text(&made.stderr));
    assert_eq!(folder.read("c.png"), folder.read("a.png"));
    folder.succeed("convert a.png -o a.r16");
    let raw = fed(
        &folder,
        "convert - --size 64 -o d.png",
        &folder.read("a.r16"),
    );
    assert!(raw.status.success(), "{}", text(&raw.stderr));
    assert_eq!(pixels("d.png"), pixels("a.png"));
    for (input, word) in [
        (&b"\x89PNG\r\n\x1a\nbroken"[..], "PNG"),
        (b"", "line 1"),
        (b"\xff\xfe", "UTF-8"),
    ] {
        let output = fed(&folder, "convert - -o e.png", input);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(word) && said.lines().count() == 1, "{said}");
    }
    folder.refuse("convert a.png -o -", &["--format"]);
    folder.refuse("convert a.png -o - --format gif", &["--format"]);
}

#[test]
fn stretches_heights_for_integers() {
    let folder = Folder::new();
    folder.write("dem.asc", "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 25\nNODATA_value -9999\n120 130 140\n150 -9999 170\n");
    folder.refuse(
        "convert dem.asc -o a.tif",
        &["column 1, row 1", "no height", "--fill"],
    );
    folder.write(
        "nan.asc",
        "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 25\n1 2\nnan 4\n",
    );
    folder.refuse("convert nan.asc -o a.tif", &["NaN", "--fill interpolate"]);
    for fill in ["nan", "inf", "1e99"] {
        let words = format!("convert dem.asc --fill {fill} -o a.tif");
        folder.refuse(&words, &["--fill", "must be a height or `interpolate`"]);
    }
    let said = folder.succeed("convert dem.asc --fill 120 -o a.png");
    let words = "heights 120 to 170 m, 120 m written as 0 and 170 m as 65535";
    assert!(said.contains(words), "{said}");
    let map = io::read_png(&folder.read("a.png")).unwrap();
    assert_eq!(map.row(0), [0.0, 13_107.0 / 65_535.0, 26_214.0 / 65_535.0]);
    folder.succeed("convert dem.asc --fill 120 -o a.exr");
    assert_eq!(
        io::read_exr(&folder.read("a.exr")).unwrap().range(),
        (120.0, 170.0)
    );
}

/// A recipe may come from an untrusted source: it can only read files next to it.
#[test]
fn recipes_only_read_images_next_to_them() {
    let folder = Folder::new();
    let recipe = |image: &str| {
        format!("(version: 1, size: (64, 64), steps: {{ \"coast\": Image(name: \"{image}\") }})")
    };
    std::fs::create_dir(folder.path("in")).unwrap();
    folder.succeed("generate hills --size 64 --set radius_max=20 -o in/coast.tif");
    folder.write("in/a.ron", recipe("coast.tif"));
    folder.write("b.ron", recipe("in/coast.tif"));
    folder.succeed("generate in/a.ron -o a.r32");
    folder.succeed("convert b.ron -o b.r32");
    assert_eq!(folder.read("a.r32"), folder.read("b.r32"));
    folder.write("in/up.ron", recipe("../b.png"));
    folder.refuse(
        "generate in/up.ron -o a.png",
        &["step `coast`", "../b.png", "next to its recipe"],
    );
    folder.write("c.ron", recipe("/etc/hostname"));
    folder.refuse("generate c.ron -o a.png", &["next to its recipe"]);
    folder.write("c.ron", recipe("none.png"));
    folder.refuse("generate c.ron -o a.png", &["none.png", "No such file"]);
}

/// Files that declare the maximum size are rejected before memory is allocated.
#[test]
fn rejects_hostile_files() {
    let folder = Folder::new();
    let progress = Progress::default();
    let map = Heightmap::flat(MapSize::new(8, 8).unwrap());
    let map = ElevationModel::of_heights(map);
    for format in io::Format::ALL
        .into_iter()
        .filter(|format| format.is_read() && format.is_written())
    {
        let ending = format.extensions()[0];
        if ending == "raw" {
            continue;
        }
        let mut file = Vec::new();
        let options = io::WriteOptions::default();
        io::write(&map, format, &options, &mut file, &progress).unwrap();
        let name = format!("a.{ending}");
        // Some of the points of an XYZ file are a smaller map.
        if format != io::Format::Xyz {
            folder.write(&name, &file[..file.len() / 2]);
            folder.refuse(&format!("convert {name} -o b.r32"), &[&name]);
        }
        folder.write(&name, "");
        folder.refuse(&format!("convert {name} -o b.r32"), &[&name]);
    }
    folder.write("a.asc", "ncols 16384\nnrows 16384\ncellsize 1\n0 1 2\n");
    folder.refuse("convert a.asc -o b.r32", &["a.asc"]);
    folder.write("a.pgm", "P5 16384 16384 255\n");
    folder.refuse("convert a.pgm -o b.r32", &["a.pgm"]);
    folder.write("a.pgm", "P5 99999999999 4 255\n");
    folder.refuse("convert a.pgm -o b.r32", &["a.pgm"]);
}

#[test]
fn crop_keeps_georeference() {
    let folder = Folder::new();
    let rows = "0 1 2 3 4\n5 6 7 8 9\n10 11 12 13 14\n15 16 17 18 19\n";
    let head = "ncols 5\nnrows 4\nxllcorner 100\nyllcorner 200\ncellsize 10\n";
    folder.write("dem.asc", format!("{head}{rows}"));
    folder.succeed("convert dem.asc --crop 3x2+1+1 -o part.asc");
    let part = String::from_utf8(folder.read("part.asc")).unwrap();
    assert_eq!(
        part,
        "ncols 3\nnrows 2\nxllcorner 110\nyllcorner 210\ncellsize 10\n\
         6.0 7.0 8.0\n11.0 12.0 13.0\n"
    );
    // The region is selected first, and then resampled.
    let said = folder.succeed("convert dem.asc --crop 3x3+2+0 --resize 5 -o fine.asc");
    assert!(said.contains("5x5"), "{said}");
    let fine = String::from_utf8(folder.read("fine.asc")).unwrap();
    assert!(fine.contains("cellsize 5\n2.0 2.5 3.0 3.5 4.0\n"), "{fine}");
    let wrong = [
        ("3x2+3+0", "is outside of the map, which has 5x4 cells"),
        ("3x2+0+3", "--crop 3x2+0+3"),
        ("6x2+0+0", "5x4"),
        ("3x2+18446744073709551615+0", "is outside"),
        ("3x2", "640x480+0+32"),
        ("3x2+1", "640x480+0+32"),
        ("3x2+-1+0", "640x480+0+32"),
        ("1x2+0+0", "from 2 to 16384"),
    ];
    for (crop, part) in wrong {
        folder.refuse(&format!("convert dem.asc --crop {crop} -o x.asc"), &[part]);
    }
}

#[test]
fn crop_of_recipe_matches_whole_map() {
    let folder = Folder::new();
    folder.succeed("generate alpine --size 96x80 -o whole.asc");
    folder.succeed("generate alpine --size 96x80 --crop 30x20+50+10 -o made.asc");
    folder.succeed("convert alpine --size 96x80 --crop 30x20+50+10 -o part.asc");
    folder.succeed("convert whole.asc --crop 30x20+50+10 -o cut.asc");
    assert_eq!(folder.read("made.asc"), folder.read("cut.asc"));
    assert_eq!(folder.read("part.asc"), folder.read("cut.asc"));
    folder.refuse(
        "generate alpine --size 64 --crop 65x2+0+0 -o x.asc",
        &["64x64"],
    );
    folder.refuse("generate alpine --crop 5x5+0+0 -o x.ron", &["--crop"]);
    let said = folder.succeed("render alpine --size 96x80 --view top --crop 30x20+50+10 -o a.png");
    assert!(said.contains("30x20 pixels"), "{said}");
}
