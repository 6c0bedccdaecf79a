//! Measurements of maps: slope, curvature, light, coasts, statistics.
//!
//! | measurement | what it measures | source |
//! |---|---|---|
//! | [`Slope`], [`Aspect`] | steepness, and the direction that a slope faces | Horn 1981 |
//! | [`normals`], [`NormalMap`] | unit normals, and the same as a texture | Horn 1981 |
//! | [`Hillshade`] | illumination by the sun | Horn 1981, Mark 1992 |
//! | [`Curvature`] | curvature along and across the slope | Zevenbergen and Thorne 1987 |
//! | [`SkyView`] | the visible part of the sky | Timonen and Westerholm 2010 |
//! | [`ruggedness`], [`roughness`], [`TopographicPositionIndex`] | roughness, and height above the surroundings | Riley 1999, Wilson 2007, Weiss 2001 |
//! | [`CoastDistance`] | distance to the coast | Meijster 2000 |
//! | [`contours`], [`coast_length`] | lines of equal height | marching squares |
//! | [`coast_dimension`] | fractal dimension of the coast | Mandelbrot 1967 |
//! | [`FindRegions`] | islands, lakes, the ocean | union-find of row runs |
//! | [`Statistics`], [`percentiles`], [`Histogram`], [`Hypsometry`] | distribution of heights | |
//!
//! At the border of the map, measurements of a cell and its eight neighbors extrapolate the terrain, so an inclined
//! plane has the same values everywhere. GDAL does the same with `-compute_edges`.
//!
//! Slope, aspect, normals, hillshade and curvature support cells that are not square, and cells that get narrower
//! towards the poles: see [`GroundScale`](crate::GroundScale). The other measurements treat all cells as equal squares.
//!
//! ```
//! use lanternfell_heightmap::{Hills, MapSize, Progress, Scale, analysis::{FindRegions, Slope}};
//!
//! let progress = Progress::default();
//! let size = MapSize::new(128, 128)?;
//! let map = Hills { island: true, ..Hills::default() }.generate(size, 7, &progress)?;
//! let slope = Slope::default().of(&map, Scale::of_size(size), &progress)?;
//! assert!(slope.range().1 < 90.0); // degrees
//! let regions = FindRegions { sea_level: 0.04, ..FindRegions::default() }.of(&map, &progress)?;
//! assert!(regions.islands()[0].cells > 1000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aspect;
mod coast_dimension;
mod contours;
mod curvature;
mod distance;
mod gradient;
mod height_rows;
mod hillshade;
mod histogram;
mod hypsometry;
mod neighborhood;
mod normals;
mod percentiles;
mod regions;
mod roughness;
mod ruggedness;
mod sky;
mod slope;
mod statistics;
mod sweep;
mod tally;
mod topographic_position;

use crate::{Canceled, Heightmap, MapSize, Progress, rows};

pub use aspect::Aspect;
pub use coast_dimension::coast_dimension;
pub use contours::{Contour, coast_length, contours};
pub use curvature::{Curvature, CurvatureKind};
pub use distance::CoastDistance;
pub use height_rows::HeightRows;
pub use hillshade::Hillshade;
pub use histogram::Histogram;
pub use hypsometry::Hypsometry;
pub use normals::{NormalAxes, NormalMap, normals};
pub use percentiles::percentiles;
pub use regions::{Connectivity, FindRegions, Region, Regions};
pub use roughness::roughness;
pub use ruggedness::ruggedness;
pub use sky::SkyView;
pub use slope::{Slope, SlopeUnit};
pub use statistics::Statistics;
pub use sweep::SweepLines;
pub use topographic_position::TopographicPositionIndex;

/// Creates a map of this size by calling `fill(scratch, y, row)` for each row, on every core. `fill` must write finite
/// heights.
pub(crate) fn map_by_rows<S>(
    size: MapSize,
    progress: &Progress,
    scratch: impl Fn() -> S + Sync + Send,
    fill: impl Fn(&mut S, usize, &mut [f32]) + Sync + Send,
) -> Result<Heightmap, Canceled> {
    let mut map = Heightmap::flat(size);
    rows::for_each_row_with(map.heights_mut(), size.width(), progress, scratch, fill)?;
    Ok(map)
}

/// The results of `measure(index)` for `count` pieces of work, in order of their index.
fn in_order<T: Send + Default>(
    count: usize,
    progress: &Progress,
    measure: impl Fn(usize) -> T + Sync + Send,
) -> Result<Vec<T>, Canceled> {
    let mut results: Vec<T> = core::iter::repeat_with(T::default).take(count).collect();
    rows::for_each_row(&mut results, 1, progress, |index, result| {
        result[0] = measure(index);
    })?;
    Ok(results)
}
