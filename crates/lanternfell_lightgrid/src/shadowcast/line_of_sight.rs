//! Whether one cell is visible from another, without computing a field of view.
//!
//! On each row between the two cells the line is nearest to one cell, which must be open, or passes
//! exactly between two cells. Cells fill the whole space between their edges, so there the line
//! touches both. A wall on one side does not block it, but walls on both sides do, even on
//! different rows:
//!
//! ```text
//!   A # . . .       A # . . .       the line from A to B passes between two cells on the
//!   . . . # .       . . . . .       second and on the fourth step: it can pass along
//!   . . . . B       . . . # B       walls (left), but not between two walls (right)
//! ```
//!
//! Shadowcasting gives the same result for a single ray. A wall that touches the ray on the left
//! moves the left side of the sector onto it, and a wall on the right moves the right side. A
//! sector with both sides on one ray is empty.

use glam::IVec2;

use crate::line::Crossings;

/// Whether the straight line between the centers of two cells is free.
///
/// `is_opaque` is only called for cells between the two. The result is the same in both directions.
/// For open cells it is the same as that of [`FieldOfView`](crate::FieldOfView) with a sufficient
/// radius. A field of view also includes walls of which only a part is visible.
///
/// The cost is proportional to the distance. For more than a few cells seen from one place, a
/// `FieldOfView` is faster.
///
/// ```
/// use glam::IVec2;
/// use lanternfell_lightgrid::line_of_sight;
///
/// let is_pillar = |cell| cell == IVec2::new(3, 3);
/// assert!(!line_of_sight(IVec2::new(1, 1), IVec2::new(9, 9), is_pillar));
/// assert!(line_of_sight(IVec2::new(1, 1), IVec2::new(9, 5), is_pillar));
/// ```
pub fn line_of_sight(from: IVec2, to: IVec2, is_opaque: impl Fn(IVec2) -> bool) -> bool {
    !Crossings::new(from, to).stopped_by(is_opaque)
}
