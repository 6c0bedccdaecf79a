//! A tree as plain numbers, to send it to where the same map is: another process or a browser's
//! worker.
//!
//! ```text
//!   error low high   error low high   ...      for each diamond, the coarsest level first
//!   even n w s e     even n w s e     ...      for each square of the even levels: its strays
//!   cover error      cover error      ...      for the outline of each diamond, if there are holes
//! ```

use crate::surface::NumbersError;
use lanternfell_heightmap::MapSize;

use super::{
    DetailTree, SIDE, error::Bound, lattice::Lattice, outline::Outlines, stray::SquareStray,
};

/// The count of numbers per diamond, per square, and per outline.
const OF_BOUND: usize = 3;
const OF_SQUARE: usize = 5;
const OF_OUTLINE: usize = 2;

const WHAT: &str = "detail tree";

impl DetailTree {
    /// Returns all values as plain numbers, from which [`from_numbers`](Self::from_numbers) creates
    /// an equal tree.
    ///
    /// ```
    /// use lanternfell_heightmap::{Heightmap, MapSize, Progress};
    /// use lanternfell_surface::detail::DetailTree;
    ///
    /// let map = Heightmap::from_fn(MapSize::new(300, 200)?, |x, y| (x * y) as f32)?;
    /// let tree = DetailTree::new(&map, &Progress::default())?;
    /// let numbers: Vec<f32> = tree.numbers().collect();
    /// assert_eq!(DetailTree::from_numbers(map.size(), &numbers)?, tree);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn numbers(&self) -> impl Iterator<Item = f32> {
        let bounds = self.levels.iter().flatten();
        let bounds = bounds.flat_map(|bound| [bound.error, bound.low, bound.high]);
        let squares = self.squares.iter().flatten();
        let squares = squares.flat_map(|square| [square.even].into_iter().chain(square.odd));
        let numbers = bounds.chain(squares);
        numbers.chain(self.outlines.iter().flat_map(Outlines::numbers))
    }

    /// Creates a tree from its [`numbers`](Self::numbers). The caller must make sure that they
    /// belong to the map: for another map, [`cut`](Self::cut) chooses the wrong patches.
    ///
    /// # Errors
    /// If the count does not match a map of this size, or a number is invalid at its position.
    pub fn from_numbers(size: MapSize, numbers: &[f32]) -> Result<Self, NumbersError> {
        let (what, found) = (WHAT, numbers.len());
        let lattice = Lattice::new(size, SIDE);
        let diamonds = |level| lattice.diamonds(level).len();
        let squares: usize = (0..=lattice.finest).step_by(2).map(diamonds).sum();
        let diamonds: usize = (0..=lattice.finest).map(diamonds).sum();
        let least = OF_BOUND * diamonds + OF_SQUARE * squares;
        // Checked before memory is allocated.
        if found != least && found != least + OF_OUTLINE * diamonds {
            return Err(NumbersError::Count { what, size, found });
        }
        let value = |index: usize| NumbersError::Value {
            what,
            index,
            found: numbers[index],
        };
        let (rest, outlines) = numbers.split_at(least);
        let (bounds, squares) = rest.split_at(OF_BOUND * diamonds);
        let levels = levels(&lattice, bounds).map_err(value)?;
        let squares = self::squares(&lattice, squares, &levels)
            .map_err(|index| value(OF_BOUND * diamonds + index))?;
        let outlines = (!outlines.is_empty())
            .then(|| Outlines::from_numbers(&lattice, outlines))
            .transpose()
            .map_err(|index| value(least + index))?;
        Ok(Self {
            lattice,
            levels,
            squares,
            outlines,
        })
    }
}

/// Returns the bounds of all diamonds, or the index of the first invalid number.
fn levels(lattice: &Lattice, numbers: &[f32]) -> Result<Vec<Vec<Bound>>, usize> {
    let (triples, _) = numbers.as_chunks::<OF_BOUND>();
    for (place, &[error, low, high]) in triples.iter().enumerate() {
        if !error.is_finite() || error < 0.0 {
            return Err(OF_BOUND * place);
        }
        let is_range = low.is_finite() && high.is_finite() && low <= high;
        // Diamonds outside the map have an empty range. The first diamond covers the map.
        let is_nothing = low == f32::INFINITY && high == f32::NEG_INFINITY && place > 0;
        if !is_range && !is_nothing {
            return Err(OF_BOUND * place + 1);
        }
    }
    let mut bounds = triples
        .iter()
        .map(|&[error, low, high]| Bound { error, low, high });
    let levels = (0..=lattice.finest).map(|level| {
        let length = lattice.diamonds(level).len();
        bounds.by_ref().take(length).collect()
    });
    Ok(levels.collect())
}

/// Returns the squares of the even levels, or the index of the first invalid number.
fn squares(
    lattice: &Lattice,
    numbers: &[f32],
    levels: &[Vec<Bound>],
) -> Result<Vec<Vec<SquareStray>>, usize> {
    let is_stray = |number: &f32| number.is_finite() && *number >= 0.0;
    if let Some(index) = numbers.iter().position(|number| !is_stray(number)) {
        return Err(index);
    }
    let (fives, _) = numbers.as_chunks::<OF_SQUARE>();
    let mut fives = fives.iter();
    let squares = (0..=lattice.finest).step_by(2).map(|level| {
        let of_level = levels[level as usize].iter().zip(fives.by_ref());
        let square = |(bound, &[even, north, west, south, east]): (&Bound, &[f32; OF_SQUARE])| {
            // Only the finest squares have a range of their own.
            let (low, high) = match level == lattice.finest {
                true => (bound.low, bound.high),
                false => (0.0, 0.0),
            };
            SquareStray {
                even,
                odd: [north, west, south, east],
                low,
                high,
            }
        };
        of_level.map(square).collect()
    });
    Ok(squares.collect())
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use lanternfell_random::SeededRng;

    use super::*;
    use lanternfell_heightmap::{Heightmap, HoleMask, Progress};

    fn tree(width: u64, height: u64, holes: bool) -> DetailTree {
        let mut rng = SeededRng::new(5, b"numbers ");
        let size = MapSize::new(width, height).unwrap();
        let heights = (0..size.cells()).map(|_| rng.unit() as f32).collect();
        let map = Heightmap::from_heights(size, heights).unwrap();
        let tree = DetailTree::new(&map, &Progress::default()).unwrap();
        let mut mask = HoleMask::none(size);
        mask.set_disc(Vec2::new(20.0, 30.0), if holes { 15.5 } else { -1.0 }, true);
        tree.with_holes(&mask).unwrap()
    }

    #[test]
    fn tree_round_trips_through_numbers() {
        for (width, height) in [(2, 2), (65, 64), (66, 300), (513, 200)] {
            for holes in [false, true] {
                let tree = tree(width, height, holes && width > 2);
                let numbers: Vec<f32> = tree.numbers().collect();
                let found = DetailTree::from_numbers(tree.size(), &numbers);
                assert_eq!(found, Ok(tree), "{width} x {height}, {holes}");
            }
        }
    }

    #[test]
    fn rejects_invalid_numbers() {
        let tree = tree(300, 200, true);
        let numbers: Vec<f32> = tree.numbers().collect();
        let size = tree.size();
        let without_holes = self::tree(300, 200, false).numbers().count();
        for found in [0, 1, without_holes - 1, numbers.len() - 1] {
            let error = DetailTree::from_numbers(size, &numbers[..found]).unwrap_err();
            let what = WHAT;
            assert_eq!(error, NumbersError::Count { what, size, found });
        }
        for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1e30, 0.5] {
            let mut refused = 0;
            for index in 0..numbers.len() {
                let mut numbers = numbers.clone();
                numbers[index] = wrong;
                refused += usize::from(DetailTree::from_numbers(size, &numbers).is_err());
            }
            // 0.5 is valid as a height or an error, but not as a cover. -1e30 is also valid as a
            // lower bound.
            let least = if wrong.is_finite() { 1 } else { 4 };
            assert!(refused >= least * numbers.len() / 5, "{wrong}: {refused}");
        }
        // The first diamond covers the map, so its range must not be empty.
        let mut nothing = numbers;
        (nothing[1], nothing[2]) = (f32::INFINITY, f32::NEG_INFINITY);
        assert!(DetailTree::from_numbers(size, &nothing).is_err());
    }
}
