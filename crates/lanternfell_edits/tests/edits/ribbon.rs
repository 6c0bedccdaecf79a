//! The surface of roads as triangles.

use lanternfell_edits::{PathModifier, Ribbon};
use lanternfell_random::{Fnv1a, SeededRng};

use crate::modifiers::path;

fn flat(road: &PathModifier, step: f32) -> Ribbon {
    road.ribbon(step, |_| Some(3.0)).unwrap()
}

fn ring(radius: f32) -> PathModifier {
    PathModifier {
        closed: true,
        ..path(&[[radius, 0.0], [0.0, radius], [-radius, 0.0], [0.0, -radius]])
    }
}

/// The upward parts of the normals of all triangles, with twice their area as the length.
fn doubled_areas(ribbon: &Ribbon) -> impl Iterator<Item = f64> {
    let corners = ribbon.indices.as_chunks::<3>().0.iter();
    corners.map(|corners| {
        let [a, b, c] = corners.map(|corner| {
            let [x, _, z] = ribbon.positions[corner as usize];
            [x, z].map(f64::from)
        });
        (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])
    })
}

fn area(ribbon: &Ribbon) -> f64 {
    doubled_areas(ribbon).sum::<f64>() / 2.0
}

fn assert_is_valid(ribbon: &Ribbon) {
    let count = ribbon.positions.len();
    assert_eq!([ribbon.normals.len(), ribbon.uvs.len()], [count; 2]);
    assert!(ribbon.indices.iter().all(|&index| (index as usize) < count));
    assert!(doubled_areas(ribbon).all(|area| area > 0.0));
    assert!(ribbon.normals.iter().all(|[_, y, _]| *y > 0.0));
}

/// 8 m wide, toward the east: north is on the left.
#[test]
fn straight_roads_are_rectangles() {
    let ribbon = flat(&path(&[[-50.0, 20.0], [50.0, 20.0]]), 2.0);
    assert_is_valid(&ribbon);
    // 51 cross sections of 5 vertices.
    assert_eq!(ribbon.positions.len(), 51 * 5);
    assert_eq!(ribbon.indices.len(), 50 * 4 * 2 * 3);
    assert_eq!(
        ribbon.positions[..2],
        [[-50.0, 3.0, 16.0], [-50.0, 3.0, 18.0]]
    );
    assert_eq!(ribbon.uvs[..2], [[0.0, 0.0], [0.25, 0.0]]);
    let last = ribbon.positions.len() - 1;
    assert_eq!(ribbon.positions[last], [50.0, 3.0, 24.0]);
    // A square texture is 8 m long.
    assert_eq!(ribbon.uvs[last], [1.0, -100.0 / 8.0]);
    assert!(
        ribbon
            .normals
            .iter()
            .all(|normal| *normal == [0.0, 1.0, 0.0])
    );
    assert!((area(&ribbon) - 100.0 * 8.0).abs() < 1.0);
}

#[test]
fn slopes_have_their_normal() {
    let road = path(&[[-50.0, 20.0], [0.0, 0.0], [50.0, 20.0]]);
    let ribbon = road.ribbon(1.0, |[x, z]| Some(0.5 * x - 0.25 * z)).unwrap();
    assert_is_valid(&ribbon);
    let length = (0.5_f32 * 0.5 + 1.0 + 0.25 * 0.25).sqrt();
    for normal in &ribbon.normals {
        let expected = [-0.5, 1.0, 0.25].map(|along| along / length);
        let differences = normal.iter().zip(expected).map(|(a, b)| (a - b).abs());
        assert!(differences.fold(0.0, f32::max) < 1e-3, "{normal:?}");
    }
}

#[test]
fn closed_roads_have_no_seam() {
    let hills = |[x, z]: [f32; 2]| Some(x * x / 100.0 + z / 7.0);
    let ribbon = ring(40.0).ribbon(1.0, hills).unwrap();
    assert_is_valid(&ribbon);
    let (columns, last) = (9, ribbon.positions.len() - 9);
    assert_eq!(ribbon.positions[..columns], ribbon.positions[last..]);
    assert_eq!(ribbon.normals[..columns], ribbon.normals[last..]);
    for column in 0..columns {
        let [first, end] = [ribbon.uvs[column], ribbon.uvs[last + column]];
        assert_eq!([first[0], first[1], end[1]], [end[0], 0.0, end[1].round()]);
        // The length of the ring is a little less than that of a circle.
        assert_eq!(end[1], -30.0);
    }
    let circle = std::f64::consts::PI * (44.0 * 44.0 - 36.0 * 36.0);
    let is_near = |area: f64| area > circle * 0.93 && area < circle * 1.01;
    assert!(is_near(area(&ribbon)), "{}", area(&ribbon));
}

/// The bed is 8 m wide. Its arms are 4 m apart or at one place.
#[test]
fn sharp_bends_do_not_fold() {
    for across in [0.0, 0.1, 4.0, 9.0] {
        let hairpin = path(&[[-50.0, 0.0], [0.0, 0.0], [0.0, across], [-50.0, across]]);
        for step in [0.3, 1.0, 5.0] {
            let ribbon = flat(&hairpin, step);
            assert_is_valid(&ribbon);
            let reach = ribbon.positions.iter().map(|[x, _, _]| *x);
            let reach = reach.fold(f32::MIN, f32::max);
            // The outer edge is round.
            assert!(across == 0.0 || reach > 3.8, "{across} {step}: {reach}");
            assert!(area(&ribbon) > 2.0 * 50.0 * 8.0 * 0.9);
        }
    }
    let disk = flat(&ring(2.0), 1.0);
    assert_is_valid(&disk);
    assert!((100.0..125.0).contains(&area(&disk)), "{}", area(&disk));
}

#[test]
fn widths_change_along_the_road() {
    let mut road = path(&[[0.0, 0.0], [100.0, 0.0]]);
    road.points[0].width = 2.0;
    road.points[1].width = 10.0;
    let ribbon = flat(&road, 1.0);
    assert_is_valid(&ribbon);
    assert!((area(&ribbon) - 600.0).abs() < 6.0);
    let width = |along: f32| {
        let at = ribbon
            .positions
            .iter()
            .filter(|at| (at[0] - along).abs() < 0.01);
        2.0 * at.map(|at| at[2]).fold(0.0, f32::max)
    };
    for (along, expected) in [(0.0, 2.0), (50.0, 6.0), (100.0, 10.0)] {
        assert!(
            (width(along) - expected).abs() < 0.01,
            "{along}: {}",
            width(along)
        );
    }
    // The mean width is 6 m.
    let end = ribbon.uvs[ribbon.uvs.len() - 1][1];
    assert!((end + 100.0 / 6.0).abs() < 0.01, "{end}");
    // The ends of a road may have no width.
    road.points[0].width = 0.0;
    assert_is_valid(&flat(&road, 1.0));
}

#[test]
fn ends_where_the_terrain_ends() {
    let road = path(&[[-50.0, 0.0], [50.0, 0.0]]);
    let is_terrain = |x: f32| x < -5.0 || (10.0..=40.0).contains(&x);
    let ribbon = road
        .ribbon(1.0, |[x, _]| is_terrain(x).then_some(x))
        .unwrap();
    assert_is_valid(&ribbon);
    assert!(
        ribbon
            .positions
            .iter()
            .all(|[x, y, _]| is_terrain(*x) && x == y)
    );
    assert!((area(&ribbon) - 8.0 * (44.0 + 30.0)).abs() < 1.0);
    // The texture continues after the gap.
    for (at, uv) in ribbon.positions.iter().zip(&ribbon.uvs) {
        assert!((uv[1] + (at[0] + 50.0) / 8.0).abs() < 1e-4);
    }
    for nothing in [None, Some(f32::NAN), Some(f32::INFINITY)] {
        assert_eq!(road.ribbon(1.0, |_| nothing).unwrap(), Ribbon::default());
    }
}

#[test]
fn empty_paths_have_empty_ribbons() {
    let mut nowhere = path(&[[5.0, 5.0], [5.0, 5.0]]);
    assert_eq!(flat(&nowhere, 1.0), Ribbon::default());
    nowhere.points[1].at = [9.0; 3];
    for point in &mut nowhere.points {
        point.width = 0.0;
    }
    assert_eq!(flat(&nowhere, 1.0), Ribbon::default());
}

#[test]
fn vertices_are_limited() {
    let mut far = path(&[[-1e7, 0.0], [0.0, 1e7], [1e7, 0.0]]);
    far.points[1].width = 1000.0;
    let mut random = SeededRng::new(4, b"far     ");
    let mut scribble = |size: f32, width: f32| {
        let mut place = || [(); 2].map(|()| random.unit() as f32 * size);
        let places: Vec<[f32; 2]> = (0..4096).map(|_| place()).collect();
        let mut path = path(&places);
        path.points.iter_mut().for_each(|point| point.width = width);
        path
    };
    for road in [
        far,
        scribble(0.5, 1000.0),
        scribble(10.0, 1.0),
        scribble(2000.0, 1000.0),
        scribble(1e7, 8.0),
    ] {
        let ribbon = flat(&road, 0.01);
        assert_is_valid(&ribbon);
        let count = ribbon.positions.len();
        assert!(count > 100_000 && count <= Ribbon::MAX_VERTICES, "{count}");
    }
}

#[test]
fn names_values_that_are_not_allowed() {
    let mut road = path(&[[0.0, 0.0], [9.0, 9.0]]);
    let message = |road: &PathModifier, step: f32| {
        let ribbon = road.ribbon(step, |_| Some(0.0));
        ribbon.unwrap_err().to_string()
    };
    for step in [0.0, f32::NAN, 1001.0] {
        let expected = format!("the step is {step}, but must be from 0.01 to 1000");
        assert_eq!(message(&road, step), expected);
    }
    road.points[1].width = -1.0;
    assert_eq!(
        message(&road, 1.0),
        "the width is -1, but must be from 0 to 1000"
    );
}

/// Pinned: the same road has the same ribbon on every machine.
#[test]
fn ribbons_have_the_same_bits_everywhere() {
    let mut road = path(&[[0.0, 0.0], [40.0, 3.0], [41.0, 9.0], [-7.0, 30.0]]);
    road.points[2].width = 3.0;
    road.closed = true;
    let ribbon = road.ribbon(1.5, |[x, z]| Some(x * z / 64.0)).unwrap();
    let Ribbon {
        positions,
        normals,
        uvs,
        indices,
    } = &ribbon;
    let numbers = positions.iter().chain(normals).flatten();
    let numbers = numbers.chain(uvs.iter().flatten());
    let hash = numbers.fold(Fnv1a::default(), |hash, number| hash.with(number.to_bits()));
    let hash = indices.iter().fold(hash, |hash, &index| hash.with(index));
    assert_eq!(hash.finish(), 10_453_062_055_748_555_770);
}
