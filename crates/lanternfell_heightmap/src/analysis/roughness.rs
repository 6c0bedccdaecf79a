//! Roughness: the range of heights around each cell.
//!
//! It is the difference between the highest and the lowest of the cell and its eight neighbors. A slope of `s` meters
//! per cell along an axis has `2 s`.
//!
//! Source: Wilson and others, *Multiscale terrain analysis of multibeam bathymetry data for habitat mapping on the
//! continental slope*, Marine Geodesy, 2007; as in `gdaldem roughness`.

use super::{map_by_rows, neighborhood::Neighborhood};
use crate::{GenerateError, Heightmap, Progress, Scale};

/// Computes the roughness of every cell of `map`, in meters.
///
/// # Errors
/// If the scale is out of range, or the work is canceled.
pub fn roughness(
    map: &Heightmap,
    scale: Scale,
    progress: &Progress,
) -> Result<Heightmap, GenerateError> {
    scale.validate()?;
    let window = || Neighborhood::new(map.width());
    let rough = map_by_rows(map.size(), progress, window, |window, y, row| {
        window.load(map, y);
        let rows = [&window.north, &window.here, &window.south];
        for (x, cell) in row.iter_mut().enumerate() {
            let around = rows.iter().flat_map(|row| &row[x..x + 3]);
            let first = (f32::INFINITY, f32::NEG_INFINITY);
            let (low, high) = around.fold(first, |(low, high), &z| (z.min(low), z.max(high)));
            *cell = ((high - low) * scale.relief).min(f32::MAX);
        }
    })?;
    Ok(rough)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MapSize;

    #[test]
    fn measures_range_of_neighborhood() {
        let size = MapSize::new(4, 3).unwrap();
        let heights = vec![0.0, 1.0, 2.0, 3.0, 0.0, 9.0, 2.0, 3.0, -4.0, 1.0, 2.0, 3.0];
        let map = Heightmap::from_heights(size, heights).unwrap();
        let scale = Scale {
            spacing: 7.0,
            relief: 2.0,
        };
        let found = roughness(&map, scale, &Progress::default()).unwrap();
        assert_eq!((found.get(1, 1), found.get(2, 1)), (26.0, 16.0));
        // A slope is extrapolated beyond the border.
        let heights = (0..12).map(|cell| (cell % 4) as f32).collect();
        let slope = Heightmap::from_heights(size, heights).unwrap();
        let found = roughness(&slope, scale, &Progress::default()).unwrap();
        assert!(found.heights().iter().all(|&z| z == 4.0));
    }
}
