//! The neighbors of a cell that it does not join, which determine its edges and corners.
//!
//! ```text
//!    7 0 1       One bit per neighbor, clockwise from north, set where the neighbor is
//!    6   2       different from the cell. A corner only shows where the cell joins both
//!    5 4 3       adjacent sides: of the 256 masks, 47 remain.
//! ```

use gutterlight_rules::Direction;

/// The neighbors of a cell that it does not join.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mask(u8);

impl Mask {
    /// All masks that look different.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=u8::MAX)
            .map(Self)
            .filter(|mask| mask.without_hidden() == *mask)
    }

    /// Creates a mask. `is_open` is whether the cell does not join a neighbor.
    pub fn of(is_open: impl Fn(Direction) -> bool) -> Self {
        let ways = Direction::ALL.into_iter().filter(|way| is_open(*way));
        Self(ways.fold(0, |mask, way| mask | 1 << way as u8)).without_hidden()
    }

    /// Whether the neighbor is different. For a corner, whether that shows.
    pub const fn is_open(self, way: Direction) -> bool {
        self.0 & 1 << way as u8 != 0
    }

    /// Whether the cell joins all neighbors.
    pub const fn is_closed(self) -> bool {
        self.0 == 0
    }

    /// Removes corners that do not show.
    fn without_hidden(self) -> Self {
        let hidden = |way: &Direction| {
            way.is_diagonal() && (self.is_open(way.turned(-1)) || self.is_open(way.turned(1)))
        };
        let ways = Direction::ALL.into_iter().filter(hidden);
        Self(ways.fold(self.0, |mask, way| mask & !(1 << way as u8)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_has_47_masks() {
        assert_eq!(Mask::all().count(), 47);
        assert!(Mask::all().any(Mask::is_closed));
    }

    #[test]
    fn corners_next_to_open_sides_are_hidden() {
        let mask = Mask::of(|way| matches!(way, Direction::North | Direction::NorthEast));
        assert_eq!(mask, Mask::of(|way| way == Direction::North));
        assert!(!mask.is_open(Direction::NorthEast));
        let mask = Mask::of(|way| way == Direction::NorthEast);
        assert!(mask.is_open(Direction::NorthEast) && !mask.is_closed());
    }
}
