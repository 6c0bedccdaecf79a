//! Pillars and stairs in the style of each theme. They are drawn over the ground.

use gutterlight_rules::Theme;

use super::{
    THEMES,
    canvas::{Canvas, SIDE},
    palette::{INK, Ink},
    wall::ramp,
};

/// A pillar or stairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Landmark {
    /// A column.
    Pillar(Theme),
    /// Stairs up, rising to the right.
    StairsUp(Theme),
    /// Stairs down, in a shaft.
    StairsDown(Theme),
}

impl Landmark {
    /// All landmarks.
    pub fn all() -> impl Iterator<Item = Self> {
        let kinds = [Self::Pillar, Self::StairsUp, Self::StairsDown];
        kinds.into_iter().flat_map(|kind| THEMES.map(kind))
    }

    /// Draws the landmark.
    pub fn draw(self) -> Canvas {
        let mut canvas = Canvas::EMPTY;
        match self {
            Self::Pillar(theme) => canvas.paint(|x, y| pillar(ramp(theme), x, y)),
            Self::StairsUp(theme) => canvas.paint(|x, y| Some(stairs_up(ramp(theme), x, y))),
            Self::StairsDown(theme) => canvas.paint(|x, y| Some(stairs_down(ramp(theme), x, y))),
        }
        canvas
    }
}

/// A round capital seen from above, a shaft lit from the left, and a base.
fn pillar(ramp: [Ink; 5], x: i32, y: i32) -> Option<Ink> {
    let from_middle = (2 * x - SIDE + 1).abs();
    let wide = match y {
        0 | 15 => 7,
        1 | 5 | 13 | 14 => 11,
        2..=4 => 13,
        _ => 9,
    };
    if from_middle > wide {
        return None;
    }
    Some(match y {
        _ if from_middle == wide => INK,
        0 | 5 | 15 => INK,
        1 | 4 | 13 => ramp[4],
        2 | 3 => ramp[2],
        6..=12 => match x {
            5 | 6 => ramp[4],
            ..=8 => ramp[3],
            9 => ramp[2],
            _ => ramp[1],
        },
        _ => ramp[3],
    })
}

/// Four steps that rise to the right.
fn stairs_up(ramp: [Ink; 5], x: i32, y: i32) -> Ink {
    let tread = 12 - 4 * (x / 4);
    match y - tread {
        _ if y == 15 => ramp[0],
        ..0 => INK,
        0 => ramp[4],
        1 => ramp[3],
        _ if x % 4 == 0 => ramp[1],
        _ => ramp[2],
    }
}

/// A shaft with steps that get darker as they go down.
fn stairs_down(ramp: [Ink; 5], x: i32, y: i32) -> Ink {
    let step = (y - 1) / 3;
    let from_side = x.min(SIDE - 1 - x);
    let shades = [ramp[4], ramp[3], ramp[2], ramp[1], ramp[0]];
    let shade = step.clamp(0, 4) as usize;
    match (y, from_side) {
        (0 | 15, _) | (_, 0) => ramp[3],
        (_, 1) => INK,
        (_, 2) => shades[(shade + 2).min(4)],
        _ if (y - 1) % 3 == 2 => INK,
        _ => shades[shade],
    }
}
