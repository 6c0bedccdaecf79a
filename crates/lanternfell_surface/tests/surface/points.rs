//! Tests of heights, normals, slopes and curvature at points.

use lanternfell_heightmap::{
    Hills,
    analysis::{Curvature, CurvatureKind, Slope},
};
use proptest::prelude::*;

use super::*;

#[test]
fn height_matches_triangles() {
    let mut rng = random(1);
    for round in 0..120 {
        let scale = scale(SCALES[round % SCALES.len()]);
        let map = ground(any_size(&mut rng), round % 3 == 0, &mut rng);
        let none = HoleMask::none(map.size());
        let surface = Surface::new(&map, scale);
        let rounding = largest(&surface) * 2.0_f64.powi(-48);
        for _ in 0..40 {
            let at = any_place(&surface, &mut rng);
            let height = surface.height(at).unwrap();
            let all = slow_heights(&surface, &none, at.as_dvec2());
            let near = |&slow: &f64| {
                let unit = f64::from(height.next_up() - height).abs();
                (f64::from(height) - slow).abs() <= 0.51 * unit + rounding
            };
            // On an edge, one of the two is enough. Both are the same except for rounding.
            let fine = all.iter().any(near);
            assert!(fine, "{} at {at}: {height} of {all:?}", map.width());
            let normal = surface.face_normal(at).unwrap();
            let fits = |(_, _, triangle): (_, _, [DVec3; 3])| {
                let is_outside = inside(triangle, at.as_dvec2()) < 0.0;
                !is_outside && normal.as_dvec3().distance(up(triangle)) < 1e-6
            };
            assert!(triangles(&surface, &none).any(fits), "at {at}: {normal}");
            let (square, half) = surface.triangle_at(at).unwrap();
            let triangle = surface.triangle(square, half).map(Vec3::as_dvec3);
            assert!(
                inside(triangle, at.as_dvec2()) > -1e-12,
                "{square:?} {half:?} at {at}"
            );
        }
    }
}

#[test]
fn cells_have_exact_height_and_curvature() {
    let mut rng = random(2);
    for round in 0..60 {
        let scale = scale(SCALES[round % SCALES.len()]);
        let map = ground(any_size(&mut rng), false, &mut rng);
        let surface = Surface::new(&map, scale);
        let kinds = [
            CurvatureKind::Profile,
            CurvatureKind::Plan,
            CurvatureKind::Mean,
        ];
        let bends = kinds.map(|kind| Curvature { kind }.of(&map, scale, &go()).unwrap());
        for row in 0..map.height() {
            for column in 0..map.width() {
                let vertex = surface.vertex(column, row);
                let at = Vec2::new(vertex.x, vertex.z);
                assert_eq!(surface.height(at), Some(vertex.y), "{column}, {row}");
                for (kind, bends) in kinds.into_iter().zip(&bends) {
                    let bend = surface.curvature(at, kind);
                    assert_eq!(
                        bend,
                        Some(bends.get(column, row)),
                        "{kind:?} {column}, {row}"
                    );
                }
                let shaded = surface.normal(at).unwrap();
                assert!(shaded.distance(surface.vertex_normal(column, row)) < 1e-6);
            }
        }
    }
}

#[test]
fn normals_and_curvature_are_interpolated() {
    let mut rng = random(3);
    let map = ground(size(9, 7), false, &mut rng);
    let surface = Surface::new(&map, scale((2.0, 30.0)));
    let none = HoleMask::none(map.size());
    let kind = CurvatureKind::Mean;
    let bends = Curvature { kind }.of(&map, surface.scale(), &go()).unwrap();
    for ((column, row), half, triangle) in triangles(&surface, &none) {
        let cells = match half {
            SquareHalf::NorthWest => [(column, row), (column, row + 1), (column + 1, row)],
            SquareHalf::SouthEast => [(column + 1, row + 1), (column + 1, row), (column, row + 1)],
        };
        let middle = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
        let at = Vec2::new(middle.x as f32, middle.z as f32);
        let normals = cells.map(|(column, row)| surface.vertex_normal(column, row));
        let expected = (normals[0] + normals[1] + normals[2]).normalize();
        assert!(surface.normal(at).unwrap().distance(expected) < 1e-5);
        let sum: f32 = cells
            .iter()
            .map(|&(column, row)| bends.get(column, row))
            .sum();
        let bend = surface.curvature(at, kind).unwrap();
        assert!(
            (bend - sum / 3.0).abs() < 1e-4 * (1.0 + sum.abs()),
            "{bend} {}",
            sum / 3.0
        );
    }
}

#[test]
fn slopes_match_analysis() {
    let map = Heightmap::from_fn(size(6, 5), |x, y| 0.4 * x as f32 - 0.3 * y as f32).unwrap();
    let scale = scale((3.0, 6.0));
    let (surface, slopes) = (
        Surface::new(&map, scale),
        Slope::default().of(&map, scale, &go()),
    );
    let expected = slopes.unwrap().get(2, 2);
    assert_eq!(expected, 45.0);
    let mut rng = random(4);
    for _ in 0..100 {
        let slope = surface.slope(any_place(&surface, &mut rng)).unwrap();
        assert!((slope - expected).abs() < 1e-4, "{slope}");
    }
    let flat = Heightmap::flat(size(2, 2));
    assert_eq!(Surface::new(&flat, scale).slope(Vec2::ZERO), Some(0.0));
}

#[test]
fn queries_outside_map_are_none() {
    let map = Hills::default().generate(size(20, 12), 3, &go()).unwrap();
    for parts in SCALES {
        let surface = Surface::new(&map, scale(parts));
        let edge = surface.half_extent();
        let up = |at: f32| at.next_up();
        let beyond = [
            Vec2::new(up(edge.x), 0.0),
            Vec2::new(-up(edge.x), 0.0),
            Vec2::new(0.0, up(edge.y)),
            Vec2::new(0.0, -up(edge.y)),
            Vec2::new(f32::NAN, 0.0),
            Vec2::new(0.0, f32::INFINITY),
            Vec2::new(f32::NEG_INFINITY, f32::NAN),
            Vec2::MAX,
        ];
        for at in beyond {
            assert_eq!(surface.height(at), None, "{at}");
            assert_eq!(surface.normal(at), None, "{at}");
            assert_eq!(surface.face_normal(at), None, "{at}");
            assert_eq!(surface.slope(at), None, "{at}");
            assert_eq!(surface.curvature(at, CurvatureKind::Plan), None, "{at}");
            assert_eq!(surface.triangle_at(at), None, "{at}");
        }
        for at in [edge, -edge, Vec2::new(edge.x, -edge.y)] {
            assert!(surface.height(at).is_some(), "{at}");
        }
    }
}

#[test]
fn batches_match_single_queries() {
    let mut rng = random(5);
    let map = ground(size(33, 20), false, &mut rng);
    let surface = Surface::new(&map, scale((0.3, 7.7)));
    let places: Vec<Vec2> = (0..1000)
        .map(|_| any_place(&surface, &mut rng) * if rng.percent(10) { 2.0 } else { 1.0 })
        .collect();
    let mut heights = vec![Some(-1.0); places.len() + 1];
    surface.heights(&places, &mut heights);
    for (&at, height) in places.iter().zip(&heights) {
        assert_eq!(*height, surface.height(at), "{at}");
    }
    assert_eq!(heights.last(), Some(&Some(-1.0)));
    let (mut normals, mut slopes, mut bends) = (vec![None; 999], vec![None; 999], vec![None; 999]);
    surface.normals(&places, &mut normals);
    surface.slopes(&places, &mut slopes);
    surface.curvatures(&places, CurvatureKind::Profile, &mut bends);
    for (number, &at) in places.iter().enumerate().take(999) {
        assert_eq!(normals[number], surface.normal(at), "{at}");
        assert_eq!(slopes[number], surface.slope(at), "{at}");
        let bend = surface.curvature(at, CurvatureKind::Profile);
        assert_eq!(bends[number], bend, "{at}");
    }
}

proptest! {
    /// For any map, scale and position: no panic, and a height between those of the corners.
    #[test]
    fn height_is_between_corners(
        heights in prop::collection::vec(-1e30_f32..1e30, 6),
        spacing in prop::num::f32::ANY,
        relief in 1e-5_f32..1e5,
        x in prop::num::f32::ANY,
        z in -2.0_f32..2.0,
    ) {
        let map = Heightmap::from_heights(size(3, 2), heights).unwrap();
        let surface = Surface::new(&map, Scale { spacing, relief });
        for at in [Vec2::new(x, z), Vec2::new(z, z / 2.0) * spacing] {
            let (low, high) = map.range();
            let (low, high) = (f64::from(low * relief), f64::from(high * relief));
            let blur = 2.0_f64.powi(-50) * low.abs().max(high.abs());
            let _ = (surface.normal(at), surface.slope(at));
            if let Some(height) = surface.height(at).map(f64::from) {
                prop_assert!(height >= low - blur && height <= high + blur, "{height}");
            }
        }
    }
}
