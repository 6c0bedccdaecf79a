//! What is left of a lamp's colors behind glass and smoke.

use glam::{Vec2, Vec3};

use super::ground::FineGround;
use crate::area::Area;

/// What the cells around a lamp pass.
pub(super) struct Tint<'a> {
    ground: &'a FineGround,
    /// In cells.
    lamp: Vec2,
}

impl<'a> Tint<'a> {
    /// For a lamp at a place, in cells, that reaches an area of fine cells; none where all cells there pass all light or
    /// none.
    pub(super) fn new(ground: &'a FineGround, area: Area, lamp: Vec2) -> Option<Self> {
        let is_clear = |cell| [Vec3::ONE, Vec3::ZERO].contains(&ground.passes(cell));
        let clear = ground.cells_around(area).cells().all(is_clear);
        (!clear).then_some(Self { ground, lamp })
    }

    /// What is left at a place, in cells. The light loses in each cell, but for the lamp's own and those that pass
    /// nothing, by how long its way through it is: along the axis along which it goes furthest, so that a step from cell to
    /// cell counts as one.
    pub(super) fn passed(&self, there: Vec2) -> Vec3 {
        let way = there - self.lamp;
        let length = way.abs().max_element();
        let mut cell = self.lamp.round().as_ivec2();
        let last = there.round().as_ivec2();
        let step = way.signum().as_ivec2();
        // Where on the way, from 0 to 1, it comes to the next column and row.
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
