//! `measure`: masks from bands and other masks, rivers by area, logarithms, legends.

use lanternfell_heightmap::{
    Band, Heightmap, MapSize, Progress, Scale,
    analysis::Slope,
    climate::{BiomeMap, Climate},
    hydrology::{Hydrology, Rivers},
};
use lanternfell_io::{self as io, RawFormat};

use super::Folder;

const SCALE: Scale = Scale {
    spacing: 10.0,
    relief: 200.0,
};

/// A map of 64 x 48 in `a.r32`, with cells of 10 m and a relief of 200 m.
fn folder() -> (Folder, Heightmap) {
    let folder = Folder::new();
    folder.succeed(
        "generate islands --size 64x48 --set scale=40 --seed 4 --spacing 10 --relief 200 \
         --sidecar -o a.r32",
    );
    let map = read(&folder, "a.r32");
    (folder, map)
}

fn read(folder: &Folder, name: &str) -> Heightmap {
    let size = MapSize::new(64, 48).unwrap();
    io::read_raw(&folder.read(name), size, RawFormat::R32).unwrap()
}

fn slopes(map: &Heightmap) -> Vec<f32> {
    let slope = Slope::default()
        .of(map, SCALE, &Progress::default())
        .unwrap();
    slope.heights().to_vec()
}

#[test]
fn band_fades_and_inverts() {
    let (folder, map) = folder();
    let slopes = slopes(&map);
    for (options, from, to, fade, inverted) in [
        ("--between 10:20", Some(10.0), Some(20.0), 0.0, false),
        ("--between 30: --fade 5", Some(30.0), None, 5.0, false),
        ("--between :20 --invert", None, Some(20.0), 0.0, true),
    ] {
        let said = folder.succeed(&format!("measure a.r32 --what slope {options} -o m.r32"));
        let band = Band { from, to, fade };
        let expected = slopes.iter().map(|&slope| {
            let share = band.share(slope.into()) as f32;
            if inverted { 1.0 - share } else { share }
        });
        let expected: Vec<f32> = expected.collect();
        assert_eq!(read(&folder, "m.r32").heights(), expected, "{options}");
        let mean = expected.iter().copied().map(f64::from).sum::<f64>() / expected.len() as f64;
        assert!(
            said.contains(&format!("the mask covers {:.1} %", 100.0 * mean)),
            "{said}"
        );
        assert!((0.05..0.95).contains(&mean), "{options}: {mean}");
    }
}

#[test]
fn masks_combine_in_fixed_order() {
    let (folder, map) = folder();
    let slopes = slopes(&map);
    let share = |z: f32, from: f32, to: f32| ((z - from) / (to - from)).clamp(0.0, 1.0);
    folder.succeed("measure a.r32 --what elevation --range 80:120 -o high.r32");
    folder.succeed("measure a.r32 --what land --sea-level 0.5 -o land.tif");
    folder.succeed("measure a.r32 --what slope --between :5 -o level.png");
    let high: Vec<f32> = map
        .heights()
        .iter()
        .map(|&z| share(200.0 * z, 80.0, 120.0))
        .collect();
    let close = |options: &str, expected: &dyn Fn(usize) -> f32| {
        folder.succeed(&format!(
            "measure a.r32 --what slope --range 5:25 {options} -o m.r32"
        ));
        for (cell, found) in read(&folder, "m.r32").heights().iter().enumerate() {
            let expected = expected(cell);
            assert!(
                (found - expected).abs() < 1e-4,
                "{options}: {found} for {expected}"
            );
        }
    };
    let steep = |cell: usize| share(slopes[cell], 5.0, 25.0);
    let land = |cell: usize| f32::from(u8::from(map.heights()[cell] > 0.5));
    let level = |cell: usize| f32::from(u8::from(slopes[cell] <= 5.0));
    close("--and high.r32", &|cell| steep(cell).min(high[cell]));
    close("--times high.r32", &|cell| steep(cell) * high[cell]);
    close("--without land.tif", &|cell| {
        steep(cell).min(1.0 - land(cell))
    });
    close("--or level.png", &|cell| steep(cell).max(level(cell)));
    close("--and high.r32 --and land.tif", &|cell| {
        steep(cell).min(high[cell]).min(land(cell))
    });
    // In the order of the help, not of the options.
    close("--or level.png --and high.r32 --invert", &|cell| {
        (1.0 - steep(cell)).min(high[cell]).max(level(cell))
    });
    // A quantity that is already a mask needs no range.
    folder.succeed("measure a.r32 --what land --sea-level 0.5 --invert -o m.r32");
    let sea = read(&folder, "m.r32");
    assert!(
        sea.heights()
            .iter()
            .enumerate()
            .all(|(cell, &z)| z == 1.0 - land(cell))
    );
}

#[test]
fn rivers_start_at_requested_area() {
    let (folder, map) = folder();
    let progress = Progress::default();
    let hydrology = Hydrology {
        sea_level: Some(0.3),
        ..Hydrology::default()
    };
    let drainage = hydrology.drain(&map, &progress).unwrap();
    let lakes = drainage.lakes(&map, 8, &progress).unwrap().mask();
    for (area, cells) in [
        ("30", 30.0),
        ("3000m2", 30.0),
        ("0.3ha", 30.0),
        ("0.02km2", 200.0),
    ] {
        folder.succeed(&format!(
            "measure a.r32 --what rivers --sea-level 0.3 --river-area {area} -o r.r32"
        ));
        let rivers = Rivers {
            share: cells / map.size().cells() as f64,
            ..Rivers::default()
        };
        let mask = rivers.mask(&drainage, &progress).unwrap();
        let dry = mask
            .heights()
            .iter()
            .zip(lakes.heights())
            .map(|(river, lake)| river * (1.0 - lake));
        let expected: Vec<f32> = dry.collect();
        assert_eq!(read(&folder, "r.r32").heights(), expected, "{area}");
    }
    folder.succeed("measure a.r32 --what catchment --sea-level 0.3 -o c.r32");
    folder.succeed("measure a.r32 --what catchment --sea-level 0.3 --log -o l.r32");
    let (cells, logarithms) = (read(&folder, "c.r32"), read(&folder, "l.r32"));
    for (cells, logarithm) in cells.heights().iter().zip(logarithms.heights()) {
        assert!((10_f32.powf(*logarithm) / cells - 1.0).abs() < 1e-5);
    }
    // In integers it starts at one cell.
    let said = folder.succeed("measure a.r32 --what catchment --log --sea-level 0.3 -o l.png");
    assert!(said.contains("0 is written as 0"), "{said}");
}

#[test]
fn biomes_have_names_and_a_legend() {
    let (folder, map) = folder();
    let climate = Climate {
        sea_level: 0.3,
        ..Climate::default()
    };
    let biomes = climate.biomes(&map, &Progress::default()).unwrap();
    let command = "measure a.r32 --what biomes --sea-level 0.3 --bits 8 -o b.png";
    let said = folder.succeed(&format!("{command} --legend b.json"));
    let json: serde_json::Value = serde_json::from_slice(&folder.read("b.json")).unwrap();
    let legend = biomes.legend();
    assert_eq!(json.as_array().unwrap().len(), legend.len());
    for (entry, found) in legend.iter().zip(json.as_array().unwrap()) {
        assert_eq!(
            (found["name"].as_str(), found["cells"].as_u64()),
            (Some(&*entry.name), Some(entry.cells))
        );
        let share = entry.cells as f64 / map.size().cells() as f64;
        assert!((found["share"].as_f64().unwrap() - share).abs() < 1e-12);
        let [r, g, b] = entry.color;
        let line = format!(
            "{:>3}  #{r:02x}{g:02x}{b:02x}  {:>7}  {}",
            entry.number,
            format!("{:.1} %", 100.0 * share),
            entry.name
        );
        assert_eq!(said.contains(&line), entry.cells > 0, "{line}: {said}");
    }
    assert!(
        legend
            .iter()
            .any(|entry| entry.number == BiomeMap::OCEAN && entry.cells > 0)
    );
    folder.succeed(&format!("{command} --legend b.txt -q"));
    let text = String::from_utf8(folder.read("b.txt")).unwrap();
    assert!(said.ends_with(&text), "{text}");
    folder.succeed("render a.r32 --view biomes --sea-level 0.3 --legend c.json -o c.png");
    assert_eq!(folder.read("c.json"), folder.read("b.json"));
    folder.succeed(&format!("{command} --legend legend.png"));
    let picture = image::open(folder.path("legend.png")).unwrap().into_rgb8();
    for entry in legend {
        let is_shown = picture.pixels().any(|pixel| pixel.0 == entry.color);
        assert_eq!(is_shown, entry.cells > 0, "{}", entry.name);
    }
}

#[test]
fn rejects_invalid_masks() {
    let (folder, _) = folder();
    folder.succeed("generate hills --size 32 -o small.png");
    folder.succeed("convert a.r32 -o meters.tif");
    let wrong = [
        ("--what slope --invert -o m.png", "--range or --between"),
        (
            "--what elevation --and a.r32 -o m.png",
            "--range or --between",
        ),
        (
            "--what slope --between 5: --and small.png -o m.png",
            "32x32 cells, but the map has 64x48",
        ),
        (
            "--what slope --between 5: --and meters.tif -o m.png",
            "must be from 0 to 1",
        ),
        (
            "--what slope --between 5: --and none.png -o m.png",
            "none.png",
        ),
        ("--what slope --between 9:5 -o m.png", "to is 5"),
        ("--what slope --between 5: --range 1:2 -o m.png", "--range"),
        ("--what slope --fade 5 -o m.png", "--between"),
        ("--what slope --between 5: --fade -1 -o m.png", "fade is -1"),
        ("--what normals --invert -o m.png", "--range or --between"),
        ("--what slope --log -o m.png", "--log"),
        ("--what lakes --river-area 30 -o m.png", "--river-area"),
        (
            "--what rivers --river-area 1km2 -o m.png",
            "the map has 3072",
        ),
        ("--what rivers --river-area 3miles -o m.png", "12ha"),
        ("--what slope --legend l.txt -o m.png", "--legend"),
        ("--what biomes --legend l.gif -o m.png", ".txt, .json, .png"),
    ];
    for (words, part) in wrong {
        folder.refuse(&format!("measure a.r32 {words}"), &[part]);
    }
}
