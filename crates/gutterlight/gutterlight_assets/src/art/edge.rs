//! Edges of grounds: the border of a carpet and the shore of water. They are drawn over the last
//! cell of that ground.

use gutterlight_rules::Direction;

use super::{
    canvas::{Canvas, SIDE, chance},
    mask::Mask,
    palette::{BLUE, COLD, FLAME, Ink, WOOD},
};

/// The edge of a ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Edge {
    /// The golden border of a carpet.
    Carpet(Mask),
    /// The shore of water: stone in the north, foam elsewhere.
    Shore(Mask),
}

impl Edge {
    /// All edges.
    pub fn all() -> impl Iterator<Item = Self> {
        let edges = || Mask::all().filter(|mask| !mask.is_closed());
        edges().map(Self::Carpet).chain(edges().map(Self::Shore))
    }

    /// Draws the edge.
    pub fn draw(self) -> Canvas {
        let mut canvas = Canvas::EMPTY;
        match self {
            Self::Carpet(mask) => canvas.paint(|x, y| border(inwards(mask, x, y))),
            Self::Shore(mask) => canvas.paint(|x, y| shore(mask, x, y)),
        }
        canvas
    }
}

/// The distance of a pixel from the nearest open side or corner.
fn inwards(mask: Mask, x: i32, y: i32) -> i32 {
    let away = |way: Direction| {
        let step = way.step();
        let along = |step: i32, at: i32| match step {
            ..0 => at,
            0 => 0,
            _ => SIDE - 1 - at,
        };
        along(step.x, x).max(along(step.y, y))
    };
    let open = Direction::ALL.into_iter().filter(|way| mask.is_open(*way));
    open.map(away).min().unwrap_or(SIDE)
}

fn border(inwards: i32) -> Option<Ink> {
    match inwards {
        0 | 2 => Some(WOOD[0]),
        1 => Some(FLAME[2]),
        _ => None,
    }
}

fn shore(mask: Mask, x: i32, y: i32) -> Option<Ink> {
    let bank = if mask.is_open(Direction::North) {
        y
    } else {
        SIDE
    };
    match (bank, inwards(mask, x, y)) {
        (0, _) => Some(COLD[3]),
        (1 | 2, _) => Some(COLD[1]),
        (3, _) if chance(x / 2, 0, 180, 70) => Some(BLUE[3]),
        (_, 0) => Some(COLD[2]),
        (_, 1) => chance(x / 2, y / 2, 181, 65).then_some(BLUE[3]),
        _ => None,
    }
}
