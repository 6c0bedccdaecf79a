//! Which patches to draw: for some viewers, a number of pixels, and so much memory.
//!
//! Beginning with the two triangles that cover the map, the diamond that is off by most pixels for any viewer
//! is halved, again and again. What it is off by is its error, seen from as near as anything in it can be: how far
//! heights stray, or the [outlines of holes](super::outline), whichever is more.
//!
//! A diamond lies in the two that it came from, half in each. When it is to be halved and one of these is still whole,
//! that one is halved first, whatever it is off by, and what it came from before it: that is why patches always fit
//! together (as in ROAM; Duchaineau and others 1997). Nothing that must be halved is passed by: an error holds for
//! all that a diamond is halved into, so at least one of the two that it came from is off by as many pixels.

use std::{cmp::Ordering, collections::BinaryHeap};

use glam::{IVec2, Vec3, Vec4};

use lanternfell_heightmap::Scale;

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
    /// One metre takes so many pixels anywhere on the screen. What is beside it needs less, the less the farther away
    /// it is: it may come into view.
    Orthographic {
        /// Of a metre.
        pixels: f32,
        /// Along both sides of the screen a plane, as its normal and its offset: a place `p` (in the land's frame, in
        /// metres) is seen at `normal.dot(p) + offset`, where the screen is from -1 to 1.
        screen: [Vec4; 2],
    },
}

impl Lens {
    /// How many pixels a metre takes in the nearest part of a box; `least` is the shortest distance there is.
    fn pixels(&self, eye: Vec3, center: Vec3, half: Vec3, least: f32) -> f32 {
        match *self {
            Self::Orthographic { pixels, screen } => {
                // In halves of the screen. Of a box in this one it is no less, as `halve` needs it.
                let beyond = screen.map(|side| {
                    let middle = side.dot(center.extend(1.0)).abs();
                    middle - side.truncate().abs().dot(half) - 1.0
                });
                pixels / (1.0 + beyond[0].max(beyond[1]).max(0.0))
            }
            Self::Perspective(pixels) => {
                let distance = ((eye - center).abs() - half).max(Vec3::ZERO).length();
                pixels / distance.max(least)
            }
        }
    }
}

/// Which patches are drawn, and how far they are off.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cut {
    /// The patches: together they cover the map, once, but for some that are nothing but holes.
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

/// A diamond that is halved stays so until its error is this part of what is allowed, or of another that wants
/// its memory: who hovers about a
/// border between two levels must not have them change to and fro.
const HYSTERESIS: f32 = 0.75;

/// What one halving adds: two triangles become four.
const WEIGHT_OF_HALVING: usize = 2;

/// What one adds at most where there are holes: all four may be drawn as squares, of which the other half is a hole.
const WEIGHT_WITH_HOLES: usize = 6;

impl DetailTree {
    /// Chooses the patches: so that no viewer sees the land off by more than `pixels`, and of no more than `weight`
    /// patches (a square counts as two, see [`Cut::weight`]).
    ///
    /// 0 pixels ask for every cell everywhere, also where nobody looks. `before` is the cut drawn until now, which
    /// is kept to where it is nearly good enough.
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
            before,
            viewers,
            scale,
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
        search.halve(pixels, weight);
        search.collect();
        search.cut
    }
}

struct Search<'a> {
    tree: &'a DetailTree,
    before: &'a Cut,
    viewers: &'a [Viewer],
    scale: Scale,
    cut: Cut,
    queue: BinaryHeap<Waiting>,
}

/// A diamond that may be halved, by how many pixels it is off.
#[derive(PartialEq)]
struct Waiting {
    pixels: f32,
    /// The same, but more for one that was halved until now.
    rank: f32,
    level: u32,
    middle: IVec2,
    index: usize,
}

impl Eq for Waiting {}

impl Ord for Waiting {
    /// By rank; of equals the coarser first, and of these the first: an order that holds on every machine.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |waiting: &Self| (waiting.level, waiting.middle.y, waiting.middle.x);
        self.rank
            .total_cmp(&other.rank)
            .then_with(|| key(other).cmp(&key(self)))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Search<'_> {
    fn halve(&mut self, pixels: f32, weight: usize) {
        let roots: Vec<_> = self.tree.with_ground(self.tree.lattice.roots()).collect();
        if let Some(&root) = roots.first() {
            self.wait(root);
        }
        let mut taken: usize = roots.iter().map(|root| self.weight(*root)).sum();
        let most = match self.tree.outlines {
            None => WEIGHT_OF_HALVING,
            Some(_) => WEIGHT_WITH_HOLES,
        };
        while let Some(waiting) = self.queue.pop() {
            if self.cut.is_halved(waiting.level, waiting.index) {
                continue;
            }
            if pixels > 0.0 && waiting.rank <= pixels {
                self.cut.error = self.cut.error.max(waiting.pixels);
                continue;
            }
            for (level, middle) in self.chain(&waiting).into_iter().rev() {
                if taken + most > weight {
                    let left = self.queue.iter().map(|left| left.pixels);
                    self.cut.error = left.fold(waiting.pixels, f32::max);
                    return;
                }
                taken = taken.saturating_add_signed(self.halve_diamond(level, middle));
            }
        }
    }

    /// This diamond, and those that must be halved before it, the coarsest last.
    fn chain(&self, waiting: &Waiting) -> Vec<(u32, IVec2)> {
        let mut chain = vec![(waiting.level, waiting.middle)];
        let mut next = 0;
        while let Some(&(level, middle)) = chain.get(next) {
            next += 1;
            for half in self.tree.lattice.halves_of_diamond(level, middle) {
                if self.is_missing(half) && !chain.contains(&(level - 1, half.apex)) {
                    chain.push((level - 1, half.apex));
                }
            }
        }
        chain
    }

    /// Whether a triangle is still to be made, by halving what it comes from: the diamond whose middle is its apex.
    fn is_missing(&self, half: RightTriangle) -> bool {
        if half.level == 0 || !self.tree.has_ground(half) {
            return false;
        }
        let index = self.tree.lattice.diamonds(half.level - 1).index(half.apex);
        !index.is_some_and(|index| self.cut.is_halved(half.level - 1, index))
    }

    /// What a triangle takes: one of the finest is drawn as a square where the other half is a hole.
    fn weight(&self, triangle: RightTriangle) -> usize {
        let lattice = &self.tree.lattice;
        let is_square = triangle.level == lattice.finest && {
            let both = lattice.halves_of_diamond(triangle.level, triangle.middle());
            let other = both[usize::from(both[0] == triangle)];
            lattice.has_land(other) && !self.tree.has_ground(other)
        };
        1 + usize::from(is_square)
    }

    /// Halves a diamond, and lines up those of which a half appears. Returns how much more there is now, in triangles:
    /// less, where at the map's border nothing but holes is left of one.
    fn halve_diamond(&mut self, level: u32, middle: IVec2) -> isize {
        let (tree, lattice) = (self.tree, &self.tree.lattice);
        let index = lattice.diamonds(level).index(middle).expect("it has land");
        self.cut.halved[level as usize][index] = true;
        let mut more = 0;
        for triangle in tree.with_ground(lattice.halves_of_diamond(level, middle)) {
            for half in tree.with_ground(triangle.halves()) {
                more += self.weight(half) as isize;
                self.wait(half);
            }
            more -= 1;
        }
        more
    }

    /// Lines up the diamond that a triangle is a half of, when it is the first half to be there; none of the finest
    /// level.
    fn wait(&mut self, half: RightTriangle) {
        let lattice = &self.tree.lattice;
        let (level, middle) = (half.level, half.middle());
        if level == lattice.finest {
            return;
        }
        let both = lattice.halves_of_diamond(level, middle);
        let other = both[usize::from(both[0] == half)];
        let waits = level > 0 && self.tree.has_ground(other) && !self.is_missing(other);
        if waits {
            return;
        }
        let index = lattice.diamonds(level).index(middle).expect("it has land");
        let pixels = self.pixels(level, middle, index);
        let was_halved = self.before.is_halved(level, index);
        let rank = if was_halved {
            pixels / HYSTERESIS
        } else {
            pixels
        };
        self.queue.push(Waiting {
            pixels,
            rank,
            level,
            middle,
            index,
        });
    }

    /// By how many pixels a diamond is off at most, for the viewer to whom it matters most.
    fn pixels(&self, level: u32, middle: IVec2, index: usize) -> f32 {
        let bound = self.tree.levels[level as usize][index];
        let Scale { spacing, relief } = self.scale;
        let place = (middle.as_vec2() - self.tree.lattice.squares.as_vec2() / 2.0) * spacing;
        let half_side = self.tree.lattice.square_side(level) as f32 * spacing / 2.0;
        let center = Vec3::new(place.x, (bound.low + bound.high) / 2.0 * relief, place.y);
        let half = Vec3::new(
            half_side,
            (bound.high - bound.low) / 2.0 * relief,
            half_side,
        );
        // Nearer than this an eye is in the ground.
        let least = 0.01 * spacing;
        let viewers = self.viewers.iter();
        let seen = viewers.map(|viewer| viewer.lens.pixels(viewer.eye, center, half, least));
        let metres = bound.error * relief;
        let metres = match &self.tree.outlines {
            None => metres,
            Some(outlines) => metres.max(outlines.error(level, index) * spacing),
        };
        metres * seen.fold(0.0, f32::max)
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
                [alone] if self.other_half_has_ground(*alone) => Patch::triangle(*alone),
                _ => Patch::square(lattice.finest, halves[0].middle() - lattice.side / 2),
            });
        }
    }

    fn descend(&mut self, triangle: RightTriangle, finest: &mut Vec<RightTriangle>) {
        let lattice = &self.tree.lattice;
        if !self.tree.has_ground(triangle) {
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

    fn other_half_has_ground(&self, triangle: RightTriangle) -> bool {
        let lattice = &self.tree.lattice;
        let both = lattice.halves_of_diamond(triangle.level, triangle.middle());
        self.tree.with_ground(both).count() == 2
    }
}
