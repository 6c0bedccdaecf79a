//! `lanternfell render`: images from every kind of source.

use super::Folder;
use image::RgbImage;

fn picture(folder: &Folder, name: &str) -> RgbImage {
    image::load_from_memory(&folder.read(name))
        .unwrap()
        .into_rgb8()
}

/// A small island in several formats.
fn island() -> Folder {
    let folder = Folder::new();
    let make = "generate hills --size 64 --set island=true --set radius_max=20 --seed 2";
    for name in ["a.ron", "a.png", "a.r16", "a.r32"] {
        folder.succeed(&format!("{make} -o {name}"));
    }
    folder.succeed(&format!("{make} -o a.raw --raw-format u16 --big-endian"));
    folder
}

#[test]
fn all_sources_give_same_image() {
    let folder = island();
    let size = "--picture 80x45";
    // A recipe has its own sea level, which is the default of files here.
    folder.succeed(&format!("render a.ron {size} -o ron.png"));
    folder.succeed(&format!("render a.r16 --size 64 {size} -o r16.png"));
    folder.succeed(&format!("render a.r32 --size 64x64 {size} -o r32.png"));
    folder.succeed(&format!("render a.png {size} -o png.png"));
    folder.succeed(&format!(
        "render a.raw --big-endian --size 64 {size} -o raw.png"
    ));
    let make = "hills --size 64 --set island=true --set radius_max=20 --seed 2";
    folder.succeed(&format!("render {make} {size} -o name.png"));
    assert_eq!(picture(&folder, "ron.png").dimensions(), (80, 45));
    assert_eq!(folder.read("ron.png"), folder.read("r32.png"));
    assert_eq!(folder.read("ron.png"), folder.read("name.png"));
    assert_eq!(folder.read("r16.png"), folder.read("png.png"));
    assert_eq!(folder.read("r16.png"), folder.read("raw.png"));
}

#[test]
fn perspective_shows_land_sea_and_sky() {
    let folder = island();
    let said = folder.succeed("render a.ron --picture 160x90 -o view.png");
    assert!(
        said.contains("view.png") && said.contains("160x90"),
        "{said}"
    );
    let view = picture(&folder, "view.png");
    let count = |is: &dyn Fn([u8; 3]) -> bool| view.pixels().filter(|pixel| is(pixel.0)).count();
    let total = 160 * 90;
    assert!(
        count(&|[r, g, b]| g > r && g > b.saturating_add(20)) > total / 50,
        "grass"
    );
    assert!(
        count(&|[r, _, b]| b > r.saturating_add(40)) > total / 5,
        "sea"
    );
    let [r, g, b] = view.get_pixel(80, 1).0;
    assert!(
        r > 100 && g >= r && b >= g,
        "expected sky, found {:?}",
        [r, g, b]
    );
}

#[test]
fn options_change_the_image() {
    let folder = island();
    let draw = |options: &str| {
        folder.succeed(&format!(
            "render a.ron --picture 60x40 {options} -o view.png"
        ));
        folder.read("view.png")
    };
    let plain = draw("");
    assert_eq!(plain, draw("--azimuth 215 --sun-elevation 24 --samples 2"));
    for option in [
        "--azimuth -30",
        "--elevation 40",
        "--field-of-view 20",
        "--zoom 2",
        "--sun-azimuth 10",
        "--sun-elevation 60",
        "--sea-level 0.3",
        "--vertical-scale 0.5",
        "--samples 1",
    ] {
        assert_ne!(plain, draw(option), "{option}");
    }
}

#[test]
fn top_view_has_pixel_per_cell_and_palette_colors() {
    let folder = island();
    let heights = image::load_from_memory(&folder.read("a.png"))
        .unwrap()
        .into_luma16();
    let draw = |options: &str| {
        folder.succeed(&format!("render a.png --view top {options} -o top.png"));
        picture(&folder, "top.png")
    };
    let (gray, article) = (draw("--palette gray"), draw("--palette article"));
    let lowered = draw("--palette article --sea-level 0.1");
    for (x, y, height) in heights.enumerate_pixels() {
        let z = f64::from(height.0[0]) / 65_535.0;
        let (full, quarter) = ((255.0 * z).round() as u8, (63.75 * z).round() as u8);
        assert_eq!(gray.get_pixel(x, y).0, [full; 3]);
        let color = |land| {
            if land {
                [0, full, quarter]
            } else {
                [0, quarter, full]
            }
        };
        assert_eq!(article.get_pixel(x, y).0, color(255.0 * z > 127.0));
        assert_eq!(lowered.get_pixel(x, y).0, color(z > 0.1));
    }
    assert_eq!(draw("").dimensions(), (64, 64));
    assert_eq!(draw(""), draw("--palette natural --sea-level 0.04"));
}

#[test]
fn stretches_heights_beyond_one() {
    let folder = Folder::new();
    let meters: Vec<u8> = (0..30)
        .flat_map(|v| (v as f32 * 100.0).to_le_bytes())
        .collect();
    let parts: Vec<u8> = (0..30)
        .flat_map(|v| (v as f32 / 29.0).to_le_bytes())
        .collect();
    folder.write("meters.r32", meters);
    folder.write("parts.r32", parts);
    let said = folder.succeed("render meters.r32 --size 6x5 --view top --palette gray -o a.png");
    assert!(said.contains("0 to 2900"), "{said}");
    folder.succeed("render parts.r32 --size 6x5 --view top --palette gray -o b.png");
    assert_eq!(folder.read("a.png"), folder.read("b.png"));
}

/// Options in the map's heights are stretched with them.
#[test]
fn options_in_map_heights_are_stretched_too() {
    let folder = Folder::new();
    let grid = "ncols 40\nnrows 40\nxllcorner 0\nyllcorner 0\ncellsize 30\n";
    let height = |x: i32, y: i32| 900 - 60 * (x - 18).abs().max((y - 22).abs());
    let heights: Vec<String> = (0..1600)
        .map(|cell| height(cell % 40, cell / 40).to_string())
        .collect();
    folder.write("dem.asc", grid.to_owned() + &heights.join(" "));
    let (low, high) = (-420.0, 900.0);
    folder.succeed("convert dem.asc --normalize -o parts.r32");
    let plain = |sea: f64, interval: f64| {
        let span = high - low;
        let (sea, interval) = ((sea - low) / span, interval / span);
        format!(
            "parts.r32 --size 40 --spacing 30 --relief {span} --sea-level {sea} --interval {interval}"
        )
    };
    let same = |a: &str, b: &str| {
        folder.succeed(&format!("render {a} -o a.png"));
        folder.succeed(&format!("render {b} -o b.png"));
        assert_eq!(folder.read("a.png"), folder.read("b.png"), "{a}, {b}");
    };
    same(
        "dem.asc --view contours --interval 100",
        &format!("{} --view contours", plain(0.0, 100.0)),
    );
    same(
        "dem.asc --view contours --interval 50 --sea-level 200",
        &format!("{} --view contours", plain(200.0, 50.0)),
    );
    let without = |words: String| words.split(" --interval").next().unwrap().to_owned();
    same(
        "dem.asc --view top --sea-level 100",
        &format!("{} --view top", without(plain(100.0, 1.0))),
    );
    // The texture of a mesh is that of the top view.
    folder.succeed("mesh dem.asc -o a.glb --step 40");
    let water = |glb: &[u8]| {
        let start = glb
            .windows(4)
            .position(|bytes| bytes == b"\x89PNG")
            .unwrap();
        let picture = image::load_from_memory(&glb[start..]).unwrap().to_rgb8();
        let is_blue = |pixel: &&image::Rgb<u8>| pixel.0[2] > pixel.0[0].saturating_add(20);
        picture.pixels().filter(is_blue).count()
    };
    let blue = water(&folder.read("a.glb"));
    let expected = (0..1600)
        .filter(|cell| height(cell % 40, cell / 40) <= 0)
        .count();
    assert!(blue.abs_diff(expected) < 160, "{blue} of {expected}");
}

#[test]
fn writes_image_to_pipe() {
    let folder = Folder::new();
    let output = folder
        .command("render hills --size 64 --set radius_max=20 --view top -o -")
        .output()
        .unwrap();
    assert!(output.status.success());
    folder.succeed("render hills --size 64 --set radius_max=20 --view top -o a.png");
    assert_eq!(output.stdout, folder.read("a.png"));
}

#[test]
fn renders_hillshade_contours_and_biomes() {
    let folder = island();
    let draw = |options: &str| {
        folder.succeed(&format!("render a.ron --view {options} -o view.png"));
        picture(&folder, "view.png")
    };
    let shade = draw("hillshade");
    assert_eq!(shade.dimensions(), (64, 64));
    assert!(shade.pixels().all(|p| p.0[0] == p.0[1] && p.0[1] == p.0[2]));
    let (plain, lined) = (draw("contours --interval 0"), draw("contours"));
    let changed = plain.pixels().zip(lined.pixels()).filter(|(a, b)| a != b);
    let share = changed.count() as f64 / (64.0 * 64.0);
    assert!(
        (0.02..0.7).contains(&share),
        "lines cover {share} of the image"
    );
    assert_ne!(plain, draw("contours --interval 0 --sun-azimuth 90"));
    let (cold, warm) = (draw("biomes --warmth -10"), draw("biomes --warmth 28"));
    let green = |picture: &RgbImage| {
        picture
            .pixels()
            .filter(|p| p.0[1] > p.0[0] && p.0[1] > p.0[2])
            .count()
    };
    assert!(
        green(&warm) > green(&cold) + 100,
        "more forest where it is warm"
    );
    assert_ne!(warm, draw("biomes --warmth 28 --wind 60"));
    folder.refuse(
        "render a.ron --view top --interval 0.1 -o a.png",
        &[
            "--interval is only for --view hillshade or contours",
            "--view top",
        ],
    );
    folder.refuse(
        "render a.ron --view contours --interval 7 -o a.png",
        &["contours is 7"],
    );
    folder.refuse(
        "render a.ron --view biomes --warmth 900 -o a.png",
        &["at_sea is 900"],
    );
}
