//! The data of the grid that a region needs.

use crate::{
    channel::{Channel, limit},
    medium::{Leaks, Medium},
    plane::Plane,
    source::SourceConstraint,
};

/// The properties and the previous light of cells, in one color.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) medium: &'a Medium,
    pub(super) channel: &'a Channel,
}

impl<'a> Ground<'a> {
    pub(super) fn light(&self) -> &'a Plane {
        self.channel.light()
    }

    pub(super) fn transparency(&self) -> &'a Plane {
        self.medium.transparency()
    }

    pub(super) fn gain(&self) -> &'a Plane {
        self.medium.gain()
    }

    pub(super) fn floor(&self, x: usize, y: usize) -> f32 {
        self.channel.floor(x, y)
    }

    /// The constraint of sources on a cell, if there is one.
    pub(super) fn constraint(&self, x: usize, y: usize) -> Option<SourceConstraint> {
        self.channel.constraint(x, y)
    }

    /// For each corner 1, or 0 if the diagonal step is left out.
    pub(super) fn corners(&self, x: usize, y: usize) -> [f32; 4] {
        let leaks: Leaks = self.medium.leaks().get(x, y).unwrap_or(0);
        core::array::from_fn(|bit| f32::from(1 - (leaks >> bit & 1)))
    }

    /// The light that the neighbors, the sources and the ambient light demand of a cell.
    pub(super) fn wanted(&self, (x, y): (usize, usize), ceiling: f32) -> f32 {
        let average = self.medium.average(self.light(), x, y);
        let wanted = limit(average, self.floor(x, y), ceiling);
        let constraint = self.constraint(x, y);
        constraint.map_or(wanted, |constraint| constraint.apply(wanted))
    }
}
