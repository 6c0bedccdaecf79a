//! Masks that lower the border of a map to 0.
//!
//! Problem: a simplex noise plane is endless, so the border of the map cuts through islands.
//!
//! Idea: multiply every height by a factor that is 1 in the middle and falls smoothly to exactly 0 on the outermost
//! cells.
//!
//! ```text
//!  1 |       ________
//!    |     /          \          the factor along a row through the middle
//!  0 |__.-'____________'-.__
//!      west            east
//! ```
//!
//! Steps: each axis runs from -1 at the first cell to 1 at the last. The distance from the middle is the length of this
//! vector (radial: a circle, or an ellipse if the map is not square) or the larger coordinate (square: a rectangle). Up
//! to [`PLATEAU`] the factor is 1, and from there it follows `1 - 3 f^2 + 2 f^3`.

use crate::{MapSize, parameter::choices};

/// The distance from the middle, as a fraction of the distance to the border, up to which heights do not change.
const PLATEAU: f64 = 0.5;

choices! {
    /// How the terrain falls off at the border of the map.
    pub enum Mask {
        /// No mask: the map is a section of an endless archipelago.
        None = "none",
        /// Heights fall to 0 on the ellipse that touches the border, and are 0 outside it.
        Radial = "radial",
        /// Heights fall to 0 on the border, along rectangles.
        Square = "square",
    }
    default None
}

impl Mask {
    /// Applies the mask to row `y` of a map with `height` rows.
    pub(crate) fn apply(self, y: usize, height: usize, row: &mut [f32]) {
        self.along_row(y, height, 0, row.len(), row);
    }

    /// Applies the mask to the cells from `(x, y)` eastwards of a map with the size of the world.
    pub(crate) fn apply_from(self, (x, y): (usize, usize), world: MapSize, row: &mut [f32]) {
        self.along_row(y, world.height(), x, world.width(), row);
    }

    fn along_row(self, y: usize, height: usize, first: usize, width: usize, row: &mut [f32]) {
        let v = along(y, height);
        for (x, z) in (first..).zip(row) {
            let u = along(x, width);
            let distance = match self {
                Self::None => return,
                Self::Radial => (u * u + v * v).sqrt(),
                Self::Square => u.abs().max(v.abs()),
            };
            *z = (f64::from(*z) * fall_off(distance)) as f32;
        }
    }
}

/// The position of cell `index` of `count`, from exactly -1 to exactly 1.
fn along(index: usize, count: usize) -> f64 {
    let half = (count - 1) as f64 / 2.0;
    (index as f64 - half) / half
}

/// The factor: 1 up to the edge of the plateau, 0 from distance 1.
fn fall_off(distance: f64) -> f64 {
    let f = ((distance - PLATEAU) / (1.0 - PLATEAU)).clamp(0.0, 1.0);
    1.0 - f * f * (3.0 - 2.0 * f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mask_is_zero_at_the_border_and_one_in_the_middle() {
        for mask in [Mask::Radial, Mask::Square] {
            for (width, height) in [(9, 9), (2, 2), (3, 2), (64, 31), (7, 100)] {
                let mut rows = vec![vec![1.0_f32; width]; height];
                for (y, row) in rows.iter_mut().enumerate() {
                    mask.apply(y, height, row);
                    assert_eq!((row[0], row[width - 1]), (0.0, 0.0), "{mask:?} row {y}");
                    assert!(
                        row.iter().all(|z| (0.0..=1.0).contains(z)),
                        "{mask:?} row {y}"
                    );
                }
                assert!(
                    rows[0].iter().chain(&rows[height - 1]).all(|&z| z == 0.0),
                    "{mask:?}, {width}x{height}"
                );
                if width > 6 {
                    assert_eq!(
                        rows[height / 2][width / 2],
                        1.0,
                        "{mask:?}, {width}x{height}"
                    );
                }
            }
        }
    }

    #[test]
    fn radial_mask_lowers_more_than_square_mask() {
        let (mut round, mut square) = ([1.0_f32; 21], [1.0_f32; 21]);
        Mask::Radial.apply(2, 21, &mut round);
        Mask::Square.apply(2, 21, &mut square);
        assert!(round.iter().zip(&square).all(|(r, s)| r <= s));
        assert_eq!(round[3], 0.0);
        assert!(square[3] > 0.0);
    }
}
