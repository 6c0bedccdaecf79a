//! `--edits`: a log gives the same terrain here and in the library, for every source and command.

use std::sync::Arc;

use lanternfell_edits::{Brush, EditLimits, Edits, FlatBase, MapBase, StampImage, Stroke};
use lanternfell_heightmap::{
    Band, Heightmap, Hills, HoleMask, MapSize, Operation, Recipe, SeededRng, Selection,
};

use super::Folder;

/// A stroke at random, which may reach over the edges of a map with 90 x 70 cells.
fn any(rng: &mut SeededRng) -> Stroke {
    let mm = rng.within(1, 4000);
    let brush = match rng.below(13) {
        0 => Brush::Raise { mm },
        1 => Brush::Lower { mm },
        2 => Brush::Noise {
            seed: rng.word(),
            cells: 5,
            mm,
        },
        3 => Brush::Stamp {
            image: StampImage::new(2, [0, mm, -mm, 500]).unwrap(),
        },
        4 => Brush::Flatten { mm: Some(mm) },
        5 => Brush::Flatten { mm: None },
        6 => Brush::Slope,
        7 => Brush::Terrace { mm },
        8 => Brush::Smooth { reach: 3 },
        9 => Brush::Erode { seed: 1, steps: 9 },
        10 => Brush::Clone { offset: [9, -20] },
        11 => Brush::Unhole,
        _ => Brush::Hole,
    };
    let mut point = || [rng.within(-2000, 25_000), rng.within(-2000, 20_000)].map(i64::from);
    let points = [point(), point()];
    Stroke::along(brush, 256 * rng.within(1, 12) as u32, points)
}

/// A log of two authors, who also undo. The base of the log is a plane, as in a game that has not loaded its map yet.
fn log(seed: u64) -> Edits {
    let mut rng = SeededRng::new(seed, b"cli edit");
    let mut edits = Edits::new(Arc::new(FlatBase::default()));
    for at in 0..25 {
        edits.stroke(1 + at % 2, any(&mut rng)).unwrap();
        if rng.percent(20) {
            edits.undo(1 + at % 2).unwrap();
        }
    }
    edits
        .stroke(3, Stroke::along(Brush::Hole, 700, [[9000, 9000]]))
        .unwrap();
    edits
}

/// Applies a log cell by cell.
fn slowly(edits: &mut Edits, map: &Heightmap, relief: f32) -> Vec<f32> {
    let scale = lanternfell_heightmap::Scale {
        spacing: 1.0,
        relief,
    };
    let base = MapBase::new(Arc::new(map.clone()), scale).unwrap();
    edits.set_base(Arc::new(base));
    let cell = |at: usize| {
        let (column, row) = (at % map.width(), at / map.width());
        let height = map.heights()[at];
        let mm = (f64::from(height) * f64::from(relief) * 1000.0 + 0.5).floor() as i32;
        match edits.delta_mm(column as i64, row as i64) {
            0 => height,
            delta => (f64::from(mm + delta) / (f64::from(relief) * 1000.0)) as f32,
        }
    };
    (0..map.size().cells()).map(cell).collect()
}

/// The recipe of the tests, with another seed of its random numbers.
fn recipe(folder: &Folder, name: &str, seed: u64) -> Recipe {
    folder.succeed(&format!(
        "generate fractal-noise --size 90x70 --relief 40 --seed {seed} -o {name}"
    ));
    Recipe::from_ron(&String::from_utf8(folder.read(name)).unwrap()).unwrap()
}

fn map(recipe: &Recipe) -> Heightmap {
    recipe.generate(&Default::default()).unwrap()
}

fn heights(bytes: &[u8]) -> Vec<f32> {
    let (heights, rest) = bytes.as_chunks::<4>();
    assert!(rest.is_empty());
    heights
        .iter()
        .map(|&bytes| f32::from_le_bytes(bytes))
        .collect()
}

#[track_caller]
fn assert_same(found: &[u8], expected: &[f32]) {
    let bytes: Vec<u8> = expected.iter().flat_map(|z| z.to_le_bytes()).collect();
    assert!(
        found == bytes,
        "{:?}",
        heights(found)
            .iter()
            .zip(expected)
            .position(|(a, b)| a != b)
    );
}

/// Issue: a recipe and a log are the same terrain everywhere.
#[test]
fn every_command_gives_the_heights_of_the_library() {
    let folder = Folder::new();
    let recipe = recipe(&folder, "land.terrain.ron", 5);
    let map = map(&recipe);
    folder.succeed("generate land.terrain.ron -o plain.tif");
    folder.succeed("tile land.terrain.ron --tile 32 -o world");
    for seed in 0..4 {
        let mut edits = log(seed);
        folder.write("log.edits", edits.to_bytes());
        let expected = slowly(&mut edits, &map, 40.0);
        assert_ne!(expected, map.heights());
        for command in [
            "generate land.terrain.ron --edits log.edits",
            "convert land.terrain.ron --edits log.edits",
            "edit apply log.edits land.terrain.ron",
            "convert world --edits log.edits",
        ] {
            folder.succeed(&format!("{command} -o edited.r32"));
            assert_same(&folder.read("edited.r32"), &expected);
        }
        // Everything else comes after the edits.
        let rows = (25..55).flat_map(|row| &expected[row * 90 + 20..row * 90 + 60]);
        let part: Vec<f32> = rows.copied().collect();
        for source in ["land.terrain.ron --threads 1", "world"] {
            folder.succeed(&format!(
                "edit apply log.edits {source} --crop 40x30+20+25 -o part.r32"
            ));
            assert_same(&folder.read("part.r32"), &part);
        }
        let tiles = format!("tiles{seed}");
        folder.succeed(&format!(
            "tile land.terrain.ron --edits log.edits --tile 64 -o {tiles}"
        ));
        let corner = folder.read(&format!("{tiles}/tile_y0001_x0001.r32"));
        let rows = (64..70).flat_map(|row| &expected[row * 90 + 64..row * 90 + 90]);
        assert_same(&corner, &rows.copied().collect::<Vec<f32>>());
    }
}

/// Issue: a recipe that was changed keeps the edits on top.
#[test]
fn edits_stay_on_top_of_a_changed_recipe() {
    let folder = Folder::new();
    let mut edits = log(9);
    folder.write("log.edits", edits.to_bytes());
    for seed in [1, 2] {
        let recipe = recipe(&folder, "land.terrain.ron", seed);
        let expected = slowly(&mut edits, &map(&recipe), 40.0);
        folder.succeed("generate land.terrain.ron --edits log.edits -o edited.r32");
        assert_same(&folder.read("edited.r32"), &expected);
    }
    // An added amount does not depend on the map at all.
    folder.succeed("edit add raise.edits --brush Raise(mm:2500) --radius 9 --at 40,30");
    let rise = |seed: u64| -> Vec<i32> {
        recipe(&folder, "land.terrain.ron", seed);
        folder.succeed("generate land.terrain.ron -o plain.r32");
        folder.succeed("generate land.terrain.ron --edits raise.edits -o edited.r32");
        let (plain, edited) = (folder.read("plain.r32"), folder.read("edited.r32"));
        let pairs = heights(&plain).into_iter().zip(heights(&edited));
        pairs
            .map(|(a, b)| ((b - a) * 40_000.0).round() as i32)
            .collect()
    };
    let (one, other) = (rise(1), rise(2));
    assert_eq!(one[30 * 90 + 40], 2500);
    // Heights are rounded to whole millimeters where they are edited.
    assert!(one.iter().zip(&other).all(|(a, b)| (a - b).abs() <= 1));
}

#[test]
fn undoing_all_gives_the_bits_of_the_map() {
    let folder = Folder::new();
    recipe(&folder, "land.terrain.ron", 3);
    folder.write("log.edits", log(2).to_bytes());
    for author in 1..=3 {
        folder.succeed(&format!("edit undo log.edits --author {author} --all"));
    }
    for format in ["r32", "png", "tif", "glb"] {
        folder.succeed(&format!("convert land.terrain.ron -o plain.{format}"));
        folder.succeed(&format!(
            "convert land.terrain.ron --edits log.edits -o edited.{format}"
        ));
        let (plain, edited) = (format!("plain.{format}"), format!("edited.{format}"));
        assert!(folder.read(&plain) == folder.read(&edited), "{format}");
    }
}

/// The squares of an OBJ that have triangles, by the number of their northwest vertex.
fn squares(obj: &[u8]) -> Vec<usize> {
    let text = str::from_utf8(obj).unwrap();
    let faces = text.lines().filter(|line| line.starts_with("f "));
    let first = faces
        .step_by(2)
        .map(|line| line.split([' ', '/']).nth(1).unwrap());
    first
        .map(|vertex| vertex.parse::<usize>().unwrap() - 1)
        .collect()
}

/// Issue: holes of edits are seen in meshes.
#[test]
fn meshes_have_the_holes_of_edits() {
    let folder = Folder::new();
    recipe(&folder, "land.terrain.ron", 3);
    let edits = log(6);
    folder.write("log.edits", edits.to_bytes());
    let is_hole = |at: usize| edits.is_hole((at % 90) as i64, (at / 90) as i64);
    let all = (0..69).flat_map(|row| row * 90..row * 90 + 89);
    let solid: Vec<usize> = all.filter(|&at| !is_hole(at)).collect();
    let count = 89 * 69 - solid.len();
    assert!(count > 20);
    for command in [
        "generate land.terrain.ron --edits log.edits",
        "mesh land.terrain.ron --edits log.edits",
        "edit apply log.edits land.terrain.ron",
    ] {
        let said = folder.succeed(&format!("{command} -o holes.obj"));
        assert_eq!(squares(&folder.read("holes.obj")), solid, "{command}");
        assert!(
            said.contains(&format!("{count} holes edited by log.edits")),
            "{said}"
        );
    }
    folder.succeed("mesh land.terrain.ron --edits log.edits -o holes.glb");
    folder.succeed("mesh land.terrain.ron -o plain.glb");
    let triangles = |name: &str| {
        let bytes = folder.read(name);
        let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        let json: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
        json["accessors"][3]["count"].as_u64().unwrap() as usize / 3
    };
    assert_eq!(triangles("plain.glb"), 2 * 89 * 69);
    assert_eq!(triangles("holes.glb"), 2 * solid.len());
    // Tiles that share their edges have all squares of the map once.
    folder.succeed(
        "tile land.terrain.ron --edits log.edits --tile 45x35 --overlap 1 --format obj -o tiles",
    );
    let names = folder.names_in("tiles");
    let tiles = names.iter().filter(|name| name.ends_with("obj"));
    let tiles = tiles.map(|name| squares(&folder.read(&format!("tiles/{name}"))).len());
    assert_eq!(tiles.sum::<usize>(), solid.len());
    // Formats without holes mention them.
    for name in ["print.stl", "map.png"] {
        let said = folder.succeed(&format!(
            "convert land.terrain.ron --edits log.edits -o {name}"
        ));
        assert!(said.contains(&format!("{count} holes left out")), "{said}");
    }
}

/// The holes of a recipe were ignored.
#[test]
fn meshes_have_the_holes_of_recipes() {
    let folder = Folder::new();
    let steep = Band {
        from: Some(15.0),
        ..Band::default()
    };
    let of = "land".to_owned();
    let by = Selection::Slope(steep);
    let recipe = Recipe::new(MapSize::new(60, 60).unwrap(), 7, Hills::default())
        .with_holes("cliffs", Operation::Select { of, by });
    folder.write("cliffs.ron", recipe.to_ron());
    let none = |_: &str| Err(String::new());
    let (_, holes) = recipe
        .generate_with_holes(&none, &Default::default())
        .unwrap();
    let mut holes = holes.unwrap();
    let check = |words: &str, holes: &HoleMask| {
        folder.succeed(&format!("mesh cliffs.ron {words} -o cliffs.obj"));
        let all = (0..59).flat_map(|row| row * 60..row * 60 + 59);
        let solid: Vec<usize> = all.filter(|&at| !holes.is_hole(at % 60, at / 60)).collect();
        assert_eq!(squares(&folder.read("cliffs.obj")), solid, "{words}");
    };
    check("", &holes);
    let before = holes.count();
    assert!(before > 100);
    // Edits of heights keep the holes.
    folder.succeed("edit add raise.edits --brush Raise(mm:900) --radius 9 --at 30,30");
    check("--edits raise.edits", &holes);
    // Edits add holes, and close only their own.
    folder.succeed("edit add log.edits --brush Hole --radius 9 --at 30,30");
    folder.succeed("edit add log.edits --brush Unhole --radius 7 --at 36,36");
    let base = Arc::new(FlatBase::default());
    let edits = Edits::from_bytes(&folder.read("log.edits"), base, EditLimits::default()).unwrap();
    let own = holes.clone();
    holes.set_where(true, |column, row| {
        own.is_hole(column, row) || edits.is_hole(column as i64, row as i64)
    });
    assert!(holes.count() > before);
    check("--edits log.edits", &holes);
    let (x, y) = (15, 20);
    folder.succeed("mesh cliffs.ron --edits log.edits --crop 30x25+15+20 -o part.obj");
    let part = (0..24).flat_map(|row| row * 30..row * 30 + 29);
    let solid = part.filter(|&at| !holes.is_hole(x + at % 30, y + at / 30));
    assert_eq!(squares(&folder.read("part.obj")), solid.collect::<Vec<_>>());
}

/// An elevation model in meters: unedited cells keep their numbers, and edited ones are above the lowest point.
#[test]
fn elevation_models_are_edited_in_meters() {
    let folder = Folder::new();
    let z = |column: usize, row: usize| 1200.5 + ((column * 13 + row * 7) % 40) as f32 * 2.25;
    let mut grid = "ncols 30\nnrows 20\nxllcorner 0\nyllcorner 0\ncellsize 10\n".to_owned();
    for row in 0..20 {
        let words: Vec<String> = (0..30).map(|column| z(column, row).to_string()).collect();
        grid += &(words.join(" ") + "\n");
    }
    folder.write("dem.asc", grid);
    let add = "edit add log.edits --radius 2 --falloff constant";
    folder.succeed(&format!("{add} --brush Raise(mm:1750) --at 5,5"));
    folder.succeed(&format!("{add} --brush Flatten(mm:-3000) --at 20,10"));
    folder.succeed("convert dem.asc --edits log.edits -o edited.r32");
    let edited = heights(&folder.read("edited.r32"));
    let mut changed = 0;
    for (at, &height) in edited.iter().enumerate() {
        let (column, row) = (at % 30, at / 30);
        let own = z(column, row);
        let near = |x: usize, y: usize| column.abs_diff(x).pow(2) + row.abs_diff(y).pow(2) < 4;
        if near(5, 5) {
            assert!((height - own - 1.75).abs() < 0.0006, "{height} {own}");
        } else if near(20, 10) {
            assert!((height - 1197.5).abs() < 0.0006, "{height}");
        } else {
            assert_eq!(height, own);
        }
        changed += usize::from(height != own);
    }
    assert_eq!(changed, 18);
    // A stretched relief is edited after it was stretched.
    folder.succeed("convert dem.asc --relief 3 --edits log.edits -o steep.tif");
    folder.succeed("convert steep.tif -o steep.r32");
    let steep = heights(&folder.read("steep.r32"));
    assert!((steep[5 * 30 + 5] - 3.0 * z(5, 5) - 1.75).abs() < 0.002);
    assert!((steep[0] - 3.0 * z(0, 0)).abs() < 0.001);
}

/// Several files are one map, also where only a part of it is written.
#[test]
fn several_files_are_edited_as_one_map() {
    let folder = Folder::new();
    for (name, west) in [("a", 0), ("b", 200)] {
        let mut grid = format!("ncols 20\nnrows 30\nxllcorner {west}\nyllcorner 0\ncellsize 10\n");
        for row in 0..30 {
            let words = (0..20).map(|column| (100 + west + (column * row) % 7).to_string());
            grid += &(words.collect::<Vec<_>>().join(" ") + "\n");
        }
        folder.write(&format!("{name}.asc"), grid);
    }
    folder.write("log.edits", log(7).to_bytes());
    folder.succeed("convert a.asc b.asc -o whole.tif");
    for crop in ["", "--crop 15x20+10+5"] {
        folder.succeed(&format!(
            "convert whole.tif --edits log.edits {crop} -o one.r32"
        ));
        folder.succeed(&format!(
            "convert a.asc b.asc --edits log.edits {crop} -o both.r32"
        ));
        assert!(folder.read("one.r32") == folder.read("both.r32"), "{crop}");
    }
    folder.succeed("convert whole.tif -o plain.r32");
    folder.succeed("convert whole.tif --edits log.edits -o one.r32");
    assert!(folder.read("one.r32") != folder.read("plain.r32"));
}

/// A pit below 0 moved the sea level of a map without metadata.
#[test]
fn edits_do_not_move_the_sea() {
    let folder = Folder::new();
    recipe(&folder, "land.terrain.ron", 4);
    folder.succeed("generate land.terrain.ron -o land.r32");
    folder.succeed("edit add pit.edits --brush Lower(mm:90000) --radius 9 --at 40,30");
    let sea = |more: &str| -> serde_json::Value {
        let said = folder.succeed(&format!(
            "info land.r32 --size 90x70 --relief 40 --json {more}"
        ));
        let json: serde_json::Value = serde_json::from_str(&said).unwrap();
        json["sea_level"].clone()
    };
    assert!(sea("").is_number());
    assert_eq!(sea(""), sea("--edits pit.edits"));
}

/// Edited heights may be below 0 and above 1.
#[test]
fn integer_formats_hold_heights_outside_the_relief() {
    let folder = Folder::new();
    recipe(&folder, "land.terrain.ron", 4);
    folder.succeed("edit add log.edits --brush Lower(mm:50000) --radius 9 --at 20,30");
    folder.succeed("edit add log.edits --brush Raise(mm:60000) --radius 9 --at 60,30");
    folder.succeed("convert land.terrain.ron --edits log.edits -o edited.r32");
    let expected = heights(&folder.read("edited.r32"));
    let low = expected.iter().copied().fold(f32::INFINITY, f32::min);
    let high = expected.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    assert!(low < 0.0 && high > 1.0);
    // Stretched, and the PNG contains the scale.
    folder.succeed("convert land.terrain.ron --edits log.edits -o edited.png");
    folder.succeed("convert edited.png -o back.tif");
    folder.succeed("convert back.tif -o back.r32");
    let step = 40.0 * (high - low) / 65_535.0;
    for (back, height) in heights(&folder.read("back.r32")).iter().zip(&expected) {
        assert!((back - 40.0 * height).abs() < step, "{back} {height}");
    }
    folder.succeed("tile land.terrain.ron --edits log.edits --tile 64 --format r16 -o tiles");
    let edited = "convert land.terrain.ron --edits log.edits -o range.png --range 0:40";
    folder.refuse(edited, &["outside of the range from 0 to 40 m"]);
    folder.succeed(&format!("{edited} --clamp"));
}

/// A folder of tiles belongs to one log.
#[test]
fn tiles_of_other_edits_are_refused() {
    let folder = Folder::new();
    recipe(&folder, "land.terrain.ron", 4);
    folder.succeed("edit add log.edits --brush Hole --radius 4 --at 20,30");
    let tile = "tile land.terrain.ron --tile 64 --format obj -o tiles";
    folder.succeed(&format!("{tile} --edits log.edits"));
    folder.succeed(&format!("{tile} --edits log.edits"));
    folder.succeed("edit add log.edits --brush Hole --radius 4 --at 50,30");
    let edited = format!("{tile} --edits log.edits");
    folder.refuse(&edited, &["tiles.json", "different map or --edits"]);
    folder.refuse(tile, &["tiles"]);
}

#[test]
fn every_command_that_reads_a_map_takes_edits() {
    let folder = Folder::new();
    recipe(&folder, "land.terrain.ron", 4);
    folder.write("log.edits", log(1).to_bytes());
    let edited = "land.terrain.ron --edits log.edits";
    for command in [
        "render EDITED --view top -o a.png",
        "preview EDITED --ink letters",
        "measure EDITED --what slope -o slope.tif",
        "info EDITED",
        "filter EDITED --by invert -o a.tif",
        "erode EDITED -o b.tif",
    ] {
        let plain = folder.command(&command.replace("EDITED", "land.terrain.ron"));
        let plain = super::text(&{ plain }.output().unwrap().stdout);
        let said = folder.succeed(&command.replace("EDITED", edited));
        assert!(said != plain && !said.is_empty(), "{command}");
    }
}

#[test]
fn summary_counts_edits_outside_of_the_map() {
    let folder = Folder::new();
    recipe(&folder, "land.terrain.ron", 4);
    let add = "edit add log.edits --radius 1 --falloff constant";
    folder.succeed(&format!("{add} --brush Raise(mm:100) --at 200,30"));
    folder.succeed(&format!(
        "{add} --brush Raise(mm:100) --at 20,30 --author 2"
    ));
    // The last column has no square to the east of it.
    folder.succeed(&format!("{add} --brush Hole --at 89.5,30.5"));
    let said = folder.succeed("convert land.terrain.ron --edits log.edits -o a.png");
    let words = "1 cell and 0 holes edited by log.edits (1 cell and 1 hole of it are outside of the map of 90x70 cells)";
    assert!(said.contains(words), "{said}");
}

#[test]
fn edits_of_wrong_inputs_are_refused() {
    let folder = Folder::new();
    recipe(&folder, "land.terrain.ron", 4);
    folder.write("log.edits", log(1).to_bytes());
    folder.succeed("generate land.terrain.ron -o land.png");
    folder.succeed("tile land.terrain.ron --tile 32 -o world");
    let refuse = |words: &str, parts: &[&str]| folder.refuse(words, parts);
    refuse(
        "convert land.png --edits land.png -o a.png",
        &["land.png", "not a log of edits"],
    );
    refuse(
        "convert land.png --edits no.edits -o a.png",
        &["cannot read no.edits"],
    );
    refuse(
        "convert land.png --edits world -o a.png",
        &["cannot read world: not a file"],
    );
    refuse(
        "generate land.terrain.ron --edits log.edits -o b.ron",
        &["--edits is only for maps"],
    );
    refuse(
        "measure world --edits log.edits --what slope -o slopes",
        &["--edits"],
    );
    refuse(
        "tile fractal-noise --size 20000 --edits log.edits -o tiles",
        &["--edits", "16384", "20000x20000"],
    );
    refuse(
        "edit apply log.edits land.png --edits log.edits -o a.png",
        &["--edits is not allowed"],
    );
    // The error comes before the work: this map would take minutes.
    refuse(
        "generate alpine --size 16384 --edits land.png -o a.png",
        &["not a log of edits"],
    );
}

/// Issue: damaged logs are errors that name the file.
#[test]
fn damaged_logs_are_refused() {
    let folder = Folder::new();
    folder.succeed("generate hills --size 16 -o land.png");
    let bytes = log(3).to_bytes();
    for length in (0..bytes.len()).step_by(37) {
        folder.write("bad.edits", &bytes[..length]);
        folder.refuse("edit list bad.edits", &["bad.edits: the "]);
        folder.refuse(
            "convert land.png --edits bad.edits -o a.png",
            &["bad.edits: the "],
        );
    }
    for at in (0..bytes.len()).step_by(41) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        folder.write("bad.edits", &flipped);
        folder.refuse("edit undo bad.edits", &["bad.edits: the "]);
        assert!(folder.read("bad.edits") == flipped);
    }
}
