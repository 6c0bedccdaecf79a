//! How often a walk against the light comes to each cell.
//!
//! # The idea
//!
//! Let a cell `j` take the part `A(j, i)` of the light of its neighbor `i` into its average. The
//! walk goes from `j` to `i` with that chance, and ends in cells that are held. It comes to `i`, on
//! the average, so many times:
//!
//! ```text
//!    w(i) = [i is the start] + sum over free neighbors j (A(j, i) w(j))
//! ```
//!
//! These are the equations of settled light, transposed: successive over-relaxation solves them in
//! double precision. (What each cell takes from another, times what counts in its own average, is
//! the same both ways, so they converge as those do.) It begins with one cell; a cell is taken in
//! when enough comes to it from those that are.
//!
//! # How exact
//!
//! With the light `u`, and `r` by how much each equation is missed, the parts add up to the light
//! but for `sum(r u)`, and no part is off by more than `sum(|r| u)`, since none is brighter anywhere
//! than the light. So sweeps end when that, also over cells that are not taken in, is the tolerance.
//! Where a darkness takes light away, parts may be brighter than the light: there `u` is the most
//! that any light can be.

use super::held::{Held, Holds};

/// A cell from which less than this is lost, or goes to others, keeps its light for ever.
pub(super) const LEAST_LOST: f64 = 1e-6;

/// Once in so many sweeps it is looked how exact it is.
const LOOK: u32 = 4;

/// The steps to the neighbors of a cell, of which a hexagon has six.
const AROUND: [(isize, isize); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

/// Stands for a cell from which nothing comes.
const NOBODY: u32 = u32::MAX;

/// A cell that the walk comes to.
struct Visited {
    x: usize,
    y: usize,
    held: Held,
    /// No part of its light is brighter.
    light: f64,
}

/// A free cell that is solved for.
struct Solved {
    /// Itself, and the cells that the walk may come from, among the visited.
    cell: u32,
    from: [u32; 8],
    /// The chance with which it comes from each of them.
    chances: [f64; 8],
    /// The chance that it stays here.
    stays: f64,
    /// 1 for the start.
    start: f64,
}

impl Solved {
    /// How often the walk comes here from others, or starts here.
    fn arrives(&self, weights: &[f64]) -> f64 {
        let mut sum = self.start;
        for (&from, chance) in self.from.iter().zip(self.chances) {
            if from != NOBODY {
                sum += chance * weights[from as usize];
            }
        }
        sum
    }
}

/// How often a walk from one cell comes to all others.
pub(super) struct LightWalk {
    visited: Vec<Visited>,
    /// How often the walk comes to each of them: to those that are not solved for, from those that
    /// are.
    weights: Vec<f64>,
    /// For each cell of the grid its place among the visited, plus one.
    places: Vec<u32>,
    solved: Vec<Solved>,
    /// Free cells that are visited, but not solved for yet.
    rim: Vec<u32>,
}

impl LightWalk {
    /// From a cell, so far that no more than `tolerance` of the light is missing, by at most so
    /// many sweeps.
    pub(super) fn from(
        start: (usize, usize),
        holds: &Holds<'_>,
        relaxation: f32,
        (tolerance, sweeps): (f64, u32),
    ) -> Self {
        let (width, height) = holds.size();
        let mut walk = Self {
            visited: Vec::new(),
            weights: Vec::new(),
            places: vec![0; width * height],
            solved: Vec::new(),
            rim: Vec::new(),
        };
        let start = walk.visit(start, holds);
        if walk.visited[start as usize].held == Held::Free {
            // The start is on the rim as every free cell that is visited, but is taken in at once.
            walk.rim.clear();
            walk.solve_for(start, 1.0, holds);
            walk.relax(holds, f64::from(relaxation), (tolerance, sweeps));
            walk.arrive(holds);
        } else {
            walk.weights[start as usize] = 1.0;
        }
        walk
    }

    /// The cells that the walk comes to: column and row, what holds them, and how often it comes.
    pub(super) fn weights(&self) -> impl Iterator<Item = (usize, usize, Held, f64)> + '_ {
        let cells = self.visited.iter().zip(&self.weights);
        cells.map(|(cell, &weight)| (cell.x, cell.y, cell.held, weight))
    }

    /// Whether it would be the same walk with what holds another color, in the same medium.
    pub(super) fn is_held_as(&self, holds: &Holds<'_>) -> bool {
        let mut visited = self.visited.iter();
        visited.all(|cell| cell.held == holds.held(cell.x, cell.y))
    }

    /// The place of a cell among the visited.
    fn visit(&mut self, (x, y): (usize, usize), holds: &Holds<'_>) -> u32 {
        let place = &mut self.places[y * holds.size().0 + x];
        if *place == 0 {
            let held = holds.held(x, y);
            self.visited.push(Visited {
                x,
                y,
                held,
                light: f64::from(holds.most(x, y)),
            });
            self.weights.push(0.0);
            *place = self.visited.len() as u32;
            if held == Held::Free {
                self.rim.push(*place - 1);
            }
        }
        *place - 1
    }

    /// Takes a free cell in, with all that the walk may go on to from it.
    fn solve_for(&mut self, cell: u32, start: f64, holds: &Holds<'_>) {
        let Visited { x, y, .. } = self.visited[cell as usize];
        let mut solved = Solved {
            cell,
            from: [NOBODY; 8],
            chances: [0.0; 8],
            stays: holds.pull((x, y), (0, 0)),
            start,
        };
        for (n, (near_x, near_y)) in neighbors((x, y), holds) {
            // No walk comes to a wall, but it may have started in one.
            let is_known = self.places[near_y * holds.size().0 + near_x] != 0;
            if !is_known && !holds.is_open(near_x, near_y) {
                continue;
            }
            let near = self.visit((near_x, near_y), holds);
            // The walk ends in cells that are held, so it comes from free ones only. It comes from `near`
            // with the part of this cell's light that `near` takes: seen from there, the step is reversed.
            if self.visited[near as usize].held == Held::Free {
                let (dx, dy) = AROUND[n];
                solved.from[n] = near;
                solved.chances[n] = holds.pull((near_x, near_y), (-dx, -dy));
            }
        }
        self.solved.push(solved);
    }

    fn relax(&mut self, holds: &Holds<'_>, relaxation: f64, (tolerance, sweeps): (f64, u32)) {
        for sweep in 1..=sweeps {
            // In place, in the order in which cells were taken in: the same on every machine.
            for cell in &self.solved {
                let wanted = cell.arrives(&self.weights) / (1.0 - cell.stays);
                let weight = &mut self.weights[cell.cell as usize];
                *weight += relaxation * (wanted - *weight);
            }
            // In each sweep, so that the region grows as fast as the walk spreads.
            let missing = self.grow(holds, tolerance);
            if sweep % LOOK == 0 && missing + self.missing() <= tolerance {
                return;
            }
        }
    }

    /// Takes those cells of the rim in from which too much light comes; how much comes from the
    /// others.
    fn grow(&mut self, holds: &Holds<'_>, tolerance: f64) -> f64 {
        let rim = core::mem::take(&mut self.rim);
        // All cells that stay on the rim together miss at most a quarter of the tolerance.
        let little = 0.25 * tolerance / rim.len() as f64;
        let mut missing = 0.0;
        for cell in rim {
            let light = self.visited[cell as usize].light;
            let lacks = self.arrives(cell, holds).abs() * light;
            if lacks > little {
                self.solve_for(cell, 0.0, holds);
            } else {
                self.rim.push(cell);
                missing += lacks;
            }
        }
        missing
    }

    /// By how much the equations of the cells that are solved for are missed, times their light.
    fn missing(&self) -> f64 {
        let missed = self.solved.iter().map(|cell| {
            let leaves = (1.0 - cell.stays) * self.weights[cell.cell as usize];
            let light = self.visited[cell.cell as usize].light;
            (cell.arrives(&self.weights) - leaves).abs() * light
        });
        missed.sum()
    }

    /// How often the walk comes to a cell from those that are solved for.
    fn arrives(&self, cell: u32, holds: &Holds<'_>) -> f64 {
        let Visited { x, y, .. } = self.visited[cell as usize];
        let (width, _) = holds.size();
        let mut sum = 0.0;
        for (n, (near_x, near_y)) in neighbors((x, y), holds) {
            let place = self.places[near_y * width + near_x];
            if place == 0 {
                continue;
            }
            let near = place as usize - 1;
            let weight = self.weights[near];
            // Cells of the rim have no weight yet, and from held ones the walk does not go on.
            if self.visited[near].held == Held::Free && weight != 0.0 {
                let (dx, dy) = AROUND[n];
                sum += weight * holds.pull((near_x, near_y), (-dx, -dy));
            }
        }
        sum
    }

    /// Lets the walk come to the cells that are held, where it ends.
    fn arrive(&mut self, holds: &Holds<'_>) {
        for cell in 0..self.visited.len() as u32 {
            if self.visited[cell as usize].held != Held::Free {
                self.weights[cell as usize] = self.arrives(cell, holds);
            }
        }
    }
}

/// The neighbors of a cell in the grid, with their places among those [`AROUND`].
fn neighbors(
    (x, y): (usize, usize),
    holds: &Holds<'_>,
) -> impl Iterator<Item = (usize, (usize, usize))> {
    let (width, height) = holds.size();
    let near = move |(n, &(dx, dy)): (usize, &(isize, isize))| {
        if !holds.is_around(y, (dx, dy)) {
            return None;
        }
        let x = x.checked_add_signed(dx).filter(|&x| x < width)?;
        let y = y.checked_add_signed(dy).filter(|&y| y < height)?;
        Some((n, (x, y)))
    };
    AROUND.iter().enumerate().filter_map(near)
}
