//! Compares walkable triangles with a test of every triangle of the surface.

use lanternfell_surface::{WalkableGround, WalkableLimits};

use super::*;

const NO_LIMITS: WalkableLimits = WalkableLimits {
    max_slope: 90.0,
    water_level: None,
    max_water_depth: 0.0,
};

/// Returns the corners of all triangles, and whether each is walkable.
fn corners(ground: &WalkableGround) -> Vec<([Vec3; 3], bool)> {
    assert_eq!(ground.triangles.len(), ground.walkable.len());
    let corner = |index: u32| ground.vertices[index as usize];
    let triangles = ground.triangles.iter().map(|ids| ids.map(corner));
    triangles.zip(ground.walkable.iter().copied()).collect()
}

/// Returns the same by testing every square of the surface.
fn slow(
    surface: &Surface<'_>,
    holes: &HoleMask,
    min: Vec2,
    max: Vec2,
    limits: &WalkableLimits,
) -> Vec<([Vec3; 3], bool)> {
    let overlaps = |from: Vec3, to: Vec3| {
        let beyond = from.x < max.x && from.z < max.y;
        min.x < max.x && min.y < max.y && beyond && to.x > min.x && to.z > min.y
    };
    let wanted = |&(column, row): &(usize, usize)| {
        let (from, to) = (
            surface.vertex(column, row),
            surface.vertex(column + 1, row + 1),
        );
        !holes.is_hole(column, row) && overlaps(from, to)
    };
    let halves = |square| HALVES.map(|half| surface.triangle(square, half));
    squares(surface)
        .filter(wanted)
        .flat_map(halves)
        .map(|triangle| (triangle, slow_walkable(triangle, limits)))
        .collect()
}

/// Tests a triangle by its normal and all its corners.
fn slow_walkable(triangle: [Vec3; 3], limits: &WalkableLimits) -> bool {
    let normal = up(triangle.map(Vec3::as_dvec3));
    let slope = normal.y.clamp(-1.0, 1.0).acos().to_degrees();
    let shallow = |corner: Vec3| {
        let level = limits.water_level.unwrap_or(f32::NEG_INFINITY);
        f64::from(level) - f64::from(corner.y) <= f64::from(limits.max_water_depth)
    };
    slope <= f64::from(limits.max_slope) && triangle.into_iter().all(shallow)
}

/// Returns a random rectangle. It may start or end on grid lines, be outside the map, or have its
/// corners swapped.
fn any_rectangle(surface: &Surface<'_>, rng: &mut SeededRng) -> (Vec2, Vec2) {
    let mut corner = || {
        let factor = if rng.percent(20) { 1.5 } else { 1.0 };
        any_place(surface, rng) * factor
    };
    let (a, b) = (corner(), corner());
    if rng.percent(10) {
        (a, b)
    } else {
        (a.min(b), a.max(b))
    }
}

#[test]
fn window_matches_test_of_every_triangle() {
    let mut rng = random(60);
    let (mut walkable, mut not) = (0, 0);
    for round in 0..300 {
        let map = ground(any_size(&mut rng), round % 3 == 0, &mut rng);
        let holes = any_holes(map.size(), 20, &mut rng);
        let scale = scale(SCALES[round % SCALES.len()]);
        let surface = Surface::new(&map, scale).with_holes(&holes).unwrap();
        let relief = f64::from(scale.relief);
        // Slopes and depths that some triangles have and others do not. Both computations of the
        // slope are rounded, so the limit is one that no triangle is exactly at.
        let steep = (f64::from(scale.relief / scale.spacing) * rng.unit()).atan();
        let limits = WalkableLimits {
            max_slope: steep.to_degrees() as f32 + 1e-3,
            water_level: rng.percent(60).then(|| (relief * rng.unit()) as f32),
            max_water_depth: (relief * rng.between(-0.3, 0.5)) as f32,
        };
        let (min, max) = any_rectangle(&surface, &mut rng);
        let found = corners(&surface.walkable(min, max, &limits));
        let expected = slow(&surface, &holes, min, max, &limits);
        assert_eq!(found, expected, "{round}: {min} to {max}, {limits:?}");
        let treads = found.iter().filter(|(_, treads)| *treads).count();
        (walkable, not) = (walkable + treads, not + found.len() - treads);
    }
    assert!(walkable > 1000 && not > 1000, "{walkable}, {not}");
}

#[test]
fn walkable_triangles_are_within_limits_everywhere() {
    let mut rng = random(61);
    for round in 0..40 {
        let map = ground(any_size(&mut rng), false, &mut rng);
        let surface = Surface::new(&map, scale((1.0, 1.0 + (round % 3) as f32)));
        let limits = WalkableLimits {
            max_slope: 30.0,
            water_level: Some(0.6),
            max_water_depth: 0.2,
        };
        let all = surface.walkable(Vec2::splat(-99.0), Vec2::splat(99.0), &limits);
        for (triangle, walkable) in corners(&all) {
            let (u, v) = (rng.between(0.05, 0.45), rng.between(0.05, 0.45));
            let [a, b, c] = triangle;
            let point = a + u as f32 * (b - a) + v as f32 * (c - a);
            let at = Vec2::new(point.x, point.z);
            let steep = surface.slope(at).unwrap() > limits.max_slope;
            let deep = 0.6 - surface.height(at).unwrap() > 0.2 + 1e-6;
            assert!(!walkable || !(steep || deep), "{at}");
            let deepest = triangle.iter().map(|corner| 0.6 - corner.y);
            let deepest = deepest.fold(f32::NEG_INFINITY, f32::max);
            assert!(walkable || steep || deepest > 0.2 - 1e-6, "{at}");
        }
    }
}

#[test]
fn adjacent_windows_share_and_miss_no_triangle() {
    let mut rng = random(62);
    let map = ground(size(30, 21), false, &mut rng);
    let surface = Surface::new(&map, scale((0.3, 7.7)));
    let limits = WalkableLimits::default();
    let whole = surface.walkable(Vec2::NEG_INFINITY, Vec2::INFINITY, &limits);
    assert_eq!(whole.vertices.len(), 30 * 21);
    assert_eq!(whole.triangles.len(), 2 * 29 * 20);
    let (middle, border) = (surface.vertex(11, 8), surface.half_extent());
    let (xs, zs) = (
        [-border.x, middle.x, border.x],
        [-border.y, middle.z, border.y],
    );
    let mut parts = Vec::new();
    for (x, z) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let (min, max) = (Vec2::new(xs[x], zs[z]), Vec2::new(xs[x + 1], zs[z + 1]));
        parts.extend(corners(&surface.walkable(min, max, &limits)));
    }
    let key = |(triangle, _): &([Vec3; 3], bool)| {
        triangle.map(|corner| corner.to_array().map(f32::to_bits))
    };
    let mut whole = corners(&whole);
    parts.sort_by_key(key);
    whole.sort_by_key(key);
    assert_eq!(parts, whole);
}

#[test]
fn limits_are_inclusive() {
    let ramp = Heightmap::from_fn(size(9, 6), |x, _| x as f32).unwrap();
    let surface = Surface::new(&ramp, scale((2.0, 2.0)));
    let walkable = |limits: &WalkableLimits| {
        let ground = surface.walkable(Vec2::NEG_INFINITY, Vec2::INFINITY, limits);
        ground.walkable.iter().filter(|walkable| **walkable).count()
    };
    let with_slope = |max_slope| WalkableLimits {
        max_slope,
        ..NO_LIMITS
    };
    assert_eq!(walkable(&with_slope(45.0)), 80);
    assert_eq!(walkable(&with_slope(44.999)), 0);
    let with_water = |level: f32, max_water_depth| WalkableLimits {
        water_level: Some(level),
        max_water_depth,
        ..NO_LIMITS
    };
    // Columns of squares start at 0, 2, 4 ... meters and have ten triangles each.
    assert_eq!(walkable(&with_water(5.0, 1.0)), 60);
    assert_eq!(walkable(&with_water(5.0, 0.999)), 50);
    assert_eq!(walkable(&with_water(5.0, -1.0)), 50);
    assert_eq!(walkable(&with_water(5.0, -1.001)), 40);
}

#[test]
fn invalid_limits_and_rectangles_give_nothing() {
    let map = Heightmap::flat(size(5, 5));
    let surface = Surface::new(&map, scale((1.0, 1.0)));
    let everywhere = (Vec2::NEG_INFINITY, Vec2::INFINITY);
    for limits in [
        WalkableLimits {
            max_slope: f32::NAN,
            ..NO_LIMITS
        },
        WalkableLimits {
            water_level: Some(f32::NAN),
            ..NO_LIMITS
        },
        WalkableLimits {
            water_level: Some(0.0),
            max_water_depth: f32::NAN,
            ..NO_LIMITS
        },
    ] {
        let ground = surface.walkable(everywhere.0, everywhere.1, &limits);
        assert_eq!(ground.walkable, [false; 32], "{limits:?}");
    }
    for (min, max) in [
        (Vec2::ZERO, Vec2::ZERO),
        (Vec2::ONE, Vec2::NEG_ONE),
        (Vec2::NAN, Vec2::ONE),
        (Vec2::ZERO, Vec2::new(1.0, f32::NAN)),
        (Vec2::splat(2.0), Vec2::splat(9.0)),
        (Vec2::splat(-9.0), Vec2::splat(-2.0)),
    ] {
        let ground = surface.walkable(min, max, &NO_LIMITS);
        assert_eq!(ground, WalkableGround::default(), "{min} to {max}");
    }
    let nowhere = Surface::new(&map, scale((f32::NAN, 1.0)));
    let ground = nowhere.walkable(everywhere.0, everywhere.1, &NO_LIMITS);
    assert_eq!(ground, WalkableGround::default());
}
