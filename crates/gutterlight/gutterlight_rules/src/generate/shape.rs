//! The outlines of rooms.
//!
//! A shape is a small grid of tiles, in which rock is outside of the room. Rooms of several shapes
//! make a floor recognizable in the dark, and each shape has other places to hide:
//!
//! ```text
//!    block     corner    cross      round      colonnade    stalls      cloister
//!    .......   ...       ....       ...        .........    ..#..#..    .........
//!    .......   ...       ....      .....       .O..O..O.    ........    ..#####..
//!    .......   .......  ........   .....       .........    ........    ..#####..
//!    .......   .......    ....      ...        .O..O..O.    ..#..#..    .........
//! ```

use glam::IVec2;
use lanternfell_random::SeededRng;

use super::weighted::weighted;
use crate::{
    Ground, Plane, Tile,
    rules::{Outline, RoomRules, Size},
};

/// The tiles of a room. Rock is outside of the room.
pub(super) type Shape = Plane<Tile>;

/// The ground of a room until it is furnished.
const FLOOR: Tile = Tile::Ground(Ground::Stone);

/// A random size from `low` to `high`, both inclusive.
pub(super) fn size(rng: &mut SeededRng, low: Size, high: Size) -> IVec2 {
    IVec2::new(rng.within(low.0, high.0), rng.within(low.1, high.1))
}

/// A random room of these, with a random orientation.
pub(super) fn any(rng: &mut SeededRng, rooms: &[(u32, RoomRules)]) -> Shape {
    let often = rooms.iter().map(|&(often, _)| u64::from(often));
    let room = weighted(rng, often).unwrap_or(0);
    let shape = outlined(rng, &rooms[room].1);
    turned(rng, &shape)
}

/// A room according to the rules.
pub(super) fn outlined(rng: &mut SeededRng, room: &RoomRules) -> Shape {
    let size = size(rng, room.low, room.high);
    match room.outline {
        Outline::Block => block(size),
        Outline::Corner => corner(rng, size),
        Outline::Cross => cross(rng, size),
        Outline::Round => round(size),
        Outline::Stalls => stalls(size),
        Outline::Colonnade => colonnade(size, room.spacing),
        Outline::Cloister => cloister(size, room.spacing),
    }
}

/// A rectangle.
pub(super) fn block(size: IVec2) -> Shape {
    Plane::new(size.x, size.y, FLOOR)
}

/// A rectangle without one of its quarters.
fn corner(rng: &mut SeededRng, size: IVec2) -> Shape {
    let cut = IVec2::new(rng.within(2, size.x - 3), rng.within(2, size.y - 2));
    of(size, |at| !(at.x >= size.x - cut.x && at.y < cut.y))
}

/// Two rectangles, one across the other.
fn cross(rng: &mut SeededRng, size: IVec2) -> Shape {
    let inset = IVec2::new(
        rng.within(2, (size.x / 3).max(2)),
        rng.within(1, (size.y / 3).max(1)),
    );
    of(size, |at| {
        let within = |low: i32, at: i32, size: i32| (low..size - low).contains(&at);
        within(inset.x, at.x, size.x) || within(inset.y, at.y, size.y)
    })
}

/// An ellipse.
fn round(size: IVec2) -> Shape {
    of(size, |at| {
        let from_middle = 2 * at - size + IVec2::ONE;
        let (x, y) = (from_middle.x * size.y, from_middle.y * size.x);
        x * x + y * y <= size.x * size.y * size.x * size.y
    })
}

/// A rectangle with rows of pillars, `apart` cells from each other.
pub(super) fn colonnade(size: IVec2, apart: i32) -> Shape {
    // Center the pillars between the walls.
    let first = |size: i32| 1 + (size - 3).rem_euclid(apart) / 2;
    let (left, top) = (first(size.x), first(size.y));
    let mut shape = block(size);
    for at in shape.cells() {
        let column = at.x >= left && (at.x - left) % apart == 0 && at.x < size.x - 1;
        let row = at.y >= top && (at.y - top) % apart == 0 && at.y < size.y - 1;
        if column && row {
            shape[at] = Tile::Pillar;
        }
    }
    shape
}

/// A hall with a row of pillars along each of its long sides.
pub(super) fn nave(size: IVec2, apart: i32) -> Shape {
    let mut shape = block(size);
    let first = 1 + (size.x - 3).rem_euclid(apart) / 2;
    for at in shape.cells() {
        let row = at.y == 2 || at.y == size.y - 3;
        if row && at.x >= first && (at.x - first) % apart == 0 && at.x < size.x - 1 {
            shape[at] = Tile::Pillar;
        }
    }
    shape
}

/// A rectangle with short walls along its long sides, which form stalls.
fn stalls(size: IVec2) -> Shape {
    let mut shape = block(size);
    for at in shape.cells() {
        if at.x % 3 == 2 && at.x < size.x - 1 && (at.y == 0 || at.y == size.y - 1) {
            shape[at] = Tile::Wall;
        }
    }
    shape
}

/// A walk around a solid block.
pub(super) fn cloister(size: IVec2, breadth: i32) -> Shape {
    of(size, |at| {
        let inner = |at: i32, size: i32| (breadth..size - breadth).contains(&at);
        !(inner(at.x, size.x) && inner(at.y, size.y))
    })
}

/// The shape with a random orientation: mirrored, rotated, or both.
pub(super) fn turned(rng: &mut SeededRng, shape: &Shape) -> Shape {
    let turn = Turn::draw(rng, true);
    apply(turn, shape)
}

/// The shape, randomly mirrored. Its long side stays the same.
pub(super) fn mirrored(rng: &mut SeededRng, shape: &Shape) -> Shape {
    let turn = Turn::draw(rng, false);
    apply(turn, shape)
}

/// One of the eight orientations of a grid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    swap: bool,
    flip: (bool, bool),
}

impl Turn {
    /// A random orientation. Rows only become columns if `swap` is set.
    pub(super) fn draw(rng: &mut SeededRng, swap: bool) -> Self {
        Self {
            swap: rng.percent(50) && swap,
            flip: (rng.percent(50), rng.percent(50)),
        }
    }

    /// The new position of a cell in a grid of this size.
    pub(super) fn place(self, at: IVec2, size: IVec2) -> IVec2 {
        let last = size - IVec2::ONE;
        let x = if self.flip.0 { last.x - at.x } else { at.x };
        let y = if self.flip.1 { last.y - at.y } else { at.y };
        if self.swap {
            IVec2::new(y, x)
        } else {
            IVec2::new(x, y)
        }
    }
}

/// Applies an orientation to a shape.
pub(super) fn apply(turn: Turn, shape: &Shape) -> Shape {
    let size = IVec2::new(shape.width(), shape.height());
    let (width, height) = if turn.swap {
        (size.y, size.x)
    } else {
        (size.x, size.y)
    };
    let mut turned = Plane::new(width, height, Tile::Rock);
    for (at, &tile) in shape.iter() {
        turned[turn.place(at, size)] = tile;
    }
    turned
}

/// The cells of a rectangle for which `belongs` returns `true`.
pub(super) fn of(size: IVec2, mut belongs: impl FnMut(IVec2) -> bool) -> Shape {
    let mut shape = block(size);
    for at in shape.cells() {
        if !belongs(at) {
            shape[at] = Tile::Rock;
        }
    }
    shape
}
