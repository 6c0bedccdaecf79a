//! The `island` example, drawn off screen, shows land, sea and sky.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use image::{Rgb, RgbImage};
use lanternfell::heightmap::Generator;

/// The example's program, which `cargo test` builds beside this one.
fn island() -> PathBuf {
    let test = std::env::current_exe().expect("a running program has a path");
    let profile = test.ancestors().nth(2).expect("tests lie in PROFILE/deps");
    profile
        .join("examples/island")
        .with_extension(std::env::consts::EXE_EXTENSION)
}

fn draw(picture: &Path, algorithm: &str) -> RgbImage {
    let output = Command::new(island())
        .args(["--headless", "--size", "320x180", "--bare"])
        .args(["--algorithm", algorithm, "--screenshot"])
        .arg(picture)
        .output()
        .expect("the island example is built");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log}");
    image::open(picture).expect("a whole PNG").to_rgb8()
}

/// The share of a picture's rows `from..to` (parts of its height) whose pixels fit.
fn share(picture: &RgbImage, from: f32, to: f32, fits: impl Fn(Rgb<u8>) -> bool) -> f32 {
    let rows = (from * picture.height() as f32) as u32..(to * picture.height() as f32) as u32;
    let all = rows.len() as f32 * picture.width() as f32;
    let pixels = rows.flat_map(|y| (0..picture.width()).map(move |x| (x, y)));
    let fitting = pixels.filter(|&(x, y)| fits(*picture.get_pixel(x, y)));
    fitting.count() as f32 / all
}

fn is_blue(Rgb([r, _, b]): Rgb<u8>) -> bool {
    b > r.saturating_add(15)
}

fn is_bright_blue(pixel: Rgb<u8>) -> bool {
    is_blue(pixel) && pixel.0[2] > 130
}

fn is_land(Rgb([r, g, b]): Rgb<u8>) -> bool {
    let green = g > b.saturating_add(12);
    let stone_or_sand = r.saturating_add(2) >= b && r > 25;
    green || stone_or_sand
}

#[test]
fn every_algorithm_shows_land_sea_and_sky() {
    let folder = tempfile::tempdir().expect("a folder for the pictures");
    let mut pictures = Vec::new();
    for algorithm in Generator::NAMES {
        let path = folder.path().join(format!("{algorithm}.png"));
        let picture = draw(&path, algorithm);
        let sky = share(&picture, 0.0, 0.2, is_bright_blue);
        let sea = share(&picture, 0.85, 0.94, is_blue);
        let land = share(&picture, 0.3, 0.8, is_land);
        let colours: std::collections::BTreeSet<_> = picture.pixels().map(|p| p.0).collect();
        assert!(sky > 0.6, "{algorithm}: sky {sky}");
        assert!(sea > 0.6, "{algorithm}: sea {sea}");
        assert!((0.1..0.8).contains(&land), "{algorithm}: land {land}");
        assert!(
            colours.len() > 1000,
            "{algorithm}: {} colours",
            colours.len()
        );
        assert!(
            !pictures.contains(&picture),
            "{algorithm} is another's island"
        );
        pictures.push(picture);
    }
}

#[test]
fn wrong_arguments_end_with_one_line_and_code_2() {
    for (args, allowed) in [
        (
            &["--algorithm", "perlin"][..],
            "hills, faults, fluid or islands",
        ),
        (&["--cells", "100"][..], "128, 256, 512, 1024 or 2048"),
        (&["--hour", "25"][..], "from 0 to 24"),
        (&["--view", "moon"][..], "air, shore or walk"),
        (&["--sise", "640x360"][..], "`--sise` is not an argument"),
    ] {
        let output = Command::new(island()).args(args).output().expect("built");
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{log}");
        assert!(log.contains(allowed) && log.lines().count() == 1, "{log}");
    }
}
