//! Tests of lines of sight.

use super::*;

/// Returns whether a line stays on one side, by sampling it. Returns `None` if that is unclear.
fn slow_sight(surface: &Surface<'_>, from: Vec3, to: Vec3, blur: f64) -> Option<bool> {
    let none = HoleMask::none(surface.map().size());
    let (from, to) = (from.as_dvec3(), to.as_dvec3());
    let (mut above, mut below) = (0.0_f64, 0.0_f64);
    for step in 0..=400 {
        let point = from.lerp(to, f64::from(step) / 400.0);
        for height in slow_heights(surface, &none, DVec2::new(point.x, point.z)) {
            above = above.max(point.y - height);
            below = below.max(height - point.y);
        }
    }
    // Clear cases only: the line was well on both sides, or never on one of them.
    if above > blur && below > blur {
        Some(false)
    } else if below == 0.0 || above == 0.0 {
        Some(true)
    } else {
        None
    }
}

#[test]
fn sight_is_blocked_by_terrain() {
    let mut rng = random(20);
    let (mut seen, mut hidden) = (0, 0);
    for round in 0..40 {
        let map = ground(size(12, 9), round % 2 == 0, &mut rng);
        let pyramid = HeightPyramid::of(&map, &go()).unwrap();
        let surface = Surface::new(&map, scale((1.0, 2.0)))
            .with_pyramid(&pyramid)
            .unwrap();
        for _ in 0..40 {
            let (a, b) = (any_point(&surface, &mut rng), any_point(&surface, &mut rng));
            let sees = surface.line_of_sight(a, b);
            assert_eq!(sees, surface.line_of_sight(b, a), "{a} {b}");
            match slow_sight(&surface, a, b, 1e-3) {
                // Between the samples, a peak may block the view.
                Some(true) if sees => seen += 1,
                Some(true) => {
                    let hit = surface.cast_segment(a, b);
                    assert!(hit.is_some(), "{a} {b}");
                }
                Some(false) => {
                    assert!(!sees, "{a} {b}");
                    hidden += 1;
                }
                None => {}
            }
        }
    }
    assert!(seen > 200 && hidden > 200, "{seen}, {hidden}");
}

#[test]
fn points_on_ground_see_each_other() {
    let plain = Heightmap::from_fn(size(65, 65), |_, _| 0.377).unwrap();
    let slope =
        Heightmap::from_fn(size(65, 65), |x, y| 0.013 * x as f32 + 0.007 * y as f32).unwrap();
    let mut rng = random(21);
    for map in [&plain, &slope] {
        for parts in SCALES {
            let surface = Surface::new(map, scale(parts));
            for _ in 0..200 {
                let ends = [0, 1].map(|_| any_place(&surface, &mut rng));
                let [a, b] = ends.map(|at| Vec3::new(at.x, surface.height(at).unwrap(), at.y));
                assert!(surface.line_of_sight(a, b), "{parts:?}: {a} {b}");
                let up = Vec3::new(0.0, 0.01 * parts.0, 0.0);
                assert!(surface.line_of_sight(a + up, b), "{parts:?}: {a} {b}");
            }
        }
    }
}

#[test]
fn wall_blocks_sight_and_hole_opens_it() {
    // A wall along x = 0 from north to south.
    let map = Heightmap::from_fn(size(11, 11), |x, _| f32::from(u8::from(x == 5))).unwrap();
    let surface = Surface::new(&map, scale((1.0, 4.0)));
    let (west, east) = (Vec3::new(-4.0, 0.0, 0.5), Vec3::new(4.0, 0.0, 0.5));
    assert!(!surface.line_of_sight(west, east), "ends on the ground");
    let over = Vec3::Y * 4.0;
    assert!(
        surface.line_of_sight(west + over, east + over),
        "touches the ridge"
    );
    assert!(!surface.line_of_sight(west + over * 0.99, east + over * 0.99));
    assert!(
        !surface.line_of_sight(west + over, west - over),
        "through the ground"
    );
    assert!(
        surface.line_of_sight(west - over, east - over),
        "deep below"
    );
    assert!(surface.line_of_sight(west, west));
    assert!(!surface.line_of_sight(west, Vec3::NAN));
    let mut gate = HoleMask::none(map.size());
    gate.set_rect(4..6, 5..6, true);
    let surface = surface.with_holes(&gate).unwrap();
    assert!(surface.line_of_sight(west + Vec3::Y, east + Vec3::Y));
    let north = Vec3::new(0.0, 1.0, -2.0);
    assert!(!surface.line_of_sight(west + north, east + north));
}
