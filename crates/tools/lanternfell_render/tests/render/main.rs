//! Tests of rendered images: their content, identical bytes, and settings out of range.

mod colors;
mod sea;
mod views;

use lanternfell_heightmap::{Heightmap, LandCover, MapSize, Progress, RgbImage};
use lanternfell_random::Fnv1a;
use lanternfell_render::{Look, Palette, PerspectiveView, RenderError, TopView};
use lanternfell_test_support::assert_golden;

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

/// Random heights, from a hash of the cell.
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

fn draw(view: &PerspectiveView, map: &Heightmap) -> RgbImage {
    view.draw(map, &Progress::default()).unwrap()
}

fn draw_top(view: &TopView, map: &Heightmap) -> RgbImage {
    view.draw(map, &Progress::default()).unwrap()
}

/// FNV-1a, 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    Fnv1a::of_bytes(bytes.iter().copied())
}

/// The number of pixels for which `is` holds.
fn count(picture: &RgbImage, is: impl Fn([u8; 3]) -> bool) -> usize {
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
fn images_are_identical_on_every_machine() {
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
    // If these hashes change, check the images before updating them.
    let names = GOLDEN.map(|(name, _)| name);
    assert_golden(names.into_iter().zip(hashes), &GOLDEN);
}

const GOLDEN: [(&str, u64); 3] = [
    ("view", 0x223e_2972_b668_0f3b),
    ("evening", 0xdecf_bb22_eb8a_c84d),
    ("top", 0x56eb_451a_fc49_c29f),
];

#[cfg(feature = "parallel")]
#[test]
fn thread_count_does_not_change_bytes() {
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
    // More lines than are swept together.
    let map = rough(700, 300);
    for sun_azimuth in [315.0, 80.0] {
        let view = TopView {
            sun_azimuth,
            ..TopView::default()
        };
        let picture = || draw_top(&view, &map);
        assert_eq!(alone.install(picture), many.install(picture));
    }
}

#[test]
fn draws_any_map() {
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
fn rejects_settings_out_of_range() {
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
            RenderError::Canceled(_) => panic!("{name}"),
        }
    }
    for (sea_level, value) in [(1.1, "1.1"), (f32::NEG_INFINITY, "-inf")] {
        let view = TopView {
            sea_level,
            ..TopView::default()
        };
        let error = view.draw(&map, &Progress::default()).unwrap_err();
        let words = format!("top view: sea_level is {value}, but must be at most 1");
        assert!(error.to_string().starts_with(&words), "{error}");
    }
}

#[test]
fn canceled_work_stops() {
    let progress = Progress::default();
    progress.cancel();
    let map = cone(64, 64);
    let canceled = |result: Result<RgbImage, RenderError>| {
        assert!(matches!(result, Err(RenderError::Canceled(_))));
    };
    canceled(small().draw(&map, &progress));
    for palette in [Palette::Natural, Palette::Article, Palette::Gray] {
        canceled(
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
