//! `--band`, `--channel` and `--part`: files with several maps.

use std::process::Stdio;

use lanternfell_heightmap::Heightmap;
use lanternfell_io::{self as io, Format, ReadOptions};

use super::{Folder, text};

const SIDE: u32 = 8;

/// A TIFF of signed 16-bit numbers with this many bands. Band n has heights from 100 n.
fn tiff(bands: u16) -> Vec<u8> {
    let count = u32::from(bands);
    let tags: [(u16, u16, u32); 9] = [
        (256, 4, SIDE),
        (257, 4, SIDE),
        (258, 3, 16),
        (259, 3, 1),
        (262, 3, 1),
        // The strip follows the header, the directory and its end.
        (273, 4, 8 + 2 + 9 * 12 + 4),
        (277, 3, count),
        (279, 4, 2 * count * SIDE * SIDE),
        (339, 3, 2),
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
    for cell in 0..SIDE * SIDE {
        file.extend((1..=bands).flat_map(|band| (100 * band + cell as u16).to_le_bytes()));
    }
    file
}

/// An uncompressed OpenEXR image with these channels, in the order of their names. Channel n has heights from 100 n.
fn exr(channels: &[&str]) -> Vec<u8> {
    let mut file = b"\x76\x2f\x31\x01\x02\0\0\0".to_vec();
    let mut attribute = |name: &str, kind: &str, value: &[u8]| {
        file.extend([name.as_bytes(), b"\0", kind.as_bytes(), b"\0"].concat());
        file.extend((value.len() as u32).to_le_bytes());
        file.extend(value);
    };
    let mut list = Vec::new();
    for name in channels {
        list.extend([name.as_bytes(), b"\0"].concat());
        // `f32`, and one sample per pixel along both axes.
        list.extend([2_u32, 0, 1, 1].map(u32::to_le_bytes).concat());
    }
    list.push(0);
    let window = [0, 0, SIDE - 1, SIDE - 1].map(u32::to_le_bytes).concat();
    attribute("channels", "chlist", &list);
    attribute("compression", "compression", &[0]);
    attribute("dataWindow", "box2i", &window);
    attribute("displayWindow", "box2i", &window);
    attribute("lineOrder", "lineOrder", &[0]);
    attribute("pixelAspectRatio", "float", &1_f32.to_le_bytes());
    attribute("screenWindowCenter", "v2f", &[0; 8]);
    attribute("screenWindowWidth", "float", &1_f32.to_le_bytes());
    file.push(0);
    let row = 4 * SIDE * channels.len() as u32;
    let first = file.len() as u64 + 8 * u64::from(SIDE);
    for y in 0..u64::from(SIDE) {
        file.extend((first + y * u64::from(8 + row)).to_le_bytes());
    }
    for y in 0..SIDE {
        file.extend([y, row].map(u32::to_le_bytes).concat());
        for channel in 0..channels.len() as u32 {
            let height = |x| (100 * (channel + 1) + y * SIDE + x) as f32;
            file.extend((0..SIDE).flat_map(|x| height(x).to_le_bytes()));
        }
    }
    file
}

fn read(folder: &Folder, name: &str) -> Heightmap {
    let options = ReadOptions::default();
    let model = io::read(&folder.read(name), Format::Tiff, &options).unwrap();
    model.heights
}

#[track_caller]
fn assert_starts_at(folder: &Folder, low: f32) {
    let last = (SIDE * SIDE - 1) as f32;
    assert_eq!(read(folder, "out.tif").range(), (low, low + last));
}

#[test]
fn selects_a_band() {
    let folder = Folder::new();
    folder.write("three.tif", tiff(3));
    folder.write("one.tif", tiff(1));
    let several = "three.tif: the file has 3 bands: select one with --band";
    for command in [
        "convert three.tif -o out.tif",
        "info three.tif",
        "measure three.tif --what slope -o out.tif",
        "render three.tif --view hillshade -o out.png",
        "preview three.tif",
        "mesh three.tif -o out.obj",
        "filter three.tif --by Invert -o out.tif",
        "erode three.tif --droplets 0.1 -o out.tif",
    ] {
        folder.refuse(command, &[several]);
        let command = format!("{command} --band 2");
        folder.succeed(&command);
    }
    for band in 1..=3 {
        folder.succeed(&format!("convert three.tif --band {band} -o out.tif"));
        assert_starts_at(&folder, 100.0 * band as f32);
        let json = folder.succeed(&format!("info three.tif --band {band} --json"));
        assert!(json.contains(&format!("\"lowest\":{band}00.0")), "{json}");
    }
    folder.succeed("convert one.tif --band 1 -o out.tif");
    assert_starts_at(&folder, 100.0);
    // A mask between two values is another option.
    folder.succeed("measure three.tif --band 3 --what elevation --between 310:320 -o out.tif");
    let mask = read(&folder, "out.tif");
    assert_eq!(
        mask.heights().iter().filter(|&&share| share == 1.0).count(),
        11
    );
}

#[test]
fn reads_a_band_from_a_pipe() {
    let folder = Folder::new();
    folder.write("three.tif", tiff(3));
    let mut command = folder.command("convert - --band 3 -o out.tif");
    command.stdin(std::fs::File::open(folder.path("three.tif")).unwrap());
    let output = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_starts_at(&folder, 300.0);
}

#[test]
fn selects_a_channel_or_part() {
    let folder = Folder::new();
    folder.write("two.exr", exr(&["height.Z", "mask.Y"]));
    folder.write("one.exr", exr(&["Z"]));
    folder.refuse(
        "convert two.exr -o out.tif",
        &["two.exr: the file has the channels `height.Z`, `mask.Y`: select one with --channel"],
    );
    for (options, low) in [
        ("two.exr --channel height.Z", 100.0),
        ("two.exr --channel mask.Y", 200.0),
        ("two.exr --part 0 --channel mask.Y", 200.0),
        ("one.exr --channel Z", 100.0),
        ("one.exr --part 0", 100.0),
        ("one.exr", 100.0),
    ] {
        folder.succeed(&format!("convert {options} -o out.tif"));
        assert_starts_at(&folder, low);
        let json = folder.succeed(&format!("info {options} --json"));
        assert!(json.contains(&format!("\"lowest\":{low:.1}")), "{json}");
    }
    folder.refuse(
        "info two.exr --channel fog",
        &["--channel is `fog`, but the file has the channels `height.Z`, `mask.Y`"],
    );
    folder.refuse(
        "info one.exr --part 1",
        &["--part is `1`, but the file has the part 0"],
    );
}

#[test]
fn rejects_options_that_do_not_apply() {
    let folder = Folder::new();
    folder.write("three.tif", tiff(3));
    folder.write("one.exr", exr(&["Z"]));
    folder.succeed("generate hills --size 32 -o a.png");
    for (words, part) in [
        (
            "info three.tif --band 4",
            "--band is 4, but the file has 3 bands",
        ),
        ("info three.tif --band 0", "must be a whole number from 1"),
        ("info three.tif --band 1:2", "--between FROM:TO"),
        ("info a.png --band 1", "--band is only for .tif files"),
        ("info one.exr --band 1", "--band is only for .tif files"),
        (
            "info three.tif --channel Z",
            "--channel is only for .exr files",
        ),
        ("info three.tif --part 0", "--part is only for .exr files"),
        ("info hills --band 1", "--band is only for .tif files"),
    ] {
        folder.refuse(words, &[part]);
    }
}
