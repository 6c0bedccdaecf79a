//! The sea of elevation models: cells at the sea level are water, also without depths, and inland maps have none.
//!
//! Source: report 11 on the release candidate. Cells at exactly sea level were drawn as sand, and a sea 0.1 m above them
//! as foam.

use super::*;
use lanternfell_heightmap::{Scale, is_land};
use lanternfell_render::ShadedReliefView;

/// Sand and foam are bright. Water that is seen as water is blue.
fn is_water([red, green, blue]: [u8; 3]) -> bool {
    blue > red.saturating_add(10) && blue >= green
}

/// An island of 218 m in a sea without depths, from 0 to 1. The sea is at this height.
fn without_depths(plane: f32) -> Heightmap {
    let size = MapSize::new(96, 80).unwrap();
    Heightmap::from_fn(size, |x, y| {
        let off = (x as f32 - 60.0).hypot(y as f32 - 40.0);
        (1.0 - off / 25.0).max(plane)
    })
    .unwrap()
}

fn top(sea_level: f32, palette: Palette) -> TopView {
    TopView {
        palette,
        sea_level,
        // Hills without snow, which is blue in the shade.
        look: Look {
            relief: Some(218.0),
            ..Look::default()
        },
        ..TopView::default()
    }
}

#[test]
fn sea_without_depths_is_water_in_the_top_view() {
    // A sea at the height of the plane, at 0.1 m and at 1 m above it.
    for (plane, sea_level) in [
        (0.0, 0.0),
        (0.2, 0.2),
        (0.0, 0.1 / 218.0),
        (0.2, 0.2 + 1.0 / 218.0),
    ] {
        let map = without_depths(plane);
        let image = draw_top(&top(sea_level, Palette::Natural), &map);
        for y in 0..80 {
            for x in 0..96_u32 {
                let off = (x as f32 - 60.0).hypot(y as f32 - 40.0);
                let pixel = image.pixel(x, y);
                // Foam is near the shore only.
                if off > 29.0 {
                    assert!(
                        is_water(pixel),
                        "{plane}, {sea_level}: {x}, {y} is {pixel:?}"
                    );
                } else if is_land(map.get(x as usize, y as usize), sea_level) {
                    assert!(
                        !is_water(pixel),
                        "{plane}, {sea_level}: {x}, {y} is {pixel:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn sea_without_depths_is_water_in_the_perspective_view() {
    let view = PerspectiveView {
        elevation: Some(60.0),
        ..small()
    };
    let water = |plane, sea_level| {
        let view = PerspectiveView {
            sea_level,
            ..view.clone()
        };
        count(&draw(&view, &without_depths(plane)), is_water)
    };
    // The same island in a deep sea.
    let deep = water(0.0, 0.2);
    for sea_level in [0.2, 0.2 + 0.1 / 218.0] {
        let found = water(0.2, sea_level);
        assert!(
            found as f64 > 0.9 * deep as f64,
            "{sea_level}: {found} of {deep}"
        );
    }
}

/// All views divide cells at, below and above the sea level in the same way.
#[test]
fn every_view_has_the_same_sea() {
    const STEPS: [f32; 5] = [0.1, 0.299, 0.3, 0.301, 0.8];
    let sea_level = 0.3;
    let size = MapSize::new(100, 40).unwrap();
    let map = Heightmap::from_fn(size, |x, _| STEPS[x / 20]).unwrap();
    let relief = ShadedReliefView {
        sea_level,
        ..ShadedReliefView::new(Scale::of_size(size))
    };
    let article = draw_top(&top(sea_level, Palette::Article), &map);
    let shaded = relief.draw(&map, &Progress::default()).unwrap();
    for (step, height) in STEPS.into_iter().enumerate() {
        let x = 20 * step as u32 + 10;
        let land = is_land(height, sea_level);
        let [_, green, blue] = article.pixel(x, 20);
        assert_eq!(green > blue, land, "article: {height}");
        let [red, _, blue] = shaded.pixel(x, 20);
        assert_eq!(blue <= red, land, "shaded relief: {height}");
    }
}

/// Source: report 9: an inland elevation model was drawn with a sea in its lowest valley.
#[test]
fn inland_maps_have_no_sea() {
    let map = without_depths(0.0);
    for sea_level in [-1e-3, -0.5, -3000.0] {
        let image = draw_top(&top(sea_level, Palette::Natural), &map);
        assert_eq!(count(&image, is_water), 0, "{sea_level}");
        let view = PerspectiveView {
            elevation: Some(60.0),
            sea_level,
            ..small()
        };
        // The same plinth and camera at any altitude.
        let lower = PerspectiveView {
            sea_level: -0.1,
            ..view.clone()
        };
        assert_eq!(draw(&view, &map), draw(&lower, &map), "{sea_level}");
        let relief = ShadedReliefView {
            sea_level,
            contours: 0.1,
            ..ShadedReliefView::new(Scale::of_size(map.size()))
        };
        let image = relief.draw(&map, &Progress::default()).unwrap();
        assert_eq!(count(&image, is_water), 0, "{sea_level}");
    }
}
