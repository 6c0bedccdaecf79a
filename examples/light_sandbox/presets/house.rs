//! A small house that shows how light behaves: shadows of pillars, light through doors and around corners, stained
//! glass, smoke, and lamps whose colors mix.

use bevy::prelude::*;

use crate::drawing::{Drawing, Hue, Material};

const SIZE: UVec2 = UVec2::new(48, 27);

pub fn draw() -> Drawing {
    let mut drawing = Drawing::solid(SIZE);
    rooms(&mut drawing);
    pillars(&mut drawing);
    windows(&mut drawing);
    fill(&mut drawing, (21, 2), (26, 4), Material::Smoke);
    for ((x, y), hue) in [
        ((22, 3), Hue::White),
        ((12, 22), Hue::Red),
        ((24, 23), Hue::Green),
        ((36, 22), Hue::Blue),
    ] {
        drawing.hang_lamp(IVec2::new(x, y), hue);
    }
    drawing
}

fn fill(drawing: &mut Drawing, (x, y): (i32, i32), (to_x, to_y): (i32, i32), material: Material) {
    drawing.carve(IVec2::new(x, y), IVec2::new(to_x, to_y), material);
}

fn rooms(drawing: &mut Drawing) {
    let floors = [
        // The hall, with the torch in its center. Corridors lead from its doors around corners.
        ((16, 8), (31, 17)),
        ((10, 12), (15, 12)),
        ((10, 6), (10, 11)),
        ((3, 2), (12, 5)),
        ((4, 15), (11, 17)),
        ((10, 13), (10, 14)),
        // The smoking room, the room behind the windows, and the gallery with three lamps.
        ((18, 2), (29, 4)),
        ((24, 5), (24, 7)),
        ((33, 6), (44, 17)),
        ((6, 21), (42, 24)),
        ((20, 18), (20, 20)),
    ];
    for (first, last) in floors {
        fill(drawing, first, last, Material::Floor);
    }
}

fn pillars(drawing: &mut Drawing) {
    for (x, y) in [(19, 10), (28, 10), (19, 15), (28, 15)] {
        fill(drawing, (x, y), (x, y), Material::Wall);
    }
}

/// Three stained-glass windows.
fn windows(drawing: &mut Drawing) {
    for (y, hue) in [(9, Hue::Amber), (12, Hue::Red), (15, Hue::Green)] {
        fill(drawing, (32, y), (32, y + 1), Material::Glass(hue));
    }
}
