//! Computes the errors of all diamonds, from the finest level up.

use glam::IVec2;

use crate::surface::SizeMismatch;
use lanternfell_heightmap::{Canceled, Heightmap, HoleMask, MapSize, Progress, rows};

use super::{
    SIDE,
    lattice::{Area, Lattice, RightTriangle},
    outline::Outlines,
    stray::{self, SquareStray},
};

/// The bounds of a diamond, which also hold for everything that it is halved into.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bound {
    /// The largest distance of its triangles from the cells, in the map's heights.
    pub(super) error: f32,
    /// The lowest and the highest height.
    pub(super) low: f32,
    pub(super) high: f32,
}

impl Bound {
    /// The bound outside the map. It is neutral when joined.
    const NOTHING: Self = Self {
        error: 0.0,
        low: f32::INFINITY,
        high: f32::NEG_INFINITY,
    };

    fn join(self, other: Self) -> Self {
        Self {
            error: self.error.max(other.error),
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }
}

/// The error of every diamond of a map if it is not halved any further.
///
/// It stores only these bounds, in units of the map, so it is valid at any
/// [`Scale`](lanternfell_heightmap::Scale).
#[derive(Debug, Clone, PartialEq)]
pub struct DetailTree {
    pub(super) lattice: Lattice,
    pub(super) levels: Vec<Vec<Bound>>,
    /// The squares of each even level, from which the bounds are computed. They make it possible
    /// to measure again only what has changed.
    pub(super) squares: Vec<Vec<SquareStray>>,
    pub(super) outlines: Option<Outlines>,
}

impl DetailTree {
    /// Measures a map, on every core.
    ///
    /// # Errors
    /// If the work is canceled.
    pub fn new(map: &Heightmap, progress: &Progress) -> Result<Self, Canceled> {
        Self::with_side(map, SIDE, progress)
    }

    /// With patches of `side` by `side` small triangles, a power of two.
    pub(super) fn with_side(
        map: &Heightmap,
        side: u32,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        debug_assert!(side.is_power_of_two() && side >= 2);
        let mut tree = Self::unmeasured(Lattice::new(map.size(), side));
        let finest = tree.lattice.finest;
        // The finest level is even, so this visits the even levels down to 0. A bound needs those
        // of the next two levels, hence an odd level right before its even one.
        for level in (0..=finest).rev().step_by(2) {
            // A level has a quarter of the next one's squares.
            let share = |level: u32| 0.25_f32.powi((finest - level) as i32 / 2);
            let span = progress.span(1.0 - share(level), 1.0 - share(level) / 4.0);
            tree.squares[level as usize / 2] = measure(map, &tree.lattice, level, &span)?;
            if level < finest {
                tree.bound_odd(level + 1, tree.lattice.diamonds(level + 1).area());
            }
            tree.bound_even(level, tree.lattice.diamonds(level).area());
        }
        Ok(tree)
    }

    /// A tree without squares and bounds.
    fn unmeasured(lattice: Lattice) -> Self {
        let bounds = |level| vec![Bound::NOTHING; lattice.diamonds(level).len()];
        Self {
            levels: (0..=lattice.finest).map(bounds).collect(),
            squares: vec![Vec::new(); lattice.finest as usize / 2 + 1],
            lattice,
            outlines: None,
        }
    }

    /// Replaces the holes of the tree. Patches become finer at the outlines of holes, and patches
    /// that are nothing but holes are left out. Heights are not measured again, so this takes a
    /// small part of the time of [`new`](Self::new).
    ///
    /// # Errors
    /// If the holes are for a map of another size.
    pub fn with_holes(self, holes: &HoleMask) -> Result<Self, SizeMismatch> {
        SizeMismatch::check("hole mask", holes.size(), self.size())?;
        let outlines = (holes.count() > 0).then(|| Outlines::new(&self.lattice, holes));
        Ok(Self { outlines, ..self })
    }

    /// Whether a triangle is a patch at all: some of it is on the map and not a hole.
    pub(super) fn has_ground(&self, triangle: RightTriangle) -> bool {
        match &self.outlines {
            None => self.lattice.has_land(triangle),
            Some(outlines) => outlines.has_ground(&self.lattice, triangle),
        }
    }

    /// The patches among two triangles.
    pub(super) fn with_ground(
        &self,
        two: [RightTriangle; 2],
    ) -> impl Iterator<Item = RightTriangle> {
        two.into_iter().filter(|half| self.has_ground(*half))
    }

    /// The size of the map.
    pub fn size(&self) -> MapSize {
        let cells = self.lattice.squares + 1;
        MapSize::new(cells.x as u64, cells.y as u64).expect("it was made from a map")
    }

    /// The number of levels; the last has every cell.
    pub fn levels(&self) -> u32 {
        self.lattice.finest + 1
    }

    /// The error of the terrain drawn with two triangles at the coarsest level, in the map's
    /// heights.
    pub fn error(&self) -> f32 {
        self.levels[0][0].error
    }

    /// The lowest and the highest height of the map.
    pub fn range(&self) -> (f32, f32) {
        (self.levels[0][0].low, self.levels[0][0].high)
    }

    /// The memory of the tree, in bytes.
    pub fn bytes(&self) -> usize {
        let bounds: usize = self
            .levels
            .iter()
            .map(|level| size_of_val(&level[..]))
            .sum();
        let squares: usize = self
            .squares
            .iter()
            .map(|level| size_of_val(&level[..]))
            .sum();
        bounds + squares + self.outlines.as_ref().map_or(0, Outlines::bytes)
    }

    /// Computes the bounds of the squares in this area of an even level. The error is the stray of
    /// the square itself plus the largest error of the four diamonds on its sides. The range is
    /// that of its quarters.
    pub(super) fn bound_even(&mut self, level: u32, area: Area) {
        let grid = self.lattice.diamonds(level);
        for place in area.places() {
            let square = &self.squares[level as usize / 2][grid.at(place)];
            self.levels[level as usize][grid.at(place)] = if level == self.lattice.finest {
                Bound {
                    error: square.even,
                    low: square.low,
                    high: square.high,
                }
            } else {
                let known = |deeper: u32, x: i32, y: i32| {
                    self.bound_at(level + deeper, 2 * place + IVec2::new(x, y))
                };
                let sides = [(1, 0), (0, 1), (1, 2), (2, 1)].map(|(x, y)| known(1, x, y));
                let quarters = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| known(2, x, y));
                let below = sides.into_iter().fold(Bound::NOTHING, Bound::join).error;
                // Errors add up: the drawn triangles differ from the next finer ones by the stray,
                // and those from the cells by `below`. The sum is also never smaller than a child,
                // as `cut` requires.
                Bound {
                    error: square.even + below,
                    ..quarters.into_iter().fold(Bound::NOTHING, Bound::join)
                }
            };
        }
    }

    /// Computes the bounds of the diamonds in this area of an odd level, each on a side between two
    /// squares. The error is the stray of its two triangles plus the largest error of the up to
    /// four squares of the next level that it overlaps.
    pub(super) fn bound_odd(&mut self, level: u32, area: Area) {
        let grid = self.lattice.diamonds(level);
        let around = self.lattice.diamonds(level - 1);
        let squares = &self.squares[(level as usize - 1) / 2];
        for place in area.places() {
            // Middles of sides have an odd sum in the lattice of half squares. The other points are
            // corners and centers.
            if (place.x + place.y) % 2 == 0 {
                continue;
            }
            let square = place.div_euclid(IVec2::splat(2));
            // The squares on both sides, and the index of the triangle of each that is at the side.
            let sides = if place.y % 2 == 0 {
                [(square - IVec2::Y, 2), (square, 0)]
            } else {
                [(square - IVec2::X, 3), (square, 1)]
            };
            let strays = sides.into_iter().filter_map(|(square, triangle)| {
                Some(squares[around.index_at(square)?].odd[triangle])
            });
            let children = [(0, 0), (-1, 0), (0, -1), (-1, -1)]
                .map(|(x, y)| self.bound_at(level + 1, place + IVec2::new(x, y)));
            let children = children.into_iter().fold(Bound::NOTHING, Bound::join);
            self.levels[level as usize][grid.at(place)] = Bound {
                error: strays.fold(0.0, f32::max) + children.error,
                ..children
            };
        }
    }

    /// The bound of the diamond at a place, or `NOTHING` beyond the border.
    fn bound_at(&self, level: u32, place: IVec2) -> Bound {
        let index = self.lattice.diamonds(level).index_at(place);
        index.map_or(Bound::NOTHING, |index| self.levels[level as usize][index])
    }
}

/// Measures every square of an even level.
fn measure(
    map: &Heightmap,
    lattice: &Lattice,
    level: u32,
    progress: &Progress,
) -> Result<Vec<SquareStray>, Canceled> {
    let grid = lattice.diamonds(level);
    let mut squares = vec![SquareStray::default(); grid.len()];
    rows::for_each_row(
        &mut squares,
        grid.count.x as usize,
        progress,
        |row, squares| {
            for (column, square) in squares.iter_mut().enumerate() {
                *square = stray::of_square(map, lattice, level, column as i32, row as i32);
            }
        },
    )?;
    Ok(squares)
}
