//! Access to heights row by row, for maps in memory or in files.
//!
//! Problem: a map in one or many files may be larger than memory, but many measurements, such as the mean height, need
//! only one row at a time.
//!
//! Idea: a map is anything that can provide a row. Measurements may read the rows several times, in any order and on
//! several cores.

use crate::{Heightmap, MapSize};

/// A map that can be read row by row.
///
/// A row must have the same heights each time. If another program changes a file meanwhile, measurements of it have no
/// meaning, but they do not panic.
pub trait HeightRows: Sync {
    /// The width and height in cells, of a map or of a [world](MapSize::of_world).
    fn size(&self) -> MapSize;

    /// Calls `look` with row `y`: as many heights as the map is wide, all finite.
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

/// The result of `measure` for a row.
pub(super) fn of_row<T: Default>(
    map: &(impl HeightRows + ?Sized),
    y: usize,
    measure: impl Fn(&[f32]) -> T,
) -> T {
    let mut found = T::default();
    map.show(y, &mut |row| found = measure(row));
    found
}
