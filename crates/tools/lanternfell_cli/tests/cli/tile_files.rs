//! `tile` of heightmap files: tiles have the heights, the scale and the georeference of the file.

use lanternfell_heightmap::{CoordinateSystem, Heightmap, MapSize};
use lanternfell_io::{self as io, RawFormat, Sample};

use super::{
    Folder,
    range::{slope, write_dem},
    text,
};

/// Heights that differ in every cell, with fractions.
fn rough(x: usize, y: usize) -> f32 {
    slope(x, y) + ((x * 7919 + y * 104_729) % 1000) as f32 / 37.0
}

fn words(bytes: &[u8]) -> Vec<u16> {
    let words = bytes.as_chunks().0.iter();
    words.map(|&word| u16::from_le_bytes(word)).collect()
}

/// Reported: `tile` only accepted recipes, so an elevation model could not be cut for an engine.
#[test]
fn tiles_have_the_heights_of_the_file() {
    let folder = Folder::new();
    write_dem(&folder, "dem.tif", (97, 70), rough);
    let said = folder.succeed("tile dem.tif --tile 32 --overlap 1 -o world");
    assert!(
        said.contains("wrote 9 of 9 tiles to world, 0 already existed"),
        "{said}"
    );
    for row in 0..3 {
        for column in 0..3 {
            let bytes = folder.read(&format!("world/tile_y{row:04}_x{column:04}.r32"));
            let (width, height) = (33, if row == 2 { 6 } else { 33 });
            let size = MapSize::new(width, height).unwrap();
            let map = io::read_raw(&bytes, size, RawFormat::R32).unwrap();
            let expected =
                Heightmap::from_fn(size, |x, y| rough(32 * column + x, 32 * row + y)).unwrap();
            assert_eq!(map, expected, "{column}, {row}");
        }
    }
    let said = folder.succeed("tile dem.tif --tile 32 --overlap 1 -o world");
    assert!(
        said.contains("wrote 0 of 9 tiles to world, 9 already existed"),
        "{said}"
    );
    // From a pipe.
    let mut command = folder.command("tile - --tile 32 --overlap 1 -o piped -q");
    command.stdin(std::fs::File::open(folder.path("dem.tif")).unwrap());
    assert!(command.status().unwrap().success());
    let name = "tile_y0001_x0002.r32";
    assert_eq!(
        folder.read(&format!("piped/{name}")),
        folder.read(&format!("world/{name}"))
    );
}

/// The file is read in place, unpacked, or read completely, with the same result.
#[test]
fn every_way_of_reading_gives_the_same_tiles() {
    let folder = Folder::new();
    write_dem(&folder, "dem.tif", (40, 33), rough);
    folder.succeed("convert dem.tif -o dem.r32 --sidecar -q");
    folder.succeed("convert dem.tif -o dem.asc -q");
    folder.succeed("tile dem.tif --tile 16 --overlap 1 -o a -q");
    folder.succeed("tile dem.r32 --tile 16 --overlap 1 -o b -q");
    folder.succeed("tile dem.asc --tile 16 --overlap 1 -o c -q");
    folder.succeed("tile dem.tif --fill interpolate --tile 16 --overlap 1 -o d -q");
    folder.succeed("tile dem.r32 --size 40x33 --tile 16 --overlap 1 -o e -q");
    for name in ["tile_y0000_x0000.r32", "tile_y0001_x0002.r32"] {
        let a = folder.read(&format!("a/{name}"));
        for other in ["b", "c", "d", "e"] {
            assert!(
                folder.read(&format!("{other}/{name}")) == a,
                "{other} {name}"
            );
        }
    }
}

#[test]
fn integer_tiles_share_one_scale() {
    let folder = Folder::new();
    write_dem(&folder, "dem.tif", (64, 48), slope);
    // Without a range, that of the whole file: from 100 to 894.5 m.
    let said = folder.succeed("tile dem.tif --tile 32 --format r16 -o own");
    assert!(
        said.contains("100 m written as 0 and 894.5 m as 65535"),
        "{said}"
    );
    let said = folder.succeed("tile dem.tif --tile 32 --format r16 --range 0:1000 -o fixed");
    assert!(
        said.contains("0 m written as 0 and 1000 m as 65535"),
        "{said}"
    );
    for (name, low, high) in [("own", 100.0, 894.5), ("fixed", 0.0, 1000.0)] {
        let found = words(&folder.read(&format!("{name}/tile_y0001_x0001.r16")));
        for (index, &found) in found.iter().enumerate() {
            let meters = f64::from(slope(32 + index % 32, 32 + index / 32));
            let expected = ((meters - low) / (high - low) * 65_535.0).round();
            assert!(
                (f64::from(found) - expected).abs() <= 1.0,
                "{name}: {found}, {expected}"
            );
        }
    }
    // The tiles of another file fit, and so do `convert` and `tile`.
    folder.succeed("convert dem.tif --crop 32x16+32+32 --range 0:1000 -o crop.r16 -q");
    assert_eq!(
        folder.read("crop.r16"),
        folder.read("fixed/tile_y0001_x0001.r16")
    );
    // Whole meters.
    folder.succeed("tile dem.tif --tile 32 --format raw --to-raw-format i16 -o meters -q");
    let raw = RawFormat {
        sample: Sample::I16,
        ..RawFormat::default()
    };
    let size = MapSize::new(32, 32).unwrap();
    let map = io::read_raw(&folder.read("meters/tile_y0000_x0000.raw"), size, raw).unwrap();
    assert_eq!(map.get(3, 2), slope(3, 2).round());
}

#[test]
fn heights_outside_of_the_range_are_an_error() {
    let folder = Folder::new();
    write_dem(&folder, "dem.tif", (64, 48), slope);
    folder.refuse(
        "tile dem.tif --tile 32 --format png --range 200:1000 -o world",
        &["--range 200:1000", "from 100 to 894.5 m", "--clamp"],
    );
    folder.succeed("tile dem.tif --tile 32 --format r16 --range 200:800 --clamp -o world -q");
    assert_eq!(words(&folder.read("world/tile_y0000_x0000.r16"))[0], 0);
    folder.refuse(
        "tile dem.tif --tile 32 --format r32 --range 0:1000 -o floats",
        &["--range is only for integers"],
    );
    // The heights of a recipe are not known before.
    let output = folder.command(
        "tile fractal-noise --size 64 --tile 32 --relief 100 --format png --range 0:20 -o recipe",
    );
    let output = { output }.output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    for part in ["tile_y0000_x0000.png", "column", "from 0 to 20 m"] {
        assert!(said.contains(part), "{said}");
    }
}

/// Integers of a range are read back as heights of the recipe.
#[test]
fn range_of_a_recipe_is_kept_in_the_manifest() {
    let folder = Folder::new();
    const TILES: &str = "tile fractal-noise --size 65 --tile 32 --overlap 1 --relief 100";
    folder.succeed(&format!("{TILES} --format r16 --range -50:150 -o world -q"));
    folder.succeed("convert world -o back.r32 -q");
    folder.succeed("generate fractal-noise --size 65 --relief 100 -o plain.r32 -q");
    let size = MapSize::new(65, 65).unwrap();
    let map = |name| io::read_raw(&folder.read(name), size, RawFormat::R32).unwrap();
    let (back, plain) = (map("back.r32"), map("plain.r32"));
    for (&back, &plain) in back.heights().iter().zip(plain.heights()) {
        assert!((back - plain).abs() < 2.5 / 65_535.0, "{back}, {plain}");
    }
    folder.refuse(
        &format!("{TILES} --format r16 --range -50:160 -o world"),
        &["different --range", "another folder"],
    );
    folder.refuse(
        &format!("{TILES} --range 0:100 -o floats"),
        &["--range 0:100", "only integer"],
    );
}

#[test]
fn tiles_have_their_own_georeference() {
    let folder = Folder::new();
    write_dem(&folder, "dem.tif", (64, 48), slope);
    folder.succeed("tile dem.tif --tile 32 --format tif -o tiff -q");
    folder.succeed("tile dem.tif --tile 32 --format asc -o asc -q");
    folder.succeed("tile dem.tif --tile 32 --format png --sidecar -o png -q");
    for (column, row, corner) in [
        (0, 0, [500_000.0, 4_000_480.0]),
        (1, 0, [500_960.0, 4_000_480.0]),
        (1, 1, [500_960.0, 4_000_000.0]),
    ] {
        let name = format!("tile_y{row:04}_x{column:04}");
        let bytes = folder.read(&format!("tiff/{name}.tif"));
        let place = io::read_tiff(&bytes, None).unwrap().frame.place;
        assert_eq!((place.corner, place.cell), (corner, [30.0; 2]));
        let system = place.system.and_then(CoordinateSystem::epsg);
        assert_eq!(system, Some(32_633));
        let grid = text(&folder.read(&format!("asc/{name}.asc")));
        let [west, south] = corner;
        assert!(
            grid.contains(&format!("xllcorner {west}\nyllcorner {south}\n")),
            "{grid:.100}"
        );
        assert!(folder.path(&format!("asc/{name}.prj")).is_file());
        let xml = text(&folder.read(&format!("png/{name}.png.aux.xml")));
        let rows = if row == 0 { 32.0 } else { 16.0 };
        let north = south + 30.0 * rows;
        assert!(
            xml.contains(&format!("{west}, 30, 0, {north}, 0, -30")),
            "{xml}"
        );
    }
    folder.refuse(
        "tile dem.tif --tile 32 --format tif --sidecar -o other",
        &["--sidecar is only for"],
    );
}

/// Reported: cells without a height follow the same rules as in other commands.
#[test]
fn no_data_cells_are_filled() {
    let folder = Folder::new();
    let grid = |hole: &str| {
        format!(
            "ncols 4\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n\
             10 20 30 40\n50 {hole} 70 80\n90 100 110 120\n130 140 150 160\n"
        )
    };
    folder.write("a.asc", grid("-9999"));
    folder.refuse(
        "tile a.asc --tile 2 -o world",
        &["column 1, row 1 has no height", "--fill interpolate"],
    );
    let cell = |name: &str| {
        let size = MapSize::new(2, 2).unwrap();
        let bytes = folder.read(&format!("{name}/tile_y0000_x0000.r32"));
        io::read_raw(&bytes, size, RawFormat::R32)
            .unwrap()
            .get(1, 1)
    };
    folder.succeed("tile a.asc --tile 2 --fill 7.5 -o number -q");
    assert_eq!(cell("number"), 7.5);
    folder.succeed("tile a.asc --tile 2 --fill interpolate -o interpolated -q");
    assert!((40.0..90.0).contains(&cell("interpolated")));
    folder.write("b.asc", grid("-1"));
    folder.succeed("tile b.asc --tile 2 --nodata -1 --fill 3 -o declared -q");
    assert_eq!(cell("declared"), 3.0);
}

/// A run for another file or with other options does not add its tiles.
#[test]
fn resuming_does_not_mix_maps() {
    let folder = Folder::new();
    write_dem(&folder, "dem.tif", (64, 48), slope);
    write_dem(&folder, "other.tif", (64, 48), rough);
    const TILES: &str = "--tile 32 --format r16 -o world";
    folder.succeed(&format!("tile dem.tif {TILES} --range 0:1000 --prepass -q"));
    assert_eq!(folder.names_in("world"), ["tiles.json"]);
    folder.succeed(&format!(
        "tile dem.tif {TILES} --range 0:1000 --share 1/2 -q"
    ));
    assert_eq!(folder.names_in("world").len(), 3);
    for (command, what) in [
        (
            format!("tile other.tif {TILES} --range 0:1000"),
            "different map",
        ),
        (
            format!("tile dem.tif {TILES} --range 0:1001"),
            "different --range",
        ),
        (format!("tile dem.tif {TILES}"), "different --range"),
        (
            format!("tile dem.tif {TILES} --range 0:1000 --overlap 1"),
            "different --overlap",
        ),
        (
            format!("tile dem.tif {TILES} --range 0:1000 --spacing 7"),
            "different georeference",
        ),
    ] {
        folder.refuse(&command, &["tiles.json", what, "another folder"]);
    }
    folder.refuse(
        "tile hills --size 64 --tile 32 -o world",
        &["contains tiles but no tiles.ron"],
    );
    let said = folder.succeed(&format!("tile dem.tif {TILES} --range 0:1000"));
    assert!(
        said.contains("wrote 2 of 4 tiles to world, 2 already existed"),
        "{said}"
    );
    folder.succeed("tile hills --size 64 --tile 32 -o recipe -q");
    folder.refuse(
        "tile dem.tif --tile 32 -o recipe",
        &["contains tiles but no tiles.json"],
    );
    folder.refuse("info world", &["contains no tiles.ron"]);
}

#[test]
fn rejects_options_of_recipes_and_damaged_files() {
    let folder = Folder::new();
    write_dem(&folder, "dem.tif", (64, 48), slope);
    folder.refuse(
        "tile dem.tif --seed 3 -o world",
        &["--seed and --set are only for"],
    );
    folder.refuse(
        "tile dem.tif --size 30 -o world",
        &["--size is not allowed for .tif"],
    );
    folder.refuse(
        "tile dem.tif --tile 63 -o world",
        &["leave a last tile of 1 cell"],
    );
    folder.refuse(
        "tile dem.tif --tile 32 --only 2,0 -o world",
        &["--only 2,0", "2 columns"],
    );
    folder.refuse(
        "tile hills --size 64 --fill 3 -o world",
        &["--fill", "only for heightmap files"],
    );
    folder.refuse("tile missing.tif -o world", &["cannot read missing.tif"]);
    folder.write("bad.tif", &folder.read("dem.tif")[..500]);
    folder.refuse("tile bad.tif -o world", &["bad.tif"]);
    folder.write("bad.r32", [0xff; 16]);
    folder.refuse(
        "tile bad.r32 --size 2x2 -o world",
        &["column 0, row 0 is NaN"],
    );
}
