//! `lanternfell generate`: its files contain what the library generates.

use super::{Folder, interrupt, text};
use lanternfell_heightmap::{Faults, Filter, Heightmap, Hills, MapSize, Progress, Recipe};
use lanternfell_io::{self as io, RawFormat};

fn made(recipe: &Recipe) -> Heightmap {
    recipe.generate(&Progress::default()).unwrap()
}

fn island(side: u64, seed: u64) -> Recipe {
    let hills = Hills {
        island: true,
        radius_max: 20.0,
        ..Hills::default()
    };
    Recipe::new(MapSize::new(side, side).unwrap(), seed, hills)
}

const ISLAND: &str = "generate hills --set island=true --set radius_max=20";

#[test]
fn r32_contains_library_heights() {
    let folder = Folder::new();
    folder.succeed(&format!("{ISLAND} --size 96 --seed 5 -o a.r32"));
    let map = made(&island(96, 5));
    let expected: Vec<u8> = map.heights().iter().flat_map(|z| z.to_le_bytes()).collect();
    assert_eq!(folder.read("a.r32"), expected);
}

#[test]
fn r16_and_raw_contain_rounded_heights() {
    let folder = Folder::new();
    folder.succeed(&format!("{ISLAND} --size 80x60 -o a.r16"));
    folder.succeed(&format!("{ISLAND} --size 80x60 -o a.raw"));
    folder.succeed(&format!("{ISLAND} --size 80x60 -o big.raw --big-endian"));
    folder.succeed(&format!(
        "{ISLAND} --size 80x60 -o bytes.raw --raw-format u8"
    ));
    folder.succeed(&format!(
        "{ISLAND} --size 80x60 -o floats.raw --raw-format f32"
    ));
    let recipe = Recipe {
        size: MapSize::new(80, 60).unwrap(),
        ..island(80, 0)
    };
    let heights = made(&recipe).into_heights();
    let words = heights
        .iter()
        .map(|z| (f64::from(*z) * 65_535.0).round() as u16);
    let little: Vec<u8> = words.clone().flat_map(u16::to_le_bytes).collect();
    assert_eq!(folder.read("a.r16"), little);
    assert_eq!(folder.read("a.raw"), little);
    assert_eq!(
        folder.read("big.raw"),
        words.flat_map(u16::to_be_bytes).collect::<Vec<u8>>()
    );
    let bytes = heights.iter().map(|z| (z * 255.0).round() as u8);
    assert_eq!(folder.read("bytes.raw"), bytes.collect::<Vec<u8>>());
    let floats: Vec<u8> = heights.iter().flat_map(|z| z.to_le_bytes()).collect();
    assert_eq!(folder.read("floats.raw"), floats);
}

#[test]
fn png_has_16_bits_by_default() {
    let folder = Folder::new();
    folder.succeed(&format!("{ISLAND} --size 64x50 --seed 9 -o a.png"));
    folder.succeed(&format!("{ISLAND} --size 64x50 --seed 9 --bits 8 -o b.PNG"));
    let recipe = Recipe {
        size: MapSize::new(64, 50).unwrap(),
        ..island(64, 9)
    };
    let heights = made(&recipe).into_heights();
    let sixteen = image::load_from_memory(&folder.read("a.png")).unwrap();
    let words = heights
        .iter()
        .map(|z| (f64::from(*z) * 65_535.0).round() as u16);
    assert_eq!(
        sixteen.as_luma16().unwrap().as_raw(),
        &words.collect::<Vec<u16>>()
    );
    let eight = image::load_from_memory(&folder.read("b.PNG")).unwrap();
    let bytes = heights.iter().map(|z| (z * 255.0).round() as u8);
    assert_eq!(
        eight.as_luma8().unwrap().as_raw(),
        &bytes.collect::<Vec<u8>>()
    );
    assert_eq!((eight.width(), eight.height()), (64, 50));
}

#[test]
fn seed_determines_the_file() {
    let folder = Folder::new();
    for generator in ["faults", "fluid", "islands", "hills"] {
        for (name, seed) in [("a.r32", 3), ("b.r32", 3), ("c.r32", 4)] {
            folder.succeed(&format!(
                "generate {generator} --size 100x70 --seed {seed} -o {name}"
            ));
        }
        assert_eq!(folder.read("a.r32"), folder.read("b.r32"), "{generator}");
        assert_ne!(folder.read("a.r32"), folder.read("c.r32"), "{generator}");
    }
}

#[test]
fn defaults_are_512_cells_and_seed_0() {
    let folder = Folder::new();
    let said = folder.succeed("generate hills -o a.r32");
    let recipe = Recipe::new(MapSize::new(512, 512).unwrap(), 0, Hills::default());
    let map = io::read_raw(&folder.read("a.r32"), recipe.size, RawFormat::R32).unwrap();
    assert_eq!(map, made(&recipe));
    for part in [
        "a.r32",
        "hills",
        "512x512",
        "seed 0",
        "heights 0 to 81.92 m",
    ] {
        assert!(said.contains(part), "{part} is not in: {said}");
    }
    assert_eq!(said.lines().count(), 1);
}

#[test]
fn gamma_becomes_a_filter() {
    let folder = Folder::new();
    folder.succeed("generate faults --size 64 --set lines=30 --set gamma=2.5 -o a.r32");
    let faults = Faults {
        lines: 30,
        ..Faults::default()
    };
    let recipe = Recipe::new(MapSize::new(64, 64).unwrap(), 0, faults);
    let recipe = recipe.with_filter(Filter::Gamma(2.5));
    let map = io::read_raw(&folder.read("a.r32"), recipe.size, RawFormat::R32).unwrap();
    assert_eq!(map, made(&recipe));
}

/// Old names of parameters keep working, for old scripts.
#[test]
fn accepts_old_names() {
    let folder = Folder::new();
    let same = |then: &str, now: &str| {
        folder.succeed(&format!("{then} -o then.r32"));
        folder.succeed(&format!("{now} -o now.r32"));
        assert_eq!(folder.read("then.r32"), folder.read("now.r32"), "{then}");
    };
    let make = "generate islands --size 32";
    for (then, now) in [
        ("--set flatten=2", "--set gamma=2"),
        ("--set quantised=true", "--set quantized=true"),
        ("--set variant=plain", "--set variant=fbm"),
        ("--normalise", "--normalize"),
    ] {
        same(&format!("{make} {then}"), &format!("{make} {now}"));
    }
    let change = "filter islands --size 32 --by";
    for (then, now) in [
        ("normalise", "normalize"),
        ("flatten", "gamma"),
        ("droplets", "hydraulic-erosion"),
        ("talus", "thermal-erosion"),
        ("fluvial", "stream-power-erosion"),
    ] {
        same(&format!("{change} {then}"), &format!("{change} {now}"));
    }
    folder.succeed("tile islands --size 32 --tile 32 --survey -q -o world");
}

#[test]
fn writes_reads_and_changes_recipes() {
    let folder = Folder::new();
    folder.succeed(&format!(
        "{ISLAND} --size 64 --seed 5 --set gamma=2 -o a.ron"
    ));
    let expected = island(64, 5).with_filter(Filter::Gamma(2.0));
    assert_eq!(
        Recipe::from_ron(&text(&folder.read("a.ron"))).unwrap(),
        expected
    );
    folder.succeed("generate a.ron -o a.r32");
    folder.succeed(&format!(
        "{ISLAND} --size 64 --seed 5 --set gamma=2 -o b.r32"
    ));
    assert_eq!(folder.read("a.r32"), folder.read("b.r32"));
    folder.succeed("generate a.ron --size 70x50 --seed 6 --set count=30 --set gamma=3 -o b.ron");
    let changed = Recipe::from_ron(&text(&folder.read("b.ron"))).unwrap();
    let mut expected = island(64, 6);
    expected.size = MapSize::new(70, 50).unwrap();
    expected
        .ground_generator_mut()
        .unwrap()
        .set("count", "30")
        .unwrap();
    assert_eq!(changed, expected.with_filter(Filter::Gamma(3.0)));
}

#[test]
fn replaces_existing_file_only() {
    let folder = Folder::new();
    folder.write("a.r16", "old");
    folder.succeed("generate hills --size 64 --set radius_max=20 -o a.r16 --quiet");
    assert_eq!(folder.read("a.r16").len(), 64 * 64 * 2);
    assert_eq!(folder.names(), ["a.r16"]);
}

#[test]
fn quiet_prints_nothing() {
    let folder = Folder::new();
    assert_eq!(folder.succeed("generate faults --size 30 -q -o a.png"), "");
    assert_eq!(
        folder.succeed("render a.png -q --picture 20x10 -o b.png"),
        ""
    );
}

#[cfg(unix)]
#[test]
fn new_file_has_default_permissions_and_old_one_keeps_its_own() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let mode = |name: &str| folder.path(name).metadata().unwrap().permissions().mode() & 0o777;
    folder.write("usual", "");
    folder.succeed("generate faults --size 30 -o a.r16");
    assert_eq!(mode("a.r16"), mode("usual"));
    std::fs::set_permissions(folder.path("a.r16"), PermissionsExt::from_mode(0o600)).unwrap();
    folder.succeed("generate faults --size 30 -o a.r16");
    assert_eq!(mode("a.r16"), 0o600);
}

#[cfg(unix)]
#[test]
fn writes_through_links_and_rejects_read_only_files() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    std::fs::create_dir(folder.path("maps")).unwrap();
    folder.write("maps/true.r16", "old");
    std::os::unix::fs::symlink("maps/true.r16", folder.path("link.r16")).unwrap();
    folder.succeed("generate faults --size 30 -o link.r16");
    assert_eq!(folder.read("maps/true.r16").len(), 1800);
    assert!(folder.path("link.r16").is_symlink());
    std::fs::set_permissions(
        folder.path("maps/true.r16"),
        PermissionsExt::from_mode(0o444),
    )
    .unwrap();
    for name in ["link.r16", "maps/true.r16"] {
        folder.refuse(
            &format!("generate faults --size 20 -o {name}"),
            &[name, "read-only"],
        );
    }
    assert_eq!(folder.read("maps/true.r16").len(), 1800);
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_files() {
    let folder = Folder::new();
    folder.write("a.r32", "old");
    let mut run = folder.command("generate faults --size 8000 --set lines=100000 -o a.r32");
    let mut child = run.stderr(std::process::Stdio::piped()).spawn().unwrap();
    // The temporary file shows that the work has started. It would take far too long to wait for its end.
    while folder.names().len() < 2 {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert_eq!(folder.names(), ["a.r32"]);
    assert_eq!(folder.read("a.r32"), b"old");
}
