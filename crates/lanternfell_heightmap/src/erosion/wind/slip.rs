//! Slip faces: each cell whose sand is too steep gives a slab to the neighbor with the steepest descent.
//!
//! All cells choose first, then all slabs move at the same time. A cell loses its own slab and gains those of the
//! neighbors that chose it. So the order does not matter, and no slab is lost.
//!
//! If a single slab falls by at least two slabs of height, the sum of the squared heights decreases or stays equal. If
//! several slabs fall on one cell in the same pass, the sum may increase, but that cell then gives them away one by
//! one. It is not proven that the sand always comes to rest, so the caller limits the number of passes.
//!
//! Rows are copied with a border, so that the eight neighbors of a whole row are slices and the loops over them
//! vectorize.
//!
//! Long after most of the sand has come to rest, a few slabs still move, on steep rock for thousands of passes. A cell
//! that stayed in a pass also stays in the next one if neither it nor a neighbor has changed. So when few slabs move,
//! the next pass only looks at the cells around them, and costs as much as there is movement.

use core::f32::consts::FRAC_1_SQRT_2;

use super::field::Field;
use crate::{Canceled, Progress, rows};

/// The marker of a cell that gives nothing.
const STAYS: u8 = 8;

/// The marker of a cell that is in `Slip::restless`.
const LISTED: u8 = 9;

/// A pass over all cells costs as much as moving one slab in this many cells. A row costs as much as this many cells.
const CELLS_PER_MOVE: usize = 256;
const CELLS_PER_ROW: usize = 64;

/// The neighbors, as indices into `Around`: column offset and row, each from 0 to 2. The opposite neighbor is 4
/// further.
const STEPS: [(usize, usize); 8] = [
    (2, 1),
    (2, 2),
    (1, 2),
    (0, 2),
    (0, 1),
    (0, 0),
    (1, 0),
    (2, 0),
];

/// The inverse distance of each neighbor.
const NEARNESS: [f32; 8] = {
    const DIAGONAL: f32 = FRAC_1_SQRT_2;
    [1.0, DIAGONAL, 1.0, DIAGONAL, 1.0, DIAGONAL, 1.0, DIAGONAL]
};

/// Three rows, extended by a cell at both ends: the previous row, the row itself, and the next one.
type Around<T> = [Vec<T>; 3];

/// The state of repeated slides.
pub(super) struct Slip {
    /// The largest stable difference between neighboring cells, in slabs.
    limit: f32,
    /// The neighbor to which each cell gives a slab.
    ways: Vec<u8>,
    /// The only cells that may give a slab in the next pass; `None` if they are not known.
    restless: Option<Vec<usize>>,
    /// The cells that gave a slab in the last pass, and the neighbors that got them.
    moves: Vec<(usize, usize)>,
    /// With more moves in a pass, the next one looks at all cells.
    most_moves: usize,
    /// The number of cells that were looked at.
    #[cfg(test)]
    looked: usize,
}

impl Slip {
    pub(super) fn new(limit: f32, field: &Field) -> Self {
        let cells = field.sand.len();
        Self {
            limit,
            ways: vec![STAYS; cells],
            restless: None,
            moves: Vec::new(),
            most_moves: (cells + CELLS_PER_ROW * field.height()) / CELLS_PER_MOVE,
            #[cfg(test)]
            looked: 0,
        }
    }

    /// To be called after the field has changed.
    pub(super) fn forget(&mut self) {
        self.restless = None;
    }

    /// Lets sand that is too steep slide once. Returns whether any sand moved.
    pub(super) fn slide(&mut self, field: &mut Field) -> Result<bool, Canceled> {
        self.moves.clear();
        match self.restless.take() {
            Some(restless) => self.slide_some(&restless, field),
            None => self.slide_all(field)?,
        }
        let moved = !self.moves.is_empty();
        if self.moves.len() <= self.most_moves {
            self.restless = Some(self.around_moves(field));
        }
        Ok(moved)
    }

    /// Looks at all cells, rows in parallel. Lists the moves only if there are few.
    fn slide_all(&mut self, field: &mut Field) -> Result<(), Canceled> {
        #[cfg(test)]
        {
            self.looked += self.ways.len();
        }
        // These loops are too short to report progress.
        let silent = Progress::default();
        let (limit, width) = (self.limit, field.width);
        let look = |scratch: &mut Look, y: usize, ways: &mut [u8]| {
            around(
                &mut scratch.tops,
                y,
                field.height(),
                width,
                f32::INFINITY,
                |y, row| {
                    let columns = field.row(y);
                    row.extend(
                        columns
                            .ground
                            .iter()
                            .zip(columns.sand)
                            .map(|(&z, &n)| z + n as f32),
                    );
                },
            );
            scratch.look(limit, field.row(y).sand, ways);
        };
        rows::for_each_row_with(&mut self.ways, width, &silent, Look::default, look)?;
        let (ways, height) = (&self.ways, field.height());
        let movers = (0..).zip(ways).filter(|&(_, &way)| way != STAYS);
        let moves = movers.map(|(cell, &way)| (cell, neighbor(field, cell, way)));
        // One more than few.
        self.moves.extend(moves.take(self.most_moves + 1));
        if self.moves.is_empty() {
            return Ok(());
        }
        let give = |near: &mut Around<u8>, y: usize, sand: &mut [u32]| {
            around(near, y, height, width, STAYS, |y, row| {
                row.extend_from_slice(&ways[y * width..][..width]);
            });
            give(near, sand);
        };
        rows::for_each_row_with(&mut field.sand, width, &silent, Around::default, give)?;
        if self.moves.len() <= self.most_moves {
            // From now on all cells stay, except those in `restless`.
            self.moves
                .iter()
                .for_each(|&(from, _)| self.ways[from] = STAYS);
        }
        Ok(())
    }

    /// Looks only at these cells. All others stay.
    fn slide_some(&mut self, restless: &[usize], field: &mut Field) {
        #[cfg(test)]
        {
            self.looked += restless.len();
        }
        for &cell in restless {
            self.ways[cell] = STAYS;
            let to = receiver(self.limit, field, cell);
            self.moves.extend(to.map(|to| (cell, to)));
        }
        for &(from, to) in &self.moves {
            field.sand[from] -= 1;
            field.sand[to] += 1;
        }
    }

    /// The cells that changed in the last pass, and their neighbors.
    fn around_moves(&mut self, field: &Field) -> Vec<usize> {
        let mut listed = Vec::new();
        let mut list = |cell: usize| {
            if self.ways[cell] == STAYS {
                self.ways[cell] = LISTED;
                listed.push(cell);
            }
        };
        for cell in self.moves.iter().flat_map(|&(from, to)| [from, to]) {
            list(cell);
            each_neighbor(field, cell, |_, neighbor| list(neighbor));
        }
        listed
    }
}

/// The neighbor in this direction, which must be on the map.
fn neighbor(field: &Field, cell: usize, way: u8) -> usize {
    let (x, y) = STEPS[usize::from(way)];
    cell + x + y * field.width - 1 - field.width
}

/// Calls `each(way, neighbor)` for every neighbor on the map.
fn each_neighbor(field: &Field, cell: usize, mut each: impl FnMut(usize, usize)) {
    let (column, row) = (cell % field.width, cell / field.width);
    for (way, (x, y)) in STEPS.into_iter().enumerate() {
        let on_map =
            (1..=field.width).contains(&(column + x)) && (1..=field.height()).contains(&(row + y));
        if on_map {
            each(way, neighbor(field, cell, way as u8));
        }
    }
}

/// The neighbor to which this cell gives a slab. The same as [`Look::look`].
fn receiver(limit: f32, field: &Field, cell: usize) -> Option<usize> {
    if field.sand[cell] == 0 {
        return None;
    }
    let top = |cell: usize| field.ground[cell] + field.sand[cell] as f32;
    let here = top(cell);
    let (mut steepest, mut chosen) = (limit, None);
    each_neighbor(field, cell, |way, neighbor| {
        let fall = (here - top(neighbor)) * NEARNESS[way];
        if fall > steepest {
            (steepest, chosen) = (fall, Some(neighbor));
        }
    });
    chosen
}

/// The scratch memory to process a row.
#[derive(Default)]
struct Look {
    /// The heights of the surface, in slabs.
    tops: Around<f32>,
    steepest: Vec<f32>,
    /// `u32`, as wide as the heights, so that the selection vectorizes.
    chosen: Vec<u32>,
}

impl Look {
    /// Finds the neighbor to which each cell of the row gives a slab: the steepest descent, and the first of equal
    /// ones.
    fn look(&mut self, limit: f32, sand: &[u32], ways: &mut [u8]) {
        let width = ways.len();
        self.steepest.clear();
        self.steepest.resize(width, limit);
        self.chosen.clear();
        self.chosen.resize(width, STAYS.into());
        let here = &self.tops[1][1..=width];
        for (way, (x, y)) in STEPS.into_iter().enumerate() {
            let there = &self.tops[y][x..][..width];
            let best = self.steepest.iter_mut().zip(&mut self.chosen);
            for ((steepest, chosen), (&here, &there)) in best.zip(here.iter().zip(there)) {
                let fall = (here - there) * NEARNESS[way];
                let better = fall > *steepest;
                *chosen = if better { way as u32 } else { *chosen };
                *steepest = if better { fall } else { *steepest };
            }
        }
        for ((way, &chosen), &sand) in ways.iter_mut().zip(&self.chosen).zip(sand) {
            *way = if sand > 0 { chosen as u8 } else { STAYS };
        }
    }
}

/// Moves the slabs of a row, given the choices of its cells and their neighbors.
fn give(ways: &Around<u8>, sand: &mut [u32]) {
    let width = sand.len();
    for (sand, &way) in sand.iter_mut().zip(&ways[1][1..=width]) {
        *sand -= u32::from(way != STAYS);
    }
    for (way, (x, y)) in STEPS.into_iter().enumerate() {
        let back = (way as u8 + 4) % 8;
        for (sand, &there) in sand.iter_mut().zip(&ways[y][x..][..width]) {
            *sand += u32::from(there == back);
        }
    }
}

/// Fills the three rows around row `y`, with `outside` beyond the map.
fn around<T: Copy>(
    rows: &mut Around<T>,
    y: usize,
    height: usize,
    width: usize,
    outside: T,
    fill: impl Fn(usize, &mut Vec<T>),
) {
    for (row, y) in rows
        .iter_mut()
        .zip([y.checked_sub(1), Some(y), Some(y + 1)])
    {
        row.clear();
        row.push(outside);
        match y.filter(|&y| y < height) {
            Some(y) => fill(y, row),
            None => row.resize(1 + width, outside),
        }
        row.push(outside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FractalNoise, MapSize, SeededRng};

    /// Sand on rock with this many slabs between neighbors at most.
    fn field(width: usize, height: usize, steep: f32, rng: &mut SeededRng) -> Field {
        let ground = (0..width * height).map(|_| steep * rng.unit() as f32);
        Field {
            width,
            ground: ground.collect(),
            sand: (0..width * height).map(|_| rng.below(12) as u32).collect(),
        }
    }

    #[test]
    fn few_moves_match_passes_over_all_cells() {
        let mut rng = SeededRng::new(1, b"slip    ");
        for case in 0..60 {
            let (width, height) = [(2, 40), (40, 2), (17, 13), (3, 3)][case % 4];
            let steep = [0.0, 5.0, 60.0][case % 3];
            let mut field = field(width, height, steep, &mut rng);
            let mut other = Field {
                width,
                ground: field.ground.clone(),
                sand: field.sand.clone(),
            };
            let mut some = Slip::new(2.165, &field);
            some.most_moves = [1_000_000, 9][case % 2];
            let mut all = Slip::new(2.165, &field);
            all.most_moves = 0;
            for pass in 0..200 {
                // The wind changes a cell.
                if pass % 40 == 39 {
                    let cell = rng.below(other.sand.len() as u64) as usize;
                    field.sand[cell] += 5;
                    other.sand[cell] += 5;
                    some.forget();
                }
                all.forget();
                let moved = [
                    some.slide(&mut field).unwrap(),
                    all.slide(&mut other).unwrap(),
                ];
                assert_eq!(moved[0], moved[1], "case {case}, pass {pass}");
                assert_eq!(field.sand, other.sand, "case {case}, pass {pass}");
            }
        }
    }

    /// Source: `erode --rivers 1 --wind 3` of 2 x 16384 cells took 20 s, and the time grew with the square of the length.
    #[test]
    fn long_maps_take_linear_time() {
        let looks_per_cell = |width: u64, height: u64| {
            let size = MapSize::new(width, height).unwrap();
            let progress = Progress::default();
            let map = FractalNoise::default()
                .generate(size, 7, &progress)
                .unwrap();
            // The default relief of this size, in slabs.
            let relief = 0.16 * width.max(height) as f64 / 0.3;
            let mut field = Field::bare(&map, relief);
            field.sand.fill(10);
            let mut slip = Slip::new(2.165, &field);
            let mut passes = 0;
            while passes < 10_000 && slip.slide(&mut field).unwrap() {
                passes += 1;
            }
            println!("{width} x {height}: {passes} passes, {} looks", slip.looked);
            slip.looked / field.sand.len()
        };
        for (width, height) in [(2, 4096), (2, 16384), (4096, 2), (16384, 2)] {
            let looks = looks_per_cell(width, height);
            assert!(looks < 200, "{looks} looks per cell of {width} x {height}");
        }
    }
}
