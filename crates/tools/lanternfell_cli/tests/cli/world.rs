//! A folder of tiles is a map for the other commands, with the same results as its recipe.

use super::{Folder, text};

const RECIPE: &str = r#"(version: 1, size: (200, 150), seed: 4, scale: (spacing: 20, relief: 900), steps: {
    "hills": Generate(by: Hills((count: 60))),
    "noise": Generate(by: FractalNoise((octaves: 5, scale: 60))),
    "land": Blend(ground: "hills", layer: "noise", how: Add, weight: 0.6),
    "world": Filter(of: "land", by: [Normalize, Warp((scale: 40, distance: 6)), Island(Radial)]),
})"#;

fn world(format: &str) -> Folder {
    let folder = Folder::new();
    folder.write("a.ron", RECIPE);
    folder.succeed(&format!(
        "tile a.ron -o world --tile 64x50 --format {format} -q"
    ));
    folder
}

#[track_caller]
fn assert_same(folder: &Folder, words: &str, ending: &str) {
    folder.succeed(&format!(
        "{} -o one.{ending} -q",
        words.replace("MAP", "world")
    ));
    folder.succeed(&format!(
        "{} -o two.{ending} -q",
        words.replace("MAP", "a.ron")
    ));
    let (one, two) = (
        folder.read(&format!("one.{ending}")),
        folder.read(&format!("two.{ending}")),
    );
    assert!(one == two, "{words}");
}

#[test]
fn folder_gives_same_results_as_recipe() {
    let folder = world("r32");
    for what in [
        "slope",
        "catchment",
        "rivers",
        "coast",
        "position",
        "biomes",
        "land",
    ] {
        assert_same(&folder, &format!("measure MAP --what {what}"), "r32");
    }
    assert_same(&folder, "measure MAP --what slope --range 10:30", "png");
    assert_same(
        &folder,
        "measure MAP --what slope --crop 90x70+33+41",
        "r32",
    );
    for view in ["top", "hillshade", "contours"] {
        assert_same(&folder, &format!("render MAP --view {view}"), "png");
    }
    for ending in ["obj", "stl", "glb"] {
        assert_same(&folder, "mesh MAP", ending);
        assert_same(&folder, "mesh MAP --step 7 --crop 90x70+33+41", ending);
    }
    assert_same(&folder, "mesh MAP --texture none --step 3", "glb");
    assert_same(&folder, "convert MAP", "tif");
    let json = |map: &str| folder.succeed(&format!("info {map} --json"));
    assert_eq!(json("world"), json("a.ron"));
}

/// Also integers and meters: nearly the recipe's heights.
#[test]
fn reads_tiles_of_other_formats() {
    for format in ["png", "r16", "tif", "exr", "asc", "raw"] {
        let folder = world(format);
        folder.succeed("convert world -o one.r32 -q");
        folder.succeed("generate a.ron -o two.r32 -q");
        let heights = |name: &str| -> Vec<f32> {
            let bytes = folder.read(name);
            let (all, _) = bytes.as_chunks::<4>();
            all.iter().map(|&z| f32::from_le_bytes(z)).collect()
        };
        let (one, two) = (heights("one.r32"), heights("two.r32"));
        assert_eq!(one.len(), 200 * 150);
        let off = one.iter().zip(&two).map(|(a, b)| (a - b).abs());
        let most = off.fold(0.0, f32::max);
        assert!(most <= 0.6 / 65_535.0, "{format}: {most}");
    }
}

/// Measured tile by tile, with cells of neighboring tiles, the folder contains the values of the whole map.
#[test]
fn measures_folder_into_folder() {
    let folder = world("r32");
    for what in [
        "slope",
        "aspect",
        "hillshade",
        "curvature",
        "roughness",
        "land",
    ] {
        folder.succeed(&format!("measure world --what {what} -o values-{what} -q"));
        folder.succeed(&format!("measure a.ron --what {what} -o whole.r32 -q"));
        let whole = folder.read("whole.r32");
        for (row, top) in [0, 50, 100].into_iter().enumerate() {
            for (column, left) in [0, 64, 128, 192].into_iter().enumerate() {
                let name = format!("values-{what}/tile_y{row:04}_x{column:04}.r32");
                let (tile, width) = (folder.read(&name), 64.min(200 - left));
                for y in 0..50 {
                    let part = &whole[4 * ((top + y) * 200 + left)..][..4 * width];
                    assert!(part == &tile[4 * y * width..][..4 * width], "{what} {name}");
                }
            }
        }
    }
    folder.succeed("measure world --what normals -o normals -q");
    assert_eq!(folder.names_in("normals").len(), 12);
    folder.succeed("measure world --what slope --range 20:40 --format png -o steep -q");
    assert!(
        folder
            .names_in("steep")
            .iter()
            .all(|name| name.ends_with(".png"))
    );
}

#[test]
fn rejects_unsupported_operations() {
    let folder = world("r16");
    folder.refuse(
        "measure world --what rivers -o rivers",
        &["--what rivers depends on the whole map", "--resize"],
    );
    folder.refuse(
        "measure world --what curvature -o bent",
        &["integers", "--range"],
    );
    folder.refuse(
        "info world --size 200x150",
        &["--size", "a folder of tiles"],
    );
    folder.refuse("info world --seed 3", &["--seed"]);
    std::fs::create_dir(folder.path("empty")).unwrap();
    folder.refuse("info empty", &["empty", "tiles.ron"]);
    std::fs::remove_file(folder.path("world/tile_y0001_x0002.r16")).unwrap();
    folder.refuse("info world", &["tile_y0001_x0002.r16"]);
    folder.write("world/tile_y0001_x0002.r16", "short");
    folder.refuse("info world", &["tile_y0001_x0002.r16"]);
    for ending in ["obj", "stl", "glb"] {
        folder.refuse(
            &format!("mesh world -o a.{ending}"),
            &["tile_y0001_x0002.r16"],
        );
    }
    let meshes = Folder::new();
    meshes.succeed("tile islands --size 40 --tile 20 --format obj -o world -q");
    meshes.refuse("info world", &[".obj", "can be written but not read"]);
}

/// A world that is too large for one map is cropped or reduced.
#[test]
fn large_world_is_cropped_or_reduced() {
    let folder = Folder::new();
    folder.succeed("tile islands --size 20000x64 --tile 1000x64 --format r16 -o world -q");
    folder.refuse(
        "measure world --what rivers -o rivers.r32",
        &["at most 16384 cells a side", "--crop", "--resize"],
    );
    let said = folder.succeed("info world");
    assert!(said.contains("20000 x 64 cells"), "{said}");
    folder.succeed("info world --crop 500x60+18000+2");
    for ending in ["obj", "stl", "glb"] {
        let said = folder.succeed(&format!("mesh world --step 9 -o land.{ending}"));
        assert!(said.contains("world, 20000x64"), "{said}");
    }
    // Every ninth column and the last, and the same for rows. Each square is two triangles.
    let stl = folder.read("land.stl");
    let triangles = 2 * 2223 * 7 + 6 * (2223 + 7);
    assert_eq!(stl[80..84], u32::to_le_bytes(triangles));
    assert_eq!(stl.len(), 84 + 50 * triangles as usize);
    let said = folder.succeed("measure world --resize 1000x4 --what slope -o small.r32");
    assert!(said.contains("1000x4"), "{said}");
    let said = folder.succeed("render world --view hillshade -o small.png");
    assert!(said.contains("shown at 1/8"), "{said}");
    assert_eq!(text(&folder.read("small.png")[1..4]), "PNG");
}
