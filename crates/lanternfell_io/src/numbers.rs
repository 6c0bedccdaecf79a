//! Converts the heights of a map to the numbers in a file.
//!
//! | numbers | a height `z` becomes |
//! |---|---|
//! | meters | `offset + relief z`, with the map's elevation |
//! | from 0 to 1 | `z`, or if the map exceeds 0 to 1, `z` stretched so that its minimum is 0 and its maximum 1 |
//! | from 0 to 1 of a range | `(meters - low) / (high - low)` |
//! | the map's own | `z` |
//!
//! Rows are converted as they are written, so there is never a second map in memory. Each number is computed in `f64`
//! and rounded once. Heights that are already meters keep their bits.

use crate::{ExportError, Format, HeightRange, Numbers, Sample, WriteOptions, WrittenHeights};
use lanternfell_heightmap::{Elevation, ElevationModel, Heightmap, ParamError, Progress};

/// A map whose heights are converted as they are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a> {
    map: &'a Heightmap,
    change: Change,
}

#[derive(Debug, Clone, Copy)]
enum Change {
    None,
    Meters(Elevation),
    /// Maps these heights to 0 and 1.
    Stretch(f32, f32),
    /// Maps a range of meters to 0 to 1.
    Range(Elevation, HeightRange),
}

impl<'a> Rows<'a> {
    /// The heights unchanged.
    pub(super) fn plain(map: &'a Heightmap) -> Self {
        let change = Change::None;
        Self { map, change }
    }

    /// The heights as the options require for this format, and the elevation of the resulting numbers.
    pub(super) fn of(
        model: &'a ElevationModel,
        format: Format,
        options: &WriteOptions<'_>,
        progress: &Progress,
    ) -> Result<(Self, Elevation), ExportError> {
        let elevation = model.frame.elevation;
        let change = match (options.written(format), options.range) {
            (WrittenHeights::Meters, _) if elevation != Elevation::METERS => {
                Change::Meters(elevation)
            }
            (WrittenHeights::Meters | WrittenHeights::Unchanged, _) => Change::None,
            (WrittenHeights::Unit, Some(range)) => Change::Range(elevation, range),
            (WrittenHeights::Unit, None) => match model.heights.range_with(progress)? {
                (low, high) if low >= 0.0 && high <= 1.0 => Change::None,
                (low, high) => Change::Stretch(low, high),
            },
        };
        let rows = Self {
            map: &model.heights,
            change,
        };
        let elevation = match change {
            Change::None => elevation,
            Change::Meters(_) => {
                rows.check_meters(model)?;
                Elevation::METERS
            }
            Change::Stretch(low, high) => elevation.stretched((low, high)),
            Change::Range(_, range) => {
                range.validate()?;
                check_range(model, range, progress)?;
                range.elevation()
            }
        };
        Ok((rows, elevation))
    }

    /// Returns an error if the heights in meters overflow `f32`.
    fn check_meters(&self, model: &ElevationModel) -> Result<(), ParamError> {
        let (low, high) = model.range();
        for meters in [low, high] {
            let fine = (meters as f32).is_finite();
            let allowed = "meters that f32 can hold";
            ParamError::check(fine, "elevation", "height", meters, allowed)?;
        }
        Ok(())
    }

    #[cfg(feature = "tiff")]
    pub(super) fn size(&self) -> lanternfell_heightmap::MapSize {
        self.map.size()
    }

    pub(super) fn width(&self) -> usize {
        self.map.width()
    }

    pub(super) fn height(&self) -> usize {
        self.map.height()
    }

    /// Returns the number of a cell.
    #[cfg(feature = "exr")]
    pub(super) fn get(&self, x: usize, y: usize) -> f32 {
        self.change.number(self.map.get(x, y))
    }

    /// Returns the numbers of a row. `buffer` holds them if they are converted.
    pub(super) fn row<'b>(&'b self, y: usize, buffer: &'b mut Vec<f32>) -> &'b [f32] {
        let row = self.map.row(y);
        if matches!(self.change, Change::None) {
            return row;
        }
        buffer.clear();
        buffer.extend(row.iter().map(|&z| self.change.number(z)));
        buffer
    }

    /// Returns an error for the first height that a kind of number cannot store.
    pub(super) fn check_sample(
        &self,
        sample: Sample,
        progress: &Progress,
    ) -> Result<(), ExportError> {
        match sample {
            Sample::U8 | Sample::U16 => self.check_whole(progress),
            Sample::I16 => {
                self.check_meters_in("i16", [i16::MIN.into(), i16::MAX.into()], progress)
            }
            Sample::F32 => Ok(()),
        }
    }

    /// Returns an error for the first height outside 0 to 1.
    pub(super) fn check_whole(&self, progress: &Progress) -> Result<(), ExportError> {
        let wrong = |column, row, height| ExportError::Height {
            column,
            row,
            height,
        };
        self.check(|height| (0.0..=1.0).contains(&height), wrong, progress)
    }

    /// Returns an error for the first height outside a range of meters, which `holder` can hold.
    pub(super) fn check_meters_in(
        &self,
        holder: &'static str,
        [lowest, highest]: [f32; 2],
        progress: &Progress,
    ) -> Result<(), ExportError> {
        let wrong = |column, row, height| ExportError::Meters {
            column,
            row,
            height,
            holder,
            lowest,
            highest,
        };
        self.check(
            |height| (lowest..=highest).contains(&height),
            wrong,
            progress,
        )
    }

    /// Returns the error of the first height that does not fit.
    fn check(
        &self,
        fits: impl Fn(f32) -> bool,
        wrong: impl Fn(usize, usize, f32) -> ExportError,
        progress: &Progress,
    ) -> Result<(), ExportError> {
        let mut buffer = Vec::new();
        for row in 0..self.height() {
            progress.check()?;
            let numbers = self.row(row, &mut buffer);
            if let Some(column) = numbers.iter().position(|&height| !fits(height)) {
                return Err(wrong(column, row, numbers[column]));
            }
        }
        Ok(())
    }

    /// Returns whether any cell has this number.
    pub(super) fn contain(&self, number: f32) -> bool {
        let mut buffer = Vec::new();
        (0..self.height()).any(|y| self.row(y, &mut buffer).contains(&number))
    }
}

/// Returns an error for the first height outside a range, unless heights are clamped to it.
fn check_range(
    model: &ElevationModel,
    range: HeightRange,
    progress: &Progress,
) -> Result<(), ExportError> {
    let HeightRange { low, high, clamp } = range;
    let elevation = model.frame.elevation;
    for row in 0..model.size().height() {
        progress.check()?;
        let heights = model.heights.row(row);
        let outside = |&z: &f32| !range.contains(elevation.meters(z));
        if let Some(column) = heights.iter().position(outside).filter(|_| !clamp) {
            return Err(ExportError::Range {
                column,
                row,
                height: elevation.meters(heights[column]) as f32,
                low,
                high,
            });
        }
    }
    Ok(())
}

impl Change {
    fn number(self, height: f32) -> f32 {
        match self {
            Self::None => height,
            Self::Meters(elevation) => elevation.meters(height) as f32,
            // A flat map becomes 0 everywhere.
            Self::Stretch(low, high) if low < high => {
                let (low, high) = (f64::from(low), f64::from(high));
                ((f64::from(height) - low) / (high - low)) as f32
            }
            Self::Stretch(..) => 0.0,
            Self::Range(elevation, range) => range.number(elevation.meters(height)),
        }
    }
}

impl WriteOptions<'_> {
    /// Returns what a file of this format stores with these options.
    pub(super) fn written(&self, format: Format) -> WrittenHeights {
        let sample = match format {
            Format::Raw => self.raw.sample,
            _ => self.tiff,
        };
        let is_selectable = format.numbers() == Numbers::Selectable;
        let is_encoded = format == Format::Png && self.encoding.is_some();
        if is_encoded || is_selectable && sample == Sample::I16 {
            return WrittenHeights::Meters;
        }
        let is_whole = match format.numbers() {
            Numbers::Integer => true,
            Numbers::Selectable => sample.is_fraction(),
            Numbers::Float => false,
        };
        match (is_whole, self.heights) {
            (true, _) if self.stretch || self.range.is_some() => WrittenHeights::Unit,
            (false, Some(heights)) if !format.is_mesh() => heights,
            (false, _) if format.keeps_meters() => WrittenHeights::Meters,
            _ => WrittenHeights::Unchanged,
        }
    }
}
