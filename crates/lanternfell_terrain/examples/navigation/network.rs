//! Joins the polygons of all tiles, and finds paths over them.
//!
//! Problem: each tile is baked alone, so a polygon only knows its neighbors within the same tile. `rerecast` has no
//! pathfinding, and the crates that do cost more than this file: `polyanya` requires polygons that share whole sides,
//! which those of two tiles do not, and `landmass` uses another version of `glam` than Bevy. Both depend on all of
//! `geo`.
//!
//! Idea: two tiles meet at a line. Where sides of two polygons overlap on it there is a door, as wide as the overlap. A
//! search (A*) goes from polygon to polygon through the middles of doors. Then `funnel` shortens the path.
//!
//! ```text
//!     tile (0, 0)   |   tile (1, 0)
//!        ----.      |       .----
//!             \     |      /
//!      a       \....:     /          a and b, and a and c, have a door
//!                   :-----'   b
//!             /     :-----.
//!        ----'      |      c
//! ```
//!
//! Everything is two-dimensional, in `(x, z)`: on a heightfield no two polygons are above each other, and creatures are
//! snapped to the terrain.
//!
//! Cost: a tile is joined with its four neighbors only. A search visits at most `MOST_OPENED` polygons, independent of
//! the size of the terrain. Destinations farther away are not found.
//!
//! Source: Detour, Mikko Mononen's companion library of Recast, joins its tiles in this way.

use core::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use bevy::{
    math::{FloatOrd, Vec2, Vec3Swizzles},
    prelude::Resource,
};
use bevy_rerecast::rerecast::{AreaType, PolygonNavmesh};

use crate::funnel;

/// Meters along each side of a tile.
pub const TILE: f32 = 32.0;
/// The area type of polygons inside a tile, as opposed to the margin around it.
pub const TILE_AREA: AreaType = AreaType::DEFAULT_WALKABLE;
/// The maximum number of polygons that a search visits, which takes a millisecond or two.
const MOST_OPENED: usize = 1500;
/// The minimum width of a door, in meters.
const NARROWEST_DOOR: f32 = 0.01;

/// A tile, by column and row. Tile (0, 0) is south-east of the terrain's center.
pub type Tile = (i32, i32);

/// The tile that contains a position.
pub fn tile_at(at: Vec2) -> Tile {
    let at = (at / TILE).floor().as_ivec2();
    (at.x, at.y)
}

/// The navigation mesh.
#[derive(Resource, Debug, Default)]
pub struct Network {
    tiles: BTreeMap<Tile, Part>,
}

/// The polygons of one tile.
#[derive(Debug, Default)]
struct Part {
    polygons: Vec<Polygon>,
    /// The sides that are on the border of the tile: west, south, east and north.
    borders: [Vec<Border>; 4],
}

#[derive(Debug)]
struct Polygon {
    /// All polygons have the same winding order.
    corners: Vec<Vec2>,
    doors: Vec<Door>,
}

/// A connection from one polygon to another.
#[derive(Debug, Clone, Copy)]
struct Door {
    to: Place,
    /// In the winding order of the polygon that the door leads out of.
    ends: [Vec2; 2],
}

#[derive(Debug)]
struct Border {
    polygon: usize,
    ends: [Vec2; 2],
}

/// A polygon of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    tile: Tile,
    polygon: usize,
}

/// The state of a polygon in a search.
#[derive(Debug, Clone, Copy)]
struct Reached {
    /// Meters so far.
    length: f32,
    /// The position where the path enters the polygon.
    at: Vec2,
    /// The previous polygon, and the ends of the door from there.
    from: Option<(Place, [Vec2; 2])>,
}

impl Network {
    /// Adds the polygons of a tile. The tile must not have any yet.
    pub fn insert(&mut self, tile: Tile, mesh: &PolygonNavmesh) {
        let mut part = Part::new(tile, mesh);
        for side in 0..4 {
            let neighbor = beyond(tile, side);
            if let Some(other) = self.tiles.get_mut(&neighbor) {
                join((tile, &mut part), (neighbor, other), side);
            }
        }
        self.tiles.insert(tile, part);
    }

    /// The number of tiles.
    pub fn tiles(&self) -> usize {
        self.tiles.len()
    }

    /// Whether a position is on the navigation mesh.
    pub fn contains(&self, at: Vec2) -> bool {
        self.place(at).is_some()
    }

    /// Finds a path from one position to another. Returns its corners, without `from` and including `to`, or `None` if
    /// one of them is not on a polygon or no path was found.
    ///
    /// The path is the shortest one through its polygons. Other polygons may allow a slightly shorter one, because the
    /// search measures distances between the middles of doors.
    pub fn way(&self, from: Vec2, to: Vec2) -> Option<Vec<Vec2>> {
        let doors = self.doors((self.place(from)?, from), (self.place(to)?, to))?;
        Some(funnel::pull(from, to, &doors))
    }

    /// The polygon that contains a position.
    fn place(&self, at: Vec2) -> Option<Place> {
        let tile = tile_at(at);
        let polygons = &self.tiles.get(&tile)?.polygons;
        let polygon = polygons.iter().position(|polygon| polygon.contains(at))?;
        Some(Place { tile, polygon })
    }

    /// The doors of a path.
    fn doors(
        &self,
        (start, from): (Place, Vec2),
        (goal, to): (Place, Vec2),
    ) -> Option<Vec<[Vec2; 2]>> {
        let first = Reached {
            length: 0.0,
            at: from,
            from: None,
        };
        let mut reached = BTreeMap::from([(start, first)]);
        let mut open = BinaryHeap::from([Reverse((FloatOrd(0.0), start))]);
        for _ in 0..MOST_OPENED {
            let Reverse((_, place)) = open.pop()?;
            if place == goal {
                return Some(doors_to(goal, &reached));
            }
            let Reached { length, at, .. } = reached[&place];
            for door in &self.tiles[&place.tile].polygons[place.polygon].doors {
                let middle = (door.ends[0] + door.ends[1]) / 2.0;
                let length = length + at.distance(middle);
                let known = reached.get(&door.to);
                if known.is_none_or(|known| length < known.length) {
                    let from = Some((place, door.ends));
                    let at = middle;
                    reached.insert(door.to, Reached { length, at, from });
                    let guess = FloatOrd(length + middle.distance(to));
                    open.push(Reverse((guess, door.to)));
                }
            }
        }
        None
    }
}

/// The doors on the path to a polygon that the search has reached, in order.
fn doors_to(goal: Place, reached: &BTreeMap<Place, Reached>) -> Vec<[Vec2; 2]> {
    let mut doors = Vec::new();
    let mut place = goal;
    while let Some((before, ends)) = reached[&place].from {
        doors.push(ends);
        place = before;
    }
    doors.reverse();
    doors
}

impl Part {
    fn new(tile: Tile, mesh: &PolygonNavmesh) -> Self {
        let most = mesh.max_vertices_per_polygon as usize;
        let at = |&index: &u16| {
            let vertex = mesh.vertices[index as usize].xz().as_vec2();
            mesh.aabb.min.xz() + vertex * mesh.cell_size
        };
        let own: Vec<usize> = (0..mesh.polygon_count())
            .filter(|&polygon| mesh.areas[polygon] == TILE_AREA)
            .collect();
        let mut part = Self::default();
        for (polygon, first) in own.iter().map(|polygon| polygon * most).enumerate() {
            let corners = mesh.polygons[first..first + most].iter();
            let corners = corners.take_while(|index| **index != PolygonNavmesh::NO_INDEX);
            let corners: Vec<Vec2> = corners.map(at).collect();
            let mut doors = Vec::new();
            let neighbors = &mesh.polygon_neighbors[first..];
            for (ends, &neighbor) in sides(&corners).zip(neighbors) {
                if let Ok(polygon) = own.binary_search(&usize::from(neighbor)) {
                    let to = Place { tile, polygon };
                    doors.push(Door { to, ends });
                } else if let Some(side) = border(tile, ends, mesh.cell_size) {
                    part.borders[side].push(Border { polygon, ends });
                }
            }
            part.polygons.push(Polygon { corners, doors });
        }
        part
    }
}

/// The border of the tile that a polygon's side is on, if any: west, south, east or north.
fn border((column, row): Tile, ends: [Vec2; 2], voxel: f32) -> Option<usize> {
    let min = Vec2::new(column as f32, row as f32) * TILE;
    let max = min + TILE;
    let offsets = |end: Vec2| [end.x - min.x, end.y - max.y, end.x - max.x, end.y - min.y];
    let [a, b] = ends.map(offsets);
    (0..4).find(|&side| a[side].abs().max(b[side].abs()) < voxel / 2.0)
}

impl Polygon {
    /// Whether a position is inside the polygon or on its border: it is never on both sides of the directed edges.
    fn contains(&self, at: Vec2) -> bool {
        let turns = || sides(&self.corners).map(|[a, b]| (b - a).perp_dot(at - a));
        turns().all(|turn| turn >= 0.0) || turns().all(|turn| turn <= 0.0)
    }
}

/// The sides of a polygon.
fn sides(corners: &[Vec2]) -> impl Iterator<Item = [Vec2; 2]> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(&a, &b)| [a, b])
}

/// The adjacent tile on a side: west, south, east or north.
fn beyond((column, row): Tile, side: usize) -> Tile {
    let steps = [(-1, 0), (0, 1), (1, 0), (0, -1)];
    let (x, z) = steps[side];
    (column + x, row + z)
}

/// Adds doors in both directions where two tiles have adjacent polygons, on the given side of the first.
fn join(first: (Tile, &mut Part), second: (Tile, &mut Part), side: usize) {
    let (here, there) = (first.0, second.0);
    let (part, other) = (first.1, second.1);
    for a in &part.borders[side] {
        for b in &other.borders[(side + 2) % 4] {
            let Some([from, to]) = overlap(a.ends, b.ends, side.is_multiple_of(2)) else {
                continue;
            };
            let place = |tile, polygon| Place { tile, polygon };
            part.polygons[a.polygon].doors.push(Door {
                to: place(there, b.polygon),
                ends: [from, to],
            });
            other.polygons[b.polygon].doors.push(Door {
                to: place(here, a.polygon),
                ends: [to, from],
            });
        }
    }
}

/// The part of side `a` that overlaps side `b`, in the direction of `a`. Both are on the same line, which runs south if
/// `southward`, otherwise east.
fn overlap(a: [Vec2; 2], b: [Vec2; 2], southward: bool) -> Option<[Vec2; 2]> {
    let along = |at: Vec2| if southward { at.y } else { at.x };
    let ([a0, a1], [b0, b1]) = (a.map(along), b.map(along));
    let (low, high) = (a0.min(a1).max(b0.min(b1)), a0.max(a1).min(b0.max(b1)));
    let at = |place: f32| a[0].lerp(a[1], (place - a0) / (a1 - a0));
    let ends = if a0 < a1 { [low, high] } else { [high, low] };
    (high - low > NARROWEST_DOOR).then(|| ends.map(at))
}

#[cfg(test)]
mod tests;
