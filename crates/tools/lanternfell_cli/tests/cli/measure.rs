//! `measure`: the quantities of each cell, as a map.

use lanternfell_heightmap::{
    Elevation, Heightmap, MapFrame, MapSize, Progress, RgbImage, Scale,
    analysis::{
        Aspect, CoastDistance, Curvature, CurvatureKind, Hillshade, NormalAxes, NormalMap, SkyView,
        Slope, TopographicPositionIndex, roughness, ruggedness,
    },
    climate::Climate,
    hydrology::{FlowRouting, Hydrology, Rivers},
};
use lanternfell_io::{self as io, RawFormat};

use super::Folder;

const SEA_LEVEL: f32 = 0.3;

/// A map of 64 x 48 in `a.r32`, with cells of 10 m and a relief of 200 m.
fn folder() -> (Folder, Heightmap) {
    let folder = Folder::new();
    folder.succeed(
        "generate islands --size 64x48 --set scale=40 --seed 4 --spacing 10 --relief 200 \
         --sidecar -o a.r32",
    );
    let map = read(&folder, "a.r32", RawFormat::R32);
    (folder, map)
}

fn read(folder: &Folder, name: &str, format: RawFormat) -> Heightmap {
    let size = MapSize::new(64, 48).unwrap();
    io::read_raw(&folder.read(name), size, format).unwrap()
}

fn scale() -> Scale {
    Scale {
        spacing: 10.0,
        relief: 200.0,
    }
}

/// Returns the results of the library.
fn expected(map: &Heightmap) -> Vec<(&'static str, Heightmap)> {
    let (progress, scale) = (&Progress::default(), scale());
    let bend = |kind| Curvature { kind }.of(map, scale, progress).unwrap();
    let values = |values: Vec<f32>| Heightmap::from_heights(map.size(), values).unwrap();
    let coast = CoastDistance {
        sea_level: SEA_LEVEL,
    };
    let hydrology = Hydrology {
        sea_level: Some(SEA_LEVEL),
        ..Hydrology::default()
    };
    let drainage = hydrology.drain(map, progress).unwrap();
    let areas = drainage.areas(progress).unwrap();
    let climate = Climate {
        sea_level: SEA_LEVEL,
        ..Climate::default()
    };
    let rain = climate.rain.of(map, SEA_LEVEL, progress).unwrap();
    let moisture = climate.moisture.of(map, SEA_LEVEL, &rain, progress);
    let biomes = climate.biomes(map, progress).unwrap();
    let land = map
        .heights()
        .iter()
        .map(|&z| f32::from(u8::from(z > SEA_LEVEL)));
    let lakes = drainage.lakes(map, 8, progress).unwrap().mask();
    let rivers = Rivers::default().mask(&drainage, progress).unwrap();
    let wet = rivers.heights().iter().zip(lakes.heights());
    let dry_rivers = wet.map(|(&river, &lake)| river * (1.0 - lake));
    vec![
        ("slope", Slope::default().of(map, scale, progress).unwrap()),
        ("aspect", Aspect.of(map, progress).unwrap()),
        (
            "hillshade",
            Hillshade::default().of(map, scale, progress).unwrap(),
        ),
        ("curvature", bend(CurvatureKind::Mean)),
        ("profile-curvature", bend(CurvatureKind::Profile)),
        ("plan-curvature", bend(CurvatureKind::Plan)),
        ("sky", SkyView::default().of(map, scale, progress).unwrap()),
        ("ruggedness", ruggedness(map, scale, progress).unwrap()),
        ("roughness", roughness(map, scale, progress).unwrap()),
        (
            "position",
            TopographicPositionIndex::default()
                .of(map, scale, progress)
                .unwrap(),
        ),
        ("coast", coast.of(map, scale, progress).unwrap()),
        ("land", values(land.collect())),
        (
            "catchment",
            values(areas.iter().map(|&cells| cells as f32).collect()),
        ),
        ("rivers", values(dry_rivers.collect())),
        ("lakes", lakes),
        (
            "temperature",
            climate.temperature.of(map, SEA_LEVEL, progress).unwrap(),
        ),
        ("moisture", moisture.unwrap()),
        ("rain", rain),
        (
            "biomes",
            values(biomes.cells().iter().map(|&number| number.into()).collect()),
        ),
    ]
}

#[test]
fn quantities_match_library() {
    let (folder, map) = folder();
    let sealess = [
        "slope",
        "aspect",
        "hillshade",
        "curvature",
        "profile-curvature",
        "plan-curvature",
        "sky",
        "ruggedness",
        "roughness",
        "position",
    ];
    for (what, expected) in expected(&map) {
        let sea = if sealess.contains(&what) {
            ""
        } else {
            "--sea-level 0.3"
        };
        let said = folder.succeed(&format!("measure a.r32 --what {what} {sea} -o b.r32"));
        assert!(
            said.starts_with(&format!("wrote b.r32: {what} of a.r32")),
            "{said}"
        );
        assert_eq!(read(&folder, "b.r32", RawFormat::R32), expected, "{what}");
        let (low, high) = expected.range();
        assert!(low < high || what == "lakes", "{what} is constant");
    }
}

#[test]
fn integers_use_fixed_range_or_range_of_map() {
    let (folder, map) = folder();
    let within = |values: &Heightmap, (from, to): (f32, f32)| -> Vec<f32> {
        let part = |z: &f32| ((z - from) / (to - from)).clamp(0.0, 1.0);
        values.heights().iter().map(part).collect()
    };
    let check = |options: &str, expected: &[f32]| {
        let said = folder.succeed(&format!("measure a.r32 {options} -o b.r16"));
        let found = read(&folder, "b.r16", RawFormat::R16);
        for (found, expected) in found.heights().iter().zip(expected) {
            assert!(
                (found - expected).abs() < 1e-5,
                "{options}: found {found}, expected {expected}"
            );
        }
        said
    };
    let progress = Progress::default();
    let slope = Slope::default().of(&map, scale(), &progress).unwrap();
    let said = check("--what slope", &within(&slope, (0.0, 90.0)));
    assert!(
        said.contains("of which 0 is written as 0 and 90 as 1"),
        "{said}"
    );
    check("--what slope --range 20:30", &within(&slope, (20.0, 30.0)));
    check("--what slope --range 30:20", &within(&slope, (30.0, 20.0)));
    let rough = ruggedness(&map, scale(), &progress).unwrap();
    check("--what ruggedness", &within(&rough, rough.range()));
    // The numbers of biomes survive in 8 bits.
    folder.succeed("measure a.r32 --what biomes --sea-level 0.3 --bits 8 -o b.png");
    let picture = image::open(folder.path("b.png")).unwrap().into_luma8();
    let climate = Climate {
        sea_level: SEA_LEVEL,
        ..Climate::default()
    };
    assert_eq!(
        picture.as_raw(),
        climate.biomes(&map, &progress).unwrap().cells()
    );
    // With a range, floating-point values are clamped too.
    folder.succeed("measure a.r32 --what slope --range 20:30 -o b.r32");
    assert_eq!(read(&folder, "b.r32", RawFormat::R32).range(), (0.0, 1.0));
}

#[test]
fn sidecar_defines_meaning_of_values() {
    let (folder, _) = folder();
    for (options, offset, relief) in [
        ("--what slope --sidecar -o b.r32", 0.0, 1.0),
        ("--what slope --sidecar -o b.r16", 0.0, 90.0),
        ("--what slope --range 45:30 --sidecar -o b.r16", 45.0, -15.0),
    ] {
        folder.succeed(&format!("measure a.r32 {options}"));
        let name = options.split(' ').next_back().unwrap();
        let sidecar = io::Sidecar::parse(&folder.read(&format!("{name}.json"))).unwrap();
        let MapFrame {
            elevation, unit, ..
        } = sidecar.frame;
        assert_eq!(elevation, Elevation { offset, relief }, "{options}");
        assert_eq!(unit, None, "{options}: they are not heights");
        assert_eq!(sidecar.frame.place.cell, [10.0; 2], "{options}");
    }
}

#[test]
fn normals_are_an_image() {
    let (folder, map) = folder();
    let axes = [
        ("", NormalAxes::OpenGl),
        ("--axes directx", NormalAxes::DirectX),
        ("--axes world", NormalAxes::World),
    ];
    for (option, axes) in axes {
        folder.succeed(&format!("measure a.r32 --what normals {option} -o n.png"));
        let found = image::open(folder.path("n.png")).unwrap().into_rgb8();
        let expected: RgbImage = NormalMap { axes }
            .of(&map, scale(), &Progress::default())
            .unwrap();
        assert_eq!(found.as_raw(), expected.bytes(), "{option}");
    }
}

#[test]
fn measures_elevation_models_in_meters() {
    let folder = Folder::new();
    // It rises by 10 m per 10 m to the east, and the sea is at 0.
    let row = "-15 -5 5 15 25 35\n".repeat(4);
    let text = format!("ncols 6\nnrows 4\nxllcorner 7\nyllcorner 9\ncellsize 10\n{row}");
    folder.write("dem.asc", text);
    folder.succeed("measure dem.asc --what slope -o slope.asc");
    let slope = String::from_utf8(folder.read("slope.asc")).unwrap();
    assert!(
        slope.contains("xllcorner 7\n") && slope.contains("cellsize 10\n"),
        "{slope}"
    );
    let steep = slope
        .lines()
        .filter(|line| line.split(' ').all(|z| z == "45.0"));
    assert_eq!(steep.count(), 4, "{slope}");
    folder.succeed("measure dem.asc --what land -o land.asc");
    let land = String::from_utf8(folder.read("land.asc")).unwrap();
    assert_eq!(
        land.lines()
            .filter(|line| *line == "0.0 0.0 1.0 1.0 1.0 1.0")
            .count(),
        4,
        "{land}"
    );
}

#[test]
fn flow_selects_routing_of_catchments() {
    let (folder, map) = folder();
    let hydrology = Hydrology {
        sea_level: Some(SEA_LEVEL),
        ..Hydrology::default()
    };
    let drainage = hydrology.drain(&map, &Progress::default()).unwrap();
    let mut found = Vec::new();
    for (word, routing) in [
        ("", FlowRouting::D8),
        ("--flow d8", FlowRouting::D8),
        ("--flow dinf", FlowRouting::DInfinity),
    ] {
        folder.succeed(&format!(
            "measure a.r32 --what catchment {word} --sea-level {SEA_LEVEL} -o b.r32"
        ));
        let areas = drainage.catchments(routing, &Progress::default()).unwrap();
        let areas: Vec<f32> = areas.into_iter().map(|cells| cells as f32).collect();
        let cells = read(&folder, "b.r32", RawFormat::R32);
        assert_eq!(cells.heights(), areas, "{word}");
        found.push(areas);
    }
    assert_ne!(found[0], found[2]);
}

#[test]
fn measures_maps_without_land() {
    let (folder, _) = folder();
    for what in ["coast", "land", "catchment", "rivers", "lakes"] {
        folder.succeed(&format!(
            "measure a.r32 --what {what} --sea-level 99 -o b.r32"
        ));
        let values = read(&folder, "b.r32", RawFormat::R32);
        assert!(values.range().1 <= 1.0, "{what}");
    }
    folder.refuse(
        "measure a.r32 --what rain --sea-level 99 -o c.png",
        &["sea_level is 99"],
    );
}

#[test]
fn rejects_invalid_combinations() {
    let (folder, _) = folder();
    let wrong = [
        ("-o b.png", "--what"),
        ("--what slop -o b.png", "slop"),
        ("--what slope -o b.glb", "mesh"),
        ("--what normals -o b.tif", ".png"),
        ("--what normals --bits 8 -o b.png", "--bits"),
        ("--what normals --range 0:1 -o b.png", "--range"),
        ("--what slope --range 3 -o b.png", "30:45"),
        ("--what slope --sea-level 0.3 -o b.png", "--sea-level"),
        ("--what slope --radius 3 -o b.png", "--radius"),
        ("--what position --radius 0 -o b.png", "radius is 0"),
        ("--what rivers --wind 90 -o b.png", "--wind"),
        ("--what coast --axes world -o b.png", "--axes"),
        ("--what rivers --flow dinf -o b.png", "--flow"),
        ("--what catchment --flow d9 -o b.png", "d9"),
        ("--what rain --warmth 99 -o b.png", "at_sea"),
    ];
    for (words, part) in wrong {
        folder.refuse(&format!("measure a.r32 {words}"), &[part]);
    }
}
