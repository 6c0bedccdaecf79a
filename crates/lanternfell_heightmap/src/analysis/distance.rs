//! The exact distance of each cell from the coast, in O(1) per cell.
//!
//! Problem: the nearest cell of the other type (water for land, land for water) may be anywhere.
//!
//! Idea: use two passes, because squared distances are sums of squares. First, within each column, find the number of
//! rows to the nearest cell of the other type by counting down and up. Then, within each row, find the minimum of
//! `(x - i)^2 + g(i)^2` over all columns `i`, where `g` is the distance within the column. This is the lower envelope
//! of parabolas. One walk to the east builds it, and a second walk reads it:
//!
//! ```text
//!      \   /            Only parabolas that are lowest somewhere stay on the stack.
//!   \   \ /   /         The column where the next one takes over is an integer
//!    `.__v___.'         division, so everything is exact.
//! ```
//!
//! For land only water counts, and vice versa, so there are two envelopes per row.
//!
//! The coast is halfway between a land cell and a water cell, so half a cell is subtracted.
//!
//! Cost: O(1) per cell; columns on one core (limited by memory bandwidth), rows on all. Memory: half of the result, in
//! addition to it.
//!
//! Sources: Meijster, Roerdink and Hesselink, *A general algorithm for computing distance transforms in linear time*,
//! 2000; Felzenszwalb and Huttenlocher, *Distance transforms of sampled functions*, 2012.

use serde::{Deserialize, Serialize};

use super::map_by_rows;
use crate::{Canceled, GenerateError, Heightmap, ParamError, Progress, Scale, is_land};

/// The distance of each cell from the coast in meters: positive on land, negative at sea.
///
/// It is measured between the centers of the cell and of the nearest cell of the other type, minus half a cell. On a
/// map without a coast, it is the diagonal of the map.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CoastDistance {
    /// The height of the sea: see [`is_land`]. Must be finite. Default: 0.5.
    pub sea_level: f32,
}

impl Default for CoastDistance {
    fn default() -> Self {
        Self { sea_level: 0.5 }
    }
}

/// If the number of rows is this or more, the column has no cell of the other type.
const FAR: u16 = 20_000;

impl CoastDistance {
    /// Checks that the sea level is finite.
    pub fn validate(&self) -> Result<(), ParamError> {
        let level = ParamError::shortest(self.sea_level);
        ParamError::check(
            level.is_finite(),
            "coast distance",
            "sea_level",
            level,
            "finite",
        )
    }

    /// Computes the distance of every cell of `map` from the coast.
    ///
    /// # Errors
    /// If the sea level is not finite, the scale is out of range, or the work is canceled.
    pub fn of(
        &self,
        map: &Heightmap,
        scale: Scale,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate()?;
        scale.validate()?;
        let columns = self.columns(map, &progress.span(0.0, 0.3))?;
        let (width, height) = (map.width(), map.height());
        let diagonal = ((width * width + height * height) as f64).sqrt();
        let meters = |square: Option<u32>| {
            let cells = square.map_or(diagonal, |square| f64::from(square).sqrt() - 0.5);
            (cells * f64::from(scale.spacing)) as f32
        };
        let progress = progress.span(0.3, 1.0);
        let distance = map_by_rows(
            map.size(),
            &progress,
            Envelope::default,
            |envelope, y, row| {
                let heights = map.row(y);
                let columns = &columns[y * width..][..width];
                for land in [true, false] {
                    let of_kind = |x: usize| is_land(heights[x], self.sea_level) == land;
                    envelope.build(columns.iter().enumerate().map(|(x, &rows)| {
                        // A cell of the other type is its own nearest one.
                        if of_kind(x) { rows } else { 0 }
                    }));
                    let sign = if land { 1.0 } else { -1.0 };
                    envelope.read(width, |x, square| {
                        if of_kind(x) {
                            row[x] = sign * meters(square);
                        }
                    });
                }
            },
        )?;
        Ok(distance)
    }

    /// For each cell, the number of rows to the nearest cell of the other type in its column.
    fn columns(&self, map: &Heightmap, progress: &Progress) -> Result<Vec<u16>, Canceled> {
        let (width, height) = (map.width(), map.height());
        let mut rows = vec![FAR; map.size().cells()];
        let turns = 2 * (height - 1);
        for y in 1..height {
            let (before, after) = rows.split_at_mut(y * width);
            let from = &before[(y - 1) * width..];
            self.pass_on(map, (y - 1, from), (y, &mut after[..width]));
            progress.step(y, turns)?;
        }
        for y in (0..height - 1).rev() {
            let (before, after) = rows.split_at_mut((y + 1) * width);
            self.pass_on(map, (y + 1, &after[..width]), (y, &mut before[y * width..]));
            progress.step(turns - y, turns)?;
        }
        Ok(rows)
    }

    /// Updates the distances of a row from those of an adjacent row.
    fn pass_on(&self, map: &Heightmap, from: (usize, &[u16]), to: (usize, &mut [u16])) {
        let (heights_from, heights_to) = (map.row(from.0), map.row(to.0));
        let cells = heights_from.iter().zip(from.1).zip(heights_to);
        for (((a, from), b), to) in cells.zip(to.1) {
            let same = is_land(*a, self.sea_level) == is_land(*b, self.sea_level);
            *to = (*to).min(if same { from + 1 } else { 1 });
        }
    }
}

/// The lower envelope of the parabolas `(x - column)^2 + rows^2`.
#[derive(Debug, Default)]
struct Envelope {
    parabolas: Vec<Parabola>,
}

#[derive(Debug, Clone, Copy)]
struct Parabola {
    column: i32,
    /// `rows^2`; less than 2^28.
    square: i32,
    /// The first column where it is the lowest.
    from: i32,
}

impl Envelope {
    /// Builds the envelope from the rows of each column. Columns of [`FAR`] rows have no parabola.
    fn build(&mut self, rows: impl Iterator<Item = u16>) {
        self.parabolas.clear();
        for (column, rows) in (0..).zip(rows) {
            if rows >= FAR {
                continue;
            }
            let square = i32::from(rows) * i32::from(rows);
            let mut from = 0;
            while let Some(last) = self.parabolas.last() {
                from = last.overtaken_by(column, square);
                if from > last.from {
                    break;
                }
                self.parabolas.pop();
                from = 0;
            }
            self.parabolas.push(Parabola {
                column,
                square,
                from,
            });
        }
    }

    /// Calls `take` with the smallest squared distance of every column, or `None` if there is no parabola.
    fn read(&self, width: usize, mut take: impl FnMut(usize, Option<u32>)) {
        if self.parabolas.is_empty() {
            (0..width).for_each(|x| take(x, None));
        }
        for (k, parabola) in self.parabolas.iter().enumerate() {
            let end = self
                .parabolas
                .get(k + 1)
                .map_or(width as i32, |next| next.from);
            for x in parabola.from..end.min(width as i32) {
                let along = x - parabola.column;
                take(x as usize, Some((along * along + parabola.square) as u32));
            }
        }
    }
}

impl Parabola {
    /// The first column where another parabola, further east, is below this one.
    fn overtaken_by(&self, column: i32, square: i32) -> i32 {
        // It is below where `2 x (column - self.column)` exceeds the difference of these sums, which are less than
        // 2^29.
        let own = self.column * self.column + self.square;
        let other = column * column + square;
        (other - own).div_euclid(2 * (column - self.column)) + 1
    }
}
