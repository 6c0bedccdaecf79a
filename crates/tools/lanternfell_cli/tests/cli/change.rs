//! `filter`, `erode` and `mesh`.

use lanternfell_heightmap::{
    Filter, FilterContext, Heightmap, MapSize, Progress, Scale,
    erosion::{HydraulicErosion, StreamPowerErosion, ThermalErosion},
    filter::Terrace,
};
use lanternfell_io::{self as io, RawFormat};

use super::Folder;

/// A map of 64 x 48 in `a.r32`, with cells of 10 m and a relief of 200 m.
fn folder() -> (Folder, Heightmap) {
    let folder = Folder::new();
    folder.succeed("generate hills --size 64x48 --set radius_max=20 -o a.r32");
    let map = read(&folder, "a.r32");
    (folder, map)
}

fn read(folder: &Folder, name: &str) -> Heightmap {
    let size = MapSize::new(64, 48).unwrap();
    io::read_raw(&folder.read(name), size, RawFormat::R32).unwrap()
}

fn changed(map: &Heightmap, filters: &[Filter], seed: u64, scale: Option<Scale>) -> Heightmap {
    let site = FilterContext::new(map.size(), seed);
    let site = FilterContext {
        scale: scale.unwrap_or(site.scale),
        ..site
    };
    let mut map = map.clone();
    Filter::apply_all(filters, &mut map, &site, &Progress::default()).unwrap();
    map
}

#[test]
fn applies_filters_written_like_in_recipes() {
    let (folder, map) = folder();
    // The test splits arguments at spaces, so filters are written without spaces.
    folder.succeed("filter a.r32 --size 64x48 --by Invert --by Terrace((levels:5)) -o b.r32");
    let terrace = Terrace {
        levels: 5,
        ..Terrace::default()
    };
    let expected = changed(&map, &[Filter::Invert, Filter::Terrace(terrace)], 0, None);
    assert_eq!(read(&folder, "b.r32"), expected);
    folder.succeed("filter a.r32 --size 64x48 --by Warp(()) --filter-seed 3 -o b.r32");
    let warped = changed(&map, &[Filter::Warp(Default::default())], 3, None);
    assert_eq!(read(&folder, "b.r32"), warped);
    let wrong = [
        ("Inwert", "Inwert"),
        ("Terrace((levls:5))", "levls"),
        ("Terrace((levels:1))", "levels is 1"),
        ("Gamma(0.5)", "gamma is 0.5"),
        ("Gama", "--by"),
    ];
    for (filter, word) in wrong {
        folder.refuse(
            &format!("filter a.r32 --size 64x48 --by {filter} -o b.png"),
            &[word],
        );
    }
    folder.refuse("filter a.r32 --size 64x48 -o b.png", &["--by"]);
}

#[test]
fn erosion_matches_library_at_map_scale() {
    let (folder, map) = folder();
    folder.succeed(
        "erode a.r32 --size 64x48 --spacing 10 --relief 200 --rivers 0.4 --river-sea 0.1 \
         --droplets 0.2 --talus 30 --erosion-seed 7 -o b.r32",
    );
    let all = [
        Filter::StreamPowerErosion(StreamPowerErosion {
            strength: 0.4,
            sea_level: Some(0.1),
            ..StreamPowerErosion::default()
        }),
        Filter::HydraulicErosion(HydraulicErosion {
            density: 0.2,
            ..HydraulicErosion::default()
        }),
        Filter::ThermalErosion(ThermalErosion {
            angle: 30.0,
            ..ThermalErosion::default()
        }),
    ];
    let scale = Scale {
        spacing: 10.0,
        relief: 200.0,
    };
    assert_eq!(read(&folder, "b.r32"), changed(&map, &all, 7, Some(scale)));
    folder.succeed("erode a.r32 --size 64x48 -o b.r32");
    let usual = [
        Filter::HydraulicErosion(HydraulicErosion::default()),
        Filter::ThermalErosion(ThermalErosion::default()),
    ];
    assert_eq!(read(&folder, "b.r32"), changed(&map, &usual, 0, None));
    folder.refuse(
        "erode a.r32 --size 64x48 --rivers 2 -o b.png",
        &["strength is 2"],
    );
    folder.refuse(
        "erode a.r32 --size 64x48 --talus -1 -o b.png",
        &["angle is -1"],
    );
    folder.refuse(
        "erode a.r32 --size 64x48 --river-sea 0.1 -o b.png",
        &["--rivers"],
    );
}

/// The options for the scale also apply to the erosion in a recipe.
#[test]
fn options_change_scale_of_recipe() {
    let folder = Folder::new();
    folder.write(
        "a.ron",
        r#"(version: 1, size: (64, 48), steps: {
            "hills": Generate(by: Hills((radius_max: 20))),
            "scree": Filter(of: "hills", by: [ThermalErosion((angle: 20))]),
        })"#,
    );
    folder.succeed("generate a.ron -o flat.r32 --spacing 1 --relief 5");
    folder.succeed("generate a.ron -o steep.r32 --spacing 1 --relief 50");
    folder.succeed("generate hills --size 64x48 --set radius_max=20 --set gamma=1 -o hills.r32");
    assert_ne!(folder.read("flat.r32"), folder.read("steep.r32"));
}

#[test]
fn mesh_options_depend_on_format() {
    let (folder, _) = folder();
    folder.succeed("mesh a.r32 --size 64x48 -o a.glb --step 3 --texture atlas");
    let glb = folder.read("a.glb");
    assert_eq!(&glb[..4], b"glTF");
    assert!(
        glb.windows(4).any(|word| word == b"IHDR"),
        "it contains a texture"
    );
    folder.succeed("mesh a.r32 --size 64x48 -o b.glb --step 3 --texture none");
    let plain = folder.read("b.glb");
    assert!(!plain.windows(4).any(|word| word == b"IHDR"));
    folder.succeed("mesh a.r32 --size 64x48 -o a.stl --longer-side 63 --base 2 --step 100");
    let stl = folder.read("a.stl");
    // Two triangles of the terrain, eight of the walls, and a fan of four for the base.
    assert_eq!(u32::from_le_bytes(stl[80..84].try_into().unwrap()), 14);
    folder.succeed("mesh a.r32 --size 64x48 -o a.obj");
    folder.refuse(
        "mesh a.r32 --size 64x48 -o a.obj --base 2",
        &["--base is only for STL"],
    );
    folder.refuse(
        "mesh a.r32 --size 64x48 -o a.stl --texture atlas",
        &["--texture is only for GLB"],
    );
    folder.refuse(
        "mesh a.r32 --size 64x48 -o b.stl --base 0",
        &["stl: base is 0"],
    );
    folder.refuse("mesh a.r32 --size 64x48 -o b.glb --step 0", &["--step"]);
    folder.refuse(
        "mesh a.r32 --size 64x48 -o a.png",
        &["PNG is not a mesh format", ".glb"],
    );
}

/// Eroded material is deposited or leaves the map, and the latter is the difference in volume.
#[test]
fn erode_prints_sediment_budget() {
    let folder = Folder::new();
    let land = "hills --size 64x48 --set radius_max=20 --spacing 10 --relief 200";
    folder.succeed(&format!("generate {land} -o a.tif"));
    let said = folder.succeed("erode a.tif --droplets 2 -o b.tif");
    let (first, line) = said.trim_end().split_once('\n').unwrap();
    assert!(
        first.starts_with("wrote b.tif: ") && line.starts_with("rain eroded "),
        "{said}"
    );
    let volume = |after: &str| {
        let (_, rest) = line.split_once(after).unwrap();
        let mut words = rest.split_whitespace();
        let number: f64 = words.next().unwrap().parse().unwrap();
        let unit = words.next().unwrap().trim_end_matches(',');
        number * if unit == "km³" { 1e9 } else { 1.0 }
    };
    let [taken, deposited, out] = ["eroded ", "deposited ", "carried "].map(volume);
    assert!(taken > 0.0 && out > 0.0);
    let rounding = 1e3;
    assert!((taken - deposited - out).abs() < rounding, "{line}");
    let meters = |name: &str| {
        let options = io::ReadOptions::default();
        let map = io::read(&folder.read(name), io::Format::Tiff, &options).unwrap();
        map.heights
            .heights()
            .iter()
            .map(|&z| f64::from(z))
            .sum::<f64>()
    };
    let lost = (meters("a.tif") - meters("b.tif")) * 100.0;
    assert!(
        (lost - out).abs() < rounding + 1e-6 * 100.0 * meters("a.tif"),
        "{lost}: {line}"
    );
    // Without rain there is no sediment budget.
    assert_eq!(
        folder
            .succeed("erode a.tif --talus 30 -o c.tif")
            .lines()
            .count(),
        1
    );
}
