//! How crooked a coast is: its fractal dimension, by how the ground near it grows.
//!
//! Idea: paint the coast with a brush. Twice as wide a brush paints twice as much along a smooth
//! coast, but less along a crooked one, whose small bays the narrow brush has filled already:
//! `2^(2 - D)` times as much.
//!
//! ```text
//!   ln area             D is 2 less the steepness: 1 for an arc, 1.25 for the
//!     |     .'          west coast of Britain, 1.5 for the fjords of Norway
//!     |   .'  2 - D
//!     | .'
//!     +---------- ln width
//! ```
//!
//! Steps: each cell's distance from the coast; cells within 2, 4, 8, ... cells of it, up to a
//! sixteenth of the map's shorter side; a straight line through the logarithms, by least squares.
//!
//! Cost: that of the distances, and a pass. On curves of known dimension (straight, round,
//! Koch's) the error is below 0.05 on maps of 512 cells; counting boxes, the other way, is off
//! by more, since it hangs on where the boxes begin.
//!
//! Source: Mandelbrot, *How long is the coast of Britain?*, 1967; for the brush, Minkowski's
//! sausage, and for Norway's coast, Feder, *Fractals*, 1988.

use super::{CoastDistance, tally::tally};
use crate::{GenerateError, Heightmap, Progress, Scale, least_squares::Line};

/// The widest brush is this part of the map's shorter side: a wider one fills whole seas.
const WIDEST: usize = 16;

/// With fewer widths there is no telling how the area grows.
const FEWEST: usize = 3;

/// A coast is at least so many times as long as its widest brush, or it is but a dot to it.
const LONGEST: f64 = 8.0;

/// The fractal dimension of the line between land, strictly above `sea_level`, and sea, from 1 for
/// a smooth one to 2 for one that is everywhere. `None` with less coast than half of the map's shorter
/// side, and on maps with fewer than 128 cells there.
///
/// # Errors
/// When the sea level is not finite, or the work was cancelled.
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
    // Each cell by the narrowest brush that reaches it.
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
    // The narrowest brush paints as many cells to both sides as it is wide.
    let length = narrow as f64 / (2.0 * widths[0]);
    let long = length >= LONGEST * widths[widths.len() - 1];
    Ok(line
        .slope()
        .filter(|_| long)
        .map(|steepness| 2.0 - steepness))
}
