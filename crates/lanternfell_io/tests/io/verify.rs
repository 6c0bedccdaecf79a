//! The Rust half of `verify/verify.py`, which compares this crate's files with those of other programs. Both tests need
//! the folder of the script, so they are ignored by default.

use std::{
    fs::{self, File},
    io::BufWriter,
    path::{Path, PathBuf},
};

use lanternfell_heightmap::{
    CoordinateSystem, Elevation, ElevationModel, Generator, GeoReference, Heightmap, MapFrame,
    MapSize, Progress, Scale,
};
use lanternfell_io::{
    self as io, Fill, Format, PngDepth, RawFormat, ReadOptions, Sample, Sidecar, WriteOptions,
    WrittenHeights,
};
use lanternfell_render::TopView;

fn folder() -> PathBuf {
    let folder = std::env::var("LANTERNFELL_VERIFY");
    PathBuf::from(folder.expect("LANTERNFELL_VERIFY must be the folder of verify.py"))
}

fn ground(width: u64, height: u64) -> Heightmap {
    let size = MapSize::new(width, height).unwrap();
    let mut hills = Generator::from_name("hills").unwrap();
    hills.set("radius_max", "20").unwrap();
    hills.generate(size, 4, &Progress::default()).unwrap()
}

fn write(folder: &Path, name: &str, map: &ElevationModel, options: &WriteOptions<'_>) {
    let format = Format::from_extension(name.rsplit('.').next().unwrap()).unwrap();
    let out = BufWriter::new(File::create(folder.join(name)).unwrap());
    io::write(map, format, options, out, &Progress::default()).unwrap();
}

#[test]
#[ignore = "run by verify/verify.py"]
fn files_for_other_programs() {
    let folder = folder();
    let scale = Scale {
        spacing: 2.5,
        relief: 30.0,
    };
    let model = |heights| ElevationModel {
        heights,
        frame: MapFrame::of_scale(scale, true),
    };
    let map = model(ground(65, 49));
    let mut options = WriteOptions {
        raw: RawFormat::R32,
        heights: Some(WrittenHeights::Unchanged),
        ..WriteOptions::default()
    };
    let picture = TopView::default();
    let picture = picture.draw(&map.heights, &Progress::default()).unwrap();
    write(&folder, "ours.r32", &map, &options);
    let sidecar = Sidecar::of(&map, Some(options.raw), map.frame.elevation);
    sidecar
        .write(File::create(folder.join("ours.r32.json")).unwrap())
        .unwrap();
    for name in ["16.png", "16.pgm", "f32.exr", "f32.asc", "f32.tif"] {
        write(&folder, name, &map, &options);
    }
    (options.depth, options.tiff) = (PngDepth::Eight, Sample::U8);
    for name in ["8.png", "8.pgm", "8.tif"] {
        write(&folder, name, &map, &options);
    }
    options.tiff = Sample::U16;
    write(&folder, "16.tif", &map, &options);
    options.tiff = Sample::F32;
    write(&folder, "geo.tif", &map, &options);
    for step in [1, 3] {
        (options.step, options.print.step) = (step, step);
        options.texture = (step == 1).then_some(&picture);
        for extension in ["obj", "stl", "glb"] {
            write(&folder, &format!("step{step}.{extension}"), &map, &options);
        }
    }
    // More vertices than u16 can index.
    options.step = 1;
    write(&folder, "large.glb", &model(ground(300, 260)), &options);
    in_meters(&folder, map.heights);
}

/// Writes a georeferenced map with heights from -12 to 288 m and cells that are not square.
fn in_meters(folder: &Path, heights: Heightmap) {
    let scale = Scale {
        spacing: 1.0,
        relief: 300.0,
    };
    let mut frame = MapFrame::of_scale(scale, true);
    frame.elevation = Elevation {
        offset: -12.0,
        relief: 300.0,
    };
    frame.no_data = Some(-9999.0);
    frame.place = GeoReference {
        cell: [10.0, 12.5],
        system: Some(CoordinateSystem::Projected(32_633)),
        ..GeoReference::at([500_000.0, 4_649_000.0], 1.0)
    };
    let model = ElevationModel { heights, frame };
    let mut options = WriteOptions {
        stretch: true,
        ..WriteOptions::default()
    };
    for name in ["meters.tif", "meters.asc", "meters.exr", "meters.png"] {
        write(folder, name, &model, &options);
    }
    let xml = io::gdal_sidecar(&model, Elevation::METERS, 1.0);
    fs::write(folder.join("meters.asc.aux.xml"), xml).unwrap();
    let xml = io::gdal_sidecar(&model, model.frame.elevation, 65_535.0);
    fs::write(folder.join("meters.png.aux.xml"), xml).unwrap();
    options.heights = Some(WrittenHeights::Unit);
    write(folder, "meters-unit.tif", &model, &options);
    options.tiff = Sample::U16;
    write(folder, "meters-u16.tif", &model, &options);
}

#[test]
#[ignore = "run by verify/verify.py"]
fn files_of_other_programs() {
    let folder = folder().join("others");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with(".r32") && !name.ends_with(".r32.json"))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    for name in &names {
        let bytes = |end: &str| fs::read(folder.join(format!("{name}{end}"))).unwrap();
        let sidecar = Sidecar::parse(&bytes(".r32.json")).unwrap();
        let expected = sidecar.read(&bytes(".r32")).unwrap().heights;
        let format = Format::from_extension(name.rsplit('.').next().unwrap()).unwrap();
        assert_eq!(Format::sniff(&bytes("")), Some(format), "{name}");
        assert_eq!(io::size(&bytes(""), format), Ok(sidecar.size), "{name}");
        let options = ReadOptions {
            fill: Some(Fill::Height(-1.0)),
            ..ReadOptions::default()
        };
        let found = io::read(&bytes(""), format, &options).unwrap_or_else(|error| {
            panic!("{name}: {error}");
        });
        let found = found.heights;
        let worst = found.heights().iter().zip(expected.heights());
        let worst = worst.fold(0.0, |worst: f32, (a, b)| worst.max((a - b).abs()));
        assert!(found == expected, "{name}: off by up to {worst}");
    }
}
