//! `tile`: tiles form the whole map, independent of the processes that make them.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant, SystemTime},
};

use lanternfell_heightmap::{Heightmap, MapSize};
use lanternfell_io::{self as io, RawFormat};

use super::{Folder, interrupt, text};

const RECIPE: &str = r#"(version: 1, size: (200, 150), seed: 4, steps: {
    "hills": Generate(by: Hills(())),
    "faults": Generate(by: Faults((lines: 100))),
    "land": Blend(ground: "hills", layer: "faults", how: Multiply, weight: 0.6),
    "world": Filter(of: "land", by: [Normalize, Gamma(1.5), Island(Radial)]),
})"#;

fn tiles(folder: &Folder) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.path("world")).unwrap();
    let mut tiles: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "r32"))
        .collect();
    tiles.sort();
    tiles
}

/// Assembles a map from tiles of this size. Panics if one is missing.
fn joined(folder: &Folder, world: (usize, usize), tile: usize) -> Vec<f32> {
    let mut heights = vec![f32::NAN; world.0 * world.1];
    for top in (0..world.1).step_by(tile) {
        for left in (0..world.0).step_by(tile) {
            let name = format!("world/tile_y{:04}_x{:04}.r32", top / tile, left / tile);
            let (width, height) = (tile.min(world.0 - left), tile.min(world.1 - top));
            let size = MapSize::new(width as u64, height as u64).unwrap();
            let map = io::read_raw(&folder.read(&name), size, RawFormat::R32).unwrap();
            for y in 0..height {
                heights[(top + y) * world.0 + left..][..width].copy_from_slice(map.row(y));
            }
        }
    }
    heights
}

fn whole(folder: &Folder, words: &str, size: (u64, u64)) -> Heightmap {
    folder.succeed(&format!("generate {words} -o whole.r32"));
    let size = MapSize::new(size.0, size.1).unwrap();
    io::read_raw(&folder.read("whole.r32"), size, RawFormat::R32).unwrap()
}

#[test]
fn tiles_form_the_whole_map() {
    let folder = Folder::new();
    folder.write("a.ron", RECIPE);
    let said = folder.succeed("tile a.ron -o world --tile 64");
    assert!(
        said.contains("wrote 12 of 12 tiles to world, 0 already existed"),
        "{said}"
    );
    assert_eq!(
        joined(&folder, (200, 150), 64),
        whole(&folder, "a.ron", (200, 150)).heights()
    );
    let said = folder.succeed("tile a.ron -o world --tile 64");
    assert!(
        said.contains("wrote 0 of 12 tiles to world, 12 already existed"),
        "{said}"
    );
}

#[test]
fn replaced_tile_has_the_same_bytes() {
    let folder = Folder::new();
    folder.write("a.ron", RECIPE);
    folder.succeed("tile a.ron -o world --tile 64 --only 2,1 -q");
    assert_eq!(tiles(&folder).len(), 1);
    let alone = folder.read("world/tile_y0001_x0002.r32");
    folder.succeed("tile a.ron -o world --tile 64 -q");
    std::fs::remove_file(folder.path("world/tile_y0001_x0002.r32")).unwrap();
    folder.succeed("tile a.ron -o world --tile 64 -q");
    assert_eq!(folder.read("world/tile_y0001_x0002.r32"), alone);
    // --only replaces an existing tile.
    folder.write("world/tile_y0001_x0002.r32", "damaged");
    folder.succeed("tile a.ron -o world --tile 64 --only 2,1 -q");
    assert_eq!(folder.read("world/tile_y0001_x0002.r32"), alone);
}

#[test]
fn other_formats_and_overlaps() {
    let folder = Folder::new();
    folder.write("a.ron", RECIPE);
    folder.succeed("tile a.ron -o world --tile 100x75 --overlap 1 --format tif -q");
    let tile = |name: &str| {
        let bytes = folder.read(&format!("world/{name}.tif"));
        io::read_tiff(&bytes, None).unwrap().heights
    };
    let (west, east) = (tile("tile_y0000_x0000"), tile("tile_y0000_x0001"));
    assert_eq!((west.width(), west.height()), (101, 76));
    assert_eq!((east.width(), east.height()), (100, 76));
    for y in 0..76 {
        assert_eq!(west.get(100, y), east.get(0, y));
    }
}

/// Four workers share the work. One is killed, and two others take over.
#[test]
fn workers_share_the_work_and_can_be_killed() {
    const SIDE: usize = 512;
    const WORLD: &str = "tile islands --size 512 --seed 3 --set octaves=10 --tile 32 --threads 1";
    let folder = Folder::new();
    folder.succeed(&format!("{WORLD} -o world --prepass -q"));
    let worker = |share: &str| {
        let mut command = folder.command(&format!("{WORLD} -o world -q --share {share}"));
        command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let in_row = |row: &str| {
        let of = |path: &PathBuf| path.to_string_lossy().contains(row);
        tiles(&folder).iter().filter(|path| of(path)).count()
    };
    // The first worker runs alone, so that the kill hits it while it is working.
    let mut victim = worker("1/1");
    let patience = Instant::now() + Duration::from_secs(60);
    while tiles(&folder).len() < 5 {
        assert!(Instant::now() < patience, "the worker writes no tiles");
        std::thread::sleep(Duration::from_millis(1));
    }
    victim.kill().unwrap();
    victim.wait().unwrap();
    let made = tiles(&folder).len();
    assert!((5..256).contains(&made), "killed with {made} of 256 tiles");
    assert_eq!(in_row("tile_y0015"), 0);
    let kept = std::fs::metadata(&tiles(&folder)[0]).unwrap();
    let workers: Vec<_> = ["1/3", "2/3", "3/3"].map(worker).into();
    for worker in workers {
        let output = worker.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let still = std::fs::metadata(&tiles(&folder)[0]).unwrap();
    assert_eq!(kept.modified().unwrap(), still.modified().unwrap());
    // A single process writes the same bytes.
    folder.succeed(&format!("{WORLD} -o alone -q"));
    assert_eq!(tiles(&folder).len(), 256);
    for path in tiles(&folder) {
        let alone = folder.path("alone").join(path.file_name().unwrap());
        assert!(std::fs::read(&path).unwrap() == std::fs::read(alone).unwrap());
    }
    let words = "islands --size 512 --seed 3 --set octaves=10";
    let whole = whole(&folder, words, (SIDE as u64, SIDE as u64));
    assert_eq!(joined(&folder, (SIDE, SIDE), 32), whole.heights());
    // Only the killed worker may leave a temporary file, which a run on the next day removes.
    let drafts = drafts(&folder);
    assert!(drafts.len() <= 1, "{drafts:?}");
    for draft in drafts {
        age(&draft);
    }
    folder.succeed(&format!("{WORLD} -o world -q"));
    assert_eq!(
        folder.names_in("world").len(),
        256 + 1,
        "the tiles and tiles.ron"
    );
}

fn drafts(folder: &Folder) -> Vec<PathBuf> {
    let hidden = folder
        .names_in("world")
        .into_iter()
        .filter(|name| name.starts_with('.'));
    hidden.map(|name| folder.path("world").join(name)).collect()
}

/// Sets the modification time to two days ago.
fn age(path: &Path) {
    let file = std::fs::File::options().write(true).open(path).unwrap();
    let days = Duration::from_hours(48);
    file.set_modified(SystemTime::now() - days).unwrap();
}

#[test]
fn removes_only_old_temporary_files() {
    let folder = Folder::new();
    folder.write("a.ron", RECIPE);
    folder.succeed("tile a.ron -o world --tile 100 -q --survey");
    let all = [
        ".lanternfell-Ab12Yz",
        ".lanternfell-notes.txt",
        "lanternfell-Ab12Yz",
    ];
    for name in all {
        folder.write(&format!("world/{name}"), "");
        age(&folder.path(&format!("world/{name}")));
    }
    folder.write("world/.lanternfell-Fresh1", "");
    folder.succeed("tile a.ron -o world --tile 100 -q --only 0,0");
    let left = [
        ".lanternfell-Fresh1",
        ".lanternfell-notes.txt",
        "lanternfell-Ab12Yz",
        "tile_y0000_x0000.r32",
        "tiles.ron",
    ];
    assert_eq!(folder.names_in("world"), left);
}

/// After Ctrl-C the message contains the number of finished tiles, and the same command continues.
#[cfg(unix)]
#[test]
fn cancellation_reports_finished_tiles() {
    const WORLD: &str = "tile islands --size 8192 --tile 64 --set octaves=10 -o world --threads 1";
    let folder = Folder::new();
    let mut child = folder
        .command(WORLD)
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while !folder.path("world/tile_y0000_x0002.r32").exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(1));
    }
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let stand = tiles(&folder).len();
    let said = format!(
        "error: canceled: {stand} of 16384 tiles are in world; run the same command to continue\n"
    );
    assert_eq!(text(&output.stderr), said);
    assert!(drafts(&folder).is_empty());
}

/// Two processes start a folder at once with different seeds: one of them fails.
#[test]
fn concurrent_starts_do_not_mix_worlds() {
    for _ in 0..10 {
        let folder = Folder::new();
        let begin = |seed: u32| {
            let words = format!("tile islands --size 64 --tile 32 --seed {seed} -o world");
            let mut command = folder.command(&words);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().unwrap()
        };
        let both = [1, 2]
            .map(begin)
            .map(|child| child.wait_with_output().unwrap());
        let (won, lost) = match both {
            [a, b] if a.status.success() => ((1, a), b),
            [a, b] => ((2, b), a),
        };
        let ((seed, won), lost_words) = (won, text(&lost.stderr));
        assert!(won.status.success(), "{}", text(&won.stderr));
        assert_eq!(lost.status.code(), Some(2), "{lost_words}");
        assert!(lost_words.contains("different seed"), "{lost_words}");
        let words = format!("islands --size 64 --seed {seed}");
        let whole = whole(&folder, &words, (64, 64));
        assert_eq!(joined(&folder, (64, 64), 32), whole.heights());
        assert_eq!(folder.names_in("world").len(), 5);
    }
}

#[test]
fn resuming_does_not_mix_worlds() {
    const RAW: &str = "tile a.ron -o world --tile 100 --format raw";
    let folder = Folder::new();
    folder.write("a.ron", RECIPE);
    folder.succeed(&format!("{RAW} -q"));
    for (other, what) in [
        ("--seed 5", "different seed"),
        ("--size 200x160", "different size"),
        ("--set faults.lines=99", "different recipe"),
        ("--relief 7", "different recipe"),
        ("--overlap 1", "different --overlap"),
        ("--big-endian", "different --raw-format or --big-endian"),
        ("--raw-format f32", "different --raw-format or --big-endian"),
    ] {
        folder.refuse(
            &format!("{RAW} {other}"),
            &["tiles.ron", what, "another folder"],
        );
    }
    folder.refuse(
        "tile a.ron -o world --tile 50 --format raw",
        &["different --tile"],
    );
    folder.refuse("tile a.ron -o world --tile 100", &["different --format"]);
    // The same layout, with other options.
    let said = folder.succeed("tile a.ron -o world --tile 100 --format .RAW --raw-format u16");
    assert!(said.contains("wrote 0 of 4"), "{said}");
    let manifest = folder.read("world/tiles.ron");
    let other = text(&manifest).replace("program: \"", "program: \"0.0.");
    folder.write("world/tiles.ron", other);
    folder.refuse(RAW, &["tiles.ron", "different version"]);
    // Without the manifest, the world of the tiles is unknown.
    std::fs::remove_file(folder.path("world/tiles.ron")).unwrap();
    folder.refuse(
        &format!("{RAW} --seed 5"),
        &["world: the folder contains tiles", "another folder"],
    );
    folder.refuse(RAW, &["world: the folder contains tiles"]);
    folder.write("world/tiles.ron", manifest);
    folder.succeed(RAW);
}

/// A file of the user is not replaced, and the error does not suggest to delete it.
#[test]
fn foreign_manifest_is_not_replaced() {
    let folder = Folder::new();
    folder.write("tiles.ron", RECIPE);
    let output = folder.command("tile tiles.ron -o .").output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("tiles.ron: not a manifest of `lanternfell tile`"));
    assert!(!said.contains("delete"), "{said}");
    assert_eq!(folder.read("tiles.ron"), RECIPE.as_bytes());
    folder.write("world.ron", RECIPE);
    std::fs::remove_file(folder.path("tiles.ron")).unwrap();
    folder.succeed("tile world.ron -o . --tile 100 -q");
    assert_eq!(folder.read("world.ron"), RECIPE.as_bytes());
}

#[test]
fn replaces_truncated_tiles() {
    let folder = Folder::new();
    folder.write("a.ron", RECIPE);
    for (format, lengths) in [("r32", [0, 39_999]), ("png", [0, 0])] {
        let words = format!("tile a.ron -o {format} --tile 100 --format {format}");
        folder.succeed(&words);
        let names = ["tile_y0000_x0000", "tile_y0001_x0001"];
        let names = names.map(|name| format!("{format}/{name}.{format}"));
        let whole = names.each_ref().map(|name| folder.read(name));
        for (name, length) in names.iter().zip(lengths) {
            let file = std::fs::File::options().write(true).open(folder.path(name));
            file.unwrap().set_len(length).unwrap();
        }
        let said = folder.succeed(&words);
        assert!(said.contains("wrote 2 of 4"), "{said}");
        assert_eq!(names.each_ref().map(|name| folder.read(name)), whole);
    }
}

/// The world and each tile have 2^n + 1 cells.
#[test]
fn engine_tiles_share_their_edges() {
    let folder = Folder::new();
    let said = folder.succeed("tile islands --size 513 --tile 64 --overlap 1 -o world");
    assert!(said.contains("wrote 64 of 64 tiles"), "{said}");
    let size = MapSize::new(65, 65).unwrap();
    let whole = whole(&folder, "islands --size 513", (513, 513));
    for row in 0..8 {
        for column in 0..8 {
            let bytes = folder.read(&format!("world/tile_y{row:04}_x{column:04}.r32"));
            let tile = io::read_raw(&bytes, size, RawFormat::R32).unwrap();
            for y in 0..65 {
                let expected = &whole.row(row * 64 + y)[column * 64..][..65];
                assert_eq!(tile.row(y), expected);
            }
        }
    }
}

/// A grid of 67 million tiles must not be enumerated to make one tile.
#[test]
fn one_tile_of_a_huge_grid() {
    let folder = Folder::new();
    let words = "tile islands --tile 2 --size 16384 -o world";
    let said = folder.succeed(&format!("{words} --only 8191,8191"));
    assert!(said.contains("wrote 1 of 67108864"), "{said}");
    folder.refuse(
        &format!("{words} --only 0,8192"),
        &["8192 columns and 8192 rows"],
    );
}

#[test]
fn rejects_untileable_recipes_and_invalid_arguments() {
    let folder = Folder::new();
    folder.write("a.ron", RECIPE);
    folder.refuse(
        "tile fluid -o world",
        &["step `land`", "cannot be generated in tiles"],
    );
    folder.refuse("tile perlin -o world", &["`perlin`"]);
    folder.refuse(
        "tile a.ron -o world --tile 1",
        &["--tile", "from 2 to 16384"],
    );
    folder.refuse(
        "tile a.ron -o world --tile 199",
        &["leave a last tile of 1 cell"],
    );
    folder.refuse(
        "tile a.ron -o world --tile 64 --overlap 64",
        &["--overlap 64"],
    );
    folder.refuse(
        "tile islands --size 20000x64 --tile 16384x64 --overlap 1 -o world",
        &["--tile", "16384 with an overlap of 1 are too large"],
    );
    folder.refuse("tile a.ron -o world --share 5/4", &["--share", "K/N"]);
    folder.refuse(
        "tile a.ron -o world --tile 64 --only 4,0",
        &["--only 4,0", "4 columns and 3 rows"],
    );
    folder.refuse("tile a.ron -o world --format gif", &["gif", ".png"]);
    folder.refuse(
        "tile a.ron -o world --format png --big-endian",
        &["only for .raw files"],
    );
    folder.refuse(
        "tile a.ron -o world --format STL",
        &["--format stl", "would not fit together"],
    );
    for (filter, why) in [
        ("Seamless(0.2)", "it joins opposite sides of the map"),
        ("WindErosion(())", "blows sand"),
        ("ThermalErosion((passes: 5000))", "further than 1024 cells"),
    ] {
        folder.write("b.ron", RECIPE.replace("Normalize", filter));
        folder.refuse("tile b.ron -o world", &["step `world`", why]);
    }
    folder.refuse(
        "tile hills --size 20000 -o world",
        &["step `land`", "at most 16384 cells per side"],
    );
    folder.refuse(
        "tile islands --size 65537 -o world",
        &["--size", "`lanternfell tile` allows up to 65536"],
    );
    folder.succeed("tile a.ron -o world --tile 64 -q");
    folder.write("world/tiles.ron", "(version: 1)");
    folder.refuse(
        "tile a.ron -o world --tile 64",
        &["tiles.ron", "choose another folder"],
    );
    folder.write("file", "");
    folder.refuse("tile a.ron -o file", &["cannot write file"]);
}

/// Tiles are adjacent in a geographic information system too.
#[test]
fn tiles_have_their_georeference() {
    let folder = Folder::new();
    folder.succeed("tile islands --size 40x30 --tile 20 --spacing 5 --format asc -o world");
    let corner = |name: &str| {
        let text = text(&folder.read(&format!("world/{name}")));
        let lines: Vec<String> = text.lines().skip(2).take(2).map(str::to_owned).collect();
        lines.join(", ")
    };
    let names = std::fs::read_dir(folder.path("world")).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut corners: Vec<String> = names
        .filter(|name| name.ends_with(".asc"))
        .map(|name| corner(&name))
        .collect();
    corners.sort();
    let expected = [
        "xllcorner 0, yllcorner 0",
        "xllcorner 0, yllcorner 50",
        "xllcorner 100, yllcorner 0",
        "xllcorner 100, yllcorner 50",
    ];
    assert_eq!(corners, expected);
}

const ERODED: &str = r#"(version: 1, size: (2100, 200), seed: 4, scale: (spacing: 20, relief: 900), steps: {
    "land": Generate(by: FractalNoise((octaves: 5, scale: 300))),
    "worn": Filter(of: "land", by: [Normalize, StreamPowerErosion(()), HydraulicErosion((density: 0.2)), Normalize]),
})"#;

/// With different tile sizes, and with several processes of which one is killed. No blocks may remain.
#[test]
fn eroded_tiles_do_not_depend_on_processes() {
    let folder = Folder::new();
    folder.write("a.ron", ERODED);
    folder.succeed("tile a.ron -o one --tile 1000x200 -q");
    folder.succeed("tile a.ron -o world --tile 150x200 --overlap 1 --prepass -q");
    let worker = |share: &str| {
        let words = format!("tile a.ron -o world --tile 150x200 --overlap 1 -q --share {share}");
        let mut command = folder.command(&words);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let mut victim = worker("1/1");
    let start = Instant::now();
    while tiles(&folder).is_empty() && start.elapsed() < Duration::from_mins(5) {
        std::thread::sleep(Duration::from_millis(1));
    }
    victim.kill().unwrap();
    victim.wait().unwrap();
    // The killed process leaves some tiles unfinished.
    std::fs::remove_file(&tiles(&folder)[0]).unwrap();
    for worker in ["1/2", "2/2"].map(worker) {
        let output = worker.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    assert_eq!(tiles(&folder).len(), 14);
    assert!(!folder.path("world/blocks").exists());
    assert!(!folder.path("one/blocks").exists());
    for map in ["one", "world"] {
        folder.succeed(&format!("convert {map} -o {map}.r32 -q"));
    }
    assert!(folder.read("one.r32") == folder.read("world.r32"));
    let alone = folder.read("world/tile_y0000_x0006.r32");
    folder.succeed("tile a.ron -o world --tile 150x200 --overlap 1 --only 6,0 -q");
    assert!(folder.read("world/tile_y0000_x0006.r32") == alone);
}
