//! `tile`: tiles join into the whole map, whoever makes them.

use std::{
    path::PathBuf,
    process::Stdio,
    time::{Duration, Instant},
};

use lanternfell_heightmap::{
    Heightmap, MapSize,
    io::{self, RawFormat},
};

use super::{Folder, text};

const RECIPE: &str = r#"(version: 2, size: (200, 150), seed: 4, steps: {
    "hills": Generate(by: Hills(())),
    "faults": Generate(by: Faults((lines: 100))),
    "land": Blend(ground: "hills", layer: "faults", how: Multiply, weight: 0.6),
    "world": Filter(of: "land", by: [Normalise, Flatten(1.5), Island(Radial)]),
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

/// The map that tiles of that size make together; panics when one is missing.
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
fn tiles_join_into_the_whole_map() {
    let folder = Folder::new();
    folder.write("a.ron", RECIPE);
    let said = folder.succeed("tile a.ron -o world --tile 64");
    assert!(
        said.contains("wrote 12 of 12 tiles into world, 0 were there"),
        "{said}"
    );
    assert_eq!(
        joined(&folder, (200, 150), 64),
        whole(&folder, "a.ron", (200, 150)).heights()
    );
    let said = folder.succeed("tile a.ron -o world --tile 64");
    assert!(
        said.contains("wrote 0 of 12 tiles into world, 12 were there"),
        "{said}"
    );
}

#[test]
fn one_tile_alone_and_one_that_was_lost_are_the_same() {
    let folder = Folder::new();
    folder.write("a.ron", RECIPE);
    folder.succeed("tile a.ron -o world --tile 64 --only 2,1 -q");
    assert_eq!(tiles(&folder).len(), 1);
    let alone = folder.read("world/tile_y0001_x0002.r32");
    folder.succeed("tile a.ron -o world --tile 64 -q");
    std::fs::remove_file(folder.path("world/tile_y0001_x0002.r32")).unwrap();
    folder.succeed("tile a.ron -o world --tile 64 -q");
    assert_eq!(folder.read("world/tile_y0001_x0002.r32"), alone);
    // Made again even if it is there.
    folder.write("world/tile_y0001_x0002.r32", "damaged");
    folder.succeed("tile a.ron -o world --tile 64 --only 2,1 -q");
    assert_eq!(folder.read("world/tile_y0001_x0002.r32"), alone);
}

#[test]
fn other_formats_and_overlaps() {
    let folder = Folder::new();
    folder.write("a.ron", RECIPE);
    folder.succeed("tile a.ron -o world --tile 100x75 --overlap 1 --format tif -q");
    let tile =
        |name: &str| io::read_tiff(&folder.read(&format!("world/{name}.tif")), None).unwrap();
    let (west, east) = (tile("tile_y0000_x0000"), tile("tile_y0000_x0001"));
    assert_eq!((west.width(), west.height()), (101, 76));
    assert_eq!((east.width(), east.height()), (100, 76));
    for y in 0..76 {
        assert_eq!(west.get(100, y), east.get(0, y));
    }
}

/// Four workers share the work; one is killed at once and started again.
#[test]
fn workers_share_the_work_and_may_be_killed() {
    const SIDE: usize = 1024;
    let folder = Folder::new();
    folder.succeed("tile islands --size 1024 --seed 3 --tile 64 -o world --survey -q");
    let worker = |share: u32| {
        let words = format!(
            "tile islands --size 1024 --seed 3 --tile 64 -o world --threads 1 -q --share {share}/4"
        );
        let mut command = folder.command(&words);
        command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let mut workers: Vec<_> = (1..=4).map(worker).collect();
    let mut victim = workers.remove(1);
    // Killed in the middle of its work, as far as that can be had.
    let patience = Instant::now() + Duration::from_secs(20);
    while tiles(&folder).len() < 12 && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(1));
    }
    victim.kill().unwrap();
    victim.wait().unwrap();
    workers.push(worker(2));
    for worker in workers {
        let output = worker.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    assert_eq!(tiles(&folder).len(), (SIDE / 64) * (SIDE / 64));
    let size = (SIDE as u64, SIDE as u64);
    let whole = whole(&folder, "islands --size 1024 --seed 3", size);
    assert_eq!(joined(&folder, (SIDE, SIDE), 64), whole.heights());
}

#[test]
fn what_can_not_be_tiled_and_wrong_arguments() {
    let folder = Folder::new();
    folder.write("a.ron", RECIPE);
    folder.refuse(
        "tile fluid -o world",
        &["step `land`", "can not be made in tiles"],
    );
    folder.refuse("tile perlin -o world", &["`perlin`"]);
    folder.refuse(
        "tile a.ron -o world --tile 1",
        &["--tile", "from 2 to 16384"],
    );
    folder.refuse(
        "tile a.ron -o world --tile 199",
        &["leave a last one of 1 cell"],
    );
    folder.refuse(
        "tile a.ron -o world --tile 64 --overlap 64",
        &["--overlap 64"],
    );
    folder.refuse("tile a.ron -o world --share 5/4", &["--share", "K/N"]);
    folder.refuse(
        "tile a.ron -o world --tile 64 --only 4,0",
        &["--only 4,0", "4 columns and 3 rows"],
    );
    folder.refuse("tile a.ron -o world --format gif", &["gif", ".png"]);
    folder.refuse(
        "tile a.ron -o world --format png --big-endian",
        &[".raw files only"],
    );
    folder.succeed("tile a.ron -o world --tile 64 -q");
    for other in [
        "--seed 5 --tile 64",
        "--tile 32",
        "--tile 64 --format png",
        "--tile 64 --overlap 1",
    ] {
        folder.refuse(
            &format!("tile a.ron -o world {other}"),
            &["world.ron", "another recipe"],
        );
    }
    folder.write("world/world.ron", "(version: 1)");
    folder.refuse("tile a.ron -o world --tile 64", &["world.ron", "delete it"]);
    folder.write("file", "");
    folder.refuse("tile a.ron -o file", &["can not write file"]);
}
