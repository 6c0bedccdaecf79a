//! Chooses which patches to render for some viewers, a maximum error in pixels, and a memory
//! budget.
//!
//! The search starts with the two triangles that cover the map. It repeatedly halves the diamond
//! with the largest screen-space error for any viewer. That is the error of its heights, or of the
//! [outlines of its holes](super::outline) if that is larger, seen from the nearest point of its
//! bounding box.
//!
//! Half of a diamond is in each of its two parents. If a parent is not yet halved, it is halved
//! first, regardless of its error, and its own parents before it. This keeps patches free of cracks
//! (as in ROAM; Duchaineau and others 1997). No diamond that must be halved is missed: an error
//! also bounds everything that a diamond is halved into, so at least one parent has no smaller
//! error in pixels.

use std::{cmp::Ordering, collections::BinaryHeap};

use glam::{IVec2, Vec3, Vec4};

use lanternfell_heightmap::Scale;

use super::{DetailTree, Patch, lattice::RightTriangle};

/// A viewer of the terrain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewer {
    /// The position of the eye in the terrain's local space, in meters.
    pub eye: Vec3,
    /// The projection.
    pub lens: Lens,
}

/// A projection: how many pixels a length takes on a viewer's screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lens {
    /// Distant objects are smaller. The value is the size of one meter at a distance of one meter,
    /// in pixels. For a vertical field of view `f` and a screen height of `h` pixels, it is `h / (2
    /// tan(f / 2))`.
    Perspective(f32),
    /// Objects have the same size at every distance. Terrain outside the screen gets less detail
    /// with its distance from the screen, since it may come into view.
    Orthographic {
        /// The size of one meter on the screen, in pixels.
        pixels: f32,
        /// The projection onto both axes of the screen. Each is a plane, given by its normal and
        /// offset: a position `p` in the terrain's local space, in meters, is at `normal.dot(p) +
        /// offset`, and the screen reaches from -1 to 1.
        screen: [Vec4; 2],
    },
}

impl Lens {
    /// Returns the size of one meter in pixels, at the nearest point of a box. `least` is the
    /// minimum distance.
    fn pixels(&self, eye: Vec3, center: Vec3, half: Vec3, least: f32) -> f32 {
        match *self {
            Self::Orthographic { pixels, screen } => {
                // The distance from the screen in halves of the screen. A box within this one is
                // never nearer, so a child has no larger error than its parent.
                let beyond = screen.map(|side| {
                    let middle = side.dot(center.extend(1.0)).abs();
                    middle - side.truncate().abs().dot(half) - 1.0
                });
                pixels / (1.0 + beyond[0].max(beyond[1]).max(0.0))
            }
            Self::Perspective(pixels) => {
                // The distance from the eye to the box, 0 inside it. A box within this one is never
                // nearer, as above.
                let distance = ((eye - center).abs() - half).max(Vec3::ZERO).length();
                pixels / distance.max(least)
            }
        }
    }
}

/// The patches to render, and their error.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cut {
    /// The patches. Together they cover the map exactly once, except for parts that consist only of
    /// holes.
    pub patches: Vec<Patch>,
    /// The largest error in pixels, for any viewer. It is larger than requested if the memory
    /// budget did not suffice.
    pub error: f32,
    /// The halved diamonds of each level.
    halved: Vec<Vec<bool>>,
}

impl Cut {
    /// The memory of the patches: 1 for each triangular patch, and 2 for each square patch.
    pub fn weight(&self) -> usize {
        self.patches.iter().map(|patch| patch.weight()).sum()
    }

    fn is_halved(&self, level: u32, index: usize) -> bool {
        self.halved
            .get(level as usize)
            .is_some_and(|level| level.get(index) == Some(&true))
    }
}

/// A halved diamond stays halved until its error drops to this share of the limit, or of another
/// diamond that competes for its memory. Without hysteresis, a viewer that hovers at the border
/// between two levels would make them flip.
const HYSTERESIS: f32 = 0.75;

/// The weight that one halving adds: two triangles become four.
const WEIGHT_OF_HALVING: usize = 2;

/// The most that one halving adds where there are holes: all four may be drawn as squares, half
/// of each being a hole.
const WEIGHT_WITH_HOLES: usize = 6;

impl DetailTree {
    /// Chooses patches such that no viewer sees an error of more than `pixels`. `weight` is the
    /// memory budget: the total [`weight`](Cut::weight) of the patches does not exceed it, except
    /// that the two coarsest triangles are always chosen.
    ///
    /// If `pixels` is 0, every cell is rendered everywhere, within the budget, even without
    /// viewers. `before` is the previous cut, or [`Cut::default`] for the first one. Where it is
    /// nearly good enough, it is kept, so that small movements of a viewer cause no changes.
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

/// A diamond in the queue, ordered by its error in pixels.
#[derive(PartialEq)]
struct Waiting {
    pixels: f32,
    /// The same, but increased for a diamond that was halved in the previous cut.
    rank: f32,
    level: u32,
    middle: IVec2,
    index: usize,
}

impl Eq for Waiting {}

impl Ord for Waiting {
    /// By rank, then coarser levels first, then row by row. The order is total, so every machine
    /// chooses the same patches.
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
        // Both roots are halves of one diamond, so one entry represents both.
        if let Some(&root) = roots.first() {
            self.wait(root);
        }
        let mut taken: usize = roots.iter().map(|root| self.weight(*root)).sum();
        let most = match self.tree.outlines {
            None => WEIGHT_OF_HALVING,
            Some(_) => WEIGHT_WITH_HOLES,
        };
        while let Some(waiting) = self.queue.pop() {
            // It was halved as the parent of another diamond since it was queued.
            if self.cut.is_halved(waiting.level, waiting.index) {
                continue;
            }
            // All that is left ranks no higher, and nothing is queued from here on. The queue is
            // drained only to find the largest error.
            if pixels > 0.0 && waiting.rank <= pixels {
                self.cut.error = self.cut.error.max(waiting.pixels);
                continue;
            }
            for (level, middle) in self.chain(&waiting).into_iter().rev() {
                // Tested with the worst case before each step of the chain, since a diamond
                // cannot be unhalved. Parents that are already halved leave a valid cut.
                if taken + most > weight {
                    let left = self.queue.iter().map(|left| left.pixels);
                    self.cut.error = left.fold(waiting.pixels, f32::max);
                    return;
                }
                taken = taken.saturating_add_signed(self.halve_diamond(level, middle));
            }
        }
    }

    /// This diamond, followed by all that must be halved before it; coarser ones come later.
    fn chain(&self, waiting: &Waiting) -> Vec<(u32, IVec2)> {
        let mut chain = vec![(waiting.level, waiting.middle)];
        let mut next = 0;
        // Breadth first, so levels in the list never increase. Reversed, every parent is halved
        // before its children. Both parents may share a parent, hence the search.
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

    /// Whether a triangle does not exist yet, because the diamond whose middle is its apex is not
    /// halved.
    fn is_missing(&self, half: RightTriangle) -> bool {
        if half.level == 0 || !self.tree.has_ground(half) {
            return false;
        }
        let index = self.tree.lattice.diamonds(half.level - 1).index(half.apex);
        !index.is_some_and(|index| self.cut.is_halved(half.level - 1, index))
    }

    /// The weight of a triangle. One of the finest level is drawn as a square if its other half
    /// is a hole.
    fn weight(&self, triangle: RightTriangle) -> usize {
        let lattice = &self.tree.lattice;
        let is_square = triangle.level == lattice.finest && {
            let both = lattice.halves_of_diamond(triangle.level, triangle.middle());
            let other = both[usize::from(both[0] == triangle)];
            lattice.has_land(other) && !self.tree.has_ground(other)
        };
        1 + usize::from(is_square)
    }

    /// Halves a diamond and queues the diamonds of its new triangles. Returns the change in
    /// weight, which is negative at the border of the map where only holes are left of a
    /// triangle.
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
            // Only the finest triangles weigh more than 1, and those are never halved.
            more -= 1;
        }
        more
    }

    /// Queues the diamond of a triangle if its other half does not exist yet. Diamonds of the
    /// finest level are never halved.
    fn wait(&mut self, half: RightTriangle) {
        let lattice = &self.tree.lattice;
        let (level, middle) = (half.level, half.middle());
        if level == lattice.finest {
            return;
        }
        let both = lattice.halves_of_diamond(level, middle);
        let other = both[usize::from(both[0] == half)];
        // If the other half exists, it has queued this diamond already. Level 0 has one diamond,
        // and its halves are the roots.
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

    /// The largest error of a diamond in pixels, over all viewers.
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
        // At a smaller distance, the eye is in the ground.
        let least = 0.01 * spacing;
        let viewers = self.viewers.iter();
        let seen = viewers.map(|viewer| viewer.lens.pixels(viewer.eye, center, half, least));
        let meters = bound.error * relief;
        let meters = match &self.tree.outlines {
            None => meters,
            Some(outlines) => meters.max(outlines.error(level, index) * spacing),
        };
        meters * seen.fold(0.0, f32::max)
    }

    /// Collects the triangles that are not halved. Two halves of a finest square become one
    /// patch.
    fn collect(&mut self) {
        let mut finest = Vec::new();
        for root in self.tree.lattice.roots() {
            self.descend(root, &mut finest);
        }
        let lattice = &self.tree.lattice;
        let place =
            |triangle: &RightTriangle| lattice.diamonds(lattice.finest).index(triangle.middle());
        // Sorted by diamond, so that the two halves of a square are adjacent, as `chunk_by`
        // requires.
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
