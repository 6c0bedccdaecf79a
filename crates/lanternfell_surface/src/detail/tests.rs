//! Tests of whole cuts. They use small patches, so that small maps have many levels.

mod flight;
mod holes;

use std::collections::HashMap;

use glam::{Vec2, Vec3, Vec3Swizzles};
use lanternfell_random::SeededRng;

use crate::surface::Surface;
use lanternfell_heightmap::{Generator, Heightmap, MapSize, Progress, Scale};

use super::{Cut, DetailTree, Lens, Patch, PatchTriangles, Viewer};

const SCALE: Scale = Scale {
    spacing: 1.7,
    relief: 40.0,
};
/// The value for a screen of 1080 pixels height and a field of view of 45 degrees.
const PIXELS: f32 = 1303.0;
const SIDE: u32 = 4;

fn hills(width: u64, height: u64) -> Heightmap {
    let mut generator = Generator::from_name("hills").unwrap();
    generator.set("radius_max", "30").unwrap();
    let size = MapSize::new(width, height).unwrap();
    generator.generate(size, 3, &Progress::default()).unwrap()
}

fn rough(width: u64, height: u64) -> Heightmap {
    let mut rng = SeededRng::new(5, b"rough   ");
    let size = MapSize::new(width, height).unwrap();
    let heights = (0..width * height).map(|_| rng.unit() as f32).collect();
    Heightmap::from_heights(size, heights).unwrap()
}

fn tree(map: &Heightmap) -> DetailTree {
    DetailTree::with_side(map, SIDE, &Progress::default()).unwrap()
}

fn viewer(eye: Vec3) -> Viewer {
    Viewer {
        eye,
        lens: Lens::Perspective(PIXELS),
    }
}

/// Returns a viewer over, next to or far from the terrain.
fn random_viewer(rng: &mut SeededRng, map: &Heightmap) -> Viewer {
    let extent = Surface::new(map, SCALE).half_extent() * 1.5;
    let unit = |rng: &mut SeededRng| 2.0 * rng.unit() as f32 - 1.0;
    let height =
        SCALE.relief * (0.02 + rng.unit() as f32 * 10.0_f32.powf(2.0 * rng.unit() as f32 - 0.5));
    viewer(Vec3::new(
        unit(rng) * extent.x,
        height,
        unit(rng) * extent.y,
    ))
}

fn patches(tree: &DetailTree, surface: &Surface<'_>, cut: &Cut) -> Vec<PatchTriangles> {
    let one = |patch: &Patch| tree.triangulate(surface, *patch);
    cut.patches.iter().map(one).collect()
}

/// Returns the position of a vertex as the GPU computes it: relative to the patch's origin.
fn place(patch: &PatchTriangles, index: u16) -> Vec3 {
    patch.origin + Vec3::from(patch.positions[usize::from(index)])
}

/// Returns the triangles of the terrain, without the walls.
fn ground(patch: &PatchTriangles) -> impl Iterator<Item = [u16; 3]> + '_ {
    let corners = patch.indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]);
    corners.filter(|&corners| area(patch, corners) != 0.0)
}

fn area(patch: &PatchTriangles, corners: [u16; 3]) -> f32 {
    let [a, b, c] = corners.map(|corner| place(patch, corner));
    (b - a).cross(c - a).y / 2.0
}

fn bits(place: Vec3) -> [u32; 3] {
    // -0 and 0 are the same position.
    (place + 0.0).to_array().map(f32::to_bits)
}

/// Asserts that there are no cracks: each side of a triangle is bit-identical to the reversed side
/// of exactly one other triangle, except at the border of the map. Also asserts that equal vertices
/// have equal normals.
fn assert_closed(map: &Heightmap, tree: &DetailTree, cut: &Cut, case: &str) {
    let surface = Surface::new(map, SCALE);
    let mut sides: HashMap<_, i32> = HashMap::new();
    let mut normals: HashMap<[u32; 3], [f32; 3]> = HashMap::new();
    let mut covered = 0.0;
    for patch in patches(tree, &surface, cut) {
        for corners in ground(&patch) {
            covered += f64::from(area(&patch, corners));
            assert!(area(&patch, corners) > 0.0, "{case}: a triangle faces down");
            for index in 0..3 {
                let (from, to) = (corners[index], corners[(index + 1) % 3]);
                let (a, b) = (bits(place(&patch, from)), bits(place(&patch, to)));
                *sides.entry((a.min(b), a.max(b))).or_default() += if a < b { 1 } else { 100 };
                let normal = patch.normals[usize::from(from)];
                let known = *normals.entry(a).or_insert(normal);
                assert_eq!(known, normal, "{case}: two normals at a vertex");
            }
        }
    }
    let extent = surface.half_extent();
    let border = |bits: [u32; 3]| {
        let [x, _, z] = bits.map(f32::from_bits);
        [
            (x.abs() - extent.x).abs() < 1e-3,
            (z.abs() - extent.y).abs() < 1e-3,
            x > 0.0,
            z > 0.0,
        ]
    };
    for ((a, b), times) in sides {
        let (one, other) = (border(a), border(b));
        let at_border = (one[0] && other[0] && one[2] == other[2])
            || (one[1] && other[1] && one[3] == other[3]);
        assert!(
            times == 101 || (at_border && (times == 1 || times == 100)),
            "{case}: a crack, {times}"
        );
    }
    let whole = f64::from(4.0 * extent.x * extent.y);
    assert!(
        (covered / whole - 1.0).abs() < 1e-4,
        "{case}: {covered} of {whole}"
    );
}

#[test]
fn cuts_have_no_cracks_and_unique_normals() {
    let mut rng = SeededRng::new(1, b"cameras ");
    for map in [hills(83, 61), rough(49, 65)] {
        let tree = tree(&map);
        let mut sizes = Vec::new();
        for number in 0..500 {
            let viewers: Vec<Viewer> = (0..1 + number % 3)
                .map(|_| random_viewer(&mut rng, &map))
                .collect();
            let weight = if number % 2 == 0 {
                usize::MAX
            } else {
                10 + number
            };
            let cut = tree.cut(
                &viewers,
                SCALE,
                3.0 + (number % 7) as f32 * 8.0,
                weight,
                &Cut::default(),
            );
            assert_closed(&map, &tree, &cut, &format!("camera {number}"));
            sizes.push(cut.patches.len());
        }
        sizes.sort_unstable();
        sizes.dedup();
        assert!(sizes.len() > 50, "the cameras see similar cuts: {sizes:?}");
    }
}

#[test]
fn covers_maps_of_any_size() {
    for (width, height) in [
        (2, 2),
        (2, 90),
        (90, 2),
        (5, 5),
        (6, 5),
        (17, 33),
        (18, 34),
        (64, 64),
        (65, 65),
        (66, 66),
        (129, 3),
    ] {
        let map = rough(width, height);
        let tree = tree(&map);
        assert_eq!(tree.size(), map.size());
        for pixels in [0.0, 2.0, 30.0, 1e9] {
            let cut = tree.cut(
                &[viewer(Vec3::new(10.0, 30.0, -5.0))],
                SCALE,
                pixels,
                usize::MAX,
                &Cut::default(),
            );
            assert_closed(
                &map,
                &tree,
                &cut,
                &format!("{width} x {height}, {pixels} pixels"),
            );
        }
    }
}

#[test]
fn zero_pixels_gives_every_cell() {
    let map = rough(50, 41);
    let (tree, surface) = (tree(&map), Surface::new(&map, SCALE));
    let cut = tree.cut(&[], SCALE, 0.0, usize::MAX, &Cut::default());
    assert_eq!(cut.patches.len(), 13 * 10);
    assert!(
        cut.patches
            .iter()
            .all(|patch| patch.level() + 1 == tree.levels())
    );
    let mut triangles = 0;
    for patch in patches(&tree, &surface, &cut) {
        for corners in ground(&patch) {
            triangles += 1;
            let [a, b, c] = corners.map(|corner| place(&patch, corner));
            let middle = (a + b + c) / 3.0;
            let height = surface.height(Vec2::new(middle.x, middle.z)).unwrap();
            // Positions are rounded, and the terrain is steep.
            assert!((height - middle.y).abs() < 1e-3, "at {middle}");
        }
    }
    assert_eq!(triangles, 2 * 49 * 40);
}

/// Returns the rendered heights at the cells and at the middles of the squares between them. There,
/// the distance between the triangles of a level and those of the surface is largest.
fn drawn_heights(map: &Heightmap, tree: &DetailTree, cut: &Cut) -> HashMap<(i32, i32), f32> {
    let surface = Surface::new(map, SCALE);
    let mut heights = HashMap::new();
    let half_cell = SCALE.spacing / 2.0;
    for patch in patches(tree, &surface, cut) {
        for corners in ground(&patch) {
            let [a, b, c] = corners.map(|corner| place(&patch, corner));
            let (low, high) = (a.min(b).min(c) / half_cell, a.max(b).max(c) / half_cell);
            // Positions are on whole or half cells, because the map's center may be either.
            let offset = surface.half_extent() / half_cell;
            for row in (low.z + offset.y).round() as i32..=(high.z + offset.y).round() as i32 {
                for column in (low.x + offset.x).round() as i32..=(high.x + offset.x).round() as i32
                {
                    let at = (Vec2::new(column as f32, row as f32) - offset) * half_cell;
                    let flat = |place: Vec3| Vec2::new(place.x, place.z);
                    let (ab, ac, ap) = (flat(b - a), flat(c - a), at - flat(a));
                    let (u, v) = (
                        ap.perp_dot(ac) / ab.perp_dot(ac),
                        ap.perp_dot(ab) / ac.perp_dot(ab),
                    );
                    if (column + row) % 2 == 0 && u > -1e-3 && v > -1e-3 && u + v < 1.002 {
                        heights.insert((column, row), a.y + (b.y - a.y) * u + (c.y - a.y) * v);
                    }
                }
            }
        }
    }
    heights
}

/// Returns the true position in meters of a key of [`drawn_heights`].
fn true_place(map: &Heightmap, at: (i32, i32)) -> Vec3 {
    let surface = Surface::new(map, SCALE);
    let extent = surface.half_extent();
    let flat = Vec2::new(at.0 as f32, at.1 as f32) * SCALE.spacing / 2.0 - extent;
    let flat = flat.clamp(-extent, extent);
    Vec3::new(flat.x, surface.height(flat).unwrap(), flat.y)
}

#[test]
fn error_stays_within_pixel_limit() {
    let mut rng = SeededRng::new(2, b"errors  ");
    for (map, spread) in [(hills(75, 53), 0.25), (rough(33, 40), 0.1)] {
        let tree = tree(&map);
        let mut closest: f32 = 0.0;
        for _ in 0..40 {
            let viewer = random_viewer(&mut rng, &map);
            let pixels = 10.0_f32.powf(3.0 * rng.unit() as f32);
            let cut = tree.cut(&[viewer], SCALE, pixels, usize::MAX, &Cut::default());
            assert!(cut.error <= pixels, "{} for {pixels}", cut.error);
            for (at, drawn) in drawn_heights(&map, &tree, &cut) {
                let truth = true_place(&map, at);
                let off = (drawn - truth.y).abs();
                let distance = viewer
                    .eye
                    .distance(truth)
                    .min(viewer.eye.distance(truth.with_y(drawn)));
                // Positions are rounded, and the terrain is steep.
                let seen = (off - 1e-3).max(0.0) * PIXELS / distance;
                assert!(
                    seen <= cut.error,
                    "{seen} pixels of {} at {at:?}",
                    cut.error
                );
                closest = closest.max(seen / pixels);
            }
        }
        assert!(
            closest > spread,
            "the bound is loose: {closest} of it is reached"
        );
    }
}

#[test]
fn change_of_cut_stays_within_pixel_limit() {
    let map = hills(75, 53);
    let tree = tree(&map);
    let pixels = 6.0;
    let mut before = tree.cut(
        &[viewer(Vec3::new(-80.0, 30.0, 5.0))],
        SCALE,
        pixels,
        usize::MAX,
        &Cut::default(),
    );
    let mut changes = 0;
    for step in 1..60 {
        let viewer = viewer(Vec3::new(-80.0 + 2.5 * step as f32, 30.0, 5.0));
        let cut = tree.cut(&[viewer], SCALE, pixels, usize::MAX, &before);
        if cut.patches != before.patches {
            changes += 1;
            let (old, new) = (
                drawn_heights(&map, &tree, &before),
                drawn_heights(&map, &tree, &cut),
            );
            for (at, height) in new {
                let moved = (height - old[&at]).abs() * PIXELS
                    / viewer.eye.distance(true_place(&map, at).with_y(height));
                // The camera has moved since the old cut was chosen.
                assert!(moved <= 1.1 * pixels, "{moved} pixels at {at:?}");
            }
        }
        before = cut;
    }
    assert!(changes > 10, "{changes}");
}

#[test]
fn memory_budget_raises_reported_error() {
    let map = rough(90, 70);
    let tree = tree(&map);
    let viewers = [viewer(Vec3::new(0.0, 50.0, 0.0))];
    let cut = |weight| tree.cut(&viewers, SCALE, 1.0, weight, &Cut::default());
    let unbounded = cut(usize::MAX);
    assert!(unbounded.error <= 1.0);
    let mut error = f32::INFINITY;
    for weight in [2, 10, 50, 200] {
        let cut = cut(weight);
        assert!(cut.weight() <= weight, "{} of {weight}", cut.weight());
        assert!(
            cut.weight() + 2 > weight,
            "{} of {weight} are used",
            cut.weight()
        );
        assert!(
            cut.error > 1.0 && cut.error <= error,
            "{} after {error}",
            cut.error
        );
        error = cut.error;
    }
}

#[test]
fn hovering_viewer_changes_nothing() {
    let map = hills(120, 90);
    let tree = tree(&map);
    let cut = |eye: Vec3, before: &Cut| tree.cut(&[viewer(eye)], SCALE, 8.0, usize::MAX, before);
    let mut without = 0;
    for place in 0..30 {
        let eye = Vec3::new(6.0 * place as f32 - 90.0, 45.0, -3.0);
        let [one, other] = [eye - Vec3::X, eye + Vec3::X];
        // The first move may still add patches.
        let first = cut(other, &cut(one, &Cut::default()));
        let second = cut(one, &first);
        assert_eq!(first.patches, second.patches, "at {eye}");
        assert_eq!(cut(other, &second).patches, second.patches, "at {eye}");
        let fresh = |eye| cut(eye, &Cut::default()).patches;
        without += usize::from(fresh(one) != fresh(other));

        // The same holds if the memory budget is used up.
        let few = |eye: Vec3, before: &Cut| tree.cut(&[viewer(eye)], SCALE, 0.5, 60, before);
        let near = eye + Vec3::X * 0.1;
        let first = few(near, &few(eye, &Cut::default()));
        assert_eq!(
            few(eye, &first).patches,
            first.patches,
            "with few, at {eye}"
        );
    }
    assert!(
        without > 5,
        "nothing would change even without the previous cut"
    );
}

#[test]
fn flat_or_distant_terrain_takes_two_patches() {
    let flat = Heightmap::flat(MapSize::new(100, 100).unwrap());
    let near = [viewer(Vec3::new(0.0, 1.0, 0.0))];
    let cut = tree(&flat).cut(&near, SCALE, 1.0, usize::MAX, &Cut::default());
    assert_eq!((cut.patches.len(), cut.error), (2, 0.0));
    let far = [viewer(Vec3::new(0.0, 1e7, 0.0))];
    let cut = tree(&hills(100, 100)).cut(&far, SCALE, 1.0, usize::MAX, &Cut::default());
    assert_eq!(cut.patches.len(), 2);
}

/// Returns a viewer that looks down from `at` at a square whose sides are `meters` long.
fn parallel_viewer(at: Vec3, meters: f32) -> Viewer {
    let side = |axis: Vec3| (axis * 2.0 / meters).extend(-axis.dot(at) * 2.0 / meters);
    Viewer {
        eye: at,
        lens: Lens::Orthographic {
            pixels: 10.0,
            screen: [side(Vec3::X), side(Vec3::Z)],
        },
    }
}

#[test]
fn orthographic_detail_ignores_eye_distance() {
    let map = rough(65, 65);
    let tree = tree(&map);
    let cut = |at| {
        let viewers = [parallel_viewer(at, 1e6)];
        tree.cut(&viewers, SCALE, 100.0, usize::MAX, &Cut::default())
    };
    assert_eq!(cut(Vec3::ZERO), cut(Vec3::new(1e5, 3.0, 7.0)));
    assert!(cut(Vec3::ZERO).patches.len() > 2);
}

#[test]
fn orthographic_view_refines_its_screen() {
    let map = rough(257, 257);
    let (tree, surface) = (tree(&map), Surface::new(&map, SCALE));
    let half = surface.half_extent();
    let everywhere = parallel_viewer(Vec3::ZERO, 2.0 * half.max_element());
    let corner = Vec3::new(-0.8 * half.x, 50.0, 0.8 * half.y);
    let part = parallel_viewer(corner, 0.2 * half.x);
    let weight = 200;
    let cut = |viewer| tree.cut(&[viewer], SCALE, 1.0, weight, &Cut::default());
    let (whole, near) = (cut(everywhere), cut(part));
    // Both have the same weight, but this one has a smaller error on its screen.
    assert!(
        near.error < 0.5 * whole.error,
        "{} and {}",
        near.error,
        whole.error
    );
    let level = |cut: &Cut, at: Vec3| {
        let patches = cut.patches.iter();
        let distance = |patch: &Patch| {
            let origin = tree.triangulate(&surface, *patch).origin;
            (origin - at).xz().length()
        };
        let nearest = patches.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.unwrap().level()
    };
    assert!(level(&near, corner) > level(&whole, corner));
    assert!(level(&near, -corner) < level(&whole, -corner));
}

#[test]
fn walls_surround_map_and_face_outward() {
    let map = rough(23, 30);
    let (tree, surface) = (tree(&map), Surface::new(&map, SCALE));
    for pixels in [0.0, 60.0] {
        let cut = tree.cut(
            &[viewer(Vec3::new(-30.0, 9.0, 4.0))],
            SCALE,
            pixels,
            usize::MAX,
            &Cut::default(),
        );
        let mut length = 0.0;
        for patch in patches(&tree, &surface, &cut) {
            for corners in patch.indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]) {
                if area(&patch, corners) != 0.0 {
                    continue;
                }
                let [a, b, c] = corners.map(|corner| place(&patch, corner));
                let normal = (b - a).cross(c - a);
                assert!(
                    normal.dot((a + b + c) * Vec3::new(1.0, 0.0, 1.0)) > 0.0,
                    "a wall faces inwards"
                );
                let lowest = a.y.min(b.y).min(c.y);
                assert!((lowest + 0.25 * SCALE.relief).abs() < 1e-4, "{lowest}");
                let tops = [a, b, c].iter().filter(|corner| corner.y > lowest).count();
                if tops == 2 {
                    length += (a - b)
                        .with_y(0.0)
                        .length()
                        .max((b - c).with_y(0.0).length());
                }
            }
        }
        let around = 4.0 * surface.half_extent().element_sum();
        assert!((length / around - 1.0).abs() < 1e-3, "{length} of {around}");
    }
}

#[test]
fn walls_reach_below_ground_under_height_zero() {
    let size = MapSize::new(9, 9).unwrap();
    let map = Heightmap::from_fn(size, |x, y| -1.0 - (x * y % 5) as f32).unwrap();
    let (tree, surface) = (tree(&map), Surface::new(&map, SCALE));
    let cut = tree.cut(
        &[viewer(Vec3::ZERO)],
        SCALE,
        0.0,
        usize::MAX,
        &Cut::default(),
    );
    let mut walls = 0;
    for patch in patches(&tree, &surface, &cut) {
        for corners in patch.indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]) {
            let heights = corners.map(|corner| place(&patch, corner).y);
            if area(&patch, corners) == 0.0 {
                let [low, high] = [f32::min, f32::max].map(|of| heights.into_iter().reduce(of));
                let tall = high.unwrap() - low.unwrap();
                assert!(tall >= 0.249 * SCALE.relief, "{heights:?}");
                walls += 1;
            }
        }
    }
    assert_eq!(walls, 64);
}

/// Sums of an origin and a vertex position are exact, for any map and spacing.
#[test]
fn positions_are_exact_far_from_center() {
    let map = rough(3_000, 3);
    let tree = tree(&map);
    let scale = Scale {
        spacing: 33.3,
        relief: 40.0,
    };
    let surface = Surface::new(&map, scale);
    let cut = tree.cut(&[], scale, 0.0, usize::MAX, &Cut::default());
    for patch in patches(&tree, &surface, &cut) {
        for position in &patch.positions {
            let sum = f64::from(patch.origin.x) + f64::from(position[0]);
            assert_eq!(
                sum,
                f64::from(patch.origin.x + position[0]),
                "a sum is rounded"
            );
            let cell = sum / 33.3 + 1499.5;
            assert!((cell - cell.round()).abs() < 2e-4, "{cell} is not a cell");
        }
    }
}
