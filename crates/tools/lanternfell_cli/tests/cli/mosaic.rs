//! Several elevation models as one map: files on the command line, and folders.

use lanternfell_heightmap::{CoordinateSystem, ElevationModel};
use lanternfell_io::{self as io, Format, ReadOptions};
use serde_json::Value;

use super::Folder;

/// An ASCII grid of this size with cells of 10 m, whose southwest corner is `corner`.
fn grid(size: (usize, usize), corner: (f64, f64), height: impl Fn(usize, usize) -> f64) -> String {
    let row = |y: usize| {
        let row: Vec<String> = (0..size.0).map(|x| height(x, y).to_string()).collect();
        row.join(" ")
    };
    let rows: Vec<String> = (0..size.1).map(row).collect();
    format!(
        "ncols {}\nnrows {}\nxllcorner {}\nyllcorner {}\ncellsize 10\nNODATA_value -9999\n{}\n",
        size.0,
        size.1,
        corner.0,
        corner.1,
        rows.join("\n")
    )
}

fn read(folder: &Folder, name: &str) -> ElevationModel {
    io::read(&folder.read(name), Format::Tiff, &ReadOptions::default()).unwrap()
}

/// Two files that overlap by one column. The first has a gap there.
fn two() -> Folder {
    let folder = Folder::new();
    let a = |x: usize, y: usize| {
        if (x, y) == (4, 1) {
            -9999.0
        } else {
            100.0 + (10 * y + x) as f64
        }
    };
    folder.write("a.asc", grid((5, 3), (500.0, 200.0), a));
    folder.write(
        "b.asc",
        grid((4, 3), (540.0, 200.0), |x, y| 500.0 + (10 * y + x) as f64),
    );
    folder
}

/// Reported: several files could not be merged. The first one with a height wins.
#[test]
fn merges_files_by_their_georeference() {
    let folder = two();
    let said = folder.succeed("convert a.asc b.asc -o all.tif");
    assert!(said.contains("a.asc and b.asc, 8x3"), "{said}");
    let map = read(&folder, "all.tif");
    assert_eq!(
        map.heights.row(0),
        [100.0, 101.0, 102.0, 103.0, 104.0, 501.0, 502.0, 503.0]
    );
    assert_eq!(map.heights.row(1)[3..6], [113.0, 510.0, 511.0]);
    assert_eq!(map.frame.place.corner, [500.0, 200.0]);
    assert_eq!(map.frame.no_data, Some(-9999.0));
    // The order decides where both have a height.
    folder.succeed("convert b.asc a.asc -o turned.tif");
    let turned = read(&folder, "turned.tif");
    assert_eq!(turned.heights.row(0)[3..6], [103.0, 500.0, 501.0]);
    // A crop is one of the whole map.
    folder.succeed("convert a.asc b.asc --crop 4x2+3+1 -o crop.tif");
    let crop = read(&folder, "crop.tif");
    assert_eq!(crop.heights.row(0), &map.heights.row(1)[3..7]);
    assert_eq!(crop.frame.place.corner, [530.0, 200.0]);
    // Other commands read them too.
    let facts: Value = serde_json::from_str(&folder.succeed("info a.asc b.asc --json")).unwrap();
    assert_eq!(
        (facts["width"].as_u64(), facts["height"].as_u64()),
        (Some(8), Some(3))
    );
    assert_eq!(facts["elevation_meters"]["highest"], 523.0);
    folder.succeed("mesh a.asc b.asc --texture none -o all.glb");
}

#[test]
fn cells_between_files_are_no_data() {
    let folder = two();
    folder.write("c.asc", grid((2, 2), (600.0, 250.0), |_, _| 7.0));
    let merge = "convert a.asc b.asc c.asc -o all.tif";
    // 12 x 7 cells, of which 24 + 4 have a height.
    folder.refuse(merge, &["56 of 84 cells have no height", "--fill"]);
    folder.refuse("info a.asc c.asc", &["cells have no height"]);
    folder.succeed(&format!("{merge} --fill -9999"));
    folder.refuse("info all.tif", &["has no height"]);
    folder.succeed(&format!("{merge} --fill interpolate"));
    let (low, high) = read(&folder, "all.tif").heights.range();
    assert!(low >= 7.0 && high <= 523.0, "{low} to {high}");
    // A crop without gaps needs no fill.
    folder.succeed("convert a.asc b.asc c.asc --crop 8x3+0+4 -o part.tif");
}

#[test]
fn refuses_files_of_different_grids() {
    let folder = two();
    let flat = |_: usize, _: usize| 1.0;
    folder.write("shifted.asc", grid((3, 3), (543.0, 200.0), flat));
    folder.write("far.asc", grid((3, 3), (5e6, 200.0), flat));
    folder.write("infinite.asc", grid((3, 3), (1e300, 200.0), flat));
    let coarse = grid((3, 3), (540.0, 200.0), flat).replace("cellsize 10", "cellsize 20");
    folder.write("coarse.asc", coarse);
    folder.write("utm.asc", grid((3, 3), (540.0, 200.0), flat));
    let utm = io::gdal_projection(CoordinateSystem::Projected(32_633)).unwrap();
    folder.write("utm.prj", utm);
    folder.succeed("generate hills --size 32 -o plain.png");
    folder.write("empty.asc", "");
    for (words, parts) in [
        (
            "a.asc shifted.asc",
            ["a.asc and shifted.asc", "4.300 cells apart to the east"],
        ),
        (
            "a.asc coarse.asc",
            [
                "a.asc and coarse.asc",
                "different cell sizes (10 by 10 and 20 by 20)",
            ],
        ),
        ("a.asc utm.asc", ["a.asc and utm.asc", "EPSG:32633"]),
        (
            "a.asc far.asc",
            ["a.asc and far.asc are too far apart", "65536"],
        ),
        ("a.asc infinite.asc", ["a.asc and infinite.asc", "apart"]),
        ("a.asc plain.png", ["plain.png", ".tif"]),
        ("a.asc none.asc", ["none.asc", ".asc"]),
        ("a.asc -", ["-", ".tif"]),
        ("a.asc empty.asc", ["empty.asc", ""]),
        ("hills a.asc", ["hills", ".hgt"]),
    ] {
        folder.refuse(&format!("convert {words} -o x.tif"), &parts);
        folder.refuse(&format!("info {words}"), &parts[..1]);
    }
    folder.refuse("convert a.asc b.asc --size 8x3 -o x.tif", &["--size"]);
    folder.refuse("convert a.asc b.asc --seed 8 -o x.tif", &["--seed"]);
}

/// A folder with two SRTM files side by side, which share a column, and a third one to the north of the second.
fn srtm() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("srtm")).unwrap();
    for (name, first) in [("N46E008", 100), ("N46E009", 1301), ("N47E009", 2500)] {
        let number = |cell: usize| (first + cell % 1201) as i16;
        let bytes: Vec<u8> = (0..1201 * 1201)
            .flat_map(|cell| number(cell).to_be_bytes())
            .collect();
        folder.write(&format!("srtm/{name}.hgt"), bytes);
    }
    folder.write("srtm/README.txt", "not a map");
    folder
}

/// Reported: a folder of SRTM files could not be read as one map.
#[test]
fn folder_of_srtm_files_is_one_map() {
    let folder = srtm();
    let facts = folder.succeed("info srtm --fill 0 --json");
    let facts: Value = serde_json::from_str(&facts).unwrap();
    assert_eq!(
        (facts["width"].as_u64(), facts["height"].as_u64()),
        (Some(2401), Some(2401))
    );
    assert_eq!(facts["epsg"], 4326);
    assert_eq!(facts["elevation_meters"]["highest"], 3700.0);
    // Across the shared column, in the southern row of files.
    folder.succeed("convert srtm --crop 41x30+1180+1800 -o crop.tif");
    let map = read(&folder, "crop.tif");
    // The western file comes first, so it decides the shared column.
    let height = |x: u16| if x <= 1200 { 100 + x } else { 101 + x };
    let expected: Vec<f32> = (1180..=1220).map(|x| height(x).into()).collect();
    assert_eq!(map.heights.row(7), expected);
    // The corner is half a cell outside of whole degrees.
    let [west, _] = map.frame.place.position([20.0, 0.0], 30);
    assert!((west - 9.0).abs() < 1e-9, "{west}");
    folder.refuse(
        "convert srtm --crop 41x30+0+0 -o x.tif",
        &["cells have no height"],
    );
    folder.succeed("convert srtm --crop 300x300+1100+1700 --project utm --spacing 90 -o utm.tif");
    assert_eq!(
        read(&folder, "utm.tif").frame.place.system,
        Some(CoordinateSystem::Projected(32_632))
    );
    folder.succeed("render srtm --crop 200x200+1300+100 --view hillshade -o hillshade.png");
}

/// A region is read without the files around it: the heights of one of them are damaged.
#[test]
fn reads_only_the_files_of_the_region() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("dem")).unwrap();
    let flat = |x: usize, _: usize| x as f64;
    folder.write("dem/a.asc", grid((50, 40), (0.0, 0.0), flat));
    let damaged = grid((50, 40), (500.0, 0.0), flat).replace(" 7 ", " x ");
    folder.write("dem/b.asc", damaged);
    folder.succeed("convert dem --crop 50x40+0+0 -o a.tif");
    folder.refuse(
        "convert dem --crop 51x40+0+0 -o b.tif",
        &["b.asc", "not a number"],
    );
    folder.refuse("info dem", &["b.asc", "not a number"]);
    // A tile folder without its manifest is no map.
    std::fs::create_dir(folder.path("none")).unwrap();
    folder.refuse("info none", &["none", "tiles.ron"]);
}

/// Files with integers of another scale are converted to the heights of the first one.
#[test]
fn files_may_have_other_number_formats() {
    let folder = two();
    folder.succeed("convert a.asc --fill 114 -o a.tif");
    folder.succeed("convert b.asc --bits 16 -o b.tif");
    folder.succeed("convert a.tif b.tif -o all.tif");
    let map = read(&folder, "all.tif");
    for (found, expected) in map.heights.row(2)[4..]
        .iter()
        .zip([124.0, 521.0, 522.0, 523.0])
    {
        assert!((found - expected).abs() < 0.01, "{found} for {expected}");
    }
    // A sidecar describes the map of both.
    folder.succeed("convert a.tif b.tif --sidecar -o all.png");
    let facts: Value = serde_json::from_str(&folder.succeed("info all.png --json")).unwrap();
    assert_eq!(facts["width"], 8);
}

/// Files that are together too large for one map can be reduced.
#[test]
fn reduces_files_that_are_too_large_for_one_map() {
    let folder = Folder::new();
    folder.write(
        "west.asc",
        grid((4000, 9), (0.0, 0.0), |x, _| x as f64 / 10.0),
    );
    folder.write("east.asc", grid((4000, 9), (160_000.0, 0.0), |_, _| 800.0));
    let too_large = "convert west.asc east.asc --fill 0 -o x.tif";
    folder.refuse(too_large, &["20000x9", "--crop", "--resize"]);
    folder.succeed("convert west.asc east.asc --fill 0 --resize 1000x9 -o a.tif");
    let map = read(&folder, "a.tif");
    assert_eq!((map.size().width(), map.size().height()), (1000, 9));
    // Each cell is 20 columns wide.
    for (column, expected) in [(100, 200.0), (190, 380.0), (500, 0.0), (900, 800.0)] {
        let found = map.heights.get(column, 4);
        assert!(
            (found - expected).abs() < 2.0,
            "{column}: {found} for {expected}"
        );
    }
    let [west, south] = map.frame.place.corner;
    assert!(west.abs() < 100.0 && south.abs() < 10.0, "{west}, {south}");
}

/// Reported: `tile` only accepted recipes. Tiles of several files are those of the merged file.
#[test]
fn tile_cuts_several_files() {
    let folder = two();
    folder.succeed("convert a.asc b.asc -o all.tif -q");
    let more = "--tile 4x2 --overlap 1 --format tif -q";
    folder.succeed(&format!("tile all.tif {more} -o merged"));
    folder.succeed(&format!("tile a.asc b.asc {more} -o files"));
    folder.succeed(&format!(
        "tile a.asc b.asc {more} --fill interpolate -o filled"
    ));
    std::fs::create_dir(folder.path("dems")).unwrap();
    for name in ["a.asc", "b.asc"] {
        folder.write(&format!("dems/{name}"), folder.read(name));
    }
    folder.succeed(&format!("tile dems {more} -o folder"));
    for name in ["tile_y0000_x0000.tif", "tile_y0000_x0001.tif"] {
        let merged = read(&folder, &format!("merged/{name}"));
        for other in ["files", "filled", "folder"] {
            assert_eq!(
                read(&folder, &format!("{other}/{name}")),
                merged,
                "{other} {name}"
            );
        }
    }
}
