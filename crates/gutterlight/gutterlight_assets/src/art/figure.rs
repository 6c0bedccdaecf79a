//! Walking figures, written as text from three sides in two steps.
//!
//! West is the mirror image of east. The second step only replaces the two rows of the legs. The
//! dark outline is added by code, so bitmaps leave the outermost pixels free.

use gutterlight_rules::Direction;

use super::canvas::{Bitmap, Canvas, SIDE};

/// The number of walk frames. Larger step numbers wrap around.
pub const STEPS: u8 = 2;

/// The first row of the legs.
const LEGS: i32 = 13;

/// The direction that a figure faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Facing {
    /// Seen from behind.
    North,
    /// Facing right.
    East,
    /// Seen from the front.
    South,
    /// Facing left.
    West,
}

impl Facing {
    /// All directions.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];
}

impl From<Direction> for Facing {
    /// Figures that move diagonally are seen from the side.
    fn from(way: Direction) -> Self {
        match way {
            Direction::North => Self::North,
            Direction::NorthEast | Direction::East | Direction::SouthEast => Self::East,
            Direction::South => Self::South,
            Direction::SouthWest | Direction::West | Direction::NorthWest => Self::West,
        }
    }
}

/// A figure from one side.
pub struct View {
    /// The standing figure.
    pub stands: Bitmap,
    /// The last rows in the second step.
    pub strides: [&'static str; 2],
}

impl View {
    /// Draws a step, without an outline.
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

/// A figure from all sides.
pub struct Views {
    /// From the front.
    pub south: View,
    /// Facing right.
    pub east: View,
    /// From behind.
    pub north: View,
}

impl Views {
    /// Draws a step in a direction, without an outline.
    pub fn draw(&self, facing: Facing, step: u8) -> Canvas {
        match facing {
            Facing::North => self.north.draw(step),
            Facing::East => self.east.draw(step),
            Facing::South => self.south.draw(step),
            Facing::West => self.east.draw(step).mirrored(),
        }
    }
}

/// The appearance of a kind of guard.
pub struct Look {
    /// Standing and walking, with its light on.
    pub views: &'static Views,
    /// The columns of the body seen from the front, without items in the hands. The lying figure is
    /// made from them.
    pub trunk: (i32, i32),
    /// Whether it is drawn with a light that can be out.
    pub light: bool,
    /// Bitmaps for lying on the side and for sleeping, if it does not lie like a person.
    pub lies: Option<[&'static Bitmap; 2]>,
}
