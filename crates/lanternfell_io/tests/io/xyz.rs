//! XYZ: grids from points in any order, gaps, and rejected files.

use lanternfell_heightmap::{
    Elevation, ElevationModel, GeoReference, Heightmap, MapFrame, MapSize, Progress, SeededRng,
};
use lanternfell_io::{self as io, Fill, Format, ImportError, ReadOptions, WriteOptions};

fn read(text: &str) -> Result<ElevationModel, ImportError> {
    io::read(text.as_bytes(), Format::Xyz, &ReadOptions::default())
}

fn filled(text: &str, height: f32) -> ElevationModel {
    let options = ReadOptions {
        fill: Some(Fill::Height(height)),
        ..ReadOptions::default()
    };
    io::read(text.as_bytes(), Format::Xyz, &options).unwrap()
}

fn written(model: &ElevationModel) -> String {
    let (mut bytes, options) = (Vec::new(), WriteOptions::default());
    io::write(
        model,
        Format::Xyz,
        &options,
        &mut bytes,
        &Progress::default(),
    )
    .unwrap();
    String::from_utf8(bytes).unwrap()
}

fn placed(size: MapSize, heights: Vec<f32>, place: GeoReference) -> ElevationModel {
    let heights = Heightmap::from_heights(size, heights).unwrap();
    let frame = MapFrame {
        elevation: Elevation::METERS,
        place,
        ..MapFrame::of_size(size)
    };
    ElevationModel { heights, frame }
}

#[test]
fn points_are_cell_centers_in_meters() {
    let map =
        read("500015 4649985 0.5\n500045 4649985 0.75\n500015 4649955 1\n500045 4649955 -2e1\n");
    let map = map.unwrap();
    assert_eq!(map.heights.heights(), [0.5, 0.75, 1.0, -20.0]);
    assert_eq!(map.frame.place.corner, [500_000.0, 4_649_940.0]);
    assert_eq!(map.frame.place.cell, [30.0; 2]);
    assert_eq!(map.frame.elevation, Elevation::METERS);
    assert!(map.frame.elevation_is_explicit && map.frame.place_is_explicit);
    // Heights from 0 to 1 are meters too.
    let low = read("0 0 0\n1 0 1\n0 1 0\n1 1 1").unwrap();
    assert!(low.frame.elevation_is_explicit && low.frame.elevation == Elevation::METERS);
}

#[test]
fn writes_one_point_per_line_from_the_northwest() {
    let size = MapSize::new(2, 2).unwrap();
    let place = GeoReference {
        cell: [0.5, 2.0],
        ..GeoReference::at([8.0, -4.0], 1.0)
    };
    let map = placed(size, vec![1.0, 2.5, -3.0, 4e20], place);
    assert_eq!(
        written(&map),
        "8.25 -1 1.0\n8.75 -1 2.5\n8.25 -3 -3.0\n8.75 -3 4e20\n"
    );
}

/// The order of the lines does not matter. Coordinates are rounded as other programs do.
#[test]
fn reads_points_in_any_order() {
    let mut rng = SeededRng::new(17, b"xyz     ");
    for _ in 0..60 {
        let size = MapSize::new(2 + rng.below(30), 2 + rng.below(30)).unwrap();
        let heights = (0..size.cells())
            .map(|_| rng.unit() as f32 * 900.0 - 40.0)
            .collect();
        // An arc second, whose coordinates never end.
        let cell = [1.0 / 3600.0, 1.0 / 1200.0];
        let place = GeoReference {
            cell,
            ..GeoReference::at([-9.3 - cell[0] / 2.0, 46.7], 1.0)
        };
        let map = placed(size, heights, place);
        let text = written(&map);
        assert_eq!(read(&text).unwrap().heights, map.heights);
        let mut lines: Vec<String> = text
            .lines()
            .map(|line| {
                let numbers: Vec<f64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
                let height = line.rsplit(' ').next().unwrap();
                format!("{:.5},{:.5};\t{height} 255 0 0\r\n", numbers[0], numbers[1])
            })
            .collect();
        for last in (1..lines.len()).rev() {
            lines.swap(last, rng.below(last as u64 + 1) as usize);
        }
        let again = read(&lines.concat()).unwrap();
        assert_eq!(again.heights, map.heights);
        for (found, expected) in again.frame.place.cell.iter().zip(cell) {
            let off = found / expected - 1.0;
            assert!(off.abs() < 0.04, "the cell is off by {off}");
        }
    }
}

#[test]
fn missing_points_are_gaps() {
    // The column x = 2 and the row y = 1 have no points.
    let text = "# a survey\n\nX,Y,Z\n0,0,1\n1,0,2\n3,0,3\n0,2,4\n3,2,5\n0,3,6\n";
    assert_eq!(read(text), Err(ImportError::Gap { column: 1, row: 0 }));
    let map = filled(text, -9.0);
    assert_eq!(map.size(), MapSize::new(4, 4).unwrap());
    let rows = [
        [6.0, -9.0, -9.0, -9.0],
        [4.0, -9.0, -9.0, 5.0],
        [-9.0; 4],
        [1.0, 2.0, -9.0, 3.0],
    ];
    assert_eq!(map.heights.heights(), rows.concat());
    // A height that is NaN is a gap as well, and the last of two points counts.
    assert_eq!(
        filled("0 0 1\n0 1 nan\n1 0 2\n1 1 3\n0 0 7", 5.0)
            .heights
            .heights(),
        [5.0, 3.0, 7.0, 2.0]
    );
}

#[test]
fn names_select_columns() {
    let text = "id;lat;lon;height\n1;10;5;100\n2;10;6;200\n3;9;5;300\n4;9;6;400\n";
    let map = read(text).unwrap();
    assert_eq!(map.heights.heights(), [100.0, 200.0, 300.0, 400.0]);
    assert_eq!(map.frame.place.corner, [4.5, 8.5]);
}

#[test]
fn detects_xyz() {
    let is_xyz = |text: &[u8]| Format::sniff(text) == Some(Format::Xyz);
    for text in [
        "1 2 3\n",
        "1,2,3\n4,5,6",
        "x y z\n1 2 3",
        "\u{feff}1 2 3\n4 5 6\n",
        "# c\n1 2 3\n4 5",
    ] {
        assert!(is_xyz(text.as_bytes()), "{text}");
    }
    for text in [
        "",
        "1 2\n",
        "x y z\n",
        "a b c\n1 2 3",
        "(steps: [])",
        "{}",
        "1 2 3\na b c\n",
        "v 1 2 3\n",
    ] {
        assert!(!is_xyz(text.as_bytes()), "{text}");
    }
    assert!(!is_xyz(&[0; 300]));
}

#[test]
fn rejects_points_off_the_grid_and_invalid_lines() {
    let square = "0 0 1\n10 0 1\n0 10 1\n10 10 1\n";
    for (text, words) in [
        ("", "no points"),
        ("x y z\n", "no points"),
        ("a b c\n", "not an XYZ file"),
        ("1 2\n", "line 1 of the XYZ file has no column 3"),
        (
            &format!("{square}1 x 2"),
            "line 5 of the XYZ file contains `x`",
        ),
        (&format!("{square}1 inf 2"), "contains `inf`"),
        (&format!("{square}1 nan 2"), "contains `nan`"),
        ("0 0 1\n0 1 1\n", "all points have the same x"),
        ("0 0 1\n1 0 1\n", "all points have the same y"),
        (
            &format!("{square}14 0 1"),
            "not on a regular grid: x 10 is between",
        ),
        ("0 0 1\n1 1 1\n16384 2 1\n", "from 2 to 16384"),
        (
            "0 0 1\n1 1 1\n16383 16383 1\n",
            "the 3 points are not on a regular grid: it would have 16384x16384",
        ),
        ("-1e308 0 1\n1e308 1 1\n", "extent is inf"),
        (&"1".repeat(5000), "longer than 4096"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(words), "{text:.40}: {error}");
    }
    let mut rng = SeededRng::new(3, b"xyz     ");
    let cloud: String = (0..70_000)
        .map(|_| format!("{} {} 1\n", rng.unit(), rng.unit()))
        .collect();
    let error = read(&cloud).unwrap_err().to_string();
    assert!(
        error.contains("not on a regular grid: more than 65536 different x"),
        "{error}"
    );
}
