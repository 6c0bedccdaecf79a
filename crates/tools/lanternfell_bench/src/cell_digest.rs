//! A digest of a set of cells: two numbers that show whether two results are the same.

use lanternfell_lightgrid::IVec2;

use crate::map::Map;

/// A digest of one or more sets of cells: their number, and the sum of their row-by-row indices.
/// Sets with the same digest are almost certainly the same. A program in another language can print
/// the digest in one line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CellDigest {
    /// The number of cells.
    pub count: u64,
    /// The sum of `y * side + x`.
    pub sum: u64,
}

impl CellDigest {
    /// Adds those of the cells that are on the map. Each cell must be given only once.
    pub fn add(&mut self, map: &Map, cells: impl IntoIterator<Item = IVec2>) {
        for index in cells.into_iter().filter_map(|cell| map.index(cell)) {
            self.count += 1;
            self.sum += index as u64;
        }
    }

    /// The count, and the difference from the reference.
    pub fn describe(&self, reference: Option<&Self>) -> String {
        let count = self.count;
        match reference {
            Some(reference) if reference == self => format!("{count} the same"),
            Some(reference) if reference.count == count => format!("{count} different"),
            Some(reference) if reference.count > 0 => {
                let more = 100.0 * (count as f64 / reference.count as f64 - 1.0);
                format!("{count} {more:+.2} %")
            }
            _ => format!("{count}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Kind;

    #[test]
    fn counts_cells_on_the_map() {
        let map = Map::new(Kind::Open, 20);
        let mut seen = CellDigest::default();
        seen.add(
            &map,
            [
                IVec2::new(3, 0),
                IVec2::new(-1, 5),
                IVec2::new(1, 2),
                IVec2::new(0, 20),
            ],
        );
        assert_eq!(
            seen,
            CellDigest {
                count: 2,
                sum: 3 + 41
            }
        );
    }

    #[test]
    fn describes_differences() {
        let reference = CellDigest { count: 200, sum: 9 };
        let describe = |count, sum| CellDigest { count, sum }.describe(Some(&reference));
        assert_eq!(reference.describe(None), "200");
        assert_eq!(describe(200, 9), "200 the same");
        assert_eq!(describe(200, 8), "200 different");
        assert_eq!(describe(203, 9), "203 +1.50 %");
        assert_eq!(describe(100, 9), "100 -50.00 %");
    }
}
