//! The terrain ruggedness index (TRI).
//!
//! It is the square root of the sum of the squared height differences to the eight neighbors. A plain has 0, and a
//! slope of `s` meters per cell has `s sqrt 6` in any direction.
//!
//! Source: Riley and others, *A terrain ruggedness index that quantifies topographic heterogeneity*, Intermountain
//! Journal of Sciences, 1999; as in `gdaldem TRI -alg Riley`.

use super::{map_by_rows, neighborhood::Neighborhood};
use crate::{GenerateError, Heightmap, Progress, Scale};

/// Computes the ruggedness of every cell of `map`, in meters.
///
/// # Errors
/// If the scale is out of range, or the work is canceled.
pub fn ruggedness(
    map: &Heightmap,
    scale: Scale,
    progress: &Progress,
) -> Result<Heightmap, GenerateError> {
    scale.validate()?;
    let window = || Neighborhood::new(map.width());
    let rough = map_by_rows(map.size(), progress, window, |window, y, row| {
        window.load(map, y);
        let width = row.len();
        let (north, here, south) = (&window.north, &window.here, &window.south);
        let neighbors = [
            &north[..width],
            &north[1..=width],
            &north[2..width + 2],
            &here[..width],
            &here[2..width + 2],
            &south[..width],
            &south[1..=width],
            &south[2..width + 2],
        ];
        let center = &here[1..=width];
        for x in 0..width {
            let squares = neighbors.iter().fold(0.0, |sum, row| {
                let rise = (row[x] - center[x]).clamp(-MOST_RISE, MOST_RISE);
                sum + rise * rise
            });
            row[x] = squares.sqrt() * scale.relief;
        }
    })?;
    Ok(rough)
}

/// The largest height difference. Larger ones are clamped to it, so that squares stay finite.
const MOST_RISE: f32 = 1e18;
