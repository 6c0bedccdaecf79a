//! One surface that settles again and again: the passes, and all else, as sliders.
//!
//! Problem: whoever drags a slider wants the same surface after 300 passes, then 320, then
//! with less viscosity, each at once. Half the work of [`spectral`] is the way to the sine
//! waves, which none of that changes.
//!
//! Idea: keep the waves.
//!
//! ```text
//!   surface --- transform ---> waves --- scale, transform back ---> settled
//!              once, of()        |  '--- scale, transform back ---> settled
//!                                '------ scale, transform back ---> settled
//! ```
//!
//! Steps: the first half of [`spectral`], whose waves stay as `f64`; then its second half
//! for each [`settle`](FluidWaves::settle). Nothing is rounded in between that is not there,
//! so the bits are the same too.
//!
//! Cost: about half of the whole for each time; twice the memory of a map for the waves, and
//! for a time two maps more.

use super::{
    Fluid,
    modes::Modes,
    prepare,
    sine::{LINES, SineTransform},
    spectral,
};
use crate::{Cancelled, GenerateError, Heightmap, MapSize, Progress, rows::for_each_row_with};

/// A surface as the waves that it is made of, ready to settle in many ways.
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
    /// For every [`LINES`] columns a strip of `height - 1` waves, the first of them 0.
    waves: Vec<[f64; LINES]>,
}

impl FluidWaves {
    /// Takes a surface apart: for instance one of [`Fluid::draw`]. Its ring counts as 0.
    ///
    /// # Errors
    /// When the work was cancelled.
    pub fn of(mut start: Heightmap, progress: &Progress) -> Result<Self, Cancelled> {
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

    /// Size of the map.
    pub fn size(&self) -> MapSize {
        self.size
    }

    /// The surface after the passes of `fluid`, stretched to 0 to 1; its `amplitude` plays no
    /// part.
    ///
    /// This is [`Fluid::settle`] of the same start: to the last bit where that goes by waves
    /// too, and within a hundred-thousandth where few passes go cell by cell.
    ///
    /// # Errors
    /// When a parameter is out of its range, or the work was cancelled.
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

/// The waves of a surface whose rows are waves already.
fn columns_to_waves(
    surface: &Heightmap,
    progress: &Progress,
) -> Result<Vec<[f64; LINES]>, Cancelled> {
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
