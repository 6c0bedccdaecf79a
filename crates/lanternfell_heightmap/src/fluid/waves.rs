//! A surface that settles many times with different parameters, for example while a slider moves.
//!
//! Problem: a slider needs the same surface after 300 passes, then 320, then with less viscosity, each without delay.
//! Half the work of [`spectral`] is the transform of the start into sine waves, which does not depend on any of these
//! parameters.
//!
//! Idea: keep the waves.
//!
//! ```text
//!   surface --- transform ---> waves --- scale, transform back ---> settled
//!              once, of()        |  '--- scale, transform back ---> settled
//!                                '------ scale, transform back ---> settled
//! ```
//!
//! Steps: [`of`](FluidWaves::of) does the first half of [`spectral`] and stores the waves as `f64`. Each
//! [`settle`](FluidWaves::settle) does the second half. Rounding happens at the same places, so the bits are the same.
//!
//! Cost: about half of the whole time for each `settle`. Memory: twice that of a map for the waves, and two more maps
//! during `settle`.

use super::{
    Fluid,
    modes::Modes,
    prepare,
    sine::{LINES, SineTransform},
    spectral,
};
use crate::{Canceled, GenerateError, Heightmap, MapSize, Progress, rows::for_each_row_with};

/// A surface stored as sine waves, which can settle with different parameters.
///
/// ```
/// use lanternfell_heightmap::{Fluid, FluidWaves, MapSize, Progress};
///
/// let fluid = Fluid::default();
/// let start = fluid.draw(MapSize::new(128, 128)?, 7);
/// let waves = FluidWaves::of(start.clone(), &Progress::default())?;
/// for passes in [500, 1000, 2000] {
///     let fluid = Fluid { passes, ..Fluid::default() };
///     let map = waves.settle(&fluid, &Progress::default())?;
///     assert_eq!(map, fluid.settle(start.clone(), &Progress::default())?);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct FluidWaves {
    size: MapSize,
    /// For each group of [`LINES`] columns, a strip of `height - 1` waves. The first of them is 0.
    waves: Vec<[f64; LINES]>,
}

impl FluidWaves {
    /// Transforms a surface, for example one from [`Fluid::draw`]. Its border cells count as 0.
    ///
    /// # Errors
    /// If the work is canceled.
    pub fn of(mut start: Heightmap, progress: &Progress) -> Result<Self, Canceled> {
        let size = start.size();
        let mut waves = Vec::new();
        if size.shorter_side() >= 3 {
            prepare(&mut start);
            let across = SineTransform::new(size.width() - 1);
            spectral::rows_to_waves(&across, &mut start, &progress.span(0.0, 0.5))?;
            waves = columns_to_waves(&start, &progress.span(0.5, 1.0))?;
        }
        progress.step(1, 1)?;
        Ok(Self { size, waves })
    }

    /// The size of the map.
    pub fn size(&self) -> MapSize {
        self.size
    }

    /// The surface after the passes of `fluid`, stretched to 0 to 1. `fluid.amplitude` is ignored.
    ///
    /// The result equals [`Fluid::settle`] of the same start: to the last bit if that uses waves too, and within 1e-5
    /// if it runs few passes cell by cell.
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled.
    pub fn settle(&self, fluid: &Fluid, progress: &Progress) -> Result<Heightmap, GenerateError> {
        fluid.validate(self.size)?;
        let mut surface = Heightmap::flat(self.size);
        if self.waves.is_empty() {
            progress.step(1, 1)?;
            return Ok(surface);
        }
        let height = self.size.height();
        let modes = Modes::new(fluid.weights(), fluid.passes, self.size);
        let down = SineTransform::new(height - 1);
        let strips = spectral::settled_strips(
            &modes,
            &down,
            self.size,
            |index, scratch| {
                let strip = &self.waves[index * (height - 1)..][..height - 1];
                scratch.lines.copy_from_slice(strip);
            },
            &progress.span(0.0, 0.5),
        )?;
        let across = SineTransform::new(self.size.width() - 1);
        let extremes =
            spectral::waves_to_rows(&across, &strips, &mut surface, &progress.span(0.5, 0.95))?;
        surface.stretch(extremes, &progress.span(0.95, 1.0))?;
        Ok(surface)
    }
}

/// Transforms the columns of a surface whose rows are already transformed.
fn columns_to_waves(
    surface: &Heightmap,
    progress: &Progress,
) -> Result<Vec<[f64; LINES]>, Canceled> {
    let size = surface.size();
    let down = SineTransform::new(size.height() - 1);
    let mut waves = vec![[0.0; LINES]; spectral::strips(size) * (size.height() - 1)];
    for_each_row_with(
        &mut waves,
        size.height() - 1,
        progress,
        || down.scratch(),
        |scratch, index, strip| {
            spectral::load_columns(surface, spectral::columns(size, index), scratch);
            down.transform(scratch);
            strip.copy_from_slice(&scratch.lines);
        },
    )?;
    Ok(waves)
}
