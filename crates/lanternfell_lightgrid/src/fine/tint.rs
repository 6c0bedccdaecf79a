//! The colors that remain of a lamp's light behind glass and smoke.

use glam::{Vec2, Vec3};

use super::ground::FineGround;
use crate::area::Area;

/// The transparency of the cells around a lamp.
pub(super) struct Tint<'a> {
    ground: &'a FineGround,
    /// The position of the lamp in cells.
    lamp: Vec2,
}

impl<'a> Tint<'a> {
    /// For a lamp at a position in cells that lights an area of fine cells. `None` if all cells
    /// there pass on all light or none.
    pub(super) fn new(ground: &'a FineGround, area: Area, lamp: Vec2) -> Option<Self> {
        let is_clear = |cell| [Vec3::ONE, Vec3::ZERO].contains(&ground.passes(cell));
        let clear = ground.cells_around(area).cells().all(is_clear);
        (!clear).then_some(Self { ground, lamp })
    }

    /// The share of the light that remains at a position in cells.
    ///
    /// Each cell on the way reduces the light depending on the length of the ray in it, except for
    /// cells that pass on nothing. Lengths are measured along the axis in which the ray is longest,
    /// so a step from one cell to the next has length 1. The lamp's own cell does not count.
    pub(super) fn passed(&self, there: Vec2) -> Vec3 {
        let way = there - self.lamp;
        let length = way.abs().max_element();
        let mut cell = self.lamp.round().as_ivec2();
        let last = there.round().as_ivec2();
        let step = way.signum().as_ivec2();
        // The fractions of the way at which the ray enters the next column and the next row.
        let inverse = way.recip();
        let border = cell.as_vec2() + 0.5 * step.as_vec2();
        let mut next = (border - self.lamp) * inverse;
        let mut at = next.min_element();
        let mut left = Vec3::ONE;
        let steps = (last - cell).abs().element_sum();
        for _ in 0..steps {
            if next.x <= next.y {
                cell.x += step.x;
                next.x += inverse.x.abs();
            } else {
                cell.y += step.y;
                next.y += inverse.y.abs();
            }
            let until = next.min_element().min(1.0);
            let passes = self.ground.passes(cell);
            if ![Vec3::ONE, Vec3::ZERO].contains(&passes) {
                let share = ((until - at) * length).max(0.0);
                left *= passes.map(|passes| libm::powf(passes, share));
            }
            at = until;
        }
        left
    }
}
