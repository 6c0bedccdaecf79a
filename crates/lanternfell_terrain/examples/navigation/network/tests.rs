//! Compares paths over generated polygons with a flood fill of their squares.

use super::*;
use bevy::math::{U16Vec3, Vec3};
use bevy_rerecast::rerecast::Aabb3d;
use lanternfell_terrain::heightmap::SeededRng;

/// Squares along each side of a tile, and meters along each side of a square.
const SQUARES: u16 = 8;
const SIDE: f32 = TILE / SQUARES as f32;

/// The mesh of a tile with one polygon for each free square.
fn mesh((column, row): Tile, free: impl Fn(u16, u16) -> bool) -> PolygonNavmesh {
    let at = Vec3::new(column as f32, 0.0, row as f32) * TILE;
    let all = (0..SQUARES).flat_map(|y| (0..SQUARES).map(move |x| (x, y)));
    let squares: Vec<(u16, u16)> = all.filter(|&(x, y)| free(x, y)).collect();
    let number = |x: u16, y: u16| {
        let place = squares.iter().position(|&square| square == (x, y));
        place.map_or(PolygonNavmesh::NO_CONNECTION, |place| place as u16)
    };
    let neighbors = |&(x, y): &(u16, u16)| {
        let connection = |x: Option<u16>, y: Option<u16>| match (x, y) {
            (Some(x), Some(y)) => number(x, y),
            _ => PolygonNavmesh::NO_CONNECTION,
        };
        [
            connection(x.checked_sub(1), Some(y)),
            connection(Some(x), Some(y + 1)),
            connection(Some(x + 1), Some(y)),
            connection(Some(x), y.checked_sub(1)),
        ]
    };
    let corner = |x: u16, y: u16| y * (SQUARES + 1) + x;
    let corners = |&(x, y): &(u16, u16)| {
        let places = [(x, y), (x, y + 1), (x + 1, y + 1), (x + 1, y)];
        places.map(|(x, y)| corner(x, y))
    };
    let vertices = (0..=SQUARES).flat_map(|z| (0..=SQUARES).map(move |x| U16Vec3::new(x, 0, z)));
    PolygonNavmesh {
        vertices: vertices.collect(),
        polygons: squares.iter().flat_map(corners).collect(),
        polygon_neighbors: squares.iter().flat_map(neighbors).collect(),
        areas: vec![TILE_AREA; squares.len()],
        max_vertices_per_polygon: 4,
        aabb: Aabb3d {
            min: at,
            max: at + TILE,
        },
        cell_size: SIDE,
        ..PolygonNavmesh::default()
    }
}

/// 2 x 2 tiles in which the given percentage of squares are walls.
fn maze(walls: u32, rng: &mut SeededRng) -> (Network, Vec<bool>) {
    let wide = 2 * usize::from(SQUARES);
    let free: Vec<bool> = (0..wide * wide).map(|_| !rng.percent(walls)).collect();
    let mut network = Network::default();
    for tile in [(0, 0), (-1, 0), (-1, -1), (0, -1)] {
        let first = |at: i32| ((at + 1) * i32::from(SQUARES)) as usize;
        let (column, row) = (first(tile.0), first(tile.1));
        let mesh = mesh(tile, |x, y| {
            free[(row + usize::from(y)) * wide + column + usize::from(x)]
        });
        network.insert(tile, &mesh);
    }
    (network, free)
}

/// The squares that are connected to one by their sides.
fn flooded(free: &[bool], from: usize) -> Vec<bool> {
    let wide = free.len().isqrt();
    let mut wet = vec![false; free.len()];
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if !free[at] || wet[at] {
            continue;
        }
        wet[at] = true;
        let (x, y) = (at % wide, at / wide);
        let previous = [(x > 0, 1), (y > 0, wide)].map(|(is, step)| is.then(|| at - step));
        let next = [(x + 1 < wide, 1), (y + 1 < wide, wide)];
        let next = next.map(|(is, step)| is.then(|| at + step));
        open.extend(previous.into_iter().chain(next).flatten());
    }
    wet
}

#[test]
fn paths_reach_all_connected_squares_and_avoid_walls() {
    let mut rng = SeededRng::new(2, b"network ");
    let (mut there, mut not) = (0, 0);
    for round in 0..60 {
        let (network, free) = maze(25 + round % 3 * 10, &mut rng);
        let wide = free.len().isqrt();
        let square = |at: Vec2| {
            let at = ((at + TILE) / SIDE).as_usizevec2();
            at.y * wide + at.x
        };
        for _ in 0..20 {
            let mut side = || rng.between(-1.0, 1.0) as f32 * 0.999 * TILE;
            let (from, to) = (Vec2::new(side(), side()), Vec2::new(side(), side()));
            assert_eq!(network.contains(from), free[square(from)]);
            let reachable = free[square(from)] && flooded(&free, square(from))[square(to)];
            let way = network.way(from, to);
            assert_eq!(way.is_some(), reachable, "{round}: {from} to {to}");
            let Some(way) = way else {
                not += 1;
                continue;
            };
            there += 1;
            let mut start = from;
            for &corner in &way {
                for step in 0..=100_u16 {
                    let at = start.lerp(corner, f32::from(step) / 100.0);
                    // On a side of a square, rounding may assign the position to either square.
                    let offsets = [Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y];
                    let on_mesh = |off: Vec2| network.contains(at + 1e-4 * off);
                    assert!(
                        offsets.into_iter().any(on_mesh),
                        "{round}: {at} is in a wall"
                    );
                }
                start = corner;
            }
            assert_eq!(start, to);
        }
    }
    assert!(there > 200 && not > 200, "{there}, {not}");
}

#[test]
fn door_is_the_overlap_of_two_sides() {
    let side = |from: f32, to: f32| [Vec2::new(0.0, from), Vec2::new(0.0, to)];
    let door = overlap(side(0.0, 4.0), side(9.0, 3.0), true);
    assert_eq!(door, Some(side(3.0, 4.0)));
    let door = overlap(side(4.0, 0.0), side(2.0, 3.0), true);
    assert_eq!(door, Some(side(3.0, 2.0)));
    assert_eq!(overlap(side(1.0, 4.0), side(4.0, 6.0), true), None);
}

#[test]
fn search_stops_after_most_opened_polygons() {
    let mut network = Network::default();
    let far = 20;
    for row in -far..far {
        for column in -far..far {
            network.insert((column, row), &mesh((column, row), |_, _| true));
        }
    }
    assert!(network.way(Vec2::splat(1.0), Vec2::splat(90.0)).is_some());
    let wall = mesh((far, 0), |_, _| true);
    network.insert((far + 1, 0), &wall);
    let beyond = Vec2::new((far as f32 + 1.5) * TILE, 1.0);
    assert_eq!(network.way(Vec2::splat(1.0), beyond), None);
}
