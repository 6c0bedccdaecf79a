//! Heights in meters, cell sizes and georeferences are kept by all commands and formats.

use lanternfell_heightmap::{
    CoordinateSystem, Elevation, ElevationModel, GeoReference, Heightmap, MapFrame, MapSize,
    Progress, Scale,
};
use lanternfell_io::{self as io, Format, ReadOptions, Sample, Sidecar, WriteOptions};
use serde_json::Value;

use super::{Folder, text};

/// `dem.tif`: 9 x 5 cells of 30 by 20 m, with heights from -442 to 1301 m.
fn folder() -> (Folder, ElevationModel) {
    let size = MapSize::new(9, 5).unwrap();
    let height = |cell: usize| -442.0 + (cell * 17 % 45) as f32 * 1743.0 / 44.0;
    let heights = Heightmap::from_heights(size, (0..45).map(height).collect()).unwrap();
    let frame = MapFrame {
        elevation: Elevation::METERS,
        no_data: Some(-9999.0),
        place: GeoReference {
            cell: [30.0, 20.0],
            system: Some(CoordinateSystem::Projected(32_633)),
            ..GeoReference::at([500_000.0, 4_649_000.0], 1.0)
        },
        ..MapFrame::of_scale(Scale::of_size(size), true)
    };
    let dem = ElevationModel { heights, frame };
    let folder = Folder::new();
    let mut file = Vec::new();
    let (options, progress) = (WriteOptions::default(), Progress::default());
    io::write(&dem, Format::Tiff, &options, &mut file, &progress).unwrap();
    folder.write("dem.tif", file);
    (folder, dem)
}

fn read(folder: &Folder, name: &str) -> ElevationModel {
    let ending = name.rsplit('.').next().unwrap();
    let format = Format::from_extension(ending).unwrap();
    io::read(&folder.read(name), format, &ReadOptions::default()).unwrap()
}

fn info(folder: &Folder, words: &str) -> Value {
    serde_json::from_str(&folder.succeed(&format!("info {words} --json"))).unwrap()
}

#[track_caller]
fn assert_same_ground(found: &ElevationModel, expected: &ElevationModel, error: f64) {
    assert_eq!(found.size(), expected.size());
    let cells = found
        .heights
        .heights()
        .iter()
        .zip(expected.heights.heights());
    for (&a, &b) in cells {
        let [a, b] = [(a, found), (b, expected)].map(|(z, map)| map.frame.elevation.meters(z));
        assert!((a - b).abs() <= error, "found {a} m, expected {b} m");
    }
}

#[test]
fn normalizing_keeps_meters() {
    let (folder, dem) = folder();
    let said = folder.succeed("convert dem.tif --normalise -o a.tif");
    assert!(said.contains("9x5, heights -442 to 1301 m, "), "{said}");
    let found = read(&folder, "a.tif");
    assert_same_ground(&found, &dem, 1e-4);
    assert_eq!(found.frame, dem.frame);
    folder.succeed("filter dem.tif --by Normalize -o b.asc");
    assert_same_ground(&read(&folder, "b.asc"), &dem, 1e-4);
    // --heights unit writes 0 to 1, and the file contains the scale and offset.
    let said = folder.succeed("convert dem.tif --heights unit -o c.tif");
    assert!(
        said.contains("-442 m written as 0 and 1301 m as 1"),
        "{said}"
    );
    let unit = read(&folder, "c.tif");
    assert_eq!(unit.heights.range(), (0.0, 1.0));
    assert_same_ground(&unit, &dem, 1e-3);
}

#[test]
fn unchanged_heights_in_meters_keep_their_bits() {
    let (folder, dem) = folder();
    for ending in ["tif", "exr", "asc"] {
        folder.succeed(&format!("convert dem.tif -o a.{ending}"));
        let found = read(&folder, &format!("a.{ending}")).heights;
        assert_eq!(found, dem.heights, "{ending}");
    }
    assert_eq!(folder.read("a.tif"), folder.read("dem.tif"));
}

#[test]
fn file_is_as_steep_as_generated_map() {
    let folder = Folder::new();
    folder.succeed("generate volcano --resize 96 -o v.tif");
    let steepest = |words: &str| {
        info(&folder, words)["slope_degrees"]["max"]
            .as_f64()
            .unwrap()
    };
    let own = steepest("volcano --resize 96");
    assert!(own > 10.0, "{own}");
    // As seen by a program that only knows cells and numbers.
    let file = read(&folder, "v.tif");
    assert_eq!(file.frame.elevation, Elevation::METERS);
    let cells = file.frame.place.cell[0];
    let seen = steepest(&format!("v.tif --spacing {cells} --relief 1"));
    assert!((seen - own).abs() < 1e-3, "found {seen}, expected {own}");
}

#[test]
fn relief_round_trips() {
    let folder = Folder::new();
    let made = "generate hills --size 64 --set radius_max=20 --relief 300";
    for ending in ["tif", "exr", "asc", "png"] {
        let said = folder.succeed(&format!("{made} -o a.{ending}"));
        assert!(said.contains("heights 0 to 300 m"), "{ending}: {said}");
        let json = info(&folder, &format!("a.{ending}"));
        assert_eq!(json["elevation_meters"]["lowest"], 0.0, "{ending}");
        assert_eq!(json["elevation_meters"]["highest"], 300.0, "{ending}");
    }
    // The relief survives further conversions.
    folder.succeed("convert a.png -o b.r16 --sidecar");
    folder.succeed("convert b.r16 -o c.tif");
    assert_eq!(read(&folder, "c.tif").heights.range(), (0.0, 300.0));
}

#[test]
fn spacing_is_that_of_finished_map() {
    let folder = Folder::new();
    let made = "generate hills --size 64 --set radius_max=20 --spacing 1";
    let said = folder.succeed(&format!("{made} --resize 2017 -o a.asc"));
    assert!(said.contains("2017x2017"), "{said}");
    let text = text(&folder.read("a.asc"));
    assert!(text.lines().any(|line| line == "cellsize 1"));
    // The map is wider, and its relief keeps the proportions.
    let high = info(&folder, "a.asc")["elevation_meters"]["highest"].clone();
    let expected = 0.16 * 64.0 * 2016.0 / 63.0;
    assert!(
        (high.as_f64().unwrap() / expected - 1.0).abs() < 1e-3,
        "{high}"
    );
    // The same for a file.
    folder.succeed("convert a.asc --spacing 3 --resize 505 -o b.tif");
    let file = read(&folder, "b.tif");
    assert_eq!(file.frame.place.cell, [3.0; 2]);
    // Its heights are meters, so they do not depend on the cell size.
    assert_eq!(file.range().1, high.as_f64().unwrap());
}

#[test]
fn resize_keeps_area_and_coordinate_system() {
    let (folder, dem) = folder();
    folder.succeed("convert dem.tif --resize 17x3 -o a.tif");
    let place = read(&folder, "a.tif").frame.place;
    assert_eq!(place.system, dem.frame.place.system);
    assert_eq!(place.cell, [15.0, 40.0]);
    // The centers of the outermost cells have not moved.
    assert_eq!(place.corner, [500_007.5, 4_648_990.0]);
    folder.succeed("convert dem.tif --resize 17x3 -o a.asc");
    let grid = text(&folder.read("a.asc"));
    assert!(grid.contains("\ndx 15\ndy 40\n"), "{grid}");
    assert_eq!(read(&folder, "a.asc").frame.place.cell, [15.0, 40.0]);
    folder.succeed("convert dem.tif --crop 4x3+2+1 -o b.tif");
    let part = read(&folder, "b.tif");
    assert_eq!(part.frame.place.corner, [500_060.0, 4_649_020.0]);
    assert_eq!(part.frame.place.system, dem.frame.place.system);
    assert_eq!(part.heights.get(0, 0), dem.heights.get(2, 1));
}

#[test]
fn summary_has_size_of_written_map() {
    let folder = Folder::new();
    let made = "hills --size 64 --set radius_max=20";
    for (options, size) in [("--resize 40x30", "40x30"), ("--crop 20x10+5+5", "20x10")] {
        for command in ["generate", "convert"] {
            let said = folder.succeed(&format!("{command} {made} {options} -o a.png"));
            assert!(said.contains(&format!("hills, {size}, seed 0")), "{said}");
            assert!(!said.contains("64x64"), "{said}");
        }
    }
}

#[test]
fn integers_report_their_range() {
    let (folder, dem) = folder();
    let step = 1743.0 / 65_535.0;
    for name in ["a.png", "a.r16", "a.pgm"] {
        let said = folder.succeed(&format!("convert dem.tif --sidecar -o {name}"));
        let words = "heights -442 to 1301 m, -442 m written as 0 and 1301 m as 65535";
        assert!(said.contains(words), "{said}");
        let sidecar = Sidecar::parse(&folder.read(&format!("{name}.json"))).unwrap();
        assert_eq!(sidecar.range, (-442.0, 1301.0), "{name}");
        let expected = Elevation {
            offset: -442.0,
            relief: 1743.0,
        };
        let expected = MapFrame {
            elevation: expected,
            ..dem.frame
        };
        assert_eq!(sidecar.frame, expected, "{name}");
        folder.succeed(&format!("convert {name} -o back.tif"));
        let back = read(&folder, "back.tif");
        assert_same_ground(&back, &dem, step);
        assert_eq!(back.frame, dem.frame, "{name}");
    }
    // A PNG contains the range itself; a TIFF of integers stores it like GDAL.
    std::fs::remove_file(folder.path("a.png.json")).unwrap();
    folder.succeed("convert a.png -o back.tif");
    assert_same_ground(&read(&folder, "back.tif"), &dem, step);
    folder.succeed("convert dem.tif --bits 16 -o b.tif");
    assert_same_ground(&read(&folder, "b.tif"), &dem, step);
    // A PNG without metadata has no text chunk.
    folder.succeed("generate hills --size 64 --set radius_max=20 -o plain.png");
    let plain = read(&folder, "plain.png").frame;
    assert!(!plain.elevation_is_explicit && !plain.place_is_explicit);
}

#[test]
fn metadata_round_trips_through_all_formats() {
    let (folder, _) = folder();
    folder.succeed("convert dem.tif -o a.exr");
    folder.succeed("convert a.exr -o b.tif");
    assert_eq!(folder.read("b.tif"), folder.read("dem.tif"));
    // A grid stores cells, corner and no-data value; the rest is next to it.
    folder.succeed("convert dem.tif --sidecar -o a.asc");
    let grid = text(&folder.read("a.asc"));
    assert!(grid.contains("\nNODATA_value -9999\n"), "{grid}");
    let xml = text(&folder.read("a.asc.aux.xml"));
    assert!(
        xml.contains("<SRS>EPSG:32633</SRS>") && xml.contains("<UnitType>m<"),
        "{xml}"
    );
    folder.succeed("convert a.asc -o c.tif");
    assert_eq!(folder.read("c.tif"), folder.read("dem.tif"));
    // The metadata files are also written without --sidecar if the coordinate system would be lost, and old ones are
    // updated.
    folder.succeed("convert dem.tif -o d.asc");
    assert!(folder.path("d.asc.aux.xml").is_file());
    assert!(text(&folder.read("d.prj")).contains("UTM_Zone_33N"));
    folder.succeed("generate hills --size 64 --set radius_max=20 -o d.asc");
    assert!(!text(&folder.read("d.asc.aux.xml")).contains("EPSG"));
    folder.succeed("generate hills --size 64 --set radius_max=20 -o e.asc");
    assert!(!folder.path("e.asc.aux.xml").exists());
    // A new map does not get the coordinate system of the map that it replaced.
    assert!(!folder.path("d.prj").exists());
}

#[test]
fn reads_georeference_next_to_file_or_rejects_it() {
    let (folder, dem) = folder();
    folder.succeed("convert dem.tif -o a.asc");
    folder.succeed("convert a.asc -o b.tif");
    assert_eq!(read(&folder, "b.tif").frame, dem.frame);
    // As GDAL writes it: only the .prj file defines that the coordinates are degrees.
    let degrees = "ncols 2\nnrows 2\nxllcorner 10\nyllcorner 47\ncellsize 0.01\n1 2\n3 4\n";
    folder.write("geo.asc", degrees);
    folder.write(
        "geo.prj",
        io::gdal_projection(CoordinateSystem::Geographic(4326)).unwrap(),
    );
    let found = info(&folder, "geo.asc");
    assert_eq!(found["epsg"], 4326);
    let [east, north] = [0, 1].map(|axis| found["spacing_meters"][axis].as_f64().unwrap());
    assert!((760.0..761.0).contains(&east), "{east}");
    assert!((1111.0..1112.0).contains(&north), "{north}");
    // An image with a world file.
    folder.succeed("generate hills --size 64 --set radius_max=20 -o c.png");
    folder.write("c.pgw", "20\n0\n0\n-20\n500010\n4649990\n");
    std::fs::copy(folder.path("a.prj"), folder.path("c.prj")).unwrap();
    folder.succeed("convert c.png -o c.tif");
    let place = read(&folder, "c.tif").frame.place;
    let [x, y] = [500_000.0, 4_650_000.0 - 64.0 * 20.0];
    assert_eq!((place.corner, place.cell), ([x, y], [20.0; 2]));
    assert_eq!(place.system, dem.frame.place.system);
    assert_eq!(info(&folder, "c.png")["epsg"], 32_633);

    folder.write("c.pgw", "20\n5\n5\n-20\n500010\n4649990\n");
    for command in ["info c.png", "convert c.png -o d.tif"] {
        folder.refuse(command, &["c.pgw", "rotates the map"]);
    }
    folder.write("geo.prj", "LOCAL_CS[\"yard\"]");
    folder.refuse("info geo.asc", &["geo.prj: ", "LOCAL_CS"]);
}

#[test]
fn png_contains_its_georeference() {
    let (folder, _) = folder();
    folder.succeed("convert dem.tif -o a.asc");
    folder.succeed("generate hills --size 64 --set radius_max=20 --spacing 3 -o a.png");
    assert_eq!(info(&folder, "a.png")["epsg"], Value::Null);
}

#[test]
fn sea_of_elevation_model_is_at_0_m() {
    let (folder, _) = folder();
    let sea = |words: &str| {
        let found = info(&folder, words);
        let height = found["sea_level"].as_f64().unwrap();
        let low = found["heights"]["min"].as_f64().unwrap();
        let relief = found["relief"].as_f64().unwrap();
        (height - low) * relief - 442.0
    };
    assert_eq!(sea("dem.tif"), 0.0);
    folder.succeed("convert dem.tif -o a.png");
    folder.succeed("convert dem.tif --sidecar -o a.r16");
    for name in ["a.png", "a.r16", "a.png --crop 9x5+0+0"] {
        let off = sea(name);
        // Half of a step of 16 bits.
        assert!(off.abs() < 0.007, "{name}: {off} m");
    }
    // A generated map keeps the sea of its recipe.
    folder.succeed("generate hills --size 64 --set radius_max=20 --relief 300 -o b.png");
    assert!((info(&folder, "b.png")["sea_level"].as_f64().unwrap() - 0.04).abs() < 1e-6);
}

#[test]
fn ignores_sidecar_of_another_map() {
    let (folder, _) = folder();
    folder.succeed("convert dem.tif --sidecar -o a.pgm");
    folder.succeed("generate hills --size 64 --set radius_max=20 -o b.pgm");
    std::fs::rename(folder.path("b.pgm"), folder.path("a.pgm")).unwrap();
    assert_eq!(info(&folder, "a.pgm")["epsg"], Value::Null);
}

#[test]
fn erosion_and_filters_use_map_scale() {
    let (folder, _) = folder();
    // The same terrain, in meters and in fractions of its relief.
    folder.succeed("erode dem.tif --talus 20 -o a.tif");
    folder.succeed("convert dem.tif --heights unit -o unit.tif");
    folder.succeed("erode unit.tif --talus 20 -o b.tif");
    let (a, b) = (read(&folder, "a.tif"), read(&folder, "b.tif"));
    assert_same_ground(&a, &b, 1.0);
    assert!(a.range().1 < 1300.0, "some material must slide");
}

#[test]
fn tiles_are_in_meters_and_integer_tiles_are_not_stretched() {
    let folder = Folder::new();
    let recipe = r#"(version: 1, size: (64, 48), scale: Some((spacing: 5.0, relief: 80.0)), steps: {
        "a": Generate(by: Hills((radius_max: 20))),
        "b": Filter(of: "a", by: [Linear((scale: 1.5))]),
    })"#;
    folder.write("a.ron", recipe);
    folder.succeed("generate a.ron -o whole.tif");
    folder.succeed("tile a.ron -o world --tile 32 --format tif -q");
    let (whole, tile) = (
        read(&folder, "whole.tif"),
        read(&folder, "world/tile_y0000_x0001.tif"),
    );
    assert_eq!(whole.range().1, 120.0);
    assert_eq!(tile.heights.row(3), &whole.heights.row(3)[32..]);
    assert_eq!(tile.frame.place.corner, [160.0, 80.0]);
    let mut whole = folder.command("tile a.ron -o other --tile 32 --format png -q");
    let output = whole.output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("integer formats hold heights from 0 to 1"),
        "{said}"
    );
}

#[test]
fn rejects_invalid_heights_option() {
    let (folder, dem) = folder();
    let wrong = [
        (
            "convert dem.tif --heights meters -o a.png",
            "--heights meters",
        ),
        (
            "convert dem.tif --heights meters --bits 8 -o a.tif",
            "--heights meters",
        ),
        ("convert dem.tif --heights unit -o a.obj", "meshes"),
        ("convert dem.tif --heights feet -o a.tif", "feet"),
        (
            "measure dem.tif --what slope --heights unit -o a.tif",
            "--heights",
        ),
        ("generate hills --heights unit -o a.ron", "--heights"),
    ];
    for (words, part) in wrong {
        folder.refuse(words, &[part]);
    }
    // A print has only one spacing.
    let square = "30.000 m by 20.000 m: resize the map to 13x5 first";
    folder.refuse("convert dem.tif -o a.stl", &[square]);
    folder.succeed("convert dem.tif --resize 13x5 -o a.stl");
    // Measured values are not heights, and are written unchanged.
    folder.succeed("measure dem.tif --what aspect -o a.tif");
    let aspect = read(&folder, "a.tif");
    assert!(aspect.heights.range().1 > 180.0);
    assert_eq!(aspect.frame.place, dem.frame.place);
    let options = WriteOptions {
        tiff: Sample::U16,
        ..WriteOptions::default()
    };
    let result = io::write(
        &dem,
        Format::Tiff,
        &options,
        Vec::new(),
        &Progress::default(),
    );
    assert!(result.is_err(), "the library only stretches on request");
}

/// A grid without a coordinate system, with this southern edge. It is in degrees if it gets a geographic system.
fn grid(south: &str) -> String {
    format!(
        "ncols 4\nnrows 3\nxllcorner 8\nyllcorner {south}\ncellsize 0.5\n{}",
        "5 6 7 8\n".repeat(3)
    )
}

#[test]
fn reads_coordinate_system_from_gdal_xml() {
    let folder = Folder::new();
    folder.write("a.asc", grid("45"));
    assert_eq!(info(&folder, "a.asc")["epsg"], Value::Null);
    let note = |number: u32| format!("<PAMDataset><SRS>EPSG:{number}</SRS></PAMDataset>");
    folder.write("a.asc.aux.xml", note(4326));
    let facts = info(&folder, "a.asc");
    assert_eq!(facts["epsg"], 4326);
    let meters = facts["spacing_meters"][1].as_f64().unwrap();
    assert!((55_000.0..56_000.0).contains(&meters), "{meters}");
    folder.succeed("convert a.asc -o b.tif");
    assert_eq!(info(&folder, "b.tif")["epsg"], 4326);
    // A .prj file takes precedence.
    let utm = io::gdal_projection(CoordinateSystem::Projected(32_633)).unwrap();
    folder.write("a.prj", utm);
    assert_eq!(info(&folder, "a.asc")["epsg"], 32_633);
    std::fs::remove_file(folder.path("a.prj")).unwrap();
    // Files without a usable coordinate system are ignored: GDAL writes them for many purposes.
    folder.write("a.asc.aux.xml", "<PAMDataset><Histograms/></PAMDataset>");
    assert_eq!(info(&folder, "a.asc")["epsg"], Value::Null);
    folder.write(
        "a.asc.aux.xml",
        format!("{}{}", note(4326), " ".repeat(1 << 17)),
    );
    assert_eq!(info(&folder, "a.asc")["epsg"], Value::Null);
}

#[test]
fn rejects_latitudes_beyond_the_poles() {
    let folder = Folder::new();
    let degrees = io::gdal_projection(CoordinateSystem::Geographic(4326)).unwrap();
    for (name, south, fine) in [
        ("a", "88.5", true),
        ("b", "89", false),
        ("c", "-90.5", false),
    ] {
        folder.write(&format!("{name}.asc"), grid(south));
        folder.write(&format!("{name}.prj"), &degrees);
        if fine {
            folder.succeed(&format!("info {name}.asc"));
        } else {
            folder.refuse(&format!("info {name}.asc"), &["latitude is", "-90 to 90"]);
            folder.refuse(&format!("convert {name}.asc -o x.tif"), &["latitude is"]);
        }
    }
}
