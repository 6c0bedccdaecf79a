//! How often a random walk against the direction of light visits each cell.
//!
//! # The idea
//!
//! Let `A(j, i)` be the weight of the light of cell `i` in the average of its neighbor `j`. The
//! walk goes from `j` to `i` with this probability, and ends in cells that are held. The expected
//! number of visits to `i` is:
//!
//! ```text
//!    w(i) = [i is the start] + sum over free neighbors j (A(j, i) w(j))
//! ```
//!
//! These are the equations of settled light, transposed. Successive over-relaxation solves them in
//! double precision. It converges as it does for the light, because scaling by the transparencies
//! and by the denominators of the averages makes the weights symmetric. The solver starts with one
//! cell, and adds a cell when enough arrives there from the cells that it already solves for.
//!
//! # Accuracy
//!
//! Let `u` be the light, and `r` the residual of each equation. The parts add up to the light
//! except for `sum(r u)`. The error of each part is at most `sum(|r| u)`, because a part is nowhere
//! brighter than the light. The sweeps therefore end when this sum, including cells that have not
//! been added, is within the tolerance. Where a darkness takes light away, parts may be brighter
//! than the light. There `u` is an upper bound on all light.

use super::held::{Held, Holds};

/// A cell that loses less than this to decay and to other cells keeps its light forever.
pub(super) const LEAST_LOST: f64 = 1e-6;

/// The number of sweeps between two checks of the accuracy.
const LOOK: u32 = 4;

/// The steps to the neighbors of a cell. A hexagon uses six of them.
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

/// Marks a neighbor that the walk does not come from.
const NO_CELL: u32 = u32::MAX;

/// A cell that the walk visits.
struct Visited {
    x: usize,
    y: usize,
    held: Held,
    /// An upper bound on each part of its light.
    light: f64,
}

/// A free cell that is solved for.
struct Solved {
    /// The index of the cell, and of the neighbors that the walk may come from, in the list of
    /// visited cells.
    cell: u32,
    from: [u32; 8],
    /// The probability of the step from each of these neighbors.
    chances: [f64; 8],
    /// The probability that the walk stays in the cell.
    stays: f64,
    /// 1 for the start of the walk, otherwise 0.
    start: f64,
}

impl Solved {
    /// The expected number of arrivals from other cells, plus the start.
    fn arrives(&self, weights: &[f64]) -> f64 {
        let mut sum = self.start;
        for (&from, chance) in self.from.iter().zip(self.chances) {
            if from != NO_CELL {
                sum += chance * weights[from as usize];
            }
        }
        sum
    }
}

/// The expected number of visits to all cells of a random walk that starts in one cell.
pub(super) struct LightWalk {
    visited: Vec<Visited>,
    /// The expected number of visits to each visited cell. For cells that are not solved for, only
    /// arrivals from solved cells count.
    weights: Vec<f64>,
    /// For each cell of the grid, its index in `visited` plus one; 0 if it has none.
    places: Vec<u32>,
    solved: Vec<Solved>,
    /// Free cells that are visited but not solved for yet.
    rim: Vec<u32>,
}

impl LightWalk {
    /// Computes the walk from a cell. It extends until at most `tolerance` of the light is missing,
    /// or for `sweeps` sweeps.
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
            // Like every free cell, the start was put on the rim when it was visited. It is solved
            // for immediately.
            walk.rim.clear();
            walk.solve_for(start, 1.0, holds);
            walk.relax(holds, f64::from(relaxation), (tolerance, sweeps));
            walk.arrive(holds);
        } else {
            walk.weights[start as usize] = 1.0;
        }
        walk
    }

    /// The visited cells: column, row, what holds the cell, and the expected number of visits.
    pub(super) fn weights(&self) -> impl Iterator<Item = (usize, usize, Held, f64)> + '_ {
        let cells = self.visited.iter().zip(&self.weights);
        cells.map(|(cell, &weight)| (cell.x, cell.y, cell.held, weight))
    }

    /// Whether the walk would be the same in another color of the same medium.
    pub(super) fn is_held_as(&self, holds: &Holds<'_>) -> bool {
        let mut visited = self.visited.iter();
        visited.all(|cell| cell.held == holds.held(cell.x, cell.y))
    }

    /// The index of a cell in `visited`. Adds the cell if necessary.
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

    /// Starts to solve for a free cell, and visits all cells that the walk can reach from it.
    fn solve_for(&mut self, cell: u32, start: f64, holds: &Holds<'_>) {
        let Visited { x, y, .. } = self.visited[cell as usize];
        let mut solved = Solved {
            cell,
            from: [NO_CELL; 8],
            chances: [0.0; 8],
            stays: holds.pull((x, y), (0, 0)),
            start,
        };
        for (n, (near_x, near_y)) in neighbors((x, y), holds) {
            // The walk never enters a wall, but it may have started in one.
            let is_known = self.places[near_y * holds.size().0 + near_x] != 0;
            if !is_known && !holds.is_open(near_x, near_y) {
                continue;
            }
            let near = self.visit((near_x, near_y), holds);
            // The walk ends in held cells, so it only comes from free ones. The probability of the
            // step from `near` is the weight of this cell in the average of `near`. As seen from
            // there, the step is reversed.
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
            // In place, in the order in which cells were added, which is the same on every machine.
            for cell in &self.solved {
                let wanted = cell.arrives(&self.weights) / (1.0 - cell.stays);
                let weight = &mut self.weights[cell.cell as usize];
                *weight += relaxation * (wanted - *weight);
            }
            // After each sweep, so that the set of solved cells grows as fast as the walk spreads.
            let missing = self.grow(holds, tolerance);
            if sweep % LOOK == 0 && missing + self.missing() <= tolerance {
                return;
            }
        }
    }

    /// Adds those cells of the rim at which too much arrives. Returns the total that arrives at the
    /// others.
    fn grow(&mut self, holds: &Holds<'_>, tolerance: f64) -> f64 {
        let rim = core::mem::take(&mut self.rim);
        // The cells that remain on the rim account for at most a quarter of the tolerance together.
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

    /// The sum of the residuals of the solved cells, times their light.
    fn missing(&self) -> f64 {
        let missed = self.solved.iter().map(|cell| {
            let leaves = (1.0 - cell.stays) * self.weights[cell.cell as usize];
            let light = self.visited[cell.cell as usize].light;
            (cell.arrives(&self.weights) - leaves).abs() * light
        });
        missed.sum()
    }

    /// The expected number of arrivals at a cell from solved cells.
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
            // Cells on the rim have no weight yet, and the walk does not leave held cells.
            if self.visited[near].held == Held::Free && weight != 0.0 {
                let (dx, dy) = AROUND[n];
                sum += weight * holds.pull((near_x, near_y), (-dx, -dy));
            }
        }
        sum
    }

    /// Computes the arrivals at the held cells, where the walk ends.
    fn arrive(&mut self, holds: &Holds<'_>) {
        for cell in 0..self.visited.len() as u32 {
            if self.visited[cell as usize].held != Held::Free {
                self.weights[cell as usize] = self.arrives(cell, holds);
            }
        }
    }
}

/// The neighbors of a cell inside the grid, with their indices in [`AROUND`].
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
