//! How rough the land is at each cell: the terrain ruggedness index.
//!
//! The root of the sum of the squares of the height differences to the eight neighbors.
//! A plain has 0, a slope of `s` metres per cell `s sqrt 6` whichever way it faces.
//!
//! Source: Riley and others, *A terrain ruggedness index that quantifies
//! topographic heterogeneity*, Intermountain Journal of Sciences, 1999; as `gdaldem TRI
//! -alg Riley`.

use super::{map_by_rows, neighborhood::Neighborhood};
use crate::{GenerateError, Heightmap, Progress, Scale};

/// How rough `map` is at every cell, in metres.
///
/// # Errors
/// When the scale is out of its range, or the work was cancelled.
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
        let beside = [
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
            let squares = beside.iter().fold(0.0, |sum, row| {
                let rise = (row[x] - center[x]).clamp(-MOST_RISE, MOST_RISE);
                sum + rise * rise
            });
            row[x] = squares.sqrt() * scale.relief;
        }
    })?;
    Ok(rough)
}

/// Higher steps, in heights, count as this, so that squares stay finite.
const MOST_RISE: f32 = 1e18;
