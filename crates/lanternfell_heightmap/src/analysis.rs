//! What a map is like: its slopes and curvature, its light, its coasts, its numbers.
//!
//! Each measure is a small file of its own. Those of one cell and its eight neighbors
//! see the land go on beyond the border as it came, so that a tilted plain is measured
//! alike everywhere; GDAL does the same where it is asked for edges.
//!
//! | measure | of each cell, or of the map | source |
//! |---|---|---|
//! | [`Slope`], [`Aspect`] | how steep it is, and which way it faces | Horn 1981 |
//! | [`normals`], [`NormalMap`] | the unit normal, and as a texture | Horn 1981 |
//! | [`Hillshade`] | how light it is in the sun | Horn 1981, Mark 1992 |
//! | [`Curvature`] | how it bends, along and across the slope | Zevenbergen and Thorne 1987 |
//! | [`SkyView`] | how much of the sky it sees | Timonen and Westerholm 2010 |
//! | [`ruggedness`], [`roughness`], [`TopographicPositionIndex`] | how rough it is, and how far above what lies around | Riley 1999, Wilson 2007, Weiss 2001 |
//! | [`CoastDistance`] | how far the coast is | Meijster 2000 |
//! | [`contours`], [`coast_length`] | lines of equal height | marching squares |
//! | [`coast_dimension`] | how crooked the coast is | Mandelbrot 1967 |
//! | [`FindRegions`] | islands, lakes, the ocean | union-find of row runs |
//! | [`Statistics`], [`percentiles`], [`Histogram`], [`Hypsometry`] | how high it is | |
//!
//! Slope, aspect, normals, shade and curvature know cells that are not square, and that get narrower
//! towards the poles: [`GroundScale`](crate::GroundScale). The others take cells as squares, all alike.
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

use crate::{Cancelled, Heightmap, MapSize, Progress, rows};

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

/// A map of this size, row by row on every core: `fill(scratch, y, row)`. All that it
/// fills in is finite.
pub(crate) fn map_by_rows<S>(
    size: MapSize,
    progress: &Progress,
    scratch: impl Fn() -> S + Sync + Send,
    fill: impl Fn(&mut S, usize, &mut [f32]) + Sync + Send,
) -> Result<Heightmap, Cancelled> {
    let mut map = Heightmap::flat(size);
    rows::for_each_row_with(map.heights_mut(), size.width(), progress, scratch, fill)?;
    Ok(map)
}

/// What `measure(index)` says of each of `count` pieces of work, in their order.
fn in_order<T: Send + Default>(
    count: usize,
    progress: &Progress,
    measure: impl Fn(usize) -> T + Sync + Send,
) -> Result<Vec<T>, Cancelled> {
    let mut results: Vec<T> = core::iter::repeat_with(T::default).take(count).collect();
    rows::for_each_row(&mut results, 1, progress, |index, result| {
        result[0] = measure(index);
    })?;
    Ok(results)
}
