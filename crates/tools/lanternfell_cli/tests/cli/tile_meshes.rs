//! `tile --format obj|glb`: meshes of neighboring tiles match on their shared edge, and have textures.

use lanternfell_heightmap::{MapSize, RgbImage};
use serde_json::Value;

use super::{
    Folder,
    range::{slope, write_dem},
    text,
};

/// The values of the lines of an OBJ that start with this word, as text.
fn lines(folder: &Folder, name: &str, word: &str) -> Vec<String> {
    let start = format!("{word} ");
    let file = text(&folder.read(name));
    let lines = file.lines().filter_map(|line| line.strip_prefix(&start));
    lines.map(str::to_owned).collect()
}

/// The JSON of a GLB, and the bytes of one of its buffer views.
fn glb(bytes: &[u8], view: usize) -> (Value, Vec<u8>) {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let number = |name| json["bufferViews"][view][name].as_u64().unwrap() as usize;
    let start = 28 + length + number("byteOffset");
    let part = bytes[start..start + number("byteLength")].to_vec();
    (json, part)
}

/// Reported: normals on the shared edge of neighboring tiles differed by 9 degrees on average.
#[test]
fn normals_match_on_shared_edges() {
    let folder = Folder::new();
    const TILES: &str = "tile fractal-noise --size 65x49 --set octaves=8 --tile 32x24 --overlap 1";
    folder.succeed(&format!("{TILES} --format obj -o obj -q"));
    folder.succeed(&format!("{TILES} --format glb -o glb -q"));
    folder.succeed("mesh fractal-noise --size 65x49 --set octaves=8 -o whole.obj -q");
    let whole = lines(&folder, "whole.obj", "vn");
    for row in 0..2 {
        for column in 0..2 {
            let name = format!("obj/tile_y{row:04}_x{column:04}.obj");
            let normals = lines(&folder, &name, "vn");
            for y in 0..25 {
                let expected = &whole[65 * (24 * row + y) + 32 * column..][..33];
                assert_eq!(normals[33 * y..][..33], *expected, "{name}, {y}");
            }
        }
    }
    let normals = |name: &str| glb(&folder.read(&format!("glb/{name}.glb")), 1).1;
    let (west, east) = (normals("tile_y0000_x0000"), normals("tile_y0000_x0001"));
    let normal =
        |bytes: &[u8], column: usize, y: usize| bytes[12 * (33 * y + column)..][..12].to_vec();
    for y in 0..25 {
        assert_eq!(normal(&west, 32, y), normal(&east, 0, y), "{y}");
    }
    let south = normals("tile_y0001_x0000");
    assert_eq!(west[12 * 33 * 24..], south[..12 * 33]);
}

/// Blocks of erosion that only the border of a tile needs are removed at the end, too.
#[test]
fn eroded_meshes_leave_no_blocks() {
    let folder = Folder::new();
    folder.write(
        "a.ron",
        r#"(version: 1, size: (2100, 100), seed: 4, scale: (spacing: 20, relief: 900), steps: {
            "land": Generate(by: FractalNoise((octaves: 3, scale: 300))),
            "worn": Filter(of: "land", by: [StreamPowerErosion(())]),
        })"#,
    );
    // The first tile ends where the second block begins, at 992.
    folder.succeed("tile a.ron -o world --tile 991x99 --overlap 1 --format obj -q");
    assert!(!folder.path("world/blocks").exists());
    let normals =
        |column: usize| lines(&folder, &format!("world/tile_y0000_x{column:04}.obj"), "vn");
    let (west, east) = (normals(0), normals(1));
    for y in 0..100 {
        assert_eq!(west[992 * y + 991], east[992 * y]);
    }
}

/// The tile of an elevation model, with texture coordinates from 0 to 1 and a crop of the image of the whole map.
#[test]
fn textures_are_crops_of_the_whole_map() {
    let folder = Folder::new();
    write_dem(&folder, "dem.tif", (65, 49), |x, y| {
        slope(x, y) + 40.0 * ((x / 3 + y / 5) % 4) as f32
    });
    for texture in ["atlas", "natural"] {
        folder.succeed(&format!(
            "mesh dem.tif --texture {texture} -o {texture}.glb -q"
        ));
        let whole = image(&glb(&folder.read(&format!("{texture}.glb")), 4).1);
        let tiles = format!("tile dem.tif --tile 32x24 --overlap 1 --texture {texture}");
        folder.succeed(&format!("{tiles} --format obj -o {texture}-obj -q"));
        folder.succeed(&format!("{tiles} --format glb -o {texture}-glb -q"));
        for (column, row) in [(0, 0), (1, 0), (1, 1)] {
            let name = format!("tile_y{row:04}_x{column:04}");
            let expected = whole.cropped((32 * column, 24 * row), MapSize::new(33, 25).unwrap());
            let expected = expected.unwrap();
            let (json, bytes) = glb(&folder.read(&format!("{texture}-glb/{name}.glb")), 4);
            assert!(json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"].is_object());
            assert_near(&image(&bytes), &expected);
            let folder_name = format!("{texture}-obj");
            assert_near(
                &image(&folder.read(&format!("{folder_name}/{name}.png"))),
                &expected,
            );
            let obj = text(&folder.read(&format!("{folder_name}/{name}.obj")));
            assert!(obj.contains(&format!("mtllib {name}.mtl\n")));
            let library = text(&folder.read(&format!("{folder_name}/{name}.mtl")));
            assert!(
                library.contains(&format!("map_Kd {name}.png\n")),
                "{library}"
            );
            let coordinates = lines(&folder, &format!("{folder_name}/{name}.obj"), "vt");
            assert_eq!(coordinates[0], "0.000000 1.000000");
            assert_eq!(coordinates[33 * 25 - 1], "1.000000 0.000000");
        }
    }
}

fn image(bytes: &[u8]) -> RgbImage {
    let image = image::load_from_memory(bytes).unwrap().into_rgb8();
    let mut found = RgbImage::black(image.width(), image.height());
    found.bytes_mut().copy_from_slice(image.as_raw());
    found
}

/// The colors may differ by a rounding of the stretched heights.
#[track_caller]
fn assert_near(found: &RgbImage, expected: &RgbImage) {
    assert_eq!(
        (found.width(), found.height()),
        (expected.width(), expected.height())
    );
    let bytes = found.bytes().iter().zip(expected.bytes());
    let most = bytes.map(|(a, b)| a.abs_diff(*b)).max();
    assert!(most <= Some(1), "{most:?}");
}

#[test]
fn rejects_misplaced_and_large_textures() {
    let folder = Folder::new();
    folder.refuse(
        "tile hills --size 64 --texture atlas -o world",
        &[
            "--texture is only for .obj and .glb tiles",
            "--format is r32",
        ],
    );
    folder.refuse(
        "tile fractal-noise --size 5000x64 --format glb --texture natural -o world",
        &["--texture natural", "4096", "5000x64", "--texture atlas"],
    );
    folder.succeed("tile fractal-noise --size 33 --tile 32 --overlap 1 --format obj -o world -q");
    folder.refuse(
        "tile fractal-noise --size 33 --tile 32 --overlap 1 --format obj --texture atlas -o world",
        &["different --texture"],
    );
    let names = folder.names_in("world");
    assert_eq!(names, ["tile_y0000_x0000.obj", "tiles.ron"]);
}

/// Tiles of a map in degrees, whose cells are not square, are parts of its mesh.
#[test]
fn tiles_of_rectangular_cells_match_the_whole_mesh() {
    let folder = Folder::new();
    let rows: Vec<String> = (0..9)
        .map(|y| {
            let row = (0..9).map(|x| (100.0 + f64::from(x * x) - 3.0 * f64::from(y)).to_string());
            row.collect::<Vec<_>>().join(" ")
        })
        .collect();
    let header = "ncols 9\nnrows 9\nxllcorner 8\nyllcorner 60\ncellsize 0.01\n";
    folder.write("dem.asc", format!("{header}{}\n", rows.join("\n")));
    folder.write(
        "dem.prj",
        r#"GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]"#,
    );
    folder.succeed("mesh dem.asc -o whole.obj -q");
    folder.succeed("tile dem.asc --tile 4 --overlap 1 --format obj -o tiles -q");
    let normals = lines(&folder, "whole.obj", "vn");
    let tile = lines(&folder, "tiles/tile_y0001_x0001.obj", "vn");
    for y in 0..5 {
        assert_eq!(tile[5 * y..][..5], normals[9 * (4 + y) + 4..][..5], "{y}");
    }
    let width = |name: &str, from: usize, to: usize| {
        let places = lines(&folder, name, "v");
        let number = |index: usize, axis: usize| -> f64 {
            places[index].split(' ').nth(axis).unwrap().parse().unwrap()
        };
        [0, 2].map(|axis| number(to, axis) - number(from, axis))
    };
    let [east, south] = width("tiles/tile_y0001_x0001.obj", 0, 24);
    let [all_east, all_south] = width("whole.obj", 0, 80);
    assert!((2.0 * east - all_east).abs() < 1e-2, "{east} {all_east}");
    assert!(
        (2.0 * south - all_south).abs() < 1e-2,
        "{south} {all_south}"
    );
    // At 60 degrees, a degree of longitude is half as long as one of latitude.
    assert!((east / south - 0.5).abs() < 0.01, "{east} {south}");
}
