//! `--for`: reads the files back like Unity, Unreal, Godot and jackdaw do, byte by byte.

use lanternfell_heightmap::{Heightmap, MapSize};
use lanternfell_io::{self as io, RawFormat};

use super::Folder;

/// A map of 61 x 47 cells of 30 m, with heights from 100 m to 1100 m. It rises to the east, and ten times as much to
/// the south.
fn folder() -> Folder {
    let folder = Folder::new();
    let row = |y: usize| {
        let cells =
            (0..61).map(|x| 100.0 + (x as f64 / 60.0 + 10.0 * y as f64 / 46.0) / 11.0 * 1000.0);
        cells.map(|z| z.to_string()).collect::<Vec<_>>().join(" ")
    };
    let rows: Vec<String> = (0..47).map(row).collect();
    let header = "ncols 61\nnrows 47\nxllcorner 0\nyllcorner 0\ncellsize 30\n";
    folder.write("dem.asc", format!("{header}{}\n", rows.join("\n")));
    folder
}

/// Returns the value after a name in the printed table.
#[track_caller]
fn typed(said: &str, name: &str) -> String {
    let line = said.lines().find_map(|line| line.trim().strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in {said}"))
        .trim()
        .to_owned()
}

#[track_caller]
fn number(said: &str, name: &str) -> f64 {
    typed(said, name).parse().unwrap()
}

fn words(bytes: &[u8]) -> Vec<u16> {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|&pair| u16::from_le_bytes(pair))
        .collect()
}

/// Returns the expected height at this share of the way to the east and to the south.
fn ground(east: f64, south: f64) -> f64 {
    100.0 + (east + 10.0 * south) / 11.0 * 1000.0
}

#[test]
fn unity_reads_the_map() {
    let folder = folder();
    for name in ["a.raw", "a.r16"] {
        let said = folder.succeed(&format!("convert dem.asc --for unity -o {name}"));
        let side: usize = typed(&said, "Resolution").parse().unwrap();
        assert_eq!((side, typed(&said, "Byte Order").as_str()), (65, "Windows"));
        assert_eq!(typed(&said, "Flip Vertically"), "off");
        let size = [
            "Terrain Size X (Width)",
            "Terrain Size Y (Height)",
            "Terrain Size Z (Length)",
        ];
        let [width, height, length] = size.map(|name| number(&said, name));
        let base = number(&said, "Transform > Position Y");
        assert!(
            (width - 1800.0).abs() < 1e-3 && (length - 1380.0).abs() < 1e-3,
            "{said}"
        );
        let file = words(&folder.read(name));
        assert_eq!(file.len(), side * side);
        // Like ImportRawHeightmap: the first row of the file is at z = 0, which is south.
        for (z, x) in [(0, 0), (0, 64), (64, 0), (64, 64), (20, 41)] {
            let found = base + f64::from(file[z * side + x]) / 65_536.0 * height;
            let expected = ground(x as f64 / 64.0, 1.0 - z as f64 / 64.0);
            assert!(
                (found - expected).abs() < 0.05,
                "{name}: {found} for {expected}"
            );
        }
    }
}

#[test]
fn unreal_reads_the_map() {
    let folder = folder();
    for name in ["a.png", "a.r16"] {
        let said = folder.succeed(&format!("convert dem.asc --for unreal -o {name}"));
        let side = 127;
        assert_eq!(typed(&said, "Overall Resolution"), "127 x 127");
        assert_eq!(typed(&said, "Number of Components"), "1 x 1");
        assert_eq!(typed(&said, "Section Size"), "63x63 Quads");
        let file = if name == "a.png" {
            let picture = image::open(folder.path(name)).unwrap();
            let image::DynamicImage::ImageLuma16(picture) = picture else {
                panic!("not 16 bits");
            };
            picture.into_raw()
        } else {
            words(&folder.read(name))
        };
        assert_eq!(file.len(), side * side);
        let (across, down) = (number(&said, "Scale X"), number(&said, "Scale Y"));
        assert!((across * 126.0 - 180_000.0).abs() < 0.1 && (down * 126.0 - 138_000.0).abs() < 0.1);
        let (scale, middle) = (number(&said, "Scale Z"), number(&said, "Location Z"));
        // Like LandscapeDataAccess: centimeters, with 128 numbers per centimeter at scale 1.
        for (y, x) in [(0, 0), (0, 126), (126, 0), (126, 126), (40, 77)] {
            let found = middle + (f64::from(file[y * side + x]) - 32_768.0) / 128.0 * scale;
            let expected = 100.0 * ground(x as f64 / 126.0, y as f64 / 126.0);
            assert!(
                (found - expected).abs() < 5.0,
                "{name}: {found} for {expected}"
            );
        }
    }
}

#[test]
fn godot_reads_the_map() {
    let folder = folder();
    let size = MapSize::new(61, 47).unwrap();
    let expected = |x: usize, y: usize| ground(x as f64 / 60.0, y as f64 / 46.0);
    let check = |map: &Heightmap, meters: &dyn Fn(f32) -> f64| {
        for (x, y) in [(0, 0), (60, 0), (0, 46), (60, 46), (33, 12)] {
            assert!((meters(map.get(x, y)) - expected(x, y)).abs() < 0.02);
        }
    };
    let said = folder.succeed("convert dem.asc --for godot -o a.exr");
    assert_eq!(
        (
            number(&said, "Import Scale"),
            number(&said, "Vertex Spacing")
        ),
        (1.0, 30.0)
    );
    check(&io::read_exr(&folder.read("a.exr")).unwrap(), &f64::from);
    let said = folder.succeed("convert dem.asc --for godot -o a.r32");
    assert_eq!(
        (typed(&said, "map_width"), typed(&said, "map_depth")),
        ("61".into(), "47".into())
    );
    check(
        &io::read_raw(&folder.read("a.r32"), size, RawFormat::R32).unwrap(),
        &f64::from,
    );
    let said = folder.succeed("convert dem.asc --for godot -o a.r16");
    assert_eq!(typed(&said, "R16 Size"), "61, 47");
    let range = typed(&said, "R16 Range");
    let (low, high) = range.split_once(", ").unwrap();
    let (low, high): (f64, f64) = (low.parse().unwrap(), high.parse().unwrap());
    let map = io::read_raw(&folder.read("a.r16"), size, RawFormat::R16).unwrap();
    check(&map, &|share| low + f64::from(share) * (high - low));
    // Generated maps are in meters too.
    folder.succeed("generate hills --size 64 --relief 300 --for godot -o b.r32");
    let size = MapSize::new(64, 64).unwrap();
    let hills = io::read_raw(&folder.read("b.r32"), size, RawFormat::R32).unwrap();
    assert!(hills.range().1 > 100.0, "{:?}", hills.range());
}

/// Reported: there was no output for jackdaw.
#[test]
fn jackdaw_reads_the_map() {
    let folder = folder();
    let said = folder.succeed("convert dem.asc --for jackdaw -o a.png");
    assert!(said.contains("47x47"), "{said}");
    let range = typed(&said, "height_range");
    let (low, high) = range.split_once(',').unwrap();
    let (low, high): (f64, f64) = (low.parse().unwrap(), high.parse().unwrap());
    let size = number(&said, "size");
    assert!((size - 46.0 * 30.0).abs() < 1e-3, "{said}");
    let image::DynamicImage::ImageLuma16(image) = image::open(folder.path("a.png")).unwrap() else {
        panic!("jackdaw reads gray images without alpha");
    };
    assert_eq!(image.dimensions(), (47, 47));
    // Black is the lowest height and white the highest. The square is in the middle of 61 columns.
    for (x, y) in [(0, 0), (46, 0), (0, 46), (46, 46), (12, 33)] {
        let found = low + f64::from(image.get_pixel(x, y)[0]) / 65_535.0 * (high - low);
        let expected = ground(f64::from(x + 7) / 60.0, f64::from(y) / 46.0);
        assert!((found - expected).abs() < 0.05, "{found} for {expected}");
    }
    folder.succeed("generate hills --size 64x80 --resize 33 --for jackdaw -o b.png");
    for (words, part) in [
        ("generate hills --for jackdaw -o b.tif", ".png"),
        ("generate hills --for jackdaw --bits 8 -o b.png", "16 bits"),
        (
            "generate hills --for jackdaw --resize 64x32 -o b.png",
            "needs a square",
        ),
    ] {
        folder.refuse(words, &[part]);
    }
}

/// Reported: a map of 300 cells became one of 513.
#[test]
fn unity_gets_the_nearest_size() {
    let folder = Folder::new();
    let said = folder.succeed("generate hills --size 300 --for unity -o a.raw");
    assert!(said.contains("257x257"), "{said}");
}

#[test]
fn fits_sizes_and_reports_new_spacing() {
    let folder = Folder::new();
    let said =
        folder.succeed("generate hills --size 100 --spacing 2 --relief 50 --for unity -o a.raw");
    assert!(said.contains("129x129"), "{said}");
    assert_eq!(number(&said, "Terrain Size X (Width)"), 256.0);
    let said =
        folder.succeed("convert hills --size 100 --spacing 2 --relief 50 --for unity -o b.raw");
    assert_eq!(number(&said, "Terrain Size X (Width)"), 256.0);
    assert_eq!(folder.read("a.raw"), folder.read("b.raw"));
    // Without --spacing, the area does not change.
    let said = folder.succeed("convert hills --size 101 --for unreal -o c.png");
    let scale = 100.0 * 100.0 / 126.0;
    assert!((number(&said, "Scale X") - scale).abs() < 1e-3, "{said}");
    folder.succeed("generate hills --size 64 --resize 257 --for unity -o d.raw -q");
    assert_eq!(folder.read("d.raw").len(), 2 * 257 * 257);
}

#[test]
fn rejects_files_that_engines_cannot_read() {
    let folder = Folder::new();
    folder.succeed("generate hills --size 64 --sidecar -o a.raw");
    for (words, part) in [
        ("convert hills --size 64 --for unity -o b.png", ".raw, .r16"),
        (
            "convert hills --size 64 --for unreal -o b.tif",
            ".png, .r16",
        ),
        (
            "convert hills --size 64 --for godot -o b.png",
            ".exr, .r32, .r16",
        ),
        (
            "convert hills --size 64 --for unity --resize 64 -o b.raw",
            "65x65",
        ),
        (
            "generate hills --for unreal --resize 512 -o b.png",
            "505x505",
        ),
        ("generate hills --for unreal --bits 8 -o b.png", "16 bits"),
        (
            "generate hills --for unity --raw-format u8 -o b.raw",
            "16 bits",
        ),
        (
            "generate hills --for unity --big-endian -o b.raw",
            "16 bits",
        ),
        (
            "generate hills --size 64 --for unity --sidecar -o b.raw",
            "sidecar",
        ),
        ("generate hills --size 64 --for unity -o a.raw", "sidecar"),
        (
            "generate hills --for godot --heights unit -o b.exr",
            "meters",
        ),
        ("generate hills --for godot -o b.ron", "not for recipes"),
        ("generate hills --for cryengine -o b.raw", "unity"),
    ] {
        folder.refuse(words, &[part]);
    }
}
