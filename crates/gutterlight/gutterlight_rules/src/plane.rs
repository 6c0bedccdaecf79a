//! A grid with one value for each cell of a floor.

use core::ops::{Index, IndexMut};

use glam::IVec2;
use serde::{Deserialize, Serialize};

/// A grid with one value for each cell, row by row from north to south. Each row is ordered from
/// west to east.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Saved<T>")]
pub struct Plane<T> {
    width: i32,
    cells: Vec<T>,
}

/// The serialized form, which may be invalid.
#[derive(Deserialize)]
struct Saved<T> {
    width: i32,
    cells: Vec<T>,
}

impl<T> TryFrom<Saved<T>> for Plane<T> {
    type Error = &'static str;

    fn try_from(saved: Saved<T>) -> Result<Self, Self::Error> {
        let whole = saved.width > 0 && saved.cells.len().is_multiple_of(saved.width as usize);
        if !whole || saved.cells.is_empty() {
            return Err("a plane must have rows of equal length, and at least one cell");
        }
        Ok(Self {
            width: saved.width,
            cells: saved.cells,
        })
    }
}

impl<T: Clone> Plane<T> {
    /// A grid of `width` x `height` cells with the same value. Sides below 1 count as 1.
    pub fn new(width: i32, height: i32, value: T) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        Self {
            width,
            cells: vec![value; (width * height) as usize],
        }
    }

    /// Sets all cells to a value.
    pub fn fill(&mut self, value: T) {
        self.cells.fill(value);
    }
}

impl<T> Plane<T> {
    /// The number of cells from west to east.
    pub fn width(&self) -> i32 {
        self.width
    }

    /// The number of cells from north to south.
    pub fn height(&self) -> i32 {
        self.cells.len() as i32 / self.width
    }

    /// Whether a cell is inside the grid.
    #[inline]
    pub fn contains(&self, at: IVec2) -> bool {
        at.x >= 0 && at.x < self.width && at.y >= 0 && at.y < self.height()
    }

    /// The index of a cell in [`values`](Self::values). `None` outside of the grid.
    #[inline]
    pub fn place(&self, at: IVec2) -> Option<usize> {
        (at.x >= 0 && at.x < self.width && at.y >= 0)
            .then(|| at.y as usize * self.width as usize + at.x as usize)
            .filter(|&place| place < self.cells.len())
    }

    /// The value of a cell. `None` outside of the grid.
    #[inline]
    pub fn get(&self, at: IVec2) -> Option<&T> {
        self.place(at).map(|place| &self.cells[place])
    }

    /// The value of a cell. `None` outside of the grid.
    #[inline]
    pub fn get_mut(&mut self, at: IVec2) -> Option<&mut T> {
        self.place(at).map(|place| &mut self.cells[place])
    }

    /// All values, row by row.
    pub fn values(&self) -> &[T] {
        &self.cells
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = IVec2> + use<T> {
        let width = self.width;
        (0..self.cells.len() as i32).map(move |place| IVec2::new(place % width, place / width))
    }

    /// All cells with their values, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (IVec2, &T)> {
        self.cells().zip(&self.cells)
    }
}

impl<T> Index<IVec2> for Plane<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: IVec2) -> &T {
        let place = self.place(at).expect("the cell is inside the plane");
        &self.cells[place]
    }
}

impl<T> IndexMut<IVec2> for Plane<T> {
    #[inline]
    fn index_mut(&mut self, at: IVec2) -> &mut T {
        let place = self.place(at).expect("the cell is inside the plane");
        &mut self.cells[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_indices_agree() {
        let mut plane = Plane::new(3, 2, 0);
        for (n, at) in plane.cells().enumerate() {
            assert_eq!(plane.place(at), Some(n), "{at}");
        }
        plane[IVec2::new(2, 1)] = 7;
        assert_eq!(plane.values(), [0, 0, 0, 0, 0, 7]);
        for outside in [(-1, 0), (3, 0), (0, -1), (0, 2), (i32::MAX, i32::MAX)] {
            assert_eq!(plane.get(outside.into()), None, "{outside:?}");
            assert!(!plane.contains(outside.into()), "{outside:?}");
        }
    }

    #[test]
    fn rejects_incomplete_rows() {
        for (width, cells) in [
            (0, vec![]),
            (0, vec![1]),
            (-2, vec![1, 2]),
            (2, vec![1, 2, 3]),
        ] {
            assert!(
                Plane::try_from(Saved { width, cells }).is_err(),
                "{width} wide"
            );
        }
    }
}
