//! Shutters on a wall, in front of a shaft to the sky.

use gutterlight_rules::Direction;

use super::canvas::{Bitmap, Canvas};

/// Draws a shutter on a side of its wall.
pub fn draw(open: bool, side: Direction) -> Canvas {
    let face = match open {
        true => Canvas::spelled(&OPEN),
        false => Canvas::spelled(&CLOSED),
    };
    let top = match open {
        true => Canvas::spelled(&OPEN_FROM_ABOVE),
        false => Canvas::spelled(&CLOSED_FROM_ABOVE),
    };
    match side {
        Direction::North => top,
        Direction::East => top.turned(),
        Direction::West => top.turned().mirrored(),
        _ => face,
    }
}

const CLOSED: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "................",
    "...kkkkkkkkkk...",
    "...kooookoook...",
    "...kmmmmkmmmk...",
    "...knnnnknnnk...",
    "...kmmmmkmmmk...",
    "...knnn4k4nnk...",
    "...kmmmmkmmmk...",
    "...knnnnknnnk...",
    "...kmmmmkmmmk...",
    "...kkkkkkkkkk...",
    "................",
];

const OPEN: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "................",
    ".kkkkkkkkkkkkkk.",
    ".kokwLLwwLLwkok.",
    ".kmkLwwLLwwLkmk.",
    ".knkLwwLLwwLknk.",
    ".kmk33333333kmk.",
    ".knkLwwLLwwLknk.",
    ".kmkLwwLLwwLkmk.",
    ".knklLLllLLlknk.",
    ".kmklLLllLLlkmk.",
    ".kkkkkkkkkkkkkk.",
    "................",
];

const CLOSED_FROM_ABOVE: Bitmap = [
    "..knnonnknonnk..",
    "..kmmmmmkmmmmk..",
    "...kkkkkkkkkk...",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
];

const OPEN_FROM_ABOVE: Bitmap = [
    "knokwLLwwLLwkonk",
    "kmmkLwwLLwwLkmmk",
    "kkkkLLLLLLLLkkkk",
    "...kllllllllk...",
    "....kkkkkkkk....",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
];
