//! `--project`: maps in degrees become maps with square cells in meters.

use lanternfell_heightmap::{CoordinateSystem, ElevationModel};
use lanternfell_io::{self as io, Format, ReadOptions};
use serde_json::Value;

use super::Folder;

/// A map of 121 x 91 cells of an arc second in WGS 84, whose center is at 14.5° E, 46.25° N. The height rises 10 m from
/// column to column, from 1000 m.
fn degrees() -> Folder {
    let folder = Folder::new();
    let cell = 1.0 / 3600.0;
    let (west, south) = (14.5 - 60.5 * cell, 46.25 - 45.5 * cell);
    let row: Vec<String> = (0..121).map(|x| (1000 + 10 * x).to_string()).collect();
    let rows = format!("{}\n", row.join(" ")).repeat(91);
    let header =
        format!("ncols 121\nnrows 91\nxllcorner {west}\nyllcorner {south}\ncellsize {cell}\n");
    folder.write("dem.asc", header + &rows);
    let wgs84 = io::gdal_projection(CoordinateSystem::Geographic(4326)).unwrap();
    folder.write("dem.prj", wgs84);
    folder
}

fn read(folder: &Folder, name: &str) -> ElevationModel {
    io::read(&folder.read(name), Format::Tiff, &ReadOptions::default()).unwrap()
}

fn info(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.succeed(&format!("info {name} --json"))).unwrap()
}

/// Checks the height of the nearest cell to a position on the plane, where the map has this longitude.
#[track_caller]
fn check_height(map: &ElevationModel, position: [f64; 2], longitude: f64) {
    let rows = map.size().height();
    let [column, row] = map.frame.place.cell_at(position, rows);
    let found = map
        .heights
        .get(column.round() as usize, row.round() as usize);
    let expected = 1000.0 + 10.0 * (60.0 + (longitude - 14.5) * 3600.0);
    // The nearest cell is up to half a cell away. An arc second of longitude is 21.4 m.
    let most = 10.0 * (0.5 * map.frame.place.cell[0] / 21.4) + 1.0;
    assert!(
        (f64::from(found) - expected).abs() < most,
        "{found} for {expected}"
    );
}

/// Reported: a map in degrees could not be brought to UTM. The coordinates are those of PROJ.
#[test]
fn projects_degrees_to_utm() {
    let folder = degrees();
    for kind in ["bilinear", "bicubic", "cubic"] {
        let said = folder.succeed(&format!(
            "convert dem.asc --project utm --resampling {kind} -o {kind}.tif"
        ));
        assert!(said.contains("UTM zone 33N (EPSG:32633)"), "{said}");
        let map = read(&folder, &format!("{kind}.tif"));
        let place = map.frame.place;
        assert_eq!(place.system, Some(CoordinateSystem::Projected(32_633)));
        assert_eq!(place.cell[0], place.cell[1]);
        check_height(&map, [461_458.600_6, 5_121_946.297_2], 14.5);
        check_height(&map, [462_232.860_1, 5_122_497.044_6], 14.51);
    }
    assert_eq!(folder.read("bicubic.tif"), folder.read("cubic.tif"));
    let spaced = folder.succeed("convert dem.asc --project utm --spacing 25 -o spaced.tif");
    assert!(spaced.contains("cells of 25 m"), "{spaced}");
    assert_eq!(read(&folder, "spaced.tif").frame.place.cell, [25.0, 25.0]);
    assert_eq!(info(&folder, "bilinear.tif")["epsg"], 32_633);
}

#[test]
fn projects_degrees_to_meters_around_the_center() {
    let folder = degrees();
    let said = folder.succeed("convert dem.asc --project meters -o a.tif");
    assert!(said.contains("transverse Mercator"), "{said}");
    assert!(
        said.contains("longitude 14.5000, latitude 46.2500"),
        "{said}"
    );
    let map = read(&folder, "a.tif");
    assert_eq!(map.frame.place.system, None);
    check_height(&map, [0.0, 0.0], 14.5);
    check_height(&map, [771.066_8, 555.829_9], 14.51);
}

#[test]
fn cells_outside_of_the_map_are_no_data() {
    let folder = degrees();
    // Without --fill every cell is inside of the map.
    folder.succeed("convert dem.asc --project utm -o inside.tif");
    let (low, high) = read(&folder, "inside.tif").heights.range();
    assert!(low >= 1000.0 && high <= 2200.0, "{low} to {high}");
    // With the no-data value, cells outside keep it.
    folder.succeed("convert dem.asc --project utm --nodata -9999 --fill -9999 -o whole.tif");
    folder.refuse("info whole.tif", &["has no height"]);
    let options = ReadOptions {
        fill: Some(io::Fill::Height(-1.0)),
        ..ReadOptions::default()
    };
    let map = io::read(&folder.read("whole.tif"), Format::Tiff, &options).unwrap();
    let outside = map.heights.heights().iter().filter(|&&z| z == -1.0).count();
    assert!(
        outside > 0 && outside < map.size().cells() / 20,
        "{outside}"
    );
    assert!(map.size().cells() > read(&folder, "inside.tif").size().cells());
    folder.succeed("convert dem.asc --project utm --fill interpolate -o filled.tif");
    let (low, high) = read(&folder, "filled.tif").heights.range();
    assert!(low >= 1000.0 && high <= 2200.0, "{low} to {high}");
}

#[test]
fn no_data_stays_no_data() {
    let folder = degrees();
    let text = String::from_utf8(folder.read("dem.asc")).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[50] = lines[50].replace("1600", "-9999");
    lines.insert(5, "NODATA_value -9999".to_owned());
    folder.write("dem.asc", lines.join("\n"));
    folder.refuse("convert dem.asc --project utm -o a.tif", &["has no height"]);
    folder.succeed("convert dem.asc --project utm --fill -9999 -o a.tif");
    folder.refuse("info a.tif", &["has no height"]);
    let options = ReadOptions {
        fill: Some(io::Fill::Height(-1.0)),
        ..ReadOptions::default()
    };
    let map = io::read(&folder.read("a.tif"), Format::Tiff, &options).unwrap();
    // No height is mixed with -9999.
    for &z in map.heights.heights() {
        assert!(z == -1.0 || (990.0..2210.0).contains(&z), "{z}");
    }
    // Grids keep the cells too.
    folder.succeed("convert a.tif --fill -9999 -o b.asc");
    folder.refuse("info b.asc", &["has no height"]);
    // Filled with another height, they have one, and so they have after a filter.
    folder.succeed("convert a.tif --fill 1000 -o c.tif");
    folder.succeed("info c.tif");
}

#[test]
fn crop_comes_first_and_resize_last() {
    let folder = degrees();
    folder.succeed("convert dem.asc --crop 41x31+40+30 --project utm --resize 20x30 -o a.tif");
    let map = read(&folder, "a.tif");
    assert_eq!((map.size().width(), map.size().height()), (20, 30));
    check_height(&map, [461_458.600_6, 5_121_946.297_2], 14.5);
    // Other commands project too.
    folder.succeed("measure dem.asc --what slope --project utm -o slope.tif");
    assert_eq!(info(&folder, "slope.tif")["epsg"], 32_633);
    let facts = folder.succeed("info dem.asc --project utm --json");
    let facts: Value = serde_json::from_str(&facts).unwrap();
    assert_eq!(facts["epsg"], 32_633);
    assert_eq!(facts["cell"][0], facts["cell"][1]);
}

#[test]
fn projected_maps_get_square_cells() {
    let folder = Folder::new();
    let header = "ncols 9\nnrows 11\nxllcorner 100\nyllcorner 200\ndx 20\ndy 10\n";
    folder.write(
        "dem.asc",
        format!("{header}{}", "1 2 3 4 5 6 7 8 9\n".repeat(11)),
    );
    folder.succeed("convert dem.asc --project meters --spacing 10 -o a.tif");
    let map = read(&folder, "a.tif");
    assert_eq!((map.size().width(), map.size().height()), (18, 11));
    assert_eq!(map.frame.place.cell, [10.0, 10.0]);
    assert_eq!(map.frame.place.corner, [100.0, 200.0]);
}

#[test]
fn refuses_maps_that_cannot_be_projected() {
    let folder = degrees();
    folder.write(
        "flat.asc",
        "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n",
    );
    let wgs84 = folder.read("dem.prj");
    let in_degrees = |name: &str, header: &str| {
        let header = format!("ncols 2\nnrows 2\n{header}\n1 2\n3 4\n");
        folder.write(&format!("{name}.asc"), header);
        folder.write(&format!("{name}.prj"), &wgs84);
    };
    in_degrees("world", "xllcorner -180\nyllcorner -90\ndx 180\ndy 90");
    in_degrees("pole", "xllcorner 10\nyllcorner 85\ncellsize 1");
    in_degrees("far", "xllcorner 1e300\nyllcorner 0\ncellsize 1");
    in_degrees("tiny", "xllcorner 0\nyllcorner 0\ncellsize 1e-300");
    for (words, part) in [
        (
            "flat.asc --project utm",
            "--project utm: cannot project from a map without a coordinate system",
        ),
        ("world.asc --project utm", "degrees of longitude"),
        ("world.asc --project meters", "at most 30 are allowed"),
        ("pole.asc --project utm", "latitude of 86.000 degrees"),
        ("far.asc --project utm", "--project utm"),
        ("tiny.asc --project utm", "--project utm"),
        ("dem.asc --project utm --spacing 0.01", "out of range"),
        ("dem.asc --project utm --spacing 5e4", "out of range"),
        (
            "dem.asc --project utm --spacing 30 --resize 50",
            "--spacing and --resize",
        ),
        (
            "dem.asc --resampling bilinear",
            "--resampling is only for --project",
        ),
        ("dem.asc --project mars", "utm"),
        (
            "hills --project utm",
            "--project is only for heightmap files",
        ),
    ] {
        folder.refuse(&format!("convert {words} -o x.tif"), &[part]);
    }
    // A plane in meters needs no coordinate system.
    folder.succeed("convert flat.asc --project meters --fill 0 -o ok.tif");
}

/// Reported: `--for godot` printed two vertex spacings for a map in degrees, but `Terrain3D` has one.
#[test]
fn godot_gets_one_spacing() {
    let folder = degrees();
    let said = folder.succeed("convert dem.asc --for godot -o a.exr");
    assert!(
        said.contains("projected to a local transverse Mercator"),
        "{said}"
    );
    let line = said
        .lines()
        .find(|line| line.contains("Vertex Spacing"))
        .unwrap();
    let spacing: f64 = line.split_whitespace().last().unwrap().parse().unwrap();
    assert!((25.0..27.0).contains(&spacing), "{spacing}");
    let map = io::read(&folder.read("a.exr"), Format::Exr, &ReadOptions::default()).unwrap();
    let cell = map.frame.place.cell;
    assert!(
        cell[0] == cell[1] && (cell[0] - spacing).abs() < 1e-4,
        "{cell:?}"
    );
    let said = folder.succeed("convert dem.asc --for godot --project utm --spacing 20 -o b.exr");
    assert!(said.contains("EPSG:32633"), "{said}");
    assert!(said.contains("Vertex Spacing  20"), "{said}");
    folder.refuse(
        "generate hills --size 64 --resize 64x32 --for godot -o c.exr",
        &["needs square cells", "--resize 64x64"],
    );
    // Unity and Unreal have a scale for each axis.
    let said = folder.succeed("convert dem.asc --for unreal -o d.png");
    assert!(!said.contains("projected"), "{said}");
}
