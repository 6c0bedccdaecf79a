//! A cathedral: nave and aisles with pillars, a transept, chapels behind stained glass, and an apse with incense.

use bevy::prelude::*;

use crate::drawing::{Drawing, Hue, Material};

/// Row of the axis of the nave. The plan is symmetric about it.
const AXIS: i32 = 27;

pub fn draw() -> Drawing {
    let mut drawing = Drawing::solid(Drawing::SIZE);
    body(&mut drawing);
    pillars(&mut drawing);
    chapels(&mut drawing);
    apse(&mut drawing);
    drawing
}

/// Fills a rectangle and its mirror image. Rows are relative to the axis.
fn mirrored(
    drawing: &mut Drawing,
    (x, y): (i32, i32),
    (to_x, to_y): (i32, i32),
    material: Material,
) {
    drawing.carve(
        IVec2::new(x, AXIS + y),
        IVec2::new(to_x, AXIS + to_y),
        material,
    );
    drawing.carve(
        IVec2::new(x, AXIS - to_y),
        IVec2::new(to_x, AXIS - y),
        material,
    );
}

/// Porch, nave with aisles, and transept.
fn body(drawing: &mut Drawing) {
    mirrored(drawing, (2, 0), (7, 3), Material::Floor);
    mirrored(drawing, (8, 0), (8, 1), Material::Floor);
    mirrored(drawing, (9, 0), (72, 12), Material::Floor);
    mirrored(drawing, (54, 0), (63, 22), Material::Floor);
}

/// The pillars between nave and aisles.
fn pillars(drawing: &mut Drawing) {
    for x in (13..72).step_by(6).filter(|x| !(53..64).contains(x)) {
        mirrored(drawing, (x, 6), (x + 1, 7), Material::Wall);
    }
    // The mirrors at the crossing.
    for x in [53, 64] {
        mirrored(drawing, (x, 6), (x, 8), Material::Mirror);
    }
}

/// A row of chapels along each aisle, each lit behind a stained-glass window.
fn chapels(drawing: &mut Drawing) {
    let hues = [Hue::Red, Hue::Amber, Hue::Green, Hue::Blue, Hue::Violet];
    for (n, x) in (12..52).step_by(8).enumerate() {
        mirrored(drawing, (x, 14), (x + 5, 19), Material::Floor);
        mirrored(drawing, (x + 1, 13), (x + 4, 13), Material::Glass(hues[n]));
        for y in [17, -17] {
            drawing.hang_lamp(IVec2::new(x + 2, AXIS + y), Hue::White);
        }
    }
    // The windows at the ends of the transept.
    mirrored(drawing, (56, 23), (61, 23), Material::Glass(Hue::Blue));
    mirrored(drawing, (56, 24), (61, 25), Material::Floor);
    for y in [25, -25] {
        drawing.hang_lamp(IVec2::new(58, AXIS + y), Hue::White);
    }
}

/// The round eastern end, with the altar and incense.
fn apse(drawing: &mut Drawing) {
    for y in -12_i32..=12 {
        for x in 0_i32..=14 {
            if x * x + y * y <= 12 * 12 + 6 {
                drawing.set(IVec2::new(72 + x, AXIS + y), Material::Floor);
            }
        }
    }
    for y in -4_i32..=4 {
        for x in -4_i32..=4 {
            if x * x + y * y <= 18 {
                drawing.set(IVec2::new(77 + x, AXIS + y), Material::Smoke);
            }
        }
    }
    drawing.hang_lamp(IVec2::new(79, AXIS - 3), Hue::Amber);
    drawing.hang_lamp(IVec2::new(79, AXIS + 3), Hue::Amber);
    drawing.carve(
        IVec2::new(80, AXIS - 1),
        IVec2::new(80, AXIS + 1),
        Material::Black,
    );
}
