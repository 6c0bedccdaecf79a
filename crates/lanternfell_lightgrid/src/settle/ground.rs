//! What the region asks of the grid: all colors of a cell at once.

use glam::Vec4;

use super::medium_of;
use crate::{
    channel::Channel,
    medium::{Leaks, Medium},
    source::SourceConstraint,
};

/// The cells and the light as they were before.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) media: &'a [Medium],
    pub(super) channels: &'a [Channel],
}

impl Ground<'_> {
    /// The index of a cell in planes.
    pub(super) fn index(&self, x: usize, y: usize) -> usize {
        self.channels[0].light().index(x, y)
    }

    /// What cells do with the light of a color.
    pub(super) fn medium(&self, color: usize) -> &Medium {
        medium_of(self.media, color)
    }

    pub(super) fn light(&self, index: usize) -> Vec4 {
        self.colors(|color, _| self.channels[color].light().values()[index])
    }

    pub(super) fn transparency(&self, index: usize) -> Vec4 {
        self.colors(|_, medium| medium.transparency().values()[index])
    }

    pub(super) fn gain(&self, index: usize) -> Vec4 {
        self.colors(|_, medium| medium.gain().values()[index])
    }

    pub(super) fn floor(&self, x: usize, y: usize) -> Vec4 {
        self.colors(|color, _| self.channels[color].floor(x, y))
    }

    /// What sources ask of a cell in each color, if they ask for anything.
    pub(super) fn constraints(&self, x: usize, y: usize) -> [Option<SourceConstraint>; 3] {
        let constraint = |color: usize| self.channels.get(color)?.constraint(x, y);
        core::array::from_fn(constraint)
    }

    /// For each corner 1, and 0 in the colors in which the step is left out.
    pub(super) fn corners(&self, x: usize, y: usize) -> [Vec4; 4] {
        let leaks = self.colors_of(|_, medium| Some(medium.leaks().get(x, y).unwrap_or(0)));
        core::array::from_fn(|bit| {
            let weight = |leaks: Leaks| f32::from(1 - (leaks >> bit & 1));
            let [red, green, blue] = leaks.map(|leaks| leaks.map_or(0.0, weight));
            Vec4::new(red, green, blue, 0.0)
        })
    }

    fn colors(&self, of: impl Fn(usize, &Medium) -> f32) -> Vec4 {
        let [red, green, blue] = self.colors_of(of);
        Vec4::new(red, green, blue, 0.0)
    }

    fn colors_of<T: Default>(&self, of: impl Fn(usize, &Medium) -> T) -> [T; 3] {
        core::array::from_fn(|color| {
            if color < self.channels.len() {
                of(color, self.medium(color))
            } else {
                T::default()
            }
        })
    }
}

/// Whether a cell, by its index, passes light of any color on.
pub(super) fn is_open(media: &[Medium], index: usize) -> bool {
    let transparency = |medium: &Medium| medium.transparency().values()[index];
    media.iter().any(|medium| transparency(medium) > 0.0)
}
