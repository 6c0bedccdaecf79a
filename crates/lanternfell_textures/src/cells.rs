//! Cellular noise on a seamless tile.
//!
//! Worley noise (*A cellular texture basis function*, 1996): each square of a grid has one point,
//! at a random offset from its center. A position belongs to the nearest point. The results are the
//! distance to that point, the distance to the border with the cell of the second-nearest point,
//! and the identity of the point.
//!
//! A point can be anywhere in its square. So the nine squares around a position contain the two
//! nearest points, unless they are farther away than the outside of these squares. Only then the
//! next sixteen squares are searched too. The border is the one with the second-nearest point. This
//! is exact if that cell is the nearest neighbor; otherwise, near corners, it is slightly too far.

use lanternfell_random::SplitMix64;

/// A grid of scattered points.
pub(crate) struct Cells {
    across: usize,
    down: usize,
    points: Vec<[f32; 2]>,
    seed: u64,
}

/// The result at a position. Lengths are in squares of the grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place {
    /// The vector to the nearest point, to the right and down.
    pub(crate) offset: [f32; 2],
    /// The distance to the nearest point.
    pub(crate) near: f32,
    /// The distance to the border with the second-nearest point's cell.
    pub(crate) edge: f32,
    /// Random bits of the nearest point.
    pub(crate) id: u64,
}

impl Place {
    /// Returns one of four random numbers of the cell, from 0 to 1.
    #[inline(always)]
    pub(crate) fn random(&self, which: u32) -> f32 {
        (self.id >> (which * 16) & 0xFFFF) as f32 * (1.0 / 65_536.0)
    }
}

impl Cells {
    /// Creates a grid with this number of squares across and down the tile. `irregular` is the
    /// randomness of the points, from 0 to 1.
    pub(crate) fn new(across: usize, down: usize, irregular: f32, seed: u64) -> Self {
        let seed = SplitMix64::mix(seed);
        let mut random = SplitMix64::new(seed);
        let mut coordinate =
            || 0.5 + ((random.word() >> 40) as f32 / (1_u32 << 24) as f32 - 0.5) * irregular;
        let points = (0..across * down).map(|_| [coordinate(), coordinate()]);
        Self {
            across,
            down,
            points: points.collect(),
            seed,
        }
    }

    /// Evaluates the noise at a position, with tile coordinates from 0 to 1.
    pub(crate) fn at(&self, u: f32, v: f32) -> Place {
        let x = (u - u.floor()) * self.across as f32;
        let y = (v - v.floor()) * self.down as f32;
        let column = (x as usize).min(self.across - 1);
        let row = (y as usize).min(self.down - 1);
        let (x, y) = (x - column as f32, y - row as f32);
        let columns = around(column, self.across);
        let rows = around(row, self.down);
        let mut search = Search {
            near: (f32::MAX, [0.0; 2], 0),
            second: (f32::MAX, [0.0; 2]),
        };
        let look = |dx: usize, dy: usize, search: &mut Search| {
            let index = rows[dy] * self.across + columns[dx];
            let point = self.points[index];
            let way = [
                point[0] + dx as f32 - 2.0 - x,
                point[1] + dy as f32 - 2.0 - y,
            ];
            search.take(way, index);
        };
        for n in 0..9 {
            look(1 + n % 3, 1 + n / 3, &mut search);
        }
        // The distance to the outside of the nine squares.
        let beyond = 1.0 + x.min(1.0 - x).min(y).min(1.0 - y);
        if search.second.0 > beyond * beyond {
            for n in (0..25).filter(|n| [n % 5, n / 5].iter().any(|&side| side == 0 || side == 4)) {
                look(n % 5, n / 5, &mut search);
            }
        }
        let Search { near, second } = search;
        let apart = [second.1[0] - near.1[0], second.1[1] - near.1[1]];
        let apart = (apart[0] * apart[0] + apart[1] * apart[1]).sqrt();
        Place {
            offset: near.1,
            near: near.0.sqrt(),
            edge: (second.0 - near.0) / (2.0 * apart).max(1e-6),
            id: SplitMix64::mix(self.seed ^ near.2 as u64),
        }
    }
}

/// The two nearest points so far: squared distance and vector, and the index of the nearest.
struct Search {
    near: (f32, [f32; 2], usize),
    second: (f32, [f32; 2]),
}

impl Search {
    #[inline(always)]
    fn take(&mut self, way: [f32; 2], index: usize) {
        let squared = way[0] * way[0] + way[1] * way[1];
        if squared < self.near.0 {
            self.second = (self.near.0, self.near.1);
            self.near = (squared, way, index);
        } else if squared < self.second.0 {
            self.second = (squared, way);
        }
    }
}

/// Returns an index with its two predecessors and two successors on a ring.
fn around(index: usize, count: usize) -> [usize; 5] {
    let before = |index: usize| if index == 0 { count - 1 } else { index - 1 };
    let after = |index: usize| if index + 1 == count { 0 } else { index + 1 };
    let (left, right) = (before(index), after(index));
    [before(left), left, index, right, after(right)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference implementation: the vectors to all points, including the eight neighboring
    /// tiles, nearest first.
    fn ways(cells: &Cells, u: f32, v: f32) -> Vec<([f32; 2], usize)> {
        let mut all = Vec::new();
        for (index, point) in cells.points.iter().enumerate() {
            for tile in 0..9 {
                let place = |at: f32, n: usize, count: usize, shift: i32| {
                    at + n as f32 + (shift * count as i32) as f32
                };
                let x = place(point[0], index % cells.across, cells.across, tile % 3 - 1);
                let y = place(point[1], index / cells.across, cells.down, tile / 3 - 1);
                let way = [x - u * cells.across as f32, y - v * cells.down as f32];
                all.push((way, index));
            }
        }
        all.sort_by(|a, b| length(a.0).total_cmp(&length(b.0)));
        all
    }

    fn length([x, y]: [f32; 2]) -> f32 {
        (x * x + y * y).sqrt()
    }

    #[test]
    fn finds_two_nearest_points() {
        for irregular in [0.0, 0.5, 1.0] {
            let cells = Cells::new(6, 5, irregular, 3);
            let mut random = SplitMix64::new(5);
            for _ in 0..2000 {
                let mut unit = || random.below(1 << 20) as f32 / (1 << 20) as f32;
                let (u, v) = (unit(), unit());
                let place = cells.at(u, v);
                let all = ways(&cells, u, v);
                let [one, two, three] = [all[0].0, all[1].0, all[2].0];
                assert!((place.near - length(one)).abs() < 1e-5, "{u} {v}");
                if length(two) - length(one) > 1e-4 {
                    let id = SplitMix64::mix(cells.seed ^ all[0].1 as u64);
                    assert_eq!(place.id, id, "{u} {v}");
                }
                if length(three) - length(two) > 1e-4 {
                    let apart = length([two[0] - one[0], two[1] - one[1]]);
                    let edge = (length(two) + length(one)) * (length(two) - length(one));
                    let edge = edge / (2.0 * apart).max(1e-6);
                    assert!((place.edge - edge).abs() < 1e-3, "{u} {v}");
                }
            }
        }
    }

    #[test]
    fn noise_is_seamless() {
        let cells = Cells::new(5, 7, 1.0, 1);
        for n in 0..100 {
            let along = n as f32 / 100.0;
            let left = cells.at(0.0, along);
            let right = cells.at(0.999_999_9, along);
            assert!((left.near - right.near).abs() < 1e-4);
            assert!((left.edge - right.edge).abs() < 1e-3);
        }
    }
}
