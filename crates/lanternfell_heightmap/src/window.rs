//! A part of a larger map, to be made alone.
//!
//! Problem: a world larger than the memory, or than one machine's patience.
//!
//! Idea: lines and hills are exact in whole 1/256 of a cell, so a window of a map is the map
//! of the same lines and hills, moved. Simplex noise is a function of the place anyhow. What a
//! window can not know alone is how low and high the whole map gets: that is measured once, row
//! by row, in the memory of a few rows.
//!
//! ```text
//!   world  +--------------------+      a window, and the hills that reach it
//!          |      .-.           |          +------+
//!          |   +-(---)+         |          | (    )
//!          |   |  '-' |   .-.   |   ->     |  '-' |
//!          |   +------+  (   )  |          +------+
//!          +--------------------+
//! ```

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::MapSize;

/// A rectangle of a larger map's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Window {
    x: u32,
    y: u32,
    size: MapSize,
}

impl Window {
    /// The rectangle of this size whose north-west cell is `(x, y)`; `None` if it does not lie
    /// in the world.
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

    /// The column of the world that its westernmost cells lie in.
    pub fn x(self) -> usize {
        self.x as usize
    }

    /// The row of the world that its northernmost cells lie in.
    pub fn y(self) -> usize {
        self.y as usize
    }

    /// Its width and height.
    pub fn size(self) -> MapSize {
        self.size
    }

    /// The columns of the world that it has.
    pub fn columns(self) -> Range<usize> {
        self.x()..self.x() + self.size.width()
    }

    /// The rows of the world that it has.
    pub fn rows(self) -> Range<usize> {
        self.y()..self.y() + self.size.height()
    }

    /// The same rectangle with `reach` cells more on each side, as far as there is a world.
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
            size: size.expect("no smaller than the window, no larger than the world"),
        }
    }

    /// The smallest rectangle around this one that begins and ends at whole multiples of `step`, or
    /// with the world.
    pub(crate) fn aligned(self, step: usize, world: MapSize) -> Self {
        let align = |at: usize, length: usize, world: usize| {
            let start = at - at % step;
            let end = (at + length).next_multiple_of(step).min(world);
            // A map has two cells at least.
            let start = if end - start < 2 { start - step } else { start };
            (start, end - start)
        };
        let (x, width) = align(self.x(), self.size.width(), world.width());
        let (y, height) = align(self.y(), self.size.height(), world.height());
        let size = MapSize::of_world(width as u64, height as u64);
        Self {
            x: x as u32,
            y: y as u32,
            size: size.expect("no smaller than the window, no larger than the world"),
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
    fn windows_lie_in_their_world() {
        let world = size(10, 7);
        assert!(Window::new(8, 5, size(2, 2), world).is_some());
        assert!(Window::new(9, 5, size(2, 2), world).is_none());
        assert!(Window::new(8, 6, size(2, 2), world).is_none());
        assert!(Window::new(usize::MAX, 0, size(2, 2), world).is_none());
        assert_eq!(Window::new(0, 0, world, world), Some(Window::whole(world)));
    }

    #[test]
    fn a_window_grows_no_further_than_its_world() {
        let world = size(10, 7);
        let window = Window::new(3, 1, size(4, 4), world).unwrap();
        let grown = window.grown(2, world);
        assert_eq!((grown.x(), grown.y(), grown.size()), (1, 0, size(8, 7)));
        assert_eq!(window.grown(0, world), window);
        assert_eq!(window.grown(usize::MAX, world), Window::whole(world));
    }

    #[test]
    fn the_rim_of_the_largest_map_is_a_window_of_a_world() {
        let world = MapSize::of_world(40_000, 64).unwrap();
        let window = Window::new(16_384, 0, size(16_384, 64), world).unwrap();
        let with = |columns| MapSize::of_world(columns, 64).unwrap();
        assert_eq!(window.grown(13, world).size(), with(16_384 + 26));
        assert_eq!(window.aligned(1000, world).size(), with(17_000));
    }
}
