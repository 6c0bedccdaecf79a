//! Which patches to draw: for some viewers, a number of pixels, and so much memory.
//!
//! Beginning with the two triangles that cover the map, the diamond that is off by most pixels for any viewer
//! is halved, again and again. What it is off by is its error seen from as near as anything in it, and in
//! all that it is halved into, can be; so none is off by more than what it came from, and the order never asks for
//! a diamond before the two that it came from. That is why the patches fit together.

use std::{cmp::Ordering, collections::BinaryHeap};

use glam::{IVec2, Vec2, Vec3};

use crate::Scale;

use super::{DetailTree, Patch, lattice::RightTriangle};

/// Somebody who looks at the land.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewer {
    /// Where the eye is, in the land's frame, in metres.
    pub eye: Vec3,
    /// What it sees through.
    pub lens: Lens,
}

/// How many pixels something takes on a viewer's screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lens {
    /// What is farther away is smaller: one metre at a distance of one metre takes so many pixels. For a vertical field
    /// of view `f` on a screen `h` pixels high these are `h / (2 tan(f / 2))`.
    Perspective(f32),
    /// One metre takes so many pixels anywhere.
    Orthographic(f32),
}

/// Which patches are drawn, and how far they are off.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cut {
    /// The patches: together they cover the map, once.
    pub patches: Vec<Patch>,
    /// By how many pixels the land is off at most, for any viewer. Above what was asked for when the memory
    /// did not suffice.
    pub error: f32,
    /// For each level, which diamonds are halved.
    halved: Vec<Vec<bool>>,
}

impl Cut {
    /// The memory that the patches take, in patches that are one triangle.
    pub fn weight(&self) -> usize {
        self.patches.iter().map(|patch| patch.weight()).sum()
    }

    fn is_halved(&self, level: u32, index: usize) -> bool {
        self.halved
            .get(level as usize)
            .is_some_and(|level| level.get(index) == Some(&true))
    }
}

/// A diamond that is halved stays so until its error is this part of what is allowed: who hovers about a
/// border between two levels must not have them change to and fro.
const HYSTERESIS: f32 = 0.75;

/// What one halving adds: two triangles become four.
const WEIGHT_OF_HALVING: usize = 2;

impl DetailTree {
    /// Chooses the patches: so that no viewer sees the land off by more than `pixels`, and of no more than `weight`
    /// patches (a square counts as two, see [`Cut::weight`]).
    ///
    /// 0 pixels ask for every cell everywhere, also where nobody looks. `before` is the cut drawn until now, which is kept to where it is
    /// nearly good enough.
    pub fn cut(
        &self,
        viewers: &[Viewer],
        scale: Scale,
        pixels: f32,
        weight: usize,
        before: &Cut,
    ) -> Cut {
        let mut search = Search {
            tree: self,
            viewers,
            scale,
            radii: self.radii(),
            cut: Cut {
                halved: self
                    .levels
                    .iter()
                    .map(|level| vec![false; level.len()])
                    .collect(),
                ..Cut::default()
            },
            queue: BinaryHeap::new(),
        };
        search.halve(pixels, weight, before);
        search.collect();
        search.cut
    }

    /// For each level, how far from the middle of a diamond the middles of those that it is halved into may be, and their
    /// corners: in squares.
    fn radii(&self) -> Vec<f32> {
        let lattice = &self.lattice;
        let long_side = |level: u32| {
            let side = lattice.square_side(level) as f32;
            if level.is_multiple_of(2) {
                side * std::f32::consts::SQRT_2
            } else {
                side
            }
        };
        let mut radii = vec![0.0; self.levels.len()];
        for level in (0..=lattice.finest).rev() {
            let own = long_side(level) / 2.0;
            let to_child = long_side(level) * std::f32::consts::FRAC_1_SQRT_2 / 2.0;
            let below = radii
                .get(level as usize + 1)
                .map_or(0.0, |child| child + to_child);
            radii[level as usize] = own.max(below);
        }
        radii
    }
}

struct Search<'a> {
    tree: &'a DetailTree,
    viewers: &'a [Viewer],
    scale: Scale,
    radii: Vec<f32>,
    cut: Cut,
    queue: BinaryHeap<Waiting>,
}

/// A diamond that may be halved, by how many pixels it is off.
#[derive(PartialEq)]
struct Waiting {
    pixels: f32,
    level: u32,
    middle: IVec2,
}

impl Eq for Waiting {}

impl Ord for Waiting {
    /// By pixels; of equals the coarser first, and of these the first: an order that holds on every machine.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |waiting: &Self| (waiting.level, waiting.middle.y, waiting.middle.x);
        self.pixels
            .total_cmp(&other.pixels)
            .then_with(|| key(other).cmp(&key(self)))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Search<'_> {
    fn halve(&mut self, pixels: f32, weight: usize, before: &Cut) {
        let lattice = &self.tree.lattice;
        if lattice.finest > 0 {
            self.wait(0, lattice.roots()[0].middle(), f32::INFINITY);
        }
        let mut taken = lattice
            .roots()
            .iter()
            .filter(|root| lattice.has_land(**root))
            .count();
        while let Some(waiting) = self.queue.pop() {
            let index = lattice
                .diamonds(waiting.level)
                .index(waiting.middle)
                .expect("it waits");
            let kept =
                before.is_halved(waiting.level, index) && waiting.pixels > pixels * HYSTERESIS;
            let wanted = pixels <= 0.0 || waiting.pixels > pixels || kept;
            if !wanted || taken + WEIGHT_OF_HALVING > weight {
                self.cut.error = self.cut.error.max(waiting.pixels);
                if wanted {
                    break;
                }
                continue;
            }
            taken += self.halve_diamond(waiting, index);
        }
    }

    /// Halves a diamond. Returns how many triangles more there are now.
    fn halve_diamond(&mut self, waiting: Waiting, index: usize) -> usize {
        let Waiting {
            pixels,
            level,
            middle,
        } = waiting;
        let lattice = &self.tree.lattice;
        self.cut.halved[level as usize][index] = true;
        let mut more = 0;
        for triangle in lattice.halves_of_diamond(level, middle) {
            if !lattice.has_land(triangle) {
                continue;
            }
            let halves = triangle
                .halves()
                .into_iter()
                .filter(|half| lattice.has_land(*half));
            for half in halves {
                more += 1;
                self.wait_with_other(half, pixels);
            }
            more -= 1;
        }
        more
    }

    /// Lines the diamond up that a triangle is a half of, when its other half is there, too.
    fn wait_with_other(&mut self, half: RightTriangle, above: f32) {
        let lattice = &self.tree.lattice;
        if half.level == lattice.finest {
            return;
        }
        let mut both = lattice
            .halves_of_diamond(half.level, half.middle())
            .into_iter();
        let other = both
            .find(|other| *other != half)
            .expect("a diamond has two halves");
        // A triangle's apex is the middle of the diamond that it came from.
        let is_halved = |middle| {
            let index = lattice.diamonds(half.level - 1).index(middle);
            index.is_some_and(|index| self.cut.halved[half.level as usize - 1][index])
        };
        if !lattice.has_land(other) || is_halved(other.apex) {
            self.wait(half.level, half.middle(), above);
        }
    }

    fn wait(&mut self, level: u32, middle: IVec2, above: f32) {
        let pixels = self.pixels(level, middle).min(above);
        self.queue.push(Waiting {
            pixels,
            level,
            middle,
        });
    }

    /// By how many pixels a diamond is off at most, for the viewer to whom it matters most.
    fn pixels(&self, level: u32, middle: IVec2) -> f32 {
        let Some(index) = self.tree.lattice.diamonds(level).index(middle) else {
            return 0.0;
        };
        let bound = self.tree.levels[level as usize][index];
        let Scale { spacing, relief } = self.scale;
        let place = (middle.as_vec2() - self.tree.lattice.squares.as_vec2() / 2.0) * spacing;
        let radius = self.radii[level as usize] * spacing;
        let seen = self.viewers.iter().map(|viewer| {
            let eye = viewer.eye;
            let aside = (Vec2::new(eye.x, eye.z).distance(place) - radius).max(0.0);
            let above = (eye.y - bound.high * relief)
                .max(bound.low * relief - eye.y)
                .max(0.0);
            match viewer.lens {
                Lens::Orthographic(pixels) => pixels,
                // Nearer than this an eye is in the ground.
                Lens::Perspective(pixels) => {
                    pixels / Vec2::new(aside, above).length().max(0.01 * spacing)
                }
            }
        });
        bound.error * relief * seen.fold(0.0, f32::max)
    }

    /// Lists the triangles that are not halved, two halves of a finest square as one.
    fn collect(&mut self) {
        let mut finest = Vec::new();
        for root in self.tree.lattice.roots() {
            self.descend(root, &mut finest);
        }
        let lattice = &self.tree.lattice;
        let place =
            |triangle: &RightTriangle| lattice.diamonds(lattice.finest).index(triangle.middle());
        finest.sort_by_key(place);
        for halves in finest.chunk_by(|a, b| a.middle() == b.middle()) {
            self.cut.patches.push(match halves {
                [alone] if self.other_half_has_land(*alone) => Patch::triangle(*alone),
                _ => Patch::square(lattice.finest, halves[0].middle() - lattice.side / 2),
            });
        }
    }

    fn descend(&mut self, triangle: RightTriangle, finest: &mut Vec<RightTriangle>) {
        let lattice = &self.tree.lattice;
        if !lattice.has_land(triangle) {
            return;
        }
        if triangle.level == lattice.finest {
            return finest.push(triangle);
        }
        let index = lattice.diamonds(triangle.level).index(triangle.middle());
        if !index.is_some_and(|index| self.cut.halved[triangle.level as usize][index]) {
            return self.cut.patches.push(Patch::triangle(triangle));
        }
        for half in triangle.halves() {
            self.descend(half, finest);
        }
    }

    fn other_half_has_land(&self, triangle: RightTriangle) -> bool {
        let lattice = &self.tree.lattice;
        let both = lattice.halves_of_diamond(triangle.level, triangle.middle());
        both.into_iter().all(|half| lattice.has_land(half))
    }
}
