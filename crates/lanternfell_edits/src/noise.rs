//! Value noise in integers, for the noise brush.
//!
//! Random values at the points of a square lattice are interpolated with smoothstep. The values are
//! hashes of the lattice points, so the pattern covers the whole plane without a seam.

use lanternfell_random::SplitMix64;

use crate::cells::CellRect;

/// Noise with a distance of `cells` between lattice points.
#[derive(Clone, Copy)]
pub(crate) struct Noise {
    pub(crate) seed: u64,
    pub(crate) cells: u32,
}

impl Noise {
    /// The value at a lattice point, from -65536 to 65535.
    fn at(self, column: i64, row: i64) -> i64 {
        let across = SplitMix64::mix(self.seed ^ (column as u64).wrapping_mul(SplitMix64::GAMMA));
        let hash = SplitMix64::mix(across ^ (row as u64).wrapping_mul(SplitMix64::GAMMA));
        (hash >> 47) as i64 - 65_536
    }

    /// The values of the cells of an area, row by row, from -65536 to 65535.
    pub(crate) fn over(self, area: CellRect) -> Vec<i64> {
        let cells = i64::from(self.cells);
        let lattice_column = |column: i64| column.div_euclid(cells);
        let first = lattice_column(area.column);
        let count = lattice_column(area.end_column() - 1) - first + 2;
        let lattice = |row: i64| -> Vec<i64> {
            let columns = first..first + count;
            columns.map(|column| self.at(column, row)).collect()
        };
        let mut values = Vec::with_capacity(area.cells());
        let mut rows: Option<(i64, [Vec<i64>; 2])> = None;
        for row in area.row..area.end_row() {
            let (north, south) = self.split(row);
            let [above, below] = match &rows {
                Some((at, rows)) if *at == north => rows,
                _ => &rows.insert((north, [lattice(north), lattice(north + 1)])).1,
            };
            for column in area.column..area.end_column() {
                let (west, east) = self.split(column);
                let west = (west - first) as usize;
                let [above, below] =
                    [above, below].map(|row| mixed(row[west], row[west + 1], east));
                values.push(mixed(above, below, south));
            }
        }
        values
    }

    /// The lattice point before a cell, and the smooth share of the way to the next one in 1/65536.
    fn split(self, at: i64) -> (i64, i64) {
        let cells = i64::from(self.cells);
        let part = (at.rem_euclid(cells) << 16) / cells;
        let smooth = (part * part * (3 * 65_536 - 2 * part)) >> 32;
        (at.div_euclid(cells), smooth)
    }
}

fn mixed(from: i64, to: i64, share: i64) -> i64 {
    from + (((to - from) * share) >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_seamless_and_has_lattice_values() {
        for cells in [1, 2, 7, 64, 100] {
            let noise = Noise { seed: 5, cells };
            let whole = noise.over(CellRect::new(-40, -30, 90, 70));
            let part = noise.over(CellRect::new(3, -5, 20, 9));
            for (y, row) in part.chunks_exact(20).enumerate() {
                assert_eq!(row, &whole[(25 + y) * 90 + 43..][..20]);
            }
            let (x, y) = (-40_i64.div_euclid(cells.into()), 0);
            let at = noise.over(CellRect::new(x * i64::from(cells), y, 1, 1));
            assert_eq!(at, [noise.at(x, y)]);
            assert!(whole.iter().all(|value| (-65_536..65_536).contains(value)));
            let range = if cells > 7 { 0 } else { 50_000 };
            assert!(whole.iter().max().unwrap() - whole.iter().min().unwrap() > range);
        }
    }
}
