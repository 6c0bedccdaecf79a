//! Colors: snow and grass, evening light, and the simple palettes.

use super::*;

#[test]
fn snow_needs_mountains_and_deserts_are_not_green() {
    let map = cone(65, 65);
    let drawn = |cover, relief| {
        let view = TopView {
            // No sea, since foam is white too.
            sea_level: -1.0,
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
        count(&drawn(LandCover::Temperate, relief), white)
    };
    assert!(snow(Some(3000.0)) > 40 && snow(None) > 40);
    assert_eq!(snow(Some(800.0)), 0);
    assert!(count(&drawn(LandCover::Temperate, None), is_green) > 200);
    assert_eq!(count(&drawn(LandCover::Desert, None), is_green), 0);
}

#[test]
fn low_sun_is_redder() {
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
fn gray_and_article_palettes_are_exact() {
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
