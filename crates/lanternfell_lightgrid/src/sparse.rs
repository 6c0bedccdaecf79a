//! Sparse values of cells, stored by row.

use core::ops::Range;

/// Values that only a few cells have. Each row has a list of columns and values, from west to east.
/// Empty rows are cheap to skip.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sparse<T> {
    rows: Vec<Vec<(usize, T)>>,
}

impl<T: Copy> Sparse<T> {
    pub(crate) fn new(height: usize) -> Self {
        Self {
            rows: vec![Vec::new(); height],
        }
    }

    /// The columns and values in row `y` from column `first` to before column `end`.
    pub(crate) fn row(&self, y: usize, first: usize, end: usize) -> &[(usize, T)] {
        let row = &self.rows[y];
        if row.is_empty() {
            return row;
        }
        let from = row.partition_point(|&(x, _)| x < first);
        let to = row.partition_point(|&(x, _)| x < end);
        &row[from..to]
    }

    pub(crate) fn get(&self, x: usize, y: usize) -> Option<T> {
        let row = &self.rows[y];
        let at = row.binary_search_by_key(&x, |&(x, _)| x).ok()?;
        Some(row[at].1)
    }

    pub(crate) fn set(&mut self, x: usize, y: usize, value: Option<T>) {
        let row = &mut self.rows[y];
        match (row.binary_search_by_key(&x, |&(x, _)| x), value) {
            (Ok(at), Some(value)) => row[at].1 = value,
            (Ok(at), None) => {
                row.remove(at);
            }
            (Err(at), Some(value)) => row.insert(at, (x, value)),
            (Err(_), None) => {}
        }
    }

    /// Replaces the values in a part of a row. The new columns are in that part, from west to east.
    pub(crate) fn replace(&mut self, y: usize, xs: Range<usize>, values: &[(usize, T)]) {
        let row = &mut self.rows[y];
        if row.is_empty() && values.is_empty() {
            return;
        }
        let from = row.partition_point(|&(x, _)| x < xs.start);
        let to = row.partition_point(|&(x, _)| x < xs.end);
        row.splice(from..to, values.iter().copied());
    }
}
