//! The Rust half of `verify/verify.py`, which compares this crate's files with other
//! programs'. Both tests need the folder that the script works in, so they are left out of
//! an ordinary run.

use std::{
    fs::{self, File},
    io::BufWriter,
    path::{Path, PathBuf},
};

use lanternfell_heightmap::{
    Generator, Heightmap, MapSize, Progress, Scale,
    io::{
        self, Format, GeoReference, PngDepth, RawFormat, ReadOptions, Sample, Sidecar, WriteOptions,
    },
    render::TopView,
};

fn folder() -> PathBuf {
    let folder = std::env::var("LANTERNFELL_VERIFY");
    PathBuf::from(folder.expect("LANTERNFELL_VERIFY is the folder that verify.py works in"))
}

fn ground(width: u64, height: u64) -> Heightmap {
    let size = MapSize::new(width, height).unwrap();
    let mut hills = Generator::from_name("hills").unwrap();
    hills.set("radius_max", "20").unwrap();
    hills.generate(size, 4, &Progress::default()).unwrap()
}

fn write(folder: &Path, name: &str, map: &Heightmap, options: &WriteOptions<'_>) {
    let format = Format::from_extension(name.rsplit('.').next().unwrap()).unwrap();
    let out = BufWriter::new(File::create(folder.join(name)).unwrap());
    io::write(map, format, options, out, &Progress::default()).unwrap();
}

#[test]
#[ignore = "a part of verify/verify.py"]
fn files_for_other_programs() {
    let folder = folder();
    let map = ground(65, 49);
    let mut options = WriteOptions::new(map.size());
    options.raw = RawFormat::R32;
    options.scale = Scale {
        spacing: 2.5,
        relief: 30.0,
    };
    let picture = TopView::default().draw(&map, &Progress::default()).unwrap();
    write(&folder, "ours.r32", &map, &options);
    let sidecar = Sidecar::of(&map, options.raw, options.scale);
    sidecar
        .write(File::create(folder.join("ours.r32.json")).unwrap())
        .unwrap();
    for name in ["16.png", "16.pgm", "f32.exr", "f32.asc", "f32.tif"] {
        write(&folder, name, &map, &options);
    }
    (options.depth, options.tiff.sample) = (PngDepth::Eight, Sample::U8);
    options.tiff.geo_reference = Some(GeoReference::at_origin(2.5));
    for name in ["8.png", "8.pgm", "8.tif"] {
        write(&folder, name, &map, &options);
    }
    options.tiff.sample = Sample::U16;
    write(&folder, "16.tif", &map, &options);
    options.tiff.sample = Sample::F32;
    write(&folder, "geo.tif", &map, &options);
    for step in [1, 3] {
        (options.step, options.print.step) = (step, step);
        options.texture = (step == 1).then_some(&picture);
        for extension in ["obj", "stl", "glb"] {
            write(&folder, &format!("step{step}.{extension}"), &map, &options);
        }
    }
    // More vertices than u16 can count.
    options.step = 1;
    let large = ground(300, 260);
    write(&folder, "large.glb", &large, &options);
}

#[test]
#[ignore = "a part of verify/verify.py"]
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
        let expected = sidecar.read(&bytes(".r32")).unwrap();
        let format = Format::from_extension(name.rsplit('.').next().unwrap()).unwrap();
        assert_eq!(Format::sniff(&bytes("")), Some(format), "{name}");
        assert_eq!(io::size(&bytes(""), format), Ok(sidecar.size), "{name}");
        let options = ReadOptions {
            fill: Some(-1.0),
            ..ReadOptions::default()
        };
        let found = io::read(&bytes(""), format, &options).unwrap_or_else(|error| {
            panic!("{name}: {error}");
        });
        let worst = found.heights().iter().zip(expected.heights());
        let worst = worst.fold(0.0, |worst: f32, (a, b)| worst.max((a - b).abs()));
        assert!(found == expected, "{name}: off by up to {worst}");
    }
}
