//! Cropping and repeating maps, and making them tileable.
//!
//! Problem: a repeated map shows its seams.
//!
//! Idea: a map that is shifted by half its size (with wrap-around) fits to itself at its border,
//! because the cells there were adjacent. Its seams are now in the middle. So use the shifted map
//! at the border and the original in the middle, with a smooth cross-fade.
//!
//! ```text
//!   original       a b c d e f g h
//!   shifted        e f g h|a b c d
//!   cross-faded    e f c d e f c d|e f c d ...
//! ```
//!
//! Cost: four heights are read per cell; one additional map in memory.
//!
//! Source: the *offset* filter of image editors, replaced by a cross-fade.

use super::{Filter, apply::Apply, finite, part::Locality, remake, smooth_step};
use crate::{
    FilterContext, GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress, Scale,
    SizeError,
};

impl Heightmap {
    /// The rectangle of `size` whose north-western cell is `(x, y)` in this map.
    ///
    /// # Errors
    /// If the rectangle is not within the map.
    pub fn cropped(&self, (x, y): (usize, usize), size: MapSize) -> Result<Self, ParamError> {
        let check = |name, part: usize, from: usize, whole: usize| {
            let least = whole.checked_sub(part);
            let fits = least.is_some_and(|most| from <= most);
            let allowed = match least {
                Some(most) => format!("at most {most} to crop {part} of {whole} cells"),
                None => format!("in a map of at least {part} cells; this one has {whole}"),
            };
            ParamError::check(fits, "crop", name, from as f64, allowed)
        };
        check("x", size.width(), x, self.width())?;
        check("y", size.height(), y, self.height())?;
        let mut map = Self::flat(size);
        for (row, y) in map.heights_mut().chunks_mut(size.width()).zip(y..) {
            row.copy_from_slice(&self.row(y)[x..][..size.width()]);
        }
        Ok(map)
    }

    /// Tiles the map `columns` times to the east and `rows` times to the south.
    ///
    /// The seams are visible unless the map is [`Seamless`](crate::Filter::Seamless).
    ///
    /// # Errors
    /// If the result would be too large or empty.
    pub fn repeated(&self, columns: usize, rows: usize) -> Result<Self, SizeError> {
        let times = |side: usize, count: usize| (side as u64).saturating_mul(count as u64);
        let size = MapSize::new(times(self.width(), columns), times(self.height(), rows))?;
        let mut map = Self::flat(size);
        for (y, row) in map.heights_mut().chunks_mut(size.width()).enumerate() {
            for part in row.chunks_mut(self.width()) {
                part.copy_from_slice(self.row(y % self.height()));
            }
        }
        Ok(map)
    }
}

/// Cross-fades the map with itself, shifted by half its size, over this fraction of each side.
pub(super) struct Seamless(pub(super) f64);

impl Apply for Seamless {
    fn validate(&self) -> Result<(), ParamError> {
        Filter::Seamless(self.0).check_bounds()
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let (width, height) = (map.width(), map.height());
        let weights = |count: usize| -> Vec<f64> {
            // The outermost cells come from the shifted map, where they are neighbors. So opposite
            // sides fit exactly, however small the fraction is. In the middle, where the shifted
            // map has its seam, its weight must be 0.
            let seam = (count / 2 - 1) as f64;
            let reach = (2.0 * self.0 * seam).max(1.0);
            let distance = |k: usize| k.min(count - 1 - k) as f64;
            (0..count)
                .map(|k| smooth_step(distance(k) / reach))
                .collect()
        };
        let (along, across) = (weights(width), weights(height));
        Ok(remake(
            map,
            1,
            progress,
            || (),
            |(), map, y, row| {
                let (near, far) = (map.row(y), map.row((y + height / 2) % height));
                let down = across[y];
                for (x, z) in row.iter_mut().enumerate() {
                    let shifted = (x + width / 2) % width;
                    let mixed =
                        |row: &[f32]| mix(f64::from(row[shifted]), f64::from(row[x]), along[x]);
                    *z = finite(mix(mixed(far), mixed(near), down));
                }
            },
        )?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::Whole("it joins opposite sides of the map")
    }
}

/// Interpolates from `a` (0) to `b` (1).
fn mix(a: f64, b: f64, share: f64) -> f64 {
    (1.0 - share) * a + share * b
}
