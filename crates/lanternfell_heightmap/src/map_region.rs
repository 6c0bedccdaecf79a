//! A rectangle of cells of a larger map.
//!
//! Problem: a world can be too large for the memory, or take too long on one machine.
//!
//! Idea: generate only a region of the map. Fault lines and hills have exact coordinates in 1/256 of a cell, so a
//! region of a map is the map of the same lines and hills, shifted. Simplex noise is a function of the position anyway.
//! Only the lowest and highest height of the whole map are not known from a region. They are measured once, row by row,
//! in the memory of a few rows.
//!
//! ```text
//!   world  +--------------------+      a region, and the hills that reach into it
//!          |      .-.           |          +------+
//!          |   +-(---)+         |          | (    )
//!          |   |  '-' |   .-.   |   ->     |  '-' |
//!          |   +------+  (   )  |          +------+
//!          +--------------------+
//! ```

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::MapSize;

/// A rectangle of cells of a larger map, the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MapRegion {
    x: u32,
    y: u32,
    size: MapSize,
}

impl MapRegion {
    /// The rectangle of this size whose north-west cell is `(x, y)`, or `None` if it is not within the world.
    pub fn new(x: usize, y: usize, size: MapSize, world: MapSize) -> Option<Self> {
        let fits = |at: usize, length: usize, world: usize| {
            at.checked_add(length).is_some_and(|end| end <= world)
        };
        let inside = fits(x, size.width(), world.width()) && fits(y, size.height(), world.height());
        inside.then_some(Self {
            x: x as u32,
            y: y as u32,
            size,
        })
    }

    /// The whole world.
    pub fn whole(world: MapSize) -> Self {
        let (x, y) = (0, 0);
        Self { x, y, size: world }
    }

    /// The column of its westernmost cells in the world.
    pub fn x(self) -> usize {
        self.x as usize
    }

    /// The row of its northernmost cells in the world.
    pub fn y(self) -> usize {
        self.y as usize
    }

    /// The width and height in cells.
    pub fn size(self) -> MapSize {
        self.size
    }

    /// Its columns in the world.
    pub fn columns(self) -> Range<usize> {
        self.x()..self.x() + self.size.width()
    }

    /// Its rows in the world.
    pub fn rows(self) -> Range<usize> {
        self.y()..self.y() + self.size.height()
    }

    /// This rectangle extended by `reach` cells on each side, clipped to the world.
    #[must_use]
    pub fn grown(self, reach: usize, world: MapSize) -> Self {
        let grow = |at: usize, length: usize, world: usize| {
            let start = at.saturating_sub(reach);
            let end = at.saturating_add(length).saturating_add(reach).min(world);
            (start, end - start)
        };
        let (x, width) = grow(self.x(), self.size.width(), world.width());
        let (y, height) = grow(self.y(), self.size.height(), world.height());
        let size = MapSize::of_world(width as u64, height as u64);
        Self {
            x: x as u32,
            y: y as u32,
            size: size.expect("the size is between that of the region and the world"),
        }
    }

    /// The smallest rectangle around this one whose sides are at multiples of `step` or at the border of the world. It
    /// has at least two cells along each axis.
    pub(crate) fn aligned(self, step: usize, world: MapSize) -> Self {
        let align = |at: usize, length: usize, world: usize| {
            let start = at - at % step;
            let end = (at + length).next_multiple_of(step).min(world);
            // A map has at least two cells along each axis.
            let start = if end - start < 2 { start - step } else { start };
            (start, end - start)
        };
        let (x, width) = align(self.x(), self.size.width(), world.width());
        let (y, height) = align(self.y(), self.size.height(), world.height());
        let size = MapSize::of_world(width as u64, height as u64);
        Self {
            x: x as u32,
            y: y as u32,
            size: size.expect("the size is between that of the region and the world"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(width: u64, height: u64) -> MapSize {
        MapSize::new(width, height).unwrap()
    }

    #[test]
    fn new_rejects_regions_outside_the_world() {
        let world = size(10, 7);
        assert!(MapRegion::new(8, 5, size(2, 2), world).is_some());
        assert!(MapRegion::new(9, 5, size(2, 2), world).is_none());
        assert!(MapRegion::new(8, 6, size(2, 2), world).is_none());
        assert!(MapRegion::new(usize::MAX, 0, size(2, 2), world).is_none());
        assert_eq!(
            MapRegion::new(0, 0, world, world),
            Some(MapRegion::whole(world))
        );
    }

    #[test]
    fn grown_is_clipped_to_the_world() {
        let world = size(10, 7);
        let region = MapRegion::new(3, 1, size(4, 4), world).unwrap();
        let grown = region.grown(2, world);
        assert_eq!((grown.x(), grown.y(), grown.size()), (1, 0, size(8, 7)));
        assert_eq!(region.grown(0, world), region);
        assert_eq!(region.grown(usize::MAX, world), MapRegion::whole(world));
    }

    #[test]
    fn grown_may_exceed_the_largest_map() {
        let world = MapSize::of_world(40_000, 64).unwrap();
        let region = MapRegion::new(16_384, 0, size(16_384, 64), world).unwrap();
        let with = |columns| MapSize::of_world(columns, 64).unwrap();
        assert_eq!(region.grown(13, world).size(), with(16_384 + 26));
        assert_eq!(region.aligned(1000, world).size(), with(17_000));
    }
}
