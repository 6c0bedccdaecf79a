//! `--range`: the same height has the same integer in several files.

use lanternfell_heightmap::{Elevation, ElevationModel, Heightmap, MapFrame, MapSize, Progress};
use lanternfell_io::{self as io, Format, RawFormat, WriteOptions};

use super::Folder;

/// Writes a GeoTIFF in meters.
pub fn write_dem(
    folder: &Folder,
    name: &str,
    (width, height): (u64, u64),
    z: fn(usize, usize) -> f32,
) {
    let size = MapSize::new(width, height).unwrap();
    let mut frame = MapFrame {
        elevation: Elevation::METERS,
        elevation_is_explicit: true,
        ..MapFrame::of_size(size)
    };
    frame.place.corner = [500_000.0, 4_000_000.0];
    frame.place.cell = [30.0; 2];
    frame.place.system = Some(lanternfell_heightmap::CoordinateSystem::Projected(32_633));
    frame.place_is_explicit = true;
    let model: ElevationModel = frame.of(Heightmap::from_fn(size, z).unwrap());
    let mut bytes = Vec::new();
    let options = WriteOptions::default();
    io::write(
        &model,
        Format::Tiff,
        &options,
        &mut bytes,
        &Progress::default(),
    )
    .unwrap();
    folder.write(name, bytes);
}

/// From 100 m in the northwest to 1000 m or more in the southeast.
pub fn slope(x: usize, y: usize) -> f32 {
    100.0 + 10.0 * x as f32 + 3.5 * y as f32
}

fn words(bytes: &[u8]) -> Vec<u16> {
    let words = bytes.as_chunks().0.iter();
    words.map(|&word| u16::from_le_bytes(word)).collect()
}

/// Reported: two crops of one elevation model did not fit each other as integers.
#[test]
fn crops_have_the_same_scale() {
    let folder = Folder::new();
    write_dem(&folder, "dem.tif", (60, 50), slope);
    let said = folder.succeed("convert dem.tif --range 0:2000 -o whole.r16");
    assert!(
        said.contains("0 m written as 0 and 2000 m as 65535"),
        "{said}"
    );
    folder.succeed("convert dem.tif --range 0:2000 --crop 20x10+30+25 -o part.r16");
    let (whole, part) = (
        words(&folder.read("whole.r16")),
        words(&folder.read("part.r16")),
    );
    for y in 0..10 {
        assert_eq!(part[20 * y..][..20], whole[60 * (25 + y) + 30..][..20]);
    }
    assert_eq!(whole[0], (100.0_f64 / 2000.0 * 65_535.0).round() as u16);
    // Without the option, each crop has its own scale.
    folder.succeed("convert dem.tif --crop 20x10+30+25 -o own.r16");
    assert_ne!(words(&folder.read("own.r16")), part);
}

#[test]
fn heights_outside_are_an_error_or_clamped() {
    let folder = Folder::new();
    write_dem(&folder, "dem.tif", (60, 50), slope);
    folder.refuse(
        "convert dem.tif --range 0:500 -o a.png",
        &["column 41, row 0 is 510 m", "from 0 to 500 m", "clamp"],
    );
    folder.succeed("convert dem.tif --range 0:500 --clamp -o a.r16 -q");
    let found = words(&folder.read("a.r16"));
    assert_eq!(found[59], 65_535);
    assert_eq!(found[0], (100.0_f64 / 500.0 * 65_535.0).round() as u16);
}

#[test]
fn rejects_ranges_without_effect() {
    let folder = Folder::new();
    write_dem(&folder, "dem.tif", (60, 50), slope);
    for format in ["tif", "exr", "asc", "xyz", "r32", "glb"] {
        folder.refuse(
            &format!("convert dem.tif --range 0:2000 -o a.{format}"),
            &["--range is only for integers", "--heights unit"],
        );
    }
    folder.refuse(
        "convert dem.tif --range 0:2000 --to-encoding terrarium -o a.png",
        &["--range is only for integers"],
    );
    for wrong in ["5:5", "9:1", "1", "a:b", "nan:1", "0:inf", "-1e308:1.7e308"] {
        folder.refuse(
            &format!("convert dem.tif --range {wrong} -o a.png"),
            &["--range", "LOW:HIGH in meters, LOW below HIGH"],
        );
    }
    let output = folder
        .command("convert dem.tif --range 0:2000 --normalize -o a.png")
        .output();
    assert_eq!(output.unwrap().status.code(), Some(2));
    folder.refuse(
        "generate hills --range 0:100 -o a.ron",
        &["--range", "only for maps, not for recipes"],
    );
}

/// A recipe's heights are from 0 to 1, and its relief converts the range.
#[test]
fn generate_writes_a_range_of_meters() {
    let folder = Folder::new();
    let recipe = "generate fractal-noise --size 33 --relief 100";
    folder.succeed(&format!("{recipe} -o plain.r32 -q"));
    let said = folder.succeed(&format!("{recipe} --range -50:150 -o a.png"));
    assert!(
        said.contains("-50 m written as 0 and 150 m as 65535"),
        "{said}"
    );
    let size = MapSize::new(33, 33).unwrap();
    let plain = io::read_raw(&folder.read("plain.r32"), size, RawFormat::R32).unwrap();
    let image = io::read(&folder.read("a.png"), Format::Png, &Default::default()).unwrap();
    for (&found, &z) in image.heights.heights().iter().zip(plain.heights()) {
        let meters = image.frame.elevation.meters(found);
        assert!(
            (meters - 100.0 * f64::from(z)).abs() < 0.01,
            "{meters}, {z}"
        );
    }
    folder.succeed(&format!(
        "{recipe} --range -50:150 --heights unit -o unit.r32 -q"
    ));
    let unit = io::read_raw(&folder.read("unit.r32"), size, RawFormat::R32).unwrap();
    let expected = (100.0 * plain.heights()[0] + 50.0) / 200.0;
    assert!((unit.heights()[0] - expected).abs() < 1e-6);
}
