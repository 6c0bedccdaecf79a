//! Pictures: what is in them, the same bytes every time, and settings out of range.

#[path = "common/golden.rs"]
mod golden;

use golden::assert_golden;
use lanternfell_heightmap::{
    Cover, Heightmap, MapSize, Picture, Progress,
    render::{Look, Palette, PerspectiveView, RenderError, TopView},
};
use lanternfell_random::Fnv1a;

/// A cone of land in the middle of a plain at height 0.
fn cone(width: u64, height: u64) -> Heightmap {
    let size = MapSize::new(width, height).unwrap();
    let (w, h) = (size.width(), size.height());
    let middle = ((w - 1) as f32 / 2.0, (h - 1) as f32 / 2.0);
    let radius = 0.42 * w.min(h) as f32;
    let heights = (0..size.cells()).map(|cell| {
        let (x, y) = ((cell % w) as f32 - middle.0, (cell / w) as f32 - middle.1);
        (1.0 - (x * x + y * y).sqrt() / radius).max(0.0)
    });
    Heightmap::from_heights(size, heights.collect()).unwrap()
}

/// Heights without any order, from a hash of the cell.
fn rough(width: u64, height: u64) -> Heightmap {
    let size = MapSize::new(width, height).unwrap();
    let heights = (0..size.cells() as u32)
        .map(|cell| ((cell.wrapping_mul(0x9e37_79b1) >> 16) as f32) / 65_535.0)
        .collect();
    Heightmap::from_heights(size, heights).unwrap()
}

fn small() -> PerspectiveView {
    PerspectiveView {
        width: 96,
        height: 54,
        ..PerspectiveView::default()
    }
}

fn draw(view: &PerspectiveView, map: &Heightmap) -> Picture {
    view.draw(map, &Progress::default()).unwrap()
}

fn draw_top(view: &TopView, map: &Heightmap) -> Picture {
    view.draw(map, &Progress::default()).unwrap()
}

/// FNV-1a, 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    Fnv1a::of_bytes(bytes.iter().copied())
}

/// How many pixels `is` holds for.
fn count(picture: &Picture, is: impl Fn([u8; 3]) -> bool) -> usize {
    picture
        .bytes()
        .as_chunks()
        .0
        .iter()
        .filter(|pixel| is(**pixel))
        .count()
}

/// Grass: more green than blue and red.
fn is_green([red, green, blue]: [u8; 3]) -> bool {
    green > red && green > blue.saturating_add(20)
}

/// Sea: much more blue than red.
fn is_sea([red, _, blue]: [u8; 3]) -> bool {
    blue > red.saturating_add(40)
}

#[test]
fn pictures_are_the_same_on_every_machine() {
    let map = cone(70, 50);
    let view = PerspectiveView {
        zoom: 1.3,
        ..small()
    };
    let evening = PerspectiveView {
        sun_elevation: 5.0,
        sun_azimuth: 30.0,
        ..small()
    };
    let top = TopView {
        sea_level: 0.1,
        ..TopView::default()
    };
    let hashes = [
        hash(draw(&view, &map).bytes()),
        hash(draw(&evening, &rough(40, 40)).bytes()),
        hash(draw_top(&top, &map).bytes()),
    ];
    // If they have changed: look at the pictures before changing these.
    let names = GOLDEN.map(|(name, _)| name);
    assert_golden(names.into_iter().zip(hashes), &GOLDEN);
}

const GOLDEN: [(&str, u64); 3] = [
    ("view", 0xf61e_385e_6449_6fb3),
    ("evening", 0x9c2b_6137_bd6c_4eee),
    ("top", 0x6020_c8e7_1ab5_0ce5),
];

#[cfg(feature = "parallel")]
#[test]
fn the_number_of_threads_changes_no_byte() {
    let map = rough(64, 48);
    let alone = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let many = rayon::ThreadPoolBuilder::new()
        .num_threads(7)
        .build()
        .unwrap();
    let picture = || draw(&small(), &map);
    assert_eq!(alone.install(picture), many.install(picture));
}

#[test]
fn land_sea_and_sky_are_where_they_belong() {
    let picture = draw(&small(), &cone(129, 129));
    let total = 96 * 54;
    assert!(count(&picture, is_green) > total / 40, "grass is seen");
    assert!(count(&picture, is_sea) > total / 4, "sea is seen");
    // The sky is the brightest row, and at the bottom corners there is water.
    let [red, green, blue] = picture.pixel(48, 1);
    assert!(
        blue >= green && green >= red && red > 110,
        "{:?}",
        picture.pixel(48, 1)
    );
    assert!(is_sea(picture.pixel(0, 53)) && is_sea(picture.pixel(95, 53)));
    // The cone's peak is snow, in the middle and in front of the sea.
    let snow = |[red, green, blue]: [u8; 3]| red > 190 && green > 190 && blue > 190;
    assert!(
        (8..40).any(|y| snow(picture.pixel(48, y))),
        "the peak is white"
    );
}

#[test]
fn a_higher_sea_leaves_less_land() {
    let map = cone(65, 65);
    let land = |sea_level| {
        let view = TopView {
            palette: Palette::Article,
            sea_level,
            ..TopView::default()
        };
        count(&draw_top(&view, &map), |[_, green, blue]| green > blue)
    };
    let expected = |level| {
        map.heights()
            .iter()
            .filter(|&&z| z > level && z > 0.01)
            .count()
    };
    for level in [0.02, 0.1, 0.5, 0.9] {
        assert_eq!(land(level), expected(level), "sea level {level}");
    }
    let natural = |sea_level| {
        let view = TopView {
            sea_level,
            ..TopView::default()
        };
        count(&draw_top(&view, &map), is_sea)
    };
    assert!(natural(0.1) < natural(0.5) && natural(0.5) < natural(0.9));
}

#[test]
fn a_low_sun_casts_longer_shadows() {
    // A wall from north to south on a beach, one color all over: its shadow falls east.
    let size = MapSize::new(65, 65).unwrap();
    let mut heights = vec![0.2; size.cells()];
    for row in heights.chunks_exact_mut(65) {
        row[20] = 1.0;
    }
    // Without any water there is no beach.
    heights[0] = 0.1;
    let map = Heightmap::from_heights(size, heights).unwrap();
    let dark = |sun_elevation, sun_azimuth| {
        let view = TopView {
            sea_level: 0.2,
            sun_elevation,
            sun_azimuth,
            ..TopView::default()
        };
        let picture = draw_top(&view, &map);
        let value = |x| {
            picture
                .pixel(x, 32)
                .iter()
                .map(|&v| u32::from(v))
                .sum::<u32>()
        };
        let lit = value(60);
        (22..60).filter(|&x| value(x) < lit * 5 / 6).count()
    };
    // 0.8 x 0.2 = 0.16 of the side, 10 cells, at 45 degrees; twice that at 27.
    let (high, low) = (dark(45.0, 270.0), dark(26.6, 270.0));
    assert!((8..=11).contains(&high), "{high} cells");
    assert!((17..=21).contains(&low), "{low} cells");
    assert_eq!(
        dark(26.6, 90.0),
        0,
        "the side towards the sun has no shadow"
    );
}

#[test]
fn the_camera_walks_round_the_land() {
    // A ramp that rises to the east: from the west its slope is seen, from the east a wall.
    let size = MapSize::new(33, 33).unwrap();
    let heights = (0..size.cells())
        .map(|cell| (cell % 33) as f32 / 32.0)
        .collect();
    let map = Heightmap::from_heights(size, heights).unwrap();
    let seen = |azimuth, zoom| {
        let view = PerspectiveView {
            azimuth,
            zoom,
            ..small()
        };
        count(&draw(&view, &map), is_green)
    };
    assert!(seen(270.0, 1.0) > 2 * seen(90.0, 1.0));
    assert!(seen(270.0, 1.0) > 3 * seen(270.0, 0.4), "zoom makes larger");
}

#[test]
fn inland_ground_stands_on_a_floor_whole_in_the_picture() {
    let size = MapSize::new(65, 65).unwrap();
    let heights = (0..size.cells()).map(|cell| 0.6 + 0.2 * ((cell % 7) as f32 / 7.0));
    let map = Heightmap::from_heights(size, heights.collect()).unwrap();
    for elevation in [None, Some(8.0), Some(60.0), Some(90.0)] {
        let view = PerspectiveView {
            elevation,
            ..small()
        };
        let picture = draw(&view, &map);
        // Below the block's foot there is the floor, which is gray.
        for x in 0..96 {
            let [red, green, blue] = picture.pixel(x, 53);
            let (low, high) = (red.min(green).min(blue), red.max(green).max(blue));
            assert!(high - low < 40, "{elevation:?}, {x}: {red} {green} {blue}");
        }
    }
}

#[test]
fn land_fills_the_picture_from_any_height() {
    let map = cone(129, 129);
    for elevation in [15.0, 35.0, 60.0, 90.0] {
        let view = PerspectiveView {
            elevation: Some(elevation),
            sea_level: 0.1,
            ..small()
        };
        let picture = draw(&view, &map);
        let is_land = |y: u32| (0..96).any(|x| !is_sea(picture.pixel(x, y)));
        if elevation > 40.0 {
            let land: Vec<u32> = (0..54).filter(|&y| is_land(y)).collect();
            let (above, below) = (land[0], 53 - land[land.len() - 1]);
            assert!(above < 7 && below < 7, "{elevation}: {above}, {below}");
        }
    }
}

#[test]
fn snow_is_for_mountains_and_deserts_are_not_green() {
    let map = cone(65, 65);
    let drawn = |cover, relief| {
        let view = TopView {
            // No sea, so no foam, which is white too.
            sea_level: 0.0,
            look: Look {
                cover,
                relief,
                snow_line: None,
            },
            ..TopView::default()
        };
        draw_top(&view, &map)
    };
    let snow = |relief| {
        let white = |[red, green, blue]: [u8; 3]| red.min(green).min(blue) > 200;
        count(&drawn(Cover::Temperate, relief), white)
    };
    assert!(snow(Some(3000.0)) > 40 && snow(None) > 40);
    assert_eq!(snow(Some(800.0)), 0);
    assert!(count(&drawn(Cover::Temperate, None), is_green) > 200);
    assert_eq!(count(&drawn(Cover::Desert, None), is_green), 0);
}

#[test]
fn a_low_sun_is_redder() {
    let map = cone(40, 40);
    let red_over_blue = |sun_elevation| {
        let picture = draw(
            &PerspectiveView {
                sun_elevation,
                ..small()
            },
            &map,
        );
        let sum = |channel: usize| {
            let channel = picture.bytes().iter().skip(channel).step_by(3);
            channel.map(|&byte| u64::from(byte)).sum::<u64>()
        };
        sum(0) as f64 / sum(2) as f64
    };
    assert!(red_over_blue(4.0) > 1.1 * red_over_blue(20.0));
    assert!(red_over_blue(20.0) > red_over_blue(60.0));
}

#[test]
fn gray_is_the_height_and_the_article_is_the_article() {
    let map = rough(31, 17);
    let gray = draw_top(
        &TopView {
            palette: Palette::Gray,
            ..TopView::default()
        },
        &map,
    );
    let article = draw_top(
        &TopView {
            palette: Palette::Article,
            ..TopView::default()
        },
        &map,
    );
    for y in 0..17 {
        for x in 0..31 {
            let e = f64::from(map.get(x as usize, y as usize)) * 255.0;
            let full = e.round() as u8;
            assert_eq!(gray.pixel(x, y), [full; 3], "{x}, {y}");
            let quarter = (e / 4.0).round() as u8;
            let expected = if e > 127.0 {
                [0, full, quarter]
            } else {
                [0, quarter, full]
            };
            assert_eq!(article.pixel(x, y), expected, "{x}, {y}");
        }
    }
}

#[test]
fn any_map_gives_a_picture() {
    let extreme = |heights: &[f32]| {
        let size = MapSize::new(2, heights.len() as u64 / 2).unwrap();
        Heightmap::from_heights(size, heights.to_vec()).unwrap()
    };
    let maps = [
        extreme(&[0.0; 4]),
        extreme(&[1.0; 4]),
        extreme(&[0.0, 1.0, 1.0, 0.0]),
        extreme(&[f32::MIN, f32::MAX, 0.5, -7.0, 1e-40, 3.0]),
        rough(2, 300),
        rough(300, 2),
    ];
    for (number, map) in maps.iter().enumerate() {
        for (elevation, sun_elevation, sea_level) in
            [(1.0, 1.0, 0.0), (90.0, 90.0, 1.0), (30.0, 20.0, 0.5)]
        {
            let view = PerspectiveView {
                elevation: Some(elevation),
                sun_elevation,
                sea_level,
                ..small()
            };
            assert_eq!(
                draw(&view, map).bytes().len(),
                3 * 96 * 54,
                "map {number}, {view:?}"
            );
            let view = TopView {
                sun_elevation,
                sea_level,
                ..TopView::default()
            };
            assert_eq!(
                draw_top(&view, map).width() as usize,
                map.width(),
                "map {number}, {view:?}"
            );
        }
    }
    let dot = PerspectiveView {
        width: 1,
        height: 1,
        samples: 1,
        ..small()
    };
    assert_eq!(draw(&dot, &maps[2]).bytes().len(), 3);
}

#[test]
fn a_picture_reads_back_from_its_png() {
    let picture = draw(&small(), &cone(20, 20));
    let mut file = Vec::new();
    picture.write_png(&mut file).unwrap();
    let read = image::load_from_memory(&file).unwrap().into_rgb8();
    assert_eq!(read.dimensions(), (96, 54));
    assert_eq!(read.as_raw(), picture.bytes());
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    let fine = PerspectiveView::default();
    let wrong = [
        (
            "width",
            PerspectiveView {
                width: 0,
                ..fine.clone()
            },
        ),
        (
            "height",
            PerspectiveView {
                height: 16_385,
                ..fine.clone()
            },
        ),
        (
            "azimuth",
            PerspectiveView {
                azimuth: f64::NAN,
                ..fine.clone()
            },
        ),
        (
            "elevation",
            PerspectiveView {
                elevation: Some(0.5),
                ..fine.clone()
            },
        ),
        (
            "field_of_view",
            PerspectiveView {
                field_of_view: 170.0,
                ..fine.clone()
            },
        ),
        (
            "zoom",
            PerspectiveView {
                zoom: 0.0,
                ..fine.clone()
            },
        ),
        (
            "sun_azimuth",
            PerspectiveView {
                sun_azimuth: f64::INFINITY,
                ..fine.clone()
            },
        ),
        (
            "sun_elevation",
            PerspectiveView {
                sun_elevation: -3.0,
                ..fine.clone()
            },
        ),
        (
            "sea_level",
            PerspectiveView {
                sea_level: 1.5,
                ..fine.clone()
            },
        ),
        (
            "vertical_scale",
            PerspectiveView {
                vertical_scale: 0.0,
                ..fine.clone()
            },
        ),
        ("samples", PerspectiveView { samples: 9, ..fine }),
    ];
    let map = cone(8, 8);
    for (name, view) in wrong {
        match view.draw(&map, &Progress::default()).unwrap_err() {
            RenderError::Param(error) => assert_eq!(error.name, name),
            RenderError::Cancelled(_) => panic!("{name}"),
        }
    }
    let view = TopView {
        sea_level: -0.1,
        ..TopView::default()
    };
    let error = view.draw(&map, &Progress::default()).unwrap_err();
    assert!(
        error.to_string().starts_with("top view: sea_level is -0.1"),
        "{error}"
    );
}

#[test]
fn cancelled_work_stops() {
    let progress = Progress::default();
    progress.cancel();
    let map = cone(64, 64);
    let cancelled = |result: Result<Picture, RenderError>| {
        assert!(matches!(result, Err(RenderError::Cancelled(_))));
    };
    cancelled(small().draw(&map, &progress));
    for palette in [Palette::Natural, Palette::Article, Palette::Gray] {
        cancelled(
            TopView {
                palette,
                ..TopView::default()
            }
            .draw(&map, &progress),
        );
    }
}

#[test]
fn progress_reaches_the_end() {
    let progress = Progress::default();
    small().draw(&cone(30, 30), &progress).unwrap();
    assert!(progress.fraction() > 0.999, "{}", progress.fraction());
}
