//! Whoever walks: spelled from three sides, in two steps.
//!
//! The west is the mirror image of the east. In the second step all but the legs stays, so
//! only the two rows of the legs are spelled again. The dark edge around a figure is added by
//! code, so bitmaps leave the outermost pixels free.

use gutterlight_rules::Direction;

use super::canvas::{Bitmap, Canvas, SIDE};

/// Pictures of a step; any other number counts on from there.
pub const STEPS: u8 = 2;

/// The row that the legs begin in.
const LEGS: i32 = 13;

/// One of the four ways that a figure can be drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Facing {
    /// From behind.
    North,
    /// Looking to the right.
    East,
    /// Face to face.
    South,
    /// Looking to the left.
    West,
}

impl Facing {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];
}

impl From<Direction> for Facing {
    /// Who goes over a corner is seen from the side.
    fn from(way: Direction) -> Self {
        match way {
            Direction::North => Self::North,
            Direction::NorthEast | Direction::East | Direction::SouthEast => Self::East,
            Direction::South => Self::South,
            Direction::SouthWest | Direction::West | Direction::NorthWest => Self::West,
        }
    }
}

/// Someone from one side.
pub struct View {
    /// Standing.
    pub stands: Bitmap,
    /// The last rows, in the middle of a step.
    pub strides: [&'static str; 2],
}

impl View {
    /// In this step, without an edge.
    fn draw(&self, step: u8) -> Canvas {
        let mut canvas = Canvas::spelled(&self.stands);
        debug_assert!(
            self.strides.iter().all(|row| row.len() == SIDE as usize),
            "a row is too long or too short: {:#?}",
            self.strides
        );
        if step % STEPS == 1 {
            for y in LEGS..LEGS + self.strides.len() as i32 {
                for x in 0..SIDE {
                    canvas.clear(x, y);
                }
            }
            canvas.spell(0, LEGS, &self.strides);
        }
        canvas
    }
}

/// Someone from all sides.
pub struct Views {
    /// Face to face.
    pub south: View,
    /// Looking to the right.
    pub east: View,
    /// From behind.
    pub north: View,
}

impl Views {
    /// Looking that way, in this step, without an edge.
    pub fn draw(&self, facing: Facing, step: u8) -> Canvas {
        match facing {
            Facing::North => self.north.draw(step),
            Facing::East => self.east.draw(step),
            Facing::South => self.south.draw(step),
            Facing::West => self.east.draw(step).mirrored(),
        }
    }
}

/// How guards of a kind look.
pub struct Look {
    /// Standing and walking, with the light shining.
    pub views: &'static Views,
    /// The columns of the body, seen from the front without what is in the hands: it is laid down
    /// from these.
    pub trunk: (i32, i32),
    /// Whether it is drawn with a light, which can be out.
    pub light: bool,
    /// On its side, and asleep, if it does not lie as people do.
    pub lies: Option<[&'static Bitmap; 2]>,
}
