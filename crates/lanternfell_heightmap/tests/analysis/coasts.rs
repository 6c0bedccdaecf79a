//! The fractal dimension of coasts, on curves with known dimensions.

use lanternfell_heightmap::{Heightmap, MapSize, Progress, analysis::coast_dimension};

const SIDE: usize = 512;

/// The dimension of the coast of a map with land where `is_land` is true. The center of the map is
/// (0, 0) and its edges are at 1.
fn dimension(is_land: impl Fn(f64, f64) -> bool) -> Option<f64> {
    let size = MapSize::new(SIDE as u64, SIDE as u64).unwrap();
    let place = |part: usize| 2.0 * (part as f64 + 0.5) / SIDE as f64 - 1.0;
    let height = |cell| f32::from(u8::from(is_land(place(cell % SIDE), place(cell / SIDE))));
    let heights = (0..size.cells()).map(height).collect();
    let map = Heightmap::from_heights(size, heights).unwrap();
    coast_dimension(&map, 0.5, &Progress::default()).unwrap()
}

/// Whether a point is inside the Koch snowflake over this side of the triangle, at this recursion
/// depth.
fn koch((x, y): (f64, f64), depth: u32) -> bool {
    // Over the side from (0, 0) to (1, 0). The outside is upwards.
    if depth == 0 || y > 0.3 {
        return y <= 0.0;
    }
    let third = 1.0 / 3.0;
    let height = 3.0_f64.sqrt() / 6.0;
    let (turn_x, turn_y) = (0.5, 3.0_f64.sqrt() / 2.0);
    // Transforms the point into the coordinates of one of the four sides.
    let from = |(ox, oy): (f64, f64), (ux, uy): (f64, f64)| {
        let (dx, dy) = (3.0 * (x - ox), 3.0 * (y - oy));
        (dx * ux + dy * uy, dy * ux - dx * uy)
    };
    let (middle, peak) = (0.5, (0.5, height));
    let side = if x < third {
        from((0.0, 0.0), (1.0, 0.0))
    } else if x > 2.0 * third {
        from((2.0 * third, 0.0), (1.0, 0.0))
    } else if x < middle {
        from((third, 0.0), (turn_x, turn_y))
    } else {
        from(peak, (turn_x, -turn_y))
    };
    koch(side, depth - 1)
}

#[test]
fn known_curves_have_their_dimension() {
    let cases: [(&str, f64, &dyn Fn(f64, f64) -> bool); 4] = [
        ("a straight coast", 1.0, &|x, y| y > 0.3 * x),
        ("a round island", 1.0, &|x, y| x.hypot(y) < 0.7),
        ("a square island", 1.0, &|x, y| x.abs().max(y.abs()) < 0.63),
        ("Koch's curve", 4.0_f64.ln() / 3.0_f64.ln(), &|x, y| {
            koch((0.5 * (x + 1.0), -y), 6)
        }),
    ];
    for (what, expected, is_land) in cases {
        let found = dimension(is_land).unwrap();
        assert!(
            (found - expected).abs() < 0.05,
            "{what}: {found} instead of {expected}"
        );
    }
    let checkers = |x: f64, y: f64| {
        let half = 0.5 * SIDE as f64;
        ((x * half).floor() + (y * half).floor()) % 2.0 == 0.0
    };
    let found = dimension(checkers).unwrap();
    assert!((found - 2.0).abs() < 0.01, "coast everywhere: {found}");
}

#[test]
fn map_without_coast_has_no_dimension() {
    assert_eq!(dimension(|_, _| true), None);
    assert_eq!(dimension(|_, _| false), None);
    let dot = |x: f64, y: f64| x.hypot(y) < 0.02;
    assert_eq!(dimension(dot), None, "a dot");
    let small = Heightmap::flat(MapSize::new(127, 200).unwrap());
    let found = coast_dimension(&small, 0.0, &Progress::default()).unwrap();
    assert_eq!(found, None);
}
