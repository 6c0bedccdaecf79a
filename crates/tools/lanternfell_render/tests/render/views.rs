//! Where land, sea, sky and shadows appear in the image.

use super::*;

#[test]
fn land_sea_and_sky_are_visible() {
    let picture = draw(&small(), &cone(129, 129));
    let total = 96 * 54;
    assert!(
        count(&picture, is_green) > total / 40,
        "no grass is visible"
    );
    assert!(count(&picture, is_sea) > total / 4, "no sea is visible");
    // The sky is the brightest row, and the bottom corners are water.
    let [red, green, blue] = picture.pixel(48, 1);
    assert!(
        blue >= green && green >= red && red > 110,
        "{:?}",
        picture.pixel(48, 1)
    );
    assert!(is_sea(picture.pixel(0, 53)) && is_sea(picture.pixel(95, 53)));
    // The peak of the cone has snow, in the middle and in front of the sea.
    let snow = |[red, green, blue]: [u8; 3]| red > 190 && green > 190 && blue > 190;
    assert!(
        (8..40).any(|y| snow(picture.pixel(48, y))),
        "the peak is not white"
    );
}

#[test]
fn higher_sea_leaves_less_land() {
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
fn low_sun_casts_longer_shadows() {
    // A wall from north to south on a beach of uniform color. Its shadow falls to the east.
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
            sea_level: 0.199,
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
    // 0.8 x 0.2 = 0.16 of the side, 10 cells, at 45 degrees. Twice that at 27 degrees.
    let (high, low) = (dark(45.0, 270.0), dark(26.6, 270.0));
    assert!((8..=11).contains(&high), "{high} cells");
    assert!((17..=21).contains(&low), "{low} cells");
    assert_eq!(dark(26.6, 90.0), 0, "the side toward the sun has a shadow");
}

#[test]
fn azimuth_moves_the_camera() {
    // A ramp that rises to the east: the camera sees a slope from the west, and a wall from the
    // east.
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
    assert!(
        seen(270.0, 1.0) > 3 * seen(270.0, 0.4),
        "zoom does not enlarge"
    );
}

#[test]
fn inland_terrain_is_on_a_floor() {
    let size = MapSize::new(65, 65).unwrap();
    let heights = (0..size.cells()).map(|cell| 0.6 + 0.2 * ((cell % 7) as f32 / 7.0));
    let map = Heightmap::from_heights(size, heights.collect()).unwrap();
    for elevation in [None, Some(8.0), Some(60.0), Some(90.0)] {
        let view = PerspectiveView {
            elevation,
            ..small()
        };
        let picture = draw(&view, &map);
        // Below the foot of the block is the gray floor.
        for x in 0..96 {
            let [red, green, blue] = picture.pixel(x, 53);
            let (low, high) = (red.min(green).min(blue), red.max(green).max(blue));
            assert!(high - low < 40, "{elevation:?}, {x}: {red} {green} {blue}");
        }
    }
}

#[test]
fn land_fills_the_image_from_any_elevation() {
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
