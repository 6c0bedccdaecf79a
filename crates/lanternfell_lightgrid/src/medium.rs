//! What the cells do with the light of one color, in the form that the inner loops want.
//!
//! The automaton's average is `keep * sum(w t u) / sum(w c)`, where a neighbor of
//! transparency `t` and albedo `a` counts `c = t + (1 - t) (1 - a)` below the line: an open cell
//! and a black wall count whole, a mirror not at all. What stands below the line changes
//! only when a wall does, so `gain = keep / sum(w c)` is kept; for weights of which that of
//! an edge is 1.
//!
//! Diagonal steps between two opaque cells are left out. They are few, so the loops add
//! all corners up, and the cells listed here are done again one by one.

use crate::{
    neighborhood::{CORNERS, Lattice, Sides},
    plane::Plane,
    sparse::Sparse,
};

/// Less than this below the line counts as nothing.
const LEAST_BELOW: f32 = 1e-30;

/// Bit `n` is set when the diagonal step towards [`CORNERS`]`[n]` is left out.
pub(crate) type Leaks = u8;

/// What the cells do with the light of one color.
#[derive(Debug, Clone)]
pub(crate) struct Medium {
    lattice: Lattice,
    /// What is left of the light after a step, from 0 to 1.
    keep: f32,
    transparency: Plane,
    albedo: Plane,
    gain: Plane,
    leaks: Sparse<Leaks>,
}

impl Medium {
    /// Open ground.
    pub(crate) fn new(width: usize, height: usize, lattice: Lattice, keep: f32) -> Self {
        let mut medium = Self {
            lattice,
            keep,
            transparency: Plane::new(width, height),
            albedo: Plane::new(width, height),
            gain: Plane::new(width, height),
            leaks: Sparse::new(height),
        };
        medium.fill(|_, _| (1.0, 0.0));
        medium
    }

    /// How rows lie beside each other, and how neighbors weigh.
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

    /// Transparency and albedo.
    pub(crate) fn cell(&self, x: usize, y: usize) -> (f32, f32) {
        (self.transparency.get(x, y), self.albedo.get(x, y))
    }

    /// Changes how neighbors weigh and what is left of the light after a step.
    pub(crate) fn set_rule(&mut self, lattice: Lattice, keep: f32) {
        (self.lattice, self.keep) = (lattice, keep);
        self.update(0..self.gain.width(), 0..self.gain.height());
    }

    /// Sets transparency and albedo of every cell.
    pub(crate) fn fill(&mut self, cell: impl Fn(usize, usize) -> (f32, f32)) {
        let (width, height) = (self.gain.width(), self.gain.height());
        for y in 0..height {
            for x in 0..width {
                let (transparency, albedo) = cell(x, y);
                self.transparency.set(x, y, transparency);
                self.albedo.set(x, y, albedo);
            }
        }
        self.update(0..width, 0..height);
    }

    /// Sets one cell's transparency and albedo; whether that changed anything.
    pub(crate) fn set(&mut self, x: usize, y: usize, (transparency, albedo): (f32, f32)) -> bool {
        if self.cell(x, y) == (transparency, albedo) {
            return false;
        }
        self.transparency.set(x, y, transparency);
        self.albedo.set(x, y, albedo);
        let end = |at: usize, size: usize| (at + 2).min(size);
        self.update(
            x.saturating_sub(1)..end(x, self.gain.width()),
            y.saturating_sub(1)..end(y, self.gain.height()),
        );
        true
    }

    /// Finds gain and leaks of these cells again.
    fn update(&mut self, xs: core::ops::Range<usize>, ys: core::ops::Range<usize>) {
        for y in ys {
            for x in xs.clone() {
                let cut = self.cut_corners(x, y);
                let below = self.below_the_line(x, y, cut);
                let leaks = self.lit_corners(x, y, cut);
                self.leaks.set(x, y, (leaks != 0).then_some(leaks));
                // Where next to nothing passes, nothing does: the quotient stays finite.
                let gain = if below > LEAST_BELOW {
                    self.keep / below
                } else {
                    0.0
                };
                self.gain.set(x, y, gain);
            }
        }
    }

    /// The corners towards which the step is left out.
    fn cut_corners(&self, x: usize, y: usize) -> Leaks {
        if self.lattice.corner() == 0.0 || self.transparency.get(x, y) == 0.0 {
            return 0;
        }
        let opaque = |dx, dy| {
            self.at(&self.transparency, x, y, dx, dy)
                .is_none_or(|t| t == 0.0)
        };
        corners(|dx, dy| opaque(dx, 0) && opaque(0, dy))
    }

    /// Those of the corners from which light would come.
    fn lit_corners(&self, x: usize, y: usize, cut: Leaks) -> Leaks {
        let lit = |dx, dy| {
            self.at(&self.transparency, x, y, dx, dy)
                .is_some_and(|t| t > 0.0)
        };
        cut & corners(lit)
    }

    /// What stands below the line of the average: the cell and its neighbors inside the
    /// grid, each by its weight and by how much of the light it takes part in.
    fn below_the_line(&self, x: usize, y: usize, cut: Leaks) -> f32 {
        let counts = |dx, dy| {
            let transparency = self.at(&self.transparency, x, y, dx, dy);
            let albedo = self.at(&self.albedo, x, y, dx, dy);
            transparency
                .zip(albedo)
                .map_or(0.0, |(t, a)| t + (1.0 - t) * (1.0 - a))
        };
        let edges = [(0, 0), (0, -1), (-1, 0), (1, 0), (0, 1)];
        let edges: f32 = edges.into_iter().map(|(dx, dy)| counts(dx, dy)).sum();
        let corners = CORNERS.into_iter().enumerate();
        let corners = corners.filter(|(bit, _)| cut & (1 << bit) == 0);
        match self.lattice.sides(y) {
            Sides::Both(weight) => {
                let corners: f32 = corners.map(|(_, (dx, dy))| counts(dx, dy)).sum();
                edges + weight * corners
            }
            Sides::West => edges + counts(-1, -1) + counts(-1, 1),
            Sides::East => edges + counts(1, -1) + counts(1, 1),
        }
    }

    /// A neighbor's value; none outside of the grid.
    fn at(&self, plane: &Plane, x: usize, y: usize, dx: isize, dy: isize) -> Option<f32> {
        let x = x.checked_add_signed(dx).filter(|&x| x < plane.width())?;
        let y = y.checked_add_signed(dy).filter(|&y| y < plane.height())?;
        Some(plane.get(x, y))
    }

    /// The average at one cell of `light`, by the same additions in the same order as the
    /// loops over rows (see [`kernel`](crate::kernel)), without the corners that are left
    /// out.
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

/// The mask of those corners that are so.
fn corners(is_so: impl Fn(isize, isize) -> bool) -> Leaks {
    let corners = CORNERS.into_iter().enumerate();
    let those = corners.filter(|&(_, (dx, dy))| is_so(dx, dy));
    those.fold(0, |mask, (bit, _)| mask | 1 << bit)
}
