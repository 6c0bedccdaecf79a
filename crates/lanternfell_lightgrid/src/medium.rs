//! How cells treat the light of one color, in the form that the inner loops need.
//!
//! The average of the automaton is `keep * sum(w t u) / sum(w c)`. A neighbor with transparency `t`
//! and albedo `a` counts `c = t + (1 - t) (1 - a)` in the denominator: open cells and black walls
//! count fully, mirrors not at all. The denominator changes only when a wall does, so
//! `gain = keep / sum(w c)` is stored. The weights `w` are relative to that of an edge.
//!
//! Diagonal steps between two opaque cells are left out. There are few of them, so the loops
//! include all corners, and the affected cells are stored here and recomputed one by one.

use core::ops::Range;

use crate::{
    neighborhood::{Lattice, Sides, for_each_kind},
    plane::Plane,
    sparse::Sparse,
};

/// Denominators below this count as zero.
const LEAST_BELOW: f32 = 1e-30;

/// Bit `n` is set if the diagonal step towards [`CORNERS`]`[n]` is left out, although that cell
/// passes light on.
pub(crate) type Leaks = u8;

/// How the cells treat the light of one color.
#[derive(Debug, Clone)]
pub(crate) struct Medium {
    lattice: Lattice,
    /// The share of the light that remains after a step, from 0 to 1.
    keep: f32,
    transparency: Plane,
    /// What each cell counts in the denominators of its own average and of those of its neighbors.
    counts: Plane,
    gain: Plane,
    leaks: Sparse<Leaks>,
}

impl Medium {
    /// A medium of open cells.
    pub(crate) fn new(width: usize, height: usize, lattice: Lattice, keep: f32) -> Self {
        let mut medium = Self {
            lattice,
            keep,
            transparency: Plane::new(width, height),
            counts: Plane::new(width, height),
            gain: Plane::new(width, height),
            leaks: Sparse::new(height),
        };
        medium.fill(|_, _| (1.0, 0.0));
        medium
    }

    /// The layout of the rows, and the weights of neighbors.
    pub(crate) fn lattice(&self) -> Lattice {
        self.lattice
    }

    pub(crate) fn keep(&self) -> f32 {
        self.keep
    }

    pub(crate) fn transparency(&self) -> &Plane {
        &self.transparency
    }

    pub(crate) fn gain(&self) -> &Plane {
        &self.gain
    }

    pub(crate) fn leaks(&self) -> &Sparse<Leaks> {
        &self.leaks
    }

    /// Changes the weights of neighbors, and the share of the light that remains after a step.
    pub(crate) fn set_rule(&mut self, lattice: Lattice, keep: f32) {
        (self.lattice, self.keep) = (lattice, keep);
        self.update(0..self.gain.width(), 0..self.gain.height());
    }

    /// Sets transparency and albedo of every cell.
    pub(crate) fn fill(&mut self, cell: impl Fn(usize, usize) -> (f32, f32)) {
        let (width, height) = (self.gain.width(), self.gain.height());
        for y in 0..height {
            let transparency = self.transparency.row_mut(y, 0, width);
            let counts = self.counts.row_mut(y, 0, width);
            for (x, (transparency, count)) in transparency.iter_mut().zip(counts).enumerate() {
                let albedo;
                (*transparency, albedo) = cell(x, y);
                *count = count_of(*transparency, albedo);
            }
        }
        self.update(0..width, 0..height);
    }

    /// Sets transparency and albedo of one cell. Returns whether that changed anything.
    pub(crate) fn set(&mut self, x: usize, y: usize, (transparency, albedo): (f32, f32)) -> bool {
        let count = count_of(transparency, albedo);
        if (self.transparency.get(x, y), self.counts.get(x, y)) == (transparency, count) {
            return false;
        }
        self.transparency.set(x, y, transparency);
        self.counts.set(x, y, count);
        let end = |at: usize, size: usize| (at + 2).min(size);
        self.update(
            x.saturating_sub(1)..end(x, self.gain.width()),
            y.saturating_sub(1)..end(y, self.gain.height()),
        );
        true
    }

    /// Recomputes gain and leaks of these cells.
    fn update(&mut self, xs: Range<usize>, ys: Range<usize>) {
        let mut leaks = Vec::new();
        for y in ys {
            self.update_gains(xs.clone(), y);
            leaks.clear();
            // Hexagons and lattices without corners have no diagonal steps to leave out.
            if self.lattice.corner() != 0.0 {
                self.cut_corners(xs.clone(), y, &mut leaks);
            }
            self.leaks.replace(y, xs.clone(), &leaks);
        }
    }

    /// Recomputes the gains of these cells, as if no diagonal steps were left out.
    fn update_gains(&mut self, xs: Range<usize>, y: usize) {
        let (keep, sides) = (self.keep, self.lattice.sides(y));
        let n = xs.len();
        let (center, stride) = (self.counts.index(xs.start, y), self.counts.stride());
        let counts = self.counts.values();
        // A ring of zeros surrounds the grid, so cells at the border need no special case.
        let row = |start: usize| &counts[start - 1..][..n + 2];
        let (above, here, below) = (row(center - stride), row(center), row(center + stride));
        let gain = self.gain.row_mut(y, xs.start, xs.end);
        for_each_kind!(sides, sides => {
            for x in 0..n {
                let edges = (((here[x + 1] + above[x + 1]) + here[x]) + here[x + 2]) + below[x + 1];
                let corners = [above[x], above[x + 2], below[x], below[x + 2]];
                // For all cells. `cut_corners` overwrites those with diagonal steps that are left
                // out.
                gain[x] = quotient(keep, below_the_line(sides, edges, corners));
            }
        });
    }

    /// Corrects the gains of those cells in a row that have diagonal steps that are left out. Adds
    /// them to `leaks`, with the steps through which they would receive light.
    fn cut_corners(&mut self, xs: Range<usize>, y: usize, leaks: &mut Vec<(usize, Leaks)>) {
        let (center, stride) = (self.gain.index(0, y), self.gain.stride());
        let transparency = self.transparency.values();
        // The transparency outside of the grid is zero.
        let is_opaque = |at: usize| transparency[at] == 0.0;
        for x in xs {
            let at = center + x;
            let west_east = [is_opaque(at - 1), is_opaque(at + 1)];
            // Most cells are not next to a wall. Walls themselves receive light from all corners.
            if west_east == [false; 2] || is_opaque(at) {
                continue;
            }
            let north_south = [is_opaque(at - stride), is_opaque(at + stride)];
            if north_south == [false; 2] {
                continue;
            }
            // In the order of CORNERS.
            let is_cut = [0, 1, 2, 3].map(|bit: usize| west_east[bit % 2] && north_south[bit / 2]);
            let corners = [
                at - stride - 1,
                at - stride + 1,
                at + stride - 1,
                at + stride + 1,
            ];
            let counts = self.counts.values();
            let edges = [at, at - stride, at - 1, at + 1, at + stride].map(|at| counts[at]);
            let edges = edges.into_iter().sum();
            let mut counted = corners.map(|corner| counts[corner]);
            let mut leak = 0;
            for bit in (0..4).filter(|&bit| is_cut[bit]) {
                // A corner that is left out does not count. The loops over rows add its light
                // nevertheless, so the step is a leak if the corner passes any on.
                counted[bit] = 0.0;
                leak |= Leaks::from(!is_opaque(corners[bit])) << bit;
            }
            let below = below_the_line(self.lattice.sides(y), edges, counted);
            self.gain.set(x, y, quotient(self.keep, below));
            if leak != 0 {
                leaks.push((x, leak));
            }
        }
    }

    /// The average of `light` at one cell, without the corners that are left out. It uses the same
    /// additions in the same order as the loops over rows (see [`kernel`](crate::kernel)).
    #[inline]
    pub(crate) fn average(&self, light: &Plane, x: usize, y: usize) -> f32 {
        let leaks = self.leaks.get(x, y).unwrap_or(0);
        let (stride, center) = (light.stride(), light.index(x, y));
        let sides = self.lattice.sides(y);
        let lit = |index: usize| self.transparency.values()[index] * light.values()[index];
        let corner = |bit: usize, index: usize| {
            let leaks = leaks & (1 << bit) != 0;
            if leaks { 0.0 } else { lit(index) }
        };
        let across = |bit: usize, index: usize| {
            sides.sum(
                corner(bit, index - 1),
                lit(index),
                corner(bit + 1, index + 1),
            )
        };
        let own = (lit(center - 1) + lit(center + 1)) + lit(center);
        let sum = own + (across(0, center - stride) + across(2, center + stride));
        sum * self.gain.values()[center]
    }
}

/// What a cell counts in the denominator.
fn count_of(transparency: f32, albedo: f32) -> f32 {
    transparency + (1.0 - transparency) * (1.0 - albedo)
}

/// The denominator of an average: `edges` is the sum over the cell and its neighbors along edges.
#[inline(always)]
fn below_the_line(sides: Sides, edges: f32, corners: [f32; 4]) -> f32 {
    let [north_west, north_east, south_west, south_east] = corners;
    match sides {
        Sides::Both(weight) => {
            edges + weight * (((north_west + north_east) + south_west) + south_east)
        }
        Sides::West => (edges + north_west) + south_west,
        Sides::East => (edges + north_east) + south_east,
    }
}

/// The gain, or 0 where almost nothing passes light, so that it stays finite.
#[inline(always)]
fn quotient(keep: f32, below: f32) -> f32 {
    let gain = keep / below;
    if below > LEAST_BELOW { gain } else { 0.0 }
}
