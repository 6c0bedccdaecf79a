//! Outlines for figures and items in the dark: thin pale lines along the edges of a sprite.
//!
//! A pixel is part of a line
//! - if it is at the border of the sprite, next to an empty pixel; or
//! - if it is much brighter than a neighbor, which makes it the lit side of an edge.
//!
//! Areas of nearly even brightness leave no lines.

use super::{
    canvas::{Canvas, SIDE},
    palette::{COLD, luma},
};

/// The minimum luma difference of an edge. Folds are below it.
const STEP: u8 = 64;

/// The opacity of lines.
const OPACITY: u8 = 200;

/// Draws the outline of a sprite.
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

/// The largest luma difference of a pixel to its neighbors. 255 next to an empty pixel.
fn step(picture: &Canvas, x: i32, y: i32) -> u8 {
    if !picture.is_drawn(x, y) {
        return 0;
    }
    let bright = brightness(picture, x, y);
    let offsets = [(1, 0), (0, 1), (-1, 0), (0, -1)];
    let steps = offsets.into_iter().map(|(dx, dy)| {
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
