//! Whether one cell is seen from another, without looking at all the rest.
//!
//! On each row between the two the line is nearest to one cell, which must be open, or
//! passes exactly between two. Walls take up the whole stretch between their borders, so
//! there it touches both cells. One wall alone does not stop it, but walls on both of its sides
//! do, even on different rows:
//!
//! ```text
//!   A # . . .       A # . . .       from A to B the line passes between two cells on the
//!   . . . # .       . . . . .       second and on the fourth step: it can slide along
//!   . . . . B       . . . # B       walls (free), but not squeeze through (blocked)
//! ```
//!
//! That is what shadowcasting comes to for a single ray. A wall that touches it on the left
//! moves its sector's left side onto it, a wall on the right the right side; and a
//! sector with both of its sides on one ray holds nothing.

use glam::IVec2;

use crate::line::Crossings;

/// Whether the straight line between two cells' centers is free.
///
/// Only the cells between the two are asked about. The answer is the same in both
/// directions, and for open cells the same as [`FieldOfView`](crate::FieldOfView)'s with a
/// radius that is large enough. (A view also has walls of which only a part is seen.) It
/// takes time in proportion to the distance; for more than a few cells seen from one
/// place a `FieldOfView` is faster.
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
