//! Heights that are looked at row by row, wherever they are kept.
//!
//! Problem: a map in a file, or in a thousand of them, may be larger than the memory; yet what is to be
//! known of it, as how high it is on average, needs no more than a row at a time.
//!
//! Idea: a map is whatever can show a row. What is measured so may look at the rows several times, in
//! any order and on several cores.

use crate::{Heightmap, MapSize};

/// A map of which one row at a time is seen.
pub trait HeightRows: Sync {
    /// The width and height in cells: a map's, or a [world's](MapSize::of_world).
    fn size(&self) -> MapSize;

    /// Shows row `y`: as many heights as the map is wide, all finite.
    fn show(&self, y: usize, look: &mut dyn FnMut(&[f32]));
}

impl HeightRows for Heightmap {
    fn size(&self) -> MapSize {
        self.size()
    }

    fn show(&self, y: usize, look: &mut dyn FnMut(&[f32])) {
        look(self.row(y));
    }
}

/// What `measure` says of a row.
pub(super) fn of_row<T: Default>(
    map: &(impl HeightRows + ?Sized),
    y: usize,
    measure: impl Fn(&[f32]) -> T,
) -> T {
    let mut found = T::default();
    map.show(y, &mut |row| found = measure(row));
    found
}
