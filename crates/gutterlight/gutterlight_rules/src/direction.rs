//! The eight directions.

use glam::IVec2;
use serde::{Deserialize, Serialize};

/// One of the eight directions, clockwise from north. North is up, which is -y.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[expect(missing_docs, reason = "they are the compass directions")]
pub enum Direction {
    #[default]
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};

impl Direction {
    /// All directions, clockwise from north.
    pub const ALL: [Self; 8] = [
        North, NorthEast, East, SouthEast, South, SouthWest, West, NorthWest,
    ];

    /// The four directions along rows and columns, clockwise from north.
    pub const STRAIGHT: [Self; 4] = [North, East, South, West];

    /// The offset to the next cell in this direction.
    pub const fn step(self) -> IVec2 {
        match self {
            North => IVec2::new(0, -1),
            NorthEast => IVec2::new(1, -1),
            East => IVec2::new(1, 0),
            SouthEast => IVec2::new(1, 1),
            South => IVec2::new(0, 1),
            SouthWest => IVec2::new(-1, 1),
            West => IVec2::new(-1, 0),
            NorthWest => IVec2::new(-1, -1),
        }
    }

    /// Whether it is diagonal.
    pub const fn is_diagonal(self) -> bool {
        self as u8 % 2 == 1
    }

    /// The direction after a clockwise turn by this many eighths of a circle.
    pub fn turned(self, eighths: i32) -> Self {
        Self::ALL[(self as i32 + eighths).rem_euclid(8) as usize]
    }

    /// The opposite direction.
    pub fn opposite(self) -> Self {
        self.turned(4)
    }

    /// The angle between two directions in eighths of a circle, from 0 to 4.
    pub fn apart(self, other: Self) -> u32 {
        let eighths = (self as i32 - other as i32).rem_euclid(8);
        eighths.min(8 - eighths) as u32
    }

    /// The direction nearest to the line from one cell to another. `None` if the cells are the
    /// same.
    ///
    /// The result is straight if the line is within 22.5 degrees of it: tan(22.5°) = 0.41421,
    /// approximated as 29 / 70.
    pub fn towards(from: IVec2, to: IVec2) -> Option<Self> {
        let (dx, dy) = (
            i64::from(to.x) - i64::from(from.x),
            i64::from(to.y) - i64::from(from.y),
        );
        let column = if dx.abs() * 70 > dy.abs() * 29 {
            dx.signum()
        } else {
            0
        };
        let row = if dy.abs() * 70 > dx.abs() * 29 {
            dy.signum()
        } else {
            0
        };
        let step = IVec2::new(column as i32, row as i32);
        Self::ALL.into_iter().find(|way| way.step() == step)
    }

    /// The English name: `north-west`.
    pub const fn name(self) -> &'static str {
        match self {
            North => "north",
            NorthEast => "north-east",
            East => "east",
            SouthEast => "south-east",
            South => "south",
            SouthWest => "south-west",
            West => "west",
            NorthWest => "north-west",
        }
    }
}

/// The number of steps between two cells if every step may be diagonal.
pub fn steps_between(a: IVec2, b: IVec2) -> u32 {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn towards_returns_the_nearest_direction() {
        for x in -30..=30 {
            for y in -30..=30 {
                let to = IVec2::new(x, y);
                let Some(way) = Direction::towards(IVec2::ZERO, to) else {
                    assert_eq!(to, IVec2::ZERO);
                    continue;
                };
                let cosine = |way: Direction| {
                    let step = way.step().as_vec2();
                    step.dot(to.as_vec2()) / step.length()
                };
                let best = Direction::ALL
                    .into_iter()
                    .map(cosine)
                    .fold(f32::MIN, f32::max);
                assert!(
                    cosine(way) >= best - 1e-3 * to.as_vec2().length(),
                    "{to}: {way:?}"
                );
            }
        }
    }

    #[test]
    fn turned_and_apart_agree() {
        for way in Direction::ALL {
            for eighths in -9..=9_i32 {
                let around = eighths.rem_euclid(8);
                assert_eq!(
                    way.apart(way.turned(eighths)),
                    around.min(8 - around) as u32,
                    "{way:?} by {eighths}"
                );
            }
            assert_eq!(way.step(), -way.opposite().step(), "{way:?}");
            assert_eq!(Direction::towards(IVec2::ZERO, way.step()), Some(way));
        }
    }
}
