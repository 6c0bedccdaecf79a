//! What determines the light of a cell: a source, ambient light, or its neighbors.

use glam::IVec2;

use super::{asked::AskedCells, walk::LEAST_LOST};
use crate::{
    channel::Channel,
    grid::LightGrid,
    medium::Medium,
    neighborhood::{CORNERS, Sides},
};

/// What determines the light of a cell in one color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// Not held: the light is the average of the neighbors, minus what a darkness takes.
    Free,
    /// Held by a source.
    Source,
    /// Held by the ambient light of its region.
    Ambient,
    /// Black regardless of its neighbors, or dependent only on itself.
    Black,
}

/// Determines for each cell what holds its light, in one color.
pub(super) struct Holds<'a> {
    grid: &'a LightGrid,
    asked: &'a AskedCells,
    color: usize,
    channel: &'a Channel,
    medium: &'a Medium,
    /// An upper bound on all light, if there is a darkness.
    most: Option<f32>,
}

impl<'a> Holds<'a> {
    pub(super) fn new(
        grid: &'a LightGrid,
        asked: &'a AskedCells,
        color: usize,
        most: Option<f32>,
    ) -> Self {
        Self {
            grid,
            asked,
            color,
            channel: &grid.channels[color],
            medium: &grid.media[color.min(grid.media.len() - 1)],
            most,
        }
    }

    /// The number of cells from west to east and from north to south.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.grid.width() as usize, self.grid.height() as usize)
    }

    pub(super) fn held(&self, x: usize, y: usize) -> Held {
        let place = y * self.size().0 + x;
        let region = self.grid.region(IVec2::new(x as i32, y as i32));
        let floor = self
            .grid
            .scene
            .in_color(self.grid.ambient(region), self.color);
        let light = |asked: Option<(usize, f32)>| asked.map_or(0.0, |(_, light)| light);
        let held = light(self.asked.held(place, self.color));
        let dark = light(self.asked.dark(place, self.color));
        let average = self.medium.average(self.channel.light(), x, y);
        // The order resolves ties as the grid does. Darkness is applied last and wins. A source
        // precedes ambient light of the same brightness, and both precede the average.
        if dark > 0.0 && average.max(floor).max(held) <= dark {
            Held::Black
        } else if held > 0.0 && held >= average && held >= floor {
            Held::Source
        } else if floor > 0.0 && floor >= average {
            Held::Ambient
        // A free cell that keeps nearly all of its own light. The walk would never leave it.
        } else if 1.0 - self.pull((x, y), (0, 0)) < LEAST_LOST {
            Held::Black
        } else {
            Held::Free
        }
    }

    /// An upper bound on each part of the light of a cell, in any color.
    pub(super) fn most(&self, x: usize, y: usize) -> f32 {
        let channels = self.grid.channels.iter();
        let lights = channels.map(|channel| channel.light().get(x, y));
        self.most.unwrap_or_else(|| lights.fold(0.0, f32::max))
    }

    /// Whether a cell passes light on.
    pub(super) fn is_open(&self, x: usize, y: usize) -> bool {
        self.medium.transparency().get(x, y) > 0.0
    }

    /// The weight of the cell one step away in the light of this cell. That cell must be in the
    /// grid.
    pub(super) fn pull(&self, (x, y): (usize, usize), (dx, dy): (isize, isize)) -> f64 {
        let (other_x, other_y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
        let passed = self.medium.transparency().get(other_x, other_y);
        let weight = self.weight((x, y), (dx, dy));
        f64::from(self.medium.gain().get(x, y)) * weight * f64::from(passed)
    }

    /// The weight of the cell one step away in the average of a cell, relative to a neighbor along
    /// an edge.
    fn weight(&self, (x, y): (usize, usize), (dx, dy): (isize, isize)) -> f64 {
        if dx == 0 || dy == 0 {
            return 1.0;
        }
        match self.medium.lattice().sides(y) {
            Sides::Both(_) if self.is_cut((x, y), (dx, dy)) => 0.0,
            Sides::Both(corner) => f64::from(corner),
            Sides::West => f64::from(u8::from(dx < 0)),
            Sides::East => f64::from(u8::from(dx > 0)),
        }
    }

    /// Whether the cell one step away is a neighbor of a cell in row `y`. Only six of the eight are
    /// neighbors of a hexagon.
    pub(super) fn is_around(&self, y: usize, (dx, dy): (isize, isize)) -> bool {
        match self.medium.lattice().sides(y) {
            Sides::Both(_) => true,
            Sides::West => dx <= 0 || dy == 0,
            Sides::East => dx >= 0 || dy == 0,
        }
    }

    /// Whether a diagonal step is left out of the average of a cell.
    fn is_cut(&self, (x, y): (usize, usize), step: (isize, isize)) -> bool {
        let leaks = self.medium.leaks().get(x, y).unwrap_or(0);
        let bit = CORNERS.iter().position(|&corner| corner == step);
        bit.is_some_and(|bit| leaks & (1 << bit) != 0)
    }
}
