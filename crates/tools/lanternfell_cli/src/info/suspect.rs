//! Finds a number that probably means "no height", although the file does not declare it.
//!
//! Many cells with exactly the same lowest (or highest) height, and then nothing for a wide range of heights, are
//! typical for undeclared no-data values: -9999, -32768, 0 at the edge of a warped map, or 65535.
//!
//! ```text
//!   cells
//!    |
//!    #                                      ##### ##
//!    #                                  #############
//!   -9999                               120        900
//!    | <------- wider than ----------> | <- the rest -> |
//! ```

use lanternfell_heightmap::{Canceled, Progress, analysis::HeightRows};

/// The share of cells above which an extreme height is suspected.
const SHARE: f64 = 0.001;

/// An extreme height that many cells share, far from all others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Suspect {
    pub(super) height: f32,
    /// The share of cells, from 0 to 1.
    pub(super) share: f64,
    /// The lowest and the highest of the other heights.
    pub(super) rest: (f32, f32),
}

impl Suspect {
    /// Finds the suspect of a map whose heights have this range.
    pub(super) fn of(
        map: &(impl HeightRows + ?Sized),
        (low, high): (f32, f32),
        progress: &Progress,
    ) -> Result<Option<Self>, Canceled> {
        let (mut lows, mut highs) = (0_u64, 0_u64);
        // The second lowest and the second highest height.
        let (mut above, mut below) = (high, low);
        let rows = map.size().height();
        for y in 0..rows {
            progress.step(y, rows)?;
            map.show(y, &mut |row| {
                for &z in row {
                    if z == low {
                        lows += 1;
                    } else {
                        above = above.min(z);
                    }
                    if z == high {
                        highs += 1;
                    } else {
                        below = below.max(z);
                    }
                }
            });
        }
        let share = |count: u64| count as f64 / map.size().cells() as f64;
        let candidates = [
            (low, share(lows), (above, high)),
            (high, share(highs), (low, below)),
        ];
        let found = candidates.into_iter().find(|&(height, share, rest)| {
            let apart = if height < rest.0 {
                f64::from(rest.0) - f64::from(height)
            } else {
                f64::from(height) - f64::from(rest.1)
            };
            let wide = f64::from(rest.1) - f64::from(rest.0);
            // Two heights alone are a mask.
            share > SHARE && wide > 0.0 && apart > wide
        });
        Ok(found.map(|(height, share, rest)| Self {
            height,
            share,
            rest,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::{Heightmap, MapSize};

    fn suspect(height: impl Fn(usize) -> f32) -> Option<Suspect> {
        let size = MapSize::new(50, 40).unwrap();
        let map = Heightmap::from_heights(size, (0..2000).map(height).collect()).unwrap();
        Suspect::of(&map, map.range(), &Progress::default()).unwrap()
    }

    #[test]
    fn finds_shared_extremes_far_from_the_rest() {
        let terrain = |cell: usize| 120.0 + (cell % 780) as f32;
        for number in [-9999.0, -32_768.0, f32::MIN, 65_535.0] {
            let found = suspect(|cell| if cell < 20 { number } else { terrain(cell) });
            let found = found.unwrap();
            assert_eq!((found.height, found.share), (number, 0.01));
            assert_eq!(found.rest, (120.0, 899.0));
        }
        // Too few cells, and a single peak.
        assert_eq!(
            suspect(|cell| if cell < 2 { -9999.0 } else { terrain(cell) }),
            None
        );
        assert_eq!(
            suspect(|cell| if cell < 1 { 9999.0 } else { terrain(cell) }),
            None
        );
        // A sea below hills, plain terrain, a mask, and flat terrain.
        assert_eq!(
            suspect(|cell| if cell < 900 { 0.0 } else { terrain(cell) }),
            None
        );
        assert_eq!(suspect(terrain), None);
        assert_eq!(suspect(|cell| (cell % 3 / 2) as f32), None);
        assert_eq!(suspect(|_| 5.0), None);
    }
}
