//! Whoever is not lit: thin pale lines where the picture's edges are, and nothing else.
//!
//! A pixel is on a line
//! - if it is the last one of what is drawn, beside an empty one; or
//! - if it is much brighter than one beside it: the lit side of an edge.
//!
//! What is nearly even leaves nothing.

use super::{
    canvas::{Canvas, SIDE},
    palette::{COLD, luma},
};

/// A step of luma of at least this is an edge: a lit sleeve against a shoulder, not a fold.
const STEP: u8 = 64;

/// How opaque lines are.
const OPACITY: u8 = 200;

/// The lines of a picture.
pub fn outline(picture: &Canvas) -> Canvas {
    let mut lines = Canvas::EMPTY;
    for y in 0..SIDE {
        for x in 0..SIDE {
            if step(picture, x, y) >= STEP {
                lines.veil(x, y, COLD[4], OPACITY);
            }
        }
    }
    lines
}

/// How far a pixel stands out from those beside it.
fn step(picture: &Canvas, x: i32, y: i32) -> u8 {
    if !picture.is_drawn(x, y) {
        return 0;
    }
    let bright = brightness(picture, x, y);
    let beside = [(1, 0), (0, 1), (-1, 0), (0, -1)];
    let steps = beside.into_iter().map(|(dx, dy)| {
        let (x, y) = (x + dx, y + dy);
        let inside = (0..SIDE).contains(&x) && (0..SIDE).contains(&y);
        match (inside, picture.is_drawn(x, y)) {
            (false, _) => 0,
            (true, false) => u8::MAX,
            (true, true) => bright.saturating_sub(brightness(picture, x, y)),
        }
    });
    steps.max().unwrap_or(0)
}

fn brightness(picture: &Canvas, x: i32, y: i32) -> u8 {
    let [red, green, blue, _] = picture.get(x, y);
    luma([red, green, blue])
}
