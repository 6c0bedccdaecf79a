//! Computes the errors of all diamonds, from the finest level up.

use std::mem::size_of;

use glam::IVec2;

use crate::surface::SizeMismatch;
use lanternfell_heightmap::{Canceled, Heightmap, HoleMask, MapSize, Progress, rows};

use super::{
    SIDE,
    lattice::{DiamondGrid, Lattice, RightTriangle},
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
        let lattice = Lattice::new(map.size(), side);
        let mut levels = vec![Vec::new(); lattice.finest as usize + 1];
        // The finest level is even, so this visits the even levels down to 0. A bound needs those
        // of the next two levels, hence an odd level right before its even one.
        for level in (0..=lattice.finest).rev().step_by(2) {
            // A level has a quarter of the next one's squares.
            let share = |level: u32| 0.25_f32.powi((lattice.finest - level) as i32 / 2);
            let span = progress.span(1.0 - share(level), 1.0 - share(level) / 4.0);
            let squares = measure(map, &lattice, level, &span)?;
            if level < lattice.finest {
                levels[level as usize + 1] = odd_level(&lattice, level + 1, &levels, &squares);
            }
            levels[level as usize] = even_level(&lattice, level, &levels, &squares);
        }
        Ok(Self {
            lattice,
            levels,
            outlines: None,
        })
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
        let bounds = self
            .levels
            .iter()
            .map(|level| level.len() * size_of::<Bound>());
        bounds.sum::<usize>() + self.outlines.as_ref().map_or(0, Outlines::bytes)
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

/// The bounds of the squares of an even level. The error is the stray of the square itself plus
/// the largest error of the four diamonds on its sides. The range is that of its quarters.
fn even_level(
    lattice: &Lattice,
    level: u32,
    levels: &[Vec<Bound>],
    squares: &[SquareStray],
) -> Vec<Bound> {
    let grid = lattice.diamonds(level);
    if level == lattice.finest {
        let bound = |square: &SquareStray| Bound {
            error: square.even,
            low: square.low,
            high: square.high,
        };
        return squares.iter().map(bound).collect();
    }
    bounds(grid, |place| {
        let known = |deeper: u32, x: i32, y: i32| {
            // Beyond the border there is no diamond, and `NOTHING` is neutral in `join`.
            let index = lattice
                .diamonds(level + deeper)
                .index_at(2 * place + IVec2::new(x, y));
            index.map_or(Bound::NOTHING, |index| {
                levels[(level + deeper) as usize][index]
            })
        };
        let sides = [(1, 0), (0, 1), (1, 2), (2, 1)].map(|(x, y)| known(1, x, y));
        let quarters = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| known(2, x, y));
        let below = sides.into_iter().fold(Bound::NOTHING, Bound::join).error;
        // Errors add up: the drawn triangles differ from the next finer ones by the stray, and
        // those from the cells by `below`. The sum is also never smaller than a child, as `cut`
        // requires.
        let error = squares[grid.at(place)].even + below;
        Some(Bound {
            error,
            ..quarters.into_iter().fold(Bound::NOTHING, Bound::join)
        })
    })
}

/// The bounds of the diamonds of an odd level, each on a side between two squares. The error is
/// the stray of its two triangles plus the largest error of the up to four squares of the next
/// level that it overlaps.
fn odd_level(
    lattice: &Lattice,
    level: u32,
    levels: &[Vec<Bound>],
    squares: &[SquareStray],
) -> Vec<Bound> {
    let grid = lattice.diamonds(level);
    let around = lattice.diamonds(level - 1);
    let below = lattice.diamonds(level + 1);
    bounds(grid, |place| {
        // Middles of sides have an odd sum in the lattice of half squares. The other points are
        // corners and centers.
        if (place.x + place.y) % 2 == 0 {
            return None;
        }
        let square = place.div_euclid(IVec2::splat(2));
        // The squares on both sides, and the index of the triangle of each that is at the side.
        let sides = if place.y % 2 == 0 {
            [(square - IVec2::Y, 2), (square, 0)]
        } else {
            [(square - IVec2::X, 3), (square, 1)]
        };
        let stray = sides
            .into_iter()
            .filter_map(|(square, triangle)| Some(squares[around.index_at(square)?].odd[triangle]));
        let children = [(0, 0), (-1, 0), (0, -1), (-1, -1)]
            .into_iter()
            .filter_map(|(x, y)| {
                Some(levels[level as usize + 1][below.index_at(place + IVec2::new(x, y))?])
            });
        let children = children.fold(Bound::NOTHING, Bound::join);
        Some(Bound {
            error: stray.fold(0.0, f32::max) + children.error,
            ..children
        })
    })
}

fn bounds(grid: DiamondGrid, bound: impl Fn(IVec2) -> Option<Bound>) -> Vec<Bound> {
    grid.places()
        .map(|place| bound(place).unwrap_or(Bound::NOTHING))
        .collect()
}
