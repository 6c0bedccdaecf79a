//! Masks that drown the edge of a map.
//!
//! Problem: simplex noise has no edge, so the map's cuts through islands.
//!
//! Idea: multiply every height by a factor that is 1 in the middle and falls smoothly to
//! exactly 0 on the outermost cells.
//!
//! ```text
//!  1 |       ________
//!    |     /          \          the factor along a row through the middle
//!  0 |__.-'____________'-.__
//!      west            east
//! ```
//!
//! Steps: each axis runs from -1 on the first cell to 1 on the last. The distance from
//! the middle is the length of the two (radial: a circle, an ellipse where the map is not
//! square) or the larger of them (square: a rectangle). Up to [`PLATEAU`] the factor is
//! 1, from there it follows `1 - 3 f^2 + 2 f^3`.

use crate::{MapSize, parameter::choices};

/// Up to this part of the way to the edge the heights stay as they are.
const PLATEAU: f64 = 0.5;

choices! {
    /// What happens to an island map's edge.
    pub enum Mask {
        /// Nothing: the map is a window on an endless archipelago.
        None = "none",
        /// Heights fall to 0 on the ellipse that touches the edges, and are 0 beyond it.
        Radial = "radial",
        /// Heights fall to 0 on the edges, along rectangles.
        Square = "square",
    }
    default None
}

impl Mask {
    /// The factors for row `y` of a map of `width` by `height` cells.
    pub(crate) fn apply(self, y: usize, height: usize, row: &mut [f32]) {
        self.along_row(y, height, 0, row.len(), row);
    }

    /// The factors for the cells from `(x, y)` eastwards of a map of the world's size.
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

/// Where cell `index` of `count` lies, from -1 to 1, both exact.
fn along(index: usize, count: usize) -> f64 {
    let half = (count - 1) as f64 / 2.0;
    (index as f64 - half) / half
}

/// 1 up to the plateau's edge, 0 from distance 1.
fn fall_off(distance: f64) -> f64 {
    let f = ((distance - PLATEAU) / (1.0 - PLATEAU)).clamp(0.0, 1.0);
    1.0 - f * f * (3.0 - 2.0 * f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edge_is_exactly_zero_and_the_middle_untouched() {
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
    fn the_radial_mask_drowns_more_than_the_square_one() {
        let (mut round, mut square) = ([1.0_f32; 21], [1.0_f32; 21]);
        Mask::Radial.apply(2, 21, &mut round);
        Mask::Square.apply(2, 21, &mut square);
        assert!(round.iter().zip(&square).all(|(r, s)| r <= s));
        assert_eq!(round[3], 0.0);
        assert!(square[3] > 0.0);
    }
}
