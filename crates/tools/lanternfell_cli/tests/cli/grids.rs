//! XYZ, SRTM, ESRI grids, RAW of whole meters, and heights as colors.

use serde_json::Value;

use super::{Folder, heights::info};

const XYZ: &str = "0 0 100\n30 0 200\n0 30 300\n30 30 400\n";

fn string(folder: &Folder, name: &str) -> String {
    String::from_utf8(folder.read(name)).unwrap()
}

fn range(folder: &Folder, words: &str) -> (f64, f64) {
    let json: Value = serde_json::from_str(&folder.succeed(words)).unwrap();
    let meters = |name: &str| json["elevation_meters"][name].as_f64().unwrap();
    (meters("lowest"), meters("highest"))
}

#[test]
fn xyz_is_read_and_written_in_meters() {
    let folder = Folder::new();
    folder.write("a.xyz", XYZ);
    folder.succeed("convert a.xyz -o a.asc");
    let header = "ncols 2\nnrows 2\nxllcorner -15\nyllcorner -15\ncellsize 30\n";
    assert_eq!(
        string(&folder, "a.asc"),
        format!("{header}300.0 400.0\n100.0 200.0\n")
    );
    folder.succeed("convert a.asc -o b.xyz");
    let expected = "0 30 300.0\n30 30 400.0\n0 0 100.0\n30 0 200.0\n";
    assert_eq!(string(&folder, "b.xyz"), expected);
    folder.write("gap.xyz", &XYZ[8..]);
    folder.refuse(
        "convert gap.xyz -o b.asc",
        &["column 0, row 1 has no height", "--fill"],
    );
    folder.succeed("convert gap.xyz --fill -5 -o b.asc");
    assert!(string(&folder, "b.asc").ends_with("\n-5.0 200.0\n"));
    // Unpacked to a file, and read completely.
    assert_eq!(
        range(&folder, "info gap.xyz --fill 50 --json"),
        (50.0, 400.0)
    );
    assert_eq!(
        range(&folder, "info gap.xyz --fill interpolate --json"),
        (200.0, 400.0)
    );
    // Heights from 0 to 1 are meters as well.
    folder.write("low.xyz", "0 0 0\n1 0 1\n0 1 0.5\n1 1 0.25\n");
    assert_eq!(range(&folder, "info low.xyz --json"), (0.0, 1.0));
    folder.refuse("info a.xyz --size 2", &["--size is not allowed for .xyz"]);
}

#[test]
fn srtm_place_is_its_name() {
    let folder = Folder::new();
    let mut bytes: Vec<u8> = (0..1201 * 1201_u32)
        .map(|cell| (cell % 1201) as u16)
        .flat_map(u16::to_be_bytes)
        .collect();
    folder.write("N38W010.hgt", &bytes);
    folder.succeed("convert N38W010.hgt --crop 2x2+0+1199 -o a.xyz");
    let text = string(&folder, "a.xyz");
    let numbers: Vec<f64> = text
        .split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect();
    let step = 1.0 / 1200.0;
    let expected = [
        [-10.0, 38.0 + step, 0.0],
        [-10.0 + step, 38.0 + step, 1.0],
        [-10.0, 38.0, 0.0],
        [-10.0 + step, 38.0, 1.0],
    ];
    for (found, expected) in numbers.iter().zip(expected.concat()) {
        assert!((found - expected).abs() < 1e-9, "{text}");
    }
    assert_eq!(range(&folder, "info N38W010.hgt --json"), (0.0, 1200.0));
    folder.write("dem.hgt", &bytes);
    for command in ["convert dem.hgt -o a.tif", "info dem.hgt"] {
        folder.refuse(command, &["dem.hgt: the name", "N38W010.hgt"]);
    }
    folder.write("N38W011.hgt", &bytes[2..]);
    folder.refuse(
        "info N38W011.hgt",
        &["2884800 bytes", "2884802 (1201x1201)"],
    );
    bytes[..2].copy_from_slice(&[0x80, 0]);
    folder.write("N38W010.hgt", &bytes);
    folder.refuse("info N38W010.hgt", &["column 0, row 0 has no height"]);
    folder.succeed("convert N38W010.hgt --fill -3 --crop 2x2+0+0 -o a.xyz");
    assert!(string(&folder, "a.xyz").contains(" -3.0\n"));
    folder.refuse("convert a.xyz -o b.hgt", &["cannot write b.hgt", ".xyz"]);
}

#[test]
fn esri_grids_need_their_header() {
    let folder = Folder::new();
    let numbers = [1.5_f32, -2.0, 3.0, -9999.0];
    let bytes: Vec<u8> = numbers.iter().flat_map(|z| z.to_le_bytes()).collect();
    folder.write("a.flt", &bytes);
    folder.refuse(
        "info a.flt",
        &["a.flt: its header file a.hdr does not exist"],
    );
    folder.write("a.hdr", "ncols 2\nnrows 2\ncellsize 5\n");
    assert_eq!(range(&folder, "info a.flt --json"), (-9999.0, 3.0));
    folder.write(
        "a.hdr",
        "ncols 2\nnrows 2\ncellsize 5\nNODATA_value -9999\n",
    );
    folder.refuse("info a.flt", &["column 1, row 1 has no height"]);
    folder.succeed("convert a.flt --fill 0 -o a.asc");
    let header = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 5\nNODATA_value -9999\n";
    assert_eq!(
        string(&folder, "a.asc"),
        format!("{header}1.5 -2.0\n3.0 0.0\n")
    );
    folder.write("a.bil", [1, 2, 3]);
    folder.refuse("info a.bil", &["the file has 3 bytes", "has 4 bytes"]);
    folder.write("a.hdr", "ncols 2\nnrows x\n");
    folder.refuse("info a.bil", &["a.hdr", "NROWS is `x`"]);
    folder.refuse("convert a.asc -o b.bil", &["cannot write b.bil"]);
}

#[test]
fn raw_holds_whole_meters_in_both_orders() {
    let folder = Folder::new();
    folder.write("a.xyz", XYZ);
    folder.succeed("convert a.xyz --to-raw-format i16 --to-big-endian -o a.raw");
    assert_eq!(folder.read("a.raw"), [1, 44, 1, 144, 0, 100, 0, 200]);
    folder.succeed("convert a.raw --size 2 --raw-format i16 --big-endian -o b.asc");
    assert!(string(&folder, "b.asc").ends_with("\n300.0 400.0\n100.0 200.0\n"));
    // Low terrain is in meters too, also in row by row measurements.
    folder.write("low.raw", [0, 0, 1, 0, 0, 0, 1, 0]);
    assert_eq!(
        range(&folder, "info low.raw --size 2 --raw-format i16 --json"),
        (0.0, 1.0)
    );
    folder.succeed("convert a.xyz --to-raw-format i16 --sidecar -o c.raw");
    folder.succeed("convert c.raw -o c.xyz");
    assert_eq!(
        string(&folder, "c.xyz"),
        "0 30 300.0\n30 30 400.0\n0 0 100.0\n30 0 200.0\n"
    );
    folder.refuse(
        "convert a.xyz --heights unit --to-raw-format i16 -o d.raw",
        &["hold meters"],
    );
    folder.write("high.xyz", XYZ.replace("400", "40000"));
    folder.refuse(
        "convert high.xyz --to-raw-format i16 -o d.raw",
        &["column 1, row 0 is 40000 m", "-32768 to 32767"],
    );
    folder.refuse(
        "tile hills --size 64 --tile 32 --format raw --raw-format i16 -o tiles",
        &["i16"],
    );
}

#[test]
fn colors_encode_meters() {
    let folder = Folder::new();
    folder.write("a.xyz", XYZ);
    for name in ["terrarium", "mapbox"] {
        folder.succeed(&format!("convert a.xyz --to-encoding {name} -o a.png"));
        for command in ["convert a.png -o b.asc", "info a.png"] {
            folder.refuse(command, &["not gray", &format!("(--encoding {name})")]);
        }
        assert_eq!(
            range(&folder, &format!("info a.png --encoding {name} --json")),
            (100.0, 400.0)
        );
        folder.succeed(&format!("convert a.png --encoding {name} -o b.xyz"));
        let expected = "0 30 300.0\n30 30 400.0\n0 0 100.0\n30 0 200.0\n";
        assert_eq!(string(&folder, "b.xyz"), expected);
        std::fs::remove_file(folder.path("b.xyz")).unwrap();
    }
    folder.succeed("generate volcano --resize 33 --to-encoding terrarium -o volcano.png");
    folder.succeed("generate volcano --resize 33 -o volcano.tif");
    let (low, high) = range(&folder, "info volcano.tif --json");
    let (a, b) = range(&folder, "info volcano.png --encoding terrarium --json");
    assert!((a - low).abs() < 1.0 / 500.0 && (b - high).abs() < 1.0 / 500.0);
    folder.refuse(
        "convert a.xyz --to-encoding mapbox -o b.tif",
        &["--to-encoding is only for .png"],
    );
    folder.refuse(
        "convert a.xyz --encoding mapbox -o b.tif",
        &["--encoding is only for .png"],
    );
    folder.refuse(
        "convert a.xyz --to-encoding mapbox --bits 8 -o b.png",
        &["--bits"],
    );
    folder.refuse(
        "measure a.xyz --what slope --to-encoding mapbox -o b.png",
        &["--to-encoding"],
    );
    folder.refuse(
        "convert hills --encoding mapbox -o b.png",
        &["--encoding is only for .png"],
    );
}

#[test]
fn meaning_and_no_data_can_be_chosen() {
    let folder = Folder::new();
    folder.write("low.xyz", "0 0 0\n1 0 1\n0 1 0.5\n1 1 0.25\n");
    folder.write("a.bil", [0, 51, 102, 255]);
    folder.write("a.hdr", "ncols 2\nnrows 2\n");
    folder.write("a.raw", [0, 0, 1, 0, 0, 0, 1, 0]);
    folder.write("b.xyz", XYZ);
    folder.succeed("convert b.xyz --to-encoding terrarium -o b.png");
    let (raw, format) = (
        "a.raw --size 2 --raw-format i16",
        "the format stores elevations",
    );
    for (words, heights, reason) in [
        ("low.xyz", "meters", format),
        ("a.bil", "meters", format),
        (raw, "meters", "the numbers are signed or 32-bit integers"),
        (
            "b.png --encoding terrarium",
            "meters",
            "the file has a sidecar",
        ),
        (
            "low.xyz --read-heights unit",
            "0 to 1 of a",
            "--read-heights unit",
        ),
        (
            "a.bil --read-heights unit",
            "0 to 1 of a",
            "--read-heights unit",
        ),
    ] {
        let found = info(&folder, words, "2x2");
        let meaning = &found["meaning"];
        assert!(
            meaning["heights"].as_str().unwrap().starts_with(heights),
            "{words}: {meaning}"
        );
        assert_eq!(meaning["reason"], reason, "{words}");
    }
    for (words, highest) in [
        ("low.xyz --nodata 1 --fill 0.75", 0.75),
        ("a.bil --nodata 255 --fill 3", 102.0),
        (&format!("{raw} --nodata 1 --fill 5"), 5.0),
        (
            "b.png --encoding terrarium --nodata 400 --fill interpolate",
            300.0,
        ),
    ] {
        let found = info(&folder, words, "2x2");
        assert_eq!(found["elevation_meters"]["highest"], highest, "{words}");
    }
    folder.refuse(
        "info low.xyz --nodata 1",
        &["column 1, row 1 has no height"],
    );
    folder.refuse(
        "info b.png --encoding terrarium --fill 3",
        &["--fill needs --nodata for PNG"],
    );
    // A padding that is too large for any map of this size.
    folder.write("a.hdr", "ncols 2\nnrows 2\nskipbytes 99999999999999\n");
    folder.refuse(
        "info a.bil",
        &["the file has 4 bytes", "has 100000000000003 bytes"],
    );
}
