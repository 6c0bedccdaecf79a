//! Compares a surface with slow and simple implementations that test every triangle.

mod control_updates;
mod holes;
mod layers;

mod measures;
mod navigation;
mod points;
mod pyramid;
mod rays;
mod sight;
mod spheres;
mod walkable;

use glam::{DVec2, DVec3, Vec2, Vec3};
use lanternfell_heightmap::{Heightmap, HoleMask, MapSize, Progress, Scale, SeededRng};
use lanternfell_surface::{HeightPyramid, SquareHalf, Surface};

const HALVES: [SquareHalf; 2] = [SquareHalf::NorthWest, SquareHalf::SouthEast];

/// Round numbers, numbers that are rounded in `f32`, tiny ones and huge ones.
const SCALES: [(f32, f32); 6] = [
    (1.0, 1.0),
    (0.3, 7.7),
    (2.0, 30.0),
    (1e-3, 1e-4),
    (1e5, 1e5),
    (33.3, 1000.0),
];

fn scale((spacing, relief): (f32, f32)) -> Scale {
    Scale { spacing, relief }
}

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn go() -> Progress {
    Progress::default()
}

fn random(seed: u64) -> SeededRng {
    SeededRng::new(seed, b"surface ")
}

/// Returns a random map. With `whole`, the heights are integers from 0 to 3, so that some triangles
/// are coplanar.
fn ground(size: MapSize, whole: bool, rng: &mut SeededRng) -> Heightmap {
    let height = |_, _| {
        let z = rng.unit() as f32;
        if whole { (4.0 * z).floor() } else { z }
    };
    Heightmap::from_fn(size, height).unwrap()
}

/// Returns a small random size.
fn any_size(rng: &mut SeededRng) -> MapSize {
    size(2 + rng.below(29), 2 + rng.below(29))
}

/// Returns a mask in which `percent` percent of the squares are holes.
fn any_holes(size: MapSize, percent: u32, rng: &mut SeededRng) -> HoleMask {
    HoleMask::from_fn(size, |_, _| rng.percent(percent))
}

/// Returns every square of a surface.
fn squares(surface: &Surface<'_>) -> impl Iterator<Item = (usize, usize)> {
    let size = surface.map().size();
    let columns = size.width() - 1;
    (0..size.height() - 1).flat_map(move |row| (0..columns).map(move |column| (column, row)))
}

/// Returns every triangle that is not a hole, with its square and half.
fn triangles<'a>(
    surface: &'a Surface<'_>,
    holes: &'a HoleMask,
) -> impl Iterator<Item = ((usize, usize), SquareHalf, [DVec3; 3])> + 'a {
    squares(surface)
        .filter(|&(column, row)| !holes.is_hole(column, row))
        .flat_map(|square| {
            HALVES.map(|half| {
                let corners = surface.triangle(square, half);
                (square, half, corners.map(Vec3::as_dvec3))
            })
        })
}

/// Returns how far a position is inside a triangle seen from above: the smallest of its three
/// barycentric coordinates.
fn inside([a, b, c]: [DVec3; 3], at: DVec2) -> f64 {
    let flat = |p: DVec3| DVec2::new(p.x, p.z);
    let (a, b, c) = (flat(a), flat(b), flat(c));
    let whole = (b - a).perp_dot(c - a);
    let parts = [(b, c), (c, a), (a, b)].map(|(p, q)| (p - at).perp_dot(q - at) / whole);
    parts.into_iter().fold(f64::INFINITY, f64::min)
}

fn up([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a).normalize()
}

/// Returns the height of a triangle's plane at a position.
fn plane(triangle: [DVec3; 3], at: DVec2) -> f64 {
    let (normal, a) = (up(triangle), triangle[0]);
    a.y - (normal.x * (at.x - a.x) + normal.z * (at.y - a.z)) / normal.y
}

/// Returns the heights of all triangles at a position. There are several on an edge.
fn slow_heights(surface: &Surface<'_>, holes: &HoleMask, at: DVec2) -> Vec<f64> {
    triangles(surface, holes)
        .filter(|(_, _, triangle)| inside(*triangle, at) >= 0.0)
        .map(|(_, _, triangle)| plane(triangle, at))
        .collect()
}

/// Returns the largest coordinate of a surface's corners.
fn largest(surface: &Surface<'_>) -> f64 {
    let extent = f64::from(surface.half_extent().max_element());
    let (low, high) = surface.map().range();
    let height = f64::from(low.abs().max(high.abs())) * f64::from(surface.scale().relief);
    extent.max(height)
}

/// Returns a random position over the map, sometimes on a grid line, a diagonal or a cell.
fn any_place(surface: &Surface<'_>, rng: &mut SeededRng) -> Vec2 {
    let edge = surface.half_extent();
    let free = Vec2::new(
        rng.between(-1.0, 1.0) as f32 * edge.x,
        rng.between(-1.0, 1.0) as f32 * edge.y,
    );
    let (column, row) = (
        rng.below(surface.map().width() as u64) as usize,
        rng.below(surface.map().height() as u64) as usize,
    );
    let cell = surface.vertex(column, row);
    match rng.below(6) {
        0 => Vec2::new(cell.x, cell.z),
        1 => Vec2::new(cell.x, free.y),
        2 => Vec2::new(free.x, cell.z),
        3 => {
            let along = rng.unit() as f32 * surface.scale().spacing;
            let at = Vec2::new(cell.x + along, cell.z - along);
            at.clamp(-edge, edge)
        }
        _ => free,
    }
}

/// Returns a random point above, below or next to the map, or between its heights.
fn any_point(surface: &Surface<'_>, rng: &mut SeededRng) -> Vec3 {
    let at = any_place(surface, rng) * if rng.percent(20) { 1.5 } else { 1.0 };
    let (low, high) = surface.map().range();
    let relief = surface.scale().relief;
    let (low, high) = (low * relief, high * relief);
    let span = (high - low).max(surface.scale().spacing);
    let y = rng.between(f64::from(low - span), f64::from(high + span)) as f32;
    Vec3::new(at.x, y, at.y)
}
