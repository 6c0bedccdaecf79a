//! Which of a cell's eight neighbors it does not join: what its edges and corners look like.
//!
//! ```text
//!    7 0 1       A bit for each neighbor, clockwise from north, set where the neighbor is
//!    6   2       another thing than the cell. A corner shows only where both sides next to
//!    5 4 3       it join: 47 masks are left of 256.
//! ```

use gutterlight_rules::Direction;

/// The neighbors of a cell that it does not join.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mask(u8);

impl Mask {
    /// All that look different.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=u8::MAX)
            .map(Self)
            .filter(|mask| mask.without_hidden() == *mask)
    }

    /// From what each neighbor is.
    pub fn of(is_open: impl Fn(Direction) -> bool) -> Self {
        let ways = Direction::ALL.into_iter().filter(|way| is_open(*way));
        Self(ways.fold(0, |mask, way| mask | 1 << way as u8)).without_hidden()
    }

    /// Whether the neighbor there is another thing; of a corner, whether that shows.
    pub const fn is_open(self, way: Direction) -> bool {
        self.0 & 1 << way as u8 != 0
    }

    /// Whether it joins all of them.
    pub const fn is_closed(self) -> bool {
        self.0 == 0
    }

    /// The corners left out that do not show.
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
    fn there_are_47() {
        assert_eq!(Mask::all().count(), 47);
        assert!(Mask::all().any(Mask::is_closed));
    }

    #[test]
    fn corners_beside_an_open_side_do_not_show() {
        let mask = Mask::of(|way| matches!(way, Direction::North | Direction::NorthEast));
        assert_eq!(mask, Mask::of(|way| way == Direction::North));
        assert!(!mask.is_open(Direction::NorthEast));
        let mask = Mask::of(|way| way == Direction::NorthEast);
        assert!(mask.is_open(Direction::NorthEast) && !mask.is_closed());
    }
}
