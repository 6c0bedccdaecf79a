//! The fractal dimension of a coast, which measures how irregular it is.
//!
//! Idea: paint the coast with brushes of increasing width. Along a smooth coast, a brush of twice the width paints
//! twice the area. Along an irregular coast it paints less, because the narrow brush has already filled the small bays:
//! `2^(2 - D)` times the area.
//!
//! ```text
//!   ln area             D is 2 minus the slope: 1 for an arc, 1.25 for the
//!     |     .'          west coast of Britain, 1.5 for the fjords of Norway
//!     |   .'  2 - D
//!     | .'
//!     +---------- ln width
//! ```
//!
//! Steps: compute each cell's distance to the coast. Count the cells within 2, 4, 8, ... cells of it, up to a sixteenth
//! of the map's shorter side. Fit a straight line to the logarithms by least squares.
//!
//! Cost: that of the distances, plus one pass. For curves of known dimension (straight, round, Koch's), the error is
//! below 0.05 on maps of 512 cells. Box counting, the alternative, has larger errors, because it depends on where the
//! boxes start.
//!
//! Sources: Mandelbrot, *How long is the coast of Britain?*, 1967; the brush is the Minkowski sausage; Feder,
//! *Fractals*, 1988, for the coast of Norway.

use super::{CoastDistance, tally::tally};
use crate::{GenerateError, Heightmap, Progress, Scale, least_squares::Line};

/// The widest brush is the map's shorter side divided by this. A wider one would fill whole seas.
const WIDEST: usize = 16;

/// The smallest number of widths for a fit.
const FEWEST: usize = 3;

/// The smallest length of a coast, in multiples of the widest brush.
const LONGEST: f64 = 8.0;

/// Estimates the fractal dimension of the coast between land (strictly above `sea_level`) and sea, from 1 for a smooth
/// coast to 2 for one that fills the plane.
///
/// Returns `None` if the coast is shorter than about half of the map's shorter side, or that side has fewer than 128
/// cells.
///
/// # Errors
/// If the sea level is not finite, or the work is canceled.
///
/// ```
/// use lanternfell_heightmap::{FractalNoise, MapSize, Progress, analysis::coast_dimension};
///
/// let progress = Progress::default();
/// let map = FractalNoise::default().generate(MapSize::new(256, 256)?, 7, &progress)?;
/// let dimension = coast_dimension(&map, FractalNoise::SEA_LEVEL, &progress)?.unwrap();
/// assert!((1.0..1.5).contains(&dimension));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn coast_dimension(
    map: &Heightmap,
    sea_level: f32,
    progress: &Progress,
) -> Result<Option<f64>, GenerateError> {
    let in_cells = Scale {
        spacing: 1.0,
        relief: 1.0,
    };
    let coast = CoastDistance { sea_level }.of(map, in_cells, &progress.span(0.0, 0.8))?;
    let most = map.size().shorter_side() / WIDEST;
    let widths: Vec<f64> = (1..)
        .map(|k| f64::from(1_u32 << k))
        .take_while(|&w| w <= most as f64)
        .collect();
    if widths.len() < FEWEST {
        return Ok(None);
    }
    // Count each cell for the narrowest brush that reaches it.
    let narrowest = |distance: f32| {
        let distance = f64::from(distance.abs());
        widths.iter().position(|&width| distance <= width)
    };
    let counts = tally(&coast, widths.len(), &progress.span(0.8, 1.0), narrowest)?;
    let narrow = counts[0];
    let (mut painted, mut line) = (0, Line::default());
    for (&width, count) in widths.iter().zip(counts) {
        painted += count;
        line.add(libm::log(width), libm::log(painted as f64));
    }
    // The narrowest brush paints its width on both sides of the coast.
    let length = narrow as f64 / (2.0 * widths[0]);
    let long = length >= LONGEST * widths[widths.len() - 1];
    Ok(line
        .slope()
        .filter(|_| long)
        .map(|steepness| 2.0 - steepness))
}
