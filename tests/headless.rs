//! Runs the examples off screen, and checks the rendered images and the error messages.
//!
//! The tests need a Vulkan driver; a software driver is enough. Without a driver they fail.
//!
//! After an intended change of the terrain's appearance, look at the new image, and replace the reference image:
//!
//! ```text
//! cargo run --example minimal_terrain -- --headless --size 256x144 \
//!     --screenshot tests/pictures/minimal_terrain.png
//! ```

use std::{collections::BTreeSet, path::Path};

use image::{RgbImage, imageops};
use lanternfell::heightmap::Generator;
use lanternfell_test_support::{Program, SIZE, check_refused, difference, errors, read, share};

/// The examples of all packages that render terrain or sky, except `shared_island`, which needs a server.
const TERRAINS: [&str; 13] = [
    "minimal_terrain",
    "custom_material",
    "endless",
    "holes",
    "island",
    "lantern_watch",
    "navigation",
    "own_heightmap",
    "picking",
    "raft",
    "sculpt",
    "sky",
    "vegetation",
];

/// The examples that render torchlight, which needs some frames to flow.
const LIGHTS: [&str; 7] = [
    "minimal_torchlight",
    "normal_maps",
    "light_sandbox",
    "torch_stealth",
    "hexagons",
    "ldtk",
    "tiled",
];

/// An example of any package of the workspace. Some load assets from the folder of their package.
fn example(name: &str) -> Program {
    let program = Program::example(name);
    match name {
        "ldtk" | "tiled" => program.with_env("BEVY_ASSET_ROOT", TORCHLIGHT),
        _ => program,
    }
}

const TORCHLIGHT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/lanternfell_torchlight");

/// Checks that the image shows sky at the top and sea below, and an island with grass and a beach.
fn check_scene(picture: &RgbImage) {
    let sky = share(picture, (0.0, 0.05), |r, g, b| {
        r.min(g) > 90 && b >= r && b + 8 >= g
    });
    let sea = share(picture, (0.4, 1.0), |r, g, b| b > r + 12 && b + 12 > g);
    let grass = share(picture, (0.1, 1.0), |r, g, b| g > r + 6 && g > b + 20);
    let sand = share(picture, (0.1, 1.0), |r, g, b| {
        r > g && g > b + 15 && r > 100
    });
    assert!(sky > 0.9, "sky covers only {sky} of the top");
    assert!(
        (0.25..0.9).contains(&sea),
        "sea covers {sea} of the lower part"
    );
    assert!((0.05..0.6).contains(&grass), "grass covers {grass}");
    assert!((0.005..0.3).contains(&sand), "sand covers {sand}");
    let mut colors: Vec<_> = picture.pixels().collect();
    colors.sort_by_key(|pixel| pixel.0);
    colors.dedup();
    assert!(colors.len() > 500, "only {} colors", colors.len());
}

#[test]
fn minimal_terrain_matches_reference() {
    let program = Program::example("minimal_terrain");
    for program in [program.clone(), program.within_webgl2()] {
        check_as_before(&program.draw(&[]));
    }
}

fn check_as_before(picture: &RgbImage) {
    check_scene(picture);
    let reference =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures/minimal_terrain.png");
    let reference = read(&reference, SIZE);
    let (mean, worst) = difference(picture, &reference);
    let hint = "the head of this file describes how to replace the reference";
    assert!(
        mean < 4.0 && worst < 24.0,
        "mean difference {mean}, maximum {worst}: {hint}"
    );
    // The comparison must notice an island of another shape.
    let (mean, worst) = difference(picture, &imageops::flip_horizontal(&reference));
    assert!(
        mean > 4.0 && worst > 24.0,
        "a mirrored reference differs only by {mean} (mean) and {worst} (maximum)"
    );
}

/// Browsers support no more than WebGL2. The images are small and taken as soon as the scene is complete, because other
/// tests check their contents.
#[test]
fn examples_render_within_webgl2_limits() {
    let terrains = TERRAINS.map(|name| (name, &["--frames", "0"][..]));
    let lights = LIGHTS.map(|name| (name, &[][..]));
    for (name, args) in terrains.into_iter().chain(lights) {
        let picture = example(name).within_webgl2().draw_at("96x54", args);
        let colors: BTreeSet<_> = picture.pixels().map(|pixel| pixel.0).collect();
        assert!(colors.len() > 100, "{name}: {} colors", colors.len());
    }
}

#[test]
fn hole_shows_cave() {
    let picture = Program::example("holes").draw(&[]);
    let sky = share(&picture, (0.0, 0.05), |r, _, b| b > 130 && b > r + 10);
    assert!(sky > 0.5, "sky covers only {sky} of the top");
    // The cave is lit by a torch. Without the hole, this part would show the gray cliff.
    let warm = share_within(&picture, (47, 46, 58, 55), |r, _, b| r > b + 15);
    assert!(
        warm > 0.4,
        "only {warm} of the cave mouth is lit from within"
    );
}

/// Arguments that render the island as soon as it is complete, at the lowest quality.
const AT_ONCE: [&str; 5] = ["--bare", "--quality", "low", "--frames", "0"];

#[test]
fn island_shows_terrain_sea_and_sky_for_every_generator() {
    let mut pictures = Vec::new();
    for algorithm in Generator::NAMES {
        let mut args = AT_ONCE.to_vec();
        args.extend(["--algorithm", algorithm]);
        // Growing plants takes two thirds of the time, and is the same for all generators.
        if !pictures.is_empty() {
            args.push("--no-plants");
        }
        let picture = Program::example("island").draw(&args);
        let sky = share(&picture, (0.0, 0.2), |r, _, b| b > r + 15 && b > 130);
        let sea = share(&picture, (0.85, 0.94), |r, _, b| b > r + 15);
        let land = share(&picture, (0.3, 0.8), |r, g, b| {
            g > b + 12 || (r + 2 >= b && r > 25)
        });
        let colors: BTreeSet<_> = picture.pixels().map(|pixel| pixel.0).collect();
        assert!(sky > 0.6, "{algorithm}: sky {sky}");
        assert!(sea > 0.6, "{algorithm}: sea {sea}");
        // The whole island is visible. A delta consists mostly of shallow sea.
        let least = if algorithm == "delta" { 0.08 } else { 0.1 };
        assert!((least..0.8).contains(&land), "{algorithm}: land {land}");
        assert!(colors.len() > 1000, "{algorithm}: {} colors", colors.len());
        assert!(
            !pictures.contains(&picture),
            "{algorithm} looks the same as another generator"
        );
        pictures.push(picture);
    }
}

#[test]
fn island_shows_whole_preset_and_file() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/elevation/jacksboro.tif");
    let file = file.to_str().unwrap();
    for own in [["--preset", "volcano"], ["--file", file]] {
        let picture = Program::example("island").draw(&[&AT_ONCE[..], &own].concat());
        let sky = share(&picture, (0.0, 0.2), |r, _, b| b > r + 15 && b > 130);
        let land = share(&picture, (0.3, 0.8), |r, g, b| g > b + 12 || r > b + 12);
        assert!(sky > 0.6, "{own:?}: sky {sky}");
        assert!((0.06..0.9).contains(&land), "{own:?}: land {land}");
    }
}

#[test]
fn island_reports_broken_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.tif");
    std::fs::write(&path, "II*").unwrap();
    let args = ["--headless", "--file", path.to_str().unwrap()];
    let output = Program::example("island").run(&args, &[]);
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    let said = errors(&output);
    assert!(said.contains("broken.tif"), "{said}");
}

/// The share of pixels that fulfill a condition, in a part of the image. The part is in percent from the top left.
fn share_within(
    picture: &RgbImage,
    (left, top, right, bottom): (u32, u32, u32, u32),
    is_so: impl Fn(i32, i32, i32) -> bool,
) -> f32 {
    let (x, y) = (picture.width() * left / 100, picture.height() * top / 100);
    let part = imageops::crop_imm(
        picture,
        x,
        y,
        picture.width() * right / 100 - x,
        picture.height() * bottom / 100 - y,
    );
    share(&part.to_image(), (0.0, 1.0), is_so)
}

/// Arguments that let the light flow for 120 frames, and render only the last four.
const SETTLED: [&str; 5] = ["--bare", "--frames", "120", "--draw-last", "4"];

#[test]
fn light_sandbox_shows_light_and_darkness() {
    let is_dark = |r: i32, g: i32, b: i32| r.max(g).max(b) < 12;
    let mut pictures = Vec::new();
    for preset in ["house", "maze", "cave", "cathedral"] {
        let own = [&SETTLED[..], &["--preset", preset]].concat();
        let picture = Program::example("light_sandbox").draw(&own);
        let dark = share(&picture, (0.0, 1.0), is_dark);
        assert!((0.1..0.9).contains(&dark), "{preset}: {dark} is dark");
        assert!(
            !pictures.contains(&picture),
            "{preset} looks the same as another preset"
        );
        pictures.push(picture);
    }
    // If all cells are walls, only the torch's own cell is lit.
    let own = [&SETTLED[..], &["--preset", "solid"]].concat();
    let solid = Program::example("light_sandbox").draw(&own);
    let dark = share(&solid, (0.0, 1.0), is_dark);
    assert!((0.98..1.0).contains(&dark), "solid: {dark} is dark");
}

#[test]
fn light_sandbox_mixes_colors_and_loads_drawings() {
    let drawing = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/drawings/two_colors.ron");
    let drawing = drawing.to_str().unwrap();
    let own = [&SETTLED[..], &["--torch", "out", "--load", drawing]].concat();
    let picture = Program::example("light_sandbox").draw(&own);
    let red = share_within(&picture, (10, 35, 18, 65), |r, g, b| r > 2 * g && r > 2 * b);
    let blue = share_within(&picture, (82, 35, 90, 65), |r, g, b| b > 2 * r && b > g);
    let both = share_within(&picture, (28, 25, 36, 75), |r, g, b| r > 2 * b && g > 2 * b);
    assert!(red > 0.6, "only {red} is red around the red lamp");
    assert!(blue > 0.6, "only {blue} is blue around the blue lamp");
    assert!(
        both > 0.6,
        "only {both} between the red and the green lamp is yellow"
    );
    // Without a light source everything is dark.
    let own = ["--bare", "--torch", "out", "--preset", "solid"];
    let dark = Program::example("light_sandbox").draw(&own);
    assert_eq!(share(&dark, (0.0, 1.0), |r, g, b| r + g + b > 9), 0.0);
}

#[test]
fn light_sandbox_rejects_invalid_arguments() {
    for (args, allowed) in [
        (
            ["--preset", "castle"],
            "house, solid, maze, cave or cathedral",
        ),
        (["--radius", "0"], "from 2 to 80"),
        (["--direct", "NaN"], "from 0 to 1"),
        (["--torch", "here"], "30,27"),
        (["--neighbors", "six"], "four, eight or isotropic"),
        (["--load", "nowhere.ron"], "nowhere.ron"),
        (["--load", "drawing.txt"], ".ron or .png"),
    ] {
        check_refused(
            &Program::example("light_sandbox").run(&args, &[]),
            &[allowed],
        );
    }
}

#[test]
fn minimal_torchlight_shows_warm_and_cold_light() {
    let picture = Program::example("minimal_torchlight").draw(&SETTLED[1..]);
    let warm = share_within(&picture, (20, 10, 50, 60), |r, _, b| r > b + 20);
    let cold = share_within(&picture, (70, 2, 98, 40), |r, _, b| b > r + 20);
    let dark = share(&picture, (0.6, 1.0), |r, g, b| r.max(g).max(b) < 40);
    assert!(warm > 0.5, "only {warm} near the torch is warm");
    assert!(cold > 0.5, "only {cold} near the lamp is cold");
    assert!(dark > 0.3, "only {dark} of the lower part is dark");
}

#[test]
fn headless_without_screenshot_exits() {
    let args = ["--headless", "--size", "32x18", "--frames", "2"];
    let output = Program::example("minimal_terrain").run(&args, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
}

#[test]
fn rejects_invalid_arguments() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["--nonsense"], &["'--nonsense'", "--help"]),
        (&["--headless", "picture.png"], &["'picture.png'"]),
        (&["--size", "320"], &["'320'", "--size", "1280x720"]),
        (&["--size", "0x5"], &["'0x5'", "--size", "from 1 to 8192"]),
        (
            &["--frames", "many"],
            &["'many'", "--frames", "whole number"],
        ),
        (&["--screenshot", "picture.jpg"], &["'picture.jpg'", ".png"]),
        (
            &["--screenshot", "no/such/folder/picture.png"],
            &["no such folder"],
        ),
        (
            &["--headless", "--screenshot"],
            &["value is required", "--screenshot"],
        ),
    ];
    for (args, words) in cases {
        check_refused(&Program::example("minimal_terrain").run(args, &[]), words);
    }
}

#[test]
fn island_rejects_invalid_arguments() {
    for (args, allowed) in [
        (
            ["--algorithm", "perlin"],
            "faults, fluid, fractal-noise, hills",
        ),
        (["--cells", "100"], "128, 256, 512, 1024 or 2048"),
        (["--hour", "25"], "from 0 to 24"),
        (["--view", "moon"], "air, shore, walk or river"),
        (["--quality", "best"], "low, medium, high or auto"),
        (["--preset", "moon"], "rolling-hills, volcano"),
        (["--file", "nowhere.tif"], "no such file"),
        (["--folder", "nowhere"], "no such folder"),
        (["--sise", "640x360"], "'--sise'"),
    ] {
        check_refused(&Program::example("island").run(&args, &[]), &[allowed]);
    }
}

#[test]
fn help_lists_arguments() {
    for name in TERRAINS.into_iter().chain(LIGHTS) {
        let output = example(name).run(&["--help"], &[]);
        assert_eq!(output.status.code(), Some(0), "{name}");
        let list = String::from_utf8_lossy(&output.stdout);
        for argument in ["--headless", "--screenshot", "--frames", "--size"] {
            assert!(
                list.contains(argument),
                "{name} --help does not list {argument}"
            );
        }
    }
}

#[test]
fn reports_missing_driver() {
    let none = [
        ("VK_ICD_FILENAMES", "/nonexistent"),
        ("VK_DRIVER_FILES", "/nonexistent"),
    ];
    for name in TERRAINS.into_iter().chain(LIGHTS) {
        let output = example(name).run(&["--headless", "--screenshot", "picture.png"], &none);
        check_refused(
            &output,
            &["no graphics driver found", "mesa-vulkan-drivers"],
        );
    }
}
