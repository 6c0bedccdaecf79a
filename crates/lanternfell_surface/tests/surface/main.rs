//! What is asked of a surface, against slow and obvious versions of the same: every triangle in turn.

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

/// Round numbers, others that are rounded, tiny and huge ones.
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

/// Random ground; of whole heights from 0 to 3 where `whole`, so that triangles lie in one plane.
fn ground(size: MapSize, whole: bool, rng: &mut SeededRng) -> Heightmap {
    let height = |_, _| {
        let z = rng.unit() as f32;
        if whole { (4.0 * z).floor() } else { z }
    };
    Heightmap::from_fn(size, height).unwrap()
}

/// A small size.
fn any_size(rng: &mut SeededRng) -> MapSize {
    size(2 + rng.below(29), 2 + rng.below(29))
}

/// Holes in so many squares of a hundred.
fn any_holes(size: MapSize, percent: u32, rng: &mut SeededRng) -> HoleMask {
    HoleMask::from_fn(size, |_, _| rng.percent(percent))
}

/// Every square of a surface.
fn squares(surface: &Surface<'_>) -> impl Iterator<Item = (usize, usize)> {
    let size = surface.map().size();
    let columns = size.width() - 1;
    (0..size.height() - 1).flat_map(move |row| (0..columns).map(move |column| (column, row)))
}

/// Every triangle that is no hole, with its square and half.
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

/// How far a place lies inside of a triangle seen from above: the least of its three barycentric
/// coordinates.
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

/// The height of a triangle's plane.
fn plane(triangle: [DVec3; 3], at: DVec2) -> f64 {
    let (normal, a) = (up(triangle), triangle[0]);
    a.y - (normal.x * (at.x - a.x) + normal.z * (at.y - a.z)) / normal.y
}

/// The heights of all triangles at that place: several on an edge.
fn slow_heights(surface: &Surface<'_>, holes: &HoleMask, at: DVec2) -> Vec<f64> {
    triangles(surface, holes)
        .filter(|(_, _, triangle)| inside(*triangle, at) >= 0.0)
        .map(|(_, _, triangle)| plane(triangle, at))
        .collect()
}

/// The largest coordinate of a surface's corners.
fn largest(surface: &Surface<'_>) -> f64 {
    let extent = f64::from(surface.half_extent().max_element());
    let (low, high) = surface.map().range();
    let height = f64::from(low.abs().max(high.abs())) * f64::from(surface.scale().relief);
    extent.max(height)
}

/// A place over the map, now and then on a grid line, a diagonal or a cell.
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

/// A point above or below the map, between its heights, or beside it.
fn any_point(surface: &Surface<'_>, rng: &mut SeededRng) -> Vec3 {
    let at = any_place(surface, rng) * if rng.percent(20) { 1.5 } else { 1.0 };
    let (low, high) = surface.map().range();
    let relief = surface.scale().relief;
    let (low, high) = (low * relief, high * relief);
    let span = (high - low).max(surface.scale().spacing);
    let y = rng.between(f64::from(low - span), f64::from(high + span)) as f32;
    Vec3::new(at.x, y, at.y)
}
